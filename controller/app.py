"""The composition root: one daemon for one table. Which parts it has, and what starts, follows and stops, in order.

A card's way through here: a driver's report -> `Intake.take` -> `Desk.submit` (engine and journal, durable) -> the
driver acknowledges the shoe; the publisher reads the journal; screens, retained state and the shoe's lock follow.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import random
import secrets
import signal
from collections.abc import AsyncIterator, Awaitable, Iterator
from pathlib import Path

from aiomqtt import Message

from controller import logs
from controller.clock import Clock, DeviceClock, SystemClock
from controller.config import Config
from controller.engine import events as ev
from controller.firmware.service import FirmwareService
from controller.firmware.signing import ImageError
from controller.firmware.trust import TrustError
from controller.journal import Journal
from controller.metrics import TableMetrics, metrics_route
from controller.mqtt import Publisher
from controller.mqtt.command_gate import CommandGate
from controller.operator.panel import Panels
from controller.operator.roles import Right, may
from controller.operator.sessions import SignIns
from controller.operator.staff import FILE as STAFF
from controller.operator.staff import Authenticator, Person
from controller.outputs.device_commands import DeviceCommands
from controller.outputs.documents import TableDocuments
from controller.recorder.archivist import Archivist
from controller.recorder.recorder import Recorder, UnknownInput
from controller.report.route import report_route
from controller.rules import resolve
from controller.runtime.device_set import DeviceSet, labels
from controller.runtime.health import BoardHealth
from controller.runtime.reload import ConfigReload, reload_route, started
from controller.runtime.startup import StartError, bearer_token, check_ports, check_rules, data_folder
from controller.runtime.systemd import SystemdNotifier
from controller.table.acts import OperatorActions
from controller.table.intake import Intake
from controller.table.timers import Timers
from controller.technician.api import technician_routes
from controller.technician.workbench import Workbench
from controller.web.feed import LazyFeed
from controller.web.hosts import AllowedHosts
from controller.web.server import ActAnswer, serve
from controller.web.table_api import table_routes
from devices import reports
from devices.ports.tap import Taps, listening_in
from devices.supervisor import Supervisor

log = logging.getLogger(__name__)

DRAIN_S = 5.0
"""How long a stopping daemon waits for the broker; what is left stays in the journal and goes out at the next start."""


async def run(config: Config, folder: Path, file: Path | None = None, digest: str = "") -> None:
    """Run the table until SIGTERM or SIGINT; `StartError` and its kin where it cannot start.

    `file` holds the configuration, under this SHA-256; SIGHUP lets the daemon read it again.
    """
    check_ports(config)
    data = data_folder(config, folder)
    journal = Journal.open(data / "journal.db", site=config.site, table=config.table)
    try:
        try:
            logs.TABLE.set(logs.LogContext(config.site, config.table, lambda: journal.head.n))
            daemon = Daemon(config, journal, data, service=SystemdNotifier(data), file=file, digest=digest)
        except UnknownInput as error:
            raise StartError(
                f"The journal {data / 'journal.db'} was written by a newer Cutcard ({error}). The table does not "
                "guess: go back to the Cutcard that wrote it."
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
        service: SystemdNotifier | None = None,
        file: Path | None = None,
        digest: str = "",
    ) -> None:
        """`folder`: where the daemon keeps its token and says where its page is. `file`: where the configuration is,
        and its SHA-256.

        `clock` and `chance` (of the retries, of sessions with devices) are given where time itself is simulated.
        `service`: this process towards systemd; without it nobody is told.
        """
        self._systemd = service or SystemdNotifier(folder, {})
        self.config = config
        self._folder = folder
        self.token = bearer_token(folder / "console.token")
        clock = clock or (DeviceClock() if config.clock == "devices" else SystemClock())
        self._started = started(config, digest)
        self.recorder = Recorder(journal, resolve, clock, self._started)
        if journal.repair is not None:
            log.warning("the journal was cut back: %s", journal.repair)
        check_rules(self.recorder, config)
        specs = [device.spec for device in config.devices]
        self.supervisor = Supervisor(specs, self._take_report, rng=chance)
        self._kinds: dict[str, str] = {device.id: device.kind for device in config.devices}
        self._firmware = FirmwareService(config.firmware, self.recorder, self.supervisor, folder, self._kinds)
        self._commands = DeviceCommands(self.supervisor, self._kinds)
        self._commands.resume(self.recorder.engine.state.marks)
        self._hosts = AllowedHosts(config.web.host, config.web.allowed_hosts)
        self._config_reload = (
            None if file is None else ConfigReload(file, self.recorder, lambda: self.config, self._take_config)
        )
        self._archivist = Archivist(self.recorder, config.journal)
        self._board_health = BoardHealth(self.recorder, folder, lambda: self.config.journal)
        session = secrets.token_hex(8)
        self.publisher = Publisher(
            journal,
            config.broker,
            session=session,
            rng=chance,
            on_connection=self._tell_screens,
            on_request=self._take_request,
        )
        self._gate = CommandGate(
            self.recorder,
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
            alarm=self._board_health.recording,
            broker_online=lambda: self.publisher.connected,
        )
        self._workbench.round_changed(self.recorder.engine.is_dealing)
        self._timers = Timers(self.recorder, clock, self._tell_screens)
        self._documents = TableDocuments(
            config, self.recorder, self.publisher, self._commands, self._timers.seconds_to_bet
        )
        people = self._actions = OperatorActions(self.recorder, self._commands, lambda: self._ready)
        now = asyncio.get_running_loop().time
        self.sign_ins = SignIns(Authenticator(folder / STAFF, now), people.note_sign_in, now)
        self._panels = Panels(
            self.supervisor, labels(config.devices), self.sign_ins, people.carry_out, people.preview_line
        )
        self._intake = Intake(
            self.recorder,
            clock,
            self._kinds,
            firmware=self._firmware,
            commands=self._commands,
            panels=self._panels,
            workbench=self._workbench,
        )
        self._ready = False
        self._reload_wanted = False
        """While it was starting, the file was changed again."""
        self._tasks: set[asyncio.Task[None]] = set()
        self.recorder.listen(self._after_commit)
        self._metrics = TableMetrics(self.recorder, self.publisher, self.supervisor, specs)
        self._device_set = DeviceSet(
            self.recorder,
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
        if self._config_reload is not None:
            loop.add_signal_handler(signal.SIGHUP, self._reload)
        async with self._serving() as address, self._publishing(), contextlib.AsyncExitStack() as stack:
            await self.recorder.submit(self._started, "daemon")
            await self._board_health.recording("")
            await self._board_health.report_last_hang(self._systemd.last_hang())
            await self._device_set.tell_gone(self.config.devices)
            if self._config_reload is not None:
                await self._config_reload.settle()
            self._ready = True
            if self._reload_wanted:
                self._reload()
            # What is loaded by now stays: the collector need not walk through it in the middle of a round.
            gc.collect()
            gc.freeze()
            await stack.enter_async_context(self._firmware.running())
            await stack.enter_async_context(self._systemd.alive(self.recorder.journal))
            with self._announced(address):
                with listening_in(self._taps):
                    devices = asyncio.create_task(self.supervisor.run(), name="devices")
                disk = asyncio.create_task(self._board_health.watch_disk(), name="disk")
                archives = asyncio.create_task(self._archivist.run(), name="archives")
                commands = asyncio.create_task(self._gate.run(), name="commands")
                stopped = asyncio.create_task(stop.wait(), name="stop")
                self._systemd.ready()
                await asyncio.wait({devices, disk, archives, commands, stopped}, return_when=asyncio.FIRST_COMPLETED)
                self._systemd.stopping()
                self._timers.end()
                self._panels.end()
                for task in (devices, disk, archives, commands, stopped):
                    task.cancel()
                    with contextlib.suppress(asyncio.CancelledError):
                        await task
        log.info("stopped")

    @contextlib.asynccontextmanager
    async def _publishing(self) -> AsyncIterator[None]:
        self._documents.tell_publisher()
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
        web, showing = self.config.web, self._documents
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
                            report_route(self.recorder.journal.path, lambda: self.config.report, self._may_read_report),
                            table_routes(
                                lambda token: self.sign_ins.who(token) is not None, showing.state, showing.fed
                            ),
                            *([] if self._config_reload is None else [reload_route(self._config_reload, self.token)]),
                        ],
                    )
                )
            except OSError as error:
                raise StartError(
                    f"The page cannot be served on {web.host}:{web.port}: {error.strerror}. Choose another host or "
                    "port under [web] in the config, or stop what holds it."
                ) from None
            yield address

    def _may_read_report(self, token: str) -> bool:
        person = self.sign_ins.who(token)
        return person is not None and may(person.role, Right.DROP)

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

    # The parts stand in a ring: these are given to some that are made before the part that they lead to.

    def _take_report(self, report: reports.Report) -> Awaitable[None]:
        return self._intake.take(report)

    def _take_request(self, message: Message) -> None:
        self._gate.take(message)

    def _tell_screens(self) -> None:
        self._documents.tell_screens()

    # The configuration, read again

    def _reload(self) -> None:
        assert self._config_reload is not None
        if not self._ready:
            self._reload_wanted = True
            return
        task = asyncio.create_task(self._read_again(self._config_reload), name="configuration")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _read_again(self, reloading: ConfigReload) -> None:
        """`systemctl reload` returns when it is done."""
        self._systemd.reloading()
        try:
            await reloading.apply("board", is_answered=False)
        finally:
            self._systemd.ready()

    async def _take_config(self, config: Config) -> None:
        """Go by this configuration from now on; what concerns the engine it has heard already."""
        old, self.config = self.config, config
        self._documents.change(config)
        self._hosts.change(config.web.allowed_hosts)
        self._archivist.limits = config.journal
        if config.broker != old.broker:
            self.publisher.connect_anew(config.broker)
        await self._device_set.change(old.devices, config.devices)
        self._documents.tell_screens()

    # After every commit

    def _after_commit(self, events: tuple[ev.Event, ...]) -> None:
        self._workbench.round_changed(self.recorder.engine.is_dealing)
        self._commands.follow(self.recorder.engine)
        self._documents.tell_publisher()
        self._documents.tell_screens()
        self._panels.follow(lambda: (self.recorder.engine, not self._commands.cards_are_read()))
        self._timers.follow()
        self._systemd.status_follows(self._documents.status_line)
        if any(isinstance(event, ev.RoundSettled | ev.RoundVoided) for event in events):
            self._archivist.round_is_over()

    # The page: a `ViewSource`

    @property
    def console(self) -> LazyFeed:
        return self._documents.console

    def current(self) -> bytes:
        return self._documents.current()

    def subscribe(self) -> AsyncIterator[bytes]:
        return self._documents.subscribe()

    async def act(self, body: bytes, who: Person) -> ActAnswer:
        return await self._actions.act(body, who)
