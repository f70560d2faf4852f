"""Conformance of a drop-box sensor over Modbus RTU.

bench     a master that can also be wrong on purpose
drop_box  the requirements of drop-box.md
"""
