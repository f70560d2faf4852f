"""A table with the parts of the daemon that raise alarms, its console, and a floor person who reads it.

async with alarmed_table(tmp_path) as table:
    await table.report(shoe_is("offline"))
    assert table.alarm("device_away:shoe")["to_do"].startswith("Check the power")
    await table.take("new_shoe")
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from controller.config import FirmwareConfig, JournalConfig
from controller.demo.staff import NOTES, hire
from controller.engine import events as ev
from controller.engine.actor import Actor, technician_at_board
from controller.engine.inputs import AnyBody, BetsClosed, CardOut, ShoeStarted, Started, TimePassed, decode_body
from controller.firmware.service import FirmwareService
from controller.journal import Journal
from controller.operator.authenticator import Authenticator, Denied
from controller.operator.console_view import console_document
from controller.operator.roles import Role, may, right_for
from controller.operator.sessions import SignIn, SignIns
from controller.operator.staff import FILE
from controller.outputs.device_commands import DeviceCommands
from controller.outputs.view import Roads, view
from controller.outputs.view_types import encode_view
from controller.recorder.archivist import Archivist
from controller.recorder.recorder import Recorder
from controller.rules import load, resolve
from controller.runtime.health import BoardHealth
from controller.table.acts import OperatorActions
from controller.table.translate.common import Context
from controller.table.translate.report import translate
from controller.technician.workbench import Workbench
from devices.drivers.drop_box.reports import DropMark, Sensor
from devices.ports.tap import Taps
from devices.reports import DeviceEvent, DeviceState, Report
from devices.supervisor import Supervisor
from protocols.shuffler.messages import DeckVerified
from tests.outputs.test_view import config
from tests.support.evidence_journals import SITE, TABLE, SteadyClock
from tests.support.games.who_banks import NOBODY, is_offered

KINDS = {"boxes": "drop_box"}
"""The kind of a device whose name is not its kind."""
EZ = "bankers-ez-baccarat-panda-8"
ANN = Actor("floor", "ann", "console", "board")
FLOOR = ANN.by
COLLECTION = Sensor(device="boxes", unit=1, box="collection")
DAY_MS = 24 * 60 * 60 * 1000


class AlarmedTable:
    """One table, in this process: what the devices report goes in, the console's document comes out."""

    def __init__(self, folder: Path, journal: Journal, first: Started, limits: JournalConfig) -> None:
        self.folder, self.journal, self.limits = folder, journal, limits
        self.clock = SteadyClock()
        self.recorder = Recorder(journal, resolve, self.clock, first)
        self.recorder.snapshot_every = 0  # a day of four hands is archived too
        self.events: list[ev.Event] = []
        self.recorder.listen(self._note)
        self._news = asyncio.Event()
        supervisor = Supervisor([], _nobody)
        self.commands = DeviceCommands(supervisor, {})
        self.actions = OperatorActions(self.recorder, self.commands, lambda: True)
        self.sign_ins = SignIns(Authenticator(folder / FILE), self.actions.note_sign_in)
        self.board = BoardHealth(self.recorder, folder, lambda: self.limits)
        self.archivist = Archivist(self.recorder, limits)
        self.firmware = FirmwareService(FirmwareConfig(), self.recorder, supervisor, folder, {})
        self.workbench = Workbench(
            "t7 at bay101",
            [],
            supervisor,
            Taps(),
            alarm=self.board.recording,
            brokers_online=lambda: {"main": True},
            alarms=lambda: self.recorder.engine.state.alarms,
        )

        self.recordings: list[AsyncGenerator[bytes, None]] = []
        """Of technicians."""

    def _note(self, events: tuple[ev.Event, ...]) -> None:
        self.events.extend(events)
        self._news.set()

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Until an entry of the journal has made it so."""
        async with asyncio.timeout(10):
            while not is_so():
                self._news.clear()
                await self._news.wait()

    # What happens

    async def report(self, report: Report) -> None:
        """A device reports something, and the table takes it."""
        context = Context(dealing=self.recorder.engine.is_dealing)
        translated = translate(report, KINDS.get(report.device, report.device), context)
        assert translated is not None
        await self.recorder.submit(translated.body, translated.by, counter=translated.counter)

    async def do(self, *bodies: AnyBody, by: str = "dealer:sam") -> None:
        for body in bodies:
            await self.recorder.submit(body, by)

    async def cards(self, codes: Iterable[str]) -> None:
        for code in codes:
            await self.same_player_dealer()
            await self.do(CardOut(code), by="device:shoe")

    async def hand(self, *codes: str) -> None:
        """A hand without wagers that are recorded."""
        await self.same_player_dealer()
        await self.do(BetsClosed())
        await self.cards(codes)

    async def same_player_dealer(self) -> None:
        """Where the position is offered, everybody declines it."""
        if is_offered(self.recorder.engine):
            await self.do(NOBODY)

    async def wait(self, ms: int) -> None:
        """Time passes, and somebody has to look at the boxes."""
        self.clock.now += ms
        await self.do(TimePassed(), by="timer")

    async def record(self, name: str) -> None:
        """A technician begins to record the wires."""
        self.recordings.append(self.workbench.capture([], sealed=False, seconds=None, by=technician_at_board(name)))
        await anext(self.recordings[-1])

    async def sign_in(self, role: str, pin: str | None = None) -> bool:
        """Whether the door opens."""
        if not (self.folder / NOTES).exists():
            hire(self.folder)
        person = msgspec.json.decode((self.folder / NOTES).read_bytes())[role]
        try:
            await self.sign_ins.sign_in(SignIn(name=person["name"], pin=pin or person["pin"]))
        except Denied:
            return False
        return True

    # What the floor sees and does

    def document(self) -> dict[str, Any]:
        """The console's, as the page gets it."""
        engine = self.recorder.engine
        shown = encode_view(view(engine, config(engine.ruleset), 0, Roads(), broker_online=True))
        encoded = console_document(engine, shown, keys_cards=False, trouble=self.recorder.trouble)
        document: dict[str, Any] = msgspec.json.decode(encoded)
        return document

    def alarm(self, name: str) -> dict[str, Any]:
        (found,) = (alarm for alarm in self.document()["alarms"] if alarm["name"] == name)
        return dict(found)

    def ways_out(self, name: str) -> list[dict[str, Any]]:
        """The buttons that clear an alarm."""
        return [offer for offer in self.document()["offers"] if name in offer.get("clears", ())]

    async def take(self, offer: Mapping[str, Any], **keyed: Any) -> None:
        """Touch a button as the floor, and key what it asks for."""
        asked = {ask["field"]: keyed.get(ask["field"], ask.get("given")) for ask in offer.get("asks", ())}
        body = decode_body({**offer["body"], **asked})
        right = right_for(body)
        assert right is not None and right == offer["right"] and may(Role.FLOOR, right)
        answer = await self.actions.carry_out(body, ANN)
        assert answer.ok, answer.text

    # What is in the journal of it

    @property
    def raised(self) -> dict[str, str]:
        return self.recorder.engine.state.alarms

    def story_of(self, name: str) -> list[str]:
        """The kinds of the events about one alarm."""
        events = (event for event in self.events if getattr(event, "alarm", None) == name)
        return [str(type(event).__struct_config__.tag) for event in events]


async def _nobody(report: object) -> None:
    raise AssertionError("there are no devices")


@asynccontextmanager
async def alarmed_table(
    folder: Path,
    *,
    ruleset: str = EZ,
    options: dict[str, Any] | None = None,
    limits: JournalConfig | None = None,
    **setup: Any,
) -> AsyncIterator[AlarmedTable]:
    """A table that has started, with a shoe in play."""
    seating = {"seats": [1, 2, 3], "player_dealer": 8, "records_wagers": False, **setup}
    chosen = options or {}
    first = Started("0", ruleset, load(ruleset).digest_with(chosen), chosen, seating, True)
    with Journal.open(folder / "journal.db", site=SITE, table=TABLE) as journal:
        table = AlarmedTable(folder, journal, first, limits or JournalConfig(warn_below_mb=0, stop_below_mb=0))
        await table.do(first, by="daemon")
        await table.do(ShoeStarted(), by="device:shoe")
        yield table


# What devices report


def shoe_is(state: Any, detail: str = "") -> DeviceState:
    return DeviceState(device="shoe", state=state, detail=detail)


def deck(count: int = 52, expected: int = 52, no: int = 1) -> DeviceEvent:
    """A deck that the shuffler has counted."""
    verified = DeckVerified(
        boot=1,
        event_no=no,
        uptime_ms=no,
        deck_no=no,
        shuffle_no=no,
        order="shuffled",
        back="red",
        count=count,
        expected=expected,
        boxed=0,
        other_backs=0,
        unread=0,
        missing=(),
        extra=(),
        more=False,
    )
    return DeviceEvent(device="shuffler", body=verified)


def mark(**changed: Any) -> DropMark:
    """The state of a sensor: its box in, its door closed."""
    state: dict[str, Any] = {
        "serial": "S1",
        "boot": 1,
        "uptime_ms": 1,
        "drops": 0,
        "total": 0,
        "removals": 0,
        "openings": 0,
        "box_present": True,
        "box_id": "BOX-1",
        "door_open": False,
        "grams": None,
        "weighed_total": 0,
        "faults": (),
    }
    return DropMark(**{**state, **changed})
