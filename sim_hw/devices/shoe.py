"""The simulated card-reading shoe.

It does what docs/protocols/shoe.md asks of a shoe: counts draws, locks at its permit, keeps its events until they are
taken. A dealer's hand is `draw`, which waits for the lock as a hand would.

The order of the cards comes from the seed: `decks` decks one after another, each clubs, diamonds, hearts, spades from
two to ace, then `random.Random(f"{seed}/deck").shuffle`, whose generator goes on from load to load.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence
from enum import Enum
from typing import Unpack

from protocols import shoe as wire
from protocols.cards import RANKS, SUITS
from sim_hw.devices.kinds import Cards, CommonModel, Fault, Making, SimulatedKind, cards_of
from sim_hw.devices.link_device import Hardware, LinkDevice
from sim_hw.time.clock import SimClock
from sim_hw.wire.line import Port

EIGHT_DECKS = 8


class Out(Enum):
    """What came out of the shoe, when it was not a card."""

    CUT_CARD = "cut card"
    EMPTY = "empty"


def new_decks(decks: int) -> list[str]:
    """New decks in order, one after another."""
    return [rank + suit for suit in SUITS for rank in RANKS] * decks


class SimulatedShoe(LinkDevice[wire.Message]):
    """A shoe on a simulated port. Unplugged and empty at first: `plug` it, `load` it."""

    DEVICE_CLASS, CODEC, MODEL, SERIAL = wire.DEVICE_CLASS, wire.CODEC, "SIM-SHOE", "SIM-0001"

    def __init__(self, port: Port, clock: SimClock, **hardware: Unpack[Hardware]) -> None:
        self._deck_rng = random.Random(f"{hardware['seed']}/deck")
        self._cards: deque[str] = deque()
        self._cards_to_cut_card: int | None = None
        self._last_out: str | None = None
        self._next_read: tuple[str | None, wire.Why | None] | None = None
        self.lid_open = False
        self.lock_fails = False
        """The mouth stays open at the permit, and the shoe does not notice it."""
        self._repeats_number = False
        self._garbles_card = self._garbles_once = False
        self._garbled: dict[bytes, bytes] = {}
        """What comes right in the next session, by what is sent in this one."""
        super().__init__(port, clock, **hardware)

    @property
    def cards_left(self) -> int:
        return len(self._cards)

    @property
    def order(self) -> list[str]:
        """The cards as they will come: what nobody may know."""
        return list(self._cards)

    @property
    def is_cut_card_next(self) -> bool:
        return self._cards_to_cut_card == 0

    @property
    def is_locked(self) -> bool:
        at_permit = self.draw_no >= self.permit and not self.lock_fails
        return at_permit or self.lid_open or not self.link.has_room

    def load(
        self, decks: int = EIGHT_DECKS, *, cards: Sequence[str] | None = None, cut_card_at: int | None = None
    ) -> None:
        """Fill the shoe: shuffled decks, or these cards in this order. The cut card comes after `cut_card_at` cards."""
        if cards is None:
            shuffled = new_decks(decks)
            self._deck_rng.shuffle(shuffled)
            cards = shuffled
        self._cards = deque(cards)
        self._cards_to_cut_card = cut_card_at
        self._happened(wire.ShoeLoaded(**self._head(), decks=decks, cards=len(self._cards)))

    async def draw(self) -> str | Out:
        """Pull at the mouth until something comes: a card, the cut card, or nothing because the shoe is empty."""
        await self.link.wait_until(lambda: not self._cards or not self.is_locked)
        return self.force_draw()

    def force_draw(self) -> str | Out:
        """Pull hard: what is at the mouth comes out now, lock or not."""
        if not self._cards:
            return Out.EMPTY
        if self.is_cut_card_next:
            self._cards_to_cut_card = None
            self._happened(wire.CutCardOut(**self._head(), draw_no=self.draw_no))
            return Out.CUT_CARD
        kind = wire.Overdraw if self.is_locked else wire.CardDrawn
        card = self._last_out = self._cards.popleft()
        if self._cards_to_cut_card is not None:
            self._cards_to_cut_card -= 1
        self.draw_no += not self._repeats_number
        self._repeats_number = False
        read, why = self._next_read or (card, None)
        self._next_read = None
        if self.link.is_full:
            return card  # It counts in `draw_no`, and there is no memory for its event (device link, section 7).
        self._card_left(kind(**self._head(), draw_no=self.draw_no, card=read, why=why))
        if not self._cards and not self.link.is_full:
            self._happened(wire.ShoeEmpty(**self._head(), draw_no=self.draw_no))
        return card

    def _card_left(self, event: wire.CardDrawn | wire.Overdraw) -> None:
        message = wire.encode(event)
        if self._garbles_card:
            garbled = message[:-2] + bytes((message[-2] ^ 0x01, message[-1]))
            if self._garbles_once:
                self._garbled[garbled] = message
            message, self._garbles_card = garbled, False
        self.link.post(message, keep=True)

    def _in_next_session(self, event: bytes) -> bytes:
        return self._garbled.pop(event, event)

    def lose_cards(self, count: int) -> list[str]:
        """Cards leave that nothing counts: only the number of cards that are left shows it."""
        if count > len(self._cards):
            raise ValueError(f"{count} cards are wanted and {len(self._cards)} left")
        return [self._cards.popleft() for _ in range(count)]

    def repeat_next_number(self) -> None:
        """The next card will have the number of the last one."""
        if not self.draw_no:
            raise ValueError("no card has left the shoe whose number could be repeated")
        self._repeats_number = True

    def garble_next_card(self, *, once: bool = False) -> None:
        """The two copies of the next card will differ: whenever it is sent, or only in the first session."""
        self._garbles_card, self._garbles_once = True, once

    def send_unknown_event(self, kind: int = 0x5F) -> None:
        """An event as only a newer shoe has it."""
        lid = bytearray(wire.encode(wire.Lid(**self._head(), is_open=False)))
        lid[0] = kind
        self.link.post(bytes(lid), keep=True)

    def take_by_hand(self, count: int) -> list[str]:
        """Reach under the open lid for the next cards: nothing reads them, and no draw is counted."""
        self._check_lid_is_open()
        if count > len(self._cards):
            raise ValueError(f"{count} cards are wanted and {len(self._cards)} left")
        self._last_out = None
        if self._cards_to_cut_card is not None:
            self._cards_to_cut_card = max(0, self._cards_to_cut_card - count)
        return [self._cards.popleft() for _ in range(count)]

    def take_cut_card_by_hand(self) -> None:
        """Take the cut card off the cards under the open lid."""
        self._check_lid_is_open()
        if not self.is_cut_card_next:
            raise ValueError("the cut card does not come next")
        self._cards_to_cut_card = None

    def _check_lid_is_open(self) -> None:
        if not self.lid_open:
            raise ValueError("the lid is closed")

    def push_back(self) -> None:
        """Put the last card back into the mouth; it comes out first again."""
        if self._last_out is None:
            raise ValueError("no card has left the shoe that could be pushed back")
        self._cards.appendleft(self._last_out)
        if self._cards_to_cut_card is not None:
            self._cards_to_cut_card += 1
        self._last_out = None
        self._happened(wire.CardReturned(**self._head(), draw_no=self.draw_no))

    def fail_next_read(self, why: wire.Why) -> None:
        """The reader will not know the next card."""
        self._next_read = (None, why)

    def misread_next(self, card: str) -> None:
        """The reader will take the next card for this one."""
        self._next_read = (card, None)

    def move_lid(self, *, is_open: bool) -> None:
        if is_open != self.lid_open:
            self.lid_open = is_open
            self._happened(wire.Lid(**self._head(), is_open=is_open))
            self.link.changed()

    def _powered_up(self) -> None:
        self.draw_no = 0
        self.permit = 0
        self._last_out = None

    def _status(self) -> wire.Status:
        return wire.Status(
            boot=self.boot, draw_no=self.draw_no, up_to=self.permit, lid_open=self.lid_open, cards_left=self.cards_left
        )

    def _commanded(self, command: wire.Message) -> None:
        match command:
            case wire.Permit(boot=boot, up_to=up_to):
                if boot == self.boot:
                    self.permit = up_to
                self._answer(wire.PermitState(boot=self.boot, draw_no=self.draw_no, up_to=self.permit))


# What people do with it


async def load(
    shoe: SimulatedShoe, *, decks: int = 8, cards: Cards = None, cut_card_at: int | None = None
) -> list[str]:
    """Open the lid, fill the shoe (shuffled decks, or these cards in this order), close it."""
    shoe.move_lid(is_open=True)
    shoe.load(decks, cards=cards_of(cards) or None, cut_card_at=cut_card_at)
    shoe.move_lid(is_open=False)
    await shoe.settled()
    return shoe.order


async def draw(shoe: SimulatedShoe, *, times: int = 1) -> list[str]:
    """Pull at the mouth, as soon as the lock allows."""
    out = []
    for _ in range(times):
        came = await shoe.draw()
        out.append(came.value if isinstance(came, Out) else came)
        await shoe.settled()
    return out


async def burn(shoe: SimulatedShoe, *, count: int | None = None) -> list[str]:
    """A first card, and as many more as it counts (tens and faces ten), or `count` in all, at a game that burns so."""
    first = await draw(shoe)
    more = count - 1 if count is not None else "A23456789".find(first[0][0]) + 1 or 10
    return [*first, *await draw(shoe, times=more)]


async def pull_hard(shoe: SimulatedShoe) -> str:
    """Tear the next card out, lock or not."""
    came = shoe.force_draw()
    await shoe.settled()
    return came.value if isinstance(came, Out) else came


async def pull(shoe: SimulatedShoe) -> str:
    """Pull at the mouth as soon as the lock allows, and do not wait until the controller has taken it."""
    came = await shoe.draw()
    return came.value if isinstance(came, Out) else came


async def push_back(shoe: SimulatedShoe) -> None:
    shoe.push_back()
    await shoe.settled()


async def open_lid(shoe: SimulatedShoe) -> None:
    shoe.move_lid(is_open=True)
    await shoe.settled()


async def close_lid(shoe: SimulatedShoe) -> None:
    shoe.move_lid(is_open=False)
    await shoe.settled()


async def misread_next(shoe: SimulatedShoe, *, card: str | None = None, why: wire.Why = "not seen") -> None:
    """The reader takes the next card for `card`, or does not know it."""
    if card is None:
        shoe.fail_next_read(why)
    else:
        shoe.misread_next(card)


# What goes wrong


async def misread(shoe: SimulatedShoe, *, card: str | None = None, why: wire.Why = "not seen") -> None:
    """The next card is not read, or taken for another (`card`)."""
    await misread_next(shoe, card=card, why=why)


async def lose_cards(shoe: SimulatedShoe, *, count: int = 3) -> None:
    """Cards leave the shoe that it does not count."""
    shoe.lose_cards(count)


async def repeat_number(shoe: SimulatedShoe) -> None:
    """The next card gets the number of the last one."""
    shoe.repeat_next_number()


async def lock_fails(shoe: SimulatedShoe) -> None:
    """The shoe stays open at its permit, and reports every card as permitted."""
    shoe.lock_fails = True


async def _lock_holds(shoe: SimulatedShoe) -> None:
    shoe.lock_fails = False


async def garbled_card(shoe: SimulatedShoe) -> None:
    """The two copies of the next card differ, whenever it is sent."""
    shoe.garble_next_card()


async def unknown_event(shoe: SimulatedShoe) -> None:
    """It sends an event of a kind that only newer shoes have."""
    shoe.send_unknown_event()


def _build(making: Making) -> SimulatedShoe:
    model: CommonModel = making.model
    return SimulatedShoe(
        making.port, making.clock, seed=making.seed, serial=model.serial or "SIM-0001", firmware=model.firmware
    )


KIND = SimulatedKind(
    name="shoe",
    build=_build,
    device_class=wire.DEVICE_CLASS,
    acts=(load, draw, burn, pull_hard, pull, push_back, open_lid, close_lid, misread_next),
    faults=(
        Fault(misread),
        Fault(lose_cards),
        Fault(repeat_number),
        Fault(lock_fails, _lock_holds),
        Fault(garbled_card),
        Fault(unknown_event),
    ),
)
