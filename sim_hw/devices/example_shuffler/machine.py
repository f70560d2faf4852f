"""The inside of the example vendor's simulated shuffler: cards, a motor that moves them, a tray; and people's hands.

The motor is a task that sleeps on the simulated clock. The order of the cards comes from the seed.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Collection, Sequence

from protocols.example_shuffler import messages as wire
from protocols.shuffler.messages import Mode
from sim_hw.devices.shuffler.deck import Card, look_through, on_top, put_together
from sim_hw.time.clock import SimClock

SHUFFLE_CARD = 0.5
"""Seconds."""
HAND_CARD = 0.2
EJECT_CARD = 0.05
NAMED = 20
"""Cards that a record can name in one field."""
MAX_RECORDS = 300
IN_ONE_GO = 8
"""Records that one movement may make, at most."""

Make = Callable[[dict[str, int]], wire.Record]


class _Stuck(Exception):
    """A card did not go on."""


class Machine:
    """One machine without its line. Its records are in `records`, oldest first, until they are taken."""

    def __init__(self, clock: SimClock, *, seed: int | str, size: int, jokers: int) -> None:
        self.size = size
        self.phase: wire.Phase = "empty"
        self.door_open = False
        self.records: list[wire.Record] = []
        self._mode = Mode(kind="stacks", stack=size, jokers=jokers)
        self._clock = clock
        self._boots, self._order = random.Random(f"{seed}/boot"), random.Random(f"{seed}/deck")
        self._motor: asyncio.Task[None] | None = None
        self._inside: list[Card] = []
        self._forming: list[Card] = []
        self._tray: list[Card] = []
        self._top: list[str] = []
        self._jam_at = self._card_no = self._misfeed = self._unread = 0
        self._dealt = self._in_tray_no = 0
        """Cards of this deck that were dealt; the hand in the tray."""
        self._checked: int | None = None
        self._changed = asyncio.Event()
        self.switch_on()

    def switch_on(self) -> None:
        """Power: a new boot, everything counted from the beginning. A deck inside is held."""
        self.stop()
        self.boot = self._boots.randint(1, 0xFFFFFFFF)
        self._on_at = self._clock.now_ms()
        self.event_no = self.deck_no = self.shuffle_no = 0
        self.last_trouble = 0
        self.records.clear()
        self._new_deck()
        self._inside, self._forming = self._forming + self._inside, []
        self.phase = "held" if self._inside else "empty"
        if self._inside:
            self._deck_in(found=True)

    # What people do

    def put_in(
        self,
        *,
        top: Sequence[str] = (),
        without: Collection[str] = (),
        extra: Collection[str] = (),
        turned: Collection[str] = (),
    ) -> None:
        if self.phase != "empty":
            raise ValueError(f"the machine is {self.phase}; no deck can be put in")
        self._top = list(top)
        self._inside = put_together(self._mode, "red", without=without, extra=extra, face_up=turned)
        self.phase = "loaded"
        self._deck_in(found=False)

    def press_shuffle(self) -> None:
        if self.phase == "loaded" and not self.door_open:
            self.begin_shuffle("button")

    def take(self) -> list[str]:
        """Take what is in the tray, and see what it is."""
        taken, self._tray = [card.code for card in self._tray], []
        if self._in_tray_no:
            hand_no, self._in_tray_no = self._in_tray_no, 0
            self._happened(lambda head: wire.HandTaken(**head, deck_no=self.deck_no, hand_no=hand_no))
        self._start()
        return taken

    def clear_jam(self) -> None:
        if self.phase != "jammed":
            raise ValueError(f"the machine is {self.phase}; there is no jam to clear")
        self._hold()
        self._happened(lambda head: wire.JamCleared(**head, deck_no=self.deck_no))

    def move_door(self, *, is_open: bool) -> None:
        if is_open == self.door_open:
            return
        self.door_open = is_open
        if is_open:
            self.stop()
            if self.phase not in ("empty", "loaded", "jammed"):
                self._hold()
        self._happened(lambda head: wire.DoorMoved(**head, door_open=is_open))

    def take_out(self) -> list[str]:
        """Reach through the door."""
        if not self.door_open:
            raise ValueError("the door is closed")
        taken = [card.code for card in self._forming + self._inside]
        if taken:
            self._deck_out(None)
        return taken

    async def wait_phase(self, *phases: wire.Phase) -> None:
        await self.until(lambda: self.phase in phases)

    async def wait_tray(self) -> None:
        """Until a whole hand, or the ejected deck, is in the tray."""
        await self.until(lambda: bool(self._tray) and self.phase not in ("forming", "ejecting"))

    # What goes wrong

    def jam_at(self, card_no: int) -> None:
        self._jam_at = card_no

    def fail_reads(self, count: int) -> None:
        self._unread = count

    def misfeed(self, by: int) -> None:
        self._misfeed = by

    # What the controller may start

    @property
    def left(self) -> int:
        return len(self._inside)

    @property
    def has_tray(self) -> bool:
        return bool(self._tray)

    @property
    def holds_deck(self) -> bool:
        return bool(self._inside or self._forming) or self.phase not in ("empty",)

    def begin_shuffle(self, by: wire.By) -> None:
        self.shuffle_no += 1
        self.phase = "shuffling"
        self._happened(lambda head: wire.ShuffleBegun(**head, deck_no=self.deck_no, shuffle_no=self.shuffle_no, by=by))
        self._start()

    def begin_hand(self) -> None:
        self.phase = "forming"
        self._start()

    def begin_eject(self) -> None:
        self.phase = "ejecting"
        self._start()

    # Motor and sensors

    def stop(self) -> None:
        """The motor stops."""
        if self._motor is not None:
            self._motor.cancel()
            self._motor = None

    async def until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            self._changed.clear()
            await self._changed.wait()

    def changed(self) -> None:
        self._changed.set()

    def _start(self) -> None:
        movement: Callable[[], Awaitable[None]] | None = None
        match self.phase:
            case "shuffling":
                movement = self._go_through
            case "forming":
                movement = self._form
            case "ejecting" if not self._tray:
                movement = self._eject
        if movement is not None and self._motor is None:
            self._motor = asyncio.get_running_loop().create_task(self._move(movement))
        self.changed()

    async def _move(self, movement: Callable[[], Awaitable[None]]) -> None:
        await self.until(lambda: len(self.records) <= MAX_RECORDS - IN_ONE_GO)
        self._card_no = 0
        try:
            await movement()
        except _Stuck:
            self._jammed()
        self._motor = None
        self.changed()

    async def _next_card(self, seconds: float) -> None:
        await self._clock.sleep(seconds)
        self._card_no += 1
        if self._card_no == self._jam_at:
            self._jam_at = 0
            raise _Stuck

    def _jammed(self) -> None:
        during, self.phase = self.phase, "jammed"
        hand_no = self.hands + 1 if during == "forming" else 0
        in_tray = len(self._forming)
        self._happened(
            lambda head: wire.Jam(
                **head, deck_no=self.deck_no, during=during, card_no=self._card_no, hand_no=hand_no, in_tray=in_tray
            )
        )

    async def _go_through(self) -> None:
        for _ in self._inside:
            await self._next_card(SHUFFLE_CARD)
        found = look_through(self._inside, self._mode, reads=True, unreadable=self._unread)
        self._order.shuffle(self._inside)
        self._inside, self._top, self._unread = on_top(self._inside, self._top), [], 0
        checked = wire.DeckChecked(
            **self._head(),
            deck_no=self.deck_no,
            shuffle_no=self.shuffle_no,
            count=len(self._inside),
            expected=self._mode.cards_in_deck,
            turned=found.boxed,
            unread=found.unread or 0,
            missing=found.missing[:NAMED],
            extra=found.extra[:NAMED],
        )
        is_good = checked.count == checked.expected and not (
            checked.turned or checked.unread or checked.missing or checked.extra
        )
        self._checked = checked.count
        self.phase = "ready" if is_good else "rejected"
        self._record(checked)

    async def _form(self) -> None:
        count, self._misfeed = min(self.size + self._misfeed, len(self._inside)), 0
        for _ in range(count):
            await self._next_card(HAND_CARD)
            self._forming.append(self._inside.pop(0))
        read = tuple(self._read(card) for card in self._forming)
        self._tray, self._forming = self._forming, []
        self.hands += 1
        self._in_tray_no = self.hands
        self._dealt += count
        self.phase = "ready"
        self._happened(
            lambda head: wire.HandFormed(**head, deck_no=self.deck_no, hand_no=self.hands, size=self.size, cards=read)
        )

    def _read(self, card: Card) -> str | None:
        if card.face_up:
            return None
        if self._unread:
            self._unread -= 1
            return None
        return card.code

    async def _eject(self) -> None:
        out = 0
        while self._inside:
            await self._next_card(EJECT_CARD)
            self._tray.append(self._inside.pop(0))
            out += 1
        self._deck_out(out)

    def _hold(self) -> None:
        self._inside, self._forming = self._forming + self._inside, []
        self.phase = "held"

    def _deck_in(self, *, found: bool) -> None:
        self._new_deck()
        self.deck_no += 1
        self._happened(lambda head: wire.DeckIn(**head, deck_no=self.deck_no, found=found))

    def _new_deck(self) -> None:
        self.hands = self._dealt = self._in_tray_no = 0
        self._checked = None

    def _deck_out(self, rest: int | None) -> None:
        expected = None if self._checked is None else self._checked - self._dealt
        self._inside, self._forming = [], []
        self.phase = "empty"
        self._happened(lambda head: wire.DeckOut(**head, deck_no=self.deck_no, rest=rest, rest_expected=expected))

    def _head(self) -> dict[str, int]:
        self.event_no += 1
        return {"boot": self.boot, "event_no": self.event_no, "uptime_ms": self._clock.now_ms() - self._on_at}

    def _happened(self, make: Make) -> None:
        self._record(make(self._head()))

    def _record(self, record: wire.Record) -> None:
        self.records.append(record)
        match record:
            case wire.Jam() | wire.DoorMoved(door_open=True):
                self.last_trouble = record.event_no
            case wire.HandFormed(cards=cards, size=size) if len(cards) != size:
                self.last_trouble = record.event_no
        self.changed()
