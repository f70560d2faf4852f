"""The lines of `cutcard tail` for people: their words, what repeats, alarms that are no more."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.contract.messages import AlarmDocument, Online, encode
from controller.engine.alarms import DISK_LOW, advice
from controller.tail.follow import Follower, Garbled
from controller.tail.show import ForPeople, ForPrograms, Output
from tests.tail.test_tail import JOURNAL, event

SHOE = {"model": "SIM-SHOE", "serial": "SIM-0001", "image": "1a28071b2402fc21"}
HERE = "cutcard/v2/bay101/t-1"


def device(state: str) -> dict[str, Any]:
    return {"kind": "device", "device": "shoe", "state": state, "facts": SHOE}


def shown(bodies: list[dict[str, Any]], output: Output | None = None) -> list[str]:
    """The lines of these events."""
    follower, output = Follower(), output or ForPeople()
    lines: list[str] = []
    for seq, body in enumerate(bodies, 1):
        for thing in follower.receive(*event(seq, body), retained=False):
            lines += output.lines(thing)
    lines += output.rest()
    return lines


WAGER = {"kind": "wager_placed", "place": 3, "wager": "player", "cents": 1000}
RAISED = {"kind": "alarm_raised", "alarm": "disk_low", "text": "only 480 MB are free"}


def said(bodies: list[dict[str, Any]]) -> str:
    return "\n".join(shown(bodies))


def test_a_message_that_is_nested_without_end_is_passed_over() -> None:
    topic, _ = event(1, WAGER)
    deep = b'{"kind":"wager_placed","body":' + b"[" * 50_000
    (thing,) = Follower().receive(topic, deep, retained=False)
    assert isinstance(thing, Garbled)


def test_a_device_is_named_without_its_papers() -> None:
    text = said([device("offline"), device("online"), device("lid_open")])
    assert "The shoe DOES NOT ANSWER" in text and "The shoe works" in text and "The shoe is lid open" in text
    assert not any(fact in text for fact in SHOE.values())


@pytest.mark.parametrize(
    ("body", "words", "not_for_people"),
    [
        (
            {"kind": "command", "command": "void", "by": "floor:ann", "request": "c0ffee", "ok": True},
            "floor ann asked for 'void' from outside: done",
            "c0ffee",
        ),
        (
            {"kind": "table_started", "version": "1.2.3", "ruleset": "bankers-ez", "digest": "abcd1234"},
            "The table's computer has started; it deals bankers-ez",
            "abcd1234",
        ),
    ],
)
def test_numbers_for_inspectors_are_left_out(body: dict[str, Any], words: str, not_for_people: str) -> None:
    assert words in said([body])
    assert not_for_people not in said([body])


def test_an_alarm_has_what_to_do_about_it() -> None:
    assert f"To do: {advice(DISK_LOW.of()).to_do}" in said([RAISED])


def test_what_alternates_is_shown_once_and_counted_when_something_else_happens() -> None:
    lines = shown([device("offline"), device("online")] * 4 + [WAGER])
    assert [line.split("  ")[-1] for line in lines] == [
        "The shoe DOES NOT ANSWER",
        "The shoe works",
        "4 times: The shoe DOES NOT ANSWER",
        "4 times: The shoe works",
        "Seat 3 wagers $10.00 on player",
    ]


def test_a_storm_is_seen_while_it_lasts_and_its_end_is_counted() -> None:
    lines = shown([device("online")] * 123)
    assert [line.split("  ")[-1] for line in lines] == [
        "The shoe works",
        "10 times: The shoe works",
        "100 times: The shoe works",
        "123 times: The shoe works",
    ]


def test_what_belongs_to_play_is_never_grouped() -> None:
    assert len(shown([WAGER] * 3)) == 3


def test_programs_get_every_event() -> None:
    assert len(shown([device("online")] * 5, ForPrograms())) == 5


def test_different_lines_are_all_shown() -> None:
    states = [f"state_{n}" for n in range(20)]
    lines = shown([device(state) for state in states])
    assert [line.split("  ")[-1] for line in lines] == [f"The shoe is {s.replace('_', ' ')}" for s in states]


def alarms(online: Online | None, journal: str = JOURNAL) -> list[str]:
    """What is shown of a retained alarm."""
    follower, output = Follower(), ForPeople()
    if online is not None:
        list(follower.receive(f"{HERE}/online", encode(online), retained=True))
    alarm = AlarmDocument(journal, "bay101", "t-1", "disk_low", "raised", "only 480 MB are free", 1, None, None, None)
    things = follower.receive(f"{HERE}/alarm/disk_low", msgspec.json.encode(alarm), retained=True)
    return [line for thing in things for line in output.lines(thing)]


def test_no_alarm_of_an_earlier_journal_or_of_a_table_that_is_no_more_is_shown() -> None:
    online = Online(True, "s", JOURNAL, 1)
    assert alarms(online) == ["bay101/t-1 ALARM disk_low: only 480 MB are free"]
    assert alarms(online, journal="0e" * 16) == []
    assert alarms(None) == []
    (line,) = alarms(Online(False, "s", JOURNAL))
    assert line.endswith("(last known: the table is offline)")
