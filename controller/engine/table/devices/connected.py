"""Devices of the table: connected or away, and what the sensors of its boxes report."""

from __future__ import annotations

from controller.engine import alarms
from controller.engine import events as ev
from controller.engine.inputs import CardOut, DeviceSeen, Happening, Input, Quarantined, SensorSeen
from controller.engine.round.kernel import READER_OFFLINE
from controller.engine.table.current_round import Shared
from controller.engine.table.devices.counters import DeviceCounters
from controller.engine.table.devices.drop import TableDrop
from controller.engine.table.devices.numbers import DeviceNumbers
from controller.engine.table.devices.shoe import TableShoe
from controller.engine.table.rounds import Rounds
from controller.engine.table.state import AWAY, CARD_DEVICES, Device


class Devices:
    """What becomes of a device's report that is not a card."""

    def __init__(
        self,
        shared: Shared,
        numbers: DeviceNumbers,
        *,
        counters: DeviceCounters,
        shoe: TableShoe,
        drop: TableDrop,
        rounds: Rounds,
    ) -> None:
        self._lasting, self._current, self._numbers, self._counters = shared.lasting, shared.current, numbers, counters
        self._shoe, self._drop, self._rounds = shoe, drop, rounds

    def seen(self, value: Input) -> list[ev.Event]:
        body, lasting = value.body, self._lasting
        assert type(body) is DeviceSeen
        device, before = Device(body.state, body.facts, body.boot), lasting.state.devices.get(body.device)
        gives_cards = body.facts.get("kind") in CARD_DEVICES
        restarted = self._numbers.note_boot(value.by, body.boot, gives_cards=gives_cards)
        # Whether its absence was reported is in the state before.
        found = [] if restarted is None else self._rounds.restarted(restarted)
        lasting.change(devices={**lasting.state.devices, body.device: device})
        events: list[ev.Event] = [ev.DeviceChanged(body.device, body.state, body.facts), *found]
        events += self._shoe.device_changed(body.device, body.state)
        alarm = alarms.DEVICE_AWAY.of(body.device)
        away = body.state in AWAY
        text = f"{body.device} is {body.state.replace('_', ' ')}: {body.facts.get('detail', 'no reason given')}"
        was_there = alarm not in lasting.state.alarms
        if away and before is not None and before.state == body.state:
            events += lasting.reword_alarm(alarm, text)  # another attempt failed for another reason
        else:
            events += lasting.alarm(alarm, text if away else None)
        if body.state == "removed":
            self._counters.drop(body.device)
            for kind in (alarms.DECK, alarms.TRUST, alarms.COUNTERS, alarms.QUARANTINE, alarms.LINK):
                events += lasting.alarm(kind.of(body.device), None)
        events += self._drop.sensor_alarms(body.device, body.state, "" if before is None else before.state)
        if away and was_there and gives_cards and self._current.is_dealing:
            events += self._rounds.interrupt(Happening(READER_OFFLINE, facts={"device": body.device}))
        elif before is not None and before.state in AWAY and not away and not self._lacks_reader():
            how = "is not used any more" if body.state == "removed" else "answers again"
            events += self._rounds.reader_back(f"{body.device} was away and {how}")
        return events

    def _lacks_reader(self) -> bool:
        """Another device that gives the cards is away."""
        devices = self._lasting.state.devices.values()
        return any(device.state in AWAY and device.facts.get("kind") in CARD_DEVICES for device in devices)

    def quarantined(self, value: Input) -> list[ev.Event]:
        """A message that cannot be read. If it is of a known kind and from a device that gives the cards, the floor
        decides; a card that it reports is out of play until then. Only its kind and length are published."""
        body, played = value.body, self._current.played
        assert type(body) is Quarantined
        kind, length = f"0x{body.data[:2]}", len(body.data) // 2
        what = Happening("event_not_readable", facts={"device": body.device, "kind": kind, "length": length})
        known = self._lasting.state.devices.get(body.device)
        if body.is_known and known is not None and known.facts.get("kind") in CARD_DEVICES:
            events = self._rounds.notice(what)
        else:
            events = [ev.Irregularity(what.code, what.code.replace("_", " "), dict(what.facts))]
        if body.is_card:
            card = CardOut(None, "not_readable")
            is_over = self._current.played is not played
            events = [*events, *(self._rounds.out_of_play(card) if is_over else self._rounds.feed(card))]
        why = "is not as it should be" if body.is_known else "is of a kind that is not known here"
        text = f"{body.device} sent a message that {why}: kind {kind}, {length} bytes; the journal has them"
        return [*events, *self._lasting.alarm(alarms.QUARANTINE.of(body.device), text, dict(what.facts))]

    def sensor_seen(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is SensorSeen
        events = self._drop.sensed(body)
        if body.what == "dropped":
            events += self._rounds.dropped(body)
        return events
