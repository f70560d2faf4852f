"""The inside of the simulated shuffler: a motor that moves cards, sensors that see them, counters.

The motor is a task that sleeps on the simulated clock, a little for each card. What people and the controller can do
with the machine is `sim_hw.devices.shuffler.device`.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Unpack

from protocols.shuffler import messages as wire
from protocols.shuffler.codec import CODEC, PART_BYTES
from protocols.shuffler.messages import Back, Mode, Part, Phase, Where
from sim_hw.devices.link_device import Hardware, LinkDevice
from sim_hw.devices.shuffler.deck import Card, back_of, in_order, look_through, on_top
from sim_hw.time.clock import SimClock
from sim_hw.wire.line import Port

SHUFFLE_CARD = 0.8
"""Seconds: a deck in about 40, as the machines at the tables do it."""
DISPENSE_CARD = 0.25
UNLOAD_CARD = 0.05
SELF_TEST = 5.0
BOXED_TOLD = 8
"""Boxed cards of one shuffle that are events of their own."""


class _Stuck(Exception):
    """A card did not go on."""


class ShufflerMachine(LinkDevice[wire.Message]):
    """Cards, motor, sensors."""

    DEVICE_CLASS, CODEC, MODEL, SERIAL = wire.DEVICE_CLASS, CODEC, "SIM-SHUFFLER", "SIM-0002"

    def __init__(
        self,
        port: Port,
        clock: SimClock,
        *,
        reads_cards: bool = True,
        mode: Mode | None = None,
        **hardware: Unpack[Hardware],
    ) -> None:
        self.mode = mode or Mode(kind="batch")
        self.phase: Phase = "empty"
        self.door_open = False
        self._reads = reads_cards
        self._deck_rng = random.Random(f"{hardware['seed']}/deck")
        self._motor: asyncio.Task[None] | None = None
        self._inside: list[Card] = []
        self._forming: list[Card] = []
        """A stack that is not complete yet."""
        self._forming_size = 0
        self._tray: list[Card] = []
        self._stack_in_tray = 0
        """Its number; 0 when none lies there, or something else."""
        self._jam: tuple[int, Where] | None = None
        self._misfeed = self._miscount = self._unreadable = 0
        self._broken: set[Part] = set()
        self._arranged: list[str] = []
        self._life = {"shuffles": 0, "cards": 0, "stacks": 0, "jams": 0}
        super().__init__(port, clock, **hardware)

    @property
    def cards_inside(self) -> list[str]:
        """What nobody may know, in the order in which it will come."""
        return [card.code for card in self._inside]

    @property
    def has_stack(self) -> bool:
        """A whole stack lies in the tray, and nobody has taken it yet."""
        return bool(self._stack_in_tray)

    @property
    def has_tray(self) -> bool:
        """Whether something lies in the tray."""
        return bool(self._tray)

    @property
    def is_moving(self) -> bool:
        return self._motor is not None

    def _powered_up(self) -> None:
        self._stop_motor()
        needs_service = self.phase == "out of order"
        self.deck_no = self.shuffle_no = self.test_no = 0
        self._back: Back | None = None
        self._last_back: Back | None = None
        self._last_irregular = 0
        self._card_no = self._stack_in_tray = 0
        self._deck_in = False
        self._forget_permit()
        self._tray, self._forming = self._forming + self._tray, []
        if self._inside:
            self._new_deck(found=True)
        self.phase = "out of order" if needs_service else "held" if self._inside else "empty"

    def _new_deck(self, *, found: bool) -> None:
        self.deck_no += 1
        self._deck_in = True
        self._back = None if found else back_of(self._inside)
        self._was_ready = False
        self._verified: int | None = None
        self._given = self._ejected = 0
        self._forget_permit()
        self._happened(
            wire.DeckLoaded(
                **self._head(), deck_no=self.deck_no, back=self._back, last_back=self._last_back, found=found
            )
        )

    def _forget_permit(self) -> None:
        self.stacks = self.up_to = self.size = 0

    def _happened(self, event: wire.Message) -> None:
        super()._happened(event)
        if isinstance(event, wire.Event) and wire.is_irregular(event):
            self._last_irregular = event.event_no
            self.up_to = self.stacks
        self.link.changed()

    def _go_on(self) -> None:
        """Start the motor if there is something to do."""
        if self.phase == "ready" and self.stacks < self.up_to and not self._tray and not self.door_open:
            self.phase = "dispensing"
        if self._motor is None and self._movement() is not None:
            self._motor = asyncio.get_running_loop().create_task(self._work())
        self.link.changed()

    def _movement(self) -> Callable[[], Awaitable[None]] | None:
        if self.door_open:
            return None
        match self.phase:
            case "shuffling" | "sorting":
                return self._go_through
            case "dispensing":
                return self._form_stack
            case "unloading" if not self._tray:
                return self._eject
            case "testing":
                return self._test
        return None

    async def _work(self) -> None:
        while (movement := self._movement()) is not None:
            await self.link.wait_until(lambda: self.link.has_room)
            self._card_no = 0
            try:
                await movement()
            except _Stuck:
                self._jammed()
        self._motor = None
        self._go_on()

    def _stop_motor(self) -> None:
        if self._motor is not None:
            self._motor.cancel()
            self._motor = None

    async def _card_moves(self, seconds: float) -> None:
        await self._clock.sleep(seconds)
        self._card_no += 1
        if self._jam is not None and self._jam[0] == self._card_no:
            raise _Stuck
        self._life["cards"] += 1

    def _jammed(self) -> None:
        assert self._jam is not None
        during = self.phase
        assert during in ("shuffling", "sorting", "dispensing", "unloading")
        (card_no, where), self._jam = self._jam, None
        self.phase = "jammed"
        self._life["jams"] += 1
        forming = during == "dispensing"
        self._happened(
            wire.Jammed(
                **self._head(),
                deck_no=self.deck_no,
                during=during,
                where=where,
                card_no=card_no,
                stack_no=self.stacks + 1 if forming else 0,
                in_stack=len(self._forming),
            )
        )

    def _put_back(self) -> None:
        """The cards of a stack that was not finished go back onto the rest."""
        self._inside, self._forming = self._forming + self._inside, []

    def _begin_shuffle(self, by: wire.By) -> None:
        sorts = self.mode.kind == "sort"
        self.shuffle_no += 1
        self._life["shuffles"] += not sorts
        self.phase = "sorting" if sorts else "shuffling"
        self._happened(
            wire.ShuffleStarted(
                **self._head(),
                deck_no=self.deck_no,
                shuffle_no=self.shuffle_no,
                order="sorted" if sorts else "shuffled",
                by=by,
            )
        )
        self._go_on()

    async def _go_through(self) -> None:
        boxed = 0
        for card in self._inside:
            await self._card_moves(SHUFFLE_CARD)
            boxed += card.face_up
            if card.face_up and boxed <= BOXED_TOLD:
                self._boxed(stack_no=0)
        sorts = self.phase == "sorting"
        if sorts:
            self._inside = in_order(self._inside)
        else:
            self._deck_rng.shuffle(self._inside)
            self._inside = on_top(self._inside, self._arranged)
            self._arranged = []
        self._verify("sorted" if sorts else "shuffled")

    def _verify(self, order: wire.Order) -> None:
        found = look_through(self._inside, self.mode, reads=self._reads, unreadable=self._unreadable)
        self._verified = len(self._inside) + self._miscount
        self._miscount = self._unreadable = 0
        verified = wire.DeckVerified(
            **self._head(),
            deck_no=self.deck_no,
            shuffle_no=self.shuffle_no,
            order=order,
            back=self._back,
            count=self._verified,
            expected=self.mode.cards_in_deck,
            boxed=found.boxed,
            other_backs=found.other_backs,
            unread=found.unread,
            missing=found.missing,
            extra=found.extra,
            more=found.more,
        )
        self._was_ready = verified.is_fit
        self.phase = "sorted" if order == "sorted" else "ready" if verified.is_fit else "rejected"
        self._happened(verified)

    def _boxed(self, stack_no: int) -> None:
        self._happened(
            wire.BoxedCard(**self._head(), deck_no=self.deck_no, card_no=self._card_no, stack_no=stack_no, card=None)
        )

    async def _form_stack(self) -> None:
        size, stack_no = self.size, self.stacks + 1
        self._forming_size = size
        count = min(size + self._misfeed, len(self._inside))
        self._misfeed = 0
        read: list[str | None] = []
        for _ in range(count):
            await self._card_moves(DISPENSE_CARD)
            card = self._inside.pop(0)
            self._forming.append(card)
            if card.face_up:
                self._boxed(stack_no)
            read.append(self._read(card))
        self._tray, self._forming = self._forming, []
        self.stacks = self._stack_in_tray = stack_no
        self._given += count
        self._life["stacks"] += 1
        self.phase = "ready"
        self._happened(
            wire.StackDispensed(**self._head(), deck_no=self.deck_no, stack_no=stack_no, size=size, cards=tuple(read))
        )

    def _read(self, card: Card) -> str | None:
        if not self._reads or card.face_up:
            return None
        if self._unreadable:
            self._unreadable -= 1
            return None
        return card.code

    async def _eject(self) -> None:
        while self._inside:
            await self._card_moves(UNLOAD_CARD)
            self._tray.append(self._inside.pop(0))
            self._ejected += 1
        self._unloaded(count=self._ejected)

    def _unloaded(self, *, count: int | None) -> None:
        self._inside = []
        self._deck_in = False
        self.phase = "out of order" if self.phase == "out of order" else "empty"
        self._last_back = self._back if self._was_ready else self._last_back
        expected = None if self._verified is None else self._verified - self._given
        self._happened(wire.DeckUnloaded(**self._head(), deck_no=self.deck_no, count=count, expected=expected))

    async def _test(self) -> None:
        await self._clock.sleep(SELF_TEST)
        failed = tuple(part for part in PART_BYTES if part in self._broken)
        self.phase = "out of order" if failed else "empty"
        self._happened(wire.SelfTestEnded(**self._head(), test_no=self.test_no, failed=failed))

    def _set_mode(self, mode: Mode, by: wire.By) -> None:
        if mode != self.mode:
            self.mode = mode
            self._happened(wire.ModeChanged(**self._head(), mode=mode, by=by))
