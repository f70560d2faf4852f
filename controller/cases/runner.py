"""Runs one case of any kind, a worked round above all, and says where it came out otherwise."""

from __future__ import annotations

from collections import deque
from typing import Any

from controller.cases.compare import mismatches
from controller.cases.notation import Case, by_number, case_options, with_tiles
from controller.cases.played import CaseRun, Stuck
from controller.rules import RulesError, Ruleset


def run_case(ruleset: Ruleset, case: Case) -> list[str]:
    """One line per mismatch: field, expected, got. Empty where the case passes."""
    try:
        if _plays_tiles(ruleset, case):
            case = with_tiles(case)
        case = by_number(case)
        got = document(ruleset, case)
    except (Stuck, RulesError, LookupError) as error:
        return [f"run: expected to run to its end, got {error}"]
    if got.get("phase") != case["expect"].get("phase"):
        got = _in_the_sheets_words(ruleset, got)
    lines = []
    for field, want, have in mismatches(dict(case["expect"]), got):
        lines.append(f"{field}: expected {want}, got {have}")
    if "refused" not in case["expect"] and got.get("refused"):
        lines.append(f"refused: expected none, got {got['refused']}")
    if lines and "held" in got:
        lines.append(f"run: the table was held: {got['held']}")
    return lines


def _in_the_sheets_words(ruleset: Ruleset, told: dict[str, Any]) -> dict[str, Any]:
    phase = told.get("phase")
    return {**told, "phase": ruleset.data.phases.get(phase, phase)} if phase else told


def _plays_tiles(ruleset: Ruleset, case: Case) -> bool:
    """The table says so (`pieces`), or the game is dealt with them: one rule in isolation may name no table."""
    if (case.get("table") or {}).get("pieces") == "tiles":
        return True
    return "6-6" in (ruleset.game.deck(case_options(ruleset, case)) or ())


def document(ruleset: Ruleset, case: Case) -> dict[str, Any]:
    """The result document of a case of any kind."""
    kind = case.get("kind", "round")
    options = case_options(ruleset, case)
    cards = case.get("cards")
    if kind == "board" and cards and isinstance(cards, list) and all(isinstance(c, list) for c in cards):
        return _board(ruleset, case)
    if kind == "round" or (kind == "legality" and _is_played(case)):
        return _play(ruleset, case, stop_after_acts=kind == "legality").document()
    try:
        answer = ruleset.game.answer(kind, case, options)
    except LookupError:
        if not _is_judged_in_rounds(case):
            raise
        answer = {}
    if "rulings" not in answer and _is_judged_in_rounds(case):
        return {**answer, "rulings": _rulings(ruleset, case)}
    return answer


def _play(ruleset: Ruleset, case: Case, *, stop_after_acts: bool) -> CaseRun:
    """A round by its cards and acts. Once more with everybody asked, where acts are left for which nobody was asked, or
    a case wants to know what the rules leave a seat that was refused when it was not asked; with what was found at the
    showdown told before the last act, where that act settled the round."""
    play = CaseRun(ruleset, case)
    stuck, earlier = None, None
    try:
        play.run(stop_after_acts=stop_after_acts)
        unasked = frozenset(play.refused_unasked if "legal" in (case["expect"].get("more") or {}) else ())
    except Stuck as error:
        stuck, earlier = error, play.told_earlier()
        unasked = frozenset(index for index, act in play.acts if "do" in act and earlier is None)
    options = None
    if unasked or earlier is not None:
        options = ruleset.game.asking_every_hand(case_options(ruleset, case))
    if options is not None or earlier is not None:
        play, stuck = CaseRun(ruleset, case, options, unasked, earlier), None
        play.run(stop_after_acts=stop_after_acts)
    if stuck is not None:
        raise stuck
    return play


def _is_judged_in_rounds(case: Case) -> bool:
    """Happenings at a table that the case sets, each to be judged by itself."""
    acts = case.get("acts") or ()
    return "rulings" in case["expect"] and "table" in case and any("event" in act for act in acts)


def _rulings(ruleset: Ruleset, case: Case) -> list[str | None] | dict[int, str | None]:
    """What the table rules on each happening, by its index; a list where the case has one."""
    ruled = {index: _ruling_on(ruleset, case, index) for index, act in enumerate(case["acts"]) if "event" in act}
    return list(ruled.values()) if isinstance(case["expect"]["rulings"], list) else ruled


def _ruling_on(ruleset: Ruleset, case: Case, index: int) -> str | None:
    """On one happening in a round of its own, in which people did what the case tells before it."""
    done = [act for act in case["acts"][:index] if "event" not in act]
    told = _play(ruleset, {**case, "acts": [*done, case["acts"][index]]}, stop_after_acts=True).document()["ruling"]
    return told[-1] if told else None


def _is_played(case: Case) -> bool:
    """A round up to its last act, or up to the first question where it has none; or only its wagers.

    Else each act is judged by itself: happenings by their rulings, or choices, each with the hand it is for.
    """
    acts = case.get("acts") or ()
    if "rulings" in case["expect"] or not (acts or case.get("cards") or case.get("wagers")):
        return False
    return not acts or any("hand" not in act or ("seat" in act and "table" in case) for act in acts)


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
    return {**told, "ruling": rulings}
