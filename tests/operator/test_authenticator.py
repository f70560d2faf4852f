"""The door: who gets in with a PIN or a badge, and what somebody who is wrong learns and costs."""

from __future__ import annotations

import asyncio
import shutil
import statistics
import time
from pathlib import Path

import pytest

from controller.engine.actor import Actor
from controller.engine.inputs import SignInSeen
from controller.operator import sign_in_limits
from controller.operator.authenticator import Authenticator, Denied
from controller.operator.roles import Role
from controller.operator.sessions import FAILURE_EVERY_S, FAILURES_AT_ONCE, SignIn, SignIns
from controller.operator.staff import FILE, Person, Staff, write_staff

ANN, SAM = Person("ann", Role.FLOOR), Person("sam", Role.DEALER)
ANNS_PIN, SAMS_PIN, BADGE = "915582", "270461", "0042-7716"
WRONG = "1357"
TABLET, OFFICE, STRANGER = "10.0.0.7", "10.0.0.8", "10.0.0.66"
EVERYBODY = ("ann", "1002", "sam", "1001", "nobody", "7777")


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def hired(tmp_path_factory: pytest.TempPathFactory) -> Path:
    staff = Staff("5a" * 16).with_member("ann", Role.FLOOR, "1002", ANNS_PIN, badge=BADGE)
    staff = staff.with_member("sam", Role.DEALER, "1001", SAMS_PIN)
    file = tmp_path_factory.mktemp("staff") / FILE
    write_staff(file, staff)
    return file


@pytest.fixture
def file(hired: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(hired, tmp_path))


async def answer(door: Authenticator, who: str, pin: str, client: str) -> tuple[str, str]:
    """Why and how somebody is refused; "in" where he is not."""
    try:
        await door.by_pin(who, pin, client)
    except Denied as denied:
        return denied.why, denied.text
    return "in", ""


async def wrong(door: Authenticator, who: str, client: str, tries: int) -> list[str]:
    return [(await answer(door, who, WRONG, client))[0] for _ in range(tries)]


# Who gets in


async def test_name_or_number_with_the_pin_or_the_badge_alone(file: Path) -> None:
    door = Authenticator(file)
    assert await door.by_pin("ann", ANNS_PIN) == ANN
    assert await door.by_pin("1002", ANNS_PIN) == ANN
    assert await door.by_badge(BADGE) == ANN
    assert ANN.at_console(TABLET).by == "floor:ann"


@pytest.mark.parametrize(
    ("who", "pin"), [("ann", SAMS_PIN), ("sam", ANNS_PIN), ("nobody", ANNS_PIN), ("ann", ""), ("", "")]
)
async def test_a_wrong_half_is_refused_without_saying_which(file: Path, who: str, pin: str) -> None:
    with pytest.raises(Denied, match=r"^Name and PIN do not fit\.$"):
        await Authenticator(file).by_pin(who, pin)


# Waits


async def test_wrong_tries_make_a_name_wait_longer_each_time_and_a_right_one_forgives(file: Path) -> None:
    clock = Clock()
    door = Authenticator(file, clock)
    assert await wrong(door, "ann", TABLET, 5) == ["denied"] * 4 + ["locked"]
    assert await answer(door, "ann", ANNS_PIN, TABLET) == ("locked", "Too many wrong tries here; wait 60 seconds.")
    assert (await answer(door, "sam", SAMS_PIN, TABLET))[0] == "in", "only that name waits"
    for wait in (60, 120, 240, 480, 900, 900):
        clock.now += wait
        why, text = await answer(door, "ann", WRONG, TABLET)
        assert why == "locked" and f"wait {min(2 * wait, 900)} seconds" in text
    clock.now += 900
    assert (await answer(door, "ann", ANNS_PIN, TABLET))[0] == "in"
    assert await wrong(door, "ann", TABLET, 5) == ["denied"] * 4 + ["locked"]


async def test_nobody_learns_from_the_answers_who_is_on_the_staff(file: Path) -> None:
    """The same tries get the same answers for a name, a staff number and a name that nobody has."""
    all_answers = []
    for who in ("ann", "1002", "nobody"):
        clock = Clock()
        shutil.copy(file, file.parent / who)
        door = Authenticator(file.parent / who, clock)
        answers = []
        for client in (STRANGER, OFFICE):
            for _ in range(6):
                answers.append(await answer(door, who, WRONG, client))
        clock.now += 61
        answers += [await answer(door, who, WRONG, STRANGER) for _ in range(2)]
        all_answers.append(answers)
        (file.parent / sign_in_limits.FILE).unlink()
    assert all(answers == all_answers[0] for answers in all_answers)


async def test_a_client_that_tries_one_pin_on_many_names_waits_with_all_of_them(file: Path) -> None:
    door = Authenticator(file, Clock())
    answers = [(await answer(door, str(number), WRONG, STRANGER))[0] for number in range(1001, 1031)]
    assert answers == ["denied"] * 19 + ["locked"] * 11
    assert (await answer(door, "sam", SAMS_PIN, TABLET))[0] == "in"


async def test_strangers_cannot_keep_the_staff_from_their_own_consoles(file: Path) -> None:
    clock = Clock()
    door = Authenticator(file, clock)
    assert (await answer(door, "sam", SAMS_PIN, TABLET))[0] == "in"
    for number in range(10):
        await wrong(door, "sam", f"10.0.1.{number}", 1)
    assert (await answer(door, "sam", SAMS_PIN, TABLET))[0] == "in", "he has signed in there before"
    assert (await answer(door, "1001", SAMS_PIN, "board"))[0] == "in", "the board itself"
    assert (await answer(door, "1001", SAMS_PIN, "panel:keys"))[0] == "in", "a key panel"
    assert (await answer(door, "ann", ANNS_PIN, OFFICE))[0] == "in", "somebody else, anywhere"
    elsewhere = await answer(door, "sam", SAMS_PIN, OFFICE)
    assert elsewhere == ("denied", "Name and PIN do not fit."), "a stranger who has found the PIN does not learn it"


def test_a_pin_is_not_guessed_from_many_addresses(file: Path) -> None:
    """Ten tries, then about a hundred in a day: one of all PINs of four digits in a hundred days."""
    clock, tries = Clock(), 0
    limits = sign_in_limits.SignInLimits(file.parent / sign_in_limits.FILE, clock)
    while clock.now < 24 * 3600:
        if limits.withholds_pin(f"10.1.0.{tries % 250}", "sam"):
            clock.now += 1
        else:
            tries += 1
            limits.wrong_pin(f"10.1.0.{tries % 250}", "sam", "sam")
    assert tries < 110


async def test_whoever_is_kept_out_by_strangers_does_not_prolong_it(file: Path) -> None:
    clock = Clock()
    door = Authenticator(file, clock)
    for number in range(10):
        await wrong(door, "sam", f"10.0.1.{number}", 1)
    for _ in range(3):
        assert (await answer(door, "sam", SAMS_PIN, OFFICE))[0] == "denied"
        clock.now += 20.1
    assert (await answer(door, "sam", SAMS_PIN, OFFICE))[0] == "in"


async def test_wrong_pins_do_not_close_the_badges(file: Path) -> None:
    door = Authenticator(file, Clock())
    for who in EVERYBODY * 5:
        await answer(door, who, WRONG, STRANGER)
    assert (await answer(door, "ann", ANNS_PIN, STRANGER))[0] == "locked"
    assert await door.by_badge(BADGE, STRANGER) == ANN


async def test_wrong_badges_make_one_client_wait_and_no_other(file: Path) -> None:
    door = Authenticator(file, Clock())
    for number in range(20):
        with pytest.raises(Denied, match="nobody's here"):
            await door.by_badge(f"{number}", STRANGER)
    with pytest.raises(Denied, match="Too many"):
        await door.by_badge(BADGE, STRANGER)
    assert await door.by_badge(BADGE, TABLET) == ANN
    assert (await answer(door, "sam", SAMS_PIN, STRANGER))[0] == "in", "PINs have a count of their own"


async def test_a_name_that_nobody_has_takes_as_long_as_one_that_is_there(file: Path) -> None:
    door = Authenticator(file)

    async def took(who: str) -> float:
        began = time.perf_counter()
        await answer(door, who, WRONG, STRANGER)
        return time.perf_counter() - began

    await took("ann")
    known = [await took(who) for who in ("ann", "1002", "sam", "1001")]
    unknown = [await took(who) for who in ("bob", "7777", "kim", "8888")]
    assert 0.2 < statistics.median(unknown) / statistics.median(known) < 5


# A restart


async def test_a_restart_forgets_no_wrong_try_and_ends_no_wait(file: Path) -> None:
    clock = Clock()
    assert await wrong(Authenticator(file, clock), "ann", STRANGER, 4) == ["denied"] * 4
    clock.now = 1_000_000.0
    assert await wrong(Authenticator(file, clock), "ann", STRANGER, 1) == ["locked"]
    clock.now = 5.0
    door = Authenticator(file, clock)
    assert await answer(door, "ann", ANNS_PIN, STRANGER) == ("locked", "Too many wrong tries here; wait 60 seconds.")
    assert WRONG not in (file.parent / sign_in_limits.FILE).read_text()


async def test_a_restart_knows_where_somebody_has_signed_in_before(file: Path) -> None:
    assert (await answer(Authenticator(file, Clock()), "sam", SAMS_PIN, TABLET))[0] == "in"
    for number in range(10):
        await wrong(Authenticator(file, Clock()), "sam", f"10.0.1.{number}", 1)
    door = Authenticator(file, Clock())
    assert (await answer(door, "sam", SAMS_PIN, OFFICE))[0] == "denied"
    assert (await answer(door, "sam", SAMS_PIN, TABLET))[0] == "in"


async def test_a_damaged_file_of_tries_starts_from_zero(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    for content in ("{", '{"key": "x"}', "[]"):
        (file.parent / sign_in_limits.FILE).write_text(content)
        assert (await answer(Authenticator(file), "sam", SAMS_PIN, TABLET))[0] == "in"
    assert caplog.text.count("count from zero") == 3


async def test_the_file_of_tries_stays_small_whoever_comes(file: Path) -> None:
    clock = Clock()
    limits = sign_in_limits.SignInLimits(file.parent / sign_in_limits.FILE, clock)
    limits.right(TABLET, "sam", "sam")
    for number in range(2000):
        for typed in range(30):
            limits.wrong_pin(f"10.2.{number // 250}.{number % 250}", f"{typed}", None)
    snapshot = limits.snapshot({"sam"})
    assert len(snapshot) < 512 * 1024
    limits.write(snapshot)
    assert sign_in_limits.SignInLimits(file.parent / sign_in_limits.FILE, clock).is_familiar(TABLET)
    clock.now += 25 * 3600
    assert len(limits.snapshot({"sam"})) < 200, "a day without a wrong try forgets it"


# Many at once


async def test_a_crowd_of_strangers_does_not_stand_before_the_dealer(file: Path) -> None:
    door = Authenticator(file)
    await door.by_pin("sam", SAMS_PIN, TABLET)
    crowd = [asyncio.create_task(answer(door, "sam", WRONG, f"10.0.1.{number}")) for number in range(100)]
    alone = [asyncio.create_task(answer(door, "sam", WRONG, STRANGER)) for _ in range(10)]
    await asyncio.sleep(0)
    assert (await answer(door, "sam", SAMS_PIN, TABLET))[0] == "in"
    answers = [why for why, _ in await asyncio.gather(*crowd, *alone)]
    assert answers.count("busy") >= 94 and "in" not in answers


# What is recorded


class Book:
    """What would be in the journal."""

    def __init__(self) -> None:
        self.seen: list[SignInSeen] = []

    async def __call__(self, seen: SignInSeen, person: Actor | None, *, is_alarm: bool = False) -> None:
        self.seen.append(seen)


async def test_a_flood_of_failures_is_counted_and_does_not_fill_the_journal(file: Path) -> None:
    clock, book = Clock(), Book()
    sign_ins = SignIns(Authenticator(file, clock), book, clock)

    async def fail(client: str) -> None:
        with pytest.raises(Denied):
            await sign_ins.sign_in(SignIn(badge="0"), client)

    for number in range(FAILURES_AT_ONCE + 20):
        await fail(f"10.0.1.{number}")
    assert len(book.seen) == FAILURES_AT_ONCE and {seen.others for seen in book.seen} == {0}
    clock.now += FAILURE_EVERY_S
    await fail(STRANGER)
    await fail(STRANGER)
    assert (len(book.seen), book.seen[-1].others) == (FAILURES_AT_ONCE + 1, 20)
    await sign_ins.sign_in(SignIn(name="sam", pin=SAMS_PIN), TABLET)
    assert (book.seen[-1].what, book.seen[-1].others, book.seen[-1].client) == ("signed_in", 1, TABLET)


async def test_a_failure_names_only_who_is_on_the_staff(file: Path) -> None:
    book = Book()
    sign_ins = SignIns(Authenticator(file), book)
    for name in ("sam", "1001", "2704"):
        with pytest.raises(Denied):
            await sign_ins.sign_in(SignIn(name=name, pin=WRONG), STRANGER)
    assert [seen.name for seen in book.seen] == ["sam", "sam", ""]
    assert "2704" not in repr(book.seen) and WRONG not in repr(book.seen)


async def test_the_command_s_changes_count_at_once_and_end_open_sessions(file: Path) -> None:
    book = Book()
    sign_ins = SignIns(Authenticator(file), book)
    session = await sign_ins.sign_in(SignIn(name="ann", pin=ANNS_PIN))
    assert sign_ins.who(session.token) == ANN.at_console(sign_in_limits.BOARD) and sign_ins.is_open(session.token)
    write_staff(file, Staff("5a" * 16).with_member("sam", Role.DEALER, "1001", SAMS_PIN))
    assert sign_ins.who(session.token) is None and not sign_ins.is_open(session.token)
    with pytest.raises(Denied):
        await sign_ins.sign_in(SignIn(name="ann", pin=ANNS_PIN))
    assert [seen.what for seen in book.seen] == ["signed_in", "failed"]


async def test_a_sign_in_that_cannot_be_written_down_does_not_happen(file: Path) -> None:
    async def note(seen: SignInSeen, person: Actor | None, *, is_alarm: bool = False) -> None:
        raise Denied("journal", "the disk is full", is_recorded=False)

    with pytest.raises(Denied, match="the disk is full"):
        await SignIns(Authenticator(file), note).sign_in(SignIn(name="ann", pin=ANNS_PIN))
