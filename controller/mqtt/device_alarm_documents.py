"""The retained documents of devices and alarms, made from the table's state; sent when they have changed.

After every input the table's state is a new value, but what did not change in it is the same object: looking at the
two dictionaries by identity costs nothing, and most inputs touch neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from controller.contract.messages import AlarmDocument, DeviceDocument, encode
from controller.engine.alarms import advice
from controller.engine.table.state import Alarm, Device, TableState
from controller.journal import JournalReader


class Outlet(Protocol):
    """Where the documents go: the publishers of all brokers, or one."""

    def device_changed(self, device_id: str, body: bytes) -> None: ...

    def alarm_changed(self, name: str, body: bytes | None) -> None: ...


class DeviceAlarmDocuments:
    """Hands the documents of a table's devices and alarms to its publishers."""

    def __init__(self, publishers: Outlet, journal: JournalReader) -> None:
        self._publishers, self._id, self._site, self._table = publishers, journal.id, journal.site, journal.table
        self._devices: Mapping[str, Device] = {}
        self._alarms: Mapping[str, Alarm] = {}

    def renew(self, state: TableState) -> None:
        if state.devices is not self._devices:
            self._devices = state.devices
            for name, device in state.devices.items():
                document = DeviceDocument(self._id, self._site, self._table, name, device.state, device.facts)
                self._publishers.device_changed(name, encode(document))
        if state.alarm_lives is not self._alarms:
            for name in self._alarms.keys() - state.alarm_lives.keys():
                self._publishers.alarm_changed(name, None)
            self._alarms = state.alarm_lives
            for name, alarm in state.alarm_lives.items():
                self._publishers.alarm_changed(name, encode(self._alarm(name, alarm)))

    def _alarm(self, name: str, alarm: Alarm) -> AlarmDocument:
        about = advice(name)
        return AlarmDocument(
            journal=self._id,
            site=self._site,
            table=self._table,
            alarm=name,
            state="cleared" if alarm.cleared_at else "raised",
            text=f"Over. It was: {alarm.text}" if alarm.cleared_at else alarm.text,
            severity=about.severity,
            device=about.device,
            box=about.box,
            raised_at=alarm.raised_at,
            acknowledged_by=alarm.acknowledged_by or None,
            acknowledged_at=alarm.acknowledged_at or None,
            cleared_at=alarm.cleared_at or None,
            to_do=about.to_do,
            ends=about.ends,
            settled_by=alarm.settled_by or None,
            reason=alarm.reason or None,
        )
