"""The card-reading shoe: cards out as events, the lock as a permit.

`permit` only keeps the request, and the last one wins. It is sent when the shoe is there, again after a reconnection,
and never to a shoe that was powered up since, because that one counts from zero.
"""

from __future__ import annotations

import logging

from msgspec.structs import asdict, replace

from devices.kinds import DeviceKind, LinkKind
from devices.link.driver import LinkDriver
from devices.reports import DeviceState
from devices.spec import DeviceSpec
from protocols import shoe as wire
from protocols.errors import ProtocolError
from protocols.link.events import NumberedEvent
from protocols.link.identity import Identity
from protocols.link.session import Timings

log = logging.getLogger(__name__)


class LimitedCardDrawn(wire.CardDrawn, kw_only=True):
    limit: int | None
    """The draw number up to which the shoe was unlocked when the card left, by its own answers; of a card that it kept
    over a reconnection, the highest number that was ever sent to it. None where this driver has sent none."""


class ShoeDriver(LinkDriver[wire.Message, wire.Event, wire.Status]):
    """One shoe, over all its connections."""

    def __init__(self, spec: DeviceSpec, timings: Timings | None = None) -> None:
        super().__init__(spec, timings, kind=KIND, status_type=wire.Status)
        self._requested: wire.Permit | None = None
        self._granted: wire.Permit | None = None
        self._highest: wire.Permit | None = None
        """Of the permits that were sent to the shoe since its power-up, answered or not."""

    def permit(self, up_to: int, *, boot: int) -> None:
        """Let cards go until the draw counter of this boot is `up_to`; at or below the counter, the shoe is locked.

        Returns at once. Compute `up_to` from the counters of the last report that the controller has applied. A counter
        at its end cannot be unlocked further: such a shoe stays locked until it is powered up again.
        """
        self._requested = wire.Permit(boot=boot, up_to=min(up_to, wire.LAST_DRAW_NO))
        self._offer()

    def _command(self, status: wire.Status) -> wire.Permit | None:
        if self._requested is not None and self._requested.boot != status.boot:
            log.warning("%s: a permit for an earlier power-up of the shoe is dropped", self.spec.id)
            self._requested = None
        if self._requested is None or self._requested == self._granted:
            return None
        highest = self._highest
        if highest is None or highest.boot != status.boot or highest.up_to < self._requested.up_to:
            self._highest = self._requested
        return self._requested

    def _body(self, event: wire.Event) -> NumberedEvent:
        if not isinstance(event, wire.CardDrawn):
            return event
        # Messages come in the order in which the shoe made them: what it has not acknowledged, it did not have yet.
        permit = self._highest if self._granted is None else self._granted
        limit = None if permit is None or permit.boot != event.boot else permit.up_to
        return LimitedCardDrawn(**asdict(event), limit=limit)

    def _draw_in(self, data: bytes) -> int | None:
        return int.from_bytes(data[17:21]) if data[0] in wire.CARD_KINDS and len(data) == wire.CARD_LENGTH else None

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
        highest = self._highest
        return replace(
            super()._online(identity, status),
            boot=status.boot,
            draws=status.draw_no,
            up_to=status.up_to,
            limit=highest.up_to if highest is not None and highest.boot == status.boot else None,
            cards_left=status.cards_left,
        )


KIND = DeviceKind(name="shoe", driver=ShoeDriver, link=LinkKind(wire.DEVICE_CLASS, wire.CODEC))
