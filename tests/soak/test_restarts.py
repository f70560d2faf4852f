"""A start after every entry: nothing differs in an honest journal, and what a start gets wrong is found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from controller.engine.table.engine import TableEngine
from controller.engine.table.state import Resolver, TableState
from controller.recorder import recorder
from controller.recorder.recorder import Snapshot
from controller.rules import resolve
from controller.soak import restarts as checked
from controller.soak.restarts import restarts
from tests.support.evidence_journals import EZ, play_at_random


@pytest.mark.parametrize("ruleset", [EZ, "bankers-texas-holdem"])
def test_a_start_anywhere_gives_the_same_table(tmp_path: Path, ruleset: str) -> None:
    journal = tmp_path / "journal.db"
    play_at_random(journal, ruleset, seed=3)
    assert list(restarts(journal, resolve)) == []


def test_a_start_that_forgets_something_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def otherwise(n: int, snapshot: bytes) -> Snapshot:
        read = recorder.read_snapshot(n, snapshot)
        return replace(read, state=replace(read.state, clock="synced"))

    monkeypatch.setattr(checked, "read_snapshot", otherwise)
    journal = tmp_path / "journal.db"
    play_at_random(journal, EZ, seed=3)
    (problem,) = restarts(journal, resolve)
    assert problem.endswith("after a start clock is another")


def test_a_start_that_shows_something_else_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Since when the table waits is in no lasting state and in no event: only the retained document has it."""

    def otherwise(state: TableState, resolver: Resolver) -> TableEngine[Any]:
        engine = recorder.engine_from(state, resolver)
        monkeypatch.setattr(engine.waits, "note", lambda: None)
        return engine

    def no_looks(_looks: object, _engine: object, _value: object) -> bool:
        return False

    monkeypatch.setattr(checked, "engine_from", otherwise)
    monkeypatch.setattr(checked.Looks, "at", no_looks)
    journal = tmp_path / "journal.db"
    play_at_random(journal, EZ, seed=3)
    (problem,) = restarts(journal, resolve)
    assert "after a start a public document is another" in problem
