"""Which device is on the port: proved, unknown, swapped, cloned, changed, restarted; flagged or refused."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from msgspec.structs import replace

from devices.drivers.shoe import ShoeDriver
from devices.link.authentication import DeviceVetted, Enrolled, Finding, Reaction, Register, policy_of
from devices.link.connection import connect
from devices.reports import DeviceEvent, DeviceState, Report
from devices.spec import DeviceSpec
from devices.supervisor import Supervisor
from protocols import shoe as wire
from protocols.firmware import companion
from protocols.firmware.authentication import Challenge, Exchange, Proof, ProofState, Response
from protocols.link import identity
from protocols.link.session import LinkStatistics, Timings
from sim_hw.devices.link_peer import LinkPeer
from sim_hw.devices.shoe import SimulatedShoe
from sim_hw.firmware.bootloader import Bootloader
from sim_hw.firmware.keyholder import Keyholder
from sim_hw.time.clock import MAX_SPEED, SimClock
from sim_hw.wire.pty import Pty
from tests.support.wire.firmware_images import DEVICE_KEY, an_image
from tests.support.wire.listener import PATIENCE, Inbox, running

OTHER_KEY = bytes(range(100, 132))
GENUINE = Enrolled(model="SIM-SHOE", serial="SIM-0001", key=DEVICE_KEY, firmware="1.0.0")


class Table(Inbox):
    """Shoes on ports, the drivers under one supervisor with one register."""

    def __init__(self, folder: Path, register: Register, *names: str) -> None:
        super().__init__()
        self.folder, self.register = folder, register
        specs = [DeviceSpec(id=name, kind="shoe", url=str(folder / name)) for name in names]
        self.supervisor = Supervisor(specs, self.sink, rng=random.Random(1))
        for name in names:
            self.driver(name).companion.register = register

    def driver(self, name: str = "shoe") -> ShoeDriver:
        return self.supervisor.driver(name, ShoeDriver)

    async def state(self, *states: str, of: str = "shoe") -> DeviceState:
        await self.until(lambda: self.supervisor.states[of].state in states)
        return self.supervisor.states[of]

    def vetted(self, of: str = "shoe") -> list[DeviceVetted]:
        return [report for report in self.reports if isinstance(report, DeviceVetted) and report.device == of]

    @property
    def events(self) -> list[DeviceEvent]:
        return [report for report in self.reports if isinstance(report, DeviceEvent)]


def a_table(folder: Path, register: Register, *names: str) -> AbstractAsyncContextManager[Table]:
    return running(Table(folder, register, *(names or ("shoe",))))


@asynccontextmanager
async def a_shoe(
    folder: Path,
    name: str = "shoe",
    *,
    key: bytes | None = DEVICE_KEY,
    serial: str = "SIM-0001",
    firmware: str = "1.0.0",
) -> AsyncIterator[SimulatedShoe]:
    shoe = SimulatedShoe(Pty(folder, name), SimClock(MAX_SPEED), seed=name, serial=serial, firmware=firmware)
    shoe.keyholder.key = key
    shoe.plug()
    try:
        yield shoe
    finally:
        shoe.unplug()


def a_register(
    trust: Reaction,
    enrolled: Mapping[str, Enrolled] | None = None,
    exceptions: Mapping[Finding, Reaction] | None = None,
) -> Register:
    return Register({"shoe": GENUINE} if enrolled is None else enrolled, policy_of(trust, exceptions))


@pytest.mark.parametrize("trust", ["any", "flag", "refuse"])
async def test_the_enrolled_shoe_proves_itself_and_nothing_is_found(tmp_path: Path, trust: Reaction) -> None:
    async with a_shoe(tmp_path) as shoe, a_table(tmp_path, a_register(trust)) as table:
        shoe.load(decks=1, cards=["9h", "Kd"])
        await table.state("online")
        await shoe.wait_taken()
        (vetted,) = table.vetted()
        assert vetted.proved
        assert vetted.findings == ()
        assert not vetted.refused
        assert len(table.events) == 1
        reports: list[Report] = [vetted, *table.events]
        assert [report for report in table.reports if not isinstance(report, DeviceState)] == reports


@dataclass(frozen=True)
class Stranger:
    """A shoe on the port, what is enrolled, and what should be found."""

    finding: Finding
    says: str
    enrolled: dict[str, Enrolled] = field(default_factory=lambda: {"shoe": GENUINE})
    key: bytes | None = DEVICE_KEY
    serial: str = "SIM-0001"


STRANGERS = [
    Stranger("unknown", "nobody has enrolled SIM-SHOE SIM-0001 as shoe", enrolled={}),
    Stranger("cloned", "calls itself SIM-SHOE SIM-0001 and does not know its key", key=OTHER_KEY),
    Stranger("cloned", "calls itself SIM-SHOE SIM-0001 and has no key", key=None),
    Stranger(
        "swapped",
        "shoe should be SIM-SHOE SIM-0001, but SIM-SHOE SIM-0666 answers, which nobody has enrolled",
        serial="SIM-0666",
    ),
    Stranger(
        "swapped",
        "but SIM-SHOE SIM-0002 answers, which belongs at spare",
        enrolled={"shoe": GENUINE, "spare": Enrolled(model="SIM-SHOE", serial="SIM-0002", key=OTHER_KEY)},
        key=OTHER_KEY,
        serial="SIM-0002",
    ),
]
any_stranger = pytest.mark.parametrize("stranger", STRANGERS, ids=lambda stranger: stranger.says)


@any_stranger
async def test_a_shoe_that_does_not_belong_is_flagged_and_used_where_the_site_wants_it_so(
    tmp_path: Path, stranger: Stranger
) -> None:
    async with (
        a_shoe(tmp_path, key=stranger.key, serial=stranger.serial) as shoe,
        a_table(tmp_path, a_register("flag", stranger.enrolled)) as table,
    ):
        shoe.load(decks=1, cards=["9h"])
        await table.state("online")
        await shoe.wait_taken()
        (vetted,) = table.vetted()
        assert vetted.findings == (stranger.finding,)
        assert stranger.says in vetted.detail
        assert not vetted.refused
        assert shoe.keyholder.is_proved == vetted.proved, "our proof is shown to nobody but its owner"
        assert vetted.proved == ("belongs at spare" in stranger.says)


@any_stranger
async def test_a_shoe_that_does_not_belong_is_refused_and_none_of_its_events_is_taken(
    tmp_path: Path, stranger: Stranger
) -> None:
    async with (
        a_shoe(tmp_path, key=stranger.key, serial=stranger.serial) as shoe,
        a_table(tmp_path, a_register("refuse", stranger.enrolled)) as table,
    ):
        shoe.load(decks=1, cards=["9h"])
        state = await table.state("wrong_device")
        assert stranger.says in state.detail
        assert table.vetted()[0].findings == (stranger.finding,)
        assert table.vetted()[0].refused
        assert table.events == []
        assert shoe.link.kept == 1


@any_stranger
async def test_where_the_site_takes_any_device_nothing_is_found(tmp_path: Path, stranger: Stranger) -> None:
    register = a_register("any", stranger.enrolled)
    async with a_shoe(tmp_path, key=stranger.key, serial=stranger.serial), a_table(tmp_path, register) as table:
        await table.state("online")
        assert table.vetted()[0].findings == ()


async def test_a_device_without_this_page_still_works_where_any_is_taken_and_is_unknown_elsewhere(
    tmp_path: Path,
) -> None:
    def old_firmware(request: bytes) -> None:
        match wire.decode(request):
            case identity.Identify():
                answer: wire.Answer = identity.Identity(boot=9, model="OLD", serial="1", firmware="0.9")
            case identity.StatusRequest():
                answer = wire.Status(boot=9, draw_no=0, up_to=0, lid_open=False, cards_left=None)
            case _:
                return
        old.post(wire.encode(answer), keep=False)

    old = LinkPeer(Pty(tmp_path, "shoe"), wire.DEVICE_CLASS, old_firmware, rng=random.Random(1))
    old.plug()
    old.post(wire.encode(wire.Lid(boot=9, event_no=1, uptime_ms=0, is_open=True)), keep=True)
    try:
        async with a_table(tmp_path, a_register("refuse")) as table:
            state = await table.state("wrong_device")
            assert "sent an event before it had identified itself" in state.detail
            assert old.kept == 1
        async with a_table(tmp_path, a_register("flag", {"shoe": Enrolled(model="OLD", serial="1")})) as table:
            await table.state("online")
            (vetted,) = table.vetted()
            assert vetted.findings == ()
            assert (vetted.bootloader, vetted.image, vetted.hardware) == (None, None, None)
            assert len(table.events) == 1
        async with a_table(
            tmp_path, a_register("flag", {"shoe": Enrolled(model="OLD", serial="1", key=DEVICE_KEY)})
        ) as table:
            await table.state("online")
            assert "cannot answer a challenge" in table.vetted()[0].detail
    finally:
        old.unplug()


async def test_one_serial_number_on_two_ports_is_a_clone_whichever_comes_second(tmp_path: Path) -> None:
    register = a_register("refuse", {"left": GENUINE, "right": GENUINE}, {"swapped": "any"})
    async with (
        a_table(tmp_path, register, "left", "right") as table,
        a_shoe(tmp_path, "left") as left,
    ):
        await table.state("online", of="left")
        async with a_shoe(tmp_path, "right"):
            state = await table.state("wrong_device", of="right")
            assert state.detail == "SIM-SHOE SIM-0001 answers at right and at left at the same time"
            assert table.supervisor.states["left"].state == "online"
            left.unplug()
            await table.state("offline", of="left")
            await table.state("online", of="right")


async def test_other_firmware_is_found_until_somebody_accepts_it(tmp_path: Path) -> None:
    register = a_register("flag")
    async with a_shoe(tmp_path, firmware="1.0.0-hacked"), a_table(tmp_path, register) as table:
        await table.state("online")
        (vetted,) = table.vetted()
        assert vetted.findings == ("firmware",)
        assert "was 1.0.0 " in vetted.detail
        assert "is 1.0.0-hacked" in vetted.detail
        register.accept("shoe")
        again = table.driver().look_again()
        assert again is not None
        assert again.findings == ()
        assert register.enrolled["shoe"].firmware == "1.0.0-hacked"


async def test_a_device_that_comes_back_with_older_firmware_is_not_used_where_the_site_refuses(tmp_path: Path) -> None:
    async with a_shoe(tmp_path, firmware="0.9.9") as shoe, a_table(tmp_path, a_register("refuse")) as table:
        shoe.load(decks=1, cards=["9h"])
        state = await table.state("wrong_device")
        assert "the firmware of shoe was 1.0.0" in state.detail
        assert table.events == []


async def test_the_same_version_in_another_image_is_other_firmware(tmp_path: Path) -> None:
    async with a_shoe(tmp_path) as shoe:
        known = shoe.bootloader.state().image.hex()
        enrolled = {"shoe": replace(GENUINE, image=known)}
        async with a_table(tmp_path, a_register("refuse", enrolled)) as table:
            await table.state("online")
        shoe.bootloader = Bootloader(an_image("1.0.0").data)
        async with a_table(tmp_path, a_register("refuse", enrolled)) as table:
            state = await table.state("wrong_device")
            assert f"was 1.0.0 (image {known})" in state.detail
            assert f"is 1.0.0 (image {an_image('1.0.0').id.hex()})" in state.detail


async def test_a_restart_that_nobody_asked_for_is_flagged_until_it_is_accepted(tmp_path: Path) -> None:
    register = a_register("refuse")
    async with a_shoe(tmp_path) as shoe, a_table(tmp_path, register) as table:
        await table.state("online")
        for restarts in (1, 2):
            shoe.power_cycle()
            await table.state("offline")
            await table.state("online")
            vetted = table.vetted()[restarts]
            assert vetted.findings == ("restart",)
            assert not vetted.refused, "a power dip must not close the table, unless the site wants it so"
            assert vetted.detail == "shoe was powered up again, and nobody had asked for it"
        register.accept("shoe")
        again = table.driver().look_again()
        assert again is not None
        assert again.findings == ()


async def test_a_cable_that_was_pulled_is_no_restart(tmp_path: Path) -> None:
    async with a_shoe(tmp_path) as shoe, a_table(tmp_path, a_register("refuse", None, {"restart": "refuse"})) as table:
        await table.state("online")
        shoe.unplug()
        await table.state("offline")
        shoe.plug()
        await table.state("online")
        assert all(vetted.findings == () for vetted in table.vetted())


async def test_a_restart_is_refused_where_the_site_wants_it_so_until_it_is_accepted(tmp_path: Path) -> None:
    register = a_register("flag", None, {"restart": "refuse"})
    async with a_shoe(tmp_path) as shoe, a_table(tmp_path, register) as table:
        await table.state("online")
        shoe.power_cycle()
        state = await table.state("wrong_device")
        assert "powered up again" in state.detail
        assert table.driver().look_again() is None
        register.accept("shoe")
        await table.state("online")


async def test_a_shoe_that_was_proved_to_once_gives_nothing_to_a_controller_without_its_key(tmp_path: Path) -> None:
    async with a_shoe(tmp_path) as shoe:
        async with a_table(tmp_path, a_register("flag")) as table:
            await table.state("online")
            assert shoe.keyholder.is_guarded
        shoe.load(decks=1, cards=["9h"])
        shoe.force_draw()
        kept = shoe.link.kept
        async with a_table(tmp_path, Register()) as table:
            state = await table.state("wrong_device")
            assert "speaks only to a controller that knows its key" in state.detail
            assert table.events == []
            assert shoe.link.kept == kept
        shoe.keyholder.switch_inside()
        async with a_table(tmp_path, Register()) as table:
            await table.state("online")
            assert len(table.events) == kept


async def test_a_guarded_shoe_gives_a_stranger_its_identity_and_nothing_else(tmp_path: Path) -> None:
    async with a_shoe(tmp_path) as shoe:
        shoe.keyholder.is_guarded = True
        shoe.load(decks=1, cards=["9h"])
        spec = DeviceSpec(id="stranger", kind="shoe", url=str(tmp_path / "shoe"))
        async with asyncio.timeout(PATIENCE), connect(spec, LinkStatistics.fresh(), Timings()) as stranger:
            stranger.send(wire.encode(identity.StatusRequest()))
            stranger.send(wire.encode(wire.Permit(boot=shoe.boot, up_to=10)))
            stranger.send(companion.encode(Proof(mac=bytes(32))))
            stranger.send(wire.encode(identity.StatusRequest()))
            stranger.send(wire.encode(identity.Identify()))
            answers = []
            for _ in range(2):
                answers.append(await stranger.receive())
                stranger.taken()
        assert companion.decode(answers[0]) == ProofState(accepted=False)
        assert isinstance(wire.decode(answers[1]), identity.Identity)
        assert shoe.permit == 0
        assert shoe.link.kept == 1


async def test_a_shoe_that_does_not_believe_us_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_shoe(tmp_path) as shoe:
        monkeypatch.setattr(shoe.keyholder, "shown", lambda *_, **__: ProofState(accepted=False))
        async with a_table(tmp_path, a_register("flag")) as table:
            state = await table.state("wrong_device")
            assert state.detail == "shoe does not believe that this controller knows its key"


async def test_a_shoe_can_be_enrolled_while_it_is_there_and_our_proof_follows_at_once(tmp_path: Path) -> None:
    register = a_register("flag", {})
    async with a_shoe(tmp_path) as shoe, a_table(tmp_path, register) as table:
        await table.state("online")
        assert table.vetted()[0].findings == ("unknown",)
        seen = register.presented("shoe")
        assert seen is not None
        assert seen.proves(DEVICE_KEY)
        assert not seen.proves(OTHER_KEY)
        register.enroll("shoe", DEVICE_KEY)
        again = table.driver().look_again()
        assert again is not None
        assert again.findings == ()
        assert again.proved
        await shoe.link.wait_until(lambda: shoe.keyholder.is_proved)


class Exchanges:
    """A device's keyholder and what a controller would say to it."""

    identity = b"\x81identity"

    def __init__(self) -> None:
        self.holder = Keyholder(random.Random(1))
        self.holder.key = DEVICE_KEY

    def challenge(self, nonce: bytes = b"c" * 16) -> tuple[Response, Exchange]:
        response = self.holder.challenged(Challenge(nonce=nonce), 1, self.identity)
        return response, Exchange(nonce, response.nonce, 1, self.identity, seals=True)

    def shown(self, mac: bytes) -> ProofState:
        """A Proof in a sealed frame."""
        return self.holder.shown(Proof(mac=mac), is_sealed=True)


def test_a_proof_counts_once_and_only_for_the_last_challenge_of_the_session() -> None:
    device = Exchanges()
    _, first = device.challenge()
    _, second = device.challenge()
    assert first.nonce != second.nonce
    assert device.shown(first.controller_mac(DEVICE_KEY)) == ProofState(accepted=False)
    _, third = device.challenge()
    proof = third.controller_mac(DEVICE_KEY)
    assert device.shown(proof) == ProofState(accepted=True)
    device.holder.session_began()
    assert device.holder.is_closed
    assert device.shown(proof) == ProofState(accepted=False)


def test_a_device_that_has_offered_to_seal_takes_no_proof_without_a_seal() -> None:
    device = Exchanges()
    _, exchange = device.challenge()
    assert device.holder.shown(Proof(mac=exchange.controller_mac(DEVICE_KEY))) == ProofState(accepted=False)
    assert not device.holder.is_guarded


def test_an_offer_to_seal_cannot_be_taken_back_on_the_line() -> None:
    device = Exchanges()
    response, _ = device.challenge()
    assert response.holding == "key and seal"
    without = Exchange(b"c" * 16, response.nonce, 1, device.identity)
    assert without.device_mac(DEVICE_KEY) != response.mac
    assert without.session_key(DEVICE_KEY) not in (response.mac, without.device_mac(DEVICE_KEY))


def test_the_devices_own_answer_is_no_proof_of_the_controller() -> None:
    device = Exchanges()
    response, _ = device.challenge()
    assert device.shown(response.mac) == ProofState(accepted=False)
    assert not device.holder.is_guarded


@pytest.mark.parametrize("part", range(4))
def test_every_part_of_the_exchange_counts(part: int) -> None:
    parts: list[tuple[bytes, bytes, int, bytes]] = [
        (b"x" * 16, b"d" * 16, 1, b"i"),
        (b"c" * 16, b"x" * 16, 1, b"i"),
        (b"c" * 16, b"d" * 16, 2, b"i"),
        (b"c" * 16, b"d" * 16, 1, b"x"),
    ]
    real = Exchange(b"c" * 16, b"d" * 16, 1, b"i")
    assert Exchange(*parts[part]).device_mac(DEVICE_KEY) != real.device_mac(DEVICE_KEY)


def test_a_key_is_in_no_representation_of_what_is_enrolled() -> None:
    assert DEVICE_KEY.hex() not in repr(GENUINE)
    assert repr(DEVICE_KEY) not in repr(GENUINE)


def test_the_answers_of_a_companion_are_not_taken_for_a_devices_own() -> None:
    response = companion.encode(Response(holding="no key", nonce=bytes(16), mac=bytes(32)))
    assert companion.is_companion(response)
    with pytest.raises(Exception, match="not known here"):
        wire.decode(response)
