"""Ultimate Texas Hold'em: two cards each, five in the middle, one raise that shrinks the longer a player waits.

Before the flop a player may bet three or four times the ante, after the flop twice, after the river once or fold. The
blind pays by the hand where it wins, the trips bonus by the hand alone, whatever the player-dealer holds.
Sheets: bankers-ultimate-texas-holdem, turlock-ultimate-texas-holdem.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.amounts import dollars
from controller.engine.bets.wagers import WagerRule
from controller.engine.cards.card import Hand, standard_deck
from controller.engine.expect.expectation import Barred, Choice
from controller.engine.fees import Moment, Schedule
from controller.engine.money.bank import Odds
from controller.engine.ranking import HIGH, STANDARD, Category, Rank
from controller.engine.round.felt import Move, Script, Table
from controller.engine.round.game import Game, Ruling
from controller.games.ante.shared import (
    FLOOR_DECIDES,
    Bettor,
    Comparison,
    Payoff,
    Unstated,
    answer_ranking,
    compare,
    deal_face_down,
    in_seat_order,
    pay_table,
    take_part,
    tell_round,
    whole_chip_step,
)


class UthPays(Struct, frozen=True, forbid_unknown_fields=True):
    """Best hand first; a hand that is not listed loses its trips bonus, and pushes a winning blind."""

    ante: Payoff
    play: Payoff
    trips: dict[Category, Payoff]
    blind: dict[Category, Payoff]

    def __post_init__(self) -> None:
        for name, table in (("trips", self.trips), ("blind", self.blind)):
            for hand in table:
                if hand not in HANDS:
                    raise ValueError(f"pays.{name}.{hand}: 52 cards without a joker do not make that hand")


class UthOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of Ultimate Texas Hold'em; defaults and their sources are in the rulesets."""

    deal_device: Literal["shuffler", "shoe"]
    backline: Literal["refused", "allowed"]
    acting_order: Literal["deal", "player_dealer_left"]
    trips_on_fold: Literal["full_hand", "board_only"]
    folded_trips_paid: Literal["in_turn", "at_fold"]
    broken_blind: Literal["round_down", "refuse"]
    chip_unit: Annotated[int, Meta(ge=1)]
    coverage: Literal["single_use"]
    schedule: Schedule | None
    pays: UthPays
    unruled: str = ""
    """The sheet's word for an irregularity that its text does not rule."""
    decks_in_rotation: Literal[1, 2] = 1
    """2: two decks of different back colours take turns, round by round."""
    unloads_rest: bool = False
    """What is left in the shuffler after the deal goes to the discard rack, unseen."""
    asks_every_hand: bool = False
    """Ask a seat in every window, even where its play wager is made: to judge a second one."""


class Window(Struct, frozen=True):
    """One chance to bet: the multiples of the ante it allows, and what else a player may do."""

    when: str
    multiples: tuple[int, ...]
    otherwise: Literal["check", "fold"]


PRE_FLOP = Window("before the flop", (3, 4), "check")
FLOP = Window("after the flop", (2,), "check")
RIVER = Window("after the river", (1,), "fold")

HANDS = frozenset(STANDARD.categories) - {Category.FIVE_OF_A_KIND}
QUALIFIES = ("pair",)
"""The layout's inscription: the player-dealer only plays with a pair or higher."""
BETS: Mapping[str, int] = {f"bet{multiple}x": multiple for multiple in range(1, 11)}
"""What a play wager is called, by its multiple of the ante: more than a window ever allows, so that a wrong one is
refused for its size."""
FOLDED_WITH_TRIPS = "folded with a trips bet; look, keep it face down"


class UltimateHoldem(Game[UthOptions]):
    """Ultimate Texas Hold'em."""

    slug = "ultimate-texas-holdem"
    title = "Ultimate Texas Hold'em"
    options_type = UthOptions
    turns_as_player_dealer: ClassVar[int | None] = 2
    fee_moments: ClassVar[tuple[Moment, ...]] = ("before_deal", "after_initial_deal")

    def deck(self, options: UthOptions) -> dict[str, int]:
        return {card.code: 1 for card in standard_deck()}

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        return FLOOR_DECIDES

    def play(self, t: Table, options: UthOptions) -> Script:
        t.script_state = Unstated(options.unruled)
        yield from t.take_wagers(wager_rules(options), options.schedule)
        bettors = take_part(t, ("ante", "blind"))
        seats = sorted({bettor.seat for bettor in bettors})
        t.result.more["dealt_in"] = seats
        t.result.more["total_action"] = sum(sum(wagers.values()) for wagers in t.book.values())
        if not seats:
            t.void("nobody_dealt_in", "no seat has an ante and an equal blind")
        yield from t.collect_fees(options.schedule, "before_deal")
        deal = Deal(t, options, bettors, seats)
        yield from deal.starting_cards()
        yield from t.collect_fees(options.schedule, "after_initial_deal")
        yield from deal.community_cards()
        yield from deal.window(PRE_FLOP)
        yield from deal.turn_up("flop", 3)
        yield from deal.window(FLOP)
        yield from deal.turn_up("river", 5)
        yield from deal.window(RIVER)
        yield from deal.look_at_folded_trips()
        yield from deal.showdown()
        deal.settle()

    def asking_every_hand(self, options: UthOptions) -> UthOptions:
        return replace(options, asks_every_hand=True)

    def tell(self, result: Mapping[str, Any]) -> str | None:
        return tell_round(result, "Player-dealer has no pair, antes go back.")

    def answer(self, kind: str, case: Mapping[str, Any], options: UthOptions) -> dict[str, Any]:
        """`ranking`: the best five of the cards named, and what trips wins with them."""
        if kind != "ranking":
            return super().answer(kind, case, options)
        return answer_ranking(case, HIGH.rank, {"trips": pay_table(options.pays.trips)})


def wager_rules(options: UthOptions) -> tuple[WagerRule, ...]:
    backline = "backline_not_allowed" if options.backline == "refused" else None
    step = 1
    if options.broken_blind == "refuse":
        step = whole_chip_step(map(Odds, options.pays.blind.values()), options.chip_unit)
    return (
        WagerRule("ante", "Ante", first_spot_only=backline),
        WagerRule(
            "blind", "Blind", equals="ante", equals_code="blind_not_equal_ante", step=step, first_spot_only=backline
        ),
        WagerRule(
            "trips",
            "Trips",
            needs=("ante", "blind"),
            needs_all=True,
            needs_code="needs_ante_and_blind",
            counts_as="bonus",
            first_spot_only=backline,
        ),
    )


class Deal:
    """One deal, from the first card to the last chip."""

    def __init__(self, t: Table, options: UthOptions, bettors: Sequence[Bettor], seats: Sequence[int]) -> None:
        self.t, self.options, self.bettors, self.seats = t, options, bettors, seats
        self.hands: dict[int, Hand] = {seat: t.hand(str(seat)) for seat in seats}
        self.player_dealer = t.hand("player_dealer")
        self.board = t.hand("board")

    def starting_cards(self) -> Move[None]:
        """Two each from the house dealer's left, seat 1, the player-dealer last; all face down."""
        packet = 2 if self.options.deal_device == "shuffler" else 1
        yield from deal_face_down(self.t, [*self.hands.values(), self.player_dealer], 2, packet)

    def community_cards(self) -> Move[None]:
        packet = 5 if self.options.deal_device == "shuffler" else 1
        yield from deal_face_down(self.t, [self.board], 5, packet)
        self.t.deck_done = self.options.unloads_rest

    def turn_up(self, street: str, cards: int) -> Move[None]:
        self.t.emit(ev.StreetDealt(street))
        yield from self.t.show(self.board, first=cards)

    # Decisions

    def window(self, window: Window) -> Move[None]:
        """Each seat without a play wager decides; its back line bets along or folds."""
        seats = self.seats
        if self.options.acting_order == "player_dealer_left":
            seats = self.from_player_dealer
        for seat in seats:
            player, *back_line = (bettor for bettor in self.bettors if bettor.seat == seat)
            if not player.decides:
                if self.options.asks_every_hand:
                    yield from self.t.ask(player.place, (Choice("stay"),), barred=tuple(self._final_bets()))
                continue
            done = yield from self._ask(player, window)
            for follower in back_line:
                if done == "fold":
                    self._fold(follower)
                elif done in BETS:
                    # A back-line bettor bets what the seat bet, or folds (turlock-ultimate-texas-holdem, A7).
                    yield from self._ask(follower, Window(window.when, (BETS[done],), "fold"))

    def _ask(self, bettor: Bettor, window: Window) -> Move[str]:
        bets = (_play_wager(multiple, bettor.ante) for multiple in window.multiples)
        barred = (*self._final_bets(), *_refusals(bettor, window))
        act = yield from self.t.ask(bettor.place, (Choice(window.otherwise), *bets), barred=barred, asks=window.when)
        if act.do in BETS:
            self._bet(bettor, BETS[act.do] * bettor.ante)
        bettor.folded = act.do == "fold"
        return act.do

    def _bet(self, bettor: Bettor, cents: int) -> None:
        bettor.play = cents
        self.t.result.more.setdefault("play", {})[bettor.place] = cents
        if self.t.setup.records_wagers:
            self.t.book[bettor.place]["play"] = cents
            self.t.emit(ev.WagerSet(bettor.place, "play", cents))

    def _fold(self, bettor: Bettor) -> None:
        """A back-line bettor whose seat gave its cards away."""
        bettor.folded = True
        self.t.emit(ev.Decided(bettor.place, "fold"))

    def _final_bets(self) -> Iterator[Barred]:
        for bettor in self.bettors:
            if bettor.play is not None:
                yield Barred("already_bet", f"seat {bettor.place} has bet; a play wager is final", seat=bettor.place)

    # Showdown

    def look_at_folded_trips(self) -> Move[None]:
        """A folded hand decides its trips bet, so the dealer must know it, and nobody else (A2)."""
        if self.options.trips_on_fold == "board_only":
            return
        for seat in self.seats:
            if seat not in self.staying and any(self._stake(b, "trips") for b in self.bettors if b.seat == seat):
                yield from self.t.name_unread(self.hands[seat], asks=FOLDED_WITH_TRIPS)

    def showdown(self) -> Move[None]:
        """The player-dealer's cards up, then every hand that is still in; where all have folded, none."""
        if not self.staying:
            return
        self.t.emit(ev.StreetDealt("showdown"))
        yield from self.t.show(self.player_dealer)
        for seat in self.from_player_dealer:
            if seat in self.staying:
                yield from self.t.show(self.hands[seat])

    @property
    def staying(self) -> list[int]:
        return [bettor.seat for bettor in self.bettors if not bettor.folded]

    @property
    def from_player_dealer(self) -> list[int]:
        return self.t.clockwise(self.t.player_dealer or 0, self.seats)

    # Money

    def settle(self) -> None:
        result = self.t.result
        ranks = self._ranks()
        result.ranks = {owner: rank.document() for owner, rank in ranks.items()}
        bank = ranks.get("player_dealer")
        if bank is not None:
            # Where everybody folded, the player-dealer's cards stay down, and so does what they are.
            told = result.flags if self.staying else result.sealed_flags
            told["qualified"] = bank.reaches(QUALIFIES)
        outcomes: dict[int | str, str] = {}
        result.outcome = outcomes
        for bettor in self.bettors:
            outcomes[bettor.place] = "fold"
            if not bettor.folded:
                assert bank is not None
                outcomes[bettor.place] = compare(ranks[str(bettor.seat)], bank)
        if self.t.setup.records_wagers:
            Payments(self, ranks).walk()

    def _ranks(self) -> dict[str, Rank]:
        """Best five of seven of every hand that was read; for the engine only, folded hands are among them."""
        hands = [*self.hands.values(), self.player_dealer]
        return {hand.owner: HIGH.best(hand.cards, self.board.cards) for hand in hands if hand.is_read}

    def _stake(self, bettor: Bettor, wager: str) -> int:
        return self.t.book.get(bettor.place, {}).get(wager, 0)


class Payments:
    """Who is paid and who pays, in the order of the sheet: folded hands, then seat by seat."""

    def __init__(self, deal: Deal, ranks: Mapping[str, Rank]) -> None:
        pays = deal.options.pays
        self.deal, self.ranks = deal, ranks
        self.book, self.settlement = deal.t.book, deal.t.settlement
        self.qualified = deal.t.result.flags.get("qualified", False)
        self.even = {"ante": Odds(pays.ante), "play": Odds(pays.play)}
        self.trips, self.blind = pay_table(pays.trips), pay_table(pays.blind)

    def walk(self) -> None:
        options, bettors = self.deal.options, self.deal.bettors
        folded_trips_now = options.folded_trips_paid == "at_fold"
        for bettor in in_seat_order(bettors, self.deal.seats):
            if bettor.folded:
                self._collect_folded(bettor, pay_trips=folded_trips_now)
        for bettor in in_seat_order(bettors, self.deal.from_player_dealer):
            if not bettor.folded:
                self._settle(bettor)
            elif not folded_trips_now and self._trips_odds(bettor) is not None:
                self._settle_trips(bettor)

    def _collect_folded(self, bettor: Bettor, *, pay_trips: bool) -> None:
        """Folded wagers are collected before the showdown, so they use the player-dealer's money first."""
        for wager in ("ante", "blind"):
            self.settlement.lose(bettor.place, wager, self.book[bettor.place][wager])
        if pay_trips or self._trips_odds(bettor) is None:
            self._settle_trips(bettor)

    def _settle(self, bettor: Bettor) -> None:
        outcome = self.deal.t.result.outcome[bettor.place]
        for wager in ("play", "ante", "blind") if outcome == "lose" else ("ante", "play", "blind"):
            self._settle_wager(bettor, wager, outcome)
        self._settle_trips(bettor)

    def _settle_wager(self, bettor: Bettor, wager: str, outcome: Comparison) -> None:
        place, stake = bettor.place, self.book[bettor.place][wager]
        odds = self.even.get(wager)
        if wager == "blind":
            odds = self.blind.get(self.ranks[str(bettor.seat)].category)
        if outcome == "push" or (wager == "ante" and not self.qualified) or (outcome == "win" and odds is None):
            self.settlement.push(place, wager)
        elif outcome == "lose":
            self.settlement.lose(place, wager, stake)
        elif odds is not None:
            payoff = odds.payoff(stake)
            if wager == "blind":
                payoff -= payoff % self.deal.options.chip_unit
            self.settlement.win(place, wager, payoff)

    def _settle_trips(self, bettor: Bettor) -> None:
        stake = self.book[bettor.place].get("trips")
        if stake is None:
            return
        odds = self._trips_odds(bettor)
        if odds is None:
            self.settlement.lose(bettor.place, "trips", stake)
        else:
            self.settlement.win(bettor.place, "trips", odds.payoff(stake))

    def _trips_odds(self, bettor: Bettor) -> Odds | None:
        """What the trips bonus pays, None where it loses; a folded hand may count by the board alone (A2)."""
        if bettor.folded and self.deal.options.trips_on_fold == "board_only":
            return self.trips.get(HIGH.rank(self.deal.board.cards).category)
        rank = self.ranks.get(str(bettor.seat))
        return None if rank is None else self.trips.get(rank.category)


def _play_wager(multiple: int, ante: int) -> Choice:
    cents, code = multiple * ante, "wrong_size_for_window"
    label = f"bet {multiple}x" + (f" ({dollars(cents)})" if cents else "")
    return Choice(f"bet{multiple}x", label, cents, below=code, above=code)


def _refusals(bettor: Bettor, window: Window) -> Iterator[Barred]:
    """What a window does not allow, with the sheet's reasons."""
    text = f"{window.when} the play wager is {' or '.join(map(str, window.multiples))} times the ante"
    bounds = {"one_of": [multiple * bettor.ante for multiple in window.multiples]}
    for name, multiple in BETS.items():
        if multiple not in window.multiples:
            yield Barred("wrong_size_for_window", text, seat=bettor.place, do=name, bounds=bounds)
    if window.otherwise == "fold":
        yield Barred("check_not_allowed", f"{window.when}: fold or bet", seat=bettor.place, do="check")
