"""Caribbean Stud Poker: five cards each, call with twice the ante or fold, the player-dealer qualifies with ace-king.

The player-dealer's last card lies open and tells where settlement begins. Sheets: calgrand-caribbean-stud-poker,
village-caribbean-stud.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta, Struct

from controller.engine import events as ev
from controller.engine.amounts import dollars
from controller.engine.bets.action_button import by_card, by_dice, clockwise_from, counted
from controller.engine.bets.wagers import WagerRule
from controller.engine.cards.card import RANKS, Hand, standard_deck
from controller.engine.expect.expectation import Choice
from controller.engine.fees import Moment, Schedule
from controller.engine.inputs import seat_of
from controller.engine.money.bank import Odds
from controller.engine.ranking import HIGH, STANDARD, Category, Rank
from controller.engine.round.felt import Move, Script, Table
from controller.engine.round.game import Game, Ruling
from controller.games.ante.shared import (
    FLOOR_DECIDES,
    Bettor,
    Payoff,
    Unstated,
    answer_ranking,
    answer_unruled,
    compare,
    pay_table,
    play_out,
    take_part,
    tell_round,
)

CARDS = 5
ACE = 14
CALL_WRONG = "call_not_twice_ante"
HANDS = frozenset(STANDARD.categories) - {Category.FIVE_OF_A_KIND}


class CaribbeanPays(Struct, frozen=True, forbid_unknown_fields=True):
    """Best hand first; what is not listed pays even money."""

    ante: Payoff
    call: dict[Category, Payoff]
    call_otherwise: Payoff

    def __post_init__(self) -> None:
        for hand in self.call:
            if hand not in HANDS:
                raise ValueError(f"pays.call.{hand}: 52 cards without a joker do not make that hand")


class CaribbeanOptions(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    qualifier: list[str] | str
    """The least hand with which the player-dealer plays: `[high_card, A, K]`, or in short `A-K`, `pair`."""
    ties: Literal["push", "player_dealer", "player"] = "push"
    deal_start: Literal["first_live_ante"] = "first_live_ante"
    pd_deal_order: Literal["last", "in_order"] = "last"
    action_source: Literal["last_card", "dice"] = "last_card"
    first_player_dealer: str = "high_card"
    schedule: Schedule | None
    call_wager: str
    backline_decides: bool
    """Each spot of a seat decides for its own money; else the back line follows the seat."""
    unruled: str = ""
    """The sheet's word for an irregularity that its text does not rule."""
    ante_circles: int | None = None
    """Bettors that a seat has room for, its own player among them."""
    button_moves_on: bool
    """An action position without a wager hands the button on; else it stays, and settlement begins after it."""
    button_table: Annotated[int, Meta(ge=2)] | None = None
    """Positions of the printed table that tells the action position by the card; absent: those of the table itself."""
    positions: Annotated[int, Meta(ge=2)] = 8
    """Places at the table, the player-dealer's included, where the table's own setting does not say."""
    pays: CaribbeanPays

    def __post_init__(self) -> None:
        self.least_hand()

    def least_hand(self) -> list[str]:
        """
        >>> least_hand("A-K"), least_hand("pair"), least_hand(["pair", "J"])
        (['high_card', 'A', 'K'], ['pair'], ['pair', 'J'])
        >>> least_hand("queen_high"), least_hand("ace_king"), least_hand("pair_of_sixes")
        (['high_card', 'Q'], ['high_card', 'A', 'K'], ['pair', '6'])
        """
        return least_hand(self.qualifier)


def least_hand(told: list[str] | str) -> list[str]:
    named = list(told) if not isinstance(told, str) else _in_words(told)
    if named and named[0] in RANKS:
        named = ["high_card", *named]
    if not named or named[0] not in STANDARD.categories or not all(rank in RANKS for rank in named[1:]):
        raise ValueError(f"qualifier: {told!r} is no hand; write [high_card, A, K] or [pair, J]")
    return named


RANK_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")


def _in_words(told: str) -> list[str]:
    """A hand as a sign says it: A-K, pair, queen_high, pair_of_sixes."""
    if "-" in told or told in STANDARD.categories:
        return told.split("-")
    words = zip(RANK_WORDS, RANKS, strict=True)
    ranks = {f"{word}{plural}": rank for word, rank in words for plural in ("", "s", "es")}
    return [ranks.get(word, word) for word in told.split("_") if word not in ("of", "high")]


class CaribbeanSettings(Struct, frozen=True):
    positions: Annotated[int, Meta(ge=2)] | None = None
    """Places at the table, the player-dealer's included."""


class CaribbeanStud(Game[CaribbeanOptions]):
    slug = "caribbean-stud"
    title = "Caribbean Stud Poker"
    options_type = CaribbeanOptions
    turns_as_player_dealer: ClassVar[int | None] = 2
    fee_moments: ClassVar[tuple[Moment, ...]] = ("before_deal", "after_initial_deal")

    def deck(self, options: CaribbeanOptions) -> dict[str, int]:
        return {card.code: 1 for card in standard_deck()}

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        return FLOOR_DECIDES

    def play(self, t: Table, options: CaribbeanOptions) -> Script:
        t.script_state = Unstated(options.unruled)
        yield from t.take_wagers((WagerRule("ante", "Ante", spots=options.ante_circles),), options.schedule)
        bettors = take_part(t, ("ante",), seated=not options.backline_decides)
        if not bettors:
            t.void("nobody_dealt_in", "no seat has an ante")
        yield from play_out(t, options.schedule, lambda: Deal(t, options, bettors))

    def tell(self, result: Mapping[str, Any]) -> str | None:
        return tell_round(result, "Player-dealer does not qualify.")

    def answer(self, kind: str, case: Mapping[str, Any], options: CaribbeanOptions) -> dict[str, Any]:
        """`ranking`: what five cards are; `legality`: happenings, each by its ruling."""
        if kind == "legality":
            return answer_unruled(case, options.unruled)
        return answer_ranking(case, HIGH.rank, {}) if kind == "ranking" else super().answer(kind, case, options)


class Deal:
    """One deal, from the first card to the last chip."""

    def __init__(self, t: Table, options: CaribbeanOptions, bettors: Sequence[Bettor]) -> None:
        self.t, self.options, self.bettors = t, options, bettors
        posted = msgspec.convert(t.setup.settings, CaribbeanSettings, str_keys=True).positions
        self.positions = posted or options.positions
        self.dealer_seat = t.player_dealer or 0
        self.seats = t.clockwise(self.dealer_seat, {bettor.seat for bettor in bettors})
        """From the player-dealer's left: the order of the deal and of the decisions."""
        self.hands: dict[int, Hand] = {seat: t.hand(str(seat)) for seat in self.seats}
        self.player_dealer = t.hand("player_dealer")
        t.result.more["free_collection"] = []

    def cards(self) -> Move[None]:
        """Five rounds of one card, the player-dealer last; his last card is turned up at once."""
        for nth in range(1, CARDS + 1):
            for hand in self.hands.values():
                yield from self.t.deal(hand, up=False)
            yield from self.t.deal(self.player_dealer, up=nth == CARDS)
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
            seat = self._by_card(1 if rank == ACE else rank)
        if self.options.button_moves_on:
            seat = clockwise_from(seat, self.seats)[0]
        self.action_seat = seat
        self.t.result.action_seat = seat
        self.t.emit(ev.ActionButton(seat))

    def _by_card(self, value: int) -> int:
        """The position that a card counts out; one that the printed table has and this one has not is passed over."""
        printed = self.options.button_table
        if printed is None:
            return by_card(value, self.dealer_seat, self.positions)
        steps = by_card(value, 1, printed) - 1
        return counted(self.dealer_seat, steps if steps < self.positions else 1, self.positions)

    # Decisions

    def decisions(self) -> Move[None]:
        for seat in self.seats:
            player, *back_line = (bettor for bettor in self.bettors if bettor.seat == seat)
            yield from self._ask(player)
            for follower in back_line:
                if self.options.backline_decides:
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
            outcome = "fold" if bettor.folded else self._compared(ranks[bettor.seat], theirs) if qualified else "win"
            result.outcome[bettor.place] = outcome
            if self.t.setup.records_wagers:
                self._pay(bettor, outcome, ranks.get(bettor.seat), qualified=qualified)

    def _in_order(self) -> list[Bettor]:
        """Positions clockwise from the action button, inside a position spot by spot."""
        seats = clockwise_from(self.action_seat, self.seats)
        return sorted(self.bettors, key=lambda bettor: seats.index(seat_of(bettor.place)))

    def _compared(self, mine: Rank, theirs: Rank) -> str:
        won = compare(mine, theirs)
        if won != "push" or self.options.ties == "push":
            return won
        return "win" if self.options.ties == "player" else "lose"

    def _pay(self, bettor: Bettor, outcome: str, rank: Rank | None, *, qualified: bool) -> None:
        """Ante, then call (CS-4); a player-dealer who does not qualify pays the ante and has no action on the call."""
        settlement, place, pays = self.t.settlement, bettor.place, self.options.pays
        match outcome:
            case "win":
                settlement.win(place, "ante", Odds(pays.ante).payoff(bettor.ante))
            case "push":
                settlement.push(place, "ante")
            case _:
                settlement.lose(place, "ante", bettor.ante)
        if bettor.play is None:
            return
        wager = self.options.call_wager
        if not qualified or outcome == "push":
            settlement.push(place, wager)
        elif outcome == "win":
            assert rank is not None
            odds = pay_table(pays.call).get(rank.category, Odds(pays.call_otherwise))
            settlement.win(place, wager, odds.payoff(bettor.play))
        else:
            settlement.lose(place, wager, bettor.play)
