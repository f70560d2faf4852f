"""Openers: who opened the pot, with what, and a pot that nobody wins.

The table cannot see a hand that opens. False openers are found by people before the draw, or by the engine when the
pot is decided, from the hand as it was dealt. A pot that nobody opened, or that only a false opener is left to win,
stays in the middle for the next deal (`more.carried`).

Sheets: bankers-draw-jacks-or-better, calgrand-draw-poker.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.cards.card import Audience, Card, Slot, rank_name
from controller.engine.money.pots import SidePot
from controller.engine.ranking import Rank
from controller.engine.round.felt import Move, Table
from controller.games.poker.core.hand import known
from controller.games.poker.core.rankings import Rankings, standard
from controller.games.poker.core.settings import PokerSettings
from controller.games.poker.core.showdown import Claims
from controller.games.poker.draw.hand import DrawHand
from controller.games.poker.draw.options import DrawOptions

ACE = 14
CARRIED, DISCARDS = "carried", "discards"


class OpenersHand(DrawHand):
    """A hand whose pot must be opened."""

    def __init__(self, t: Table, options: DrawOptions, settings: PokerSettings, rankings: Rankings, deck: int) -> None:
        super().__init__(t, options, settings, rankings, deck)
        self._openers = rankings if rankings.high is not None else standard(replace(options, variant="high"))
        """Openers are high hands, whatever wins the pot."""
        self.opener: int | None = None
        self.is_unopened = False
        """Nobody has opened: the hand is over."""
        self.split_by: int | None = None
        """The opener, where he has declared that he splits his openers."""
        self._earlier: dict[int, int] = {}
        """What each seat put in in earlier deals of this pot."""

    def take_carried(self, carried: Mapping[int, int]) -> None:
        """What lies in the middle from earlier deals: matched money, but what one seat alone has more is dead. A seat
        that has left the game has forfeited its own (bankers-draw-jacks-or-better, 000:308)."""
        mine = {seat: cents for seat, cents in carried.items() if seat in self.purse.live}
        matched = sorted(mine.values())[-2] if len(mine) > 1 else 0
        for seat, cents in mine.items():
            self._earlier[seat] = self._earlier.get(seat, 0) + cents
            self.purse.carry(seat, min(cents, matched))
            self.purse.carry(seat, max(0, cents - matched), dead=True)
            self.paid(seat)
        forfeited = sum(carried.values()) - sum(mine.values())
        if forfeited:
            self.purse.carry_nobodys(forfeited)
            self.facts.forfeited = (self.facts.forfeited or 0) + forfeited

    def paid(self, seat: int) -> None:
        """A void returns what this deal brought in; the money of earlier deals stays in the middle for the next."""
        super().paid(seat)
        if self._earlier:
            assert self.t.contributions is not None
            self.t.contributions[seat] -= self._earlier.get(seat, 0)

    def opening_rank(self, seat: int) -> Rank | None:
        """What the seat was dealt; None where not all of it is known."""
        slots = self.dealt[seat]
        if not all(slot.is_read for slot in slots):
            return None
        return self._openers.best_high([slot.card for slot in slots])

    def note_opener(self) -> None:
        """The rank of the opening hand, for the document."""
        if self.opener is None:
            return
        rank = self.opening_rank(self.opener)
        if rank is not None:
            self.facts.openers[self.opener] = rank.document()

    def name_opening_hand(self, seat: int) -> Move[None]:
        """Cards that no reader has read, of the hand and of what was thrown away, before openers can be proven."""
        yield from self.t.name_unread(self.hole(seat))
        unread = [slot for slot in self.dealt[seat] if not slot.is_read]
        if unread:
            self.lay_out(unread)
            yield from self.t.name_unread(self.t.hand(DISCARDS), why="opening_hand")

    # Splitting openers (000:288-289; 001:584)

    def may_declare_split(self, seat: int) -> bool:
        return seat == self.opener and seat in self.contenders and seat not in self.thrown and self.split_by is None

    def declare_split(self, seat: int) -> None:
        self.split_by = seat
        self.facts.split_declared = seat

    @property
    def keeps_discards(self) -> bool:
        """Whether the opener's discards are kept under a chip, and not shuffled back into the stub."""
        return self.split_by is not None

    def _gather(self, without: set[int]) -> list[Slot]:
        under_chip = self.thrown.get(self.opener, ()) if self.opener is not None and self.keeps_discards else ()
        return super()._gather(without | set(map(id, under_chip)))

    def keeps_openers(self, cards: Sequence[Card]) -> bool | None:
        """Whether the cards that the opener has kept are openers by themselves; None where that is not known."""
        return None

    def note_split(self) -> None:
        """Whether the opener has kept his openers in the draw."""
        opener = self.opener
        if opener is None or opener not in self.contenders or not all(slot.is_read for slot in self.dealt[opener]):
            return
        kept = [slot.card for slot in self.dealt[opener] if slot in self.hole(opener).slots]
        retained = self.keeps_openers(kept)
        if retained is not None:
            self.facts.openers_retained = retained
            self.facts.splitting = not retained and self.has_openers(opener)

    def has_openers(self, seat: int) -> bool:
        """Whether the hand that the seat was dealt is openers."""
        raise NotImplementedError

    @property
    def has_split_in_silence(self) -> bool:
        """The openers were split and nobody said so, where that costs the pot."""
        return self.facts.splitting is True and self.split_by is None and self.room.undeclared_split == "loses_pot"

    def show_split(self) -> Move[None]:
        """The discards of a declared split are turned up by the dealer."""
        slots = self.thrown.get(self.split_by, []) if self.split_by is not None else []
        hidden = [slot for slot in slots if slot.audience is not Audience.ALL]
        if hidden:
            self.lay_out(hidden)
            yield from self.t.name_unread(self.t.hand(DISCARDS), why="split_openers")
            for slot in hidden:
                slot.expose()
            self.t.emit(ev.HandShown(DISCARDS, tuple(slot.face for slot in hidden)))
        self.facts.split_discard = known(slots) or None

    def lay_out(self, slots: Sequence[Slot]) -> None:
        """Discards that were kept under a chip come onto the table (000:288)."""
        laid = self.t.hand(DISCARDS).slots
        laid.extend(slot for slot in slots if slot not in laid)

    def carry_over(self) -> None:
        """Nobody wins: what is in the middle stays there for the next deal."""
        t = self.t
        t.fees.ended("ended", self.purse.pot)
        self.facts.carried = self.purse.pot
        if t.fees.pot is not None:
            taken = sum(charge.cents for charge in t.fees.owed if charge.payer == "pot")
            self.facts.carried_after_fees = self.purse.pot - taken
        self.facts.may_play_next_hand = sorted(self.seats)
        t.result.net = {seat: -self.purse.total(seat) for seat in self.purse.seats}
        t.result.outcome = {str(seat): CARRIED for seat in sorted(self.seats)}


class OpenersClaims(Claims):
    """A pot whose only contender has lost it goes to the best other hand (bankers-draw-jacks-or-better, A1)."""

    def of(self, pot: SidePot) -> list[int]:
        claimants = super().of(pot)
        return claimants or super().of(SidePot(pot.cents, self.hand.purse.seats))


def are_openers(cards: Sequence[Card], least: int) -> bool:
    """Whether cards that are fewer than a hand hold a pair of at least this rank, two pairs or more of a kind.

    >>> from controller.engine.cards.card import card
    >>> def cards(text: str) -> list[Card]:
    ...     return [card(code) for code in text.split()]
    >>> are_openers(cards("Jo As Ks Qs"), 11), are_openers(cards("Jo Ks Qs"), 11), are_openers(cards("9s 9h 9d"), 11)
    (True, False, True)
    """
    held = Counter(ACE if card.is_joker else card.rank for card in cards)
    groups = {rank: count for rank, count in held.items() if count > 1}
    return len(groups) > 1 or any(count > 2 or rank >= least for rank, count in groups.items())


def rank_value(rank: str) -> int:
    """
    >>> rank_value("J"), rank_value("A")
    (11, 14)
    """
    return next(value for value in range(2, ACE + 1) if rank_name(value) == rank)


def next_rank(rank: str) -> str | None:
    """The qualifier one rank up; None after aces.

    >>> next_rank("J"), next_rank("A")
    ('Q', None)
    """
    order = [rank_name(value) for value in range(2, ACE + 1)]
    at = order.index(rank) + 1
    return order[at] if at < len(order) else None
