"""Pai gow tiles. Sheets: calgrand-pai-gow-tiles, bankers-pai-gow-tiles.

How the four tiles of a hand are parted in two is taken from the engine's result; ranks, comparison, the order from the
dice and the money are worked out here.
"""

from __future__ import annotations

from tests.oracles.played import Bank, Played, Settled, seat_of, spot_of

# From the highest single tile down; the two tiles of one line are of one rank.
SINGLES = (
    ("6-6",),
    ("1-1",),
    ("4-4",),
    ("1-3",),
    ("5-5",),
    ("3-3",),
    ("2-2",),
    ("5-6",),
    ("4-6",),
    ("1-6",),
    ("1-5",),
    ("3-6", "4-5"),
    ("2-6", "3-5"),
    ("2-5", "3-4"),
    ("1-4", "2-3"),
    ("1-2", "2-4"),
)
GEE_JOON = 15
POSITIONS = 8

Key = tuple[int, int, int]
"""Class, then what decides in it; the higher the better."""


def single(tile: str) -> int:
    """Its line in the list: 0 is the highest."""
    return next(line for line, tiles in enumerate(SINGLES) if tile in tiles)


def spots(tile: str) -> int:
    return sum(int(end) for end in tile.split("-"))


def rank(hand: list[str], *, semi_wild: bool) -> Key:
    one, other = hand
    lines = sorted(single(tile) for tile in hand)
    if lines == [GEE_JOON, GEE_JOON]:
        return 5, 0, 0
    if lines[0] == lines[1]:
        return 4, -lines[0], 0
    if lines[0] <= 1:
        beside = one if single(other) == lines[0] else other
        if spots(beside) == 9:
            return 3, -lines[0], 0
        if spots(beside) == 8:
            return 2, -lines[0], 0
    counts = [{3, 6} if semi_wild and single(tile) == GEE_JOON else {spots(tile)} for tile in hand]
    digit = max((a + b) % 10 for a in counts[0] for b in counts[1])
    return 1, digit, -lines[0]


def beats(mine: Key, theirs: Key) -> bool:
    """A copy is the player-dealer's, and so are two hands that count nothing."""
    return mine > theirs and not (mine[:2] == theirs[:2] == (1, 0))


def settle(played: Played) -> Settled:
    calgrand = played.sheet.startswith("calgrand")
    base = "main" if calgrand else "base"
    semi_wild = played.options.get("gee_joon_semi_wild", not calgrand)
    hands = {
        owner: [rank(part, semi_wild=semi_wild) for part in parts] for owner, parts in played.engine["hands"].items()
    }
    theirs = hands["player_dealer"]

    # The player-dealer is one; counter-clockwise over all eight positions, then on to the first with a wager.
    pointed = (played.player_dealer - 1 - (sum(played.dice) - 1)) % POSITIONS + 1
    places = [place for place, wagers in played.wagers.items() if wagers.get(base)]
    bank = Bank(played)
    outcome = {}
    for place in sorted(places, key=lambda place: ((pointed - seat_of(place)) % POSITIONS, spot_of(place))):
        won = sum(beats(mine, other) for mine, other in zip(hands[str(seat_of(place))], theirs, strict=True))
        stake = played.wagers[place][base]
        bank.settle(place, base, (-stake, 0, stake)[won])
        outcome[place] = ("lose", "push", "win")[won]
    if not calgrand:
        bank.said.outcome = {str(seat_of(place)): won for place, won in outcome.items()} | outcome
    return bank.said
