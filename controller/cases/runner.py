"""Runs one worked round: answers whatever the engine expects from the case's cards and acts.

The runner knows no game. A card comes from `cards`, a person's act from `acts`; an event happens when the acts before
it are done and `after_cards` cards have left the deck, or, where it does not say, when the table next waits for a
person.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

from controller.cases.compare import mismatches
from controller.engine import events as ev
from controller.engine.expect import WantCard, WantDecision, WantDice, WantFloor, WantReveal, WantWagers, prompt
from controller.engine.felt import Setup
from controller.engine.inputs import (
    Act,
    AnyBody,
    BetsClosed,
    CardOut,
    DiceRolled,
    FloorAct,
    Happening,
    Input,
    ShoeStarted,
    WagerPlaced,
)
from controller.engine.state import TableState
from controller.engine.table import TableEngine
from controller.rules import RulesError, Ruleset

Case = Mapping[str, Any]
TABLE_KEYS = {"seats", "player_dealer", "button"}
PERSONS_PART = WantDecision | WantWagers | WantDice | WantReveal | WantFloor


class Stuck(Exception):
    """The table waits for something the case does not have."""


def run_case(ruleset: Ruleset, case: Case) -> list[str]:
    """One line per mismatch: field, expected, got. Empty where the case passes."""
    try:
        got = document(ruleset, case)
    except (Stuck, RulesError, LookupError) as error:
        return [f"run: expected to run to its end, got {error}"]
    lines = []
    for field, want, have in mismatches(dict(case["expect"]), got):
        lines.append(f"{field}: expected {want}, got {have}")
    if "refused" not in case["expect"] and got.get("refused"):
        lines.append(f"refused: expected none, got {got['refused']}")
    return lines


def document(ruleset: Ruleset, case: Case) -> dict[str, Any]:
    """The result document of a case of any kind."""
    kind = case.get("kind", "round")
    options = ruleset.options(case.get("options"))
    if kind == "board" and isinstance(case.get("cards"), list) and all(isinstance(c, list) for c in case["cards"]):
        return _board(ruleset, case)
    if kind == "round" or (kind == "legality" and "acts" in case):
        play = CaseRun(ruleset, case)
        play.run(stop_after_acts=kind == "legality")
        return play.document()
    return ruleset.game.answer(kind, case, options)


def _board(ruleset: Ruleset, case: Case) -> dict[str, Any]:
    """What the reader board shows after some rounds of one shoe."""
    play = CaseRun(ruleset, {**case, "cards": case["cards"][0]})
    for cards in case["cards"]:
        play.cards = deque(cards)
        play.run()
    shoe = play.engine.state.shoe
    history = () if shoe is None else shoe.history
    return {"more": {"board": ruleset.game.board(history)}}


class CaseRun:
    """One table, fed from a case."""

    def __init__(self, ruleset: Ruleset, case: Case) -> None:
        self.case = case
        table = case.get("table") or {}
        bank = case.get("bank")
        setup = Setup(
            seats=tuple(table.get("seats", ())),
            player_dealer=table.get("player_dealer"),
            button=table.get("button"),
            settings={key: value for key, value in table.items() if key not in TABLE_KEYS},
            bank=None if bank is None else tuple(bank),
        )
        options = ruleset.options(case.get("options"))
        self.engine = TableEngine(ruleset.game, options, TableState(setup), ruleset.slug)
        self.cards: deque[Any] = deque(case.get("cards") or ())
        self.acts: deque[tuple[int, Mapping[str, Any]]] = deque(enumerate(case.get("acts") or ()))
        self.wagers = [
            WagerPlaced(place if isinstance(place, int) else str(place), wager, cents)
            for place, placed in (case.get("wagers") or {}).items()
            for wager, cents in placed.items()
        ]
        self.cards_out = 0
        self.refused: list[dict[str, Any]] = []
        self.bounds: list[dict[str, Any]] = []
        self._dice_left = 1 if "dice" in case else 0
        if ruleset.game.uses_shoe:
            self._feed(ShoeStarted())

    def run(self, *, stop_after_acts: bool = False) -> None:
        """Play one round to its end, or until the acts are used up."""
        before = self.engine.last
        while self.engine.last is before:
            if not self.acts and not self.wagers and (stop_after_acts or self._is_held()):
                return
            self._step()
        if self.acts:
            raise Stuck(f"acts left over when the round was over: {[dict(act) for _, act in self.acts]}")

    def _is_held(self) -> bool:
        """The floor must decide, and the case ends there."""
        current = self.engine.round
        return current is not None and current.held is not None

    def document(self) -> dict[str, Any]:
        engine = self.engine
        if engine.round is not None and (engine.round.begun or engine.last is None):
            doc = engine.round.table.result.document(engine.round.table)
        elif engine.last is not None:
            doc = engine.last.document
        else:
            doc = {}
        more = {**doc.get("more", {})}
        if self.bounds:
            more["refused_bounds"] = self.bounds
        return {**doc, "more": more, "refused": self.refused}

    def _step(self) -> None:
        wants = self.engine.expectation.wants
        waits_for_person = any(isinstance(want, PERSONS_PART) for want in wants)
        if self.acts and self._is_due(self.acts[0][1], waits_for_person):
            self._do(*self.acts.popleft())
            return None
        for want in wants:
            match want:
                case WantWagers():
                    return self._bet()
                case WantDice() if self._dice_left:
                    self._dice_left -= 1
                    return self._accepted(DiceRolled(tuple(self.case["dice"])))
                case WantCard() if self.cards:
                    return self._card()
        raise Stuck(f"the table waits: {prompt(self.engine.expectation)}; the case has nothing for it")

    def _is_due(self, act: Mapping[str, Any], waits_for_person: bool) -> bool:
        if "after_cards" in act:
            return self.cards_out >= int(act["after_cards"])
        if act.get("do") == "wager":
            return not self.wagers
        if not waits_for_person:
            return False
        wants = self.engine.expectation.wants
        if "do" in act and self._dice_left and any(isinstance(want, WantDice) for want in wants):
            return False
        betting = any(isinstance(want, WantWagers) for want in wants)
        if betting:
            ready_to_deal = any(isinstance(want, WantCard) for want in wants)
            return not self.wagers and not ready_to_deal and ("event" in act or "floor" in act)
        return True

    def _bet(self) -> None:
        """Wagers before the deal in any order that the table takes, then "no more bets"."""
        if not self.wagers:
            return self._accepted(BetsClosed())
        for wager in self.wagers:
            if not self._refusal(self._feed(wager)):
                self.wagers.remove(wager)
                return None
        raise Stuck(f"refused before the deal: {self.wagers}")

    def _card(self) -> None:
        entry = self.cards.popleft()
        code, event = (entry["card"], entry["event"]) if isinstance(entry, Mapping) else (entry, None)
        self.cards_out += 1
        self._feed(CardOut(str(code)))
        if event is not None:
            self._feed(Happening(event, card=str(code)))

    def _do(self, index: int, act: Mapping[str, Any]) -> None:
        events = self._feed(self._body(act))
        refusal = self._refusal(events)
        if refusal is not None:
            self.refused.append({"act": index, "why": refusal.why})
            if refusal.bounds:
                self.bounds.append({"act": index, **refusal.bounds})

    def _body(self, act: Mapping[str, Any]) -> AnyBody:
        rest = {key: value for key, value in act.items() if key != "after_cards"}
        if "event" in rest:
            return self._happening(rest)
        if "floor" in rest:
            return FloorAct(str(rest["floor"]), str(rest.get("reason", "")))
        if rest["do"] == "wager":
            return WagerPlaced(rest["seat"], rest["wager"], rest["cents"])
        for want in self.engine.expectation.wants:
            for rule in want.rules if isinstance(want, WantWagers) else ():
                if rule.id == rest["do"]:
                    # Poker's optional posts are told as acts where they are refused: `do: live_straddle, cents`.
                    return WagerPlaced(rest["seat"], rule.id, rest.get("cents", rest.get("to", rule.min)))
        known = {name: rest.pop(name, None) for name in ("seat", "do", "cents", "to", "pile", "by")}
        cards, front = rest.pop("cards", None), rest.pop("front", None)
        return Act(
            **known,
            cards=None if cards is None else tuple(map(str, cards)),
            front=None if front is None else tuple(map(str, front)),
            facts=rest,
        )

    def _happening(self, rest: dict[str, Any]) -> AnyBody:
        code = rest.pop("event")
        if code == "no_more_bets":
            return BetsClosed()
        cards = tuple(str(card) for card in rest.pop("cards", ()))
        for card in cards:
            if self.cards and str(self.cards[0]) == card:
                self.cards.popleft()
                self.cards_out += 1
        card = rest.pop("card", None)
        return Happening(code, rest.pop("seat", None), None if card is None else str(card), cards, rest)

    def _feed(self, body: AnyBody) -> list[ev.Event]:
        return self.engine.apply(Input(0, "case", body))

    def _accepted(self, body: AnyBody) -> None:
        refusal = self._refusal(self._feed(body))
        if refusal is not None:
            raise Stuck(f"refused: {refusal.why}: {refusal.text}")

    @staticmethod
    def _refusal(events: list[ev.Event]) -> ev.Refused | None:
        return next((event for event in events if isinstance(event, ev.Refused)), None)


def iterate(ruleset: Ruleset, cases: list[Case]) -> Iterator[tuple[str, list[str]]]:
    for case in cases:
        yield str(case["id"]), run_case(ruleset, case)
