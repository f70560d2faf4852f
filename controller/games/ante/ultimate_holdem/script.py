"""Ultimate Texas Hold'em: two cards each, five in the middle, one raise that shrinks the longer a player waits.

Before the flop a player may bet three or four times the ante, after the flop twice, after the river once or fold. The
blind pays by the hand where it wins, the trips bonus by the hand alone, whatever the player-dealer holds.
Sheets: bankers-ultimate-texas-holdem, turlock-ultimate-texas-holdem.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal

from msgspec import Struct

from controller.engine import events as ev
from controller.engine.amounts import dollars
from controller.engine.cards.card import Hand, standard_deck
from controller.engine.expect.choices import Choice
from controller.engine.expect.expectation import Barred
from controller.engine.fees.schedule import Moment
from controller.engine.ranking import HIGH, Rank
from controller.engine.round.felt import Move, Script, Table
from controller.engine.round.game import Game, Ruling
from controller.games.ante.bettors import Bettor, in_seat_order, take_part
from controller.games.ante.facts import AnteFacts
from controller.games.ante.rulings import FLOOR_DECIDES, Unstated
from controller.games.ante.script import deal_face_down, round_in_words
from controller.games.ante.settlement import compare
from controller.games.ante.ultimate_holdem.options import UthOptions, wager_rules
from controller.games.ante.ultimate_holdem.settlement import Payments


class Window(Struct, frozen=True):
    """One chance to bet: the multiples of the ante it allows, and what else a player may do."""

    when: str
    multiples: tuple[int, ...]
    otherwise: Literal["check", "fold"]


PRE_FLOP = Window("before the flop", (3, 4), "check")
FLOP = Window("after the flop", (2,), "check")
RIVER = Window("after the river", (1,), "fold")

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
    has_player_dealer: ClassVar[bool] = True
    back_line_decisions: ClassVar[tuple[str, ...]] = ("play",)
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
        total_action = sum(sum(wagers.values()) for wagers in t.book.values())
        facts = t.result.facts = AnteFacts(dealt_in=seats, total_action=total_action)
        if not seats:
            t.void("nobody_dealt_in", "no seat has an ante and an equal blind")
        yield from t.collect_fees(options.schedule, "before_deal")
        deal = Deal(t, options, bettors, seats, facts)
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

    def summary(self, result: Mapping[str, Any]) -> str | None:
        return round_in_words(result, "Player-dealer has no pair, antes go back.")


class Deal:
    """One deal, from the first card to the last chip."""

    def __init__(
        self, t: Table, options: UthOptions, bettors: Sequence[Bettor], seats: Sequence[int], facts: AnteFacts
    ) -> None:
        self.t, self.options, self.bettors, self.seats, self.facts = t, options, bettors, seats, facts
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
        """Each seat without a play wager decides; its back line decides too, bets along or folds, or follows it."""
        seats = self.seats
        if self.options.acting_order == "player_dealer_left":
            seats = self.from_player_dealer
        for seat in seats:
            player, *back_line = (bettor for bettor in self.bettors if bettor.seat == seat)
            if self.options.back_line.play == "own":
                for bettor in (player, *back_line):
                    yield from self._decide(bettor, window)
                continue
            done = yield from self._decide(player, window)
            for follower in back_line:
                if done in BETS and self.options.back_line.play == "along":
                    # A back-line bettor bets what the seat bet, or folds (turlock-ultimate-texas-holdem, A7).
                    yield from self._ask(follower, Window(window.when, (BETS[done],), "fold"))
                elif done == "fold" or done in BETS:
                    self._follow(follower, done)

    def _decide(self, bettor: Bettor, window: Window) -> Move[str]:
        """Nothing is decided any more by who has bet or folded before."""
        if bettor.decides:
            return (yield from self._ask(bettor, window))
        if self.options.asks_every_hand and not bettor.folded:
            yield from self.t.ask(bettor.place, (Choice("stay"),), barred=tuple(self._final_bets()))
        return ""

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
        self.facts.play[bettor.place] = cents
        if self.t.setup.records_wagers:
            self.t.book[bettor.place]["play"] = cents
            self.t.emit(ev.WagerSet(bettor.place, "play", cents))

    def _follow(self, bettor: Bettor, done: str) -> None:
        """A back-line bettor does what his seat did."""
        cents = BETS.get(done, 0) * bettor.ante
        self.t.emit(ev.Decided(bettor.place, done, cents or None))
        if done == "fold":
            bettor.folded = True
        else:
            self._bet(bettor, cents)

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
            flags = result.flags if self.staying else result.sealed_flags
            flags["qualified"] = bank.reaches(QUALIFIES)
        outcomes: dict[int | str, str] = {}
        result.outcome = outcomes
        for bettor in self.bettors:
            outcomes[bettor.place] = "fold"
            if not bettor.folded:
                assert bank is not None
                outcomes[bettor.place] = compare(ranks[str(bettor.seat)], bank)
        if self.t.setup.records_wagers:
            payments = Payments(self.t, self.options, ranks, self.board.cards)
            payments.walk(in_seat_order(self.bettors, self.seats), in_seat_order(self.bettors, self.from_player_dealer))

    def _ranks(self) -> dict[str, Rank]:
        """Best five of seven of every hand that was read; for the engine only, folded hands are among them."""
        hands = [*self.hands.values(), self.player_dealer]
        return {hand.owner: HIGH.best(hand.cards, self.board.cards) for hand in hands if hand.is_read}

    def _stake(self, bettor: Bettor, wager: str) -> int:
        return self.t.book.get(bettor.place, {}).get(wager, 0)


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
