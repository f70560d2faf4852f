"""An older Cutcard finds the journal of a newer one: it goes on where it understands everything, else says so."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from controller.cli.main import main
from controller.journal import Journal, JournalReader
from controller.journal.reader import pack_state, snapshot_hash
from tests.support.evidence_journals import EZ, SITE, TABLE, play_ez
from tests.support.evidence_journals import PLAYER_WINS as HAND
from tests.support.journals import change

CONFIG = (
    f'site = "{SITE}"\ntable = "{TABLE}"\ntest = true\n[rules]\nruleset = "{EZ}"\n[mqtt]\nstart_without_broker = true\n'
)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A table of two rounds, its daemon stopped."""
    (tmp_path / "data").mkdir()
    play_ez(tmp_path / "data" / "journal.db", HAND, HAND)
    file = tmp_path / "cutcard.toml"
    file.write_text(CONFIG)
    return file


def refusal(config: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What the older program says, having written nothing."""
    journal = config.parent / "data" / "journal.db"
    with JournalReader.read(journal) as reader:
        before = list(reader.entries())
    assert main(["run", "--config", str(config)]) == 2
    with JournalReader.read(journal) as reader:
        assert list(reader.entries()) == before
    return capsys.readouterr().err


def test_a_journal_of_a_newer_format_is_refused(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(config.parent / "data" / "journal.db", "PRAGMA user_version = 2")
    assert main(["run", "--config", str(config)]) == 2
    assert "its format is 2, this program knows 1. Use the newer program." in capsys.readouterr().err


def test_a_newer_kind_of_input_since_the_last_round_is_not_passed_over(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal.open(config.parent / "data" / "journal.db", site=SITE, table=TABLE) as journal:
        n = journal.append_now(2, b'{"at":9000000000000,"by":"dealer","body":{"kind":"of_next_year"}}', []).n
    said = refusal(config, capsys)
    assert f"entry {n}: this program does not know such an input" in said and "go back to the Cutcard" in said


def test_a_newer_part_of_the_tables_state_is_not_forgotten(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = config.parent / "data" / "journal.db"
    with JournalReader.read(journal) as reader:
        stored = reader.last_snapshot()
        assert stored is not None
        n, state = stored
        entry = next(reader.entries(n, n + 1))
    newer = msgspec.json.decode(state)
    newer["state"]["setup"]["lamp"] = {"colour": "green"}
    data = msgspec.json.encode(newer)
    row = pack_state(data), snapshot_hash(entry.hash, data), n
    change(journal, "UPDATE snapshot SET state = ?, hash = ? WHERE n = ?", *row)
    said = refusal(config, capsys)
    assert f"entry {n}: this program does not know snapshot.state.setup.lamp" in said
