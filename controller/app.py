"""The composition root: one daemon for one table.

A card's way through here: a driver's report -> `Daemon.on_report` -> `Desk.submit` (engine and journal, durable) ->
the driver acknowledges the shoe; the publisher reads the journal; screens, retained state and the shoe's lock follow.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import random
import secrets
import shutil
import signal
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, NoReturn

import msgspec
from aiomqtt import Message
from msgspec.structs import replace

from controller import logs
from controller.attendance import Attendance, labels
from controller.clock import Clock, DeviceClock, SystemClock
from controller.commanding import Commands
from controller.commands import CommandGate
from controller.config import Config
from controller.desk import Desk, Outcome, ReplayDiffers
from controller.engine import events as ev
from controller.engine import inputs as happened
from controller.engine.expect import Refusal, WantReveal, WantWagers, prompt
from controller.engine.state import CARD_DEVICES
from controller.firmware.service import FirmwareService
from controller.firmware.signing import ImageError
from controller.firmware.trust import TrustError
from controller.hearing import Heard, hear
from controller.journal import Journal, JournalError
from controller.journal.keeper import Keeper
from controller.metrics import TableMetrics, metrics_route
from controller.mqtt import Publisher
from controller.mqtt.documents import Documents
from controller.panels import Panels
from controller.reloading import Reloading, reload_route, started
from controller.report.route import report_route
from controller.roles import Right, Role, may, right_for
from controller.rules import resolve
from controller.service import ALARM as WATCHDOG
from controller.service import Service
from controller.staff import FILE as STAFF
from controller.staff import Denied, Doorkeeper, Person
from controller.technician.api import technician_routes
from controller.technician.workbench import Workbench
from controller.view import Board, encode_state, phase_of, state, view
from controller.web.console_view import console_document
from controller.web.feed import Feed, LazyFeed
from controller.web.hosts import AllowedHosts
from controller.web.server import ActAnswer, act_answer, serve
from controller.web.sessions import Door
from controller.web.table_api import FedRound, fed_round, table_routes
from controller.web.view_types import HeldView, encode_view
from devices import reports, usb_remote
from devices.authentication import DeviceVetted
from devices.discovery import PortError, find, serial_ports
from devices.supervisor import Supervisor
from devices.tap import Taps, listening_in

log = logging.getLogger(__name__)

DISK_LOOK_S = 10.0
DRAIN_S = 5.0
"""How long a stopping daemon waits for the broker; what is left stays in the journal and goes out at the next start."""

TIMED_DEVICES = frozenset({"shoe", "shuffler", "dice_cup", "key_panel"})
"""Those whose clock is their own; a simulated table keeps time by them."""

_BY_READERS = (happened.CardOut, happened.StackOut)


class StartError(Exception):
    """Why the daemon cannot start and what to do, in one paragraph."""


async def run(config: Config, folder: Path, file: Path | None = None, digest: str = "") -> None:
    """Run the table until SIGTERM or SIGINT; `StartError` and its kin where it cannot start.

    `file` holds the configuration, under this SHA-256; SIGHUP lets the daemon read it again.
    """
    _check_ports(config)
    data = folder / config.data
    try:
        data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StartError(
            f"The data folder {data} cannot be made: {error.strerror}. Mend `data` in the config."
        ) from None
    journal = Journal.open(data / "journal.db", site=config.site, table=config.table)
    try:
        try:
            logs.TABLE.set(logs.Table(config.site, config.table, lambda: journal.head.n))
            daemon = Daemon(config, journal, data, service=Service(data), file=file, digest=digest)
        except ReplayDiffers as error:
            raise StartError(
                f"This program comes to other events than the journal {data / 'journal.db'} holds ({error}). The table "
                "does not guess: go back to the Cutcard that wrote the journal, a newer one perhaps. `cutcard verify` "
                "says whether the journal is whole."
            ) from None
        except (TrustError, ImageError) as error:
            raise StartError(str(error)) from None
        await daemon.run()
    finally:
        journal.close()


class Daemon:
    """Everything of one table, wired together."""

    def __init__(
        self,
        config: Config,
        journal: Journal,
        folder: Path,
        *,
        clock: Clock | None = None,
        chance: random.Random | None = None,
        service: Service | None = None,
        file: Path | None = None,
        digest: str = "",
    ) -> None:
        """`folder`: where the daemon keeps its token and says where its page is. `file`: where the configuration is,
        and its SHA-256.

        `clock` and `chance` (of the retries) are given where time itself is simulated.
        `service`: this process towards systemd; without it nobody is told.
        """
        self._service = service or Service(folder, {})
        self.config = config
        self._folder = folder
        self.token = _token(folder / "console.token")
        self.clock: Clock = clock or (DeviceClock() if config.clock == "devices" else SystemClock())
        self._started = started(config, digest)
        self.desk = Desk(journal, resolve, self.clock, self._started)
        if journal.repair is not None:
            log.warning("the journal was cut back: %s", journal.repair)
        _check_rules(self.desk, config)
        specs = [device.spec for device in config.devices]
        self.supervisor = Supervisor(specs, self.on_report, rng=chance)
        self._kinds: dict[str, str] = {device.id: device.kind for device in config.devices}
        self._firmware = FirmwareService(config.firmware, self.desk, self.supervisor, folder, self._kinds)
        self._commands = Commands(self.supervisor, self._kinds)
        self._commands.resume(self.desk.engine.state.marks)
        self._board = _board(config)
        self._hosts = AllowedHosts(config.web.host, config.web.allowed_hosts)
        self._reloading = None if file is None else Reloading(file, self.desk, lambda: self.config, self._take_config)
        self._keeper = Keeper(self.desk, config.journal)
        session = secrets.token_hex(8)
        self.publisher = Publisher(
            journal,
            config.broker,
            session=session,
            on_connection=self._tell_screens,
            on_request=self._asked,
        )
        self._documents = Documents(self.publisher, config.site, config.table)
        self._gate = CommandGate(
            self.desk,
            session=session,
            answer=self.publisher.answer,
            blink=self._commands.blink,
            can_blink=self._commands.can_blink,
        )
        self._taps = Taps()
        self._workbench = Workbench(
            f"{config.table} at {config.site}",
            specs,
            self.supervisor,
            self._taps,
            alarm=self._recording,
            broker_online=lambda: self.publisher.connected,
        )
        self._workbench.round_changed(self._dealing)
        self._timer: asyncio.TimerHandle | None = None
        self._look: asyncio.TimerHandle | None = None
        self._stated = b""
        self._feed = Feed(self._view())
        self.door = Door(Doorkeeper(folder / STAFF), self._note_at_door)
        self.console = LazyFeed(self._console_document, lambda: self.desk.is_writing)
        self._panels = Panels(self.supervisor, labels(config.devices), self.door, self.carry_out, self._preview_line)
        self._ready = False
        self._reload_wanted = False
        """While it was starting, the file was changed again."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self.desk.listen(self._after_commit)
        self._metrics = TableMetrics(self.desk, self.publisher, self.supervisor, specs)
        self._attendance = Attendance(
            self.desk,
            self.supervisor,
            self._kinds,
            firmware=self._firmware,
            commands=self._commands,
            panels=self._panels,
            workbench=self._workbench,
            metrics=self._metrics,
        )

    async def run(self) -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for name in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(name, stop.set)
        if self._reloading is not None:
            loop.add_signal_handler(signal.SIGHUP, self._reload)
        async with self._serving() as address, self._publishing(), contextlib.AsyncExitStack() as stack:
            await self.desk.submit(self._started, "daemon")
            await self._recording("")
            await self._own_up()
            await self._attendance.tell_gone(self.config.devices)
            if self._reloading is not None:
                await self._reloading.settle()
            self._ready = True
            if self._reload_wanted:
                self._reload()
            # What is loaded by now stays: the collector need not walk through it in the middle of a round.
            gc.collect()
            gc.freeze()
            await stack.enter_async_context(self._firmware.running())
            await stack.enter_async_context(self._service.alive(self.desk.journal))
            with self._announced(address):
                with listening_in(self._taps):
                    devices = asyncio.create_task(self.supervisor.run(), name="devices")
                disk = asyncio.create_task(self._watch_disk(), name="disk")
                archives = asyncio.create_task(self._keeper.run(), name="archives")
                commands = asyncio.create_task(self._gate.run(), name="commands")
                stopped = asyncio.create_task(stop.wait(), name="stop")
                self._service.ready()
                await asyncio.wait({devices, disk, archives, commands, stopped}, return_when=asyncio.FIRST_COMPLETED)
                self._service.stopping()
                for timer in (self._timer, self._look):
                    if timer is not None:
                        timer.cancel()
                self._panels.end()
                for task in (devices, disk, archives, commands, stopped):
                    task.cancel()
                    with contextlib.suppress(asyncio.CancelledError):
                        await task
        log.info("stopped")

    @contextlib.asynccontextmanager
    async def _publishing(self) -> AsyncIterator[None]:
        self._tell_publisher()
        self.publisher.start()
        try:
            if not self.config.mqtt.start_without_broker:
                problem = await self.publisher.first_attempt()
                if problem is not None:
                    text = "To start all the same and publish later, set start_without_broker = true under [mqtt]."
                    raise StartError(f"{problem} {text}")
            yield
        finally:
            await self.publisher.stop(DRAIN_S)

    @contextlib.asynccontextmanager
    async def _serving(self) -> AsyncIterator[str]:
        web = self.config.web
        async with contextlib.AsyncExitStack() as stack:
            try:
                address = await stack.enter_async_context(
                    serve(
                        self,
                        host=web.host,
                        port=web.port,
                        allowed_hosts=self._hosts,
                        extensions=[
                            technician_routes(self._workbench, self.token),
                            metrics_route(self._metrics),
                            report_route(self.desk.journal.path, lambda: self.config.report, self._may_read_report),
                            table_routes(lambda token: self.door.who(token) is not None, self._state, self._fed),
                            *([] if self._reloading is None else [reload_route(self._reloading, self.token)]),
                        ],
                    )
                )
            except OSError as error:
                raise StartError(
                    f"The page cannot be served on {web.host}:{web.port}: {error.strerror}. Choose another host or "
                    "port under [web] in the config, or stop what holds it."
                ) from None
            yield address

    @contextlib.contextmanager
    def _announced(self, address: str) -> Iterator[None]:
        """Say where the page is, for whoever shares this machine, while the table runs."""
        log.info("the page is at %s", address)
        page = self._folder / "page.url"
        page.write_text(address + "\n")
        try:
            yield
        finally:
            page.unlink(missing_ok=True)

    # Devices

    async def on_report(self, report: reports.Report) -> None:
        """A driver's report; returns when it is in the journal, and the driver may acknowledge it."""
        with self._workbench.report_under_way():
            await self._take(report)

    async def _take(self, report: reports.Report) -> None:
        if isinstance(report, DeviceVetted):
            await self._firmware.vetted(report)
            return
        if isinstance(report, reports.DeviceEvent) and self._kinds[report.device] in TIMED_DEVICES:
            self.clock.heard(report.uptime_ms)
        engine = self.desk.engine
        known = engine.state.devices.get(report.device)
        if known is None or known.state == "removed":
            facts = {"kind": self._kinds[report.device]}
        else:
            facts = known.facts
        facts = self._firmware.facts(report.device, facts)
        heard = hear(report, facts, dealing=self._dealing, reveal=self._awaited_reveal())
        if heard is not None and not self._is_known(heard):
            await self.desk.submit(heard.body, heard.by, heard.ref)
        # Only now: a command reckoned from a card that the engine has not seen would let out one too many.
        self._commands.applied(report)
        self._commands.follow(self.desk.engine)
        if isinstance(report, reports.KeyPressed):
            await self._panels.pressed(report)

    def _awaited_reveal(self) -> str | None:
        """Whose unread cards the table waits to hear named."""
        wants = self.desk.engine.expectation.wants
        return next((want.owner for want in wants if isinstance(want, WantReveal)), None)

    def _is_known(self, heard: Heard) -> bool:
        """A device whose state is what the journal has already: a reconnection that changed nothing."""
        body = heard.body
        if heard.ref is not None or not isinstance(body, happened.DeviceSeen):
            return False
        known = self.desk.engine.state.devices.get(body.device)
        return known is not None and (known.state, known.facts, known.boot) == (body.state, body.facts, body.boot)

    @property
    def _dealing(self) -> bool:
        """Whether a round is running."""
        return self.desk.engine.is_dealing

    async def _recording(self, text: str) -> None:
        """A technician records the devices' wires, or no longer does: it stands in the journal."""
        if bool(text) != ("capture" in self.desk.engine.state.alarms):
            with contextlib.suppress(JournalError):
                await self.desk.submit(happened.BoardSeen("capture", bool(text), text), "board")

    async def _own_up(self) -> None:
        """The last run stood still and was ended: it stands in the journal, until the floor has been here."""
        hang = self._service.last_hang()
        if hang is not None:
            log.error("the last run gave no sign of life and was ended, %s:\n%s", hang.where, hang.stacks)
        if hang is not None or WATCHDOG in self.desk.engine.state.alarms:
            text = "" if hang is None else f"the daemon stood still and was started anew; it hung {hang.where}"
            await self.desk.submit(happened.BoardSeen(WATCHDOG, hang is not None, text), "board")

    async def _watch_disk(self) -> NoReturn:
        """Warn before the journal's disk is full, and begin no round that it might not hold."""
        while True:
            limits = self.config.journal
            levels = (("disk_low", limits.warn_below_mb, False), ("disk_full", limits.stop_below_mb, True))
            free = shutil.disk_usage(self._folder).free // 1_000_000
            for alarm, below, stops in levels:
                wrong = free < below
                if wrong != (alarm in self.desk.engine.state.alarms):
                    text = f"only {free} MB are free on the journal's disk" if wrong else ""
                    with contextlib.suppress(JournalError):
                        await self.desk.submit(happened.BoardSeen(alarm, wrong, text, stops), "board")
            await asyncio.sleep(DISK_LOOK_S)

    # The configuration, read again

    def _reload(self) -> None:
        assert self._reloading is not None
        if not self._ready:
            self._reload_wanted = True
            return
        task = asyncio.create_task(self._read_again(self._reloading), name="configuration")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _read_again(self, reloading: Reloading) -> None:
        """`systemctl reload` returns when it is done."""
        self._service.reloading()
        try:
            await reloading.apply("board", is_answered=False)
        finally:
            self._service.ready()

    async def _take_config(self, config: Config) -> None:
        """Go by this configuration from now on; what concerns the engine it has heard already."""
        old, self.config = self.config, config
        self._board = _board(config)
        self._hosts.change(config.web.allowed_hosts)
        self._keeper.limits = config.journal
        if config.broker != old.broker:
            self.publisher.connect_anew(config.broker)
        await self._attendance.change(old.devices, config.devices)
        self._tell_screens()

    # After every commit

    def _after_commit(self, events: tuple[ev.Event, ...]) -> None:
        self._workbench.round_changed(self._dealing)
        self._commands.follow(self.desk.engine)
        self._tell_publisher()
        self._tell_screens()
        self._panels.follow(lambda: (self.desk.engine, not self._reader_online()))
        self._wind_timer()
        self._wind_look()
        self._service.status_follows(self._status_line)
        if any(isinstance(event, ev.RoundSettled | ev.RoundVoided) for event in events):
            self._keeper.round_is_over()

    def _state(self) -> bytes:
        if not (self.desk.is_writing and self._stated):
            self._stated = encode_state(state(self.desk.engine, self.config, self.desk.journal.head.seq))
        return self._stated

    def _status_line(self) -> str | None:
        """What `systemctl status` shows: whatever is wrong, then what the table waits for."""
        if self.desk.is_writing:
            return None  # What is being written may yet fail; its end asks again.
        engine = self.desk.engine
        wrong = [f"ALARM {name}: {text}" for name, text in engine.state.alarms.items()]
        if self.desk.trouble is not None:
            wrong.insert(0, f"ALARM journal: {self.desk.trouble}")
        return "; ".join([*wrong, f"{phase_of(engine)}, {prompt(engine.expectation)}"])

    def _fed(self) -> FedRound:
        """What was put into the running round, or into the last one before the next begins."""
        engine = self.desk.engine
        played = engine.played if engine.is_dealing or engine.last is None else engine.last
        return fed_round(engine.round_number, played.inputs)

    def _asked(self, message: Message) -> None:
        self._gate.take(message)

    def _tell_publisher(self) -> None:
        engine = self.desk.engine
        self.publisher.state_changed(self._state())
        self._documents.tell(engine.state)

    def _tell_screens(self) -> None:
        if self.desk.is_writing:
            # What is being written may yet fail; whoever looks is told when it is done, either way.
            return
        self._feed.publish(self._view())
        self.console.change()

    def _console_document(self) -> bytes:
        return console_document(
            self.desk.engine,
            self._feed.current(),
            keys_cards=not self._reader_online(),
            trouble=self.desk.trouble,
        )

    def _view(self) -> bytes:
        shown = view(
            self.desk.engine,
            self.config,
            self.desk.journal.head.seq,
            self._board,
            broker_online=self.publisher.connected,
            bets_close_in=self._seconds_to_bet(),
        )
        if self.desk.trouble is not None:
            shown = replace(shown, phase="held", held=HeldView("journal", self.desk.trouble))
        self._commands.show(shown)
        return encode_view(shown)

    def _wind_timer(self) -> None:
        """The optional timer closes the bets of a round, reckoned from its first wager."""
        seconds = getattr(self.desk.engine.options, "bet_close_timer", 0)
        current = self.desk.engine.round
        betting = (
            current is not None
            and current.begun
            and any(isinstance(want, WantWagers) for want in current.expectation.wants)
        )
        if self._timer is not None and not betting:
            self._timer.cancel()
            self._timer = None
        elif betting and seconds and self._timer is None:
            loop, number = asyncio.get_running_loop(), self.desk.engine.round_number
            # After a restart what is left counts from the first wager, not from the start.
            gone = (self.clock.now_ms() - self.desk.engine.played.inputs[0].at) / 1000
            self._timer = loop.call_later(max(0.0, seconds - gone), self._time_is_up, number)
            loop.call_later(1, self._tick)

    def _wind_look(self) -> None:
        """When nothing else happens, the table must still hear that the grace for a drop is over."""
        look = self.desk.engine.next_look()
        if self._look is not None:
            self._look.cancel()
            self._look = None
        # While nothing can be written down, nothing is judged; the next commit that succeeds comes by here.
        if look is not None and self.desk.trouble is None:
            left = max(0.0, (look - self.clock.now_ms()) / 1000)
            self._look = asyncio.get_running_loop().call_later(left, self._look_again)

    def _look_again(self) -> None:
        self._look = None
        look = self.desk.engine.next_look()
        if look is None or look > self.clock.now_ms():
            self._wind_look()
            return
        task = asyncio.create_task(self._tell_time())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _tell_time(self) -> None:
        with contextlib.suppress(JournalError):
            await self.desk.submit(happened.TimePassed(), "timer")

    def _seconds_to_bet(self) -> int | None:
        """What is left of the running timer, for the reader board."""
        if self._timer is None:
            return None
        return max(0, round(self._timer.when() - asyncio.get_running_loop().time()))

    def _tick(self) -> None:
        if self._timer is not None:
            self._tell_screens()
            asyncio.get_running_loop().call_later(1, self._tick)

    def _time_is_up(self, number: int) -> None:
        self._timer = None
        if self.desk.engine.round_number == number:
            task = asyncio.create_task(self.desk.submit(happened.BetsClosed(), "timer"))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    # The page: a `ViewSource`

    def current(self) -> bytes:
        return self._feed.current()

    def subscribe(self) -> AsyncIterator[bytes]:
        return self._feed.subscribe()

    async def act(self, body: bytes, who: Person) -> ActAnswer:
        """One input from a person who has signed in."""
        if not self._ready:
            return act_answer(ok=False, status=503, why="starting", text="The table is starting; try again.")
        try:
            wanted = happened.decode_body(body)
        except msgspec.MsgspecError as error:
            return act_answer(ok=False, status=400, why="malformed", text=f"This is not an input: {error}")
        return await self.carry_out(wanted, who.role, who.by)

    async def carry_out(self, wanted: happened.AnyBody, role: Role, by: str) -> ActAnswer:
        """One input from somebody in this role."""
        right = right_for(wanted)
        if isinstance(wanted, happened.Happening) and phase_of(self.desk.engine) == "held":
            right = Right.HOLD  # On a held table it is a ruling, and the floor's.
        if right is None:
            return act_answer(ok=False, status=403, why="devices_only", text="Only a device can say that.")
        if not may(role, right):
            return act_answer(ok=False, status=403, why="not_your_right", text=f"A {role} may not do that.")
        if isinstance(wanted, _BY_READERS) and self._reader_online():
            return act_answer(ok=False, status=403, why="devices_only", text="The shoe reads the cards itself.")
        if isinstance(wanted, happened.Amended) and wanted.preview:
            return self._preview(wanted)
        try:
            outcome: Outcome = await self.desk.submit(wanted, by)
        except JournalError as error:
            return act_answer(ok=False, status=503, why="journal", text=str(error))
        if outcome.refusal is not None:
            return act_answer(ok=False, status=409, why=outcome.refusal.why, text=outcome.refusal.text)
        return act_answer(ok=True, status=200, why=None, text="done")

    async def _note_at_door(self, what: str, person: Person | None, facts: dict[str, str]) -> None:
        """Who came, who was turned away; a name that was locked is an alarm until the floor has been here."""
        if not self._ready:
            raise Denied("journal", "The table is starting; try again.", told=False)
        by = "board" if person is None else person.by
        try:
            await self.desk.submit(happened.Noted(facts.get("at", "console"), what, facts), by)
            if what == "sign_in_locked":
                text = f"wrong PINs or badges at the {facts['at']}, the last for {facts['name']}"
                await self.desk.submit(happened.BoardSeen("sign_in", True, text), by)
            elif person is not None and person.role == "floor":
                for alarm in ("sign_in", WATCHDOG):
                    if alarm in self.desk.engine.state.alarms:
                        await self.desk.submit(happened.BoardSeen(alarm, False), by)
            if person is not None and person.role == "dealer":
                await self._dealer_at_door(what, person)
        except JournalError as error:
            raise Denied("journal", f"It cannot be written down: {error}", told=False) from None

    def _may_read_report(self, token: str) -> bool:
        person = self.door.who(token)
        return person is not None and may(person.role, Right.DROP)

    async def _dealer_at_door(self, what: str, person: Person) -> None:
        """A dealer who signs in at the console deals from then on; when he signs out, nobody does."""
        deals = self.desk.engine.state.drop.dealer
        if what == "signed_in" and deals != person.name:
            await self.desk.submit(happened.DealerSigned(person.name), person.by)
        elif what == "signed_out" and deals == person.name:
            await self.desk.submit(happened.DealerSigned(""), person.by)

    def _reader_online(self) -> bool:
        """Cards are keyed by hand only while no device gives them: none is there, or it has no deck to deal."""
        return any(
            state.state == "online" and self._kinds[name] in CARD_DEVICES and self._commands.can_deal(name)
            for name, state in self.supervisor.states.items()
        )

    def _preview_line(self, wanted: happened.Amended) -> str:
        """What an amendment would change, for a panel's short line."""
        changes = self.desk.engine.preview(wanted)
        if isinstance(changes, Refusal):
            return changes.text
        before, after = changes.get("outcome", ["", ""])
        return f"{before} > {after}" if before != after else ", ".join(changes) or "no change"

    def _preview(self, wanted: happened.Amended) -> ActAnswer:
        changes = self.desk.engine.preview(wanted)
        if isinstance(changes, Refusal):
            return act_answer(ok=False, status=409, why=changes.why, text=changes.text)
        return act_answer(ok=True, status=200, why="preview", text=msgspec.json.encode(changes).decode())


def _board(config: Config) -> Board:
    return Board(config.display.tail, ask_marks=config.display.ask_marks)


def _check_rules(desk: Desk, config: Config) -> None:
    """A round is judged by the rules it began with; new ones wait until it is over."""
    engine = desk.engine
    chosen = engine.state.chosen
    terms = (engine.ruleset, engine.state.options)
    if chosen is not None:
        # The configuration may say what it said when somebody chose other rules at the table.
        terms = (chosen.instead_of.ruleset, chosen.instead_of.options)
    if engine.is_dealing and terms != (config.rules.ruleset, config.rules.options):
        raise StartError(
            f"Round {engine.round_number} is running under {engine.ruleset} and the config asks for "
            f"{config.rules.ruleset} or other options. Start with the old rules, finish or void the round, then change."
        )


def _check_ports(config: Config) -> None:
    if usb_remote.socket_named() is not None and not config.test:
        raise StartError(
            f"{usb_remote.SOCKET} is set in the environment: the USB devices would be a rig's, at a table that is not "
            "in test mode. Take it out of the environment, or set test = true in the config."
        )
    for device in config.devices:
        if device.required and device.url.startswith("usb://") and device.kind != "card_reader":
            try:
                find(device.url, serial_ports())
            except PortError as error:
                raise StartError(
                    f"The {device.kind} {device.id!r} cannot be found: {error}. With required = false the daemon "
                    "starts without it."
                ) from None
        elif device.required and "://" not in device.url and not Path(device.url).exists():
            raise StartError(
                f"The {device.kind} {device.id!r} should be on {device.url}, but there is no such port. Plug it in, or "
                "mend its url under [[devices]] in the config; with required = false the daemon starts without it."
            )


def _token(path: Path) -> str:
    """The console's token: made at the first start, readable by the service only."""
    with contextlib.suppress(FileNotFoundError):
        token = path.read_text().strip()
        if token:
            return token
    token = secrets.token_urlsafe(24)
    path.touch(mode=0o600)
    path.write_text(token + "\n")
    return token
