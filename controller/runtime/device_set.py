"""The devices that a running table attends, and how they change when its configuration does.

Several parts keep devices by their id: drivers, commands, panels, firmware, technicians, metrics. All of them get a
change at the same moment, between two turns of the loop, so that none sees a table with half of its devices.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from controller.config import DeviceConfig
from controller.engine.inputs import DeviceSeen
from controller.firmware.service import FirmwareService
from controller.journal import JournalError
from controller.metrics import TableMetrics
from controller.operator.panel import Panels
from controller.outputs.device_commands import DeviceCommands
from controller.recorder.recorder import Recorder
from controller.technician.workbench import Workbench
from devices.kinds import kind_of
from devices.supervisor import Supervisor


class DeviceSet:
    """Which devices are attended, and who has to know."""

    def __init__(
        self,
        recorder: Recorder,
        supervisor: Supervisor,
        kinds: dict[str, str],
        *,
        firmware: FirmwareService,
        commands: DeviceCommands,
        panels: Panels,
        workbench: Workbench,
        metrics: TableMetrics,
    ) -> None:
        """`kinds`: what each device is to the table, by its id; the others look into the same dictionary."""
        self._recorder, self._supervisor, self._kinds = recorder, supervisor, kinds
        self._firmware, self._commands, self._panels = firmware, commands, panels
        self._workbench, self._metrics = workbench, metrics

    async def change(self, old: Sequence[DeviceConfig], new: Sequence[DeviceConfig]) -> None:
        """Attend the new ones, let go of those that are gone, open anew what is elsewhere or otherwise now."""
        before, after = {device.id: device for device in old}, {device.id: device for device in new}
        if before == after:
            return
        other = [name for name in before if before[name] != after.get(name)]
        await self._supervisor.let_go(other)
        await self.record_removed([one for one in new if one.id not in before or before[one.id].kind == one.kind])
        # From here to the end nothing waits.
        specs = [device.spec for device in new]
        fresh = [name for name in after if before.get(name) != after[name]]
        for name in other:
            self._commands.forget(name)
        self._panels.change(labels(new), other)
        self._supervisor.change(specs)
        self._kinds.clear()
        self._kinds.update({device.id: kind_of(device.kind).to_the_table for device in new})
        self._firmware.accompany(fresh)
        self._commands.resume(self._recorder.engine.state.marks, only=fresh)
        self._workbench.devices_changed(specs)
        self._metrics.specs = tuple(specs)
        self._supervisor.attend_all()

    async def record_removed(self, there: Sequence[DeviceConfig]) -> None:
        """A device that was taken out is first away, which may concern the round, and then no more of this table."""
        ours = {name for device in there for name in _names(device)}
        for name, known in self._recorder.engine.state.devices.items():
            if name in ours or known.state == "removed":
                continue
            facts = {**known.facts, "detail": "it was taken out of the configuration"}
            for state in ("offline", "removed"):
                with contextlib.suppress(JournalError):
                    await self._recorder.submit(DeviceSeen(name, state, facts), "board")


def labels(devices: Sequence[DeviceConfig]) -> dict[str, frozenset[str]]:
    """The names of each key panel's keys."""
    panels = (device for device in devices if device.kind == "key_panel")
    return {device.id: frozenset(device.options.get("keys", {}).values()) for device in panels}


def _names(device: DeviceConfig) -> list[str]:
    """Under which names the journal knows it: a bus of drop boxes by its sensors as well."""
    return [device.id, *(f"{device.id}.{sensor['box']}" for sensor in device.options.get("sensors", ()))]
