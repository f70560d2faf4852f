"""People with PINs and badges: the file, and the command that writes it."""

from __future__ import annotations

import io
import stat
from pathlib import Path

import pytest

from controller.cli import main
from controller.demo.staff import NOTES, hire
from controller.operator.authenticator import Authenticator
from controller.operator.roles import Role
from controller.operator.staff import FILE, Staff, StaffError, read_staff, write_staff

PIN, BADGE = "915582", "0042-7716"
CONFIG = """
site = "test"
table = "t-1"
[rules]
ruleset = "bankers-ez-baccarat-panda-8"
options.schedule = "ca-2/ez-baccarat/1"
"""


@pytest.fixture(scope="module")
def staff() -> Staff:
    return (
        Staff("5a" * 16)
        .with_member("ann", Role.FLOOR, "1002", PIN, full_name="Ann Example", badge=BADGE)
        .with_member("sam", Role.DEALER, "1001", "270461")
    )


@pytest.fixture
def file(tmp_path: Path, staff: Staff) -> Path:
    write_staff(tmp_path / FILE, staff)
    return tmp_path / FILE


# The file


def test_the_file_holds_no_pin_and_no_badge_and_only_the_service_reads_it(file: Path) -> None:
    text = file.read_text()
    assert PIN not in text and BADGE not in text and "270461" not in text
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [member.name for member in read_staff(file).people] == ["ann", "sam"]


def test_equal_pins_have_different_hashes() -> None:
    staff = Staff("5a" * 16).with_member("a", Role.FLOOR, "1001", PIN).with_member("b", Role.FLOOR, "1002", PIN)
    first, second = staff.people
    assert first.pin.hash != second.pin.hash


@pytest.mark.parametrize("pin", ["", "123", "1234", "9876", "7777", "0123456", "12a4", "1" * 13, "8901"])
def test_a_pin_that_a_stranger_tries_first_is_not_taken(pin: str) -> None:
    with pytest.raises(StaffError):
        Staff("5a" * 16).with_member("ann", Role.FLOOR, "1002", pin)


@pytest.mark.parametrize(
    ("name", "number"), [("Ann", "1002"), ("", "1002"), ("ann b", "1002"), ("ann", "12"), ("ann", "x")]
)
def test_names_stand_in_the_journal_and_numbers_on_a_keypad(name: str, number: str) -> None:
    with pytest.raises(StaffError, match="small letters"):
        Staff("5a" * 16).with_member(name, Role.FLOOR, number, PIN)


def test_a_number_or_a_badge_is_one_person_s(staff: Staff) -> None:
    with pytest.raises(StaffError, match="ann has the number 1002"):
        staff.with_member("bob", Role.FLOOR, "1002", PIN)
    with pytest.raises(StaffError, match="ann has that badge"):
        staff.with_member("bob", Role.FLOOR, "1003", PIN, badge=BADGE)


def test_a_damaged_file_is_reported_and_lets_nobody_in(file: Path) -> None:
    file.write_text("{")
    with pytest.raises(StaffError, match="is damaged"):
        read_staff(file)
    assert not Authenticator(file).knows_somebody


# Simulated people


def test_simulated_people_have_pins_of_their_own_for_each_table(tmp_path: Path) -> None:
    hire(tmp_path / "a")
    hire(tmp_path / "b")
    assert (tmp_path / "a" / NOTES).read_text() != (tmp_path / "b" / NOTES).read_text()
    assert {member.role for member in read_staff(tmp_path / "a" / FILE).people} == {Role.DEALER, Role.FLOOR}


# The command


def run(monkeypatch: pytest.MonkeyPatch, folder: Path, *arguments: str, typed: str = "") -> int:
    (folder / "cutcard.toml").write_text(CONFIG)
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    return main.main(["staff", *arguments, "--config", str(folder / "cutcard.toml")])


def test_somebody_is_added_listed_and_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, tmp_path, "list") == 0
    assert "Nobody yet" in capsys.readouterr().out
    added = ("add", "ann", "--role", "floor", "--number", "1002", "--badge")
    assert run(monkeypatch, tmp_path, *added, typed=f"{PIN}\n{BADGE}\n") == 0
    assert run(monkeypatch, tmp_path, "list") == 0
    listed = capsys.readouterr().out
    assert "ann   floor  1002    yes" in listed and PIN not in listed
    (member,) = read_staff(tmp_path / "data" / FILE).people
    assert member.pin.is_of(PIN)
    assert run(monkeypatch, tmp_path, "remove", "ann") == 0
    assert read_staff(tmp_path / "data" / FILE).people == ()


def test_what_is_wrong_is_said_in_one_paragraph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, tmp_path, "remove", "ann") == 2
    assert "There is no 'ann' on the staff" in capsys.readouterr().err
    assert run(monkeypatch, tmp_path, "add", "ann", "--role", "floor", "--number", "1002", typed="1234\n") == 2
    assert "a stranger tries" in capsys.readouterr().err
