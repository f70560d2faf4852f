"""The table of a worked round, and its result: the engine as the case sets it, and the result in the words of
`expect`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from controller.cases.answers import playable
from controller.cases.notation import Case, amounts, case_options, described, listed, wager_limits
from controller.engine import events as ev
from controller.engine.expect.choices import WantDecision
from controller.engine.expect.wants import AnyWant, WantFloor
from controller.engine.inputs import Act, AnyBody, Input, ShoeStarted
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.rules import Ruleset

TABLE_KEYS = {"seats", "player_dealer", "button"}
BUTTON = "action_button"


class Stuck(Exception):
    """The table waits for something the case does not have."""


class AtTable:
    """One table, as a case sets it, and what was noted while it was dealt."""

    def __init__(self, ruleset: Ruleset, case: Case, options: Struct | None) -> None:
        self.case = case
        table, bank = case.get("table") or {}, case.get("bank")
        least, most = wager_limits(table)
        setup = Setup(
            seats=tuple(table.get("seats", ())),
            player_dealer=table.get("player_dealer"),
            button=table.get("button"),
            settings={key: value for key, value in table.items() if key not in TABLE_KEYS},
            bank=None if bank is None else (bank,) if isinstance(bank, int) else tuple(bank),
            min_wager=least,
            max_wager=most,
        )
        options = case_options(ruleset, case) if options is None else options
        procedures = ruleset.procedures(case.get("options") or {})
        self.engine = TableEngine(
            playable(ruleset.game), options, TableState(setup), ruleset.slug, procedures=procedures
        )
        self.refused: list[dict[str, Any]] = []
        self.legal_after_refusal: list[str] = []
        self.bounds: list[dict[str, Any]] = []
        self.offered: list[dict[str, Any]] = []
        """What the seat of each act might have done just before it."""
        self.owed: dict[Any, int] = {}
        """What a seat that was refused had to call, where the game has it."""
        self.required: dict[str, int] = {}
        """The amount that would have been accepted of a wager which must equal another, as `required_bonus`."""
        self.came_back: dict[Any, int] = {}
        """Forced bets of a seat with nobody to bet against, which a case may have."""
        self.followed: set[tuple[object, str]] = set()
        """What back-line bettors did because their seat did; a case may have it or leave it out."""
        if ruleset.game.uses_shoe:
            self._feed(ShoeStarted())

    def _is_held(self) -> bool:
        """The floor must decide, and the case ends there."""
        current = self.engine.round
        waits = any(isinstance(want, WantFloor) and not is_anywhere(want) for want in self._wants)
        return current is not None and (waits or current.held is not None)

    def document(self) -> dict[str, Any]:
        engine = self.engine
        if engine.round is not None and (engine.round.begun or engine.last is None):
            shown = engine.round.shown.table
            doc = shown.result.document(shown)
        elif engine.last is not None:
            doc = engine.last.document
        else:
            doc = {}
        more = {**doc.get("more", {}), **self.required}
        if engine.state.shoe is not None:
            setup = engine.state.setup
            limits = {"table_min": setup.min_wager or None, "table_max": setup.max_wager}
            more["board"] = limits | engine.game.board(engine.state.shoe.history)
        if self.bounds:
            more["refused_bounds"] = self.bounds
        more["offered"] = self.offered
        more["legal_after_refusal"] = self.legal_after_refusal
        if "legal" in more and self.legal_after_refusal and self.case.get("kind", "round") == "round":
            more["legal"] = self.legal_after_refusal  # of the act that was refused, not of the last hand that was asked
        if self.owed and isinstance(more.get("to_call"), dict):
            more["to_call"] = {**more["to_call"], **self.owed}
        if set(self.came_back) & set(self.case["expect"].get("returned") or ()):
            doc = {**doc, "returned": {**doc.get("returned", {}), **self.came_back}}
        result = {**doc, **_as_fee_case(doc), "more": more, "refused": self.refused, "waiting_for": self._asked}
        if engine.round is not None and engine.round.held is not None:
            result["held"] = engine.round.held.text
        elif engine.last is None and isinstance(self._wants[0], WantFloor) and not is_anywhere(self._wants[0]):
            result["held"] = self._wants[0].text
        if self.case.get("kind") == "legality":
            self._note_turn(result)
        return result

    def _note_turn(self, result: dict[str, Any]) -> None:
        """Whose turn it is where the case stops, what that seat may do and what it must call."""
        asked = [want for want in self._wants if isinstance(want, WantDecision)]
        if len(asked) > 1 and len(offered := {tuple(listed(c.do for c in want.choices)) for want in asked}) == 1:
            # Hands that are set at the same time: each of them may do the same.
            result["legal"] = result["more"].setdefault("legal", list(offered.pop()))
        if len(asked) != 1:
            return
        seat, more = asked[0].seat, result["more"]
        if result.get("action_seat") is None:
            result["action_seat"] = seat
        choices = asked[0].choices
        more.setdefault("legal", listed(choice.do for choice in choices))
        in_full = isinstance(self.case["expect"].get("legal"), Mapping)
        result["legal"] = described(choices) if in_full else more["legal"]
        if (current := self.engine.round) is not None and isinstance(seat, int):
            more.setdefault("to_call", self.engine.game.to_call(current.shown.table, seat))
        asks_by_seat = isinstance((self.case["expect"].get("more") or {}).get("to_call"), dict)
        if isinstance(more.get("to_call"), dict) and not asks_by_seat:
            more["to_call"] = more["to_call"].get(seat)

    def _choices_of(self, seat: object) -> list[str]:
        """What the seat may do now, in the order of the alphabet."""
        wants = self._wants
        asked = [want for want in wants if isinstance(want, WantDecision) and want.seat == seat]
        return sorted({choice.do for want in asked for choice in want.choices})

    @property
    def _asked(self) -> list[Any]:
        return [want.seat for want in self._wants if isinstance(want, WantDecision)]

    @property
    def _wants(self) -> Sequence[AnyWant]:
        """What the table waits for; what somebody may ask for and nobody suggests is nothing to wait for."""
        wants = self.engine.expectation.wants
        return tuple(want for want in wants if not (isinstance(want, WantDecision) and want.quiet))

    def _note_offer(self, index: int, act: Mapping[str, Any]) -> None:
        for want in self._wants:
            if isinstance(want, WantDecision) and "do" in act and want.seat == act.get("seat"):
                can = {choice.do: amounts(choice) for choice in want.choices}
                self.offered.append({"act": index, "seat": want.seat, "can": can})

    def _feed(self, body: AnyBody) -> list[ev.Event]:
        events = self.engine.apply(Input(0, "case", body))
        by = body.seat if isinstance(body, Act) else None
        for event in events:
            if isinstance(event, ev.Decided) and isinstance(event.seat, str) and event.seat != by:
                self.followed.add((event.seat, event.do))
        return events

    def _accepted(self, body: AnyBody) -> None:
        refusal = self._refusal(self._feed(body))
        if refusal is not None:
            raise Stuck(f"refused: {refusal.why}: {refusal.text}")

    @staticmethod
    def _refusal(events: list[ev.Event]) -> ev.Refused | None:
        return next((event for event in events if isinstance(event, ev.Refused)), None)


def _as_fee_case(doc: Mapping[str, Any]) -> dict[str, Any]:
    """What a round has of its fees where fee cases have it, beside `fees`."""
    more = doc.get("more") or {}
    boxes = (doc.get("fees") or {}).get("boxes")
    return {"boxes": boxes, "collect_at": more.get("collect_at"), "action": more.get("total_action")}


def is_anywhere(want: WantFloor) -> bool:
    """The dealer names the seat of the action button; a case that does not rests on no order of settlement."""
    return BUTTON in want.choices and bool(want.seats)
