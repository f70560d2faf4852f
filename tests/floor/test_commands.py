"""`cutcard floor`, as a person runs it: what it prints, and what it says where something is missing."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from controller.cli.main import main
from tests.support.floor_store import SITE, an_intake, mixed, rows, take
from tests.support.recorded_days import FreshTable, Published, days
from tests.support.running.brokers import free_port


def config_file(folder: Path, store: str, *more: str) -> str:
    path = folder / "floor.toml"
    path.write_text("\n".join([f'site = "{SITE}"', f'store = "{store}"', *more, ""]))
    return str(path)


def test_show_prints_tables_and_what_is_kept_apart(
    tmp_path: Path, store: str, engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    table = FreshTable(SITE, "t-1", days()[0])
    take(an_intake(engine), [*table.events, table.head(), table.online(), Published(table.events[0].topic, b"x")])
    assert main(["floor", "show", "--config", config_file(tmp_path, store)]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[1].split()[:4] == [f"{SITE}/t-1", "online", f"{len(table.events):,}", "108"]
    assert printed[1].endswith("whole")
    assert printed[2].startswith(f"{len(table.events):,} events, 108 rounds, ")
    assert printed[3].startswith(f"kept apart: 1 times malformed ({SITE}/t-1): ")


def test_rebuild_compares_and_makes_again_what_somebody_has_changed(
    tmp_path: Path, store: str, engine: Engine, capsys: pytest.CaptureFixture[str]
) -> None:
    take(an_intake(engine), mixed([FreshTable(SITE, "t-1", days()[0])]))
    config = config_file(tmp_path, store)
    assert main(["floor", "rebuild", "--check", "--config", config]) == 0
    with engine.begin() as connection:
        connection.execute(
            text("UPDATE fee_ledger SET cents = cents + 100 WHERE seq = (SELECT min(seq) FROM fee_ledger)")
        )
    capsys.readouterr()
    assert main(["floor", "rebuild", "--check", "--config", config]) == 1
    assert "fee_ledger: 1 rows are missing or other, 1 should not be there so" in capsys.readouterr().out
    assert main(["floor", "rebuild", "--config", config]) == 0
    assert main(["floor", "rebuild", "--check", "--config", config]) == 0


@pytest.mark.parametrize("command", [["run"], ["show"], ["migrate"], ["rebuild", "--check"], ["keep"]])
def test_a_store_of_a_newer_version_is_left_alone(
    tmp_path: Path, store: str, engine: Engine, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    assert main(["floor", *command, "--config", config_file(tmp_path, store)]) == 2
    refusal = capsys.readouterr().err
    assert "is of a newer version (9999) than this program knows. Install the newer Cutcard here" in refusal
    assert refusal.count("\n") == 1
    assert rows(engine, "SELECT version_num FROM alembic_version") == [("9999",)]


def test_a_store_that_is_not_there_is_not_made_by_looking(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "floor.db"
    assert main(["floor", "show", "--config", config_file(tmp_path, str(path))]) == 2
    assert f"There is no store {path} yet" in capsys.readouterr().err
    assert not path.exists()


def test_an_empty_database_has_nothing_to_show(tmp_path: Path, empty: str, capsys: pytest.CaptureFixture[str]) -> None:
    if "://" not in empty:
        Path(empty).touch()
    assert main(["floor", "show", "--config", config_file(tmp_path, empty)]) == 2
    assert "There is nothing in the store" in capsys.readouterr().err


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    store = str(tmp_path / "file" / "floor.db")
    assert main(["floor", "run", "--config", config_file(tmp_path, store)]) == 2
    refusal = capsys.readouterr().err
    assert f"The store {store} cannot be made" in refusal
    assert refusal.count("\n") == 1


async def _lines_until(config: str, last: str) -> list[str]:
    """What `cutcard floor run` writes, up to the line with this in it."""
    command = [sys.executable, "-m", "controller.cli.main", "floor", "run", "--config", config]
    process = await asyncio.create_subprocess_exec(*command, stderr=subprocess.PIPE)
    assert process.stderr is not None
    lines: list[str] = []
    try:
        async with asyncio.timeout(60):
            while not lines or last not in lines[-1]:
                line = await process.stderr.readline()
                assert line, lines
                lines.append(line.decode())
        assert process.returncode is None
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()
    assert process.returncode == 0
    return lines


async def test_a_database_that_is_away_is_waited_for(tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    store = f"postgresql://floor@127.0.0.1:{free_port()}/cutcard?connect_timeout=5"
    lines = await _lines_until(config_file(tmp_path, store), "It is tried again every 2 seconds.")
    assert len(lines) == 1
    assert "cannot be reached" in lines[0]


async def test_a_broker_that_is_away_is_waited_for(tmp_path: Path) -> None:
    port = free_port()
    config = config_file(tmp_path, str(tmp_path / "floor.db"), "[[brokers]]", f"port = {port}")
    lines = await _lines_until(config, "is away, and is tried again")
    assert len(lines) == 1
    assert f"the broker a at 127.0.0.1:{port}" in lines[0]
