"""`make floor`: simulated tables of several cardrooms, their broker, a collector, a store and the page, on one machine.

The broker is Mosquitto where this machine has it, else the demo's embedded one, which speaks only MQTT 3.1.1: with that
nothing can be requested again and no receipts are sent. The store is SQLite, or PostgreSQL where an address is given.
Tables, broker, collector and page are processes of their own, as in a cardroom; all of them end with this program.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from msgspec import Struct

from controller.child_processes import ChildProcess, ended_like_ctrl_c, free_port
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
    processes: tuple[ChildProcess, ...]


def main(options: DemoOptions) -> int:
    if not 1 <= options.tables <= 160:
        raise UserError(f"--tables {options.tables}: between 1 and 160.")
    with ended_like_ctrl_c(), tempfile.TemporaryDirectory(prefix="cutcard-floor-") as name:
        folder = options.folder or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        store = options.store or str(folder / "floor.db")
        try:
            with running(folder, store, options.tables, options.port) as started:
                _show(started, store, options)
        except KeyboardInterrupt:
            print("\nEnding.")
        _print_stored(store)
        print(f"The store is {store}." if options.folder or options.store else "The store is deleted.")
    return 0


@contextmanager
def running(folder: Path, store: str, tables: int, page_port: int = PAGE_PORT) -> Iterator[Running]:
    """Broker, collector, page and tables, in this order."""
    broker_port, page_port = free_port(), free_port(page_port)
    mosquitto = shutil.which("mosquitto", path=os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin"]))
    migrate(store)
    with ExitStack() as stack:
        processes: list[ChildProcess] = []

        def start(name: str, *command: str) -> ChildProcess:
            processes.append(stack.enter_context(ChildProcess(name, command, folder / f"{name}.log")))
            return processes[-1]

        if mosquitto is not None:
            broker = start("broker", mosquitto, "-c", str(_broker_settings(folder, broker_port)))
            version, flag = "5", "--broker"
        else:
            print("Mosquitto is not installed: the embedded broker delivers, without receipts, repeats and orders.")
            broker = start("broker", sys.executable, "-m", "controller.demo.broker", "--port", str(broker_port))
            version, flag = "3.1.1", "--embedded"
        broker.wait_for_port(broker_port)
        games = [GAMES[number % len(GAMES)] for number in range(tables)]
        people = _hire(folder / "staff.json")
        settings = folder / "floor.toml"
        settings.write_text(_settings(store, folder, games, f'port = {broker_port}\nversion = "{version}"', page_port))
        cutcard = sys.executable, "-m", "controller.cli.main"
        start("collector", *cutcard, "floor", "run", "--config", str(settings))
        page = start("page", *cutcard, "floor", "page", "--config", str(settings))
        page.wait_for_port(page_port)
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
