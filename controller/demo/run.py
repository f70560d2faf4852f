"""`cutcard demo`: a simulated table, an embedded broker and the daemon, each a process of its own, as on a board.

The demo writes the config an installer would write, starts the three, waits for what it needs and ends all of them.
With `--speed max` time is simulated throughout: the same seed gives the same journal, byte for byte, on every machine.
"""

from __future__ import annotations

import contextlib
import json
import random
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import msgspec
from msgspec import Struct

from controller.child_processes import STARTS_WITHIN_S, ChildProcess, ended_like_ctrl_c, free_port
from controller.demo.games import DemoBroker, GameTable, plumbing
from controller.demo.staff import hire, introduced
from controller.engine import events as ev
from controller.errors import UserError
from controller.journal import JournalReader

RULESET = "bankers-ez-baccarat-panda-8"


class DemoOptions(Struct, frozen=True, kw_only=True):
    seed: int | None = None
    rounds: int | None = None
    speed: str = "real"
    headless: bool = False
    json: bool = False
    port: int = 8080
    game: str = ""
    """A ruleset; empty: baccarat, as the demo has always been."""
    broker: int = 0
    """The port of a broker on this machine that speaks MQTT 5; 0: the demo's own."""
    embedded: int = 0
    """The port of another demo's own broker."""
    table: str = "table-1"


class Summary(Struct):
    """The one line for scripts."""

    rounds: int = 0
    player: int = 0
    banker: int = 0
    tie: int = 0
    dragon_7: int = 0
    panda_8: int = 0
    naturals: int = 0
    events: int = 0
    last_seq: int = 0
    journal_hash: str = ""


OF_BACCARAT = {"player", "banker", "tie", "dragon_7", "panda_8", "naturals"}
_WAITING = "cutcard_publisher_lag_events{"
"""What the line leaves out for another game."""


def main(options: DemoOptions) -> int:
    _check(options)
    seed = random.SystemRandom().randrange(1_000_000) if options.seed is None else options.seed
    output = _quiet if options.headless else print
    with ended_like_ctrl_c(), tempfile.TemporaryDirectory(prefix="cutcard-demo-") as name:
        folder = Path(name)
        try:
            with running_table(folder, options, seed) as table:
                output(f"A table is being dealt at {table.page}  (seed {seed}; Ctrl-C ends it)")
                output(f"The dealer's console is at {table.page}console: {introduced(folder / 'data')}")
                table.wait_until_dealt()
        except KeyboardInterrupt:
            output("\nEnding.")
        summary = summarise(folder / "data" / "journal.db")
    if options.json:
        counted = msgspec.to_builtins(summary)
        counts = {key: value for key, value in counted.items() if not (options.game and key in OF_BACCARAT)}
        print(msgspec.json.encode(counts).decode(), flush=True)
    else:
        output(f"{summary.rounds} rounds, {summary.events} events, all in the journal.")
    return 0


class RunningTable:
    """The three processes of a demo."""

    def __init__(
        self, folder: Path, page: str, broker_port: int, rig: TalkingProcess, others: list[ChildProcess]
    ) -> None:
        self.folder, self.page, self.broker_port = folder, page, broker_port
        self._rig, self._others = rig, others

    def wait_until_dealt(self) -> None:
        """Until the simulated people have dealt their rounds and the broker has every event."""
        while True:
            line = self._rig.line(timeout=1.0)
            if line is not None and "failed" in line:
                tails = " ".join(f"The {process.name} wrote: {process.tail()}" for process in self._others)
                raise UserError(f"The simulated people could not go on: {line['failed']}. {tails}")
            if line is not None and "dealt" in line:
                break
            self._check()
        while self._waits_for_broker():
            time.sleep(0.02)
            self._check()

    def _waits_for_broker(self) -> bool:
        """As the table's own metrics have it: the file of the journal notes an acknowledgement later."""
        try:
            with urllib.request.urlopen(f"{self.page}metrics", timeout=STARTS_WITHIN_S) as answer:
                metrics = answer.read().decode()
        except OSError:
            return True  # it is ending, and `_check` says why
        return any(not line.endswith(" 0") for line in metrics.splitlines() if line.startswith(_WAITING))

    def _check(self) -> None:
        for process in (*self._others, self._rig):
            process.check()


@contextlib.contextmanager
def running_table(folder: Path, options: DemoOptions, seed: int) -> Iterator[RunningTable]:
    """Broker, simulated table and daemon, started in this order and ended in the other."""
    broker = DemoBroker(
        options.broker or options.embedded or free_port(), "5" if options.broker else "3.1.1", options.table
    )
    with contextlib.ExitStack() as stack:

        def start(name: str, *arguments: str) -> ChildProcess:
            command = sys.executable, "-m", *arguments
            return stack.enter_context(ChildProcess(name, command, folder / f"{name}.log"))

        own = []
        if not options.broker and not options.embedded:
            own = [start("broker", "controller.demo.broker", "--port", str(broker.port))]
            own[0].wait_for_port(broker.port)
        rounds = ["--rounds", str(options.rounds)] if options.rounds is not None else []
        ports, data = folder / "ports", folder / "data"
        ports.mkdir()
        hire(data)
        game = GameTable(options.game, seed) if options.game else None
        module, *lay = ("sim_hw.people.baccarat_demo",) if game is None else game.rig
        people = str(ports), "--data", str(data), "--seed", str(seed), "--speed", options.speed, *lay, *rounds
        rig = stack.enter_context(TalkingProcess("rig", (sys.executable, "-m", module, *people), folder / "rig.log"))
        if rig.line(timeout=STARTS_WITHIN_S) is None:
            rig.check()
            raise UserError("The simulated table did not come up.")
        config = folder / "cutcard.toml"
        config.write_text(_config(broker, options, ports, game, seed))
        daemon = start("daemon", "controller.cli.main", "run", "--config", str(config))
        page = data / "page.url"
        deadline = time.monotonic() + STARTS_WITHIN_S
        while not page.exists():
            daemon.check()
            if time.monotonic() > deadline:
                raise UserError("The daemon did not come up.")
            time.sleep(0.02)
        yield RunningTable(folder, page.read_text().strip(), broker.port, rig, [*own, daemon])


class TalkingProcess(ChildProcess):
    """The simulated people: what they report comes line by line on their standard output."""

    def __enter__(self) -> TalkingProcess:
        super().__enter__()
        return self

    def __exit__(self, *failure: object) -> None:
        super().__exit__(*failure)
        if self._process.stdout is not None:
            self._process.stdout.close()

    def _output(self, log: IO[bytes]) -> int:
        return subprocess.PIPE

    def line(self, timeout: float) -> dict[str, object] | None:
        """The next JSON line of its standard output, or None when none comes in time."""
        import select

        out = self._process.stdout
        assert out is not None
        if not select.select([out], [], [], timeout)[0]:
            return None
        text = out.readline()
        if not text:
            time.sleep(min(timeout, 0.05))
            return None
        line: dict[str, object] = json.loads(text)
        return line


def summarise(path: Path) -> Summary:
    """The journal's rounds in one line."""
    summary = Summary()
    if not path.exists():
        return summary
    with contextlib.closing(JournalReader.read(path)) as journal:
        summary.last_seq, summary.journal_hash = journal.head.seq, journal.head.hash.hex()
        for entry in journal.entries(1):
            summary.events += entry.count
            for raw in msgspec.json.decode(entry.events, type=list[msgspec.Raw]):
                if b'"round_settled"' in bytes(raw):
                    _count(summary, ev.decode_event(bytes(raw)))
    return summary


def _count(summary: Summary, event: ev.Event) -> None:
    if not isinstance(event, ev.RoundSettled):
        return
    summary.rounds += 1
    match event.outcome:
        case "player":
            summary.player += 1
        case "banker":
            summary.banker += 1
        case "tie":
            summary.tie += 1
    summary.dragon_7 += event.flags.get("dragon_7", False)
    summary.panda_8 += event.flags.get("panda_8", False)
    summary.naturals += event.flags.get("natural", False)


def _config(broker: DemoBroker, options: DemoOptions, ports: Path, game: GameTable | None, seed: int) -> str:
    """What an installer would write for this table."""
    web_port = 0 if options.headless else options.port
    clock = "devices" if options.speed == "max" else "system"
    if game is not None:
        return game.config(broker, web_port, clock, ports)
    return f"""
site = "demo"
table = "{broker.table}"
test = true
clock = "{clock}"
seed = "{seed}"

[rules]
ruleset = "{RULESET}"

[seating]
seats = [1, 2, 3, 4, 5, 6, 7]
player_dealer = 8
min_wager = 500
max_wager = 50000

{plumbing(broker, web_port)}
[display]
ask_marks = true

[[devices]]
id = "shoe"
kind = "shoe"
url = "{ports / "shoe"}"
"""


def _check(options: DemoOptions) -> None:
    if options.speed not in ("real", "max"):
        try:
            fine = float(options.speed.removeprefix("x")) > 0
        except ValueError:
            fine = False
        if not fine:
            raise UserError(f"{options.speed!r} is no speed: give real, max, or a factor such as 5.")
    if options.rounds is not None and options.rounds < 1:
        raise UserError(f"--rounds {options.rounds}: deal at least one round.")


def _quiet(*_: object) -> None:
    """Headless: nothing but the JSON line."""
