"""The card-reading shoe: cards out as events, the lock as a permit.

`permit` only keeps the request, and the last one wins. It is sent when the shoe is there, again after a reconnection,
and never to a shoe that was powered up since, because that one counts from zero.
"""

from __future__ import annotations

import logging

from msgspec.structs import replace

from devices.kinds import DeviceKind, LinkKind
from devices.link.driver import LinkDriver
from devices.reports import DeviceState
from devices.spec import DeviceSpec
from protocols import shoe as wire
from protocols.errors import ProtocolError
from protocols.link.identity import Identity
from protocols.link.session import Timings

log = logging.getLogger(__name__)


class ShoeDriver(LinkDriver[wire.Message, wire.Event, wire.Status]):
    """One shoe, over all its connections."""

    def __init__(self, spec: DeviceSpec, timings: Timings | None = None) -> None:
        super().__init__(spec, timings, kind=KIND, status_type=wire.Status)
        self._requested: wire.Permit | None = None
        self._granted: wire.Permit | None = None

    def permit(self, up_to: int, *, boot: int) -> None:
        """Let cards go until the draw counter of this boot is `up_to`; at or below the counter, the shoe is locked.

        Returns at once. Compute `up_to` from the `draw_no` and `boot` of the last card, or from the `draws` and `boot`
        of the last `DeviceState`.
        """
        self._requested = wire.Permit(boot=boot, up_to=up_to)
        self._offer()

    def _command(self, status: wire.Status) -> wire.Permit | None:
        if self._requested is not None and self._requested.boot != status.boot:
            log.warning("%s: a permit for an earlier power-up of the shoe is dropped", self.spec.id)
            self._requested = None
        return None if self._requested == self._granted else self._requested

    def _answered(self, asked: wire.Message, answer: wire.Message) -> None:
        if not isinstance(answer, wire.PermitState):
            raise ProtocolError(f"the shoe answered a permit with a {type(answer).__name__}")
        granted = wire.Permit(boot=answer.boot, up_to=answer.up_to)
        if granted != asked:
            raise ProtocolError(f"the shoe answered a permit with {granted}, asked was {asked}")
        self._granted = granted

    def _gone(self) -> None:
        self._granted = None

    def _online(self, identity: Identity, status: wire.Status) -> DeviceState:
        self._granted = wire.Permit(boot=status.boot, up_to=status.up_to)
        return replace(super()._online(identity, status), boot=status.boot, draws=status.draw_no)


KIND = DeviceKind(name="shoe", driver=ShoeDriver, link=LinkKind(wire.DEVICE_CLASS, wire.CODEC))
