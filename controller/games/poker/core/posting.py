"""Before the first card: antes and blinds, and what players choose to post.

Antes and blinds are settings of the table; posting them is no act. A straddle, blinds made up, the button bought or a
kill are wagers that a player may place until the first card leaves the deck. The round has begun with the first input,
so what was posted is published then.

Sheets: bankers-texas-holdem, Blind and entry rules; calgrand-betting-structures, BS-9 and BS-13.
"""

from __future__ import annotations

from collections.abc import Iterator

from controller.engine import events as ev
from controller.engine.amounts import dollars
from controller.engine.bets.wagers import WagerRule
from controller.engine.betting.betting_round import Action
from controller.engine.betting.rules import BetRound
from controller.engine.expect.choices import Choice, WantDecision
from controller.engine.expect.expectation import Barred, Expectation
from controller.engine.expect.wants import AnyWant, WantCard, WantFloor, WantWagers
from controller.engine.inputs import Act, BetsClosed, CardOut, WagerPlaced, seat_of
from controller.engine.round.felt import Move
from controller.games.poker.core.hand import PokerHand
from controller.games.poker.core.kills import is_vetoable, kill_blind, kill_offered, kill_problem
from controller.games.poker.core.options import Post
from controller.games.poker.core.settings import FEWEST_PLAYERS, Kill
from controller.games.poker.core.short_blinds import may_kill, not_dealt_in, posts_of


def post(hand: PokerHand, round: BetRound) -> Move[None]:
    """Take antes, blinds and what players post, until the first card comes; the card waits in the table's queue."""
    posting = Posting(hand, round)
    posting.take_forced()
    t, published, closed = hand.t, False, False
    while True:
        offers = () if closed else posting.offers()
        body = yield Expectation((*offers, posting.ready()), posting.barred() if offers else ())
        if body is not None and not published:
            published = True
            posting.publish_forced()
        match body:
            case CardOut():
                t.queue.extend(t.take_out([body.card]))
                break
            case BetsClosed():
                closed = True
            case WagerPlaced():
                posting.place(body)
            case Act(do="veto"):
                veto_kill(hand, seat_of(body.seat))
                hand.seats = posting.dealt_in()
    if len(hand.seats) < len(t.seats):
        hand.purse.folded.update(set(t.seats) - set(hand.seats))
    hand.action.start_with(posting.acting_order())
    hand.facts.preflop_order = list(hand.action.order)
    hand.acting_order = posting.acting_order
    posting.note_positions()


class Posting:
    """What has been posted for one hand."""

    def __init__(self, hand: PokerHand, round: BetRound) -> None:
        self.hand = hand
        hand.action = Action(hand.rules, round, hand.purse, hand.purse.seats)
        self.placed: dict[tuple[int, Post], tuple[int, int]] = {}
        """What players chose to post: live and dead part by seat and name."""
        self._blinds = hand.posted_blinds
        self._blinds_of = hand.kill
        self._everybody = hand.seats
        self._big_of: dict[int, int] | None = None
        self._big_seat: int | None = None
        hand.first_round = round
        blinds = self._blinds
        self.big = max(blinds.values()) if blinds else hand.settings.structure.unit(round)
        self.small = min(blinds.values()) if len(blinds) > 1 else 0
        hand.seats = self.dealt_in()
        if "live_straddle" in hand.options.posts:
            hand.facts.straddle_amount = self.big * hand.options.straddle
            hand.facts.minimum_stack = self.big * hand.options.straddle_stack

    @property
    def blinds(self) -> dict[int, int]:
        if self._blinds_of is not self.hand.kill:
            self._blinds, self._blinds_of = self.hand.posted_blinds, self.hand.kill
        return self._blinds

    def take_forced(self) -> None:
        hand, action, seats = self.hand, self.hand.action, self.hand.seats
        antes, blinds = hand.settings.antes, hand.settings.blinds
        if antes:
            self._take_antes({seat: cents for seat, cents in antes.items() if seat in seats})
        for seat, cents in blinds.items():
            if cents and seat in seats:
                action.post(seat, cents)
                hand.paid(seat)

    def _take_antes(self, antes: dict[int, int]) -> None:
        """What every seat antes is matched money; what one position antes more than the others is dead."""
        hand = self.hand
        # Who has no chips left plays for what he matched in an earlier deal of this pot.
        common = min((antes.get(seat, 0) for seat in hand.seats if hand.purse.can_act(seat)), default=0)
        for seat, cents in antes.items():
            hand.purse.put(seat, common)
            hand.purse.put(seat, cents - common, dead=True)
            hand.paid(seat)

    def publish_forced(self) -> None:
        t, settings, put_in = self.hand.t, self.hand.settings, self.hand.action.put_in
        killer = self.hand.kill.seat if self.hand.kill is not None else None
        for seat, cents in settings.antes.items():
            t.emit(ev.WagerSet(seat, "ante", cents))
        for seat in settings.blinds:
            posted = put_in[seat]
            if posted:
                t.emit(ev.WagerSet(seat, "kill" if seat == killer else "blind", posted))

    def ready(self) -> WantCard | WantFloor:
        """The first card, once two players are dealt in."""
        seats = self.hand.seats
        if len(seats) < FEWEST_PLAYERS:
            return WantFloor("too_few_players", "fewer than two players are dealt in", choices=())
        return WantCard(str(seats[0]), 1, face_up=self.hand.first_card_up)

    # What may be posted

    def offers(self) -> tuple[AnyWant, ...]:
        """The wagers that a player may choose now, and the vetoes of a kill that is not forced."""
        hand = self.hand
        if not self._posts and not hand.options.kills and hand.kill is None and not may_kill(hand):
            return ()
        rules = tuple(self._rules())
        vetoes: list[int] = []
        if hand.kill is not None and is_vetoable(hand.kill):
            vetoes = [seat for seat in hand.seats if seat != hand.kill.seat]
        if not rules and not vetoes:
            return ()
        names = [rule.title.lower() for rule in rules] + ["veto the kill"] * bool(vetoes)
        says = f"Until the first card: {', '.join(names)}"
        want = WantWagers(rules, hand.t.seats, hand.t.book, bank=False, says=says)
        return (want, *(WantDecision(seat, (Choice("veto"),)) for seat in vetoes))

    @property
    def _posts(self) -> tuple[Post, ...]:
        return (*self.hand.options.posts, *posts_of(self.hand, self.blinds))

    def _rules(self) -> Iterator[WagerRule]:
        hand, options = self.hand, self.hand.options
        wrong = options.codes.wrong_increment
        for name in self._posts:
            least, most = self._amounts(name)
            seats, code = self._who(name)
            yield WagerRule(
                name,
                _TITLES[name],
                min=least,
                max=most,
                min_code=wrong,
                max_code=wrong,
                seats=seats,
                seats_code=code,
                first_spot_only="one_hand_a_seat",
            )
        kind = kill_offered(hand)
        if kind is not None and hand.kill is None:
            due = kill_blind(hand, Kill(0, kind))
            yield WagerRule(
                "kill",
                "Kill",
                min=due,
                max=due,
                min_code=wrong,
                max_code=wrong,
                seats=None if options.kills else may_kill(hand),
                seats_code="cannot_kill",
                first_spot_only="one_hand_a_seat",
            )

    def _amounts(self, name: Post) -> tuple[int, int | None]:
        if name == "dead_collection_blind":
            return 1, None
        if name == "live_straddle":
            straddle = self.big * self.hand.options.straddle
            return straddle, straddle
        if name == "missed_big_blind":
            return self.big, self.big
        # With one blind on the table the size of a missed small blind is not known.
        return self.big + self.small, self.big + self.small if self.small else 2 * self.big

    def _who(self, name: Post) -> tuple[tuple[int, ...] | None, str]:
        """The seats that may post it, and the code for the others."""
        match name:
            case "live_straddle":
                seat = self._left_of(self._big_blind_seat())
                return (() if seat is None or seat in self.blinds else (seat,)), "straddle_wrong_seat"
            case "missed_big_blind":
                missed = self.hand.settings.missed_blind
                return tuple(seat for seat in missed if seat not in self.blinds), "cannot_make_up_blinds"
            case "missed_blinds" if self.hand.options.blind_rules == "lowball":
                waits = self.hand.settings.waits
                return tuple(seat for seat, hands in waits.items() if hands), "cannot_make_up_blinds"
            case "missed_blinds":
                return tuple(seat for seat in self.hand.t.seats if seat not in self.blinds), "cannot_make_up_blinds"
            case "make_up_blinds":
                # Between the button and the big blind only the button can be bought (000:96).
                closed = {*self.blinds, *self._before_big_blind()}
                return tuple(seat for seat in self.hand.t.seats if seat not in closed), "cannot_make_up_blinds"
            case "buy_button":
                return tuple(self._before_big_blind()), "cannot_buy_button"
        return None, ""

    def barred(self) -> tuple[Barred, ...]:
        """A straddler must begin the hand with four big blinds (000:101, A1)."""
        hand = self.hand
        seat = self._left_of(self._big_blind_seat())
        stack = (hand.settings.stacks or {}).get(seat) if seat is not None else None
        needed = self.big * hand.options.straddle_stack
        if "live_straddle" not in hand.options.posts or stack is None or stack >= needed:
            return ()
        text = f"a straddle needs {dollars(needed)} in front at the start of the hand"
        return (Barred("straddle_stack_too_short", text, seat, "live_straddle", {"needed": needed}),)

    # Posting

    def place(self, body: WagerPlaced) -> None:
        seat = seat_of(body.place)
        if body.wager == "kill":
            if body.cents:
                self._kill(seat, body)
                self.hand.seats = self.dealt_in()
            return
        name = _POSTS[body.wager]
        for other in (name,) if name == "dead_collection_blind" else _BLINDS:
            self._take_back(seat, other)
        if body.cents:
            self._post(seat, name, body.cents)
        self.hand.seats = self.dealt_in()
        self._note_parts()
        self.hand.t.emit(ev.WagerSet(seat, name, body.cents))

    def _post(self, seat: int, name: Post, cents: int) -> None:
        hand = self.hand
        dead = {"live_straddle": 0, "missed_big_blind": 0, "dead_collection_blind": cents}.get(name, cents - self.big)
        if name == "buy_button":
            hand.button_bought_by = seat
            for other, blind in self.blinds.items():
                hand.action.unpost(other, min(blind, hand.action.put_in[other]))
                hand.paid(other)
        live = hand.action.post(seat, cents - dead)
        dead = hand.purse.put(seat, dead, dead=True)
        self.placed[seat, name] = live, dead
        hand.t.book.setdefault(seat, {})[name] = cents
        hand.paid(seat)

    def _take_back(self, seat: int, name: Post) -> None:
        if (seat, name) not in self.placed:
            return
        live, dead = self.placed.pop((seat, name))
        hand = self.hand
        del hand.t.book[seat][name]
        hand.action.unpost(seat, live)
        hand.purse.take_back(seat, dead, dead=True)
        hand.paid(seat)
        if name == "buy_button":
            hand.button_bought_by = None
            for other, blind in self.blinds.items():
                hand.action.post(other, blind)
                hand.paid(other)

    def _note_parts(self) -> None:
        """What of a make-up counts toward the call (000:95)."""
        made_up = {seat: parts for (seat, name), parts in self.placed.items() if name in _MADE_UP}
        facts = self.hand.facts
        facts.live_part = facts.live = {seat: live for seat, (live, _) in made_up.items()}
        facts.dead_part = facts.dead = {seat: dead for seat, (_, dead) in made_up.items()}

    def _kill(self, seat: int, body: WagerPlaced) -> None:
        hand = self.hand
        refusal = kill_problem(hand, seat, body.cents)
        if refusal is not None:
            hand.t.rule("kill_refused", seat)
            hand.t.refuse(body, refusal)
            return
        kind = kill_offered(hand)
        assert kind is not None
        kill = Kill(seat, kind)
        due = kill_blind(hand, kill)
        hand.play_for(kill)
        # A killer who is also due a smaller blind posts only the kill blind (BS-9).
        hand.action.post(seat, due - hand.action.put_in[seat])
        hand.paid(seat)
        hand.t.emit(ev.WagerSet(seat, "kill", due))

    # Positions

    def dealt_in(self) -> list[int]:
        """Seats with chips. Who owes the blinds is dealt in when they are posted, or as a blind (000:94)."""
        hand, out = self.hand, set[int]()
        if hand.options.returning_after_missed_blinds:
            made_up = {seat for seat, name in self.placed if name in _MADE_UP}
            out |= {*hand.options.returning_after_missed_blinds} - made_up - set(hand.settings.blinds)
        out |= not_dealt_in(hand, {seat for seat, name in self.placed if name in _MADE_UP})
        stacks = hand.settings.stacks
        if stacks is not None:
            out |= {seat for seat, cents in stacks.items() if not cents and not hand.purse.total(seat)}
        return [seat for seat in self._everybody if seat not in out] if out else list(self._everybody)

    def note_positions(self) -> None:
        big, blinds, facts = self._big_blind_seat(), self.blinds, self.hand.facts
        facts.first_card_to = self.hand.seats[0]
        if big is not None:
            facts.big_blind_seat = big
            for seat in self._everybody:
                if seat in blinds and seat != big:
                    facts.small_blind_seat = seat
                    break

    def _big_blind_seat(self) -> int | None:
        """The largest blind, of equal ones the last from the button."""
        blinds, last = self.blinds, None
        if self._big_of is not blinds:
            heads_up = self.hand.options.button_has_small_blind and len(self.hand.seats) == FEWEST_PLAYERS
            for seat in reversed(self._everybody) if heads_up else self._everybody:
                if seat in blinds and (last is None or blinds[seat] >= blinds[last]):
                    last = seat
            self._big_of, self._big_seat = blinds, last
        return self._big_seat

    def _left_of(self, seat: int | None) -> int | None:
        return None if seat is None else self.hand.t.clockwise(seat, self.hand.seats)[0]

    def _before_big_blind(self) -> list[int]:
        """Seats between the button and the big blind that have no blind themselves (A4)."""
        big, blinds = self._big_blind_seat(), self.blinds
        order = self._everybody
        if big is None:
            return [seat for seat in order if seat != self.hand.button]
        return [seat for seat in order[: order.index(big)] if seat not in blinds]

    def acting_order(self) -> list[int]:
        """Before the flop: from the left of the last blind, be it the straddle or the bought button."""
        last = self._last_to_act()
        return list(self.hand.seats) if last is None else self.hand.t.clockwise(last, self.hand.seats)

    def _last_to_act(self) -> int | None:
        for name in ("live_straddle", "buy_button") if self.placed else ():
            for seat, placed in self.placed:
                if placed == name:
                    return seat
        last, kill = self._big_blind_seat(), self.hand.kill
        # A kill blind counts only where its seat directly follows the other blinds (BS-13).
        if kill is not None and (last is None or self._left_of(last) == kill.seat):
            return kill.seat
        return last


_TITLES: dict[Post, str] = {
    "live_straddle": "Straddle",
    "make_up_blinds": "Make up the blinds",
    "missed_blinds": "Missed blinds",
    "missed_big_blind": "Missed big blind",
    "buy_button": "Buy the button",
    "dead_collection_blind": "Collection blind",
}
_POSTS: dict[str, Post] = {name: name for name in _TITLES}
_MADE_UP: tuple[Post, ...] = ("make_up_blinds", "missed_blinds", "missed_big_blind", "buy_button")
_BLINDS: tuple[Post, ...] = ("live_straddle", *_MADE_UP)
"""A seat posts one of these at most: the last one named counts."""


def veto_kill(hand: PokerHand, by: int | None) -> bool:
    """A kill that is not forced is off: the blind goes back, the stakes are the posted ones. Whether there was one."""
    kill = hand.kill
    during_deal = hand.phase == "deal" and kill is not None and kill.kind == "before_third_card"
    if not (hand.phase == "post" or during_deal) or kill is None or not is_vetoable(kill):
        return False
    owed = 0 if hand.settings.kill is not None else hand.settings.blinds.get(kill.seat, 0)
    hand.play_for(None)
    hand.action.unpost(kill.seat, hand.action.put_in[kill.seat] - owed)
    hand.paid(kill.seat)
    if during_deal:
        # A kill blind next to the other blinds had moved the first seat to act (BS-13).
        hand.action.start_with(hand.acting_order())
    hand.t.rule("kill_vetoed", by)
    return True
