"""`cutcard tail`: what somebody sees who watches tables from the broker."""

from __future__ import annotations

import asyncio
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import aiomqtt
import msgspec
import pytest

from controller.cli.main import main
from controller.contract import AlarmDocument, Online, Topics, encode
from controller.tail.follow import Follower, Hole, ReceivedEvent, TableName
from tests.support.running.brokers import Mosquitto, free_port, mosquitto, needs_mosquitto
from tests.support.running.tables import laid_table

pytestmark = [pytest.mark.broker, needs_mosquitto]


JOURNAL = "0d" * 16
LINKS: dict[tuple[str, int], bytes] = {}
"""Of the last message that was made with this number: the next one follows from it."""


def event(seq: int, body: dict[str, Any], *, table: str = "t-1", round: int = 3, **more: Any) -> tuple[str, bytes]:
    """Topic and payload, as docs/mqtt/README.md has them."""
    document: dict[str, Any] = {
        "seq": seq,
        "journal": JOURNAL,
        "site": "bay101",
        "table": table,
        "round": round,
        "round_id": f"{JOURNAL}-{round}",
        "at": 1_763_260_000_000 + seq,
        "kind": body["kind"],
        "currency": "USD",
        "body": body,
        "hash": "ab" * 32,
        **more,
    }
    historical = document.pop("historical", False)
    chained = msgspec.json.encode(document)[:-1]
    before = LINKS.get((table, seq - 1), bytes(32))
    link = LINKS[table, seq] = sha256(before + chained).digest()
    end = b',"historical":true}' if historical else b"}"
    payload = chained + b',"link":"' + link.hex().encode() + b'"' + end
    return f"cutcard/v2/bay101/{table}/event/{body['kind']}", payload


def card(seq: int, code: str = "9h", **more: Any) -> tuple[str, bytes]:
    return event(seq, {"kind": "card_dealt", "to": "player", "nth": 1, "card": code}, **more)


class Watcher:
    """`cutcard tail` as a process, read line by line."""

    def __init__(self, process: Process) -> None:
        self._process = process

    async def line(self) -> str:
        assert self._process.stdout is not None
        async with asyncio.timeout(20):
            return (await self._process.stdout.readline()).decode().rstrip("\n")

    async def until(self, words: str) -> list[str]:
        """The lines up to the one that has these words."""
        lines = [await self.line()]
        while words not in lines[-1]:
            assert lines[-1], lines
            lines.append(await self.line())
        return lines

    async def warned(self, words: str) -> str:
        assert self._process.stderr is not None
        async with asyncio.timeout(20):
            while words not in (line := (await self._process.stderr.readline()).decode()):
                assert line
        return line

    async def end_by_itself(self) -> tuple[int, str]:
        async with asyncio.timeout(20):
            _, error = await self._process.communicate()
        return self._process.returncode or 0, error.decode()

    async def end(self, how: signal.Signals = signal.SIGINT) -> tuple[int, str]:
        """Exit code, and what it said on standard error since."""
        self._process.send_signal(how)
        return await self.end_by_itself()


@asynccontextmanager
async def tail(port: int, *arguments: str) -> AsyncIterator[Watcher]:
    """Watching; the broker need not be there yet."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "controller.cli", "tail", "--port", str(port), *arguments, stdout=PIPE, stderr=PIPE
    )
    try:
        yield Watcher(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path_factory.mktemp("tail")) as running:
        yield running


@asynccontextmanager
async def table(broker: Mosquitto, name: str) -> AsyncIterator[aiomqtt.Client]:
    """Somebody who speaks as a table, and whose retained messages are gone afterwards."""
    async with aiomqtt.Client("127.0.0.1", broker.port, protocol=aiomqtt.ProtocolVersion.V5) as client:
        online = f"cutcard/v2/bay101/{name}/online"
        alarm = f"cutcard/v2/bay101/{name}/alarm/disk_low"
        here = {"online": True, "session": "s", "journal": JOURNAL, "since": 1763260000000}
        await client.publish(online, msgspec.json.encode(here), qos=1, retain=True)
        raised = {
            "journal": JOURNAL,
            "site": "bay101",
            "table": name,
            "alarm": "disk_low",
            "state": "raised",
            "text": "only 480 MB are free",
            "raised_at": 1,
            "acknowledged_by": "floor:ann",
            "acknowledged_at": 2,
            "cleared_at": None,
        }
        await client.publish(alarm, msgspec.json.encode(raised), qos=1, retain=True)
        yield client
        for topic in (online, alarm):
            await client.publish(topic, b"", qos=1, retain=True)


async def test_events_are_printed_in_the_words_of_the_felt_with_holes_and_without_repeats(broker: Mosquitto) -> None:
    async with table(broker, "t-1") as client, tail(broker.port, "--site", "bay101", "--table", "t-1") as watcher:
        retained = sorted([await watcher.line(), await watcher.line()])
        assert retained[0] == "bay101/t-1 ALARM disk_low: only 480 MB are free (acknowledged by floor:ann)"
        assert retained[1].startswith("bay101/t-1 is online since 2025-11-1")
        for message in (card(7), card(8, "Ts"), card(7), card(8, "Ts"), card(12, test=True), card(14)):
            await client.publish(*message, qos=1)
        away = msgspec.json.encode({"online": False, "session": "s", "journal": JOURNAL})
        await client.publish("cutcard/v2/bay101/t-1/online", away, qos=1)
        lines = await watcher.until("OFFLINE")
    assert [line.split(maxsplit=4 if "TEST" in line else 3)[-1] for line in lines if "Player" in line] == [
        "7  Player, card 1: 9♥",
        "8  Player, card 1: 10♠",
        "12  Player, card 1: 9♥",
        "14  Player, card 1: 9♥",
    ]
    assert lines[2] == "-------- bay101/t-1      9 to 11 were not received (3 events)"
    assert "bay101/t-1 TEST   3" in lines[3]
    assert lines[4] == "-------- bay101/t-1      13 was not received"
    assert lines[-1] == "bay101/t-1 is OFFLINE"


async def test_a_journal_that_was_rolled_back_is_shown_loudly_and_followed(broker: Mosquitto) -> None:
    async with table(broker, "t-1") as client, tail(broker.port, "--table", "t-1", "--site", "bay101") as watcher:
        await watcher.until("ALARM disk_low")
        for message in (card(7), card(8), card(9), card(8, "2c"), card(9, "3c"), card(10, "4c")):
            await client.publish(*message, qos=1)
        lines = [line for line in await watcher.until("4♣") if "online" not in line]
    assert "ROLLED BACK: event 8 contradicts what was received up to event 9" in lines[3]
    assert [line.split()[-1] for line in lines[4:]] == ["2♣", "3♣", "4♣"]


async def test_an_event_that_does_not_follow_from_the_last_one_is_a_rollback_too(broker: Mosquitto) -> None:
    """What was rolled back was missed, and the numbers fit."""
    async with table(broker, "t-1") as client, tail(broker.port, "--json", "--kind", "no_such") as watcher:
        await watcher.until('"alarm"')
        for message in (card(20), card(21)):
            await client.publish(*message, qos=1)
        card(21, "2c")  # never sent
        await client.publish(*card(22), qos=1)
        lines = await watcher.until("rolled_back")
    rolled = {"site": "bay101", "table": "t-1", "journal": JOURNAL, "seq": 22, "last": 21}
    assert msgspec.json.decode(lines[-1]) == {"rolled_back": rolled}


def test_an_alarm_of_an_earlier_journal_is_not_shown() -> None:
    follower, base = Follower(), Topics("bay101", "t-1")
    now, before = "1f" * 16, "0d" * 16
    online = encode(Online(True, "run-1", now, 1))
    assert len(list(follower.receive(base.online, online, retained=True))) == 1
    for journal, shown in ((now, 1), (before, 0)):
        alarm = AlarmDocument(journal, "bay101", "t-1", "disk_low", "raised", "no room", 1, None, None, None)
        assert len(list(follower.receive(base.alarm("disk_low"), encode(alarm), retained=True))) == shown


async def test_another_journal_is_another_series(broker: Mosquitto) -> None:
    async with table(broker, "t-1") as client, tail(broker.port, "--table", "t-1", "--site", "bay101") as watcher:
        await watcher.until("ALARM disk_low")
        new = "ab" * 16
        for message in (card(7), card(1, "2c", journal=new), card(2, "3c", journal=new)):
            await client.publish(*message, qos=1)
        lines = [line for line in await watcher.until("3♣") if "online" not in line]
    assert f"NEW JOURNAL {new}; until now it was {JOURNAL}" in lines[1]
    assert len(lines) == 4 and not any("not received" in line for line in lines)


async def test_a_whole_site_is_watched_each_table_with_its_own_numbers(broker: Mosquitto) -> None:
    async with table(broker, "t-1") as one, tail(broker.port, "--ascii") as watcher:
        await watcher.until("ALARM")
        for message in (card(5), card(90, table="t-2"), card(6), card(91, table="t-2"), card(7, "2c")):
            await one.publish(*message, qos=1)
        lines = [line for line in await watcher.until("2c") if "card" in line]
    assert [line.split()[1] for line in lines] == ["bay101/t-1", "bay101/t-2"] * 2 + ["bay101/t-1"]
    assert not any("not received" in line for line in lines)
    assert lines[0].endswith("9h")


async def test_a_filter_hides_events_but_no_hole(broker: Mosquitto) -> None:
    async with table(broker, "t-1") as client, tail(broker.port, "--kind", "alarm_*") as watcher:
        await watcher.until("ALARM disk_low")
        for message in (card(1), card(2), card(4), event(5, {"kind": "alarm_raised", "alarm": "jam", "text": "jam!"})):
            await client.publish(*message, qos=1)
        lines = [line for line in await watcher.until("jam!") if "online" not in line]
    assert len(lines) == 2
    assert "3 was not received" in lines[0]
    assert lines[1].endswith("ALARM jam: jam!")


async def test_programs_get_the_events_as_they_came_and_holes_as_objects(broker: Mosquitto) -> None:
    async with table(broker, "t-1") as client, tail(broker.port, "--json") as watcher:
        kinds = {next(key for key in msgspec.json.decode(await watcher.line()) if key not in ("site", "table"))}
        kinds |= {next(key for key in msgspec.json.decode(await watcher.line()) if key not in ("site", "table"))}
        assert kinds == {"online", "alarm"}
        await client.publish(*card(1), qos=1)
        await client.publish(*card(3), qos=1)
        lines = [await watcher.line() for _ in range(3)]
    assert lines[0].encode() == card(1)[1]
    assert msgspec.json.decode(lines[1]) == {"hole": {"site": "bay101", "table": "t-1", "first": 2, "last": 2}}
    assert lines[2].encode() == card(3)[1]


async def test_colours_are_for_terminals_and_nobody_steers_the_watchers_screen(broker: Mosquitto) -> None:
    nasty = event(1, {"kind": "alarm_raised", "alarm": "x", "text": "\x1b[2Jgone"})
    async with table(broker, "t-1") as client, tail(broker.port, "--color", "always") as coloured:
        await coloured.until("ALARM disk_low")
        async with tail(broker.port) as piped:
            await piped.until("ALARM disk_low")
            await client.publish(*nasty, qos=1)
            assert "\x1b[31mALARM x: \ufffd[2Jgone\x1b[0m" in (await coloured.until("gone"))[-1]
            assert "\x1b" not in (await piped.until("gone"))[-1]


async def test_what_is_not_an_event_is_said_and_passed_over(broker: Mosquitto) -> None:
    async with table(broker, "t-1") as client, tail(broker.port) as watcher:
        await watcher.until("ALARM disk_low")
        await client.publish("cutcard/v2/bay101/t-1/event/card_dealt", b"not json", qos=1)
        await client.publish(*event(2, {"kind": "meteor_strike", "craters": 2}), qos=1)
        lines = await watcher.until("craters")
    assert any("cutcard/v2/bay101/t-1/event/card_dealt: cannot be read" in line for line in lines)
    assert lines[-1].endswith("Meteor strike (craters 2)")


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
async def test_ctrl_c_ends_it_without_a_word(broker: Mosquitto, how: signal.Signals) -> None:
    async with table(broker, "t-1"), tail(broker.port) as watcher:
        await watcher.until("ALARM disk_low")
        assert await watcher.end(how) == (0, "")


async def test_a_broker_that_goes_is_waited_for_and_what_was_missed_is_a_hole(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        async with tail(broker.port) as watcher:
            async with table(broker, "t-1") as client:
                await watcher.until("ALARM disk_low")
                await client.publish(*card(1), qos=1)
                await watcher.until("card 1")
            broker.kill()
            await watcher.warned("is away")
            broker.start()
            async with table(broker, "t-1") as client:
                await watcher.until("ALARM disk_low")
                await client.publish(*card(4), qos=1)
                lines = await watcher.until("card 1")
    assert "2 to 3 were not received" in lines[-2]


async def test_a_table_is_asked_for_its_past_and_then_watched(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        async with laid_table(tmp_path, broker.port) as laid:
            await laid.people.play(1)
            before = len(laid.journal_events())
            async with tail(broker.port, "--site", "test", "--table", "t-1", "--since-seq", "1", "--json") as watcher:
                receive = [msgspec.json.decode(line) for line in await watcher.until(f'"seq":{before},')]
                await laid.people.play(1)
                events = laid.journal_events()
                receive += [msgspec.json.decode(line) for line in await watcher.until(f'"seq":{len(events)},')]
    published = [thing for thing in receive if "body" in thing]
    assert [thing["seq"] for thing in published] == list(range(1, len(events) + 1))
    assert not any("hole" in thing for thing in receive)
    assert published[0]["historical"] is True


async def test_the_end_of_the_past_meets_the_present_without_a_hole_or_a_repeat() -> None:
    follower, one = Follower(), TableName("bay101", "t-1")
    follower.begin_replay(one, 3)
    live = [thing for seq in (6, 7) for thing in follower.receive(*card(seq), retained=False)]
    reply = "cutcard/v2/reply/tail/monitor/bay101/t-1"
    past = [thing for seq in (3, 4, 6) for thing in follower.receive(reply, card(seq)[1], retained=False)]
    after = list(follower.end_replay(one))
    assert live == []
    assert [thing.event.seq if isinstance(thing, ReceivedEvent) else thing for thing in past] == [
        3,
        4,
        Hole(one, 5, 5),
        6,
    ]
    assert [thing.event.seq for thing in after if isinstance(thing, ReceivedEvent)] == [7]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--since-seq", "4"], "--site and one --table"),
        (["--site", "A B"], "'A B' is not the name"),
        (["--as", "bob/janitor"], "dealer, floor, technician, monitor"),
        (["--cert", "no-such-file"], "no-such-file cannot be used"),
    ],
)
def test_what_cannot_be_watched_is_said_in_one_paragraph(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tail", "--port", str(free_port()), *arguments]) == 2
    assert words in capsys.readouterr().err


async def test_a_broker_that_refuses_us_ends_it(tmp_path: Path) -> None:
    (tmp_path / "users").write_text("")
    with mosquitto(tmp_path, "allow_anonymous false", f"password_file {tmp_path / 'users'}") as broker:
        async with tail(broker.port) as watcher:
            code, error = await watcher.end_by_itself()
    assert code == 2
    assert "refuses" in error
