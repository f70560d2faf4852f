"""The driver of the example vendor's shuffler, over all openings of its port.

It polls. A record goes to the sink first; the next poll says that it is stored. If the sink raises, the machine keeps
the record and gives it again. A command is only kept as a request, and the last one of each kind wins; requests are
looked at between two polls. Trouble drops the request to deal before it is reported, so whatever is dealt afterwards
was requested with knowledge of it.
"""

from __future__ import annotations

import asyncio
from typing import NoReturn

from devices.driver import ConnectionLost
from devices.drivers.example_shuffler.line import Line, open_line
from devices.drivers.example_shuffler.reports import REASONS, event_of, is_trouble, status_of
from devices.drivers.shuffler import CommandName, Refused
from devices.kinds import NoOptions
from devices.options import options_of
from devices.reports import DeviceAnswer, DeviceEvent, DeviceState, Sink
from devices.spec import DeviceSpec
from protocols.errors import ProtocolError
from protocols.example_shuffler import messages as wire
from protocols.link.events import NumberedEvent
from protocols.link.session import LinkStatistics
from protocols.shuffler.messages import LAST_STACK_NO, Dispense

POLL_EVERY = 0.1
"""Seconds."""
RESTARTED = "the shuffler was switched off and on"


class ExampleShufflerDriver:
    """One machine. It is a `devices.driver.Shuffling`."""

    def __init__(self, spec: DeviceSpec) -> None:
        options_of(spec, NoOptions)
        self.spec = spec
        self.statistics = LinkStatistics.fresh()
        self._boot: int | None = None
        self._taken = 0
        """The last record of this boot that the sink has taken."""
        self._shuffle: wire.Shuffle | None = None
        self._dispense: Dispense | None = None
        self._eject: wire.Eject | None = None
        self._limits: dict[tuple[int, int], int] = {}
        """The highest hand that was requested, by boot and deck; of the last deck only."""
        self._wanted = asyncio.Event()

    # What the controller may command

    def shuffle(self, *, boot: int, deck_no: int, shuffle_no: int) -> None:
        self._shuffle = wire.Shuffle(boot=boot, deck_no=deck_no, shuffle_no=shuffle_no)
        self._wanted.set()

    def dispense(self, *, boot: int, known: int, deck_no: int, up_to: int, size: int) -> None:
        up_to = min(up_to, LAST_STACK_NO)
        self._dispense = Dispense(boot=boot, known=known, deck_no=deck_no, up_to=up_to, size=size)
        self._wanted.set()

    def unload(self, *, boot: int, deck_no: int) -> None:
        self._shuffle = self._dispense = None
        self._eject = wire.Eject(boot=boot, deck_no=deck_no)
        self._wanted.set()

    # The connection

    async def run(self, sink: Sink) -> NoReturn:
        """One opening of the port, until it fails: with a `DriverFailure`, a `ProtocolError` or the sink's error."""
        async with open_line(self.spec, self.statistics) as line:
            identity = await line.ask_for(wire.Identify(), wire.Identity)
            self._meet(identity)
            await self._catch_up(line, identity, sink)
            while True:
                await self._request(line, sink)
                await self._take_records(line, sink)
                await self._pause()

    def _meet(self, identity: wire.Identity) -> None:
        """What was requested of a machine that was switched off since is dropped."""
        if identity.boot != self._boot:
            self._boot, self._taken = identity.boot, 0
            self._shuffle = self._dispense = self._eject = None

    async def _catch_up(self, line: Line, identity: wire.Identity, sink: Sink) -> None:
        """Take what it has kept, until there is a status behind which nothing waits; then it is online."""
        await self._take_records(line, sink)
        while True:
            status = await line.ask_for(wire.StatusRequest(), wire.Status)
            self._expect_same(status.boot)
            before = self._taken
            await self._take_records(line, sink)
            if self._taken == before:
                break
        # Records that another run of this program has stored are gone from the machine.
        self._taken = max(self._taken, status.event_no)
        ours = status_of(status)
        await sink(DeviceAnswer(device=self.spec.id, body=ours))
        await sink(
            DeviceState(
                device=self.spec.id,
                state="online",
                model=identity.model,
                serial=identity.serial,
                firmware=identity.firmware,
                boot=status.boot,
                draws=status.hands,
                deck_no=status.deck_no,
                up_to=ours.up_to,
                limit=self._limits.get((status.boot, status.deck_no)),
            )
        )

    async def _take_records(self, line: Line, sink: Sink) -> None:
        """Until the machine has no more."""
        assert self._boot is not None
        while True:
            answer = await line.ask(wire.Poll(boot=self._boot, taken=self._taken))
            match answer:
                case wire.NoRecord():
                    return
                case NumberedEvent():
                    self._expect_same(answer.boot)
                    await self._take(answer, sink)
                case wire.Refused(why="other power-up"):
                    raise ConnectionLost(RESTARTED)
                case _:
                    raise ProtocolError(f"the shuffler answered Poll with {type(answer).__name__}")

    async def _take(self, record: wire.Record, sink: Sink) -> None:
        # After a start of ours the first record may have any number: those before it are stored.
        if record.event_no <= self._taken or (self._taken and record.event_no != self._taken + 1):
            raise ProtocolError(f"the shuffler sent record {record.event_no} after record {self._taken}")
        limit = self._limits.get((record.boot, record.deck_no)) if isinstance(record, wire.HandFormed) else None
        event = event_of(record, limit=limit)
        if is_trouble(event):
            self._dispense = None
        await sink(DeviceEvent(device=self.spec.id, body=event))
        self._taken = record.event_no

    def _expect_same(self, boot: int) -> None:
        if boot != self._boot:
            raise ConnectionLost(RESTARTED)

    async def _pause(self) -> None:
        """Until the next poll is due, or something is requested."""
        try:
            async with asyncio.timeout(POLL_EVERY):
                await self._wanted.wait()
        except TimeoutError:
            return

    # What is requested

    async def _request(self, line: Line, sink: Sink) -> None:
        """Ask for what is requested now, as far as the machine can do it."""
        self._wanted.clear()
        for asked in (self._shuffle, self._eject):
            if asked is not None:
                await self._ask(line, asked, "unload" if isinstance(asked, wire.Eject) else "shuffle", sink)
        if self._dispense is not None:
            await self._deal(line, self._dispense, sink)

    async def _deal(self, line: Line, asked: Dispense, sink: Sink) -> None:
        """The next hand of this request, if there is one and the tray is clear."""
        status = await line.ask_for(wire.StatusRequest(), wire.Status)
        self._expect_same(status.boot)
        if self._dispense is not asked:
            return
        is_other = (asked.boot, asked.deck_no) != (status.boot, status.deck_no)
        if is_other or status.hands >= asked.up_to:
            self._done(asked)
        elif asked.size != status.size:
            self._done(asked)
            await self._report_refusal("dispense", "wrong size", sink)
        elif status.phase != "forming" and not status.tray:
            hand = wire.FormHand(boot=asked.boot, known=asked.known, deck_no=asked.deck_no, hand_no=status.hands + 1)
            deck = (asked.boot, asked.deck_no)
            self._limits = {deck: max(asked.up_to, self._limits.get(deck, 0))}
            await self._ask(line, hand, "dispense", sink, kept=asked)

    async def _ask(
        self,
        line: Line,
        request: wire.Shuffle | wire.FormHand | wire.Eject,
        name: CommandName,
        sink: Sink,
        *,
        kept: Dispense | None = None,
    ) -> None:
        """Ask, drop the request (`kept` goes on until its last hand), and report a refusal."""
        answer = await line.ask(request)
        match answer:
            case wire.Accepted():
                self._done(None if kept is not None else request)
            case wire.Refused(why="other power-up"):
                raise ConnectionLost(RESTARTED)
            case wire.Refused(why=why):
                self._done(kept if kept is not None else request)
                await self._report_refusal(name, REASONS[why], sink)
            case _:
                raise ProtocolError(f"the shuffler answered {type(request).__name__} with {type(answer).__name__}")

    async def _report_refusal(self, name: CommandName, why: str, sink: Sink) -> None:
        await sink(DeviceAnswer(device=self.spec.id, body=Refused(command=name, why=why)))

    def _done(self, request: object) -> None:
        """Drop the request, unless there is a newer one."""
        if request is self._shuffle:
            self._shuffle = None
        if request is self._dispense:
            self._dispense = None
        if request is self._eject:
            self._eject = None
