"""A device's report on its way into the journal, and what the devices may do once it is there."""

from __future__ import annotations

from collections.abc import Mapping

from controller.clock import Clock
from controller.engine.expect.expectation import WantReveal
from controller.engine.inputs import DeviceSeen
from controller.firmware.service import FirmwareService
from controller.operator.panel import Panels
from controller.outputs.device_commands import DeviceCommands
from controller.recorder.recorder import Recorder
from controller.table.translate import Heard, hear
from controller.technician.workbench import Workbench
from devices import reports
from devices.link.authentication import DeviceVetted

TIMED_DEVICES = frozenset({"shoe", "shuffler", "dice_cup", "key_panel"})
"""Those whose clock is their own; a simulated table keeps time by them."""


class Intake:
    """Where the reports of all devices come in."""

    def __init__(
        self,
        recorder: Recorder,
        clock: Clock,
        kinds: Mapping[str, str],
        *,
        firmware: FirmwareService,
        commands: DeviceCommands,
        panels: Panels,
        workbench: Workbench,
    ) -> None:
        """`kinds`: what each device is, by its id."""
        self._recorder, self._clock, self._kinds = recorder, clock, kinds
        self._firmware, self._commands, self._panels, self._workbench = firmware, commands, panels, workbench

    async def take(self, report: reports.Report) -> None:
        """Returns when it is in the journal, and the driver may acknowledge it."""
        with self._workbench.report_under_way():
            await self._take(report)

    async def _take(self, report: reports.Report) -> None:
        if isinstance(report, DeviceVetted):
            await self._firmware.vetted(report)
            return
        if isinstance(report, reports.DeviceEvent) and self._kinds[report.device] in TIMED_DEVICES:
            self._clock.observe(report.uptime_ms)
        engine = self._recorder.engine
        known = engine.state.devices.get(report.device)
        if known is None or known.state == "removed":
            facts = {"kind": self._kinds[report.device]}
        else:
            facts = known.facts
        facts = self._firmware.facts(report.device, facts)
        heard = hear(report, facts, dealing=engine.is_dealing, reveal=self._awaited_reveal())
        if heard is not None and not self._is_known(heard):
            await self._recorder.submit(heard.body, heard.by, heard.ref)
        # Only now: a command reckoned from a card that the engine has not seen would let out one too many.
        self._commands.applied(report)
        self._commands.follow(self._recorder.engine)
        if isinstance(report, reports.KeyPressed):
            await self._panels.pressed(report)

    def _awaited_reveal(self) -> str | None:
        """Whose unread cards the table waits to hear named."""
        wants = self._recorder.engine.expectation.wants
        return next((want.owner for want in wants if isinstance(want, WantReveal)), None)

    def _is_known(self, heard: Heard) -> bool:
        """A device whose state is what the journal has already: a reconnection that changed nothing."""
        body = heard.body
        if heard.ref is not None or not isinstance(body, DeviceSeen):
            return False
        known = self._recorder.engine.state.devices.get(body.device)
        return known is not None and (known.state, known.facts, known.boot) == (body.state, body.facts, body.boot)
