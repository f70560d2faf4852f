"""Caribbean Stud Poker: five cards each, call with twice the ante or fold, the player-dealer qualifies with ace-king.

The player-dealer's last card is open and counts out where settlement begins. Sheets: calgrand-caribbean-stud-poker,
village-caribbean-stud.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from controller.engine import events as ev
from controller.engine.amounts import dollars
from controller.engine.bets.action_button import by_card, by_dice, clockwise_from, counted
from controller.engine.bets.back_line import behind
from controller.engine.bets.wagers import WagerRule
from controller.engine.cards.card import Hand, standard_deck
from controller.engine.expect.choices import Choice
from controller.engine.fees.schedule import Moment
from controller.engine.inputs import seat_of
from controller.engine.ranking import HIGH
from controller.engine.round.felt import Move, Script, Table
from controller.engine.round.game import Game, Ruling
from controller.games.ante.bettors import Bettor, take_part
from controller.games.ante.caribbean_stud.options import CaribbeanOptions, CaribbeanSettings
from controller.games.ante.caribbean_stud.settlement import compared, pay
from controller.games.ante.facts import AnteFacts
from controller.games.ante.rulings import FLOOR_DECIDES, Unstated
from controller.games.ante.script import play_out, round_in_words

CARDS = 5
ACE = 14
CALL_WRONG = "call_not_twice_ante"


class CaribbeanStud(Game[CaribbeanOptions]):
    slug = "caribbean-stud"
    title = "Caribbean Stud Poker"
    options_type = CaribbeanOptions
    has_player_dealer: ClassVar[bool] = True
    back_line_decisions: ClassVar[tuple[str, ...]] = ("play",)
    fee_moments: ClassVar[tuple[Moment, ...]] = ("before_deal", "after_initial_deal")

    def deck(self, options: CaribbeanOptions) -> dict[str, int]:
        return {card.code: 1 for card in standard_deck()}

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        return FLOOR_DECIDES

    def play(self, t: Table, options: CaribbeanOptions) -> Script:
        t.script_state = Unstated(options.unruled)
        ante = WagerRule("ante", "Ante", spots=options.ante_circles)
        yield from t.take_wagers(behind((ante,), options.back_line), options.schedule)
        bettors = take_part(t, ("ante",), seated=options.back_line.play != "own")
        if not bettors:
            t.void("nobody_dealt_in", "no seat has an ante")
        yield from play_out(t, options.schedule, lambda: Deal(t, options, bettors))

    def summary(self, result: Mapping[str, Any]) -> str | None:
        return round_in_words(result, "Player-dealer does not qualify.")


def action_position(value: int, player_dealer: int, positions: int, printed: int | None) -> int:
    """The position that a card counts out. `printed`: the positions of the printed table, where it is not that of the
    game's own size; a position that it has and this table has not is passed over."""
    if printed is None:
        return by_card(value, player_dealer, positions)
    steps = by_card(value, 1, printed) - 1
    return counted(player_dealer, steps if steps < positions else 1, positions)


class Deal:
    """One deal, from the first card to the last chip."""

    def __init__(self, t: Table, options: CaribbeanOptions, bettors: Sequence[Bettor]) -> None:
        self.t, self.options, self.bettors = t, options, bettors
        posted = msgspec.convert(t.setup.settings, CaribbeanSettings, str_keys=True).positions
        self.positions = posted or options.positions
        self.dealer_seat = t.player_dealer or 0
        start = self.dealer_seat if options.deal_start == "first_live_ante" else 0
        self.seats = t.clockwise(start, {bettor.seat for bettor in bettors})
        """The order of the deal and of the decisions."""
        self.hands: dict[int, Hand] = {seat: t.hand(str(seat)) for seat in self.seats}
        self.player_dealer = t.hand("player_dealer")
        t.result.facts = AnteFacts(free_collection=[])

    def cards(self) -> Move[None]:
        """Five rounds of one card, the player-dealer last or in his place; his last card is turned up at once."""
        order = [*self.hands.values(), self.player_dealer]
        if self.options.pd_deal_order == "in_order" and self.options.deal_start == "house_dealer_left":
            before = sum(seat < self.dealer_seat for seat in self.seats)
            order.insert(before, order.pop())
        for nth in range(1, CARDS + 1):
            for hand in order:
                yield from self.t.deal(hand, up=hand is self.player_dealer and nth == CARDS)
        yield from self._place_button()

    def _place_button(self) -> Move[None]:
        if not self.dealer_seat:
            self.action_seat = self.seats[0]
            return
        if self.options.action_source == "dice":
            dice = yield from self.t.roll(3)
            seat = by_dice(dice, self.dealer_seat, self.positions)
        else:
            rank = self.player_dealer.slots[-1].card.rank
            printed = self.options.button_table
            seat = action_position(1 if rank == ACE else rank, self.dealer_seat, self.positions, printed)
        if self.options.button_moves_on:
            seat = clockwise_from(seat, self.seats)[0]
        self.action_seat = seat
        self.t.result.action_seat = seat
        self.t.emit(ev.ActionButton(seat))

    # Decisions

    def decisions(self) -> Move[None]:
        for seat in self.seats:
            player, *back_line = (bettor for bettor in self.bettors if bettor.seat == seat)
            yield from self._ask(player)
            for follower in back_line:
                if self.options.back_line.play == "own":
                    yield from self._ask(follower)
                elif player.folded:
                    follower.folded = True
                    self.t.emit(ev.Decided(follower.place, "fold"))
                else:
                    self._call(follower)
                    self.t.emit(ev.Decided(follower.place, "call", follower.play))

    def _ask(self, bettor: Bettor) -> Move[None]:
        cents = 2 * bettor.ante
        label = f"call with {dollars(cents)}" if cents else "call"
        call = Choice("call", label, cents if cents else None, below=CALL_WRONG, above=CALL_WRONG)
        act = yield from self.t.ask(bettor.place, (call, Choice("fold")))
        if act.do == "fold":
            bettor.folded = True
        else:
            self._call(bettor)

    def _call(self, bettor: Bettor) -> None:
        bettor.play = 2 * bettor.ante
        if self.t.setup.records_wagers:
            self.t.book[bettor.place][self.options.call_wager] = bettor.play
            self.t.emit(ev.WagerSet(bettor.place, self.options.call_wager, bettor.play))

    # Showdown

    def showdown(self) -> Move[None]:
        """The player-dealer's hand, then every hand that called; a folded hand is not opened."""
        yield from self.t.show(self.player_dealer)
        for seat in clockwise_from(self.action_seat, self.seats):
            if any(not bettor.folded for bettor in self.bettors if bettor.seat == seat):
                yield from self.t.show(self.hands[seat])

    def settle(self) -> None:
        result = self.t.result
        theirs = HIGH.rank(self.player_dealer.cards)
        called = {bettor.seat for bettor in self.bettors if not bettor.folded}
        ranks = {seat: HIGH.rank(self.hands[seat].cards) for seat in self.seats if seat in called}
        result.ranks = {str(seat): rank.document() for seat, rank in ranks.items()}
        result.ranks["player_dealer"] = theirs.document()
        qualified = theirs.reaches(self.options.least_hand())
        result.flags["qualified"] = qualified
        result.outcome = {}
        places = self._in_order()
        for bettor in places:
            outcome = (
                "fold"
                if bettor.folded
                else compared(ranks[bettor.seat], theirs, self.options.ties)
                if qualified
                else "win"
            )
            result.outcome[bettor.place] = outcome
            if self.t.setup.records_wagers:
                pay(self.t, self.options, bettor, outcome, ranks.get(bettor.seat), qualified=qualified)

    def _in_order(self) -> list[Bettor]:
        """Positions clockwise from the action button, inside a position spot by spot."""
        seats = clockwise_from(self.action_seat, self.seats)
        return sorted(self.bettors, key=lambda bettor: seats.index(seat_of(bettor.place)))
