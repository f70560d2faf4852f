"""One deal of Three Card Poker, from the first card to the last chip."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from controller.engine import events as ev
from controller.engine.amounts import dollars
from controller.engine.bets.action_button import by_card_from_first, clockwise_from
from controller.engine.cards.card import Card, Hand, standard_deck
from controller.engine.expect.choices import Choice
from controller.engine.fees.schedule import Moment
from controller.engine.inputs import Place, seat_of, spot_of
from controller.engine.ranking import HIGH, Rank
from controller.engine.round.felt import Move, Script, Table
from controller.engine.round.game import Game, Ruling
from controller.games.ante.bettors import Bettor, give_back_misfits, take_part
from controller.games.ante.facts import AnteFacts
from controller.games.ante.rulings import FLOOR_DECIDES, Unstated
from controller.games.ante.script import deal_face_down, play_out, round_in_words, turn_up_last
from controller.games.ante.settlement import WagerResult
from controller.games.ante.three_card_poker.options import CountedCards, ThreeCardOptions, ThreeCardSettings
from controller.games.ante.three_card_poker.settlement import ante_outcome, lines_of, pay

CARDS = 3
ACE = 14
QUALIFIES = ("high_card", "Q")
FOLDED_WITH_BONUS = "folded with a bonus bet; look, keep it face down"


class ThreeCardPoker(Game[ThreeCardOptions]):
    slug = "three-card-poker"
    title = "Three Card Poker"
    options_type = ThreeCardOptions
    has_player_dealer: ClassVar[bool] = True
    back_line_decisions: ClassVar[tuple[str, ...]] = ("play",)
    fee_moments: ClassVar[tuple[Moment, ...]] = ("before_deal", "after_initial_deal")

    def deck(self, options: ThreeCardOptions) -> dict[str, int]:
        return {card.code: options.decks for card in standard_deck()}

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        return FLOOR_DECIDES

    def play(self, t: Table, options: ThreeCardOptions) -> Script:
        t.script_state = Unstated(options.unruled)
        facts = t.result.facts = AnteFacts()
        rules = options.wagers()
        yield from t.take_wagers(rules, options.schedule, noted=lambda: note_wagers(t, facts))
        give_back_misfits(t, rules)
        bettors = take_part(t, ("ante",))
        note_wagers(t, facts)
        facts.dealt_in = sorted({bettor.seat for bettor in bettors})
        if not bettors:
            t.void("nobody_dealt_in", "no seat has an ante")
        yield from play_out(t, options.schedule, lambda: Deal(t, options, bettors, facts))

    def summary(self, result: Mapping[str, Any]) -> str | None:
        return round_in_words(result, "Player-dealer does not qualify.")


def note_wagers(t: Table, facts: AnteFacts) -> None:
    """The wagers placed so far, and the bonus that would be accepted where it must equal the ante."""
    facts.wagers = {place: dict(wagers) for place, wagers in t.book.items() if wagers}
    facts.total_action = sum(cents for wagers in t.book.values() for cents in wagers.values())
    antes = [wagers["ante"] for wagers in t.book.values() if wagers.get("ante")]
    if antes:
        facts.required_bonus = antes[-1]


class Deal:
    """One deal, from the first card to the last chip."""

    def __init__(self, t: Table, options: ThreeCardOptions, bettors: Sequence[Bettor], facts: AnteFacts) -> None:
        self.t, self.options, self.bettors, self.facts = t, options, bettors, facts
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
            yield from self._ask(player)
            for bettor in back_line:
                if self.options.back_line.play == "own":
                    yield from self._ask(bettor)
                else:
                    self.t.emit(ev.Decided(bettor.place, "fold" if player.folded else "play"))
                    self._decided(bettor, folds=player.folded)

    def _ask(self, bettor: Bettor) -> Move[None]:
        code, ante = self.options.play_code, bettor.ante
        label = f"play for {dollars(ante)}" if ante else "play"
        play = Choice("play", label, ante or None, below=code, above=code)
        act = yield from self.t.ask(bettor.place, (play, Choice("fold")))
        self._decided(bettor, folds=act.do == "fold")

    def _decided(self, bettor: Bettor, *, folds: bool) -> None:
        bettor.folded = folds
        if not folds:
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
            if any(bettor.seat == seat and not bettor.folded for bettor in self.bettors):
                yield from self.t.show(self.hands[seat])
            elif self._lives_after_fold(seat):
                yield from self.t.name_unread(self.hands[seat], asks=FOLDED_WITH_BONUS)

    def _lives_after_fold(self, seat: int) -> bool:
        live = {name for name, bonus in self.options.bonuses.items() if self.options.outlives_fold(bonus)}
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
            bettor.place: "fold"
            if bettor.folded
            else ante_outcome(ranks[bettor.seat], theirs, self.options, qualified=qualified)
            for bettor in self.bettors
        }
        if not self.t.setup.records_wagers:
            return
        self._note_six_cards()
        if self.options.up_card_points:
            self.facts.button_seat = self._pointed()
        first = self._first_seat()
        places = self._in_order(first)
        lines = [line for place in places for line in self._lines(place, ranks, qualified=qualified)]
        if self.options.folds_first:
            lines.sort(key=lambda line: not line.forfeited)
        pay(self.t, lines, self.options.coverage)

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
        return by_card_from_first(1 if rank == ACE else rank, self.t.player_dealer, self.options.positions)

    def _button(self, seat: int) -> int:
        first = clockwise_from(seat, self.seats)[0]
        self.t.result.action_seat = first
        self.t.emit(ev.ActionButton(first))
        return first

    def _in_order(self, first: int) -> list[Place]:
        """Clockwise from the first seat, spot by spot; or all first spots, then the back line in the same order."""
        seats = clockwise_from(first, self.seats)
        if self.options.back_line_last:
            return sorted(self.t.book, key=lambda place: (spot_of(place), seats.index(seat_of(place))))
        return sorted(self.t.book, key=lambda place: (seats.index(seat_of(place)), spot_of(place)))

    def _lines(self, place: Place, ranks: Mapping[int, Rank], *, qualified: bool) -> Iterator[WagerResult]:
        bettor = self.by_place[place]

        def rank_by(cards: CountedCards) -> Rank:
            return ranks[bettor.seat] if cards == "three_cards" else HIGH.rank(self._six_cards(bettor.seat))

        outcome = self.t.result.outcome[place]
        return lines_of(bettor, self.t.book[place], outcome, self.options, rank_by, qualified=qualified)

    def _six_cards(self, seat: int) -> list[Card]:
        return [*self.hands[seat].cards, *self.player_dealer.cards]

    def _note_six_cards(self) -> None:
        names = [name for name, bonus in self.options.bonuses.items() if bonus.by == "six_cards"]
        if names:
            places = [place for place, wagers in self.t.book.items() if any(name in wagers for name in names)]
            ranks = {place: HIGH.rank(self._six_cards(seat_of(place))).document() for place in places}
            self.facts.six_card = ranks
