"""Devices of the table: connected or away, and what the sensors of its boxes report."""

from __future__ import annotations

from typing import Any

from controller.engine import alarms
from controller.engine import events as ev
from controller.engine.inputs import DeviceSeen, Happening, Input, SensorSeen
from controller.engine.table.current_round import CurrentRound
from controller.engine.table.device_numbers import DeviceNumbers
from controller.engine.table.drop import TableDrop
from controller.engine.table.lasting import Lasting
from controller.engine.table.rounds import Rounds
from controller.engine.table.shoe import TableShoe
from controller.engine.table.state import CARD_DEVICES, Device


class Devices:
    """What becomes of a device's report that is not a card."""

    def __init__(
        self,
        lasting: Lasting,
        current: CurrentRound[Any],
        numbers: DeviceNumbers,
        *,
        shoe: TableShoe,
        drop: TableDrop,
        rounds: Rounds,
    ) -> None:
        self._lasting, self._current, self._numbers = lasting, current, numbers
        self._shoe, self._drop, self._rounds = shoe, drop, rounds

    def seen(self, value: Input) -> list[ev.Event]:
        body, lasting = value.body, self._lasting
        assert type(body) is DeviceSeen
        device, before = Device(body.state, body.facts, body.boot), lasting.state.devices.get(body.device)
        lasting.change(devices={**lasting.state.devices, body.device: device})
        self._numbers.note_boot(value.by, body.boot)
        events: list[ev.Event] = [ev.DeviceChanged(body.device, body.state, body.facts)]
        events += self._shoe.device_changed(body.device, body.state)
        alarm = alarms.DEVICE_AWAY.of(body.device)
        away = body.state in ("offline", "wrong_device")
        text = f"{body.device} is {body.state.replace('_', ' ')}: {body.facts.get('detail', 'no reason given')}"
        was_there = alarm not in lasting.state.alarms
        events += lasting.alarm(alarm, text if away else None)
        if body.state == "removed":
            for kind in (alarms.DECK, alarms.TRUST):
                events += lasting.alarm(kind.of(body.device), None)
        events += self._drop.sensor_alarms(body.device, body.state, "" if before is None else before.state)
        gives_cards = body.facts.get("kind") in CARD_DEVICES
        if away and was_there and gives_cards and self._current.is_dealing:
            events += self._rounds.interrupt(Happening("reader_offline", facts={"device": body.device}))
        return events

    def sensor_seen(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is SensorSeen
        events = self._drop.sensed(body)
        if body.what == "dropped":
            events += self._rounds.dropped(body)
        return events
