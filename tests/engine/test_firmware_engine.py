"""An update as the engine sees it: only between rounds, and no round before it has ended."""

from __future__ import annotations

from typing import Any

from controller.engine import events as ev
from controller.engine.expect.expectation import cards_allowed, prompt
from controller.engine.inputs import (
    Amended,
    AnyBody,
    CardOut,
    Change,
    FirmwareUpdate,
    Input,
    ShoeStarted,
    decode_input,
    encode_input,
)
from controller.engine.round.felt import Setup
from controller.engine.table.devices.firmware import updates_in
from controller.engine.table.state import TableState
from controller.evidence.words import Words, of_input
from controller.recorder.recorder import engine_from
from controller.rules import resolve

HAND = ("9h", "Kd", "Tc", "7s")
STARTED = FirmwareUpdate("shoe", "started", "1.1.0", "1.0.0", "e43e3107dcd76adb", "vendor")
VERIFIED = FirmwareUpdate("shoe", "verified", "1.1.0", "1.0.0", "e43e3107dcd76adb", "vendor", boot="bb")
FAILED = FirmwareUpdate("shoe", "failed", "1.1.0", "1.0.0", text="the new image did not come up", boot="bb")


class At:
    """A baccarat table without wager input, its shoe loaded."""

    def __init__(self) -> None:
        setup = Setup(seats=(1, 2), player_dealer=8, records_wagers=False)
        self.engine = engine_from(TableState(setup, "bankers-ez-baccarat-panda-8"), resolve)
        self.feed(ShoeStarted(8), "device:shoe", "aa:1")
        self._count = 1
        self._boot = "aa"

    def feed(self, body: AnyBody, by: str = "technician:ann", ref: str | None = None) -> list[ev.Event]:
        return self.engine.apply(decode_input(encode_input(Input(0, by, body, ref))))

    def cards(self, *codes: str) -> list[ev.Event]:
        events: list[ev.Event] = []
        for code in codes:
            self._count += 1
            events = self.feed(CardOut(code), "device:shoe", f"{self._boot}:{self._count}")
        return events

    def restart_shoe(self) -> None:
        self._boot, self._count = "bb", 0

    def kinds(self, body: AnyBody) -> list[str]:
        return [str(type(event).__struct_config__.tag) for event in self.feed(body)]

    @property
    def prompt(self) -> str:
        return prompt(self.engine.expectation)


def refusal(events: list[ev.Event]) -> tuple[str, str]:
    (event,) = events
    assert isinstance(event, ev.Refused)
    return event.why, event.text


def test_an_update_is_refused_in_mid_round_and_begins_after_it() -> None:
    table = At()
    table.cards("9h")
    why, text = refusal(table.feed(STARTED))
    assert (why, text) == ("round_running", "a round is running; shoe gets new firmware between rounds only")
    table.cards(*HAND[1:])
    assert table.kinds(STARTED) == ["update_started"]
    assert updates_in(table.engine.state.stops) == ("shoe",)
    assert table.prompt == "No new round: shoe is being given firmware 1.1.0"
    assert cards_allowed(table.engine.expectation) == 0


def test_one_device_at_a_time_and_an_end_belongs_to_a_beginning() -> None:
    table = At()
    assert refusal(table.feed(VERIFIED))[0] == "no_update"
    table.feed(STARTED)
    assert refusal(table.feed(FirmwareUpdate("cup", "started", "2", "1")))[0] == "update_running"
    assert refusal(table.feed(FirmwareUpdate("cup", "verified", "2", "1")))[0] == "no_update"


def test_play_goes_on_after_an_update_whether_it_was_verified_or_not() -> None:
    for end, kind in ((VERIFIED, "update_verified"), (FAILED, "update_failed")):
        table = At()
        table.cards(*HAND)
        table.feed(STARTED)
        table.restart_shoe()
        assert table.kinds(end) == [kind]
        assert updates_in(table.engine.state.stops) == ()
        events = table.cards(*HAND)
        assert any(isinstance(event, ev.RoundSettled) for event in events), "the restart was ours, no event is missing"


def test_a_device_that_was_not_restarted_keeps_its_count() -> None:
    table = At()
    table.cards(*HAND)
    table.feed(STARTED)
    last = table.engine.state.seen["device:shoe"]
    table.feed(FirmwareUpdate("shoe", "failed", "1.1.0", "1.0.0", boot="aa"))
    assert table.engine.state.seen["device:shoe"] == last
    assert table.engine.is_repeat(Input(0, "device:shoe", CardOut("7s"), last))


def test_a_correction_of_the_last_round_does_not_open_the_table_in_mid_update() -> None:
    table = At()
    table.cards(*HAND)
    table.feed(STARTED)
    change: dict[str, Any] = {"kind": "card_out", "card": "8h"}
    (corrected,) = table.feed(Amended(1, (Change(0, change),), "misread"), "floor:ann")
    assert isinstance(corrected, ev.Corrected)
    assert updates_in(table.engine.state.stops) == ("shoe",)
    assert table.prompt == "No new round: shoe is being given firmware 1.1.0"


def test_an_update_is_described_in_words() -> None:
    table = At()
    words = Words()
    (started,) = table.feed(STARTED)
    (verified,) = table.feed(VERIFIED)
    table.feed(STARTED)
    (failed,) = table.feed(FAILED)
    lines = [line for event in (started, verified, failed) for line in words.of_event(event, {})]
    assert lines == [
        "Firmware of shoe, from 1.0.0 to 1.1.0, begins; signed by vendor, image e43e3107dcd76adb",
        "Firmware of shoe, from 1.0.0 to 1.1.0, is done and verified",
        "Firmware of shoe, from 1.0.0 to 1.1.0, was given up: the new image did not come up",
    ]
    assert of_input(STARTED) == "firmware 1.1.0 for shoe: started"
