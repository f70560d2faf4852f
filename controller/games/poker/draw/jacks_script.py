"""Jacks or better: a pair of jacks opens, and the opener must show it to win, called or not.

Before the pot is open a seat passes (`check`) or opens; one that is all-in for the antes opens by declaring it
(`declare_open`), and every caller then owes the whole opening bet. Antes of deals that nobody opened stay in the middle
(`carried_antes`): they count as money of the seats that paid them, so a player with one ante plays for what he matched.

Sheet: bankers-draw-jacks-or-better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.betting.rules import FixedLimit, StraightLimit
from controller.engine.cards.card import Slot
from controller.engine.expect.choices import Choice, WantDecision
from controller.engine.expect.expectation import Barred, Expectation
from controller.engine.expect.want import Refusal
from controller.engine.inputs import Act, Happening
from controller.engine.money.pots import uncalled
from controller.engine.round.felt import Move, Table, Unruled
from controller.engine.round.game import Ruling
from controller.games.poker.core.hand import PokerHand, known
from controller.games.poker.core.kills import note_next_hand
from controller.games.poker.core.rulings import KNOWN
from controller.games.poker.core.settings import PokerSettings
from controller.games.poker.core.showdown import award
from controller.games.poker.core.streets import Street
from controller.games.poker.draw.dealing import DRAW, bet
from controller.games.poker.draw.hand import DrawHand
from controller.games.poker.draw.jacks_hand import BEFORE_DRAW, DECLARE_OPEN, OPEN, JacksHand
from controller.games.poker.draw.openers import DISCARDS, OpenersHand
from controller.games.poker.draw.options import JacksOptions
from controller.games.poker.draw.rulings import DEAD_HAND, draw_hand_of, kill_hand
from controller.games.poker.draw.script import OpenersGame
from controller.games.poker.draw.showdown import open_showdown

PASSED_OPENERS, LOSES_POT = "passed_openers", "loses_pot"


class JacksOrBetter(OpenersGame[JacksOptions]):
    slug = "draw-jacks-or-better"
    title = "Draw Poker (Jacks or Better)"
    options_type = JacksOptions
    known: ClassVar[tuple[str, ...]] = (*KNOWN, "false_openers_shown_before_draw", "false_declare_open")

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        own: dict[str, Ruling] = {
            "false_openers_shown_before_draw": false_openers_shown,
            "false_declare_open": false_declare_open,
        }
        return {**super().rulings, **own}

    def make_hand(self, t: Table, options: JacksOptions, settings: PokerSettings) -> JacksHand:
        # A game of antes: blinds that are set for another game of this table are not posted.
        settings = replace(settings, blinds={}, blind_sizes=())
        return JacksHand(t, options, settings, self.rankings(options), self.cards(options))

    def post(self, hand: PokerHand, street: Street) -> Move[None]:
        assert isinstance(hand, JacksHand)
        hand.take_carried(hand.settings.carried)
        hand.take_carried({seat: cents for seat, cents in hand.carried.items() if seat in hand.purse.live})
        yield from super().post(hand, street)

    def rounds(self, hand: PokerHand, streets: Sequence[Street]) -> Move[None]:
        assert isinstance(hand, JacksHand)
        before, after = streets
        yield from before.deal(hand)
        yield from self.bet(hand)
        hand.note_opener()
        if hand.opener is None:
            hand.is_unopened = True
        if hand.is_unopened or len(hand.contenders) == 1:
            return
        yield from after.deal(hand)
        hand.note_split()
        if len(hand.contenders) == 1:
            return
        self.open_betting(hand, after)
        yield from self.bet(hand)

    def open_betting(self, hand: PokerHand, street: Street) -> None:
        """After the draw the opener is first, or who sits next on his left (A3)."""
        assert isinstance(hand, JacksHand)
        super().open_betting(hand, street)
        if hand.jacks.post_draw_first == "opener" and hand.opener is not None and not street.bet.first:
            hand.action.start_with(hand.t.clockwise(hand.opener - 1, hand.contenders))

    def bet(self, hand: PokerHand) -> Move[None]:
        assert isinstance(hand, JacksHand)
        return bet(hand, self.turn)

    def turn(self, hand: DrawHand, seat: int) -> Expectation:
        """Who is all-in for the antes may stay silent, so others are asked beside him."""
        assert isinstance(hand, JacksHand)
        choices, barred = self._choices(hand, seat)
        beside = [WantDecision(other, self._choices(hand, other)[0]) for other in hand.may_act_before(seat)]
        return Expectation((WantDecision(seat, choices), *beside), barred)

    def _choices(self, hand: JacksHand, seat: int) -> tuple[tuple[Choice, ...], tuple[Barred, ...]]:
        if hand.is_opening:
            return _openings(hand, seat)
        choices, barred = hand.action.choices(seat)
        return tuple(_with_code(hand, choice) if choice.do == "bet" else choice for choice in choices), barred

    # The end

    def award_pot(self, hand: OpenersHand) -> Move[None]:
        assert isinstance(hand, JacksHand)
        if hand.is_unopened:
            _nobody_opens(hand)
            return
        back = uncalled(hand.purse.live, hand.purse.folded)
        contenders, opener = hand.contenders, hand.opener
        compared = len(contenders) > 1
        if compared:
            hand.give_back(back)
            open_showdown(hand)
        proven = True
        if opener in contenders:
            assert opener is not None
            proven = yield from _prove(hand, opener, compared)
            if not proven and opener not in hand.dead and opener not in hand.false_openers:
                hand.rule_on(opener, LOSES_POT)
        if not compared and not (opener in contenders and opener in hand.false_openers):
            # Of false openers that are shown before the draw the opening bet stays, called or not (000:276).
            hand.give_back(back)
        others = [seat for seat in contenders if seat != opener and seat not in hand.dead]
        if not proven and not others:
            # Nobody else has a live hand: the pot stays for the next deal (A1).
            hand.carry_over()
            _note_next_deal(hand)
            return
        claims = None
        if compared:
            claims = self.claims(hand)
            for seat in contenders:
                if seat != opener:
                    yield from hand.t.show(hand.hole(seat))
            for seat in contenders:
                if hand.hole(seat).is_exposed and seat not in hand.dead:
                    claims.make(seat)
            if opener is not None and not proven:
                claims.withdraw(opener)
        hand.t.fees.ended("showdown" if compared else "ended", hand.purse.pot)
        award(hand, claims)
        note_next_hand(hand)


# Opening


def _openings(hand: JacksHand, seat: int) -> tuple[tuple[Choice, ...], tuple[Barred, ...]]:
    """Pass or open; all-in for the antes, or after false openers, by declaring it."""
    barred = tuple(
        Barred(PASSED_OPENERS, "a seat that has passed may not declare the pot open", passed, DECLARE_OPEN)
        for passed in sorted(hand.passed)
    )
    check = Choice("check", label="pass")
    if hand.is_reopening:
        declare = Choice(DECLARE_OPEN, label="declare the pot open", to_one_of=(_declared(hand, seat),))
        return (check, _with_code(hand, declare)), barred
    if not hand.purse.can_act(seat):
        return (check, Choice(DECLARE_OPEN, label="declare the pot open, all-in for the antes")), barred
    choices, _ = hand.action.choices(seat)
    bets = [replace(_with_code(hand, choice), do=OPEN) for choice in choices if choice.do == "bet"]
    return (check, *bets), barred


def _declared(hand: JacksHand, seat: int) -> int:
    """What the declarer comes to: the opening bet, or all he has."""
    behind = hand.purse.behind[seat]
    put_in = hand.action.put_in[seat]
    return hand.opening_bet if behind is None else min(hand.opening_bet, put_in + behind)


def _with_code(hand: JacksHand, choice: Choice) -> Choice:
    if not isinstance(hand.structure, FixedLimit | StraightLimit):
        return choice
    return replace(choice, below=hand.jacks.wrong_bet, above=hand.jacks.wrong_bet)


def _nobody_opens(hand: JacksHand) -> None:
    """The antes stay, the button moves, everybody antes again up to the limit of the game (000:271-273)."""
    # After false openers all bets go back except the opening bet (000:278-279).
    bets = hand.action.put_in.items()
    hand.give_back({seat: cents for seat, cents in bets if seat not in hand.false_openers})
    hand.carry_over()
    _note_next_deal(hand)
    hand.facts.qualifies = [seat for seat in sorted(hand.contenders) if hand.has_openers(seat)]
    for seat in hand.contenders:
        rank = hand.opening_rank(seat)
        if rank is not None:
            hand.t.result.ranks[str(seat)] = rank.document()


def _note_next_deal(hand: JacksHand) -> None:
    facts, antes = hand.facts, hand.settings.antes
    facts.next_button = hand.t.clockwise(hand.button)[0]
    rounds = 1 + max((hand.carried.get(seat, 0) // cents for seat, cents in antes.items() if cents), default=0)
    limit = hand.jacks.ante_rounds_limit
    facts.next_antes = 0 if limit is not None and rounds >= limit else sum(_next_ante(hand, s) for s in antes)


def _next_ante(hand: JacksHand, seat: int) -> int:
    """A player without chips plays on for the antes that he has matched (000:313)."""
    behind, ante = hand.purse.behind[seat], hand.settings.antes[seat]
    return ante if behind is None else min(ante, behind)


# Proving openers


def _prove(hand: JacksHand, opener: int, compared: bool) -> Move[bool]:
    """The opener shows openers, his whole hand where others are left to beat, or gives the pot up (000:271, 280)."""
    t, hole = hand.t, hand.hole(opener)
    t.result.phase = "showdown"
    show = Choice("show", label="show openers", count=(0, len(hand.dealt[opener])))
    while True:
        body = yield Expectation((WantDecision(opener, (show, Choice("muck")), asks="openers must be shown"),))
        if opener in hand.dead or opener in hand.false_openers:
            return False
        if type(body) is not Act:
            continue
        if body.do == "muck":
            t.emit(ev.Decided(opener, "muck"))
            return False
        yield from hand.name_opening_hand(opener)
        hand.note_opener()
        shown = _named(hand, opener, body.cards or ())
        if shown is None:
            t.refuse(body, Refusal("not_held", "a card is named that the opening hand does not hold"))
            continue
        break
    t.emit(ev.Decided(opener, "show"))
    hand.facts.openers_shown = known(shown)
    _expose(hand, opener, shown if body.cards else hand.dealt[opener])
    if compared:
        yield from t.show(hole)
    return hand.proves([slot.card for slot in shown]) and not hand.has_split_in_silence


def _named(hand: JacksHand, opener: int, codes: Sequence[str]) -> list[Slot] | None:
    """The slots of the opening hand by these names, all of them where none is named."""
    left = list(hand.dealt[opener])
    if not codes:
        return left
    named: list[Slot] = []
    for code in codes:
        slot = next((slot for slot in left if slot.card.code == code), None)
        if slot is None:
            return None
        left.remove(slot)
        named.append(slot)
    return named


def _expose(hand: JacksHand, opener: int, slots: Sequence[Slot]) -> None:
    """Everybody sees these, of the hand or from under the chip on the discards."""
    for slot in slots:
        slot.expose()
    held = hand.hole(opener).slots
    own, under_chip = [s for s in slots if s in held], [s for s in slots if s not in held]
    if own:
        hand.t.emit(ev.HandShown(str(opener), tuple(slot.face for slot in own)))
    if under_chip:
        hand.lay_out(under_chip)
        hand.t.emit(ev.HandShown(DISCARDS, tuple(slot.face for slot in under_chip)))


# Rulings


def _jacks_hand(t: Table) -> JacksHand:
    hand = draw_hand_of(t)
    assert isinstance(hand, JacksHand)
    return hand


def false_openers_shown(t: Table, happening: Happening) -> None:
    """The opener's hand is dead. The pot plays on, or others may declare it open (000:274-285)."""
    hand, opener = _jacks_hand(t), happening.seat
    if opener is None or opener != hand.opener or opener not in hand.contenders:
        raise Unruled("that seat has not opened the pot")
    if hand.phase not in (BEFORE_DRAW, DRAW) or hand.drawn:
        raise Unruled("false openers before the draw, but the draw has begun")
    complete = hand.phase == DRAW or hand.action.next_seat() is None
    plays_on = complete or hand.action.raises > 0 or len(hand.callers) > 1
    hand.facts.opening_bet_stays = min(hand.opening_bet, hand.action.put_in[opener])
    further = max(0, hand.action.put_in[opener] - hand.opening_bet)
    if further and not complete:
        hand.give_back({opener: further})
        hand.action.withdraw(opener, further)
    hand.false_openers.add(opener)
    hand.die(opener, hand.phase)
    hand.rule_on(opener, DEAD_HAND)
    if not plays_on:
        _reopen(hand, opener)


def _reopen(hand: JacksHand, false_opener: int) -> None:
    others = hand.t.clockwise(false_opener, hand.contenders)
    hand.may_open = [seat for seat in others if seat not in hand.passed]
    hand.opener, hand.is_reopening = None, True
    facts = hand.facts
    facts.may_declare_open = sorted(seat for seat in hand.may_open if hand.has_openers(seat))
    facts.may_not_declare_open = {
        seat: PASSED_OPENERS if hand.has_openers(seat) else "no_openers"
        for seat in others
        if seat not in facts.may_declare_open
    }


def false_declare_open(t: Table, happening: Happening) -> None:
    """All-in and no openers: he loses the antes and sits out; the next seat acts as if he had passed (000:292, A7).

    Found when the betting before the draw is complete, only his hand dies: the others have played on already.
    """
    hand, seat = _jacks_hand(t), happening.seat
    if seat is None or seat != hand.opener or seat not in hand.contenders or hand.purse.behind[seat] != 0:
        raise Unruled("that seat has not declared the pot open all-in")
    complete = hand.phase != BEFORE_DRAW
    if hand.acts_since_opening and not complete:
        raise Unruled("others have acted on the declaration")
    hand.facts.sits_out = [seat]
    hand.facts.sits_out_until = "pot_won_by_another"
    hand.facts.rebuy_helps = False
    kill_hand(hand, seat, "loses_antes_and_sits_out")
    if complete:
        return
    action = hand.action
    action.current = action.level = action.declared = 0
    action.last_full = action.rules.structure.unit(action.round)
    action.bettors, action.acted = set(), set()
    hand.opener, hand.opening_bet = None, 0
    hand.facts.minimum_call = None
