"""3 Card Hold'em: two cards each, three in the middle, the best three of five; bet or fold, then bet or check.

The player-dealer qualifies with a pair of fours. Two side bets live on their own, folded hand or not. Sheet:
turlock-three-card-holdem, the one text that rules what happens when the shuffler fails.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from msgspec import Struct

from controller.engine import events as ev
from controller.engine.amounts import dollars
from controller.engine.bets.action_button import clockwise_from, counted
from controller.engine.bets.wagers import WagerRule
from controller.engine.cards.card import Card, Hand, card, standard_deck
from controller.engine.expect.expectation import Choice
from controller.engine.fees import Moment, Schedule
from controller.engine.inputs import Happening, Place, seat_of, spot_of
from controller.engine.money.bank import Odds
from controller.engine.ranking import THREE_CARD_HOLDEM, Category, High, Rank
from controller.engine.round.felt import Move, Script, Table, Unruled, Voided
from controller.engine.round.game import Game, Ruling
from controller.games.ante.shared import (
    Bettor,
    Line,
    Payoff,
    compare,
    deal_face_down,
    give_back,
    settle_lines,
    tell_round,
)

THREE = High(THREE_CARD_HOLDEM)
QUALIFIES = ("pair", "4")
POSITIONS = 7
HOLE = 2
ACE, KING, QUEEN = 14, 13, 12
SIDE_BETS = ("straight_or_up", "pair_or_suited")
NOT_ANTE = "bet_not_equal_ante"
FOLDED_WITH_SIDE_BET = "folded with a side bet; look, keep it face down"
STRAIGHT_OR_UP_ROWS = ("akq_suited_plus_pair", "akq_suited", "straight_flush", "three_of_a_kind", "straight")
PAIR_OR_SUITED_ROWS = ("ak_suited", "aa", "kk", "pair", "two_suited")


class ThreeCardHoldemPays(Struct, frozen=True, forbid_unknown_fields=True):
    ante: Payoff
    bet: Payoff
    straight_or_up: dict[str, Payoff]
    pair_or_suited: dict[str, Payoff]

    def __post_init__(self) -> None:
        tables = (
            ("straight_or_up", self.straight_or_up, STRAIGHT_OR_UP_ROWS),
            ("pair_or_suited", self.pair_or_suited, PAIR_OR_SUITED_ROWS),
        )
        for name, table, rows in tables:
            for row in table:
                if row not in rows:
                    raise ValueError(f"pays.{name}.{row}: there is no such hand")


class ThreeCardHoldemOptions(Struct, frozen=True, forbid_unknown_fields=True):
    deal_device: Literal["hand", "shuffler"]
    decks_in_rotation: Literal[1, 2]
    button_card: Literal["communal_1", "communal_3"]
    coverage: Literal["single_use"]
    schedule: Schedule | None
    pays: ThreeCardHoldemPays

    def __post_init__(self) -> None:
        if self.decks_in_rotation > 1 and self.deal_device == "hand":
            raise ValueError("decks_in_rotation: a second deck is for tables with a shuffler")


class ThreeCardHoldem(Game[ThreeCardHoldemOptions]):
    slug = "three-card-holdem"
    title = "3 Card Hold'em"
    options_type = ThreeCardHoldemOptions
    turns_as_player_dealer: ClassVar[int | None] = 2
    miscounted_stack = "shuffler_failure"
    fee_moments: ClassVar[tuple[Moment, ...]] = ("before_deal", "after_initial_deal")

    def deck(self, options: ThreeCardHoldemOptions) -> dict[str, int]:
        return {card.code: 1 for card in standard_deck()}

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        return RULINGS

    def play(self, t: Table, options: ThreeCardHoldemOptions) -> Script:
        yield from t.take_wagers(WAGERS, options.schedule)
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

    def tell(self, result: Mapping[str, Any]) -> str | None:
        return tell_round(result, "Player-dealer has no pair of fours.")

    def answer(self, kind: str, case: Mapping[str, Any], options: ThreeCardHoldemOptions) -> dict[str, Any]:
        """`ranking`: the best three of the cards named, and what a side bet on them wins; `legality`: happenings, each
        by its ruling."""
        if kind == "legality":
            bank = (case.get("table") or {}).get("player_dealer", "player_dealer")
            return {"rulings": [_ruling_alone(act, bank) for act in case["acts"]]}
        return _rank_alone(case, options.pays) if kind == "ranking" else super().answer(kind, case, options)


def _side_bet(id: str, title: str) -> WagerRule:
    return WagerRule(id, title, needs=("ante",), needs_code="needs_ante", needs_on_first_spot=True, counts_as="bonus")


WAGERS = (
    WagerRule("ante", "Ante", first_spot_only="backline_side_bets_only"),
    _side_bet("straight_or_up", "Straight Or Up"),
    _side_bet("pair_or_suited", "Pair Or Suited"),
)


def straight_or_up(cards: Sequence[Card]) -> str:
    """The row of five cards; four of a kind and full house are three of a kind, only the highest counts (825-831).

    >>> from controller.engine.cards.card import card
    >>> straight_or_up([card(code) for code in ("Ac", "Kc", "Qc", "5h", "5d")])
    'akq_suited_plus_pair'
    >>> straight_or_up([card(code) for code in ("Ac", "Kc", "Qc", "Ah", "5d")])  # the second ace pairs nothing outside
    'akq_suited'
    """
    for suit in range(4):
        three = [card for card in cards if card.suit == suit and card.rank >= QUEEN]
        if len(three) == len((ACE, KING, QUEEN)):
            a, b = (card for card in cards if card not in three)
            return "akq_suited_plus_pair" if a.rank == b.rank else "akq_suited"
    category = THREE.rank(cards).category
    return category.value if category in _STRAIGHT_OR_UP else "none"


_STRAIGHT_OR_UP = (Category.STRAIGHT_FLUSH, Category.THREE_OF_A_KIND, Category.STRAIGHT)


def pair_or_suited(cards: Sequence[Card]) -> str:
    """The row of two hole cards."""
    a, b = cards
    if a.rank == b.rank:
        return {ACE: "aa", KING: "kk"}.get(a.rank, "pair")
    if a.suit != b.suit:
        return "none"
    return "ak_suited" if {a.rank, b.rank} == {ACE, KING} else "two_suited"


def _rank_alone(case: Mapping[str, Any], pays: ThreeCardHoldemPays) -> dict[str, Any]:
    """Hands by themselves: two hole cards are no hand yet, but a pair or suited."""
    told = {name: [card(str(code)) for code in codes] for name, codes in case["cards"].items()}
    more: dict[str, Any] = {}
    for wager, cents in (case.get("wagers") or {}).items():
        if wager not in SIDE_BETS:
            raise LookupError(f"{wager!r} does not pay by the hand alone")
        if wager == "pair_or_suited":
            rows, table = {name: pair_or_suited(cards[:HOLE]) for name, cards in told.items()}, pays.pair_or_suited
        else:
            rows, table = {name: straight_or_up(cards) for name, cards in told.items()}, pays.straight_or_up
        won = {name: Odds(table[row]).payoff(cents) if row in table else -cents for name, row in rows.items()}
        more |= {f"{wager}_hand": rows, f"{wager}_net": won}
    ranks = {name: THREE.rank(cards).document() for name, cards in told.items() if len(cards) > HOLE}
    return {"ranks": ranks, "more": more}


class Deal:
    """One deal, from the first card to the last chip."""

    def __init__(self, t: Table, options: ThreeCardHoldemOptions) -> None:
        self.t, self.options = t, options
        self.bettors: dict[int, Bettor] = self._take_part()
        self.seats = list(self.bettors)
        self.hands: dict[int, Hand] = {seat: t.hand(str(seat)) for seat in self.seats}
        self.player_dealer = t.hand("player_dealer")
        self.board = t.hand("board")
        t.result.more["total_action"] = sum(bettor.ante for bettor in self.bettors.values())

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
        result = self.t.result
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
            self._note_side_bets()
            self._pay(self._lines(qualified=qualified))

    def _rank(self, hand: Hand) -> Rank:
        return THREE.rank([*hand.cards, *self.board.cards])

    def _note_side_bets(self) -> None:
        for name in SIDE_BETS:
            rows = {p: self._row(name, seat_of(p)) for p, wagers in self.t.book.items() if name in wagers}
            if rows:
                self.t.result.more[f"{name}_hand"] = rows

    def _row(self, name: str, seat: int) -> str:
        hole = self.hands[seat].cards
        return pair_or_suited(hole) if name == "pair_or_suited" else straight_or_up([*hole, *self.board.cards])

    # Money

    def _lines(self, *, qualified: bool) -> dict[Place, list[Line]]:
        """What each place's wagers win or lose, in the order in which they are settled."""
        return {place: self._lines_of(place, qualified=qualified) for place in self.t.book}

    def _lines_of(self, place: Place, *, qualified: bool) -> list[Line]:
        wagers, pays = self.t.book[place], self.options.pays
        outcome = self.t.result.outcome[seat_of(place)]
        lines: list[Line] = []
        for wager in ("ante", "bet_or_fold", "bet_or_check"):
            stake = wagers.get(wager)
            if stake is None:
                continue
            odds = Odds(pays.ante if wager == "ante" else pays.bet)
            if outcome == "push" or (outcome == "win" and wager == "ante" and not qualified):
                lines.append(Line(place, wager, 0))
            elif outcome == "win":
                lines.append(Line(place, wager, odds.payoff(stake)))
            else:
                lines.append(Line(place, wager, -stake))
        for name, table in (("straight_or_up", pays.straight_or_up), ("pair_or_suited", pays.pair_or_suited)):
            stake = wagers.get(name)
            if stake is not None:
                row = self._row(name, seat_of(place))
                lines.append(Line(place, name, Odds(table[row]).payoff(stake) if row in table else -stake))
        return lines

    def _pay(self, lines: Mapping[Place, Sequence[Line]]) -> None:
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


# Irregularities (1051-1084)


MISDEAL, CARD_STAYS = "misdeal", "card_stays_in_play"
VOIDS = {
    "boxed_card": "void_reshuffle",
    "wrong_card_count": "void_reshuffle",
    "shuffler_failure": "void_machine_check",
    "shuffler_jam": "void_machine_check",
    "seat_skipped": MISDEAL,
}
"""Happenings that void the round whoever they hit, by the sheet's word."""


def _ruling_alone(act: Mapping[str, Any], player_dealer: object) -> str:
    """The ruling on one happening by itself."""
    match act.get("event"):
        case "card_dropped":
            return CARD_STAYS
        case "communal_exposed":
            return MISDEAL
        case "card_exposed" if act.get("seat") in (player_dealer, "player_dealer"):
            return MISDEAL
        case str(code) if code in VOIDS:
            return VOIDS[code]
    raise LookupError(f"the text has no ruling on {act.get('event', act)!r}")


def _voids(code: str) -> Ruling:
    def rule(t: Table, body: Happening) -> None:
        raise Voided(code, body.code.replace("_", " "))

    return rule


def card_exposed(t: Table, body: Happening) -> None:
    """A card of the player-dealer (1076); of a player's card the text says nothing."""
    if body.seat != t.player_dealer:
        raise Unruled("a player's card was exposed; the text has no rule for it")
    raise Voided(MISDEAL, "a card of the player-dealer was exposed")


def communal_exposed(t: Table, body: Happening) -> None:
    """The second or third communal card before its time (1078-1079)."""
    nth = body.facts.get("communal")
    shown = sum(slot.face_if_exposed is not None for slot in t.hand("board").slots)
    if isinstance(nth, int) and nth <= shown:
        raise Unruled("that communal card is turned up already")
    raise Voided(MISDEAL, "a communal card was exposed")


def card_dropped(t: Table, body: Happening) -> None:
    t.rule(CARD_STAYS, body.seat)


RULINGS: Mapping[str, Ruling] = {
    **{code: _voids(word) for code, word in VOIDS.items()},
    "card_dropped": card_dropped,
    "card_exposed": card_exposed,
    "communal_exposed": communal_exposed,
}
