"""A simulated shoe on a real pseudo-terminal, the real driver under the real supervisor.

Nothing here sleeps: a test waits for the report, the card or the state that it is about, and fails when it does not
come.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from devices.drivers.shoe import LimitedCardDrawn, ShoeDriver
from devices.link.authentication import DeviceVetted
from devices.reports import DeviceEvent, DeviceState, Report
from devices.spec import DeviceSpec
from devices.supervisor import Supervisor
from protocols import dice_cup
from protocols import shoe as wire
from protocols.link import identity
from protocols.link.session import Timings
from protocols.shoe import CardDrawn, CardReturned, CutCardOut, Lid, Overdraw, ShoeEmpty, ShoeLoaded
from sim_hw.devices.link_peer import LinkPeer
from sim_hw.devices.shoe import Out, SimulatedShoe
from sim_hw.time.clock import MAX_SPEED, SimClock
from sim_hw.wire.noise import Noise
from sim_hw.wire.pty import Pty
from tests.support.wire.listener import Inbox, fields, has_body, of_type, running
from tests.support.wire.ports import a_port

NOISE = Noise(bit_errors=3e-4, lost_bytes=5e-4, dropped=0.02, repeated=0.05, cut_short=0.02, garbage=0.05)
HAND = ["9h", "Kd", "2c", "As", "Th", "3s", "Jo", "7d"]


class Controller(Inbox):
    """The side of the daemon."""

    def __init__(self, url: str, *, timings: Timings | None = None) -> None:
        super().__init__()
        spec = DeviceSpec(id="shoe", kind="shoe", url=url)
        self.supervisor = Supervisor([spec], self.sink, rng=random.Random(1), timings=timings)
        self.shoe = self.supervisor.driver("shoe", ShoeDriver)

    async def online(self) -> DeviceState:
        await self.until(lambda: self.state == "online")
        return next(report for report in reversed(self.reports) if isinstance(report, DeviceState))

    @property
    def state(self) -> str | None:
        states = self.states
        return states[-1] if states else None

    @property
    def states(self) -> list[str]:
        return [report.state for report in self.reports if isinstance(report, DeviceState)]

    @property
    def drawn(self) -> list[CardDrawn]:
        return of_type(self.reports, CardDrawn)

    @property
    def cards(self) -> list[str | None]:
        return [drawn.card for drawn in self.drawn]

    def permit(self, draws: int) -> None:
        """Up to this draw of the power-up that the shoe last reported."""
        boots = [r.boot for r in self.reports if isinstance(r, DeviceState) and r.boot is not None]
        self.shoe.permit(up_to=draws, boot=boots[-1])


@pytest.fixture
def port(tmp_path: Path) -> Iterator[Pty]:
    yield from a_port(tmp_path, "shoe")


@pytest.fixture
async def shoe(port: Pty) -> AsyncIterator[SimulatedShoe]:
    simulated = SimulatedShoe(port, SimClock(MAX_SPEED), seed=7)
    simulated.plug()
    yield simulated
    simulated.unplug()


@pytest.fixture
async def controller(port: Pty) -> AsyncIterator[Controller]:
    async with running(Controller(str(port.path))) as up:
        yield up


async def test_cards_arrive_once_and_in_order(shoe: SimulatedShoe, controller: Controller) -> None:
    shoe.load()
    await controller.online()
    controller.permit(300)
    dealt = [await shoe.draw() for _ in range(300)]
    await shoe.wait_taken()
    assert controller.cards == dealt
    assert [drawn.draw_no for drawn in controller.drawn] == list(range(1, 301))
    assert controller.states == ["connecting", "online"]
    assert controller.supervisor.statistics["shoe"].messages_taken >= 301


async def test_an_online_shoe_has_reported_its_identity_and_its_status(
    shoe: SimulatedShoe, controller: Controller
) -> None:
    assert await controller.online() == DeviceState(
        device="shoe",
        state="online",
        model="SIM-SHOE",
        serial="SIM-0001",
        firmware="1.0.0",
        boot=shoe.boot,
        draws=0,
        up_to=0,
        cards_left=0,
    )
    assert controller.supervisor.states["shoe"].state == "online"


async def test_noise_on_the_wire_costs_retransmissions_and_never_a_card(port: Pty) -> None:
    shoe = SimulatedShoe(port, SimClock(MAX_SPEED), seed=5, noise=NOISE)
    shoe.plug()
    shoe.load()
    async with running(Controller(str(port.path))) as controller:
        await controller.online()
        dealt: list[str | Out] = []
        for draw in range(1, 121):
            controller.permit(draw)
            dealt.append(await shoe.draw())
        await shoe.wait_taken()
        events = list(dict.fromkeys((drawn.boot, drawn.event_no, drawn.card) for drawn in controller.drawn))
        assert [card for _, _, card in events] == dealt
        ours, theirs = controller.supervisor.statistics["shoe"], shoe.link.statistics
        assert ours.retransmissions + theirs.retransmissions > 0
        assert ours.framing.crc_errors + theirs.framing.crc_errors > 0
    shoe.unplug()


async def test_a_shoe_is_locked_until_it_is_permitted_and_again_when_the_permit_is_used(
    shoe: SimulatedShoe, controller: Controller
) -> None:
    shoe.load(decks=1, cards=HAND)
    await controller.online()
    assert shoe.is_locked

    controller.permit(3)
    assert [await shoe.draw() for _ in range(3)] == HAND[:3]
    assert shoe.is_locked

    fourth = asyncio.create_task(shoe.draw())
    await shoe.wait_taken()
    assert not fourth.done()
    controller.permit(4)
    assert await fourth == HAND[3]
    assert shoe.is_locked


async def test_of_several_permits_the_last_one_counts(shoe: SimulatedShoe, controller: Controller) -> None:
    shoe.load(decks=1, cards=HAND)
    await controller.online()
    for draws in (1, 5, 8, 2):
        controller.permit(draws)
    assert [await shoe.draw(), await shoe.draw()] == HAND[:2]
    await shoe.link.wait_until(lambda: shoe.permit == 2)
    assert shoe.is_locked


async def test_a_card_pulled_from_a_locked_shoe_is_an_overdraw(shoe: SimulatedShoe, controller: Controller) -> None:
    shoe.load(decks=1, cards=HAND)
    await controller.online()
    controller.permit(1)
    await shoe.draw()
    shoe.force_draw()
    await shoe.wait_taken()
    (overdraw,) = of_type(controller.reports, Overdraw)
    assert (overdraw.draw_no, overdraw.card, overdraw.event_no) == (2, HAND[1], 3)
    assert controller.cards == HAND[:1]


async def test_everything_else_that_a_shoe_can_tell(shoe: SimulatedShoe, controller: Controller) -> None:
    await controller.online()
    shoe.move_lid(is_open=True)
    shoe.load(decks=1, cards=HAND[:3], cut_card_at=1)
    shoe.move_lid(is_open=False)
    controller.permit(4)
    assert await shoe.draw() == HAND[0]
    shoe.push_back()
    assert [await shoe.draw(), await shoe.draw()] == [HAND[0], Out.CUT_CARD]
    shoe.fail_next_read("ambiguous")
    assert [await shoe.draw(), await shoe.draw(), await shoe.draw()] == [*HAND[1:3], Out.EMPTY]
    await shoe.wait_taken()

    happened = of_type(controller.reports, DeviceEvent)
    assert {(report.device, report.boot, report.uptime_ms) for report in happened} == {("shoe", shoe.boot, 0)}
    assert [report.event_no for report in happened] == list(range(1, 11))
    assert [fields(report.body) for report in happened] == [
        (Lid, True),
        (ShoeLoaded, 1, 3),
        (Lid, False),
        (LimitedCardDrawn, 1, HAND[0], None, 4),
        (CardReturned, 1),
        (LimitedCardDrawn, 2, HAND[0], None, 4),
        (CutCardOut, 2),
        (LimitedCardDrawn, 3, None, "ambiguous", 4),
        (LimitedCardDrawn, 4, HAND[2], None, 4),
        (ShoeEmpty, 4),
    ]


async def test_a_card_that_the_sink_could_not_take_comes_again_under_the_same_number(
    shoe: SimulatedShoe, controller: Controller
) -> None:
    shoe.load(decks=1, cards=HAND)
    await controller.online()
    controller.refuses = lambda report: has_body(report, CardDrawn) and not controller.refused
    controller.permit(3)
    dealt = [await shoe.draw() for _ in range(3)]
    await shoe.wait_taken()

    (refused,) = controller.refused
    assert DeviceEvent(device="shoe", body=controller.drawn[0]) == refused
    assert controller.cards == dealt
    offline = [r for r in controller.reports if isinstance(r, DeviceState) and r.state == "offline"]
    assert [state.detail for state in offline] == ["the controller could not take a report: the disk is full"]


async def test_nothing_is_acknowledged_while_the_sink_is_at_work(shoe: SimulatedShoe, controller: Controller) -> None:
    shoe.load(decks=1, cards=HAND)
    await controller.online()
    await shoe.wait_taken()
    controller.hold = asyncio.Event()
    controller.permit(2)
    await shoe.draw()
    await shoe.draw()
    await shoe.link.wait_until(lambda: shoe.link.statistics.retransmissions > 0)
    assert shoe.link.kept == 2
    controller.hold.set()
    await shoe.wait_taken()
    assert controller.cards == HAND[:2]


async def test_a_daemon_that_dies_with_a_card_in_its_hands_gets_it_again(port: Pty, shoe: SimulatedShoe) -> None:
    shoe.load(decks=1, cards=HAND)
    async with running(Controller(str(port.path))) as first:
        await first.online()
        first.permit(2)
        await shoe.draw()
        await shoe.wait_taken()
        first.hold = asyncio.Event()
        await shoe.draw()
        await shoe.link.wait_until(lambda: shoe.link.kept == 1)
    async with running(Controller(str(port.path))) as second:
        online = await second.online()
        assert [(drawn.boot, drawn.event_no, drawn.card) for drawn in second.drawn] == [(shoe.boot, 3, HAND[1])]
        assert online.draws == 2
    assert first.cards == HAND[:1]


async def test_what_happened_while_the_daemon_was_away_is_reported_before_the_shoe_is_online(
    port: Pty, shoe: SimulatedShoe
) -> None:
    shoe.load(decks=1, cards=HAND)
    for _ in range(3):
        shoe.force_draw()
    async with running(Controller(str(port.path))) as controller:
        online = await controller.online()
        assert online.draws == 3
        assert [type(getattr(report, "body", report)) for report in controller.reports] == [
            DeviceState,
            DeviceVetted,
            ShoeLoaded,
            Overdraw,
            Overdraw,
            Overdraw,
            DeviceState,
        ]


async def test_a_pulled_cable_is_noticed_and_a_cable_put_back_loses_nothing(
    shoe: SimulatedShoe, controller: Controller
) -> None:
    shoe.load(decks=1, cards=HAND)
    await controller.online()
    controller.permit(6)
    dealt = [await shoe.draw(), await shoe.draw()]
    shoe.unplug()
    await controller.until(lambda: controller.state == "offline")
    dealt += [shoe.force_draw(), shoe.force_draw()]
    shoe.plug()
    await controller.online()
    dealt += [await shoe.draw(), await shoe.draw()]
    await shoe.wait_taken()
    seen = list(dict.fromkeys((drawn.event_no, drawn.card) for drawn in controller.drawn))
    assert seen == [(n + 2, card) for n, card in enumerate(dealt)]
    assert shoe.permit == 6


async def test_a_port_that_is_not_there_is_one_report_and_no_end_of_trying(port: Pty) -> None:
    async with running(Controller(str(port.path))) as controller:
        await controller.until(lambda: controller.state == "offline")
        offline = controller.reports[-1]
        assert isinstance(offline, DeviceState)
        assert offline.detail.startswith(f"there is no port {port.path}")
        shoe = SimulatedShoe(port, SimClock(MAX_SPEED), seed=7)
        shoe.plug()
        await controller.online()
        assert controller.states == ["connecting", "offline", "online"]
        shoe.unplug()


async def test_a_shoe_that_was_powered_up_again_is_locked_whatever_was_permitted_before(
    shoe: SimulatedShoe, controller: Controller
) -> None:
    shoe.load(decks=1, cards=HAND)
    before = await controller.online()
    controller.permit(5)
    await shoe.draw()
    await shoe.wait_taken()
    shoe.power_cycle()
    await controller.until(lambda: controller.state == "offline")
    after = await controller.online()
    assert before.boot != after.boot == shoe.boot
    assert after.draws == 0
    assert before.boot is not None
    controller.shoe.permit(up_to=5, boot=before.boot)
    assert shoe.is_locked
    controller.permit(1)
    assert await shoe.draw() == HAND[1]
    await shoe.wait_taken()
    assert shoe.is_locked
    assert [(drawn.boot, drawn.event_no) for drawn in controller.drawn] == [(before.boot, 2), (after.boot, 1)]


@pytest.mark.parametrize("keep_events", [True, False])
async def test_events_outlive_a_power_cut_only_in_a_shoe_that_stores_them(
    port: Pty, shoe: SimulatedShoe, keep_events: bool
) -> None:
    shoe.load(decks=1, cards=HAND)
    shoe.force_draw()
    shoe.power_cycle(keep_events=keep_events)
    shoe.force_draw()
    async with running(Controller(str(port.path))) as controller:
        await controller.online()
        drawn = of_type(controller.reports, Overdraw)
        assert [d.card for d in drawn] == (HAND[:2] if keep_events else HAND[1:2])
        assert drawn[-1].boot == shoe.boot


async def test_another_device_on_the_shoes_port_is_named_and_its_messages_are_not_read(port: Pty) -> None:
    cup = LinkPeer(port, dice_cup.DEVICE_CLASS, lambda _: None, rng=random.Random(1))
    cup.plug()
    cup.post(b"\x40a throw of the dice", keep=True)
    async with running(Controller(str(port.path))) as controller:
        await controller.until(lambda: controller.state == "wrong_device")
        wrong = controller.reports[-1]
        assert isinstance(wrong, DeviceState)
        assert wrong.detail == f"the device on {port.path} is a dice cup, not a shoe"
    assert cup.kept == 1
    cup.unplug()


async def test_a_port_that_never_answers_is_offline(port: Pty) -> None:
    port.plug()
    async with running(Controller(str(port.path), timings=Timings(connect_within=0.2))) as controller:
        await controller.until(lambda: controller.state == "offline")
        offline = controller.reports[-1]
        assert isinstance(offline, DeviceState)
        assert offline.detail == "no answer to the link reset in 0.2 s"


async def test_a_shoe_that_sends_nonsense_is_not_believed_and_keeps_its_events(port: Pty) -> None:
    shoe = LinkPeer(port, wire.DEVICE_CLASS, lambda _: None, rng=random.Random(1))
    shoe.plug()
    shoe.post(b"\x40not a card", keep=True)
    async with running(Controller(str(port.path))) as controller:
        await controller.until(lambda: controller.state == "offline")
        offline = controller.reports[-1]
        assert isinstance(offline, DeviceState)
        assert offline.detail == "the shoe sent an event that cannot be read: kind 0x40, 11 bytes"
    assert shoe.kept == 1
    shoe.unplug()


async def test_a_shoe_that_does_not_answer_a_permit_has_hung(port: Pty, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("devices.link.driver.ANSWER_WITHIN", 0.2)

    def half_alive(request: bytes) -> None:
        match wire.decode(request):
            case identity.Identify():
                answer: wire.Answer = identity.Identity(boot=9, model="m", serial="s", firmware="f")
            case identity.StatusRequest():
                answer = wire.Status(boot=9, draw_no=0, up_to=0, lid_open=False, cards_left=None)
            case _:
                return
        hung.post(wire.encode(answer), keep=False)

    hung = LinkPeer(port, wire.DEVICE_CLASS, half_alive, rng=random.Random(1))
    hung.plug()
    async with running(Controller(str(port.path))) as controller:
        await controller.online()
        controller.permit(1)
        await controller.until(lambda: controller.state == "offline")
        offline = controller.reports[-1]
        assert isinstance(offline, DeviceState)
        assert offline.detail == "the shoe gave no answer in 0.2 s"
    hung.unplug()


async def test_a_sink_that_takes_nothing_at_all_does_not_stop_the_supervisor(port: Pty, shoe: SimulatedShoe) -> None:
    shoe.load(decks=1, cards=HAND)
    controller = Controller(str(port.path))
    controller.refuses = lambda _: True
    async with running(controller):
        await controller.until(lambda: len(controller.refused) > 3)
        assert controller.reports == []
        controller.refuses = lambda _: False
        await controller.online()
        await shoe.wait_taken()
        assert of_type(controller.reports, ShoeLoaded)


async def test_the_same_seed_gives_the_same_reports_byte_for_byte(tmp_path: Path) -> None:
    stories = []
    for run in ("first", "second"):
        clock = SimClock(MAX_SPEED)
        shoe = SimulatedShoe(Pty(tmp_path, run), clock, seed=42)
        shoe.plug()
        async with running(Controller(str(tmp_path / run))) as controller:
            await controller.online()
            shoe.load(cut_card_at=20)
            controller.permit(40)
            for _ in range(41):
                await clock.sleep(0.75)
                await shoe.draw()
            await shoe.wait_taken()
            stories.append([(type(report), report) for report in controller.reports])
        shoe.unplug()
    assert stories[0] == stories[1]
    last = stories[0][-1][1]
    assert isinstance(last, DeviceEvent)
    assert last.uptime_ms == 41 * 750


def test_two_devices_of_one_name_are_refused() -> None:
    async def sink(_: Report) -> None: ...

    spec = DeviceSpec(id="shoe", kind="shoe", url="anywhere")
    with pytest.raises(ValueError, match="its own id"):
        Supervisor([spec, spec], sink)
