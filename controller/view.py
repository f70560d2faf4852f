"""What the screens and the broker are told about the table as it stands: exposed cards only.

`view` is the document of the player display; `state` the retained MQTT document for the cardroom's monitoring. Both are
made from the engine alone, after every input.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct

from controller.config import Config
from controller.engine.cards import Face
from controller.engine.expect import AnyWant, WantFloor, WantWagers, prompt, title
from controller.engine.felt import Table
from controller.engine.game import HistoryEntry
from controller.engine.state import Shoe
from controller.engine.table import TableEngine
from controller.games.roads import Result
from controller.web.view_types import (
    DeviceView,
    GameView,
    HandView,
    HeldView,
    LimitsView,
    Phase,
    ShoeView,
    View,
    shoe_view,
)

_WINNER: dict[str, Literal["B", "P", "T"]] = {"banker": "B", "player": "P", "tie": "T"}


class StateDocument(Struct, frozen=True):
    """The retained state of a table: game, phase, expectation, shoe, devices."""

    site: str
    table: str
    ruleset: str
    digest: str
    test: bool
    seq: int
    round: int
    phase: Phase
    prompt: str
    wants: tuple[AnyWant, ...]
    held: HeldView | None
    hands: dict[str, tuple[Face | None, ...]]
    last: dict[str, Any]
    """The public result of the last settled round."""
    shoe: dict[str, Any] | None
    previous_shoe: dict[str, Any] | None
    devices: dict[str, dict[str, Any]]
    alarms: dict[str, str]


class Board:
    """Keeps the two boards of a shoe, so that they are drawn once per hand and not once per input."""

    def __init__(self) -> None:
        self._drawn: dict[tuple[int, tuple[HistoryEntry, ...]], ShoeView] = {}

    def of(self, shoe: Shoe | None) -> ShoeView | None:
        if shoe is None or any(entry.outcome not in _WINNER for entry in shoe.history):
            return None
        key = (shoe.number, shoe.history)
        if key not in self._drawn:
            if len(self._drawn) > 3:
                self._drawn.clear()
            results = [Result(_WINNER[entry.outcome], entry.flags) for entry in shoe.history]
            self._drawn[key] = shoe_view(shoe.number, results)
        drawn = self._drawn[key]
        return msgspec.structs.replace(drawn, cards_out=sum(shoe.out.values()))


def phase_of(engine: TableEngine[Any]) -> Phase:
    current = engine.round
    if current is None:
        return "waiting"
    if _held(engine) is not None:
        return "held"
    if not current.begun:
        return "settled" if engine.last is not None else "betting" if _bets(engine) else "waiting"
    return "betting" if _bets(engine) else "dealing"


def view(engine: TableEngine[Any], config: Config, seq: int, board: Board, *, broker_online: bool) -> View:
    state, current = engine.state, engine.round
    phase = phase_of(engine)
    running = engine.is_dealing
    result = {} if running or engine.last is None else engine.last.public
    hands = _running_hands(engine, current.table) if running and current is not None else _settled_hands(engine, result)
    setup = state.setup
    return View(
        site=config.site,
        table=config.table,
        game=GameView(engine.ruleset, engine.game.title),
        test=state.test,
        round=state.rounds,
        seq=seq,
        phase=phase,
        prompt=prompt(engine.expectation),
        held=_held(engine),
        hands=hands,
        outcome=_text(result.get("outcome")),
        outcome_text=_outcome_text(engine, result),
        marks=tuple(name for name, on in result.get("flags", {}).items() if on),
        limits=LimitsView(setup.min_wager, setup.max_wager) if setup.max_wager is not None else None,
        shoe=board.of(state.shoe),
        previous_shoe=board.of(state.previous_shoe),
        devices=tuple(
            DeviceView(name, device.facts.get("kind", ""), device.state, device.facts.get("detail", ""))
            for name, device in state.devices.items()
        ),
        broker_online=broker_online,
    )


def state(engine: TableEngine[Any], config: Config, seq: int) -> StateDocument:
    current, lasting = engine.round, engine.state
    running = engine.is_dealing
    hands = {} if current is None or not running else current.table.hands
    return StateDocument(
        site=config.site,
        table=config.table,
        ruleset=engine.ruleset,
        digest=lasting.digest,
        test=lasting.test,
        seq=seq,
        round=lasting.rounds,
        phase=phase_of(engine),
        prompt=prompt(engine.expectation),
        wants=engine.expectation.wants,
        held=_held(engine),
        hands={owner: tuple(slot.face_if_exposed for slot in hand) for owner, hand in hands.items()},
        last={} if engine.last is None else engine.last.public,
        shoe=_shoe_state(engine, lasting.shoe),
        previous_shoe=_shoe_state(engine, lasting.previous_shoe),
        devices={name: {"state": device.state, **device.facts} for name, device in lasting.devices.items()},
        alarms=lasting.alarms,
    )


_encoder = msgspec.json.Encoder()


def encode_state(document: StateDocument) -> bytes:
    return _encoder.encode(document)


def _held(engine: TableEngine[Any]) -> HeldView | None:
    floor = next((want for want in engine.expectation.wants if isinstance(want, WantFloor)), None)
    return None if floor is None else HeldView(floor.code, floor.text)


def _bets(engine: TableEngine[Any]) -> bool:
    return any(isinstance(want, WantWagers) for want in engine.expectation.wants)


def _running_hands(engine: TableEngine[Any], table: Table) -> tuple[HandView, ...]:
    return tuple(
        HandView(
            owner,
            title(owner),
            tuple(slot.face_if_exposed for slot in hand),
            engine.game.count(hand) if len(hand) and hand.is_exposed and hand.is_read else None,
        )
        for owner, hand in table.hands.items()
    )


def _settled_hands(engine: TableEngine[Any], result: dict[str, Any]) -> tuple[HandView, ...]:
    totals = result.get("totals", {})
    return tuple(
        HandView(owner, title(owner), tuple(cards), _total(totals.get(owner)), result.get("outcome") == owner)
        for owner, cards in result.get("hands", {}).items()
    )


def _total(counted: Any) -> str | None:
    return None if not counted else " / ".join(str(part) for part in counted)


def _outcome_text(engine: TableEngine[Any], result: dict[str, Any]) -> str | None:
    if not result:
        return None
    return "Round void, all wagers back" if result.get("void") else engine.game.tell(result)


def _text(outcome: Any) -> str | None:
    return outcome if isinstance(outcome, str) else None


def _shoe_state(engine: TableEngine[Any], shoe: Shoe | None) -> dict[str, Any] | None:
    if shoe is None:
        return None
    return {
        "number": shoe.number,
        "cut_card": shoe.cut_card,
        "cards_out": sum(shoe.out.values()),
        **engine.game.board(shoe.history),
    }
