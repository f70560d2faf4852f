"""Runs one case of any kind, a worked round above all, and says where it came out otherwise."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from controller.cases.compare import mismatches
from controller.cases.notation import Case, case_options, with_tiles
from controller.cases.played import CaseRun, Stuck
from controller.rules import RulesError, Ruleset


def run_case(ruleset: Ruleset, case: Case) -> list[str]:
    """One line per mismatch: field, expected, got. Empty where the case passes."""
    try:
        if _plays_tiles(ruleset, case):
            case = with_tiles(case)
        got = document(ruleset, case)
    except (Stuck, RulesError, LookupError) as error:
        return [f"run: expected to run to its end, got {error}"]
    lines = []
    for field, want, have in mismatches(dict(case["expect"]), got):
        lines.append(f"{field}: expected {want}, got {have}")
    if "refused" not in case["expect"] and got.get("refused"):
        lines.append(f"refused: expected none, got {got['refused']}")
    if lines and "held" in got:
        lines.append(f"run: the table was held: {got['held']}")
    return lines


def _plays_tiles(ruleset: Ruleset, case: Case) -> bool:
    """The table says so (`pieces`), or the game is dealt with them: one rule in isolation may name no table."""
    if (case.get("table") or {}).get("pieces") == "tiles":
        return True
    return "6-6" in (ruleset.game.deck(case_options(ruleset, case)) or ())


def document(ruleset: Ruleset, case: Case) -> dict[str, Any]:
    """The result document of a case of any kind."""
    kind = case.get("kind", "round")
    options = case_options(ruleset, case)
    if kind == "board" and isinstance(case.get("cards"), list) and all(isinstance(c, list) for c in case["cards"]):
        return _board(ruleset, case)
    if kind == "round" or (kind == "legality" and _is_played(case)):
        return _play(ruleset, case, stop_after_acts=kind == "legality").document()
    return ruleset.game.answer(kind, case, options)


def _play(ruleset: Ruleset, case: Case, *, stop_after_acts: bool) -> CaseRun:
    """A round by its cards and acts. Where acts are left for which nobody was asked, once more with everybody asked."""
    play = CaseRun(ruleset, case)
    try:
        play.run(stop_after_acts=stop_after_acts)
    except Stuck:
        earlier = play.told_earlier()
        if earlier is not None:
            return _with_acts(ruleset, case, earlier, stop_after_acts=stop_after_acts)
        options = ruleset.game.asking_every_hand(case_options(ruleset, case))
        unasked = frozenset(index for index, act in play.acts if "do" in act)
        if options is None or not unasked:
            raise
        play = CaseRun(ruleset, case, options, unasked)
        play.run(stop_after_acts=stop_after_acts)
    return play


def _with_acts(
    ruleset: Ruleset, case: Case, acts: Sequence[tuple[int, Mapping[str, Any]]], *, stop_after_acts: bool
) -> CaseRun:
    """A round whose happenings were told late. Where one of them voids it, the act that had ended it counts nothing."""
    play = CaseRun(ruleset, case, acts=acts)
    try:
        play.run(stop_after_acts=stop_after_acts)
    except Stuck:
        if len(play.acts) != 1 or not play.document().get("void"):
            raise
    return play


def _is_played(case: Case) -> bool:
    """A round up to its last act, or up to the first question where it has none; or only its wagers.

    Else each act is judged by itself: happenings by their rulings, or choices, each with the hand it is for.
    """
    acts = case.get("acts") or ()
    if "rulings" in case["expect"] or not (acts or case.get("cards") or case.get("wagers")):
        return False
    return not acts or any("hand" not in act or "seat" in act for act in acts)


def _board(ruleset: Ruleset, case: Case) -> dict[str, Any]:
    """What the reader board shows after some rounds of one shoe."""
    play = CaseRun(ruleset, {**case, "cards": case["cards"][0]})
    rulings: list[str] = []
    told: dict[str, Any] = {}
    for cards in case["cards"]:
        play.cards = deque(cards)
        play.run()
        told = play.document()
        rulings += told["ruling"]
    shoe = play.engine.state.shoe
    history = () if shoe is None else shoe.history
    more = {**told.get("more", {}), "board": ruleset.game.board(history)}
    return {**told, "ruling": rulings, "more": more}
