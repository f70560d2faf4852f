"""`make bench` runs and prints its figures. No test checks how fast it is: that depends on the machine."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.bench.__main__ import main
from tests.bench.figures import Report
from tests.games.poker.phh.make import FILE
from tests.support.running.brokers import MOSQUITTO
from tests.support.running.browsers import chromium_path
from tests.support.running.doubled_floor import FAILURES
from tests.support.running.postgres import BINARIES

TINY = [
    "--stale",
    "0.5",
    "--rounds",
    "3",
    "--commits",
    "20",
    "--cards",
    "40",
    "--repeats",
    "1",
    "--idle",
    "0.5",
    "--wear",
    "3",
    "--starts",
    "1",
    "--latency",
    "3",
    "--babbled",
    "5",
    "--acts",
    "10",
    "--strangers",
    "20",
    "--backlog",
    "300",
    "--tables",
    "4",
    "--table-rounds",
    "1",
    "--stored-tables",
    "1",
    "--page-states",
    "10",
    "--hands",
    str(FILE.parent),
]
WEAR = [f"written to disk a round, {way}" for way in ("as a table does", "without a broker", "without snapshots")]
"""On a disk only: the tests' folder may be in memory."""
WITHOUT_A_BROKER = [
    "EZ rounds, cutcard verify",
    "EZ rounds, chain and re-run",
    "engine inputs of EZ rounds",
    "no-limit hands, our sample",
    "limit hold'em hands, our sample",
    "pot-limit Omaha hands, our sample",
    "Omaha high-low hands, our sample",
    "seven-card stud hands, our sample",
    "seven-card stud high-low hands, our sample",
    "Razz hands, our sample",
    "deuce to seven, three draws hands, our sample",
    "deuce to seven, one draw hands, our sample",
    "Badugi hands, our sample",
    "no-limit hands, public histories",
    "limit hold'em hands, public histories",
    "pot-limit Omaha hands, public histories",
    "Omaha high-low hands, public histories",
    "seven-card stud hands, public histories",
    "seven-card stud high-low hands, public histories",
    "Razz hands, public histories",
    "deuce to seven, three draws hands, public histories",
    "deuce to seven, one draw hands, public histories",
    "Badugi hands, public histories",
    "seven-card hands ranked",
    "shoe: frames to messages",
    "shuffler: frames to messages",
    "dice cup: frames to messages",
    "key panel: frames to messages",
    "drop box: Modbus replies",
    "reader board: packets",
    "card reader: HID reports",
    "idle daemon, of one core",
    "durable commits of an input",
    "daemon, no device: start to ready",
    "daemon, no device: memory",
    "daemon, six devices: start to ready",
    "daemon, six devices: memory",
    "EZ rounds recorded, each input durable",
    "card beside three babblers",
    "act before a crowd, median",
    "act before a crowd, 99th percentile",
    "act before a crowd, processor time, median",
    "act before a crowd, processor time, 99th percentile",
    "act before a crowd over TLS, median",
    "act before a crowd over TLS, 99th percentile",
    "act before a crowd over TLS, processor time, median",
    "act before a crowd over TLS, processor time, 99th percentile",
]
WITH_A_BROKER = [
    "card to subscriber, median",
    "card to subscriber, 99th percentile",
    "events of a backlog of 300 published, the table playing on",
    "4 tables on one broker: rounds, none lost",
    "4 tables on one broker: events received",
    "4 tables on one broker: broker, CPU a round",
    "4 tables on one broker: table, CPU a round",
]
WITH_POSTGRESQL = ["events of 1 tables into PostgreSQL"]
WITH_A_BROWSER = ["event to tile, 160 tables, median", "event to tile, 160 tables, 95th percentile"]
WITH_ALL = [f"oldest screen, {name}" for each in FAILURES for name in (each, f"{each}, and is back")]
WITH_BOTH = ["events of 1 tables, broker to PostgreSQL"]


def test_the_benchmarks_print_a_table_and_write_the_same_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "figures.json"
    assert main([*TINY, "--most-hands", "2", "--disk", str(tmp_path), "--json", str(file)]) == 0
    written = msgspec.json.decode(file.read_bytes(), type=Report)
    printed = capsys.readouterr().out
    names = dict.fromkeys(figure.name.removesuffix(", from the sources") for figure in written.figures)
    assert [name for name in names if name in WEAR] in ([], WEAR)
    assert [name for name in names if name not in WEAR] == (
        WITHOUT_A_BROKER
        + (WITH_A_BROKER if MOSQUITTO else [])
        + (WITH_POSTGRESQL if BINARIES else [])
        + (WITH_BOTH if MOSQUITTO and BINARIES else [])
        + (WITH_A_BROWSER if chromium_path() else [])
        + (["oldest screen, every part is there", *WITH_ALL] if chromium_path() and MOSQUITTO and BINARIES else [])
    )
    for figure in written.figures:
        assert f"{figure.ours:,.0f}{figure.unit}" in next(
            line for line in printed.splitlines() if line.startswith(f"{figure.name}  ")
        )
    assert [path.name for path in tmp_path.iterdir()] == ["figures.json"]


def test_a_folder_without_histories_is_named(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=str(tmp_path)):
        main([*TINY, "--hands", str(tmp_path)])
