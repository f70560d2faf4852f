"""What differs from an earlier packet is the first page; a packet is made again byte for byte."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.packet.compare import compare
from controller.packet.document import Grid, decode, encode
from controller.packet.make import make

EZ = "bankers-ez-baccarat-panda-8"
Printed = pytest.CaptureFixture[str]


def rows(*pair: dict[str, object]) -> list[tuple[str, ...]]:
    earlier, now = (make(EZ, choice) for choice in pair)
    (section,) = compare(now, earlier)
    return [row for block in section.blocks if isinstance(block, Grid) for row in block.rows]


def test_nothing_is_different_from_itself() -> None:
    assert rows({}, {}) == []


def test_a_changed_choice_is_named_where_it_matters() -> None:
    found = {(row[1], row[2]): row[3:] for row in rows({}, {"banker_three_card_seven": "push"})}
    earlier, now = found["changed", "As printed and read: banker_three_card_seven"]
    assert earlier.startswith('"pay" (line 1171, 1206')
    assert now.startswith('"push" (this table\'s choice')
    edge = "Counted over every ordered outcome of a full shoe of 8 decks: banker line"
    assert found["changed", edge][1].startswith("the player-dealer's 1.0183 %")
    assert not [name for _, name in found if name.startswith("Order of")]


def test_another_posted_collection_is_one_removed_and_one_added() -> None:
    found = rows({"schedule": "ca-2/ez-baccarat/1"}, {"schedule": "ca-2/ez-baccarat/2"})
    named = {(row[1], row[2].rpartition(" ")[2]) for row in found if row[0] == "Collection"}
    assert {("removed", "2053-2057"), ("added", "2058-2062")} <= named


def test_a_packet_of_other_rules_cannot_be_compared(tmp_path: Path, capsys: Printed) -> None:
    other = tmp_path / "other.json"
    assert main(["rules", "packet", "village-ez-baccarat", "--out", str(other)]) == 0
    assert main(["rules", "packet", EZ, "--against", str(other), "--out", str(tmp_path)]) == 2
    assert "Give one of the same rules" in capsys.readouterr().err


def test_the_page_alone_is_enough_to_compare_with(tmp_path: Path, capsys: Printed) -> None:
    assert main(["rules", "packet", EZ, "--out", str(tmp_path)]) == 0
    page = tmp_path / f"{EZ}.html"
    assert capsys.readouterr().out.split() == [str(page), str(page.with_suffix(".pdf"))]
    assert main(["rules", "show", EZ, "--option", "decks=6", "--against", str(page)]) == 0
    shown = capsys.readouterr().out
    assert shown.splitlines()[2] == "CHANGES"
    assert "416 in all" in shown
    assert "312 in all" in shown


def test_what_is_no_packet_is_rejected(tmp_path: Path, capsys: Printed) -> None:
    wrong = tmp_path / "wrong.html"
    wrong.write_text("<p>hello</p>")
    assert main(["rules", "packet", EZ, "--against", str(wrong), "--out", str(tmp_path)]) == 2
    assert "is no packet" in capsys.readouterr().err
    assert main(["rules", "packet", EZ, "--out", str(tmp_path / "packet.doc")]) == 2
    assert "end the name in .html, .pdf, .json, .txt" in capsys.readouterr().err
    assert not list(tmp_path.glob("packet*"))


def test_another_process_makes_the_same_bytes() -> None:
    """Nothing in it depends on the order of a set."""
    code = f"import sys; from controller.packet.make import make; from controller.packet.document import encode; sys.stdout.buffer.write(encode(make({EZ!r})))"  # noqa: E501
    environment = {**os.environ, "PYTHONHASHSEED": "5"}
    made = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True).stdout
    assert made == encode(make(EZ))


def test_a_confirmed_reading_names_who_confirmed_it(tmp_path: Path, capsys: Printed) -> None:
    config = tmp_path / "cutcard.toml"
    config.write_text(
        f'site = "s"\ntable = "t"\ndata = "data"\n[rules]\nruleset = "{EZ}"\n'
        '[rules.options]\nschedule = "ca-2/ez-baccarat/1"\n'
    )
    packet = tmp_path / "packet.json"

    def standing() -> set[str]:
        assert main(["rules", "packet", "--config", str(config), "--out", str(packet)]) == 0
        blocks = decode(packet.read_bytes(), "it").section("readings").blocks
        return {row[-1].partition(" on ")[0] for block in blocks if isinstance(block, Grid) for row in block.rows}

    assert standing() == {"not confirmed"}
    assert main(["rules", "confirm", "--config", str(config), "--all", "--by", "Officer"]) == 0
    assert standing() == {"confirmed by Officer"}
    assert "All" in capsys.readouterr().out


def test_the_houses_own_jackpot_and_what_is_printed_about_it_are_in_the_packet(tmp_path: Path, capsys: Printed) -> None:
    config = tmp_path / "cutcard.toml"
    config.write_text(
        'site = "s"\ntable = "t"\ntest = true\n[seating]\nseats = [1, 2, 3]\nplayer_dealer = 7\n'
        '[rules]\nruleset = "calgrand-pai-gow-poker"\n'
        '[rules.options]\nschedule = { id = "bjpg-r2-A-jp1", jackpot_minimum_hands = 3 }\n'
        '[[jackpots]]\nname = "royal"\nseed = 50000\nsource = "house rules, page 4"\n'
        '[[jackpots.prizes]]\nname = "royal"\nqualifies = "A royal flush."\nshares = [{ to = "hand" }]\n'
    )
    assert main(["rules", "show", "--config", str(config)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "house rules, page 4" in shown and "A royal flush." in shown
    assert "2267" in shown.partition("Fees for a jackpot")[2]
