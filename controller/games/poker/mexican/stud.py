"""Mexican Poker: five-card stud with a choice of which card is down, from a deck of 41 with a joker.

One card up, one down; the highest up-card must open. Before each further card every player turns his down card up and
gets the next one down, or keeps it and gets the next one up: each hand always has exactly one card down. A joker is
what it was when it was dealt: face up an ace or the card that completes a straight or flush, face down any card, also
when its owner turns it up later.

Sheets: bankers-mexican-stud-poker, turlock-mexican-poker.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

import msgspec

from controller.engine import events as ev
from controller.engine.betting.betting_round import Action
from controller.engine.betting.rules import BetRound, BettingRules, Structure
from controller.engine.cards.card import JOKER, Audience, Slot, standard_deck
from controller.engine.expect.expectation import Choice, WantDecision
from controller.engine.inputs import Act
from controller.engine.ranking import MEXICAN, High, Rank, up_cards
from controller.engine.round.felt import Move, Table
from controller.engine.round.game import Posting, Ruling
from controller.games.poker.core.game import Poker
from controller.games.poker.core.hand import PokerHand, known
from controller.games.poker.core.options import PokerOptions
from controller.games.poker.core.rankings import Rankings
from controller.games.poker.core.rulings import LEFT_TO_THE_FLOOR, rule
from controller.games.poker.core.settings import PokerSettings
from controller.games.poker.core.showdown import Claims
from controller.games.poker.core.streets import Dealing, Street
from controller.games.poker.mexican.button_draw import draw_for_button

ACE = 14
FIRST_CLOSED = "end_of_first_betting_round"
PARTIAL = High(MEXICAN, jokers="bug", five_of_a_kind="none")
"""An ace, or the card that completes a straight or flush; four aces and it are no five of a kind (A5)."""
WILD = High(MEXICAN, jokers="wild")
EXPOSE_OR_KEEP = (
    Choice("expose", label="expose the down card (the next comes down)"),
    Choice("keep", label="keep it down (the next comes up)"),
)


class MexicanOptions(PokerOptions, frozen=True, forbid_unknown_fields=True, kw_only=True):
    button_draw: bool = False
    new_game: bool = False
    """The same by Turlock's name: the hand begins with the draw for the button."""
    bring_in_tie: Literal["first_dealt", "suit"] = "first_dealt"
    upper_limit_from_round: Literal["none", 2, 3, 4] = "none"
    up_cards_wild_joker: Literal["matches_best_rank", "ace"] = "ace"
    """What a wild joker that was turned up counts when open cards are compared."""
    late_fee: int | None = None
    """Turlock: cents of the late fee, whose column the document has lost; none, or 0: none is taken."""

    @property
    def draws_for_button(self) -> bool:
        return self.button_draw or self.new_game

    @property
    def needs_button(self) -> bool:
        return not self.draws_for_button

    def betting(self, structure: Structure) -> BettingRules:
        return msgspec.structs.replace(super().betting(structure), bring_in="either_limit")


class MexicanHand(PokerHand):
    first_card_up: ClassVar[bool] = True
    notes_turns: ClassVar[bool] = True

    def __init__(self, t: Table, options: MexicanOptions, settings: PokerSettings, rankings: Rankings) -> None:
        super().__init__(t, options, settings, rankings)
        self.mexican = options
        self.dealt_down: list[Slot] = []
        self.next_down: set[int] = set()
        """Seats that have turned their down card up: their next card comes down."""
        self.facts.burns = 0
        self.facts.cards_dealt = 0
        self.facts.first_to_act = {}
        self.facts.joker = {}
        self.facts.off_button = []
        self.facts.to_call = {}
        self.facts.up = {}
        self.facts.down = {}
        self.facts.raises_counted = 0
        t.result.flags |= {"one_card_down_after_each_deal": True, "cards_returned_to_deck": False}
        if self.schedule is not None and options.late_fee:
            house = msgspec.structs.replace(self.schedule.house, missing_fee=options.late_fee)
            self.schedule = msgspec.structs.replace(self.schedule, house=house)

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
        """What lies where, once everybody has a card more."""
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
        """Turlock has its own word for the end of the first round."""
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
        return max(self.contenders, key=lambda seat: (self._shown(seat).strength, -self.seats.index(seat)))

    def _shown(self, seat: int) -> Rank:
        slots = self.open_cards(seat)
        wild = self.mexican.up_cards_wild_joker == "matches_best_rank" and self.has_wild_joker(seat)
        chart = up_cards(len(slots), MEXICAN)
        return High(chart, jokers="wild" if wild else "bug").rank([slot.card for slot in slots])


class FirstTwo(Dealing):
    """One up to each, then one down, from the left of the button."""

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        assert isinstance(hand, MexicanHand)
        hand.phase = hand.t.result.phase = "deal"
        for up in (True, False):
            for seat in hand.seats:
                yield from hand.serve(seat, up=up)
            if up:
                hand.reached("first_up_card")
        hand.note_cards()


class ExposeOrKeep(Dealing):
    """Every live hand, all-in or not, from the left of the button (A4, A8)."""

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        assert isinstance(hand, MexicanHand)
        hand.phase = hand.t.result.phase = f"expose_{street.name}"
        hand.next_down.clear()
        for seat in hand.contenders:
            act = None
            while type(act) is not Act:
                act = yield from hand.t.wait_for(WantDecision(seat, EXPOSE_OR_KEEP))
            hand.t.emit(ev.Decided(act.seat, act.do))
            if act.do == "expose":
                yield from hand.t.show(hand.hole(seat))
                hand.next_down.add(seat)
                hand.note_joker(seat)


class OneEach(Dealing):
    """Burn, then one card to each: down to who exposed, up to the rest."""

    def __init__(self, moment: str) -> None:
        self.moment = moment

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        assert isinstance(hand, MexicanHand)
        hand.phase = hand.t.result.phase = f"deal_{street.name}"
        needed = 1 + len(hand.contenders)
        if hand.t.stub < needed:
            text = f"{needed} cards are needed for this street, {hand.t.stub} are left; no rule is printed for it"
            yield from hand.t.call_floor("deck_exhausted", text)
        yield from hand.burn()
        for seat in hand.contenders:
            yield from hand.serve(seat, up=seat not in hand.next_down)
        hand.note_cards()
        if self.moment:
            hand.reached(self.moment)


class MexicanClaims(Claims):
    """A hand with a joker is ranked by how the joker was dealt; both kinds meet on one chart."""

    def make(self, seat: int) -> None:
        assert isinstance(self.hand, MexicanHand)
        self.hand.note_joker(seat)
        ranking = WILD if self.hand.has_wild_joker(seat) else PARTIAL
        self.high[seat] = ranking.rank(self.hand.hole(seat).cards)
        self.hand.t.result.ranks[str(seat)] = self.high[seat].document()


class MexicanPoker(Poker[MexicanOptions]):
    slug = "mexican-poker"
    title = "Mexican Poker"
    options_type = MexicanOptions
    opens_with: ClassVar[tuple[Posting, ...]] = ("antes",)
    claims = MexicanClaims

    def deck(self, options: MexicanOptions) -> dict[str, int]:
        return {card.code: 1 for card in standard_deck() if card.rank in MEXICAN.rank_set} | {JOKER: 1}

    def rankings(self, options: MexicanOptions) -> Rankings:
        return Rankings(PARTIAL)

    def streets(self, options: MexicanOptions) -> Sequence[Street]:
        upper = options.upper_limit_from_round
        later = [BetRound(f"round_{nth}", "high" if upper != "none" and nth >= upper else "low") for nth in (2, 3, 4)]
        # What the collections call the cards: Banker's by their number, Turlock by the cards in sight.
        moments = (("third_card", ""), ("fourth_card", "third_up_card"), ("fifth_card", ""))
        return (
            Street(BetRound("round_1", first=True, check=False), (FirstTwo(),)),
            *(
                Street(bet, (ExposeOrKeep(), OneEach(by_sight)), moment=by_number)
                for bet, (by_number, by_sight) in zip(later, moments, strict=True)
            ),
        )

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        """None is printed: the floor decides, where a room says so by a code of its own."""
        return dict.fromkeys((*LEFT_TO_THE_FLOOR, "fouled_deck"), rule)

    def make_hand(self, t: Table, options: MexicanOptions, settings: PokerSettings) -> MexicanHand:
        return MexicanHand(t, options, settings, self.rankings(options))

    def post(self, hand: PokerHand, street: Street) -> Move[None]:
        assert isinstance(hand, MexicanHand)
        if hand.mexican.draws_for_button:
            yield from draw_for_button(hand)
        yield from super().post(hand, street)

    def open_betting(self, hand: PokerHand, street: Street) -> None:
        assert isinstance(hand, MexicanHand)
        hand.phase, hand.acts = street.name, 0
        first = hand.opener() if street.bet.first else hand.best_in_sight()
        order = [first, *(seat for seat in hand.t.clockwise(first, hand.contenders) if seat != first)]
        if not street.bet.first:
            hand.action = Action(hand.rules, street.bet, hand.purse, order)
            return
        hand.action.start_with(order)
        if not hand.action.current and hand.purse.can_act(first):
            hand.action.opener = hand.facts.bring_in_seat = first
