"""The composition root: one daemon for one table. `Daemon.parts` is the order in which its parts start and stop.

A card's way through here: a driver's report -> `Intake.take` -> `Recorder.submit` (engine and journal, durable) -> the
driver acknowledges the shoe. Then the recorder calls every part that follows it: the shoe's lock, screens, retained
state, panels, timers. The publisher reads the journal.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import random
import secrets
import signal
from collections.abc import AsyncIterator, Awaitable
from pathlib import Path

from aiomqtt import Message

from controller import logs
from controller.board_key import BoardKey
from controller.clock import Clock, DeviceClock, SystemClock
from controller.config import Config
from controller.firmware.service import FirmwareService
from controller.firmware.signing import ImageError
from controller.firmware.trust import TrustError
from controller.journal import Journal, Seeded
from controller.journal.randomness import SYSTEM
from controller.metrics import TableMetrics, metrics_route
from controller.mqtt import Publisher, Publishers
from controller.mqtt.command_gate import CommandGate
from controller.mqtt.receipts import Receipts
from controller.operator.authenticator import Authenticator
from controller.operator.panel import Panels
from controller.operator.roles import Right, Role, may
from controller.operator.sessions import SignIns
from controller.operator.staff import FILE as STAFF
from controller.outputs.device_commands import DeviceCommands
from controller.outputs.documents import TableDocuments
from controller.recorder.archivist import Archivist
from controller.recorder.checkpoints import Checkpoints
from controller.recorder.recorder import Recorder, UnknownInput
from controller.recorder.tpm_counter import TpmCounter
from controller.report.route import report_route
from controller.rules import resolve
from controller.runtime.certificate_requests import CertificateRequests
from controller.runtime.certificates import CertificateWatch
from controller.runtime.device_set import DeviceSet, labels
from controller.runtime.health import BoardHealth
from controller.runtime.parts import Part, running
from controller.runtime.reload import ConfigReload, reload_route, started
from controller.runtime.startup import (
    StartError,
    TableRetired,
    bearer_token,
    check_ports,
    check_rules,
    confirmed_readings,
    data_folder,
    page_certificate,
)
from controller.runtime.systemd import SystemdNotifier
from controller.table.acts import OperatorActions
from controller.table.intake import Intake
from controller.table.timers import Timers
from controller.technician.api import technician_routes
from controller.technician.workbench import Workbench
from controller.tpm import Tpm
from controller.updates.service import SignedUpdates
from controller.web.hosts import AllowedHosts
from controller.web.house_pictures import HousePictures
from controller.web.server import TablePage, serve
from controller.web.table_api import table_routes
from controller.web.words import Words
from devices.kinds import kind_of
from devices.patience import LONG
from devices.ports.tap import Taps, listening_in
from devices.reports import Report
from devices.supervisor import Supervisor

log = logging.getLogger(__name__)

OLD_COLLECTED_EVERY = 2
"""Collections of what is younger, from one of all that came since the start to the next."""
DRAIN_S = 5.0
"""How long a stopping daemon waits for the broker. The rest stays in the journal and is sent after the next start."""


async def run(config: Config, folder: Path, file: Path | None = None, digest: str = "") -> None:
    """Run the table until SIGTERM or SIGINT, or until it is retired. `StartError`, or another `UserError`, where it
    cannot start; `TableRetired` where it is out of use.

    `file` is the configuration's file and `digest` its SHA-256. On SIGHUP the daemon reads it again.
    """
    data = data_folder(config, folder)
    if not (data / "journal.db").exists():
        check_ports(config)  # no journal is begun for a table that cannot start
    chance = Seeded(config.seed) if config.test and config.seed else SYSTEM
    journal = Journal.open(data / "journal.db", site=config.site, table=config.table, chance=chance)
    try:
        try:
            logs.TABLE.set(logs.LogContext(config.site, config.table, lambda: journal.head.n))
            daemon = Daemon(config, journal, data, systemd=SystemdNotifier(data), file=file, digest=digest)
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
    """All parts of one table."""

    def __init__(
        self,
        config: Config,
        journal: Journal,
        folder: Path,
        *,
        clock: Clock | None = None,
        chance: random.Random | None = None,
        systemd: SystemdNotifier | None = None,
        file: Path | None = None,
        digest: str = "",
    ) -> None:
        """`folder`: where the bearer token and the page's address are written. `file`, `digest`: see `run`.

        `clock` and `chance` (for retries and device sessions) are given where time is simulated. `systemd`: without it
        nothing is reported.
        """
        self.config = config
        self._folder = folder
        self._is_ready = False
        self._reload_requested = False
        """The configuration's file changed while the daemon was starting."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._stop = asyncio.Event()
        self._stop_requested = False
        """By a signal."""
        self._systemd = systemd or SystemdNotifier(folder, {})
        self._token = bearer_token(folder / "console.token")
        clock = clock or (DeviceClock() if config.clock == "devices" else SystemClock())

        # Engine and journal
        self._started = started(config, digest, confirmed_readings(config, folder))
        self.recorder = recorder = Recorder(journal, resolve, clock, self._started)
        if journal.repair is not None:
            log.warning("the journal was cut back: %s", journal.repair)
        check_rules(recorder, config)
        self._archivist = Archivist(recorder, config.journal)
        self._board_health = BoardHealth(recorder, folder, lambda: self.config.journal)
        self._certificates = CertificateWatch(recorder, clock, lambda: self.config)

        # Configuration
        self._hosts = AllowedHosts(config.web.host, config.web.allowed_hosts)
        self._config_reload = (
            None
            if file is None
            else ConfigReload(
                file,
                recorder,
                lambda: self.config,
                self._take_config,
                lambda config: confirmed_readings(config, folder),
            )
        )
        self._updates = SignedUpdates(recorder, folder, lambda: self.config, self._config_reload)

        # Devices.
        specs = [device.spec for device in config.devices]
        patience = LONG if config.clock == "devices" and config.seed else 1.0
        kinds = {device.id: kind_of(device.kind).to_the_table for device in config.devices}
        self.supervisor = supervisor = Supervisor(specs, self._take_report, rng=chance, patience=patience)
        self._firmware = FirmwareService(config.firmware, recorder, supervisor, folder, kinds)
        self._commands = DeviceCommands(supervisor, kinds)
        self._commands.resume(recorder.engine.state.marks)

        # The brokers
        session = secrets.token_hex(8)
        self._receipts = Receipts(recorder, lambda: self.config.journal)
        self._publishers = Publishers(
            journal,
            config.brokers,
            session=session,
            rng=chance,
            on_connection=self._renew_screens,
            on_request=self._take_request,
            on_receipt=self._receipts.take,
            on_head=self._take_head,
        )
        board = BoardKey.load_or_create(folder)
        self._checkpoints = Checkpoints(
            recorder,
            board,
            lambda: self.config.journal.checkpoints,
            self._publishers.head_changed,
        )
        self._requests = CertificateRequests(
            journal, board, clock, lambda: self.config, self._publishers.certificate_changed
        )
        self._tpm_counter = TpmCounter(recorder, Tpm(config.journal.tpm) if config.journal.tpm else None)
        now = asyncio.get_running_loop().time
        authenticator = Authenticator(folder / STAFF, now)
        self._gate = CommandGate(
            recorder,
            session=session,
            blink=self._commands.blink,
            can_blink=self._commands.can_blink,
            is_on_staff=authenticator.is_on_staff,
            on_retired=self._stop.set,
            updates=self._updates,
        )

        # Screens, and what time brings about
        self._timers = Timers(recorder, clock, self._renew_screens)
        self._house_pictures = HousePictures(lambda: self.config.display.house_folder, self._renew_screens)
        self._documents = TableDocuments(
            config,
            recorder,
            self._publishers,
            self._commands,
            seconds_to_bet=self._timers.seconds_to_bet,
            pictures=lambda: self._house_pictures.now,
        )

        # People
        self._actions = actions = OperatorActions(recorder, self._commands, lambda: self._is_ready)
        self._sign_ins = SignIns(authenticator, actions.note_sign_in, now)
        self._panels = Panels(
            supervisor, labels(config.devices), self._sign_ins, actions.carry_out_slip, actions.preview
        )

        # Technicians
        self._taps = Taps()
        self._workbench = Workbench(
            f"{config.table} at {config.site}",
            specs,
            supervisor,
            self._taps,
            alarm=self._board_health.recording,
            brokers_online=lambda: {name: each.connected for name, each in self._publishers.by_broker.items()},
            alarms=lambda: recorder.engine.state.alarms,
        )
        self._workbench.round_changed(recorder.engine.is_dealing)
        self._metrics = TableMetrics(recorder, self._publishers, supervisor, specs)

        self._device_set = DeviceSet(
            recorder,
            supervisor,
            kinds,
            firmware=self._firmware,
            commands=self._commands,
            panels=self._panels,
            workbench=self._workbench,
            metrics=self._metrics,
        )
        self._intake = Intake(
            recorder,
            clock,
            kinds,
            firmware=self._firmware,
            commands=self._commands,
            panels=self._panels,
            workbench=self._workbench,
        )

        self.parts = self._parts()
        for part in self.parts:
            if part.follow is not None:
                recorder.listen(part.follow)

    def _parts(self) -> tuple[Part, ...]:
        """In the order of starting and following; they stop in the reverse order."""
        recorder = self.recorder
        return (
            Part(name="page", running=self._serving),
            Part(name="broker", running=self._publishing),
            Part(name="table", running=self._beginning),
            Part(
                name="checkpoints",
                running=self._checkpoints.running,
                work=self._checkpoints.run,
                follow=self._checkpoints.follow,
            ),
            Part(name="receipts", running=self._receipts.running, work=self._receipts.run),
            Part(name="TPM", work=self._tpm_counter.run, follow=self._tpm_counter.follow),
            Part(name="firmware", running=self._firmware.running),
            Part(
                name="systemd",
                running=lambda: self._systemd.alive(recorder.journal),
                follow=lambda _: self._systemd.status_follows(self._documents.status_line),
            ),
            Part(name="address", running=self._address_file),
            Part(name="commands", work=self._gate.run),
            Part(name="archives", work=self._archivist.run, follow=self._archivist.follow),
            Part(name="house pictures", work=self._house_pictures.run),
            Part(name="disk", work=self._board_health.watch_disk),
            Part(name="certificates", work=self._certificates.watch),
            Part(name="certificate requests", work=self._requests.run),
            Part(name="recordings", follow=lambda _: self._workbench.round_changed(recorder.engine.is_dealing)),
            Part(name="device commands", follow=lambda _: self._commands.follow(recorder.engine)),
            Part(name="documents", follow=lambda _: self._documents.renew()),
            Part(name="devices", work=self._attend_devices),
            Part(
                name="panels",
                stop=self._panels.end,
                follow=lambda _: self._panels.follow(lambda: (recorder.engine, not self._commands.cards_are_read())),
            ),
            Part(name="timers", stop=self._timers.end, follow=lambda _: self._timers.follow()),
        )

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        for name in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(name, self._request_stop)
        if self._config_reload is not None:
            loop.add_signal_handler(signal.SIGHUP, self._reload)
        if not self.recorder.engine.state.retired:
            check_ports(self.config)
            async with running(self.parts, self._stop):
                self._systemd.ready()
                await self._stop.wait()
                if self._stop_requested or not self.recorder.engine.state.retired:
                    self._systemd.stopping()
        if self.recorder.engine.state.retired:
            if not self._stop_requested:
                await self._send_the_rest()
            self._check_retired()
        log.info("stopped")

    def _request_stop(self) -> None:
        self._stop_requested = True
        self._stop.set()

    async def _send_the_rest(self) -> None:
        """The journal has ended. Each broker gets what it did not get before, however long it is away; nothing else is
        done. The table's other parts are stopped, or were never started, and so is what they had to publish."""
        self._stop.clear()
        self._documents.renew_retained()
        self._publishers.retire()
        async with self._systemd.alive(self.recorder.journal), self._checkpoints.running():
            await self._checkpoints.make()
            await self._publishers.start()
            self._systemd.ready()
            self._systemd.status_follows(lambda: f"retired; still to clear: {', '.join(self._publishers.not_cleared)}")
            ended = asyncio.ensure_future(self._publishers.ended())
            stopped = asyncio.ensure_future(self._stop.wait())
            await asyncio.wait({ended, stopped}, return_when=asyncio.FIRST_COMPLETED)
            self._systemd.stopping()
            await self._publishers.stop(DRAIN_S)
            ended.cancel()
            stopped.cancel()

    def _check_retired(self) -> None:
        """The table is out of use. Where every broker is cleared, that is the end, and not a start by systemd."""
        journal, not_cleared = self.recorder.journal, self._publishers.not_cleared
        if not_cleared:
            log.warning(
                "the table is retired; these brokers have not got the end of its journal: %s. The next start sends it",
                ", ".join(not_cleared),
            )
            return
        raise TableRetired(
            f"The table {journal.table} was retired, and its journal has ended. To use this board for a table again, "
            f"move {journal.path} and the files beside it to a safe place."
        )

    # Some parts are made before the part that they call.

    def _take_report(self, report: Report) -> Awaitable[None]:
        return self._intake.take(report)

    def _take_request(self, message: Message, publisher: Publisher) -> None:
        self._gate.take(message, publisher)

    def _take_head(self, head: bytes, broker: str) -> Awaitable[None]:
        return self._checkpoints.compare_retained(head, broker)

    def _renew_screens(self) -> None:
        self._documents.renew_screens()

    # Starting and stopping

    @contextlib.asynccontextmanager
    async def _serving(self) -> AsyncIterator[None]:
        web, documents = self.config.web, self._documents
        extensions = [
            technician_routes(self._workbench, self._token),
            metrics_route(self._metrics),
            self._house_pictures.add_to,
            report_route(self.recorder.journal.path, lambda: self.config.report, self._may_read_report),
            table_routes(lambda token: self._sign_ins.who(token) is not None, documents.state, documents.round_inputs),
        ]
        if self._config_reload is not None:
            extensions.append(reload_route(self._config_reload, self._token))
        words = Words(lambda: self.config.display.words_folder)
        page = TablePage(
            documents.view, documents.console, self._sign_ins, self._actions.act, self._actions.slip, words
        )
        async with contextlib.AsyncExitStack() as stack:
            server = serve(
                page,
                host=web.host,
                port=web.port,
                certificate=page_certificate(web),
                local_port=web.local_port,
                allowed_hosts=self._hosts,
                extensions=extensions,
            )
            try:
                self._address = await stack.enter_async_context(server)
            except OSError as error:
                raise StartError(
                    f"The page cannot be served on {web.host}:{web.port}: {error.strerror}. Choose another host or "
                    "port under [web] in the config, or stop the program that uses it."
                ) from None
            yield

    @contextlib.asynccontextmanager
    async def _publishing(self) -> AsyncIterator[None]:
        self._documents.renew_retained()
        await self._publishers.start()
        try:
            if not self.config.mqtt.start_without_broker:
                problems = await self._publishers.first_attempt()
                if problems:
                    text = "To start all the same and publish later, set start_without_broker = true under [mqtt]."
                    raise StartError(" ".join([*map(str, problems), text]))
            yield
        finally:
            await self._publishers.stop(DRAIN_S)

    @contextlib.asynccontextmanager
    async def _beginning(self) -> AsyncIterator[None]:
        """The first entries of this run."""
        await self.recorder.submit(self._started, "daemon")
        await self._board_health.recording("")
        await self._board_health.report_last_hang(self._systemd.last_hang())
        await self._device_set.record_removed(self.config.devices)
        await self._updates.finish()
        if self._config_reload is not None:
            await self._config_reload.settle()
            await self._config_reload.finish()
        self._is_ready = True
        if self._reload_requested:
            self._reload()
        # What is loaded by now stays: the collector need not walk through it in the middle of a round. It looks at the
        # rest more often, for a shorter time: a thousand broken TLS handshakes at once would be 0.1 s.
        gc.collect()
        gc.freeze()
        gc.collect()
        gc.set_threshold(700, 10, OLD_COLLECTED_EVERY)
        yield

    @contextlib.asynccontextmanager
    async def _address_file(self) -> AsyncIterator[None]:
        """The page's address in a file, for programs on this machine, while the table runs."""
        log.info("the page is at %s", self._address)
        page = self._folder / "page.url"
        page.write_text(self._address + "\n")
        try:
            yield
        finally:
            page.unlink(missing_ok=True)

    async def _attend_devices(self) -> None:
        with listening_in(self._taps):
            await self.supervisor.run()

    def _may_read_report(self, token: str) -> bool:
        person = self._sign_ins.who(token)
        return person is not None and may(Role(person.role), Right.DROP)

    # A new configuration

    def _reload(self) -> None:
        assert self._config_reload is not None
        if not self._is_ready:
            self._reload_requested = True
            return
        task = asyncio.create_task(self._read_again(self._config_reload), name="configuration")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _read_again(self, config_reload: ConfigReload) -> None:
        """`systemctl reload` returns when this is done."""
        self._systemd.reloading()
        try:
            await config_reload.apply("board", is_answered=False)
        finally:
            self._systemd.ready()

    async def _take_config(self, config: Config) -> None:
        """Use this configuration from now on. The engine has its part of it already."""
        old, self.config = self.config, config
        self._documents.change(config)
        self._hosts.change(config.web.allowed_hosts)
        self._archivist.limits = config.journal
        if config.brokers != old.brokers:
            await self._publishers.change(config.brokers)
        await self._device_set.change(old.devices, config.devices)
        self._documents.renew_screens()
