"""`make floor`: simulated tables of several cardrooms, their broker, a collector and a store, on one machine.

The broker is Mosquitto where this machine has it, else the demo's embedded one, which speaks only MQTT 3.1.1: with that
nothing can be requested again and no receipts are sent. The store is SQLite, or PostgreSQL where an address is given.
Tables, broker and collector are processes of their own, as in a cardroom; all of them end with this program.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from msgspec import Struct

from controller.errors import UserError
from floor.run import print_overview
from floor.store.database import migrate, open_engine

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
_PRINT_EVERY_S = 5.0


class DemoOptions(Struct, frozen=True):
    """What to show."""

    tables: int = 12
    folder: Path | None = None
    seconds: float | None = None
    store: str | None = None


def main(options: DemoOptions) -> int:
    if not 1 <= options.tables <= 160:
        raise UserError(f"--tables {options.tables}: between 1 and 160.")
    previous = signal.signal(signal.SIGTERM, _interrupt)
    with tempfile.TemporaryDirectory(prefix="cutcard-floor-") as name:
        folder = options.folder or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        store = options.store or str(folder / "floor.db")
        try:
            with running(folder, store, options.tables):
                _show(store, options.seconds)
        except KeyboardInterrupt:
            print("\nEnding.")
        finally:
            signal.signal(signal.SIGTERM, previous)
        print(f"The store is {store}." if options.folder or options.store else "The store is deleted.")
    return 0


@contextmanager
def running(folder: Path, store: str, tables: int) -> Iterator[int]:
    """Broker, collector and tables, in this order; returns the broker's port."""
    port = _free_port()
    mosquitto = shutil.which("mosquitto", path=os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin"]))
    migrate(store)
    with ExitStack() as stack:

        def start(name: str, *command: str) -> Process:
            return stack.enter_context(Process(name, command, folder / f"{name}.log"))

        if mosquitto is not None:
            config = folder / "mosquitto.conf"
            user = "user root\n" if os.getuid() == 0 else ""
            lines = "allow_anonymous true", "max_inflight_messages 1000", "set_tcp_nodelay true"
            config.write_text("\n".join([f"listener {port} 127.0.0.1", *lines, user]))
            broker = start("broker", mosquitto, "-c", str(config))
            version, flag = "5", "--broker"
        else:
            print("Mosquitto is not installed: the embedded broker delivers, without receipts and repeats.")
            broker = start("broker", sys.executable, "-m", "controller.demo.broker", "--port", str(port))
            version, flag = "3.1.1", "--embedded"
        _wait_for_port(broker, port)
        settings = folder / "floor.toml"
        settings.write_text(
            f'site = "{SITE}"\nstore = "{store}"\n[[brokers]]\nname = "a"\nport = {port}\nversion = "{version}"\n'
        )
        cutcard = sys.executable, "-m", "controller.cli.main"
        start("collector", *cutcard, "floor", "run", "--config", str(settings))
        for number in range(1, tables + 1):
            game = GAMES[(number - 1) % len(GAMES)]
            start(
                f"table-{number}",
                *cutcard,
                "demo",
                "--headless",
                "--game",
                game,
                "--table",
                f"table-{number}",
                flag,
                str(port),
            )
        print(f"{tables} tables, a broker on port {port}, a collector; the store is {store}. Ctrl-C ends all of them.")
        yield port


def _show(store: str, seconds: float | None) -> None:
    engine = open_engine(store)
    until = time.monotonic() + (float("inf") if seconds is None else seconds)
    try:
        while time.monotonic() < until:
            time.sleep(min(_PRINT_EVERY_S, max(until - time.monotonic(), 0)))
            print()
            print_overview(engine)
    finally:
        engine.dispose()


class Process:
    """A process of the demo: what it prints goes into a file; it is ended on leaving."""

    def __init__(self, name: str, command: tuple[str, ...], log: Path) -> None:
        self._name, self._command, self._log = name, command, log

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
            raise UserError(f"The {self._name} ended by itself: {end or 'it wrote nothing'}")


def _free_port() -> int:
    with socket.socket() as probe:
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
                raise UserError(f"The broker did not open port {port}.") from None
            time.sleep(0.05)


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt
