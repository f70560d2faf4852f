"""The simulated shuffler.

It does what docs/protocols/shuffler.md asks of a machine: counts decks, shuffles and stacks, verifies what went through
it, locks at its permit, stops at everything irregular. People's hands are methods (`load`, `press_shuffle`, `take`,
`clear_jam`, `move_door`), and so is what goes wrong (`jam_at`, `misfeed`, `turn_card`, `break_part`). The controller's
commands end here, each with its answer; the motor and the sensors are `sim_hw.devices.shuffler.machine`.

The order of the cards comes from the seed: `random.Random(f"{seed}/deck").shuffle` over the deck as it was put in,
whose generator goes on from shuffle to shuffle.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from protocols.shuffler import messages as wire
from protocols.shuffler.messages import Back, Mode, Part, Phase, Refusal, Where
from sim_hw.devices.shuffler.deck import Card, put_together
from sim_hw.devices.shuffler.machine import ShufflerMachine

UNLOADABLE: frozenset[Phase] = frozenset({"loaded", "ready", "sorted", "rejected", "held"})
DOOR_HOLDS: frozenset[Phase] = frozenset(
    {"shuffling", "sorting", "ready", "sorted", "rejected", "dispensing", "unloading"}
)
NOT_SHUFFLED: frozenset[Phase] = frozenset({"loaded", "shuffling", "sorting", "sorted"})


class SimulatedShuffler(ShufflerMachine):
    """A shuffler on a simulated port. Unplugged and empty at first: `plug` it, `load` it; `close` it in the end."""

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

    def arrange(self, cards: Sequence[str]) -> None:
        """The next shuffle brings these to the top, in this order: a scenario has known cards."""
        self._arranged = list(cards)

    def press_shuffle(self) -> None:
        """The button on the machine."""
        if self.phase == "loaded" and not self.door_open:
            self._begin_shuffle("hand")

    async def wait_phase(self, *phases: Phase) -> None:
        await self.link.wait_until(lambda: self.phase in phases)

    async def wait_tray(self) -> None:
        """Until a whole stack, or the unloaded deck, lies in the tray."""
        await self.link.wait_until(
            lambda: self.has_stack or (bool(self._tray) and self.phase not in ("dispensing", "unloading"))
        )

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
                self._put_back()
                self.phase = "held"
        self._happened(wire.DoorMoved(**self._head(), is_open=is_open))
        self._go_on()

    def take_out_by_hand(self) -> list[str]:
        """Reach through the door and take the deck out."""
        if not self.door_open:
            raise ValueError("the door is closed")
        self._put_back()
        taken = [card.code for card in self._inside]
        self._unloaded(count=None)
        return taken

    def choose_mode(self, mode: Mode) -> None:
        """At the machine's own panel."""
        if self.phase not in ("empty", "loaded"):
            raise ValueError(f"the machine is {self.phase}; the panel does not let the mode be changed")
        self._set_mode(mode, "hand")

    def close(self) -> None:
        """Power off and cable out."""
        self._stop_motor()
        self.unplug()

    # What goes wrong

    def jam_at(self, card_no: int, where: Where = "rack") -> None:
        """This card of the next movement, or of the one that goes on, will stick."""
        self._jam = (card_no, where)

    def misfeed(self, by: int) -> None:
        """The next stack comes with this number of cards more, or fewer."""
        self._misfeed = by

    def miscount(self, by: int) -> None:
        """The counter is wrong by this number at the next shuffle."""
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

    def fix(self) -> None:
        """The service was here; a self test will say so."""
        self._broken.clear()

    # Commands

    def _status(self) -> wire.Status:
        return wire.Status(
            boot=self.boot,
            event_no=self._event_no,
            phase=self.phase,
            mode=self.mode,
            deck_no=self.deck_no,
            back=self._back,
            shuffle_no=self.shuffle_no,
            stacks=self.stacks,
            up_to=self.up_to,
            size=self.size,
            cards_left=self._cards_left,
            tray=bool(self._tray or self._forming),
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
                hours = self._clock.now_ms() // 3_600_000
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
        left = len(self._inside) - (self._forming_size - len(self._forming) if begun else 0)
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
