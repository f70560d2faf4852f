"""A recording through the daemon: nothing of a round leaves before the round is over."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from controller.technician import wire_recording as module
from controller.technician.wire_recording import Wire, WireRecording, header
from devices.ports.tap import Direction, Taps
from devices.spec import DeviceSpec
from protocols.pcapng import Interface, Packet, Reader, Section

SHOE = Wire(DeviceSpec(id="shoe", kind="shoe", url="/dev/shoe"), "EZ-READ 8, serial A-1", (b"\x81\x01", b"\x82\x02"))
CUP = Wire(DeviceSpec(id="cup", kind="dice_cup", url="/dev/cup"))
KEPT_BACK_S = 0.05


@pytest.fixture(autouse=True)
def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT_BACK_S", KEPT_BACK_S)
    monkeypatch.setattr(module, "LOOK_EVERY_S", 0.01)


class Room:
    """A recorder, the taps that it follows, and what it has written."""

    def __init__(self, *, sealed: bool, round_running: bool = False) -> None:
        self.taps = Taps()
        self.recorder = WireRecording([SHOE, CUP], self.taps, sealed=sealed, round_running=round_running)
        self.given: list[bytes] = []
        self.dropped: list[int] = []
        self.looks = 0
        """How often the recorder has looked whether it may give something out."""
        self.over = asyncio.create_task(self._collect())
        self._news = asyncio.Event()

    async def _collect(self) -> None:
        reader = Reader()
        reader.feed(header([SHOE, CUP], "t"))
        async for piece in self.recorder.packets():
            self.looks += piece == b""
            for block in reader.feed(piece):
                assert isinstance(block, Packet)
                self.given.append(block.data)
                self.dropped.append(block.dropped)
            self._news.set()

    def said(self, data: bytes, wire: Wire = SHOE) -> None:
        self.taps[wire.spec.url].passed(Direction.IN, data)

    async def until(self, given: list[bytes]) -> None:
        async with asyncio.timeout(60):
            while self.given != given:
                self._news.clear()
                await self._news.wait()

    async def nothing_comes(self) -> None:
        """However much time passes: with nothing kept back for its age, the recorder looks twice and gives nothing."""
        before, looks = list(self.given), self.looks
        module.KEPT_BACK_S = 0.0
        async with asyncio.timeout(60):
            while self.looks < looks + 2:
                self._news.clear()
                await self._news.wait()
        assert self.given == before


@pytest.fixture
async def plain() -> AsyncIterator[Room]:
    room = Room(sealed=False)
    yield room
    room.recorder.give_up()
    await room.over


@pytest.fixture
async def sealed() -> AsyncIterator[Room]:
    room = Room(sealed=True)
    yield room
    room.recorder.give_up()
    await room.over


def test_a_file_states_what_it_is_and_which_devices_it_recorded() -> None:
    section, shoe, cup = Reader().feed(header([SHOE, CUP], "baccarat-1 at riverside"))
    assert isinstance(section, Section)
    assert "cards that nobody may know" in section.comment
    assert "baccarat-1 at riverside" in section.comment
    assert isinstance(shoe, Interface)
    assert shoe.name == "shoe"
    assert "EZ-READ 8, serial A-1" in shoe.comment
    assert "Its session began with 8101 and 8202." in shoe.comment
    assert isinstance(cup, Interface)
    assert cup.description == "dice_cup on /dev/cup"


async def test_between_rounds_everything_is_given_out_after_a_moment(plain: Room) -> None:
    plain.said(b"hello")
    plain.said(b"dice", CUP)
    assert plain.given == []
    await plain.until([b"hello", b"dice"])


async def test_a_plain_recording_ends_when_a_round_begins_and_forgets_the_card_that_began_it(plain: Room) -> None:
    plain.said(b"keep-alive")
    await plain.until([b"keep-alive"])
    plain.said(b"first card of the round")
    plain.recorder.round_changed(True)
    async with asyncio.timeout(60):
        await plain.over
    plain.said(b"second card")
    assert plain.given == [b"keep-alive"]


async def test_a_sealed_recording_keeps_a_round_back_until_it_is_over(sealed: Room) -> None:
    sealed.said(b"before")
    await sealed.until([b"before"])
    sealed.said(b"first card")
    sealed.recorder.round_changed(True)
    sealed.said(b"second card")
    await sealed.nothing_comes()
    sealed.recorder.round_changed(False)
    await sealed.until([b"before", b"first card", b"second card"])


async def test_a_sealed_recording_may_begin_in_mid_round() -> None:
    room = Room(sealed=True, round_running=True)
    room.said(b"card")
    await room.nothing_comes()
    room.recorder.round_changed(False)
    await room.until([b"card"])
    room.recorder.give_up()
    await room.over


async def test_a_plain_recording_that_comes_too_late_for_the_pause_ends_at_once() -> None:
    room = Room(sealed=False, round_running=True)
    room.said(b"card")
    async with asyncio.timeout(60):
        await room.over
    assert room.given == []


async def test_while_a_report_is_on_its_way_to_the_engine_nobody_knows_what_it_means(plain: Room) -> None:
    plain.said(b"a card whose commit takes its time")
    plain.recorder.report_under_way(1)
    await plain.nothing_comes()
    plain.recorder.round_changed(True)
    plain.recorder.report_under_way(-1)
    async with asyncio.timeout(60):
        await plain.over
    assert plain.given == []


async def test_a_recording_whose_time_is_up_still_gives_what_it_has(sealed: Room) -> None:
    sealed.recorder.round_changed(True)
    sealed.said(b"card")
    sealed.recorder.stop()
    sealed.said(b"too late")
    await sealed.nothing_comes()
    assert not sealed.over.done()
    sealed.recorder.round_changed(False)
    async with asyncio.timeout(60):
        await sealed.over
    assert sealed.given == [b"card"]


async def test_what_cannot_be_kept_is_counted(sealed: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_KEPT", 10)
    sealed.recorder.round_changed(True)
    for data in (b"12345", b"too much", b"also", b"123"):
        sealed.said(data)
    sealed.recorder.round_changed(False)
    await sealed.until([b"12345", b"also"])
    sealed.said(b"after")
    await sealed.until([b"12345", b"also", b"after"])
    assert sealed.dropped == [0, 1, 1]
