"""A small part of `make attacks`, another one with each commit: hostile requests and flipped bits."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocols.errors import ProtocolError
from tests.long.attacks import Done, parts
from tests.long.flips import flips
from tests.long.hostile import attack
from tests.support.hostile.fuzz import check_decoder
from tests.support.imports import needed_by
from tests.support.project import ROOT
from tests.support.running.brokers import needs_mosquitto
from tests.support.turns import turn


@pytest.mark.broker
@needs_mosquitto
async def test_hostile_requests_are_answered_and_the_table_deals_on(tmp_path: Path) -> None:
    made = await attack(tmp_path, 400, turn(), lambda text: None)
    assert made.statuses["closed"] * 10 < made.statuses.total(), "almost every request gets an answer"
    assert made.statuses["200"] > 0 and made.statuses["400"] > 0 and made.statuses["401"] > 0
    assert made.replies["malformed"] > 0 and made.replies["not_allowed"] > 0


def test_a_flipped_bit_in_a_journal_is_found_or_has_no_effect(tmp_path: Path) -> None:
    results = flips(tmp_path, 60, turn())
    assert results.total() == 60
    assert results["found"] > 0


def test_make_attacks_makes_as_many_as_the_security_page_states() -> None:
    assert {part.name: part.wanted for part in parts()} == {
        "kills": 1000,
        "flips": 1000,
        "frames": 10_000_000,
        "inputs": 1_000_000,
        "requests": 100_000,
    }


def test_a_part_goes_on_where_it_was_until_what_it_attacks_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.long.attacks.ROOT", tmp_path)
    monkeypatch.setattr("tests.long.attacks.commit", lambda: "abc1234")
    Done(1, {"kills": "k1", "frames": "f1"}).add("kills", 100, 7)
    alone = Done(1, {"frames": "f1"})
    alone.add("frames", 5000, 2)
    again = Done(1, {"kills": "k1", "frames": "f2"})
    assert again.made["kills"].count == 100, "kept, although another part was run alone meanwhile"
    assert again.made["kills"].commits == ["abc1234"]
    assert again.made["frames"].count == 0, "these frames were for another decoder"
    assert Done(2, {"kills": "k1"}).made["kills"].count == 0, "another seed"


def test_what_a_part_attacks_is_what_its_files_import() -> None:
    sources = {part.name: part for part in parts()}
    frames = {path.relative_to(ROOT).as_posix() for begin in sources["frames"].begins for path in needed_by(begin)}
    assert {"tests/support/hostile/fuzz.py", "protocols/shuffler/codec.py", "protocols/__init__.py"} <= frames
    inputs = {path.relative_to(ROOT).as_posix() for begin in sources["inputs"].begins for path in needed_by(begin)}
    assert {"controller/engine/__init__.py", "controller/engine/inputs.py", "controller/rules/__init__.py"} <= inputs
    assert "controller/web/server.py" not in inputs
    assert sources["inputs"].sources != sources["frames"].sources


def test_a_decoder_that_keeps_what_it_was_fed_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUTCARD_SOAK", "30000")
    kept: list[bytes] = []

    def keeps(data: bytes) -> bytes:
        if len(data) % 2:
            raise ProtocolError("odd")
        if len(data) % 4 == 0:
            kept.append(data)
        return data

    with pytest.raises(AssertionError, match="memory grew"):
        check_decoder("keeps", [b"four"], keeps)
