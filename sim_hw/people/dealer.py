"""The dealer's hands: where the cards of a table come from.

They come out of the shoe or the shuffler within reach. Where the shoe is dead the dealer reaches under its lid, where
there is no machine he holds the deck; what leaves is then keyed at the console, and so is the cut card.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sim_hw.devices.shoe import SimulatedShoe
from sim_hw.devices.shuffler.device import SimulatedShuffler
from sim_hw.people.sight import Card, Sight

if TYPE_CHECKING:
    from sim_hw.people.crew import Crew

DISCARDS = "discards"
"""What a prompt that asks for the discards to be shuffled says."""
CUT_CARD = (14, 26)
"""Cards behind the cut card, at least and at most."""


class Stub:
    """The deck in the dealer's hands, the next card first; with the cut card in it where it lasts many rounds."""

    def __init__(self, cards: Sequence[str] = (), cut_card_at: int | None = None) -> None:
        self.order = list(cards)
        self._cards_to_cut_card = cut_card_at

    @property
    def is_cut_card_next(self) -> bool:
        return self._cards_to_cut_card == 0

    def take_by_hand(self, count: int) -> list[str]:
        taken, self.order = self.order[:count], self.order[count:]
        if self._cards_to_cut_card is not None:
            self._cards_to_cut_card = max(0, self._cards_to_cut_card - count)
        return taken

    def take_cut_card_by_hand(self) -> None:
        self._cards_to_cut_card = None


class Dealer:
    """Deals, shuffles and loads."""

    def __init__(self, crew: Crew, shuffle: random.Random) -> None:
        self._crew, self._shuffle = crew, shuffle
        self._stub = Stub()
        self._other_deck = False
        self._shuffled_at = -1
        """After how many draws of the round the discards were shuffled last."""

    # Deal

    async def deal(self, want: Card, sight: Sight) -> None:
        """The next card or stack, from whatever gives one."""
        crew = self._crew
        await crew.pause(0.5, 1.3)
        if self._is_to_shuffle(want, sight):
            await self._shuffle_discards(want)
        shoe, shuffler = crew.reach.shoe, crew.reach.shuffler
        if shuffler is not None and _can_give(shuffler, want.count):
            await shuffler.wait_tray()
            crew.felt.out(shuffler.take(), want.to)
            await shuffler.wait_taken()
        elif shoe is not None and shoe.link.is_up:
            shoe.move_lid(is_open=False)
            if not shoe.cards_left:
                await self._no_card_is_left(want, sight)
                return
            out = await shoe.draw()
            if isinstance(out, str):
                crew.shoe_cards += 1
                crew.felt.out([out], want.to)
            await shoe.wait_taken()
        else:
            await self._deal_by_hand(want, sight)

    async def machine_deals(self, *wants: Card) -> bool:
        """Whether the machine has just given a stack by itself, for which everybody waited: see `Reach.counts`."""
        reach = self._crew.reach
        shuffler = reach.shuffler
        if reach.counts is None or shuffler is None or not wants:
            return False
        if shuffler.has_tray or not _can_give(shuffler, wants[0].count):
            return False
        await shuffler.wait_tray()
        await shuffler.wait_taken()
        return True

    async def _deal_by_hand(self, want: Card, sight: Sight) -> None:
        """No device gives cards: the dealer does, and keys them. A card that the table does not take stays where it is,
        and so does the cut card."""
        crew = self._crew
        pile = self._pile(want)
        if isinstance(pile, SimulatedShoe):
            pile.move_lid(is_open=True)
        if pile.is_cut_card_next:
            await crew.say({"kind": "cut_card"})
            pile.take_cut_card_by_hand()
        cards = pile.order[: want.count]
        if len(cards) < want.count:
            await self._no_card_is_left(want, sight)
            return
        seen = [card if want.face_up else None for card in cards]
        if want.count == 1:
            await crew.say({"kind": "card_out", "card": seen[0]})
        else:
            await crew.say({"kind": "stack_out", "cards": seen})
        pile.take_by_hand(want.count)
        crew.felt.is_by_hand = True
        crew.felt.out(cards, want.to)
        if crew.habits.lasts and not pile.order:
            await crew.say({"kind": "happening", "code": "shoe_empty"})

    def _pile(self, want: Card) -> Stub | SimulatedShoe:
        """What the dealer takes cards from where no device gives them."""
        crew = self._crew
        if crew.reach.shoe is not None:
            return crew.reach.shoe
        if not crew.habits.lasts and len(self._stub.order) < want.count:
            # A machine has failed, and what it has not given is taken out of it; or every card is dealt.
            cards = crew.felt.undealt()
            self._stub = Stub(self._shuffled(cards if len(cards) >= want.count else crew.felt.discards(want.to)))
        return self._stub

    async def _no_card_is_left(self, want: Card, sight: Sight) -> None:
        """Between rounds a new deck. In mid-round the discards, where that is the rule; else there is no round."""
        crew = self._crew
        if crew.is_between_rounds(sight):
            await self.load()
        elif not crew.felt.discards(want.to) or (crew.habits.lasts and DISCARDS not in sight.prompt):
            await crew.say({"kind": "floor", "do": "void", "reason": "no card is left"}, by="floor")
        else:
            await self._shuffle_discards(want)

    def _is_to_shuffle(self, want: Card, sight: Sight) -> bool:
        """The table asks for the discards to be shuffled and a card burned, and they have not been shuffled for it."""
        is_asked = want.to == "burn" and DISCARDS in sight.prompt
        return is_asked and self._shuffled_at != len(self._crew.felt.draws)

    async def _shuffle_discards(self, want: Card) -> None:
        """They are dealt once more, with what is left of the deck."""
        crew = self._crew
        await crew.pause(4.0, 8.0)
        self._shuffled_at = len(crew.felt.draws)
        cards = self._shuffled(crew.felt.discards(want.to))
        if crew.reach.shoe is not None:
            await self._fill(crew.reach.shoe, cards)
        else:
            self._stub = Stub(cards)

    # Load

    async def load(self, *, same_deck: bool = False) -> None:
        """Shuffle, cut and load. `same_deck`: where two decks take turns, the one that was in play comes again."""
        crew = self._crew
        await crew.pause(4.0, 8.0)
        shoe, shuffler = crew.reach.shoe, crew.reach.shuffler
        crew.felt.clear()
        self._stub, self._shuffled_at = Stub(), -1
        if shuffler is not None and shuffler.is_on:
            await self._load_machine(shuffler, same_deck)
            return
        cards = self._shuffled(crew.habits.deck)
        cut = len(cards) - crew.rng.randint(*CUT_CARD) if crew.habits.lasts else None
        if shoe is not None:
            await self._fill(shoe, cards, cut)
            return
        self._stub = Stub(cards, cut)
        if crew.habits.lasts:
            await crew.say({"kind": "shoe_started", "decks": crew.habits.decks})

    async def _fill(self, shoe: SimulatedShoe, cards: Sequence[str], cut: int | None = None) -> None:
        shoe.move_lid(is_open=True)
        shoe.load(self._crew.habits.decks, cards=cards, cut_card_at=cut)
        shoe.move_lid(is_open=False)
        await shoe.wait_taken()

    async def _load_machine(self, shuffler: SimulatedShuffler, same_deck: bool) -> None:
        """The rest of the last deck out of the tray or, where it was not unloaded, through the door; the other in."""
        if shuffler.phase == "jammed":
            shuffler.clear_jam()
        if shuffler.phase != "empty":
            shuffler.take()
            shuffler.move_door(is_open=True)
            shuffler.take_out_by_hand()
        shuffler.take()
        shuffler.move_door(is_open=False)
        self._other_deck = self._other_deck if same_deck else not self._other_deck
        shuffler.load("blue" if self._other_deck else "red")
        await shuffler.wait_taken()
        await shuffler.wait_phase("ready", "rejected")

    def _shuffled(self, cards: Sequence[str]) -> list[str]:
        shuffled = list(cards)
        self._shuffle.shuffle(shuffled)
        return shuffled


def _can_give(shuffler: SimulatedShuffler, count: int) -> bool:
    """Whether it is worth to wait for the machine: it works, and has that many cards or a stack in its tray."""
    if shuffler.has_stack:
        return True
    works = shuffler.phase in ("ready", "dispensing", "shuffling")
    return works and (shuffler.phase != "ready" or shuffler.has_tray or len(shuffler.cards_inside) >= count)
