"""One hand of seven-card stud: what is particular to it, for the script and the rulings alike.

There is no button: the lowest seat is first in everything, the cards in sight decide who acts. A seat that folded while
nothing was bet goes on receiving cards until somebody bets (000:170, 1148), so who is dealt to is not who plays. The
stub is counted, since with eight seats it does not last (`seventh`).

Sheets: bankers-seven-card-stud, bankers-razz, calgrand-seven-card-stud.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from itertools import takewhile
from typing import ClassVar, Final

from controller.engine import events as ev
from controller.engine.betting.betting_round import Action
from controller.engine.betting.rules import BetRound
from controller.engine.cards.card import Audience, Card, Hand, Slot
from controller.engine.ranking import ACE_TO_FIVE, STANDARD, High, Low, Ranking, up_cards
from controller.engine.round.felt import Move, Table, Unruled
from controller.games.poker.core.hand import PokerHand, known
from controller.games.poker.core.rankings import Rankings
from controller.games.poker.core.settings import PokerSettings
from controller.games.poker.stud.options import StudOptions

HOLE_CARDS: Final = 2
DOOR: Final = 2
"""The place of the door card, the first one in sight."""
LAST: Final = 6
"""The place of the seventh card."""


class StudHand(PokerHand):
    """A hand of stud as it goes."""

    board_name: ClassVar[str] = "community"
    notes_turns: ClassVar[bool] = True

    def __init__(self, t: Table, options: StudOptions, settings: PokerSettings, rankings: Rankings) -> None:
        super().__init__(t, options, settings, rankings)
        self.stud = options
        self.button = 0
        self.seats = t.clockwise(0)
        self.dealing = ""
        """The street whose cards are being given out; empty while people act."""
        self.served: list[int] = []
        """Seats that have their card of this street, in order."""
        self.serves: list[int] = []
        """Seats that get a card of this street."""
        self.door: dict[int, Slot] = {}
        """Hole cards that were dealt face up: their seat's third card goes down instead."""
        self.still_dealt: set[int] = set()
        """Seats that folded while nothing was bet: cards still go to them."""
        self.absent: set[int] = set()
        self.removed: list[Slot] = []
        """Cards of a street that was dealt too early, kept aside."""
        self.early_cards: dict[int, Slot] = {}
        """Those of the street that comes next, by the seat that each was for."""
        self.is_removing = False
        """Cards are still being set aside."""
        self.seen_early: list[int] = []
        """Seats that saw theirs meanwhile: they keep it."""
        self.rest_up = False
        """The seventh cards still to come are dealt face up."""
        self.no_betting = False
        """No betting on seventh street."""
        self.exposed_last: list[int] = []
        """Seats whose last card came face up and who may declare themselves all-in."""
        self._burned_before: list[str | None] = []
        self.is_low = options.variant == "low"
        self.opens = options.opens(self.structure)
        """Which door card must open."""
        self._first_to_act: dict[str, int] = {}
        self._acting_order: dict[str, list[int]] = {}
        """By street everybody who may act, in turn; the betting may end before the last of them is asked."""
        self._asked: dict[str, list[int]] = {}
        self._dealt_to: dict[str, list[int]] = {}
        self._to_call: dict[int, int] = {}
        self.facts.first_to_act, self.facts.acting_order = self._first_to_act, self._acting_order
        self.facts.cards_dealt_to, self.facts.to_call = self._dealt_to, self._to_call
        self.facts.shown_empty |= {"first_to_act", "to_call"}
        self.facts.asked_in_order = self._asked
        self.facts.raises_counted = 0

    # Cards

    @property
    def recipients(self) -> list[int]:
        """Who gets the next card: live hands, and who folded while nothing was bet."""
        return [seat for seat in self.seats if seat in self.still_dealt or seat not in self.purse.folded]

    def begin(self, street: str, serves: list[int]) -> None:
        """The cards of a street begin to be dealt."""
        self.dealing, self.serves, self.served = street, serves, []
        self.early_cards.clear()
        self.t.result.phase = f"deal_{street}"
        self._dealt_to[street] = self.served

    def serve(self, seats: list[int], up: Callable[[int], bool]) -> Move[None]:
        """One card of this street to each of these seats in turn, as far as they are dealt the same way up. It ends
        early where anything but a card comes: who is dealt to, and how, may have changed."""
        face_up = up(seats[0])
        alike = [self.hole(seat) for seat in takewhile(lambda seat: up(seat) == face_up, seats)]
        yield from self.t.deal_in_turn(alike, served=self.served, up=face_up, otherwise=partial(self._fill, up))

    def _fill(self, up: Callable[[int], bool], held: Hand, target: int) -> Move[None]:
        """One seat's card, which may be dealt the other way up while the table waits for it."""
        seat = int(held.owner)
        while len(held) < target:
            face_up = up(seat)
            move = self.t.deal(held, up=face_up)
            try:
                waiting = next(move)
                while (body := (yield waiting)) is not None or up(seat) == face_up:
                    waiting = move.send(body)
            except StopIteration:
                break
            move.close()

    def scramble(self, slots: list[Slot]) -> None:
        """Cards go back under the rest of the deck and may come again."""
        burns = self.t.burns
        self._burned_before += known(slot for slot in burns if slot in slots)
        self.t.burns[:] = [slot for slot in burns if slot not in slots]
        read = [slot.card for slot in slots if slot.is_read]
        self.t.put_back(read, unread=len(slots) - len(read))
        self.take_back("burn", "stub", slots)

    def has_just_dealt(self, street: str) -> bool:
        """The cards of this street are being dealt, or are out and nobody has acted on them: not even where hands are
        shown because nobody could."""
        now = "seventh" if self.phase == "showdown" else self.phase
        return self.dealing == street or (not self.dealing and now == street and not self.acts)

    def note_seventh(self) -> None:
        """The last cards and how they lie."""
        lasts = {seat: self.hole(seat).slots[LAST] for seat in self.seats if len(self.hole(seat)) > LAST}
        self.facts.seventh = {seat: known((slot,))[0] for seat, slot in lasts.items()}
        if self.phase != "showdown":  # hands that are shown lie open, however they were dealt
            self.facts.shown_empty.add("faces_on_seventh")
            self.facts.faces_on_seventh = {
                seat: "down" if slot.audience is not Audience.ALL else "up" for seat, slot in lasts.items()
            }
        self.facts.individual_seventh_cards = len(lasts)
        self.t.result.flags["betting_on_seventh"] = not self.no_betting

    def last_comes_up(self, seat: int) -> bool:
        """Whether this seat's last card is dealt face up, after another one came so."""
        is_all_in = self.purse.behind[seat] == 0
        return self.rest_up and not (is_all_in and self.stud.all_in_gets_last_card_down)

    def note_burns(self) -> None:
        self.facts.burns = [*self._burned_before, *known(self.t.burns)]

    def in_sight(self, seat: int) -> list[Card]:
        """The door card and what came on fourth to sixth street."""
        return [slot.card for slot in self.hole(seat).slots[DOOR:LAST]]

    # Who acts

    def card_key(self, card: Card) -> tuple[int, int]:
        """By rank and suit, the ace as the game ranks it (STUD-3); a joker is an ace without a suit."""
        rank = 14 if card.is_joker else card.rank
        return (1 if rank == 14 and self.is_low else rank), card.suit

    def opener(self, seats: list[int]) -> int:
        """Whose door card opens: the lowest or the highest by rank, then suit."""
        # Without a forced opener the same card acts first (STUD-12).
        high = self.opens == "high" or (self.opens == "none" and self.is_low)
        first = seats[0]
        best = self.card_key(self.hole(first).slots[DOOR].card)
        for seat in seats[1:]:
            key = self.card_key(self.hole(seat).slots[DOOR].card)
            if key > best if high else key < best:
                first, best = seat, key
        return first

    def best_in_sight(self, *, community: bool = False) -> int:
        """The live hand with the best open cards; of equal ones the first that is dealt to (000:157, STUD-1)."""
        shared = self.board.cards if community else []
        first, best = 0, tuple[int, ...]()
        for seat in self.contenders:
            cards = self.rankings.seen([*self.in_sight(seat), *shared])
            shown = _in_sight(len(cards), self.is_low, self.rankings.has_wild_cards).rank(cards).strength
            if not first or shown > best:
                first, best = seat, shown
        return first

    def open_pairs(self) -> frozenset[int]:
        """Live hands that show a pair."""
        if self.stud.open_pair_for == "nobody":
            return frozenset()
        return frozenset(seat for seat in self.contenders if self._shows_pair(seat))

    def _shows_pair(self, seat: int) -> bool:
        shown = self.rankings.seen(self.in_sight(seat))
        jokers = [card for card in shown if card.is_joker]
        ranks = {card.rank for card in shown if not card.is_joker}
        if jokers and (self.options.wild_cards or len(jokers) == len(shown)):
            return True
        return 14 in ranks if jokers else len(ranks) < len(shown)

    def act_in(self, order: list[int], round: BetRound) -> None:
        """Open the betting on the street that was dealt. On third street blinds may have been posted before."""
        if round.first:
            self.action.start_with(order)
        else:
            self.action = Action(self.rules, round, self.purse, order)
        self.phase, self.acts, self.dealing = round.name, 0, ""
        self._acting_order[round.name] = self.purse.able(order)

    def clockwise_from(self, first: int) -> list[int]:
        """The live hands, this one first."""
        order = self.contenders
        at = order.index(first)
        return order[at:] + order[:at]

    # Turns

    def next_to_act(self) -> int | None:
        """Who is away when its turn comes loses the hand, and a forced bet that it owes (000:169, 1146)."""
        while (seat := self.action.next_seat()) is not None and seat in self.absent:
            self.forfeit(seat)
        return seat

    def forfeit(self, seat: int) -> None:
        """The hand of who is away, in turn."""
        self.absent.discard(seat)
        if seat == self.action.opener and not self.action.current:
            bring_in = self.action.legal(seat).bring_in
            assert bring_in is not None
            self.action.take(seat, "bring_in", bring_in.least)
            self.facts.bring_in_seat = seat
            self.t.emit(ev.WagerSet(seat, "bring_in", self.action.put_in[seat]))
        self.die(seat, self.phase)
        self.paid(seat)
        self.acted(seat, "fold")

    def asked(self, seat: int) -> None:
        self._first_to_act.setdefault(self.phase, seat)
        asked = self._asked.setdefault(self.phase, [])
        if seat not in asked:
            asked.append(seat)
        if self.phase == "seventh":
            self.facts.first_to_act_on_seventh = self.facts.first_to_act_on_seventh or seat
        self._to_call[seat] = self.action.price - self.action.put_in[seat]

    def acted(self, seat: int, do: str) -> None:
        action = self.action
        self.facts.raises_counted = max(action.raises, self.facts.raises_counted or 0)
        if do == "fold":
            is_opener = seat == self.facts.bring_in_seat
            if not action.current or (action.is_unbet and is_opener):
                self.still_dealt.add(seat)
        elif do not in ("check", "call"):
            self.still_dealt.clear()
        if do == "bring_in":
            self.facts.bring_in_seat = seat

    # Out of the hand

    def kill_hand(self, seat: int, ruling: str) -> None:
        """A hand is dead by a ruling; its chips stay."""
        self.die(seat, self.dealing or self.phase)
        self.facts.ruled[seat] = ruling

    def return_money(self, seat: int, *, ante_only: bool) -> None:
        """What the seat has put in, or its ante alone, goes back."""
        purse = self.purse
        live, dead = purse.live[seat], purse.dead[seat]
        if ante_only:
            ante = self.settings.antes.get(seat, 0)
            dead = min(dead, ante)
            live = min(live, ante - dead)
            self.facts.ante_returned[seat] = live + dead
        purse.take_back(seat, live)
        purse.take_back(seat, dead, dead=True)
        self.hand_back(seat, live + dead)


@lru_cache(maxsize=64)
def _in_sight(size: int, low: bool, wild: bool) -> Ranking:
    """How `size` open cards are compared. One value for each, since it caches what it has ranked."""
    if low:
        return Low(up_cards(size, ACE_TO_FIVE), jokers="low")
    return High(up_cards(size, STANDARD), jokers="wild" if wild else "bug")


def stud_hand_of(t: Table) -> StudHand:
    if not isinstance(t.script_state, StudHand):
        raise Unruled("no hand is being played")
    return t.script_state
