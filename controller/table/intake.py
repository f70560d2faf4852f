"""A device's report on its way into the journal, and what the devices may do once it is there."""

from __future__ import annotations

from collections.abc import Mapping

from controller.clock import Clock
from controller.engine.alarms import LINK
from controller.engine.expect.wants import WantReveal
from controller.engine.inputs import DeviceSeen
from controller.engine.shoe.counters import reconciled
from controller.firmware.service import FirmwareService
from controller.operator.panel import Panels
from controller.outputs.device_commands import DeviceCommands
from controller.recorder.board_alarms import set_alarm
from controller.recorder.recorder import Recorder
from controller.table.translate.common import Context
from controller.table.translate.report import Translated, translate
from controller.technician.workbench import Workbench
from devices.drivers.key_panel import NamedKeyPressed
from devices.kinds import kind_of
from devices.link.authentication import DeviceVetted
from devices.reports import DeviceEvent, Report, TamperingSeen


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
        """`kinds`: what each device is to the table, by its id."""
        self._recorder, self._clock, self._kinds = recorder, clock, kinds
        self._firmware, self._commands, self._panels, self._workbench = firmware, commands, panels, workbench

    async def take(self, report: Report) -> None:
        """Returns when it is in the journal, and the driver may acknowledge it."""
        with self._workbench.report_under_way():
            await self._take(report)

    async def _take(self, report: Report) -> None:
        if isinstance(report, DeviceVetted):
            await self._firmware.vetted(report)
            return
        if isinstance(report, TamperingSeen):
            text = f"{report.device}: {report.detail}; the session was ended"
            await set_alarm(self._recorder, LINK.of(report.device), text)
            return
        kind = self._kinds[report.device]
        if isinstance(report, DeviceEvent) and kind_of(kind).link is not None:
            # A device on the link has a clock of its own; a simulated table keeps time by them.
            self._clock.observe(report.uptime_ms)
        engine = self._recorder.engine
        known = engine.state.devices.get(report.device)
        if known is None or known.state == "removed":
            facts = {"kind": kind}
        else:
            facts = known.facts
        facts = self._firmware.facts(report.device, facts)
        translated = translate(report, kind, Context(facts, engine.is_dealing, self._awaited_reveal()))
        if translated is not None and not self._is_known(translated):
            by = translated.person or translated.by
            await self._recorder.submit(translated.body, by, translated.ref, counter=translated.counter)
        # Only now: a command computed from a card that the engine has not seen would let out one too many.
        self._commands.applied(report)
        self._commands.follow(self._recorder.engine)
        if isinstance(report, DeviceEvent) and isinstance(report.body, NamedKeyPressed):
            await self._panels.pressed(report.device, report.body)

    def _awaited_reveal(self) -> str | None:
        """Whose unread cards the table waits to have named."""
        wants = self._recorder.engine.expectation.wants
        return next((want.owner for want in wants if isinstance(want, WantReveal)), None)

    def _is_known(self, translated: Translated) -> bool:
        """A device state that the journal has already: a reconnection that changed nothing, the counters neither."""
        body = translated.body
        if translated.ref is not None or not isinstance(body, DeviceSeen):
            return False
        state, counter = self._recorder.engine.state, translated.counter
        known = state.devices.get(body.device)
        if known is None or (known.state, known.facts, known.boot) != (body.state, body.facts, body.boot):
            return False
        kept = state.counters.get(body.device)
        return counter is None or (kept is not None and reconciled(kept, counter) == (kept, ()))
