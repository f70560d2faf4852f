"""The shift report proves the rotation: who banked, for which firm, and for how many hands in a row."""

from __future__ import annotations

from pathlib import Path

from controller.engine.inputs import BankAnswered, PersonNamed, TableSet
from controller.journal import JournalReader
from controller.report.ledger import read_ledger
from controller.report.lines import BankLine
from controller.report.period import shift_at
from controller.report.sheet import as_csv
from controller.report.text import as_text
from tests.report.test_report import SHIFTS
from tests.support.evidence_journals import NOON_UTC, Play, play


def test_who_banked_for_which_firm_and_how_many_hands_in_a_row(tmp_path: Path) -> None:
    async def script(table: Play) -> None:
        await table.shoe()
        await table.do(PersonNamed(8, "Ann", firm="Blue Bank"))
        for _ in range(3):
            await table.ez_round()
        await table.do(BankAnswered(3, (1, 2)))
        for _ in range(2):
            await table.ez_round()
        await table.do(TableSet(player_dealer=8), by="floor:ann")
        await table.ez_round()

    play(tmp_path / "journal.db", script)
    with JournalReader.read(tmp_path / "journal.db") as reader:
        ledger = read_ledger(reader, shift_at(NOON_UTC, SHIFTS, "UTC"))
    assert ledger.banks == [BankLine("seat 3", "", 2, 2, 0), BankLine("Ann", "Blue Bank", 4, 3, 1)]
    assert [(finding.what, finding.text) for finding in ledger.findings] == [
        ("bank_set", "Ann was set as player-dealer without an offer")
    ]
    text = as_text(ledger)
    assert "Player-dealers" in text and "Blue Bank" in text
    assert "Blue Bank: 4 hands, 3 in a row at most, 1 times kept" in as_csv(ledger)
