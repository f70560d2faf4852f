"""The draw: five cards face down, some of them thrown away and replaced off the stub.

`Hands` deals, `Draw` exchanges: who is asked when, how many cards may go, what comes last, and what happens when the
stub runs out are the room's (`DrawOptions`).

A hand that no reader has read throws away cards that nobody knows: `draw_2` says how many. Where cards are read, the
discards are named, and the cards that are left are known; of a hand read in part, `draw_2` names what was read.

Sheets: bankers-draw-jacks-or-better, bankers-lowball-a5, bankers-lowball-27, calgrand-draw-poker,
calgrand-lowball-ace-to-five, calgrand-lowball-deuce-to-seven, turlock-lowball, village-deuce-seven-triple-draw,
village-badugi-triple-draw, village-baduci.
"""

from __future__ import annotations

from controller.engine import events as ev
from controller.engine.cards import Slot
from controller.engine.expect import Choice, Expectation, Refusal, WantCard, WantDecision
from controller.engine.felt import Move
from controller.engine.inputs import Act, CardOut, StackOut, seat_of
from controller.games.poker.discards import DISCARD, discard_problem, throw_away
from controller.games.poker.draw_hand import STUB_EXHAUSTED, DrawHand
from controller.games.poker.draw_kills import deal_with_kills, may_kill_now
from controller.games.poker.hand import PokerHand, known
from controller.games.poker.streets import Dealing, Street

DRAW, STAND_PAT = "draw", "stand_pat"
LATE_CARD = 5
"""Where five are not dealt in a row, this one comes when everybody else has drawn (000:239)."""


class Hands(Dealing, frozen=True):
    """So many cards each, one at a time, face down; then what the dealer exposed is replaced."""

    count: int = 5

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        assert isinstance(hand, DrawHand)
        hand.phase = "deal"
        for nth in range(self.count):
            for seat in hand.contenders:
                if may_kill_now(hand, nth, seat):
                    yield from deal_with_kills(hand, seat)
                else:
                    yield from hand.t.deal(hand.hole(seat), up=False)
        hand.phase = street.name
        yield from replace_exposed(hand)
        note_dealt(hand)
        hand.open_before_draw()


def note_dealt(hand: DrawHand) -> None:
    """The hands before the draw, replacements included."""
    hand.dealt = {seat: list(hand.hole(seat).slots) for seat in hand.seats}
    hand.facts["hands_before_draw"] = {seat: known(slots) for seat, slots in hand.dealt.items()}


def replace_exposed(hand: DrawHand) -> Move[None]:
    """In the order of exposure; the first exposed card is the burn where the room burns it (000:232, LB-4, A3)."""
    while hand.exposed:
        owner, slot = hand.exposed.pop(0)
        owner.slots.remove(slot)
        first = hand.room.exposed_is_burn and not hand.next_burns
        (hand.next_burns if first else hand.discards).append(slot)
        hand.take_back(owner.owner, "burn" if first else "muck", (slot,))
        new = yield from hand.t.deal(owner, up=False, says=f"Replace the exposed card of seat {owner.owner}, face down")
        hand.facts.setdefault("replaced", {})[slot.card.code] = new.card.code if new.is_read else None


class Draw(Dealing, frozen=True):
    """Every live seat, all-in or not, throws cards away and receives as many."""

    name: str = DRAW
    """What the facts call it where a hand has several."""

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        assert isinstance(hand, DrawHand)
        if hand.stub_is_out:
            return
        hand.phase, hand.drawn, hand.thrown_now, hand.cards_drawn = DRAW, {}, {}, 0
        if not hand.before_draw:
            hand.before_draw = dict(hand.purse.live)
            hand.facts["pot_before_draw"] = hand.purse.pot
            hand.facts["draw_order"] = list(hand.contenders)
        hand.t.result.flags["draw"] = True
        if not hand.t.burns or self.name != DRAW:
            yield from hand.burn_for_draw()
        if hand.room.announced_first:
            yield from _in_turn_after_announcing(hand)
        else:
            yield from _one_after_the_other(hand)
        if hand.reopened:
            return
        yield from replace_drawn(hand)
        self.note(hand)

    def note(self, hand: DrawHand) -> None:
        got = {seat: known(slots) for seat, slots in hand.drawn.items()}
        if self.name == DRAW:
            hand.facts["received"] = got
        else:
            hand.facts.setdefault("received", {})[self.name] = got
        if hand.room.stub == "no_more_draws" and not hand.stub:
            hand.stub_is_out = True
            hand.facts |= {"reshuffle": False, "further_draws_allowed": False}
            hand.t.rule(STUB_EXHAUSTED)


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
                if _is_taken(hand, body):
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
    while seat in hand.contenders and len(hand.contenders) > 1 and not hand.reopened:
        wants = [WantDecision(seat, _choices(hand, seat))]
        if pat is not None and pat in hand.contenders:
            wants.append(WantDecision(pat, _choices(hand, pat), asks="to change the draw"))
        body = yield Expectation(tuple(wants))
        if type(body) is Act and _is_taken(hand, body):
            return body
    return None


def _is_taken(hand: DrawHand, act: Act) -> bool:
    """Tell the discards, or refuse cards that the hand does not hold."""
    problem = discard_problem(hand.t, hand.hole(seat_of(act.seat)), act.cards or ())
    if problem is not None:
        hand.t.refuse(act, Refusal("not_held", problem.text))
        return False
    hand.t.emit(ev.Decided(act.seat, act.do))
    return True


def _count(act: Act) -> int:
    """How many cards the act throws away."""
    if act.do in (DISCARD, STAND_PAT):
        return len(act.cards or ())
    return int(act.do.removeprefix("draw_"))


def _choices(hand: DrawHand, seat: int) -> tuple[Choice, ...]:
    most, too_many = hand.most_discards(seat)
    label = f"discard up to {most} cards, none stands pat"
    choices = [Choice(DISCARD, label=label, count=(0, most), miscount=too_many)]
    held = hand.hole(seat).slots
    unread = sum(not slot.is_read for slot in held)
    if unread:
        choices.append(Choice(STAND_PAT, label="stand pat"))
    for count in range(1, most + 1 if unread else 1):
        # What a reader has read of a hand must be named when it goes.
        named = (max(0, count - unread), count) if unread < len(held) else None
        choices.append(Choice(f"draw_{count}", label=f"draw {count}", count=named))
    return tuple(choices)


def _throw(hand: DrawHand, seat: int, act: Act, most: int | None = None) -> list[Slot]:
    """Take the discards out of the hand, at most so many of them."""
    codes, count = (act.cards or ())[:most], _count(act)
    owner = hand.hole(seat)
    slots = throw_away(hand.t, owner, codes, count if most is None else min(count, most))
    hand.discards += slots
    hand.thrown.setdefault(seat, []).extend(slots)
    hand.thrown_now[seat] = slots
    hand.drawn[seat] = []
    hand.take_back(owner.owner, "muck", slots)
    return slots


def give(hand: DrawHand, seat: int, count: int) -> Move[None]:
    """So many cards off the stub."""
    owner = hand.hole(seat)
    while count > 0:
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
        if "reshuffled" in hand.facts:
            after = hand.facts.get("cards_drawn_after_reshuffle", 0)
            hand.facts["cards_drawn_after_reshuffle"] = after + now


def replace_drawn(hand: DrawHand) -> Move[None]:
    """Cards exposed on the draw are replaced by the next of the stub, once everybody has drawn (000:233-235)."""
    while hand.exposed_drawn:
        owner, slot = hand.exposed_drawn.pop(0)
        seat = int(owner.owner)
        owner.slots.remove(slot)
        if slot in hand.drawn.get(seat, ()):
            hand.drawn[seat].remove(slot)
        for fact in ("taken_back", "set_aside"):
            hand.facts.setdefault(fact, []).extend(known((slot,)))
        hand.take_back(owner.owner, "aside", (slot,))
        yield from give(hand, seat, 1)
