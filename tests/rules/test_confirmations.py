"""Confirmations: each signed, for one site, by a key that the table trusts; every other is refused in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.board_key import BoardKey
from controller.errors import UserError
from controller.rules import load
from controller.rules.confirmations import FILE, Confirmations, add_confirmations, confirm, read_confirmations
from controller.rules.confirming import Answers, agreed, described, walk
from controller.rules.readings import Reading, readings_of

EZ = "bankers-ez-baccarat-panda-8"
READINGS = readings_of(load(EZ))


def a_key() -> BoardKey:
    return BoardKey(Ed25519PrivateKey.generate())


def signed(folder: Path, key: BoardKey, *, site: str = "room", readings: tuple[Reading, ...] = READINGS) -> Path:
    path = folder / FILE
    add_confirmations(path, confirm(readings, site=site, by="R. Ortega", at="2026-11-18T16:40:00Z", key=key))
    return path


def rewritten(path: Path, field: str, value: Any) -> None:
    """One field of the first entry, changed by hand."""
    content = msgspec.json.decode(path.read_bytes())
    content["confirmations"][0][field] = value
    path.write_bytes(msgspec.json.encode(content))


def test_what_the_board_signed_counts_on_the_board(tmp_path: Path) -> None:
    key = a_key()
    found = read_confirmations(signed(tmp_path, key), "room", [key.public])
    assert found.refused == ()
    assert found.open_of(READINGS) == []
    assert found.standing(READINGS[0]) == f"confirmed by R. Ortega on 2026-11-18, key {key.public[:16]}"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("by", "Somebody Else"),
        ("value", 3),
        ("at", "2026-11-19T16:40:00Z"),
        ("digest", "0" * 64),
        ("site", "elsewhere"),
    ],
)
def test_a_confirmation_that_was_changed_after_it_was_signed_does_not_count(
    tmp_path: Path, field: str, value: object
) -> None:
    key = a_key()
    path = signed(tmp_path, key)
    rewritten(path, field, value)
    found = read_confirmations(path, "room", [key.public])
    assert found.open_of(READINGS) == [READINGS[0]]
    assert "was changed after it was signed" in found.refused[0]


def test_a_confirmation_of_another_site_or_key_does_not_count_and_says_why(tmp_path: Path) -> None:
    key = a_key()
    path = signed(tmp_path, key)
    elsewhere = read_confirmations(path, "other-room", [key.public])
    assert elsewhere.valid == ()
    assert "it is for the site room, this table is at other-room" in elsewhere.refused[0]
    stranger = read_confirmations(path, "room", [a_key().public])
    assert stranger.valid == ()
    assert "name it in confirmation_keys" in stranger.refused[0]


def test_a_key_of_the_site_counts_on_every_table_that_names_it(tmp_path: Path) -> None:
    site, board = a_key(), a_key()
    found = read_confirmations(signed(tmp_path, site), "room", [board.public, site.public])
    assert found.open_of(READINGS) == []


@pytest.mark.parametrize("content", [b"", b"[]", b'{"format":1,"confirmations":[{}]}', b"\xff\xfe", b'{"format":2}'])
def test_a_file_that_is_none_confirms_nothing_and_is_not_overwritten(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / FILE
    path.write_bytes(content)
    found = read_confirmations(path, "room", [])
    assert found.valid == ()
    assert "no file of confirmations" in found.refused[0]
    with pytest.raises(UserError, match="no file of confirmations"):
        signed(tmp_path, a_key())
    assert path.read_bytes() == content


def test_a_file_is_added_to_once_for_each_confirmation(tmp_path: Path) -> None:
    key = a_key()
    path = signed(tmp_path, key, readings=READINGS[:2])
    first = read_confirmations(path, "room", [key.public]).valid
    assert add_confirmations(path, first) == 0
    signed(tmp_path, key, readings=READINGS[2:])
    assert read_confirmations(path, "room", [key.public]).open_of(READINGS) == []


def test_a_changed_value_is_open_again_and_shown_as_changed(tmp_path: Path) -> None:
    key = a_key()
    found = read_confirmations(signed(tmp_path, key), "room", [key.public])
    with_six = readings_of(load(EZ), {"decks": 6})
    (left,) = found.open_of(with_six)
    assert left.name == "decks"
    assert found.standing(left) == "not confirmed: changed since R. Ortega confirmed it on 2026-11-18"


def test_a_reading_whose_text_changed_is_open_again_and_the_others_are_not(tmp_path: Path) -> None:
    key = a_key()
    found = read_confirmations(signed(tmp_path, key), "room", [key.public])
    updated = [msgspec.structs.replace(READINGS[0], text="Another text."), *READINGS[1:]]
    assert found.open_of(updated) == updated[:1]


def test_the_walk_confirms_what_is_answered_with_yes() -> None:
    shown: list[str] = []
    answers = iter(["perhaps", "y", "n", "y", "q"])
    confirmed = walk(READINGS, Confirmations(), lambda _: next(answers), shown.append)
    assert confirmed == [READINGS[0], READINGS[2]]
    assert any("under [rules.options]" in line or "is none of" in line for line in shown)


def test_a_reading_is_described_with_text_lines_choices_and_default() -> None:
    reading = next(reading for reading in READINGS if reading.name == "banker_three_card_seven")
    text = " ".join(" ".join(described(reading, Confirmations())).split())
    for part in ("reading A1", "1171, 1206", "never mentions a push", '"pay"', '"push"', "(default)", "Not confirmed"):
        assert part in text


def test_a_file_of_answers_confirms_only_the_values_in_force() -> None:
    found = agreed(READINGS, Answers("R. Ortega", {"decks": 8, f"{EZ} burn": "none"}))
    assert [reading.name for reading in found] == ["decks", "burn"]
    with pytest.raises(UserError, match="the answer is 6, the table is set to 8"):
        agreed(READINGS, Answers("R. Ortega", {"decks": 6}))
    with pytest.raises(UserError, match="No reading of this table is named deck"):
        agreed(READINGS, Answers("R. Ortega", {"deck": 8}))
