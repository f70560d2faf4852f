"""Conformance of a sign over the Alpha protocol.

bench  the controller's end of the line
sign   the requirements of reader-board.md
"""
