"""The simulated shuffler.

It does what docs/protocols/shuffler.md asks of a machine: counts decks, shuffles and stacks, verifies what went through
it, locks at its permit, stops at everything irregular. Its motor is a task that sleeps on the simulated clock, a little
for each card. People's hands are methods: `load`, `press_shuffle`, `take`, `clear_jam`, `move_door`; what goes wrong is
arranged by others: `jam_at`, `misfeed`, `turn_card`, `break_part`.

The order of the cards comes from the seed: `random.Random(f"{seed}/deck").shuffle` over the deck as it was put in,
whose generator goes on from shuffle to shuffle.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import asdict

from protocols import shuffler as wire
from protocols.identity import DeviceClass
from protocols.link import Timings
from protocols.shuffler import Back, Mode, Part, Phase, Refusal, Where
from protocols.shuffler_codec import CODEC, PART_BYTES
from sim_hw.clock import SimClock
from sim_hw.link_device import LinkDevice
from sim_hw.noise import Noise
from sim_hw.pty import Pty
from sim_hw.shuffler_deck import Card, back_of, in_order, look_through, put_together

SHUFFLE_CARD = 0.8
"""Seconds: a deck in about 40, as the machines at the tables do it."""
DISPENSE_CARD = 0.25
UNLOAD_CARD = 0.05
SELF_TEST = 5.0
BOXED_TOLD = 8
"""Boxed cards of one shuffle that are events of their own."""

UNLOADABLE: frozenset[Phase] = frozenset({"loaded", "ready", "sorted", "rejected", "held", "unloading"})
DOOR_HOLDS: frozenset[Phase] = frozenset(
    {"shuffling", "sorting", "ready", "sorted", "rejected", "dispensing", "unloading"}
)
NOT_SHUFFLED: frozenset[Phase] = frozenset({"loaded", "shuffling", "sorting", "sorted"})


class _Stuck(Exception):
    """A card did not go on."""


class SimulatedShuffler(LinkDevice[wire.Message]):
    """A shuffler on a simulated port. Unplugged and empty at first: `plug` it, `load` it; `switch_off` in the end."""

    def __init__(
        self,
        port: Pty,
        clock: SimClock,
        *,
        seed: int | str,
        reads_cards: bool = True,
        mode: Mode | None = None,
        noise: Noise | None = None,
        timings: Timings | None = None,
        model: str = "SIM-SHUFFLER",
        serial: str = "SIM-0002",
        firmware: str = "1.0.0",
    ) -> None:
        self.mode = mode or Mode(kind="batch")
        self.phase: Phase = "empty"
        self.door_open = False
        self._reads = reads_cards
        self._deck_rng = random.Random(f"{seed}/deck")
        self._motor: asyncio.Task[None] | None = None
        self._inside: list[Card] = []
        self._tray: list[Card] = []
        self._jam: tuple[int, Where] | None = None
        self._misfeed = self._miscount = self._unreadable = 0
        self._broken: set[Part] = set()
        self._life = {"shuffles": 0, "cards": 0, "stacks": 0, "jams": 0}
        super().__init__(
            port,
            clock,
            seed=seed,
            device_class=DeviceClass.SHUFFLER,
            codec=CODEC,
            model=model,
            serial=serial,
            firmware=firmware,
            noise=noise,
            timings=timings,
        )

    # Hands

    def load(
        self,
        back: Back = "red",
        *,
        cards: Sequence[str] | None = None,
        without: Collection[str] = (),
        extra: Collection[str] = (),
        face_up: Collection[str] = (),
        strange_backs: int = 0,
    ) -> None:
        """Put a deck in: a whole one with these mistakes, or just these cards."""
        if self._deck_in or self.phase != "empty":
            raise ValueError(f"the machine is {self.phase}; no deck can be put in")
        deck = [Card(code, back) for code in cards] if cards is not None else None
        self._inside = deck or put_together(self.mode, back, without=without, extra=extra, face_up=face_up)
        for card in self._inside[:strange_backs]:
            card.back = "black" if back != "black" else "green"
        self._new_deck(found=False)
        self.phase = "loaded"

    def press_shuffle(self) -> None:
        """The button on the machine."""
        if self.phase == "loaded" and not self.door_open:
            self._begin_shuffle("hand")

    async def wait_phase(self, *phases: Phase) -> None:
        await self.link.wait_until(lambda: self.phase in phases)

    async def wait_tray(self) -> None:
        """Until a whole stack, or the unloaded deck, lies in the tray."""
        await self.link.wait_until(lambda: bool(self._tray) and self.phase not in ("dispensing", "unloading"))

    def take(self) -> list[str]:
        """Take whatever lies in the tray, and see what it is."""
        taken, self._tray = [card.code for card in self._tray], []
        if self._stack_in_tray:
            stack_no, self._stack_in_tray = self._stack_in_tray, 0
            self._happened(wire.StackRemoved(**self._head(), deck_no=self.deck_no, stack_no=stack_no))
        self._go_on()
        return taken

    def clear_jam(self) -> None:
        """Pull the card out and put it back, with the stack that it belonged to."""
        if self.phase != "jammed":
            raise ValueError(f"the machine is {self.phase}; there is no jam to clear")
        self._put_back()
        self.phase = "held"
        self._happened(wire.JamCleared(**self._head(), deck_no=self.deck_no))

    def move_door(self, *, is_open: bool) -> None:
        if is_open == self.door_open:
            return
        self.door_open = is_open
        if is_open:
            self._stop_motor()
            if self.phase in DOOR_HOLDS:
                if self.phase == "dispensing":
                    self._put_back()
                self.phase = "held"
        self._happened(wire.DoorMoved(**self._head(), is_open=is_open))
        self._go_on()

    def take_out_by_hand(self) -> list[str]:
        """Reach through the door and take the deck out."""
        if not self.door_open:
            raise ValueError("the door is closed")
        taken = [card.code for card in self._inside]
        self._unloaded(count=None)
        return taken

    def choose_mode(self, mode: Mode) -> None:
        """At the machine's own panel."""
        if self.phase not in ("empty", "loaded"):
            raise ValueError(f"the machine is {self.phase}; the panel does not let the mode be changed")
        self._set_mode(mode, "hand")

    def switch_off(self) -> None:
        """Power and cable."""
        self._stop_motor()
        self.unplug()

    # What goes wrong

    def jam_at(self, card_no: int, where: Where = "rack") -> None:
        """This card of the next movement, or of the one that goes on, will stick."""
        self._jam = (card_no, where)

    def misfeed(self, by: int) -> None:
        """The next stack comes with so many cards more, or fewer."""
        self._misfeed = by

    def miscount(self, by: int) -> None:
        """The counter errs by so many at the next shuffle."""
        self._miscount = by

    def fail_reads(self, count: int) -> None:
        """The reader does not get the next cards."""
        self._unreadable = count

    def turn_card(self, nth: int = 1) -> None:
        """The nth card that is to come out turns over in the machine."""
        self._inside[nth - 1].face_up = True

    def break_part(self, part: Part, *, quietly: bool = False) -> None:
        """Something breaks; quietly, if only a self test will find it."""
        self._broken.add(part)
        if not quietly:
            self._stop_motor()
            self._put_back()
            self.phase = "out of order"
            self._happened(wire.Fault(**self._head(), part=part))

    def mend(self) -> None:
        """The service was here; a self test will say so."""
        self._broken.clear()

    # The machine

    @property
    def cards_inside(self) -> list[str]:
        """What nobody may know, in the order in which it will come."""
        return [card.code for card in self._inside]

    @property
    def is_moving(self) -> bool:
        return self._motor is not None

    def _powered_up(self) -> None:
        self._stop_motor()
        self.deck_no = self.shuffle_no = self.test_no = 0
        self._last_back: Back | None = None
        self._last_irregular = 0
        self._card_no = self._stack_in_tray = 0
        self._deck_in = False
        self._forget_permit()
        if self._inside:
            self._new_deck(found=True)
            self.phase = "held"
        else:
            self.phase = "empty"

    def _new_deck(self, *, found: bool) -> None:
        self.deck_no += 1
        self._deck_in = True
        self._was_ready = False
        self._verified: int | None = None
        self._given = self._ejected = 0
        self._forget_permit()
        self._happened(
            wire.DeckLoaded(
                **self._head(),
                deck_no=self.deck_no,
                back=None if found else back_of(self._inside),
                last_back=self._last_back,
                found=found,
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
                in_stack=len(self._tray) if forming else 0,
            )
        )

    def _put_back(self) -> None:
        """The cards of a stack that was not finished go back onto the rest."""
        if not self._stack_in_tray and self._ejected == 0:
            self._inside, self._tray = self._tray + self._inside, []

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
            count=self._verified,
            expected=self.mode.cards_in_deck,
            **asdict(found),
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
        count = min(size + self._misfeed, len(self._inside))
        self._misfeed = 0
        read: list[str | None] = []
        for _ in range(count):
            await self._card_moves(DISPENSE_CARD)
            card = self._inside.pop(0)
            self._tray.append(card)
            if card.face_up:
                self._boxed(stack_no)
            read.append(self._read(card))
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
        self._last_back = back_of(self._tray) if self._was_ready else self._last_back
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

    # Commands

    def _status(self) -> wire.Status:
        return wire.Status(
            boot=self.boot,
            event_no=self._event_no,
            phase=self.phase,
            mode=self.mode,
            deck_no=self.deck_no,
            back=back_of(self._inside),
            shuffle_no=self.shuffle_no,
            stacks=self.stacks,
            up_to=self.up_to,
            size=self.size,
            cards_left=self._cards_left,
            tray=bool(self._tray),
            door_open=self.door_open,
            test_no=self.test_no,
        )

    @property
    def _cards_left(self) -> int | None:
        return None if not self._deck_in or self._verified is None else self._verified - self._given

    def _commanded(self, command: wire.Message) -> None:
        """The answer first, then what comes of it."""
        match command:
            case wire.SetMode():
                self._on_set_mode(command)
            case wire.Shuffle():
                self._on_shuffle(command)
            case wire.Dispense():
                self._on_dispense(command)
            case wire.Unload():
                self._on_unload(command)
            case wire.SelfTest():
                self._on_self_test(command)
            case wire.MetersRequest():
                hours = (self._clock.now_ms() - self._booted_at) // 3_600_000
                self._answer(wire.Meters(**self._life, hours=hours))

    def _on_set_mode(self, command: wire.SetMode) -> None:
        is_free = command.mode == self.mode or self.phase in ("empty", "loaded")
        refused: Refusal | None = None if is_free else self._wrong_phase()
        self._answer(wire.ModeState(mode=command.mode if is_free else self.mode, refused=refused))
        if is_free:
            self._set_mode(command.mode, "controller")

    def _on_shuffle(self, command: wire.Shuffle) -> None:
        begun = command.boot == self.boot and command.shuffle_no <= self.shuffle_no
        refused = None if begun else self._refuses_shuffle(command)
        starts = refused is None and not begun
        shuffle_no = command.shuffle_no if starts else self.shuffle_no
        self._answer(wire.ShuffleState(boot=self.boot, deck_no=self.deck_no, shuffle_no=shuffle_no, refused=refused))
        if starts:
            self._begin_shuffle("controller")

    def _refuses_shuffle(self, command: wire.Shuffle) -> Refusal | None:
        if command.boot != self.boot:
            return "other boot"
        if not self._holds(command.deck_no):
            return "other deck"
        if command.shuffle_no != self.shuffle_no + 1:
            return "out of turn"
        if self.phase != "loaded":
            return self._wrong_phase()
        return "door open" if self.door_open else None

    def _on_dispense(self, command: wire.Dispense) -> None:
        refused = self._refuses_dispense(command)
        if refused is None:
            self.up_to, self.size = command.up_to, command.size
        self._answer(
            wire.DispenseState(
                boot=self.boot,
                deck_no=self.deck_no,
                stacks=self.stacks,
                up_to=self.up_to,
                size=self.size,
                refused=refused,
            )
        )
        self._go_on()

    def _refuses_dispense(self, command: wire.Dispense) -> Refusal | None:
        if command.boot != self.boot:
            return "other boot"
        if not self._holds(command.deck_no):
            return "other deck"
        if command.known < self._last_irregular:
            return "irregularity"
        if self.phase not in ("ready", "dispensing"):
            if self.phase in NOT_SHUFFLED:
                return "not shuffled"
            return "not fit" if self.phase == "rejected" else self._wrong_phase()
        if self.door_open:
            return "door open"
        if self.mode.kind != "stacks":
            return "wrong mode"
        if command.size not in {self.mode.stack, self.mode.packet} - {0}:
            return "wrong size"
        begun = self.phase == "dispensing"
        left = len(self._inside) + len(self._tray) - self.size if begun else len(self._inside)
        wanted = max(0, command.up_to - self.stacks - begun)
        return "too few cards" if wanted * command.size > left else None

    def _on_unload(self, command: wire.Unload) -> None:
        refused = self._refuses_unload(command)
        if refused is None and self._holds(command.deck_no):
            self.up_to = self.stacks
            self.phase = "unloading"
        self._answer(wire.UnloadState(boot=self.boot, deck_no=self.deck_no, refused=refused))
        self._go_on()

    def _refuses_unload(self, command: wire.Unload) -> Refusal | None:
        if command.boot != self.boot:
            return "other boot"
        if command.deck_no > self.deck_no:
            return "other deck"
        if not self._holds(command.deck_no) or self.phase == "unloading":
            return None
        if self.phase not in UNLOADABLE:
            return self._wrong_phase()
        return "door open" if self.door_open else None

    def _on_self_test(self, command: wire.SelfTest) -> None:
        begun = command.boot == self.boot and command.test_no <= self.test_no
        refused = None if begun else self._refuses_self_test(command)
        if refused is None and not begun:
            self.test_no = command.test_no
            self.phase = "testing"
        self._answer(wire.SelfTestState(boot=self.boot, test_no=self.test_no, refused=refused))
        self._go_on()

    def _refuses_self_test(self, command: wire.SelfTest) -> Refusal | None:
        if command.boot != self.boot:
            return "other boot"
        if command.test_no != self.test_no + 1:
            return "out of turn"
        if self._deck_in or self.phase not in ("empty", "out of order"):
            return self._wrong_phase()
        return "door open" if self.door_open else None

    def _holds(self, deck_no: int) -> bool:
        return self._deck_in and deck_no == self.deck_no

    def _wrong_phase(self) -> Refusal:
        match self.phase:
            case "jammed" | "held" | "out of order":
                return self.phase
        return "busy"
