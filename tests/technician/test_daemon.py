"""The technician's commands while the daemon runs: it is asked, it withholds cards, and it keeps rounds back."""

from __future__ import annotations

import asyncio
import signal
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from protocols import shoe as shoe_messages
from protocols.link import frames
from protocols.link.framing import Deframer
from tests.support.running.brokers import free_port
from tests.support.running.tables import LaidTable, laid_table
from tests.support.running.technician_tables import Parsed, cutcard, started

CARDS = ["2h", "Kd", "Kc", "3c", "8s", "4d", "9h", "9d", "Tc", "Jc", "5s", "5d"]


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[LaidTable]:
    async with asyncio.timeout(120), laid_table(tmp_path, free_port(), cards=CARDS) as laid:
        yield laid


async def begin_round(table: LaidTable) -> None:
    """Bets are closed and two cards are out: the third is not yet known to anybody."""
    await table.console.act({"kind": "close_bets"})
    for _ in range(2):
        await draw(table)


async def draw(table: LaidTable) -> None:
    await table.shoe.draw()
    await table.shoe.wait_taken()


async def end_round(table: LaidTable) -> None:
    while (await table.console.view())["phase"] == "dealing":
        await draw(table)


def cards_in(said: bytes) -> list[str | None]:
    """The cards that a device named, each once."""
    found = [frames.decode(body) for body in Deframer().feed(said)]
    payloads = dict.fromkeys(frame.payload for frame in found if isinstance(frame, frames.Data))
    messages = [shoe_messages.decode(payload) for payload in payloads]
    return [message.card for message in messages if isinstance(message, shoe_messages.CardDrawn)]


def alarms(table: LaidTable) -> list[tuple[str, str]]:
    """Alarms of captures, as the journal has them."""
    events = [event for event in table.journal_events() if event.get("alarm", event.get("name")) == "capture"]
    return [(event["kind"], event.get("text", "")) for event in events]


# Watching


async def test_watching_a_round_shows_everything_but_the_cards(table: LaidTable) -> None:
    watching = await started("devices", "watch", "shoe", "--config", table.config)
    assert watching.stdout is not None
    seen = await watching.stdout.readline()
    await begin_round(table)
    while b"draw_no=2" not in seen:
        seen += await watching.stdout.readline()
    watching.send_signal(signal.SIGINT)
    rest, _ = await watching.communicate()
    seen += rest
    assert watching.returncode == 0
    assert b"CardDrawn(" in seen
    assert b"hex withheld: it may name cards" in seen
    for card, byte in (("2h", "22 dd"), ("Kd", "1d e2")):
        assert byte.encode() not in seen
        assert card.encode() not in seen
    for option in ("--sealed", "--take"):
        refused = await cutcard("devices", "watch", "shoe", option, "--config", table.config)
        assert refused.code == 2
        assert "are for a bench" in refused.err


# Captures


async def test_a_capture_between_rounds(table: LaidTable, tmp_path: Path) -> None:
    file = tmp_path / "table.pcapng"
    done = await cutcard("capture", file, "--seconds", "2", "--config", table.config)
    assert done.code == 0, done.err
    assert mode(file) == 0o600
    parsed = parse(file)
    assert b"t-1 at test" in parsed.section[1]
    ((_, options),) = parsed.interfaces
    assert b"SIM-SHOE, serial SIM-0001, firmware 1.0.0" in options[1]
    assert b"Its session began with 81" in options[1]
    assert {flags for _, _, flags, _ in parsed.packets} == {1, 2}, "keep-alives at least"
    (raised, text), (cleared, _) = await both_alarms(table)
    assert (raised, cleared) == ("alarm_raised", "alarm_cleared")
    assert text.startswith("the wires of shoe are being recorded by technician:")


async def both_alarms(table: LaidTable) -> list[tuple[str, str]]:
    """Until the daemon has noticed that the technician is gone."""
    while len(found := alarms(table)) < 2:
        await table.until(lambda _: True)
    return found


async def test_a_capture_is_refused_while_a_round_is_running(table: LaidTable, tmp_path: Path) -> None:
    await begin_round(table)
    done = await cutcard("capture", tmp_path / "no.pcapng", "--config", table.config)
    assert done.code == 2
    assert "A round is running" in done.err
    assert not (tmp_path / "no.pcapng").exists()
    assert alarms(table) == []


async def test_a_capture_ends_when_a_round_begins_without_its_first_card(table: LaidTable, tmp_path: Path) -> None:
    file = tmp_path / "short.pcapng"
    recording = await started("capture", file, "--config", table.config)
    await table.until(lambda _: bool(alarms(table)))
    await begin_round(table)
    _, err = await recording.communicate()
    assert recording.returncode == 0
    assert b"a round began" in err
    assert cards_in(parse(file).said()) == []


async def test_a_sealed_capture_holds_a_round_when_it_is_over_and_not_before(table: LaidTable, tmp_path: Path) -> None:
    file = tmp_path / "sealed.pcapng"
    recording = await started("capture", file, "--sealed", "--seconds", "3", "--config", table.config)
    await table.until(lambda _: bool(alarms(table)))
    await begin_round(table)
    # That no time releases them is in test_recorder.py.
    assert recording.returncode is None, "it waits for the end of the round"
    assert cards_in(parse(file).said()) == []
    await end_round(table)
    await recording.communicate()
    assert recording.returncode == 0
    assert cards_in(parse(file).said())[:2] == CARDS[:2]
    assert [kind for kind, _ in await both_alarms(table)] == ["alarm_raised", "alarm_cleared"]


async def test_a_technician_who_vanishes_in_mid_round_is_missed(table: LaidTable, tmp_path: Path) -> None:
    recording = await started("capture", tmp_path / "x.pcapng", "--sealed", "--config", table.config)
    await table.until(lambda _: bool(alarms(table)))
    await begin_round(table)
    recording.kill()
    await recording.communicate()
    assert [kind for kind, _ in await both_alarms(table)] == ["alarm_raised", "alarm_cleared"]
    assert (await table.console.view())["phase"] == "dealing"


async def test_a_daemon_that_stops_lets_its_listeners_go(table: LaidTable, tmp_path: Path) -> None:
    recording = await started("capture", tmp_path / "x.pcapng", "--config", table.config)
    watching = await started("devices", "watch", "shoe", "--config", table.config)
    assert watching.stdout is not None
    await watching.stdout.readline()
    await table.until(lambda _: bool(alarms(table)))
    assert await table.stop() == 0
    async with asyncio.timeout(20):
        await recording.communicate()
        await watching.communicate()
    assert (recording.returncode, watching.returncode) == (0, 2)
    async with aiohttp.ClientSession() as session:
        await table.start(session)
    assert [kind for kind, _ in alarms(table)] == ["alarm_raised", "alarm_cleared"], (
        "cleared at the latest by a restart"
    )


async def test_after_a_power_cut_in_mid_round_the_wires_are_left_alone(table: LaidTable, tmp_path: Path) -> None:
    await begin_round(table)
    table.kill()
    await table.stop()
    (table.data / "page.url").unlink()
    for words in (
        ["capture", str(tmp_path / "x.pcapng")],
        ["capture", str(tmp_path / "x.pcapng"), "--sealed"],
        ["devices", "watch", "shoe", "--take"],
        ["devices", "watch", "shoe", "--sealed"],
        ["devices", "send", "shoe", "permit", "up_to=9"],
    ):
        done = await cutcard(*words, "--config", table.config)
        assert done.code == 2, words
        assert "round 1 is unfinished" in done.err, words
    asked = await cutcard("devices", "send", "shoe", "status_request", "--config", table.config)
    assert "answered  Status(" in asked.out
    assert not (tmp_path / "x.pcapng").exists()


def parse(file: Path) -> Parsed:
    return Parsed.of(whole_blocks(file.read_bytes()))


def whole_blocks(data: bytes) -> bytes:
    """Without the block that is being written."""
    at = 0
    while at + 8 <= len(data) and at + (length := int.from_bytes(data[at + 4 : at + 8], "little")) <= len(data):
        at += length
    return data[:at]


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)
