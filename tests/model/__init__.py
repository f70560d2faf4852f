"""The model of the delivery: what may happen between a device's report and a store's receipt, and what must hold.

`delivery.tla` is the model in TLA+, for TLC; `delivery.py` is the same transition relation in Python, for traces of a
running table (`trace`) and to be explored here (`explore`). docs/development/testing.md has the commands.
"""
