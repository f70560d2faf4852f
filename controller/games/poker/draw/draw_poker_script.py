"""Draw poker: five cards, one draw, the highest hand, the lowest or both; with or without openers.

With openers, only a hand that meets them may make the first bet. Nobody can see that: an opening bet is taken, and what
it was made with is judged later (`openers`). Where nobody opens, the house re-antes, lets the openers rise, or
plays the same hands as lowball.

Sheet: calgrand-draw-poker.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from controller.engine.betting.betting_round import Action
from controller.engine.betting.rules import BetRound
from controller.engine.cards.card import Card
from controller.engine.inputs import Happening
from controller.engine.round.felt import Move, Script, Table, Unruled
from controller.engine.round.game import Ruling
from controller.games.poker.core.hand import PokerHand
from controller.games.poker.core.rankings import Rankings
from controller.games.poker.core.rulings import KNOWN
from controller.games.poker.core.settings import PokerSettings
from controller.games.poker.core.showdown import Claims
from controller.games.poker.core.streets import Street
from controller.games.poker.draw.openers import OpenersHand, are_openers, next_rank, rank_value
from controller.games.poker.draw.options import DrawPokerOptions
from controller.games.poker.draw.rulings import draw_hand_of
from controller.games.poker.draw.script import OpenersGame, low_rankings, one_draw

BEFORE_DRAW, AFTER_DRAW = "before_draw", "after_draw"
PAIR = ("pair", "J")
"""The usual openers."""
LOWBALL_ROUND = BetRound(BEFORE_DRAW, first=True, check=False)


class DrawPokerHand(OpenersHand):
    """A hand of draw poker, which may become lowball."""

    def __init__(
        self, t: Table, options: DrawPokerOptions, settings: PokerSettings, rankings: Rankings, deck: int
    ) -> None:
        super().__init__(t, options, settings, rankings, deck)
        self.draw_poker = options
        self.antes: dict[int, int] = {}
        """What each seat has in that is no bet."""
        self.sevens = "none"
        t.result.flags |= {"draw": False, "redeal": False}

    @property
    def needs_openers(self) -> bool:
        """Openers are asked for, and the hand has not become lowball."""
        return self.draw_poker.openers is not None and self.sevens == "none"

    def take(self, seat: int, do: str, to: int | None) -> None:
        if self.needs_openers and self.opener is None and do in ("bet", "raise", "call"):
            self.opener = seat
        super().take(seat, do, to)

    def has_openers(self, seat: int) -> bool:
        rank, least = self.opening_rank(seat), self.draw_poker.openers
        return least is None or (rank is not None and rank.reaches(list(map(str, least))))

    def may_declare_split(self, seat: int) -> bool:
        return self.needs_openers and super().may_declare_split(seat)

    def keeps_openers(self, cards: Sequence[Card]) -> bool | None:
        least = tuple(map(str, self.draw_poker.openers or ()))
        if len(cards) == len(self.dealt[self.seats[0]]):
            return True
        if len(least) == len(PAIR) and least[0] == PAIR[0]:
            return are_openers(cards, rank_value(least[1]))
        return None

    def betting_closed(self) -> None:
        """The betting before the draw is one round for the fees, also where it begins anew or goes on as lowball."""
        if self.phase != BEFORE_DRAW or not self.rounds_bet:
            super().betting_closed()

    def bets(self, without: int | None) -> dict[int, int]:
        """What each seat but one has bet, antes left out."""
        return {seat: cents - self.antes.get(seat, 0) for seat, cents in self.purse.live.items() if seat != without}


class DrawPoker(OpenersGame[DrawPokerOptions]):
    slug = "draw-poker"
    title = "Draw Poker"
    options_type = DrawPokerOptions
    known: ClassVar[tuple[str, ...]] = (*KNOWN, "false_openers")

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        return {**super().rulings, "false_openers": false_openers}

    def make_hand(self, t: Table, options: DrawPokerOptions, settings: PokerSettings) -> DrawPokerHand:
        return DrawPokerHand(t, options, settings, self.rankings(options), self.cards(options))

    def post(self, hand: PokerHand, street: Street) -> Move[None]:
        assert isinstance(hand, DrawPokerHand)
        hand.take_carried(hand.settings.carried)
        yield from super().post(hand, street)
        blinds = hand.action.put_in
        hand.antes = {seat: cents - blinds.get(seat, 0) for seat, cents in hand.purse.live.items()}

    def rounds(self, hand: PokerHand, streets: Sequence[Street]) -> Move[None]:
        assert isinstance(hand, DrawPokerHand)
        before, after = streets
        yield from before.deal(hand)
        while True:
            hand.reopened = False
            yield from self.bet(hand)
            if len(hand.contenders) == 1:
                return
            if hand.needs_openers and hand.opener is None:
                if hand.draw_poker.no_opener != "lowball":
                    hand.is_unopened = True
                    return
                become_lowball(hand)
                after = one_draw(check_before=False)[1]
                continue
            hand.note_opener()
            yield from after.deal(hand)
            hand.note_split()
            if hand.room.split_discard_shown == "at_once":
                yield from hand.show_split()
            if not hand.reopened and len(hand.contenders) > 1:
                break
            if len(hand.contenders) == 1:
                return
        self.open_betting(hand, after)
        yield from self.bet(hand)

    def open_betting(self, hand: PokerHand, street: Street) -> None:
        """After the draw the opener acts first, or who sits next on his left (588, DR-12)."""
        assert isinstance(hand, DrawPokerHand)
        super().open_betting(hand, street)
        if hand.needs_openers and hand.opener is not None and not street.bet.first:
            hand.action.start_with(hand.t.clockwise(hand.opener - 1, hand.contenders))

    def award_pot(self, hand: OpenersHand) -> Move[None]:
        assert isinstance(hand, DrawPokerHand)
        if hand.is_unopened:
            no_opener(hand)
            return
        must_prove = hand.needs_openers and hand.contenders == [hand.opener]
        if must_prove and not (yield from self._proves(hand)):
            _uncalled_false_openers(hand)
            return
        yield from super().award_pot(hand)

    def showdown(self, hand: PokerHand) -> Move[Claims]:
        assert isinstance(hand, DrawPokerHand)
        claims = yield from super().showdown(hand)
        opener = hand.opener
        if hand.needs_openers and opener in hand.contenders and not (yield from self._proves(hand)):
            assert opener is not None
            claims.withdraw(opener)
            hand.facts.dead_hands[opener] = AFTER_DRAW
            hand.t.rule("false_openers_called", opener)
        return claims

    def _proves(self, hand: DrawPokerHand) -> Move[bool]:
        """The engine tests the hand as it was dealt; no act of the opener is asked for (582)."""
        assert hand.opener is not None
        yield from hand.name_opening_hand(hand.opener)
        hand.note_opener()
        hand.note_split()
        return hand.has_openers(hand.opener) and not hand.has_split_in_silence


def _uncalled_false_openers(hand: DrawPokerHand) -> None:
    """Every bet goes back except the opener's, and the hand is dealt again (590, DR-3)."""
    opener = hand.opener
    assert opener is not None
    hand.give_back(hand.bets(without=opener))
    drawn = bool(hand.before_draw)
    hand.facts.dead_hands[opener] = AFTER_DRAW if drawn else BEFORE_DRAW
    if not drawn:
        hand.t.rule("false_openers_before_draw", opener)
        no_opener(hand)
        return
    hand.t.rule("false_openers_uncalled", opener)
    hand.t.result.flags["redeal"] = True
    hand.carry_over()


def no_opener(hand: DrawPokerHand) -> None:
    """Hands are thrown in, everybody antes again; progressive openers go up one rank (585-586, DR-5)."""
    options = hand.draw_poker
    progressive = options.no_opener == "progressive"
    hand.t.rule("no_opener_progressive" if progressive else "no_opener_reante")
    if progressive and options.openers is not None:
        category, *ranks = map(str, options.openers)
        higher = next_rank(ranks[0]) if ranks else None
        hand.facts.next_openers = list(options.first_openers) if higher is None else [category, higher]
    hand.t.result.flags["redeal"] = True
    hand.carry_over()


def become_lowball(hand: DrawPokerHand) -> None:
    """The same hands, ace to five with all its rules; the first seat puts up a forced bet (587, DR-11)."""
    hand.sevens = "first_must_bet"
    hand.rankings = low_rankings(hand.room)
    first = hand.contenders[0]
    hand.action = Action(hand.rules, LOWBALL_ROUND, hand.purse, hand.contenders)
    forced = hand.action.post(first, hand.structure.unit(LOWBALL_ROUND))
    hand.action.start_with(hand.t.clockwise(first, hand.contenders))
    hand.paid(first)
    hand.facts.game_now = hand.draw_poker.lowball
    hand.facts.forced_bet = forced
    hand.facts.forced_bet_by = first
    hand.t.rule("no_opener_lowball", first)


def false_openers(t: Table, happening: Happening) -> Script | None:
    """Found before the draw: bets back except the opener's, his hand is dead, the others may open (589, DR-2)."""
    hand = draw_hand_of(t)
    if not isinstance(hand, DrawPokerHand) or happening.seat is None or happening.seat != hand.opener:
        raise Unruled("that seat has not opened the pot")
    if hand.thrown or hand.phase not in (BEFORE_DRAW, "draw"):
        raise Unruled("false openers before the draw, but the draw has begun")
    opener = happening.seat
    hand.give_back(hand.bets(without=opener))
    hand.die(opener, BEFORE_DRAW)
    t.rule("false_openers_before_draw", opener)
    hand.opener = None
    hand.reopened = hand.phase == "draw"
    hand.phase = BEFORE_DRAW
    hand.before_draw = {}
    order = t.clockwise(opener, hand.contenders)
    hand.action = Action(hand.rules, BetRound(BEFORE_DRAW, first=True), hand.purse, order)
    hand.acts = 0
    return None
