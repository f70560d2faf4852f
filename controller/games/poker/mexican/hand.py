"""One hand of Mexican Poker: which cards are up and down, what a joker is, who acts first.

Sheets: bankers-mexican-stud-poker, turlock-mexican-poker.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from controller.engine.cards.card import Audience, Slot
from controller.engine.ranking import MEXICAN, High, Rank, up_cards
from controller.engine.round.felt import Move, Table
from controller.games.poker.core.hand import PokerHand, known
from controller.games.poker.core.rankings import Rankings
from controller.games.poker.core.settings import PokerSettings
from controller.games.poker.mexican.options import MexicanOptions

ACE = 14
FIRST_CLOSED = "end_of_first_betting_round"


class MexicanHand(PokerHand):
    first_card_up: ClassVar[bool] = True
    notes_turns: ClassVar[bool] = True

    def __init__(self, t: Table, options: MexicanOptions, settings: PokerSettings, rankings: Rankings) -> None:
        super().__init__(t, options, settings, rankings)
        self.mexican = options
        self.dealt_down: list[Slot] = []
        self.next_down: set[int] = set()
        """Seats that have turned their down card up: their next card comes down."""
        self.facts.burns = self.facts.raises_counted = 0
        self.facts.shown_empty |= {"first_to_act", "joker", "off_button", "to_call", "up", "down", "cards_dealt"}
        t.result.flags |= {"one_card_down_after_each_deal": True, "cards_returned_to_deck": False}
        if self.schedule is not None and options.late_fee:
            house = replace(self.schedule.house, missing_fee=options.late_fee)
            self.schedule = replace(self.schedule, house=house)

    def serve(self, seat: int, *, up: bool) -> Move[None]:
        """One card; an open one is laid beside the others, the down card stays the last."""
        slot = yield from self.t.deal(self.hole(seat), up=up)
        slots = self.hole(seat).slots
        if not up:
            self.dealt_down.append(slot)
        elif len(slots) > 1 and slots[-2].audience is not Audience.ALL:
            slots[-2:] = slots[:-3:-1]
        self.facts.cards_dealt += 1

    def note_cards(self) -> None:
        """Up and down cards, once everybody has one more."""
        for seat in self.contenders:
            slots = self.hole(seat).slots
            down = [slot for slot in slots if slot.audience is not Audience.ALL]
            if len(down) != 1:
                self.t.result.flags["one_card_down_after_each_deal"] = False
            self.facts.up[seat] = known(slot for slot in slots if slot not in down)
            self.facts.down[seat] = known(down)
            self.note_joker(seat)

    def note_joker(self, seat: int) -> None:
        for slot in self.hole(seat).slots:
            if slot.is_read and slot.card.is_joker:
                wild = slot in self.dealt_down
                self.facts.joker[seat] = "wild" if wild else "partial"
                if not wild and seat not in self.facts.off_button:
                    self.facts.off_button.append(seat)

    def note_burns(self) -> None:
        self.facts.burns = len(self.t.burns)

    def betting_closed(self) -> None:
        """Turlock has its own name for the end of the first round."""
        schedule = self.schedule
        if self.rounds_bet or schedule is None or not any(row.when == FIRST_CLOSED for row in schedule.fee):
            super().betting_closed()
            return
        self.rounds_bet = 1
        if len(self.contenders) > 1:
            self.reached(FIRST_CLOSED)

    def open_cards(self, seat: int) -> list[Slot]:
        return [slot for slot in self.hole(seat).slots if slot.audience is Audience.ALL]

    def has_wild_joker(self, seat: int) -> bool:
        return any(slot.is_read and slot.card.is_joker for slot in self.hole(seat).slots if slot in self.dealt_down)

    # Who acts

    def asked(self, seat: int) -> None:
        self.facts.first_to_act.setdefault(self.phase, seat)
        self.facts.to_call[seat] = self.action.price - self.action.put_in[seat]

    def acted(self, seat: int, do: str) -> None:
        self.facts.raises_counted = max(self.action.raises, self.facts.raises_counted or 0)
        if do == "bring_in":
            self.facts.bring_in_seat = seat

    def opener(self) -> int:
        """The highest up-card; equal ones by suit or by the order of the deal, a joker (no suit) by the deal (A1)."""
        able = [seat for seat in self.contenders if self.purse.can_act(seat)] or self.contenders
        card = {seat: self.open_cards(seat)[0].card for seat in able}
        rank = {seat: ACE if card[seat].is_joker else card[seat].rank for seat in able}
        top = [seat for seat in able if rank[seat] == max(rank.values())]
        if self.mexican.bring_in_tie == "first_dealt":
            return top[0]
        natural = [seat for seat in top if not card[seat].is_joker]
        best = max(natural, key=lambda seat: card[seat].suit, default=None)
        return next(seat for seat in top if seat == best or card[seat].is_joker)

    def best_in_sight(self) -> int:
        """The highest open cards: groups, then high cards; of equal ones the nearest left of the button."""
        seats = list(self.contenders)
        if self.mexican.all_in_best_board == "next_best_board":
            seats = [seat for seat in seats if self.purse.can_act(seat)] or seats
        return max(seats, key=lambda seat: (self._shown(seat).strength, -self.seats.index(seat)))

    def _shown(self, seat: int) -> Rank:
        slots = self.open_cards(seat)
        wild = self.mexican.up_cards_wild_joker == "matches_best_rank" and self.has_wild_joker(seat)
        chart = up_cards(len(slots), MEXICAN)
        return High(chart, jokers="wild" if wild else "bug").rank([slot.card for slot in slots])
