"""The real driver, a simulated shoe with its key, and on the cable between them somebody else's equipment."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from devices.link.authentication import Enrolled, Reaction, Register
from devices.reports import DeviceEvent, TamperingSeen
from protocols import shoe as wire
from protocols.link import frames, seal
from protocols.link.framing import Deframer, encode_frame
from sim_hw.devices.link_peer import LinkPeer
from sim_hw.devices.shoe import SimulatedShoe
from sim_hw.time.clock import MAX_SPEED, SimClock
from sim_hw.wire.pty import Pty
from tests.devices.test_authentication import GENUINE, Table, a_register, a_table
from tests.support.wire.firmware_images import DEVICE_KEY

HAND = ["9h", "Kd", "2c", "As"]
Frames = list[bytes]


class Relay(Pty):
    """A port whose cable has been cut open: what the shoe sends goes through somebody's hands, frame by frame."""

    def __init__(self, directory: Path, name: str) -> None:
        super().__init__(directory, name)
        self.passes: Callable[[Frames], Frames] = lambda bodies: bodies
        self.passed: Frames = []
        self._deframer = Deframer()

    def write(self, data: bytes) -> None:
        bodies = self._deframer.feed(data)
        self.passed += bodies
        for body in self.passes(bodies):
            super().write(encode_frame(body))


class Cut:
    """A table, a shoe with its key, and the relay between them."""

    def __init__(self, table: Table, shoe: SimulatedShoe, relay: Relay) -> None:
        self.table, self.shoe, self.relay = table, shoe, relay

    async def hand(self) -> None:
        """The shoe is there, loaded and open for the hand."""
        await self.table.state("online")
        self.shoe.load(decks=1, cards=HAND)
        await self.shoe.wait_taken()
        self.table.driver().permit(4, boot=self.shoe.boot)
        await self.shoe.link.wait_until(lambda: self.shoe.permit == 4)

    async def caught(self) -> TamperingSeen:
        await self.table.until(lambda: bool(self.tampering))
        return self.tampering[0]

    @property
    def tampering(self) -> list[TamperingSeen]:
        return [report for report in self.table.reports if isinstance(report, TamperingSeen)]

    @property
    def cards(self) -> list[str | None]:
        bodies = [event.body for event in self.table.events]
        return [body.card for body in bodies if isinstance(body, wire.CardDrawn)]


@asynccontextmanager
async def a_cut_cable(folder: Path, register: Register | None = None, *, seals: bool = True) -> AsyncIterator[Cut]:
    relay = Relay(folder, "shoe")
    shoe = SimulatedShoe(relay, SimClock(MAX_SPEED), seed=1)
    shoe.keyholder.key, shoe.keyholder.seals = DEVICE_KEY, seals
    shoe.plug()
    try:
        async with a_table(folder, register or a_register("refuse")) as table:
            yield Cut(table, shoe, relay)
    finally:
        shoe.unplug()


def is_card(body: bytes) -> bool:
    return body[0] == 0x13 and seal.stripped(body)[7] in wire.CARD_KINDS


async def test_a_hand_is_dealt_in_a_sealed_session(tmp_path: Path) -> None:
    async with a_cut_cable(tmp_path) as cut:
        await cut.hand()
        assert [await cut.shoe.draw() for _ in HAND] == HAND
        await cut.shoe.wait_taken()
        assert cut.cards == HAND
        assert cut.shoe.link.is_sealed
        assert cut.table.vetted()[0].findings == ()
        kinds = [body[0] for body in cut.relay.passed]
        first = kinds.index(0x13)
        assert set(kinds[first:]) <= {0x13, 0x14, 0x15, 0x17}, "after the first sealed frame there is no other"


def altered(bodies: Frames) -> Frames:
    """The nine of hearts becomes an eight, in both copies, and the CRC is made anew."""
    out = []
    for body in bodies:
        at = len(body) - seal.TRAILER_SIZE - 3
        eight = body[:at] + bytes((body[at] ^ 1, body[at + 1] ^ 1)) + body[at + 2 :] if is_card(body) else body
        out.append(eight)
    return out


def repeated(bodies: Frames) -> Frames:
    return [again for body in bodies for again in ((body, body) if is_card(body) else (body,))]


class Holding:
    """Holds a card back until the next frame has passed."""

    def __init__(self) -> None:
        self._held: Frames = []

    def __call__(self, bodies: Frames) -> Frames:
        out = []
        for body in bodies:
            if is_card(body) and not self._held:
                self._held.append(body)
            else:
                out += [body, *self._held]
                self._held = []
        return out


def injected(bodies: Frames) -> Frames:
    """A card of somebody's own goes in before the shoe's, in a plain frame of the session."""
    out = []
    for body in bodies:
        if is_card(body):
            message = wire.encode(wire.CardDrawn(boot=7, event_no=2, uptime_ms=0, draw_no=1, card="As"))
            head = seal.stripped(body)[:7]
            out.append(head + message)
        out.append(body)
    return out


@pytest.mark.parametrize(
    "passes", [altered, repeated, injected, Holding()], ids=["altered", "repeated", "injected", "reordered"]
)
async def test_what_a_relay_does_to_a_card_ends_the_session_and_nothing_is_taken_from_it(
    tmp_path: Path, passes: Callable[[Frames], Frames]
) -> None:
    async with a_cut_cable(tmp_path) as cut:
        await cut.hand()
        cut.relay.passes = passes
        await cut.shoe.draw()
        report = await cut.caught()
        assert report.device == "shoe" and report.detail
        before = list(cut.cards)
        assert "As" not in before and "8h" not in before
        cut.relay.passes = lambda bodies: bodies
        await cut.table.state("online")
        await cut.shoe.wait_taken()
        assert list(dict.fromkeys(cut.cards)) == HAND[:1], "the shoe kept its card, and sends it again"


async def test_frames_that_a_relay_drops_are_sent_again(tmp_path: Path) -> None:
    async with a_cut_cable(tmp_path) as cut:
        await cut.hand()
        dropped = [True]

        def drop(bodies: Frames) -> Frames:
            return [body for body in bodies if not (is_card(body) and dropped and dropped.pop())]

        cut.relay.passes = drop
        await cut.shoe.draw()
        await cut.shoe.wait_taken()
        assert cut.cards == HAND[:1]
        assert cut.tampering == []


def without_the_offer(bodies: Frames) -> Frames:
    """The relay makes an older device of it: "key" instead of "key and seal"."""
    out = []
    for body in bodies:
        is_response = body[0] == frames.FrameKind.DATA and body[7] == 0x83
        out.append(body[:8] + bytes((body[8] - 2,)) + body[9:] if is_response else body)
    return out


def with_another_image(bodies: Frames) -> Frames:
    """The FirmwareState of the handshake names another image than the one that runs."""
    out = []
    for body in bodies:
        is_state = body[0] == frames.FrameKind.DATA and body[7] == 0x85
        out.append(body[:27] + bytes((body[27] ^ 1,)) + body[28:] if is_state else body)
    return out


async def test_what_a_relay_makes_of_the_firmware_before_the_session_is_sealed_is_seen(tmp_path: Path) -> None:
    async with a_cut_cable(tmp_path) as cut:
        cut.relay.passes = with_another_image
        report = await cut.caught()
        assert "altered before the session was sealed" in report.detail
        assert cut.table.events == []


@pytest.mark.parametrize("trust", ["flag", "refuse"])
async def test_a_relay_cannot_take_the_offer_to_seal_back(tmp_path: Path, trust: Reaction) -> None:
    async with a_cut_cable(tmp_path, a_register(trust)) as cut:
        cut.relay.passes = without_the_offer
        await cut.table.until(lambda: bool(cut.table.vetted()))
        assert cut.table.vetted()[0].findings == ("cloned",)
        assert not cut.table.vetted()[0].proved


@pytest.mark.parametrize(
    ("trust", "findings", "state"),
    [("any", (), "online"), ("flag", ("unsealed",), "online"), ("refuse", ("unsealed",), "wrong_device")],
)
async def test_a_device_that_cannot_seal_is_used_where_the_site_allows_it(
    tmp_path: Path, trust: Reaction, findings: tuple[str, ...], state: str
) -> None:
    async with a_cut_cable(tmp_path, a_register(trust), seals=False) as cut:
        await cut.table.state(state)
        vetted = cut.table.vetted()[0]
        assert vetted.findings == findings
        assert ("cannot seal its frames" in vetted.detail) == bool(findings)
        assert not cut.shoe.link.is_sealed


async def test_where_no_key_is_enrolled_the_wire_is_as_it_always_was(tmp_path: Path) -> None:
    async with a_cut_cable(tmp_path, a_register("any", {})) as cut:
        await cut.hand()
        await cut.shoe.draw()
        await cut.shoe.wait_taken()
        assert cut.cards == HAND[:1]
        assert {body[0] for body in cut.relay.passed} <= {0x02, 0x03, 0x04, 0x05, 0x06, 0x07}


async def test_a_session_is_sealed_as_soon_as_the_key_is_enrolled(tmp_path: Path) -> None:
    register = a_register("flag", {})
    async with a_cut_cable(tmp_path, register) as cut:
        await cut.table.state("online")
        register.enroll("shoe", DEVICE_KEY)
        cut.table.driver().look_again()
        await cut.shoe.link.wait_until(lambda: cut.shoe.keyholder.is_proved)
        assert cut.shoe.link.is_sealed
        await cut.hand()
        await cut.shoe.draw()
        await cut.shoe.wait_taken()
        assert cut.cards == HAND[:1]


@pytest.mark.parametrize("trust", ["any", "flag"])
async def test_an_event_before_the_device_has_proved_itself_is_not_taken_where_it_has_a_key(
    tmp_path: Path, trust: Reaction
) -> None:
    intruder = LinkPeer(Pty(tmp_path, "shoe"), wire.DEVICE_CLASS, lambda _: None, rng=random.Random(1))
    intruder.plug()
    intruder.post(wire.encode(wire.Lid(boot=9, event_no=1, uptime_ms=0, is_open=True)), keep=True)
    try:
        async with a_table(tmp_path, a_register(trust, {"shoe": GENUINE})) as table:
            state = await table.state("wrong_device")
            assert "before it had identified itself" in state.detail
            assert [report for report in table.reports if isinstance(report, DeviceEvent)] == []
    finally:
        intruder.unplug()


async def test_a_keyless_entry_is_asked_for_no_seal(tmp_path: Path) -> None:
    without_key = Enrolled(model="SIM-SHOE", serial="SIM-0001", firmware="1.0.0")
    async with asyncio.timeout(30), a_cut_cable(tmp_path, a_register("refuse", {"shoe": without_key})) as cut:
        await cut.table.state("online")
        assert cut.table.vetted()[0].findings == ()
