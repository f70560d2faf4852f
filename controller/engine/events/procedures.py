"""Procedures beside the rounds: burns, absence, hands of one player, buy-ins, the cut, a shuffler that failed."""

from __future__ import annotations

from typing import Literal

from controller.engine.events.event import Event
from controller.engine.inputs import Place


class BurnDue(Event, tag="burn_due"):
    """This number of cards is burned from the shoe before the next hand; each is a `card_burned`."""

    why: Literal["dead_spread", "dealer_relief"]
    cards: int


class DeadSpread(Event, tag="dead_spread"):
    """The game has broken down with only the player-dealer left. `shuffling`: the cards are shuffled and loaded.
    `spread`: the burned cards are on the table until the game goes on. `over`: it goes on."""

    state: Literal["shuffling", "spread", "over"]


class DealerRelieved(Event, tag="dealer_relieved"):
    """Another dealer has taken over."""

    by: str


class ShufflerFailed(Event, tag="shuffler_failed"):
    """The shuffling machine does not work, and what follows by the rules of this table."""

    follows: Literal["dealer_shuffles", "reshuffle"]
    by: str


class DeckCut(Event, tag="deck_cut"):
    """The deck was cut as the text has it."""

    by: str
    count: int | None = None
    """Cards above the cut, where they were counted."""


class PlayerAway(Event, tag="player_away"):
    """A player has left the table for a while; he keeps his seat for this number of minutes."""

    seat: int
    minutes: int


class PlayerBack(Event, tag="player_back"):
    seat: int
    minutes: int
    """How long he was away."""


class AwayTimeOver(Event, tag="away_time_over"):
    """A player has been away for longer than the text allows: the floor may take his seat."""

    seat: int
    minutes: int
    """The time that he had."""


class SeatForfeited(Event, tag="seat_forfeited"):
    """The floor has taken the seat of a player who was away too long."""

    seat: int
    minutes: int
    """How long he was away."""
    by: str
    reason: str = ""


class HandsAllowed(Event, tag="hands_allowed"):
    """The floor has decided how many hands the player of a seat may play."""

    seat: int
    hands: int | None
    """Null: any number, approved by the manager and the player-dealer."""
    by: str
    reason: str = ""
    given_up: tuple[Place, ...] = ()
    """Betting places that he had to give up; their wagers went back."""


class BoughtIn(Event, tag="bought_in"):
    """A player has put chips in front of him."""

    seat: int
    cents: int
    how: Literal["full", "short"]
    stack: int
    """What he has in front of him now."""
