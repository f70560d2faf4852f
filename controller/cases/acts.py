"""The acts of a case: which words mean what to a table, and what the table waits for when they come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from controller.engine.expect.choices import WantDecision
from controller.engine.expect.wants import AnyWant, WantCard, WantDice, WantFloor, WantReveal, WantWagers
from controller.engine.procedures.rules import FLOOR_ACTS
from controller.engine.round.felt import BURN

CaseAct = Mapping[str, Any]
NumberedAct = tuple[int, CaseAct]
"""An act with its index in the case."""
CHANGES_BETS = {"wager", "withdraw"}
CLOSES_BETS = {"no_more_bets", "first_card", "bets_closed", "bet_close_timer", "timer_expired"}
"""A card that leaves the machine, or the board's timer, closes the betting as the dealer's word does."""
BETS_CLOSED, NOBODY_IN = "bets_closed", "nobody_dealt_in"
CHOSEN = {"kill_vetoed": "veto"}
"""Events that are somebody's choice: they happen when it is offered."""
VOIDS = "void"
FLOOR_AT_ANY_TIME = {VOIDS, "hold", "waive", "resume", "use_next", "correct", "continue", *FLOOR_ACTS}
"""Everything else the floor does when the table asks for it."""
DECLINES = "no_surrender"
"""Sheets with an early surrender have no word for letting it pass: who does not surrender declines."""
UNINSURED = "no_insurance"
"""So does a bettor behind a seat of whom a case does not say that he insures his wager."""
PLAYS_ON = "play_on"
"""So does who may declare himself all-in because his card was seen, and goes on betting."""
ASKS_WHERE = {"phase", "waiting_for", "action_seat", "legal", "to_call"}
"""What a case expects that only a table which waits for somebody can answer."""
PASSED_OVER = "skipped_player"
"""Reported when the next player has his card already: the table still waits for the one who was passed over."""
LAYS_DOWN = {"show", "muck"}
SHOWDOWN = LAYS_DOWN | {"declare_board"}
"""What a hand may do when the hands are compared."""
PERSONS_PART = WantDecision | WantWagers | WantDice | WantReveal | WantFloor
OTHER_WORDS = {
    "shuffler_malfunction": "shuffler_failure",
    "dealer_relieved": "dealer_relief",
    "cut": "deck_cut",
    "away": "player_away",
    "back": "player_back",
}
"""What may be reported beside the rounds, in other words than the table's."""
BEFORE_DEAL = {"deck_cut", "short_stack"}
"""Events before the first card, whether the table waits for a person or not."""
BURN_ASKED = {"player_dealer_burn", "burn_requested", "burn_request"}
"""The player-dealer asks that a card be burned, written as an event."""


def of_player_dealer(act: CaseAct, player_dealer: object) -> CaseAct:
    """What the player-dealer does, however a case writes him and his burn."""
    if event_of(act) in BURN_ASKED:
        act = {"seat": "player_dealer", "do": BURN, **{key: act[key] for key in act if key not in ("event", "seat")}}
    return {**act, "seat": player_dealer} if act.get("do") == BURN and act.get("seat") == "player_dealer" else act


def waits_for(wants: Sequence[AnyWant], kind: Any) -> bool:
    """Whether the table waits for something of this kind."""
    return any(isinstance(want, kind) for want in wants)


def may_come_late(entry: NumberedAct) -> bool:
    """What may turn up once the hands are counted and compared: an event, or that the floor voids the round."""
    return "event" in entry[1] or entry[1].get("floor") == VOIDS


def event_of(act: CaseAct) -> str:
    """The code of an event, however it is written: kill_vetoed, kill.vetoed."""
    code = str(act.get("event", "")).replace(".", "_")
    return OTHER_WORDS.get(code, code)


def is_beside_the_deal(wants: Sequence[AnyWant]) -> bool:
    """Somebody may decide something, but the dealer need not wait for it: a kill before the third card."""
    kinds = set(map(type, wants))
    return {WantCard, WantDecision} <= kinds and WantWagers not in kinds
