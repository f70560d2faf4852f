"""`make floor`: simulated tables of several cardrooms, their broker, a collector, a store and the page, on one machine.

The broker is Mosquitto where this machine has it, else the demo's embedded one, which speaks only MQTT 3.1.1: with that
nothing can be requested again and no receipts are sent. The store is SQLite, or PostgreSQL where an address is given.
Tables, broker, collector and page are processes of their own, as in a cardroom; all of them end with this program.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from msgspec import Struct

from controller.errors import UserError
from controller.operator.roles import Role
from controller.operator.staff import Staff, read_staff, with_drawn_pin, write_staff
from floor.queries import overview
from floor.run import print_overview
from floor.store.database import migrate, open_engine, reading

GAMES = (
    "bankers-ez-baccarat-panda-8",
    "bankers-ultimate-texas-holdem",
    "bankers-three-card-poker",
    "bankers-texas-holdem",
    "calgrand-pai-gow-poker",
    "calgrand-omaha",
    "calgrand-caribbean-stud-poker",
    "turlock-commission-free-baccarat-dragon-bonus",
    "turlock-pure-21-5-blackjack",
    "turlock-fortune-pai-gow-poker",
    "village-no-bust-blackjack-4-0",
    "village-21st-century-baccarat-9-0",
)
"""One for each table, in turn."""
SITE = "demo"
_STARTS_WITHIN_S = 60.0
_ENDS_WITHIN_S = 20.0
_LOOK_EVERY_S = 0.5
PAGE_PORT = 8480
PEOPLE = (("ann", Role.FLOOR, "2001"), ("bob", Role.FLOOR, "2002"), ("tom", Role.MONITOR, "2003"))
"""A drop is begun by two people, so there are two of the floor."""


class DemoOptions(Struct, frozen=True):
    """What to show."""

    tables: int = 12
    folder: Path | None = None
    seconds: float | None = None
    store: str | None = None
    port: int = PAGE_PORT


class Running(Struct, frozen=True):
    """What runs."""

    broker_port: int
    page: str
    """Its address."""
    people: str
    """Who may sign in there, with PINs."""
    processes: tuple[Process, ...]


def main(options: DemoOptions) -> int:
    if not 1 <= options.tables <= 160:
        raise UserError(f"--tables {options.tables}: between 1 and 160.")
    previous = signal.signal(signal.SIGTERM, _interrupt)
    with tempfile.TemporaryDirectory(prefix="cutcard-floor-") as name:
        folder = options.folder or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        store = options.store or str(folder / "floor.db")
        try:
            with running(folder, store, options.tables, options.port) as started:
                _show(started, store, options)
        except KeyboardInterrupt:
            print("\nEnding.")
        finally:
            signal.signal(signal.SIGTERM, previous)
        _print_stored(store)
        print(f"The store is {store}." if options.folder or options.store else "The store is deleted.")
    return 0


@contextmanager
def running(folder: Path, store: str, tables: int, page_port: int = PAGE_PORT) -> Iterator[Running]:
    """Broker, collector, page and tables, in this order."""
    broker_port, page_port = _free_port(), _free_port(page_port)
    mosquitto = shutil.which("mosquitto", path=os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin"]))
    migrate(store)
    with ExitStack() as stack:
        processes: list[Process] = []

        def start(name: str, *command: str) -> Process:
            processes.append(stack.enter_context(Process(name, command, folder / f"{name}.log")))
            return processes[-1]

        if mosquitto is not None:
            broker = start("broker", mosquitto, "-c", str(_broker_settings(folder, broker_port)))
            version, flag = "5", "--broker"
        else:
            print("Mosquitto is not installed: the embedded broker delivers, without receipts, repeats and orders.")
            broker = start("broker", sys.executable, "-m", "controller.demo.broker", "--port", str(broker_port))
            version, flag = "3.1.1", "--embedded"
        _wait_for_port(broker, broker_port)
        games = [GAMES[number % len(GAMES)] for number in range(tables)]
        people = _hire(folder / "staff.json")
        settings = folder / "floor.toml"
        settings.write_text(_settings(store, folder, games, f'port = {broker_port}\nversion = "{version}"', page_port))
        cutcard = sys.executable, "-m", "controller.cli.main"
        start("collector", *cutcard, "floor", "run", "--config", str(settings))
        page = start("page", *cutcard, "floor", "page", "--config", str(settings))
        _wait_for_port(page, page_port)
        for number, game in enumerate(games, 1):
            name = f"table-{number}"
            table = "--game", game, "--table", name, flag, str(broker_port)
            start(name, *cutcard, "demo", "--headless", *table)
        yield Running(broker_port, f"http://127.0.0.1:{page_port}/", people, tuple(processes))


def _broker_settings(folder: Path, port: int) -> Path:
    path = folder / "mosquitto.conf"
    user = "user root\n" if os.getuid() == 0 else ""
    lines = "allow_anonymous true", "max_inflight_messages 1000", "set_tcp_nodelay true"
    path.write_text("\n".join([f"listener {port} 127.0.0.1", *lines, user]))
    return path


def _settings(store: str, folder: Path, games: Sequence[str], broker: str, page_port: int) -> str:
    """What a person would write for this room: its sections are the cardrooms whose games are dealt."""
    sections: dict[str, list[str]] = {}
    for number, game in enumerate(games, 1):
        sections.setdefault(game.partition("-")[0], []).append(f"table-{number}")
    lines = [f"{name} = {json.dumps(members)}" for name, members in sections.items()]
    return f"""
site = "{SITE}"
store = {json.dumps(store)}

[[brokers]]
name = "a"
{broker}

[shifts]
day = "06:00"
swing = "14:00"
night = "22:00"

[sections]
{chr(10).join(lines)}

[page]
port = {page_port}
staff = {json.dumps(str(folder / "staff.json"))}
idle_minutes = 60

[room]
licensed_tables = {len(games)}
drop_times = [{{ from = "05:30", to = "07:00" }}]
"""


def _hire(path: Path) -> str:
    """People for the page; returns who they are. The staff of a folder that is used again gets new PINs."""
    staff: Staff = read_staff(path)
    texts = []
    for name, role, number in PEOPLE:
        staff, pin = with_drawn_pin(staff, name, role, number)
        texts.append(f"{name} ({role.value}, PIN {pin})")
    write_staff(path, staff)
    return ", ".join(texts)


def _show(started: Running, store: str, options: DemoOptions) -> None:
    """The address, and when all tables are there; then nothing, until it ends."""
    print(f"The floor page is at {started.page} (Ctrl-C ends all of it)")
    print(f"Sign in there as {started.people}")
    print(f"{options.tables} simulated tables are starting; the store is {store}", flush=True)
    until = time.monotonic() + (float("inf") if options.seconds is None else options.seconds)
    is_complete = False
    engine = open_engine(store)
    try:
        while (left := until - time.monotonic()) > 0:
            for process in started.processes:
                process.check()
            if not is_complete:
                with reading(engine) as connection:
                    is_complete = sum(table.online for table in overview.tables(connection)) == options.tables
                if is_complete:
                    print(f"{options.tables} tables publish.", flush=True)
            time.sleep(min(_LOOK_EVERY_S, max(left, 0)))
    finally:
        engine.dispose()


def _print_stored(store: str) -> None:
    """What was stored, at the end."""
    engine = open_engine(store)
    try:
        print_overview(engine)
    finally:
        engine.dispose()


class Process:
    """A process of the demo: what it prints goes into a file; it is ended on leaving."""

    def __init__(self, name: str, command: tuple[str, ...], log: Path) -> None:
        self.name, self._command, self._log = name, command, log

    def __enter__(self) -> Process:
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        return self

    def __exit__(self, *failure: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(_ENDS_WITHIN_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def check(self) -> None:
        """`UserError` with the end of its log where it has ended by itself."""
        if self._process.poll() is not None:
            end = " ".join(self._log.read_text(errors="replace").split("\n")[-6:]).strip()
            raise UserError(f"The {self.name} ended by itself: {end or 'it wrote nothing'}")


def _free_port(wanted: int = 0) -> int:
    """This one, or any other where another program has it."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", wanted))
        except OSError:
            probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for_port(process: Process, port: int) -> None:
    until = time.monotonic() + _STARTS_WITHIN_S
    while True:
        process.check()
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            if time.monotonic() > until:
                raise UserError(f"The {process.name} did not open port {port}.") from None
            time.sleep(0.05)


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt
