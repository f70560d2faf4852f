"""Betting places and persons, as the words for people write them."""

from __future__ import annotations

from controller.engine import inputs as happened


def place(where: happened.Place) -> str:
    """
    >>> place(3), place("3.2")
    ('Seat 3', 'Seat 3, spot 2')
    """
    seat, _, spot = str(where).partition(".")
    return f"Seat {seat}, spot {spot}" if spot else f"Seat {seat}"


def person(by: str) -> str:
    """
    >>> person("device:shoe"), person("floor:ann"), person("dealer")
    ('shoe', 'floor ann', 'dealer')
    """
    return by.removeprefix("device:").replace(":", " ")
