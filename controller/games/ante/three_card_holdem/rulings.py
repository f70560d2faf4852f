"""Irregularities of 3 Card Hold'em (turlock-three-card-holdem, 1051-1084)."""

from __future__ import annotations

from collections.abc import Mapping

from controller.engine.inputs import Happening
from controller.engine.round.felt import Table, Unruled, Voided
from controller.engine.round.game import Ruling

MISDEAL, CARD_STAYS = "misdeal", "card_stays_in_play"
VOIDS = {
    "boxed_card": "void_reshuffle",
    "wrong_card_count": "void_reshuffle",
    "shuffler_failure": "void_machine_check",
    "shuffler_jam": "void_machine_check",
    "seat_skipped": MISDEAL,
}
"""Happenings that void the round at any seat, with the sheet's code."""


def _voids(code: str) -> Ruling:
    def rule(t: Table, body: Happening) -> None:
        """The round is void, every wager goes back and the cards are shuffled again."""
        raise Voided(code, body.code.replace("_", " "))

    return rule


def card_exposed(t: Table, body: Happening) -> None:
    """A card of the player-dealer (1076); the text has no rule for a player's card."""
    if body.seat != t.player_dealer:
        raise Unruled("a player's card was exposed; the text has no rule for it")
    raise Voided(MISDEAL, "a card of the player-dealer was exposed")


def communal_exposed(t: Table, body: Happening) -> None:
    """The second or third communal card before its time (1078-1079)."""
    nth = body.facts.get("communal")
    shown = sum(slot.face_if_exposed is not None for slot in t.hand("board").slots)
    if isinstance(nth, int) and nth <= shown:
        raise Unruled("that communal card is turned up already")
    raise Voided(MISDEAL, "a communal card was exposed")


def card_dropped(t: Table, body: Happening) -> None:
    """It stays in play."""
    t.rule(CARD_STAYS, body.seat)


RULINGS: Mapping[str, Ruling] = {
    **{code: _voids(word) for code, word in VOIDS.items()},
    "card_dropped": card_dropped,
    "card_exposed": card_exposed,
    "communal_exposed": communal_exposed,
}
