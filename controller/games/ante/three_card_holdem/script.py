"""3 Card Hold'em: two cards each, three in the middle, the best three of five; bet or fold, then bet or check.

The player-dealer qualifies with a pair of fours. Two side bets are paid by their own cards, folded hand or not. Sheet:
turlock-three-card-holdem, the one text that rules what happens when the shuffler fails.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from controller.engine import events as ev
from controller.engine.amounts import dollars
from controller.engine.bets.action_button import clockwise_from, counted
from controller.engine.bets.back_line import behind
from controller.engine.bets.wagers import with_bonus_minimum
from controller.engine.cards.card import Hand, standard_deck
from controller.engine.expect.choices import Choice
from controller.engine.fees.schedule import Moment
from controller.engine.inputs import Place, seat_of, spot_of
from controller.engine.ranking import Rank
from controller.engine.round.felt import Move, Script, Table
from controller.engine.round.game import Game, Ruling
from controller.games.ante.bettors import Bettor
from controller.games.ante.facts import AnteFacts
from controller.games.ante.script import deal_face_down, round_in_words
from controller.games.ante.settlement import WagerResult, compare, settle_lines
from controller.games.ante.three_card_holdem.options import WAGERS, ThreeCardHoldemOptions
from controller.games.ante.three_card_holdem.rulings import RULINGS
from controller.games.ante.three_card_holdem.settlement import ACE, SIDE_BETS, THREE, lines_of, row_of
from controller.games.banked import give_back

QUALIFIES = ("pair", "4")
POSITIONS = 7
NOT_ANTE = "bet_not_equal_ante"
FOLDED_WITH_SIDE_BET = "folded with a side bet; look, keep it face down"


class ThreeCardHoldem(Game[ThreeCardHoldemOptions]):
    slug = "three-card-holdem"
    title = "3 Card Hold'em"
    options_type = ThreeCardHoldemOptions
    has_player_dealer: ClassVar[bool] = True
    miscounted_stack = "shuffler_failure"
    fee_moments: ClassVar[tuple[Moment, ...]] = ("before_deal", "after_initial_deal")

    def deck(self, options: ThreeCardHoldemOptions) -> dict[str, int]:
        return {card.code: 1 for card in standard_deck()}

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        return RULINGS

    def play(self, t: Table, options: ThreeCardHoldemOptions) -> Script:
        rules = behind(with_bonus_minimum(WAGERS, options.bonus_minimum), options.back_line)
        yield from t.take_wagers(rules, options.schedule)
        deal = Deal(t, options)
        t.script_state = deal
        if not deal.seats:
            t.void("nobody_dealt_in", "no seat has an ante")
        yield from t.collect_fees(options.schedule, "before_deal")
        yield from deal.cards()
        yield from t.collect_fees(options.schedule, "after_initial_deal")
        yield from deal.first_window()
        yield from deal.turn_up(2)
        yield from deal.final_window()
        yield from deal.turn_up(3)
        yield from deal.showdown()
        deal.settle()

    def summary(self, result: Mapping[str, Any]) -> str | None:
        return round_in_words(result, "Player-dealer has no pair of fours.")


class Deal:
    """One deal, from the first card to the last chip."""

    def __init__(self, t: Table, options: ThreeCardHoldemOptions) -> None:
        self.t, self.options = t, options
        self.bettors: dict[int, Bettor] = self._take_part()
        self.seats = list(self.bettors)
        self.hands: dict[int, Hand] = {seat: t.hand(str(seat)) for seat in self.seats}
        self.player_dealer = t.hand("player_dealer")
        self.board = t.hand("board")
        self.facts = t.result.facts = AnteFacts(total_action=sum(bettor.ante for bettor in self.bettors.values()))

    def _take_part(self) -> dict[int, Bettor]:
        """Seats with an ante, in seat order; a side bet on a hand that is not dealt goes back."""
        t = self.t
        if not t.setup.records_wagers:
            return {seat: Bettor(seat, 0) for seat in sorted(t.seats) if seat != t.player_dealer}
        playing = {place for place, wagers in t.book.items() if isinstance(place, int) and wagers.get("ante")}
        for place in [place for place in t.book if seat_of(place) not in playing]:
            give_back(t, place)
        return {seat: Bettor(seat, t.book[seat]["ante"]) for seat in sorted(playing)}

    def cards(self) -> Move[None]:
        """Two each, the player-dealer last; one in the middle face up, a burn, two face down (856-860)."""
        packet = 2 if self.options.deal_device == "shuffler" else 1
        yield from deal_face_down(self.t, [*self.hands.values(), self.player_dealer], 2, packet)
        yield from self.t.deal(self.board)
        yield from self.t.burn()
        yield from self.t.deal(self.board, 2, up=False)

    def turn_up(self, cards: int) -> Move[None]:
        self.t.emit(ev.StreetDealt(f"communal_{cards}"))
        yield from self.t.show(self.board, first=cards)

    # Decisions

    def first_window(self) -> Move[None]:
        for bettor in self.bettors.values():
            act = yield from self.t.ask(bettor.place, (_bet(bettor.ante), Choice("fold")), asks="bet or fold")
            if act.do == "fold":
                bettor.folded = True
            else:
                self._stake(bettor, "bet_or_fold")

    def final_window(self) -> Move[None]:
        for bettor in self.bettors.values():
            if not bettor.folded:
                act = yield from self.t.ask(bettor.place, (Choice("check"), _bet(bettor.ante)), asks="bet or check")
                if act.do == "bet":
                    self._stake(bettor, "bet_or_check")

    def _stake(self, bettor: Bettor, wager: str) -> None:
        if self.t.setup.records_wagers:
            self.t.book[bettor.place][wager] = bettor.ante
            self.t.emit(ev.WagerSet(bettor.place, wager, bettor.ante))

    # Showdown

    def showdown(self) -> Move[None]:
        """The player-dealer's cards, then the hands that are in; a folded hand with a side bet is looked at only."""
        yield from self.t.show(self.player_dealer)
        for seat in self.seats:
            if not self.bettors[seat].folded:
                yield from self.t.show(self.hands[seat])
            elif any(seat_of(p) == seat and w.keys() & {*SIDE_BETS} for p, w in self.t.book.items()):
                yield from self.t.name_unread(self.hands[seat], asks=FOLDED_WITH_SIDE_BET)

    def settle(self) -> None:
        result, pays = self.t.result, self.options.pays
        theirs = self._rank(self.player_dealer)
        ranks = {seat: self._rank(hand) for seat, hand in self.hands.items() if hand.is_read}
        result.ranks = {**{str(seat): rank.document() for seat, rank in ranks.items()}}
        result.ranks["player_dealer"] = theirs.document()
        qualified = theirs.reaches(QUALIFIES)
        result.flags["qualified"] = qualified
        result.outcome = {
            seat: "fold" if bettor.folded else compare(ranks[seat], theirs) for seat, bettor in self.bettors.items()
        }
        if self.t.setup.records_wagers:
            rows = self._rows()
            for name in SIDE_BETS:
                noted = {place: of[name] for place, of in rows.items() if name in of}
                setattr(self.facts, f"{name}_hand", noted or None)
            self._pay(
                {
                    place: lines_of(
                        place, wagers, result.outcome[seat_of(place)], rows[place], pays, qualified=qualified
                    )
                    for place, wagers in self.t.book.items()
                }
            )

    def _rank(self, hand: Hand) -> Rank:
        return THREE.rank([*hand.cards, *self.board.cards])

    def _rows(self) -> dict[Place, dict[str, str]]:
        """The row of the pay table that the cards of each side bet fill. A hand without one may be unread."""
        board, hands = self.board.cards, self.hands
        return {
            place: {name: row_of(name, hands[seat_of(place)].cards, board) for name in SIDE_BETS if name in wagers}
            for place, wagers in self.t.book.items()
        }

    # Money

    def _pay(self, lines: Mapping[Place, Sequence[WagerResult]]) -> None:
        """Folded antes first, then seat by seat, the back line after all seats (A3)."""
        folded = [seat for seat in self.seats if self.bettors[seat].folded]
        walk = [line for seat in folded for line in lines[seat] if line.wager == "ante"]
        order = self.seats
        bank = self.t.bank
        if bank is not None and sum(abs(line.cents) for of in lines.values() for line in of) > sum(bank):
            order = clockwise_from(self._place_button(), self.seats)
        places = sorted(lines, key=lambda place: (spot_of(place), order.index(seat_of(place))))
        walk += [line for place in places for line in lines[place] if line not in walk]
        settle_lines(self.t, walk)

    def _place_button(self) -> int:
        """The seat settled first where the player-dealer's wager does not cover everything (A1, A2)."""
        card = self.board.slots[0 if self.options.button_card == "communal_1" else 2].card
        value = 1 if card.rank == ACE else card.rank
        pointed = counted(self.t.player_dealer or POSITIONS, value % POSITIONS, POSITIONS)
        seat = clockwise_from(pointed, self.seats)[0]
        self.t.result.action_seat = seat
        self.t.emit(ev.ActionButton(seat))
        return seat


def _bet(ante: int) -> Choice:
    return Choice("bet", f"bet {dollars(ante)}" if ante else "bet", ante or None, below=NOT_ANTE, above=NOT_ANTE)
