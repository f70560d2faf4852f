"""One deal of Three Card Poker, from the first card to the last chip."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from controller.engine import events as ev
from controller.engine.amounts import dollars
from controller.engine.bets.action_button import clockwise_from
from controller.engine.cards.card import Card, Hand, standard_deck
from controller.engine.expect.expectation import Choice
from controller.engine.fees import Moment
from controller.engine.inputs import Place, seat_of, spot_of
from controller.engine.money.bank import Odds
from controller.engine.ranking import HIGH, Rank
from controller.engine.round.felt import Move, Script, Table
from controller.engine.round.game import Game, Ruling
from controller.games.ante.shared import (
    FLOOR_DECIDES,
    Bettor,
    Comparison,
    Line,
    Unstated,
    answer_ranking,
    answer_unruled,
    compare,
    deal_face_down,
    give_back_misfits,
    play_out,
    settle_lines,
    take_part,
    tell_round,
    turn_up_last,
)
from controller.games.ante.three_card_poker.options import ThreeCardOptions, ThreeCardSettings

CARDS = 3
ACE = 14
QUALIFIES = ("high_card", "Q")
FOLDED_WITH_BONUS = "folded with a bonus bet; look, keep it face down"


class ThreeCardPoker(Game[ThreeCardOptions]):
    slug = "three-card-poker"
    title = "Three Card Poker"
    options_type = ThreeCardOptions
    turns_as_player_dealer: ClassVar[int | None] = 2
    fee_moments: ClassVar[tuple[Moment, ...]] = ("before_deal", "after_initial_deal")

    def deck(self, options: ThreeCardOptions) -> dict[str, int]:
        return {card.code: options.decks for card in standard_deck()}

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        return FLOOR_DECIDES

    def play(self, t: Table, options: ThreeCardOptions) -> Script:
        t.script_state = Unstated(options.unruled)
        rules = options.wagers()
        yield from t.take_wagers(rules, options.schedule, noted=lambda: note_wagers(t))
        give_back_misfits(t, rules)
        bettors = take_part(t, ("ante",))
        note_wagers(t)
        t.result.more["dealt_in"] = sorted({bettor.seat for bettor in bettors})
        if not bettors:
            t.void("nobody_dealt_in", "no seat has an ante")
        yield from play_out(t, options.schedule, lambda: Deal(t, options, bettors))

    def tell(self, result: Mapping[str, Any]) -> str | None:
        return tell_round(result, "Player-dealer does not qualify.")

    def answer(self, kind: str, case: Mapping[str, Any], options: ThreeCardOptions) -> dict[str, Any]:
        """`ranking`: what three cards are, or the best five of six, and what a bonus bet on them wins; `legality`:
        happenings, each by its ruling."""
        if kind == "legality":
            return answer_unruled(case, options.unruled)
        if kind != "ranking":
            return super().answer(kind, case, options)
        return answer_ranking(
            case, lambda cards: (options.ranking if len(cards) == CARDS else HIGH).rank(cards), options.tables
        )


def note_wagers(t: Table) -> None:
    """What stands, for betting cases, and the bonus that would be accepted where it must equal the ante."""
    more = t.result.more
    more["wagers"] = {place: dict(wagers) for place, wagers in t.book.items() if wagers}
    more["total_action"] = sum(cents for wagers in t.book.values() for cents in wagers.values())
    antes = [wagers["ante"] for wagers in t.book.values() if wagers.get("ante")]
    if antes:
        more["required_bonus"] = antes[-1]


class Deal:
    """One deal, from the first card to the last chip."""

    def __init__(self, t: Table, options: ThreeCardOptions, bettors: Sequence[Bettor]) -> None:
        self.t, self.options, self.bettors = t, options, bettors
        self.by_place = {bettor.place: bettor for bettor in bettors}
        seats = {bettor.seat for bettor in bettors}
        after = t.player_dealer or 0 if options.deal_from == "player_dealer" else 0
        self.seats = t.clockwise(after, seats)
        self.hands: dict[int, Hand] = {seat: t.hand(str(seat)) for seat in self.seats}
        self.player_dealer = t.hand("player_dealer")

    def cards(self) -> Move[None]:
        """Three each, the player-dealer last; his last card is turned up."""
        packet = CARDS if self.options.deal == "packets" else 1
        yield from deal_face_down(self.t, [*self.hands.values(), self.player_dealer], CARDS, packet)
        turn_up_last(self.t, self.player_dealer)
        self.t.deck_done = self.options.unloads_rest

    # Decisions

    def decisions(self) -> Move[None]:
        for seat in self.seats:
            player, *back_line = (bettor for bettor in self.bettors if bettor.seat == seat)
            code, ante = self.options.play_code, player.ante
            label = f"play for {dollars(ante)}" if ante else "play"
            play = Choice("play", label, ante or None, below=code, above=code)
            act = yield from self.t.ask(player.place, (play, Choice("fold")))
            for bettor in (player, *back_line):
                if bettor is not player:
                    self.t.emit(ev.Decided(bettor.place, act.do))
                if act.do == "fold":
                    bettor.folded = True
                else:
                    self._stake(bettor)

    def _stake(self, bettor: Bettor) -> None:
        bettor.play = bettor.ante
        if self.t.setup.records_wagers:
            self.t.book[bettor.place]["play"] = bettor.ante
            self.t.emit(ev.WagerSet(bettor.place, "play", bettor.ante))

    # Showdown

    def showdown(self) -> Move[None]:
        yield from self.t.show(self.player_dealer)
        for seat in self.seats:
            if not self.by_place[seat].folded:
                yield from self.t.show(self.hands[seat])
            elif self._lives_after_fold(seat):
                yield from self.t.name_unread(self.hands[seat], asks=FOLDED_WITH_BONUS)

    def _lives_after_fold(self, seat: int) -> bool:
        live = {name for name, bonus in self.options.bonuses.items() if bonus.lives_after_fold}
        return any(seat_of(place) == seat and live & wagers.keys() for place, wagers in self.t.book.items())

    def settle(self) -> None:
        result, rank = self.t.result, self.options.ranking.rank
        theirs = rank(self.player_dealer.cards)
        ranks = {seat: rank(hand.cards) for seat, hand in self.hands.items() if hand.is_read}
        result.ranks = {str(seat): found.document() for seat, found in ranks.items()}
        result.ranks["player_dealer"] = theirs.document()
        qualified = theirs.reaches(QUALIFIES)
        result.flags["qualified"] = qualified
        result.outcome = {
            bettor.place: "fold" if bettor.folded else self._ante(ranks[bettor.seat], theirs, qualified=qualified)
            for bettor in self.bettors
        }
        if not self.t.setup.records_wagers:
            return
        self._note_six_cards()
        if self.options.up_card_points:
            result.more["button_seat"] = self._pointed()
        first = self._first_seat()
        places = self._in_order(first)
        lines = [line for place in places for line in self._lines(place, ranks, qualified=qualified)]
        if self.options.folds_first:
            lines.sort(key=lambda line: not line.forfeited)
        self._pay(lines)

    def _ante(self, mine: Rank, theirs: Rank, *, qualified: bool) -> Comparison:
        """What becomes of the ante."""
        won, options = compare(mine, theirs), self.options
        if qualified or won == "win":
            return won
        if options.nonqualify == "pay_all":
            return "win"
        if options.nonqualify == "beat_to_win":
            not_beaten = options.nonqualify_not_beaten
            return "win" if not_beaten == "pay" else not_beaten
        if won == "push":
            return options.nonqualify_tie
        return "push" if options.nonqualify_lower_hand == "return" else "lose"

    # Where settlement begins

    def _first_seat(self) -> int:
        """The first seat with a wager from where the room begins."""
        match self.options.settlement_start:
            case "posted_button":
                posted = msgspec.convert(self.t.setup.settings, ThreeCardSettings).action_button
                return self.seats[0] if posted is None else self._button(posted)
            case "action_button":
                return self._button(self._pointed())
        first = self.t.clockwise(self.t.player_dealer or 0, self.seats)[0]
        if self.options.button_told:
            self.t.result.action_seat = first
        return first

    def _pointed(self) -> int:
        """The seat that the up card counts out, over the others from the house dealer's left (A1, A7)."""
        rank = self.player_dealer.slots[-1].card.rank
        others = [seat for seat in range(1, self.options.positions + 1) if seat != self.t.player_dealer]
        return others[((1 if rank == ACE else rank) - 1) % len(others)]

    def _button(self, seat: int) -> int:
        first = clockwise_from(seat, self.seats)[0]
        self.t.result.action_seat = first
        self.t.emit(ev.ActionButton(first))
        return first

    def _in_order(self, first: int) -> list[Place]:
        """Clockwise from the first seat, spot by spot; or all first spots, then the back line in the same order."""
        seats = clockwise_from(first, self.seats)
        if self.options.backline_last:
            return sorted(self.t.book, key=lambda place: (spot_of(place), seats.index(seat_of(place))))
        return sorted(self.t.book, key=lambda place: (seats.index(seat_of(place)), spot_of(place)))

    # Money

    def _lines(self, place: Place, ranks: Mapping[int, Rank], *, qualified: bool) -> Iterator[Line]:
        """A place's wagers in their order: ante, play, then the bonus bets."""
        bettor, wagers, pays = self.by_place[place], self.t.book[place], self.options.pays
        if bettor.folded:
            yield Line(place, "ante", -bettor.ante, forfeited=True)
        else:
            outcome = self.t.result.outcome[place]
            yield Line(place, "ante", _moves(outcome, bettor.ante, pays.ante))
            yield Line(place, "play", _moves(outcome, bettor.ante, pays.play) if qualified else 0)
        for name, bonus in self.options.bonuses.items():
            stake = wagers.get(name)
            if stake is None:
                continue
            if bettor.folded and not bonus.lives_after_fold:
                yield Line(place, name, -stake, forfeited=True)
                continue
            rank = ranks[bettor.seat] if bonus.by == "three_cards" else HIGH.rank(self._six_cards(bettor.seat))
            odds = self.options.tables[name].get(rank.category)
            yield Line(place, name, -stake if odds is None else odds.payoff(stake))

    def _six_cards(self, seat: int) -> list[Card]:
        return [*self.hands[seat].cards, *self.player_dealer.cards]

    def _note_six_cards(self) -> None:
        names = [name for name, bonus in self.options.bonuses.items() if bonus.by == "six_cards"]
        if names:
            places = [place for place, wagers in self.t.book.items() if any(name in wagers for name in names)]
            ranks = {place: HIGH.rank(self._six_cards(seat_of(place))).document() for place in places}
            self.t.result.more["six_card"] = ranks

    def _pay(self, lines: Sequence[Line]) -> None:
        if self.options.coverage == "single_use":
            settle_lines(self.t, lines)
            return
        # All losing wagers first, then the winners with the whole of the player-dealer's money again (A4).
        settle_lines(self.t, (line for line in lines if line.cents < 0))
        self.t.settlement.renew()
        settle_lines(self.t, (line for line in lines if line.cents >= 0))


def _moves(outcome: Comparison, stake: int, odds: str) -> int:
    if outcome == "win":
        return Odds(odds).payoff(stake)
    return -stake if outcome == "lose" else 0
