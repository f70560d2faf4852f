"""The card-reading shoe: connect, identify, resynchronise, then one report per event.

A report goes to the sink first and is acknowledged to the shoe when the sink has returned; if the sink raises, the shoe
keeps the event and sends it again in the next session, with the same boot and number.

`permit` only notes a wish, and the last wish wins: it is sent when the shoe is there, again after a reconnection, and
never to a shoe that was powered up since, because that one counts from zero.
"""

from __future__ import annotations

import asyncio
import logging
from typing import NoReturn

from devices import reports
from devices.connection import ConnectionLost, LinkConnection, WrongDevice, connect
from devices.reports import DeviceState, ShoeReport, Sink
from devices.spec import DeviceSpec
from protocols import shoe as wire
from protocols.errors import ProtocolError
from protocols.identity import DeviceClass, Identify, Identity
from protocols.link import LinkStatistics, Timings

ANSWER_WITHIN = 2.0
"""A shoe answers in milliseconds; one that is silent for so long while its link is alive has hung."""

log = logging.getLogger(__name__)


class ShoeDriver:
    """One shoe, over all its connections."""

    def __init__(self, spec: DeviceSpec, timings: Timings | None = None) -> None:
        self.spec = spec
        self.statistics = LinkStatistics.fresh()
        self.status: wire.Status | None = None
        """How the shoe stood when it was last asked; None while it is away."""
        self._timings = timings or Timings()
        self._connection: LinkConnection | None = None
        self._patience: asyncio.Timeout | None = None
        """Runs while the driver waits for a message."""
        self._wish: wire.Permit | None = None
        self._asked: wire.Permit | None = None
        self._granted: wire.Permit | None = None

    def permit(self, up_to: int, *, boot: int) -> None:
        """Let cards go until the draw counter of this boot is `up_to`; at or below the counter, the shoe is locked.

        Returns at once. Reckon `up_to` from the `draw_no` and `boot` of the last card, or from the `draws` and `boot`
        of the last `DeviceState`.
        """
        self._wish = wire.Permit(boot=boot, up_to=up_to)
        self._offer_permit()

    async def run(self, sink: Sink) -> NoReturn:
        """One connection, until it fails: with a `DriverFailure`, a `ProtocolError`, or the sink's own error."""
        try:
            async with connect(self.spec, self.statistics, self._timings) as connection:
                if connection.device_class != DeviceClass.SHOE:
                    raise WrongDevice(f"the device on {self.spec.url} is {_name(connection.device_class)}, not a shoe")
                await self._converse(connection, sink)
        finally:
            self._connection = self.status = self._asked = self._granted = None

    async def _converse(self, connection: LinkConnection, sink: Sink) -> NoReturn:
        identity: Identity | None = None
        last: wire.ShoeEvent | None = None
        connection.send(wire.encode(Identify()))
        connection.send(wire.encode(wire.StatusRequest()))
        while True:
            message = wire.decode(await self._receive(connection))
            match message:
                case Identity():
                    identity = message
                case wire.Status():
                    if identity is None:
                        raise ProtocolError("the shoe told its status before its identity")
                    await sink(self._online(identity, message))
                    self._connection, self.status = connection, message
                    self._granted = wire.Permit(boot=message.boot, up_to=message.up_to)
                case wire.PermitState():
                    self._permit_answered(message)
                case wire.ShoeEvent():
                    _expect_next(last, message)
                    await sink(self._report(message))
                    last = message
                case Identify() | wire.Permit() | wire.StatusRequest():
                    raise ProtocolError(f"the shoe sent a {type(message).__name__}, which is the controller's to send")
            connection.taken()
            self._offer_permit()

    async def _receive(self, connection: LinkConnection) -> bytes:
        answer_due = self.status is None or self._asked is not None
        try:
            async with asyncio.timeout(ANSWER_WITHIN if answer_due else None) as self._patience:
                return await connection.receive()
        except TimeoutError:
            raise ConnectionLost(f"the shoe gave no answer in {ANSWER_WITHIN:g} s") from None
        finally:
            self._patience = None

    def _offer_permit(self) -> None:
        """One permit is under way at a time, so that a shoe never has to catch up with wishes of the past."""
        wish, connection, status = self._wish, self._connection, self.status
        if wish is None or connection is None or status is None or self._asked is not None or wish == self._granted:
            return
        if wish.boot != status.boot:
            log.warning("%s: a permit for an earlier power-up of the shoe is dropped", self.spec.id)
            self._wish = None
        elif connection.can_send:
            connection.send(wire.encode(wish))
            self._asked = wish
            if self._patience is not None:
                self._patience.reschedule(asyncio.get_running_loop().time() + ANSWER_WITHIN)

    def _permit_answered(self, answer: wire.PermitState) -> None:
        granted = wire.Permit(boot=answer.boot, up_to=answer.up_to)
        if granted != self._asked:
            raise ProtocolError(f"the shoe answered a permit with {granted}, asked was {self._asked}")
        self._granted, self._asked = granted, None

    def _online(self, identity: Identity, status: wire.Status) -> DeviceState:
        return DeviceState(
            device=self.spec.id,
            state="online",
            model=identity.model,
            serial=identity.serial,
            firmware=identity.firmware,
            boot=status.boot,
            draws=status.draw_no,
        )

    def _report(self, event: wire.Event) -> ShoeReport:
        of, boot, no, at = self.spec.id, event.boot, event.event_no, event.uptime_ms
        match event:
            case wire.CardDrawn(draw_no=draw, card=card, why=why):
                return reports.CardDrawn(
                    device=of, boot=boot, event_no=no, uptime_ms=at, draw_no=draw, card=card, why=why
                )
            case wire.Overdraw(draw_no=draw, card=card, why=why):
                return reports.Overdraw(
                    device=of, boot=boot, event_no=no, uptime_ms=at, draw_no=draw, card=card, why=why
                )
            case wire.CardReturned(draw_no=draw):
                return reports.CardReturned(device=of, boot=boot, event_no=no, uptime_ms=at, draw_no=draw)
            case wire.CutCardOut(draw_no=draw):
                return reports.CutCardOut(device=of, boot=boot, event_no=no, uptime_ms=at, draw_no=draw)
            case wire.ShoeLoaded(decks=decks, cards=cards):
                return reports.ShoeLoaded(device=of, boot=boot, event_no=no, uptime_ms=at, decks=decks, cards=cards)
            case wire.ShoeEmpty(draw_no=draw):
                return reports.ShoeEmpty(device=of, boot=boot, event_no=no, uptime_ms=at, draw_no=draw)
            case wire.Lid(is_open=is_open):
                return reports.LidMoved(device=of, boot=boot, event_no=no, uptime_ms=at, is_open=is_open)


def _expect_next(last: wire.ShoeEvent | None, event: wire.ShoeEvent) -> None:
    """Within a session the numbers of a boot have no gap: a missing event is asked for again, not passed over."""
    if last is not None and last.boot == event.boot and event.event_no != last.event_no + 1:
        raise ProtocolError(f"the shoe sent event {event.event_no} after event {last.event_no}")


def _name(device_class: int | None) -> str:
    try:
        return f"a {DeviceClass(device_class or 0).name.lower().replace('_', ' ')}"
    except ValueError:
        return f"of the unknown class {device_class}"
