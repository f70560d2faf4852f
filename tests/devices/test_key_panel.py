"""A simulated key panel on a real pseudo-terminal, the real driver under the real supervisor."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from devices.drivers.key_panel import KeyPanelDriver, NamedKeyPressed, NamedKeyStuck, Pin, PinAnswered, PinNotGiven
from devices.options import OptionsError
from devices.reports import DeviceState
from devices.spec import DeviceSpec
from protocols import key_panel as wire
from protocols.errors import ProtocolError
from protocols.key_panel import KeyLamp
from protocols.link.identity import Identify, Identity, StatusRequest
from sim_hw.devices.key_panel import SimulatedKeyPanel
from sim_hw.devices.link_peer import LinkPeer
from sim_hw.time.clock import MAX_SPEED, SimClock
from sim_hw.wire.pty import Pty
from tests.support.wire.listener import Listener, has_body, listening
from tests.support.wire.ports import a_port

LABELS = {"1": "no_more_bets", "2": "call_floor", "12": "void"}
SECRET = "271828"


def spec_of(port: Pty, keys: dict[str, str] | None = None) -> DeviceSpec:
    return DeviceSpec(id="panel", kind="key_panel", url=str(port.path), options={"keys": keys or LABELS})


@pytest.fixture
def port(tmp_path: Path) -> Iterator[Pty]:
    yield from a_port(tmp_path, "panel")


@pytest.fixture
async def panel(port: Pty) -> AsyncIterator[SimulatedKeyPanel]:
    simulated = SimulatedKeyPanel(port, SimClock(MAX_SPEED), seed=7)
    simulated.plug()
    yield simulated
    simulated.unplug()


@pytest.fixture
async def listener(port: Pty, panel: SimulatedKeyPanel) -> AsyncIterator[Listener]:
    async with listening(spec_of(port)) as up:
        await up.online()
        yield up


def driver_of(listener: Listener) -> KeyPanelDriver:
    return listener.supervisor.driver("panel", KeyPanelDriver)


async def test_keys_are_reported_by_the_names_of_the_config(panel: SimulatedKeyPanel, listener: Listener) -> None:
    for key in (1, 3, 12, 1):
        panel.press(key)
    await panel.wait_taken()
    assert [(pressed.key, pressed.label, pressed.is_late) for pressed in listener.of(NamedKeyPressed)] == [
        (1, "no_more_bets", False),
        (3, None, False),
        (12, "void", False),
        (1, "no_more_bets", False),
    ]


async def test_a_key_that_was_pressed_while_nobody_listened_is_reported_as_late(
    panel: SimulatedKeyPanel, listener: Listener
) -> None:
    panel.unplug()
    await listener.gone()
    panel.press(1)
    panel.plug()
    await listener.online()
    panel.press(2)
    await panel.wait_taken()
    assert [(pressed.label, pressed.is_late) for pressed in listener.of(NamedKeyPressed)] == [
        ("no_more_bets", True),
        ("call_floor", False),
    ]


async def test_a_press_that_could_not_be_stored_is_reported_again_under_the_same_number(
    panel: SimulatedKeyPanel, listener: Listener
) -> None:
    listener.refuses = lambda report: has_body(report, NamedKeyPressed)
    panel.press(2)
    await listener.until(lambda: len(listener.refused) >= 2)
    listener.refuses = lambda _: False
    pressed = await listener.wait_for(NamedKeyPressed)
    assert (pressed.event_no, pressed.label) == (1, "call_floor")
    await panel.wait_taken()
    assert len(listener.of(NamedKeyPressed)) == 1


async def test_a_stuck_key_is_reported(panel: SimulatedKeyPanel, listener: Listener) -> None:
    panel.stick(2)
    panel.unstick(2)
    await panel.wait_taken()
    assert [(stuck.label, stuck.is_over) for stuck in listener.of(NamedKeyStuck)] == [
        ("call_floor", False),
        ("call_floor", True),
    ]


async def test_lamps_and_text_are_shown_and_shown_again_after_a_power_cut(
    panel: SimulatedKeyPanel, listener: Listener
) -> None:
    driver_of(listener).show({"no_more_bets": KeyLamp.SLOW, "void": KeyLamp.ON}, ["SEAT 3:", "HIT OR STAND"])
    await panel.link.wait_until(lambda: panel.lines == ("SEAT 3:", "HIT OR STAND"))
    assert [panel.lamp(key) for key in (1, 2, 12)] == [KeyLamp.SLOW, KeyLamp.OFF, KeyLamp.ON]

    panel.power_cycle()
    assert panel.lines == ("NO CONTROLLER",)
    await panel.link.wait_until(lambda: panel.lines == ("SEAT 3:", "HIT OR STAND"))
    assert panel.lamp(12) is KeyLamp.ON


async def test_a_panel_that_went_dark_alone_shows_again_what_it_should(
    panel: SimulatedKeyPanel, listener: Listener
) -> None:
    driver_of(listener).show({"void": KeyLamp.ON}, ["BANKER DRAWS"])
    await panel.link.wait_until(lambda: panel.lamp(12) is KeyLamp.ON)
    panel.unplug()
    await listener.gone()
    panel.stay_alone()
    assert panel.lamp(12) is KeyLamp.OFF
    panel.plug()
    await panel.link.wait_until(lambda: panel.lines == ("BANKER DRAWS",) and panel.lamp(12) is KeyLamp.ON)


async def test_of_several_requests_the_last_one_is_shown(panel: SimulatedKeyPanel, listener: Listener) -> None:
    for number in range(50):
        driver_of(listener).show({}, [f"HAND {number}"])
    await panel.link.wait_until(lambda: panel.lines == ("HAND 49",))


async def test_what_was_requested_before_the_panel_came_is_shown_when_it_comes(port: Pty) -> None:
    panel = SimulatedKeyPanel(port, SimClock(MAX_SPEED), seed=1)
    async with listening(spec_of(port)) as listener:
        driver_of(listener).show({"call_floor": KeyLamp.FAST}, ["WELCOME"])
        await listener.gone()
        panel.plug()
        await panel.link.wait_until(lambda: panel.lines == ("WELCOME",))
        assert panel.lamp(2) is KeyLamp.FAST
    panel.unplug()


async def test_what_no_panel_can_show_is_refused_to_the_caller_and_the_session_goes_on(
    panel: SimulatedKeyPanel, listener: Listener
) -> None:
    driver = driver_of(listener)
    with pytest.raises(ValueError, match="panel has no key deal"):
        driver.show({"deal": KeyLamp.ON})
    with pytest.raises(ProtocolError, match="2 lines of 20 printable characters"):
        driver.show({}, ["a text that is much too long"])
    driver.show({}, ["SHORT"])
    await panel.link.wait_until(lambda: panel.lines == ("SHORT",))
    assert listener.state == "online"


async def test_a_pin_goes_to_the_caller_that_asked_and_nowhere_else(
    panel: SimulatedKeyPanel, listener: Listener, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    asking = asyncio.create_task(driver_of(listener).ask_pin(seconds=20))
    assert (await panel.wait_asked()).seconds == 20
    panel.press(3)
    panel.enter_pin(SECRET)
    pin = await asking
    await panel.wait_taken()
    assert pin.digits == SECRET
    assert [(answer.was_given, answer.why_not) for answer in listener.of(PinAnswered)] == [(True, None)]
    assert listener.of(NamedKeyPressed) == [], "keys are not reported while a PIN is entered"
    for said in (repr(pin), repr(listener.reports), caplog.text):
        assert SECRET not in said


@pytest.mark.parametrize(("give_up", "why"), [("cancel_pin", "cancelled"), ("let_time_run_out", "too late")])
async def test_a_pin_that_is_not_given_says_why(
    panel: SimulatedKeyPanel, listener: Listener, give_up: str, why: str
) -> None:
    asking = asyncio.create_task(driver_of(listener).ask_pin())
    await panel.wait_asked()
    getattr(panel, give_up)()
    with pytest.raises(PinNotGiven, match=f"no PIN was entered: {why}"):
        await asking
    assert [(answer.was_given, answer.why_not) for answer in listener.of(PinAnswered)] == [(False, why)]


async def test_a_question_that_is_cancelled_is_ended_at_the_panel_and_another_can_be_asked(
    panel: SimulatedKeyPanel, listener: Listener
) -> None:
    driver = driver_of(listener)
    asking = asyncio.create_task(driver.ask_pin())
    first = await panel.wait_asked()
    with pytest.raises(PinNotGiven, match="another PIN is being asked for"):
        await driver.ask_pin()
    asking.cancel()
    with suppress(asyncio.CancelledError):
        await asking
    again = asyncio.create_task(driver.ask_pin())
    await panel.link.wait_until(lambda: panel.question is not None and panel.question.request != first.request)
    panel.enter_pin(SECRET)
    assert (await again).digits == SECRET
    assert [(answer.was_given, answer.why_not) for answer in listener.of(PinAnswered)] == [
        (False, "ended"),
        (True, None),
    ]


async def test_a_pin_that_was_not_taken_in_its_session_is_forgotten(
    panel: SimulatedKeyPanel, listener: Listener
) -> None:
    asking = asyncio.create_task(driver_of(listener).ask_pin())
    await panel.wait_asked()
    panel.unplug()
    panel.enter_pin(SECRET)
    with pytest.raises(PinNotGiven, match="the key panel went away"):
        await asking
    panel.plug()
    await listener.online()
    await panel.wait_taken()
    assert [(answer.was_given, answer.why_not) for answer in listener.of(PinAnswered)] == [(False, "session over")]


async def test_a_question_does_not_outlive_its_session(panel: SimulatedKeyPanel, listener: Listener) -> None:
    asking = asyncio.create_task(driver_of(listener).ask_pin())
    await panel.wait_asked()
    panel.unplug()
    with pytest.raises(PinNotGiven, match="the key panel went away"):
        await asking
    panel.plug()
    assert (await listener.wait_for(PinAnswered)).why_not == "session over"
    assert panel.question is None
    panel.press(1)
    assert (await listener.wait_for(NamedKeyPressed)).label == "no_more_bets"


async def test_nobody_can_be_asked_at_a_panel_that_is_away_or_has_no_keypad(port: Pty) -> None:
    panel = SimulatedKeyPanel(port, SimClock(MAX_SPEED), seed=1, has_keypad=False)
    async with listening(spec_of(port)) as listener:
        with pytest.raises(PinNotGiven, match="the key panel is away"):
            await driver_of(listener).ask_pin()
        panel.plug()
        await listener.online()
        with pytest.raises(PinNotGiven, match="cannot take a PIN now"):
            await driver_of(listener).ask_pin()
        with pytest.raises(ProtocolError, match="a PIN has 4 to 12 digits"):
            await driver_of(listener).ask_pin(shortest=1)
    panel.unplug()


async def test_a_panel_that_says_nothing_more_does_not_hold_the_question_for_ever(
    panel: SimulatedKeyPanel, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("devices.drivers.key_panel.GRACE", -4.9)
    with pytest.raises(PinNotGiven, match="did not say in time"):
        await driver_of(listener).ask_pin(seconds=5)
    await panel.link.wait_until(lambda: panel.question is None)


async def test_a_panel_that_answers_for_something_else_is_not_used(port: Pty) -> None:
    def confused(request: bytes) -> None:
        match wire.decode(request):
            case Identify():
                answer: wire.Answer = Identity(boot=9, model="m", serial="s", firmware="f")
            case StatusRequest():
                answer = wire.Status(boot=9, keys=12, lines=2, columns=16)
            case _:
                answer = wire.Shown(show_no=99)
        peer.post(wire.encode(answer), keep=False)

    peer = LinkPeer(port, wire.DEVICE_CLASS, confused, rng=random.Random(1))
    peer.plug()
    async with listening(spec_of(port)) as listener:
        await listener.online()
        driver_of(listener).show({}, ["HELLO"])
        assert (await listener.gone()).detail == "the key panel answered Show with Shown"
    peer.unplug()


async def test_a_panel_with_too_few_keys_is_the_wrong_device(port: Pty) -> None:
    panel = SimulatedKeyPanel(port, SimClock(MAX_SPEED), seed=1, keys=8)
    panel.plug()
    async with listening(spec_of(port)) as listener:
        wrong = await listener.gone()
        assert wrong.state == "wrong_device"
        assert wrong.detail == f"the key panel on {port.path} has 8 keys, the config names key 12"
    panel.unplug()


async def test_an_online_panel_has_reported_its_identity(panel: SimulatedKeyPanel, listener: Listener) -> None:
    assert listener.of(DeviceState)[-1] == DeviceState(
        device="panel", state="online", model="SIM-PANEL", serial="SIM-0004", firmware="1.0.0", boot=panel.boot
    )


def test_a_pin_shows_nothing_of_itself() -> None:
    assert repr(Pin(SECRET)) == "Pin()"


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"0": "deal"}, "keys are numbered 1 to 32; '0' is none of them"),
        ({"33": "deal"}, "'33' is none of them"),
        ({"01": "deal"}, "'01' is none of them"),
        ({"one": "deal"}, "'one' is none of them"),
        ({"1": "Deal!"}, "options.keys: expected a text of another form"),
        ({"1": "deal", "2": "deal"}, "each key has its own name"),
    ],
)
def test_wrong_options_name_the_device_the_key_and_what_is_allowed(keys: dict[str, str], says: str) -> None:
    with pytest.raises(OptionsError) as refused:
        KeyPanelDriver(DeviceSpec(id="panel", kind="key_panel", url="anywhere", options={"keys": keys}))
    assert says in str(refused.value)
    assert "the key_panel 'panel'" in str(refused.value)
