"""Jackpots: what the house enters (`rules`), the meters and how they are divided (`meters`), which hands of a round may
qualify (`recognise`). Values only; `engine/table/jackpots.py` applies them at a table.

It may import what is below the fees: bounds, amounts, cards, inputs, events, ranking.
"""
