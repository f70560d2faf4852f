"""A baccarat table with drop boxes, fed by hand: rounds that owe $2, pieces that fall, time that passes.

table = DropTable()
table.play()                    # round 1 owes the collection box $2
table.drop(2)
table.wait(60)
assert table.all(ev.DropMatched)
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.drop.books import Book
from controller.engine.drop.worth import Chip, DropTerms
from controller.engine.inputs import (
    AnyBody,
    BetsClosed,
    CardOut,
    DealerSigned,
    DeviceSeen,
    Input,
    SensorSeen,
    ShoeStarted,
    TimePassed,
    WagerPlaced,
    encode_input,
)
from controller.engine.jackpot.rules import Jackpot
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.journal import Journal, Seeded
from controller.rules import load

EventT = TypeVar("EventT", bound=ev.Event)
RULESET, SCHEDULE = "bankers-ez-baccarat-panda-8", "ca-2/ez-baccarat/1"
GRACE_S = 30
DOLLARS = (Chip(100, 10_000),)
DOLLARS_AND_FIVES = (Chip(100, 10_000), Chip(500, 10_000))
MORNING = 1_750_000_000_000


class DropTable:
    """One table with a collection and a jackpot box."""

    def __init__(
        self,
        *,
        chips: tuple[Chip, ...] = DOLLARS,
        tolerance: int = 0,
        seals: bool = False,
        schedule: str | None = SCHEDULE,
        boxes: tuple[str, ...] = ("collection", "jackpot"),
        jackpots: tuple[Jackpot, ...] = (),
        **readings: Any,
    ) -> None:
        rules = load(RULESET)
        options: Any = rules.options({} if schedule is None else {"schedule": schedule})
        if readings:
            options = replace(options, schedule=replace(options.schedule, **readings))
        terms = DropTerms(GRACE_S * 1000, tolerance, chips, seals=seals)
        setup = Setup(seats=(1, 2), player_dealer=8, bank=(10_000_000,), drop=terms, jackpots=jackpots)
        self.engine = TableEngine(rules.game, options, TableState(setup), RULESET)
        self.at = MORNING
        self.events: list[ev.Event] = []
        self.entries: list[tuple[int, bytes, list[bytes]]] = []
        self.do(ShoeStarted())
        for number, box in enumerate(boxes, 1):
            self.sense(box, "met", mark={"box_id": f"BOX-{number}", "box_present": True})

    def do(self, *bodies: AnyBody, by: str = "test") -> list[ev.Event]:
        came: list[ev.Event] = []
        for body in bodies:
            value = Input(self.at, by, body)
            events = self.engine.apply(value)
            self.entries.append((self.engine.round_number, encode_input(value), [ev.encode_event(e) for e in events]))
            came += events
        self.events += came
        return came

    def write(self, path: Path) -> None:
        """All of it as a journal, with a snapshot at the end of each round, as a recorder writes it."""
        with Journal.open(path, site="bay101", table="t7", chance=Seeded("drops")) as journal:
            began, before = 1, 0
            for number, value, events in self.entries:
                if number > before:
                    began, before = journal.head.n + 1, number
                ends = any(b'"kind":"round_settled"' in event for event in events)
                journal.append_now(number, value, events, b'{"n":%d,"state":{}}' % began if ends else None)

    def sense(self, box: str, what: str, *, mark: dict[str, Any] | None = None, **facts: Any) -> list[ev.Event]:
        return self.do(SensorSeen(f"boxes.{box}", box, what, facts=facts, mark=mark or {}))

    def sign_on(self, name: str) -> None:
        self.do(DealerSigned(name))

    def bet(self, cents: int = 20_100) -> None:
        """$201 of action: the player-dealer owes $2."""
        if self.engine.round_number % 8 == 7:
            self.do(ShoeStarted())  # Every round has the same cards, and eight decks have eight of each.
        self.do(WagerPlaced(1, "player_line", cents), BetsClosed())

    def deal(self) -> None:
        self.do(*(CardOut(card) for card in ("9h", "Kd", "Tc", "7s")))

    def play(self) -> None:
        self.bet()
        self.deal()

    def drop(self, pieces: int, box: str = "collection", *, cents: int | None = None) -> list[ev.Event]:
        return self.do(SensorSeen(f"boxes.{box}", box, "dropped", pieces, cents=cents))

    def wait(self, seconds: int) -> list[ev.Event]:
        """Time passes, and the daemon says so."""
        self.at += seconds * 1000
        return self.do(TimePassed(), by="timer")

    def silence(self, box: str) -> None:
        self.do(DeviceSeen(f"boxes.{box}", "offline"))

    def all(self, kind: type[EventT]) -> list[EventT]:
        return [event for event in self.events if isinstance(event, kind)]

    def differences(self) -> list[tuple[str, str]]:
        """What differed, and where."""
        return [(event.what, event.box) for event in self.all(ev.DropDiffers)]

    def book(self, box: str = "collection") -> Book:
        return self.engine.state.drop.books[box]

    @property
    def alarms(self) -> list[str]:
        return sorted(self.engine.state.alarms)
