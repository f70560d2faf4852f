"""What games against a player-dealer share: wagers that go back before the deal, the outcome in words, the dice cup."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.engine import events as ev
from controller.engine.fees.schedule import Moment
from controller.engine.inputs import Place
from controller.engine.round.felt import Table

CUP_OPENED: Final = "dice_cup_opened"
"""The event that closes the wagers, whatever the dice show."""
DICE_CUP_MOMENTS: Final[tuple[Moment, ...]] = (
    "before_deal",
    "before_dice_open",
    "dice_read",
    "after_initial_deal",
    "before_player_dealer_exposed",
)
"""When a game with a dice cup can take its fees."""


def give_back(t: Table, place: Place) -> None:
    """Wagers that have no part in the round return before a card is dealt."""
    for wager in list(t.book[place]):
        return_wager(t, place, wager)
    del t.book[place]


def return_wager(t: Table, place: Place, wager: str) -> None:
    t.result.returned[place] = t.result.returned.get(place, 0) + t.book[place].pop(wager)
    t.emit(ev.WagerSet(place, wager, 0))


def outcomes_in_words(outcomes: Mapping[Place, str]) -> str:
    """Who won, for the screens.

    >>> outcomes_in_words({1: "win", 2: "fold", "2.2": "fold"})
    'Seat 1 wins, seat 2 folds, seat 2.2 folds'
    """
    said = ", ".join(f"seat {place} {_VERBS[outcome]}" for place, outcome in outcomes.items())
    return said[:1].upper() + said[1:]


_VERBS = {
    "win": "wins",
    "lose": "loses",
    "push": "pushes",
    "fold": "folds",
    "dead": "is dead",
    "no_action": "has no action",
}
