"""Runs one case of any kind, a worked round above all, and compares its result with what it expects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from controller.cases.answers import answer, asking_every_hand
from controller.cases.answers.question import Question
from controller.cases.at_table import Stuck
from controller.cases.compare import differences
from controller.cases.form import slip
from controller.cases.form_parts import stopped_by
from controller.cases.jackpots import jackpot_document
from controller.cases.notation import Case, by_number, case_options, with_first_spots, with_tiles, with_tips
from controller.cases.played import CaseRun, Surplus
from controller.cases.posted import posted_document
from controller.cases.procedures import procedures_document
from controller.cases.rotation import rotation_document
from controller.cases.spelling import in_the_format
from controller.cases.surplus_cards import Attempt, play_with_surplus
from controller.rules import Ruleset


def run_case(ruleset: Ruleset, case: Case) -> list[str]:
    """One line per mismatch: field, expected, got. Empty where the case passes."""
    if isinstance(case, dict):
        case = in_the_format(case)
    if (wrong := slip(case)) is not None:
        return [wrong]
    try:
        if _plays_tiles(ruleset, case):
            case = with_tiles(case)
        case = by_number(with_tips(with_first_spots(case)))
        got = document(ruleset, case)
    except Exception as error:  # a case must never stop the run, whatever is in it
        return [stopped_by(error)]
    lines = _differences(ruleset, case, got)
    if lines and "held" in got:
        lines.append(f"run: the table was held: {got['held']}")
    return lines


def _differences(ruleset: Ruleset, case: Case, got: dict[str, Any]) -> list[str]:
    if got.get("phase") != case["expect"].get("phase"):
        got = _in_the_sheets_words(ruleset, got)
    return differences(case["expect"], got)


def _in_the_sheets_words(ruleset: Ruleset, document: dict[str, Any]) -> dict[str, Any]:
    phase = document.get("phase")
    return {**document, "phase": ruleset.data.phases.get(phase, phase)} if phase else document


def _plays_tiles(ruleset: Ruleset, case: Case) -> bool:
    """The table has them (`pieces`), or the game is dealt with them: one rule in isolation may name no table."""
    if (case.get("table") or {}).get("pieces") == "tiles":
        return True
    return "6-6" in (ruleset.game.deck(case_options(ruleset, case)) or ())


def document(ruleset: Ruleset, case: Case) -> dict[str, Any]:
    """The result document of a case of any kind."""
    kind = case.get("kind", "round")
    if kind == "rotation":
        return rotation_document(ruleset, case)
    if kind == "posted":
        return posted_document(ruleset, case)
    if kind == "procedures":
        return procedures_document(ruleset, case)
    if kind == "jackpot":
        return jackpot_document(ruleset, case)
    cards = case.get("cards")
    if kind == "board" and cards and isinstance(cards, list) and all(isinstance(c, list) for c in cards):
        return _board(ruleset, case)
    if kind == "round" or (kind == "legality" and _is_played(case)):
        return _play(ruleset, case, stop_after_acts=kind == "legality").document()
    try:
        answered = _answer(ruleset, case, kind)
    except LookupError:
        if not _is_judged_in_rounds(case):
            raise
        answered = {}
    if "rulings" not in answered and _is_judged_in_rounds(case):
        return {**answered, "rulings": _rulings(ruleset, case)}
    return answered


def _answer(ruleset: Ruleset, case: Case, kind: str) -> dict[str, Any]:
    """The family's own. One that judges events alone is asked about them without what people do in between."""
    options, acts = case_options(ruleset, case), case.get("acts") or ()
    events = [nth for nth, act in enumerate(acts) if "do" not in act and "floor" not in act]
    try:
        return answer(Question(kind, case, ruleset.game, options))
    except LookupError:
        if "rulings" not in case["expect"] or "table" in case or len(events) in (0, len(acts)):
            raise
    answered = answer(Question(kind, {**case, "acts": [acts[nth] for nth in events]}, ruleset.game, options))
    ruled = dict(zip(events, answered.get("rulings") or (), strict=False))
    if isinstance(case["expect"]["rulings"], list) and len(case["expect"]["rulings"]) != len(acts):
        return {**answered, "rulings": list(ruled.values())}
    return {**answered, "rulings": [ruled.get(nth) for nth in range(len(acts))]}


def _play(ruleset: Ruleset, case: Case, *, stop_after_acts: bool) -> CaseRun:
    """A round by its cards and acts. Once more with everybody asked, where acts are left for which nobody was asked, or
    a case wants to know what the rules leave a seat that was refused when it was not asked; with what was found at the
    showdown before the last act, where that act settled the round."""

    def attempt(surplus: Sequence[Surplus], unread: int | None) -> Attempt:
        return Attempt.of(CaseRun(ruleset, case, surplus=surplus, unread=unread), stop_after_acts=stop_after_acts)

    def comes_out(play: CaseRun) -> bool:
        return not _differences(ruleset, case, play.document())

    found = play_with_surplus(case, attempt, comes_out)
    play, stuck, earlier = found.play, found.stuck, None
    if stuck is None:
        unasked = frozenset(play.refused_unasked if "legal" in (case["expect"].get("more") or {}) else ())
    else:
        earlier = play.acts_with_late_events_first()
        unasked = frozenset(index for index, act in play.acts if "do" in act and earlier is None)
    options = None
    if unasked or earlier is not None:
        options = asking_every_hand(case_options(ruleset, case))
    if options is not None or earlier is not None:
        play, stuck = CaseRun(ruleset, case, options, unasked, earlier, surplus=found.surplus), None
        play.run(stop_after_acts=stop_after_acts)
        if play.voids_before_last_act() and "hands" not in case["expect"]:
            play = _with_hands_unopened(ruleset, case) or play
    if stuck is not None:
        raise stuck
    return play


def _with_hands_unopened(ruleset: Ruleset, case: Case) -> CaseRun | None:
    """A round that is voided after its last act, at a table that reads no card: it waits there for the hands to be
    opened, and the money of that act goes back too. None where the game needs a card before."""
    play = CaseRun(ruleset, case, face_down=True)
    try:
        play.run()
    except (Stuck, LookupError):
        return None
    return play if play.document()["void"] else None


def _is_judged_in_rounds(case: Case) -> bool:
    """Events at a table that the case sets, each to be judged by itself."""
    acts = case.get("acts") or ()
    return "rulings" in case["expect"] and "table" in case and any("event" in act for act in acts)


def _rulings(ruleset: Ruleset, case: Case) -> list[str | None] | dict[int, str | None]:
    """What the table rules on each event, by its index; a list where the case has one."""
    ruled = {index: _ruling_on(ruleset, case, index) for index, act in enumerate(case["acts"]) if "event" in act}
    return list(ruled.values()) if isinstance(case["expect"]["rulings"], list) else ruled


def _ruling_on(ruleset: Ruleset, case: Case, index: int) -> str | None:
    """On one event in a round of its own, in which people did what the case has before it."""
    done = [act for act in case["acts"][:index] if "event" not in act]
    rulings = _play(ruleset, {**case, "acts": [*done, case["acts"][index]]}, stop_after_acts=True).document()["ruling"]
    return rulings[-1] if rulings else None


def _is_played(case: Case) -> bool:
    """A round up to its last act, or up to the first question where it has none; or only its wagers.

    Else each act is judged by itself: events by their rulings, or choices, each with the hand it is for.
    """
    acts = case.get("acts") or ()
    if "rulings" in case["expect"] or not (acts or case.get("cards") or case.get("wagers")):
        return False
    if "ruling" in case["expect"] and "table" not in case and all("event" in act for act in acts):
        return False
    return not acts or any("hand" not in act or ("seat" in act and "table" in case) for act in acts)


def _board(ruleset: Ruleset, case: Case) -> dict[str, Any]:
    """What the reader board shows after some rounds of one shoe; `after_cards` counts the cards of all of them."""
    play = CaseRun(ruleset, {**case, "cards": case["cards"][0]})
    rulings: list[str] = []
    document: dict[str, Any] = {}
    for number, cards in enumerate(case["cards"], start=1):
        play.deck.refill(cards)
        play.run(is_last=number == len(case["cards"]))
        document = play.document()
        rulings += document["ruling"]
    return {**document, "ruling": rulings}
