"""The action button: which seat the action begins with.

A total of dice, or the value of a card, is counted clockwise over all positions of the table, empty ones too. Rooms
differ in where the count begins: the player-dealer is one (turlock-fortune-pai-gow-poker, A3) or the last number
(turlock-pai-gow-poker). The seat counted out may have no wager; the button then moves on to the next that has.

    >>> by_dice((3, 4, 5), player_dealer=7, positions=7)
    4
    >>> by_dice((2, 2, 4), player_dealer=3, positions=7)  # eight is the player-dealer himself
    3
    >>> by_dice((3, 4, 5), player_dealer=7, positions=7, player_dealer_counts=7)  # his left neighbour is one
    5
    >>> moves_on(4, {1, 2, 6})
    6
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence


def by_dice(values: Sequence[int], player_dealer: int, positions: int, player_dealer_counts: int = 1) -> int:
    """The seat that the total of the dice counts out, the player-dealer being `player_dealer_counts`."""
    return counted(player_dealer, sum(values) - player_dealer_counts, positions)


def by_card(value: int, player_dealer: int, positions: int) -> int:
    """The seat that a card counts out: the left of the player-dealer is one, his own seat is left out, and the count
    goes round again (bankers-pure-21-5-blackjack, settlement rule 4).

    >>> [by_card(value, player_dealer=3, positions=8) for value in (1, 7, 8, 13)]
    [4, 2, 4, 1]
    """
    return counted(player_dealer, (value - 1) % (positions - 1) + 1, positions)


def by_card_from_first(value: int, player_dealer: int | None, positions: int) -> int:
    """The same counted from the first seat at the house dealer's left, the player-dealer's own seat left out.

    >>> [by_card_from_first(value, player_dealer=3, positions=8) for value in (1, 3, 8, 13)]
    [1, 4, 1, 7]
    """
    others = [seat for seat in range(1, positions + 1) if seat != player_dealer]
    return others[(value - 1) % len(others)]


def counted(seat: int, steps: int, positions: int) -> int:
    """The seat this number of steps clockwise; a negative number goes the other way round.

    >>> counted(6, 3, positions=7), counted(2, -3, positions=7)
    (2, 6)
    """
    return (seat - 1 + steps) % positions + 1


def clockwise_from(seat: int, among: Collection[int]) -> list[int]:
    """These seats in clockwise order, beginning with `seat` itself or the first one after it.

    >>> clockwise_from(4, {1, 2, 6})
    [6, 1, 2]
    """
    seats = sorted(among)
    first = bisect_left(seats, seat)
    return seats[first:] + seats[:first]


def moves_on(seat: int, in_play: Collection[int]) -> int:
    """Where the button goes: this seat, or the next clockwise that takes part."""
    return clockwise_from(seat, in_play)[0]
