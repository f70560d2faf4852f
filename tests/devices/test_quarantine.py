"""An event that can never be accepted is kept with its bytes, reported and passed: the session goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from controller.engine.inputs import Counter, Quarantined
from controller.table.translate.common import Context
from controller.table.translate.report import translate
from devices.drivers.shoe import LimitedCardDrawn
from devices.link.quarantine import QuarantinedEvent, QuarantinedMessage
from devices.reports import DeviceAnswer, DeviceEvent
from sim_hw.devices.shoe import SimulatedShoe
from sim_hw.time.clock import MAX_SPEED, SimClock
from sim_hw.wire.pty import Pty
from tests.devices.test_supervisor import Controller
from tests.support.wire.listener import PATIENCE, of_type, running

HAND = ["9h", "Kd", "2c", "As"]


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[tuple[SimulatedShoe, Controller]]:
    shoe = SimulatedShoe(Pty(tmp_path, "shoe"), SimClock(MAX_SPEED), seed=1)
    shoe.plug()
    try:
        async with asyncio.timeout(PATIENCE), running(Controller(str(tmp_path / "shoe"))) as controller:
            shoe.load(decks=1, cards=HAND)
            await controller.online()
            yield shoe, controller
    finally:
        shoe.unplug()


def found(controller: Controller) -> QuarantinedEvent:
    (event,) = of_type(controller.reports, QuarantinedEvent)
    return event


async def test_a_card_whose_copies_differ_ends_the_session_once_and_is_passed_the_second_time(
    table: tuple[SimulatedShoe, Controller],
) -> None:
    shoe, controller = table
    controller.permit(3)
    await shoe.draw()
    await shoe.wait_taken()  # What is not acknowledged when the session ends comes twice.
    shoe.garble_next_card()
    await shoe.draw()
    await shoe.draw()
    await shoe.wait_taken()
    event = found(controller)
    assert (event.is_known, event.draw_no, event.event_no, len(event.data)) == (True, 2, 3, 24)
    assert controller.states.count("offline") == 1
    assert controller.cards == [HAND[0], HAND[2]], "what comes behind it is taken"
    details = [str(report) for report in controller.reports]
    assert not [text for text in details if event.data[-3:].hex() in text or repr(event.data) in text]


async def test_noise_that_passed_the_crc_is_not_taken_for_such_an_event(
    table: tuple[SimulatedShoe, Controller],
) -> None:
    """The first time the card is garbled, then it comes as it should."""
    shoe, controller = table
    controller.permit(1)
    shoe.garble_next_card(once=True)
    await shoe.draw()
    await shoe.wait_taken()
    assert controller.cards == HAND[:1]
    assert of_type(controller.reports, QuarantinedEvent) == []


async def test_a_kind_that_is_not_known_does_not_end_the_session(table: tuple[SimulatedShoe, Controller]) -> None:
    shoe, controller = table
    controller.permit(2)
    await shoe.draw()
    shoe.send_unknown_event()
    await shoe.draw()
    await shoe.wait_taken()
    event = found(controller)
    assert (event.is_known, event.draw_no, event.data[0]) == (False, None, 0x5F)
    assert "offline" not in controller.states
    assert controller.cards == HAND[:2]


@pytest.mark.parametrize("data", [b"\x5f", b"\xa7\x01\x02", b"\x8d\x00", b"\xff"])
async def test_no_unknown_message_ends_the_session(table: tuple[SimulatedShoe, Controller], data: bytes) -> None:
    shoe, controller = table
    controller.permit(1)
    await shoe.wait_taken()
    shoe.link.post(data, keep=True)
    await shoe.draw()
    await shoe.wait_taken()
    assert "offline" not in controller.states
    assert controller.cards == HAND[:1]


def test_it_becomes_an_input_with_its_bytes_its_number_and_the_shoes_counter() -> None:
    event = QuarantinedEvent(boot=0xC0FFEE01, event_no=2, uptime_ms=9, data=b"\x40card", is_known=True, draw_no=1)
    translated = translate(DeviceEvent(device="shoe", body=event), "shoe", Context())
    assert translated is not None
    assert translated.body == Quarantined("shoe", "4063617264", is_known=True, is_card=True)
    assert (translated.ref, translated.counter) == ("c0ffee01:2", Counter("c0ffee01", 1, out=1))
    unnumbered = QuarantinedMessage(data=b"\x5f", is_known=False)
    translated = translate(DeviceAnswer(device="shoe", body=unnumbered), "shoe", Context())
    assert translated is not None
    assert (translated.body, translated.ref) == (Quarantined("shoe", "5f"), None)
    assert "card" not in repr(event)


async def test_a_card_carries_the_limit_that_the_shoe_had_acknowledged(
    table: tuple[SimulatedShoe, Controller],
) -> None:
    shoe, controller = table
    controller.permit(1)
    await shoe.draw()
    shoe.lock_fails = True
    await shoe.draw()
    await shoe.wait_taken()
    drawn = of_type(controller.reports, LimitedCardDrawn)
    assert [(card.draw_no, card.limit) for card in drawn] == [(1, 1), (2, 1)]


async def test_a_card_that_was_kept_over_a_reconnection_has_the_highest_limit_that_was_sent(
    table: tuple[SimulatedShoe, Controller],
) -> None:
    shoe, controller = table
    controller.permit(2)
    await shoe.draw()
    await shoe.wait_taken()
    shoe.unplug()
    shoe.force_draw()
    shoe.lock_fails = True
    shoe.force_draw()
    await controller.until(lambda: controller.state == "offline")
    shoe.plug()
    await controller.online()
    drawn = of_type(controller.reports, LimitedCardDrawn)
    assert [(card.draw_no, card.limit) for card in drawn] == [(1, 2), (2, 2), (3, 2)]
    state = await controller.online()
    assert (state.draws, state.up_to, state.limit, state.cards_left) == (3, 2, 2, 1)
