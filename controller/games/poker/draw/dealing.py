"""The draw: cards face down, some of them thrown away and replaced off the stub, bets taken before and after.

`Hands` deals, `Draw` exchanges. Who is asked when, how many cards may go, which come last, and what happens when the
stub runs out are options of the room (`DrawOptions`).

A hand that no reader has read throws away unknown cards: the act `draw_2` has only their number. Where cards are read,
the discards are named, and the remaining cards are known; of a hand read in part, `draw_2` names what was read.

Sheets: bankers-draw-jacks-or-better, bankers-lowball-a5, bankers-lowball-27, calgrand-draw-poker,
calgrand-lowball-ace-to-five, calgrand-lowball-deuce-to-seven, turlock-lowball, village-deuce-seven-triple-draw,
village-badugi-triple-draw, village-baduci.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from controller.engine import events as ev
from controller.engine.betting.turn import Turn
from controller.engine.cards.card import Slot
from controller.engine.expect.choices import Choice, WantDecision
from controller.engine.expect.expectation import Expectation
from controller.engine.expect.lazy import LazyExpectation
from controller.engine.expect.want import Refusal
from controller.engine.expect.wants import WantCard
from controller.engine.inputs import Act, CardOut, StackOut, seat_of
from controller.engine.round.felt import Move
from controller.games.poker.core.discards import DISCARD, discard_problem, throw_away
from controller.games.poker.core.hand import PokerHand, known
from controller.games.poker.core.streets import Dealing, Street
from controller.games.poker.draw.hand import STUB_EXHAUSTED, DrawHand
from controller.games.poker.draw.kills import KIND as KILL_BEFORE_THIRD_CARD
from controller.games.poker.draw.kills import deal_with_kills, may_kill_in, may_kill_now

DRAW: Final = "draw"
STAND_PAT: Final = "stand_pat"
DECLARE_SPLIT: Final = "declare_split"
LATE_CARD: Final = 5
"""Where five are not dealt in a row, this one comes when everybody else has drawn (000:239)."""


class Hands(Dealing):
    """Cards to each live seat, one at a time, face down; then what the dealer exposed is replaced."""

    def __init__(self, count: int = 5) -> None:
        self.count = count

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        assert isinstance(hand, DrawHand)
        hand.phase = hand.t.result.phase = "deal"
        dealt = 0
        if KILL_BEFORE_THIRD_CARD not in hand.options.kills:
            dealt = yield from _deal_until_stopped(hand, self.count)
        for nth in range(dealt, self.count):
            if not may_kill_in(hand, nth):
                yield from hand.t.deal_in_turn([hand.hole(seat) for seat in hand.contenders])
                continue
            for seat in hand.contenders:
                if may_kill_now(hand, nth, seat):
                    yield from deal_with_kills(hand, seat)
                else:
                    yield from hand.t.deal(hand.hole(seat), up=False)
        hand.phase = street.name
        yield from replace_exposed(hand)
        note_dealt(hand)
        hand.open_before_draw()


def _deal_until_stopped(hand: DrawHand, count: int) -> Move[int]:
    """Round after round in one move, to the end of the one in which anything but a card comes: who is dealt to may be
    others then. Returns the number of rounds dealt."""
    holes = [hand.hole(seat) for seat in hand.contenders]
    cards = yield from hand.t.deal_in_turn(holes, count, stops=True)
    rounds, in_round = divmod(cards, len(holes))
    if in_round:
        yield from hand.t.deal_in_turn(holes[in_round:])
        rounds += 1
    return rounds


def note_dealt(hand: DrawHand) -> None:
    """The hands before the draw, replacements included."""
    hand.dealt = {seat: list(hand.hole(seat).slots) for seat in hand.seats}
    hand.facts.hands_before_draw = {seat: known(slots) for seat, slots in hand.dealt.items()}


def replace_exposed(hand: DrawHand) -> Move[None]:
    """In the order of exposure; the first exposed card is the burn where the room burns it (000:232, LB-4, A3)."""
    while hand.exposed:
        owner, slot = hand.exposed[0]
        owner.slots.remove(slot)
        first = hand.room.exposed_is_burn and not hand.next_burns
        (hand.next_burns if first else hand.discards).append(slot)
        hand.take_back(owner.owner, "burn" if first else "muck", (slot,))
        new = yield from hand.t.deal(owner, up=False, says=f"Replace the exposed card of seat {owner.owner}, face down")
        hand.facts.replaced[slot.card.code] = new.card.code if new.is_read else None
        hand.exposed.pop(0)  # not before: what is exposed while its replacement is awaited comes after it


class Draw(Dealing):
    """Every live seat, all-in or not, throws cards away and receives the same number."""

    def __init__(self, name: str = DRAW) -> None:
        self.name = name
        """What the facts call it where a hand has several."""

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        assert isinstance(hand, DrawHand)
        if hand.stub_is_out:
            return
        hand.phase, hand.drawn, hand.thrown_now, hand.cards_drawn = DRAW, {}, {}, 0
        hand.t.result.phase = hand.draw_named = self.name
        if not hand.before_draw:
            hand.before_draw = dict(hand.purse.live)
            hand.facts.pot_before_draw = hand.purse.pot
            hand.facts.draw_order = list(hand.contenders)
        hand.t.result.flags["draw"] = True
        if not hand.t.burns or self.name != DRAW:
            yield from _unless_reopened(hand, hand.burn_for_draw())
        if hand.room.announced_first:
            yield from _in_turn_after_announcing(hand)
        else:
            yield from _one_after_the_other(hand)
        if hand.reopened:
            hand.t.result.flags["draw"] = False
            return
        yield from replace_drawn(hand)
        if hand.room.stub == "no_more_draws":
            hand.stub_is_out = hand.stub == 0
            hand.facts.reshuffle = False
            hand.facts.further_draws_allowed = not hand.stub_is_out
            if hand.stub_is_out:
                hand.t.rule(STUB_EXHAUSTED)


def _unless_reopened(hand: DrawHand, move: Move[None]) -> Move[None]:
    """A move before the first discard; it ends where the betting before the draw begins anew meanwhile (001:589)."""
    try:
        waiting = next(move)
        while (body := (yield waiting)) is not None or not hand.reopened:
            waiting = move.send(body)
    except StopIteration:
        return
    move.close()


def _note_received(hand: DrawHand) -> None:
    hand.facts.shown_empty.add("received")
    got = {seat: known(slots) for seat, slots in hand.drawn.items()}
    if hand.draw_named == DRAW:
        hand.facts.received = got
    else:
        hand.facts.received[hand.draw_named] = got


def _one_after_the_other(hand: DrawHand) -> Move[None]:
    late: list[int] = []
    pat: int | None = None
    for seat in list(hand.contenders):
        turn: int | None = None
        while turn != seat:
            asked = yield from _ask(hand, seat, pat)
            if asked is None:
                break
            turn, pat = seat_of(asked.seat), None
            asked = yield from _as_changed(hand, turn, asked)
            thrown = len(_throw(hand, turn, asked))
            if hand.room.late_fifth_card and thrown == LATE_CARD:
                late.append(turn)
            count = thrown - (turn in late) + hand.owed_on_draw.pop(turn, 0)
            yield from give(hand, turn, count)
            if hand.room.may_change_draw and not thrown:
                pat = turn
        if hand.reopened:
            return
    for seat in late:
        yield from give(hand, seat, 1)


def _as_changed(hand: DrawHand, seat: int, asked: Act) -> Move[Act]:
    """A request may be changed, once, while no card was dealt for it (000:244-246)."""
    t, owner, count = hand.t, hand.hole(seat), _count(asked)
    first = count - (hand.room.late_fifth_card and count == LATE_CARD)
    if not hand.room.may_change_draw or not count or t.queue or hand.stub < first:
        return asked
    card = WantCard(owner.owner, len(owner) - count + 1, first, face_up=False)
    while True:
        body = yield Expectation((card, WantDecision(seat, _choices(hand, seat), asks="to change the draw")))
        match body:
            case CardOut():
                t.queue.extend(t.take_out((body.card,)))
            case StackOut():
                t.queue.extend(t.take_out(body.cards))
            case Act():
                if _is_taken(hand, body) and body.do != DECLARE_SPLIT:
                    return body
                continue
            case _:
                continue
        return asked


def _in_turn_after_announcing(hand: DrawHand) -> Move[None]:
    wanted: dict[int, Act] = {}
    for seat in list(hand.contenders):
        asked = yield from _ask(hand, seat)
        if asked is not None:
            wanted[seat] = asked
    if hand.room.stub == "no_more_draws":
        for seat, act in wanted.items():
            # Who is not served any more keeps what he wanted to throw away (village-baduci, A6).
            yield from give(hand, seat, len(_throw(hand, seat, act, most=hand.stub)))
        return
    counts = {seat: len(_throw(hand, seat, act)) for seat, act in wanted.items()}
    for seat, count in counts.items():
        yield from give(hand, seat, count)


def _ask(hand: DrawHand, seat: int, pat: int | None = None) -> Move[Act | None]:
    """What the seat throws away, or the seat before it, which stood pat and may think again.

    None where its hand has died meanwhile, or the draw is off.
    """
    folded = hand.purse.folded
    while seat not in folded and hand.is_contested and not hand.reopened:
        body = yield Discards(hand, seat, pat if pat not in folded else None)
        if type(body) is Act and _is_taken(hand, body) and body.do != DECLARE_SPLIT:
            return body
    return None


class Discards(LazyExpectation):
    """A seat is asked what it throws away, and with it the one before, if that may think again."""

    __slots__ = ("_built", "_hand", "_pat", "_seat")

    def __init__(self, hand: DrawHand, seat: int, pat: int | None) -> None:
        self._hand, self._seat, self._pat = hand, seat, pat
        self._built: Expectation | None = None

    def admits(self, act: Act) -> bool:
        """Named cards, not too many; whether the hand holds them is seen when they are thrown."""
        if act.seat != self._seat or act.do != DISCARD or act.by is not None:
            return False
        return act.front is None and len(act.cards or ()) <= self._hand.most_discards(self._seat)[0]

    def build(self) -> Expectation:
        if self._built is None:
            hand = self._hand
            wants = [WantDecision(self._seat, _choices(hand, self._seat))]
            if self._pat is not None:
                wants.append(WantDecision(self._pat, _choices(hand, self._pat), asks="to change the draw"))
            self._built = Expectation(tuple(wants))
        return self._built


def _is_taken(hand: DrawHand, act: Act) -> bool:
    """Publish the discards, or refuse cards that the hand does not hold."""
    seat, cards, t = act.seat, act.cards, hand.t
    if cards:
        problem = discard_problem(t, hand.hole(seat if type(seat) is int else seat_of(seat)), cards)
        if problem is not None:
            t.refuse(act, Refusal("not_held", problem.text))
            return False
    where = seat_of(seat)
    if act.do == DECLARE_SPLIT or (act.facts.get("split") is True and hand.may_declare_split(where)):
        t.events.append(ev.Decided(seat, DECLARE_SPLIT))
        hand.declare_split(where)
    if act.do != DECLARE_SPLIT:
        t.events.append(ev.Decided(seat, act.do))
    return True


def _count(act: Act) -> int:
    """How many cards the act throws away."""
    do = act.do
    if do in (DISCARD, STAND_PAT):
        return len(act.cards or ())
    return int(do.removeprefix("draw_"))


def _choices(hand: DrawHand, seat: int) -> tuple[Choice, ...]:
    most, too_many = hand.most_discards(seat)
    codes = known(hand.hole(seat).slots)
    discards = _discards(most, too_many, len(codes), codes.count(None))
    return (*discards, _SPLIT) if hand.may_declare_split(seat) else discards


_SPLIT: Final = Choice(DECLARE_SPLIT, label="declare that the openers are split")


@lru_cache(maxsize=256)
def _discards(most: int, too_many: str, held: int, unread: int) -> tuple[Choice, ...]:
    """What may be thrown away of `held` cards, of which `unread` were not read."""
    label = f"discard up to {most} cards, none stands pat"
    choices = [Choice(DISCARD, label=label, count=(0, most), miscount=too_many)]
    if unread:
        choices.append(Choice(STAND_PAT, label="stand pat"))
    for count in range(1, most + 1 if unread else 1):
        # What a reader has read of a hand must be named when it goes.
        named = (max(0, count - unread), count) if unread < held else None
        choices.append(Choice(f"draw_{count}", label=f"draw {count}", count=named))
    return tuple(choices)


def _throw(hand: DrawHand, seat: int, act: Act, most: int | None = None) -> list[Slot]:
    """Take the discards out of the hand, `most` of them at the most."""
    codes, count = act.cards or (), _count(act)
    if most is not None:
        codes, count = codes[:most], min(count, most)
    owner = hand.hole(seat)
    slots = throw_away(hand.t, owner, codes, count)
    hand.discards += slots
    hand.thrown.setdefault(seat, []).extend(slots)
    hand.thrown_now[seat] = slots
    hand.drawn[seat] = []
    hand.take_back(owner.owner, "muck", slots)
    return slots


def give(hand: DrawHand, seat: int, count: int) -> Move[None]:
    """`count` cards off the stub."""
    owner = hand.hole(seat)
    while count > 0:
        room = hand.deals
        if room < count:
            room = yield from hand.cards_for(seat, count)
        if room <= 0:
            yield from hand.t.call_floor(STUB_EXHAUSTED, f"seat {seat} lacks {count} cards and there are none left")
            return
        now = min(count, room)
        before = len(owner)
        yield from hand.t.deal(owner, now, up=False)
        hand.drawn.setdefault(seat, []).extend(owner.slots[before:])
        hand.cards_drawn += now
        count -= now
        if hand.facts.reshuffled is not None:
            after = hand.facts.cards_drawn_after_reshuffle or 0
            hand.facts.cards_drawn_after_reshuffle = after + now


def replace_drawn(hand: DrawHand) -> Move[None]:
    """Cards exposed on the draw are replaced by the next of the stub, once everybody has drawn (000:233-235).

    Who received what is noted with it: a card may be exposed when the draw is just over.
    """
    while hand.exposed_drawn:
        owner, slot = hand.exposed_drawn[0]
        seat = int(owner.owner)
        owner.slots.remove(slot)
        if slot in hand.drawn.get(seat, ()):
            hand.drawn[seat].remove(slot)
        hand.facts.taken_back += known((slot,))
        hand.facts.set_aside += known((slot,))
        hand.take_back(owner.owner, "aside", (slot,))
        yield from give(hand, seat, 1)
        hand.exposed_drawn.pop(0)
    _note_received(hand)


def bet(hand: DrawHand, turn: Callable[[DrawHand, int], Expectation | LazyExpectation] | None = None) -> Move[None]:
    """Ask seat after seat until the betting round is complete; a ruling may change who is asked meanwhile.

    `turn` makes the question to a seat, in a family that offers more than to bet.
    """
    t = hand.t
    t.result.phase = hand.action.round.name
    if not hand.rounds_bet:
        hand.reached("first_betting_opens")
    while (seat := hand.next_to_act()) is not None:
        body = yield Turn(hand.action, seat) if turn is None else turn(hand, seat)
        if type(body) is not Act:
            continue
        do, to = body.do, body.to
        acting = seat if body.seat == seat else seat_of(body.seat)
        t.events.append(ev.Decided(body.seat, do, body.cents, to))
        hand.take(acting, do, to)
        hand.acts += 1
        if do != "fold":
            hand.paid(acting)
    note_raises(hand)
    hand.betting_closed()


def note_raises(hand: DrawHand) -> None:
    action, facts = hand.action, hand.facts
    facts.raises_counted, facts.bet_level = action.raises, action.current
    facts.raises_in_round = max(action.raises, (facts.raises_in_round or 0))
    facts.raises_by_round[action.round.name] = action.raises
