"""The showdown: who shows, who wins which pot.

In most rooms the cards speak: every hand still in is turned up, and the best one wins each pot it is in. At Banker's
showing is a choice with consequences (bankers-texas-holdem, 000:125-126): a hand wins only if both hole cards are
shown, and who plays the board must say so; otherwise every claim to the pot is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from controller.engine import events as ev
from controller.engine.cards import CARDS, JOKER, Card, rank_name
from controller.engine.expect import Choice
from controller.engine.felt import Move
from controller.engine.pots import OddChips, SidePot, halves, shares
from controller.engine.ranking import High, Low, Rank, Ranking, UseHole, or_better
from controller.games.poker.hand import PokerHand
from controller.games.poker.options import PokerOptions

SHOWDOWN_CHOICES = (
    Choice("show", label="show both cards"),
    Choice("declare_board", label="play the board"),
    Choice("muck"),
)
CLAIM_RELINQUISHED = "claim_relinquished"


class Rankings:
    """How the hands of one ruleset are compared, for the high and the low part of the pot."""

    def __init__(self, variant: str, jokers: int, wild: tuple[str, ...], qualifier: int | None) -> None:
        self.high: Ranking | None = None
        self.low: Ranking | None = None
        if variant != "low":
            self.high = High(jokers="wild" if wild else "bug" if jokers else "none")
        if variant != "high":
            self.low = Low(jokers="low" if wild or jokers else "none")
        self.qualifier = None if qualifier is None else rank_name(qualifier)
        self._wild = frozenset(wild)

    def seen(self, cards: Sequence[Card]) -> Sequence[Card]:
        """Posted wild cards play as jokers that may be any card (1307)."""
        return [CARDS[JOKER] if card.code in self._wild else card for card in cards] if self._wild else cards

    def best_low(self, hole: Sequence[Card], board: Sequence[Card], use_hole: UseHole) -> Rank | None:
        """The low hand, if there is a low part and the hand qualifies for it."""
        if self.low is None:
            return None
        best = self.low.best(hole, board, use_hole)
        return best if self.qualifier is None or self.high is None else or_better(best, self.qualifier)


@lru_cache(maxsize=64)
def _rankings(variant: str, jokers: int, wild: tuple[str, ...], qualifier: int | None) -> Rankings:
    return Rankings(variant, jokers, wild, qualifier)


def rankings(options: PokerOptions) -> Rankings:
    """The same rankings for every hand of a ruleset: they remember what they have seen."""
    return _rankings(options.variant, options.jokers, options.wild_cards, options.low_qualifier)


class Claims:
    """The hands that were shown, and what they are worth."""

    def __init__(self, hand: PokerHand) -> None:
        self.hand = hand
        self.rankings = rankings(hand.options)
        self.high: dict[int, Rank] = {}
        self.low: dict[int, Rank | None] = {}

    def make(self, seat: int) -> None:
        """A hand is shown: rank it."""
        hole, board = self._cards(seat)
        use_hole = self.hand.use_hole
        result = self.hand.t.result
        low = self.rankings.best_low(hole, board, use_hole)
        if self.rankings.high is not None:
            self.high[seat] = self.rankings.high.best(hole, board, use_hole)
            result.ranks[str(seat)] = self.high[seat].document()
        elif low is not None:
            result.ranks[str(seat)] = low.document()
        if self.rankings.low is not None:
            self.low[seat] = low
            if self.rankings.high is not None:
                lows = self.hand.facts.setdefault("low_ranks", {})
                lows[seat] = None if low is None else low.names

    def plays_board(self, seat: int) -> bool:
        """No hand of this value contains one of the seat's hole cards (bankers-texas-holdem, A14)."""
        hole, board = self._cards(seat)
        high = self.rankings.high
        if high is None or self.hand.use_hole is not None:
            return False
        return high.rank(board) == self.high[seat] and high.plays_board(hole, board)

    def withdraw(self, seat: int) -> None:
        self.high.pop(seat, None)
        self.low.pop(seat, None)

    def of(self, pot: SidePot) -> list[int]:
        """Seats with a claim to this pot, in the order of odd chips."""
        claims = self.high or self.low
        order = self.hand.in_order(seat for seat in pot.seats if seat in claims)
        if self.hand.options.odd_chip == "highest_card":
            order.sort(key=lambda seat: max((c.rank, c.suit) for c in self.hand.hole(seat).cards), reverse=True)
        return order

    def winners(self, pot: SidePot) -> tuple[list[int], list[int]]:
        """Seats that win the high and the low part; without a low hand there is one part."""
        seats = self.of(pot)
        if not self.high:
            return _best(seats, self.low), []
        return _best(seats, self.high), _best(seats, self.low)

    def _cards(self, seat: int) -> tuple[Sequence[Card], Sequence[Card]]:
        return self.rankings.seen(self.hand.hole(seat).cards), self.rankings.seen(self.hand.board.cards)


def _best(seats: Sequence[int], ranks: dict[int, Rank] | dict[int, Rank | None]) -> list[int]:
    held = {seat: rank for seat in seats if (rank := ranks.get(seat)) is not None}
    if not held:
        return []
    best = max(held.values())
    return [seat for seat, rank in held.items() if rank == best]


def show_hands(hand: PokerHand) -> Move[Claims]:
    """From the first live hand left of the button (BS-13; bankers-texas-holdem, A11)."""
    t = hand.t
    hand.phase = "showdown"
    t.result.flags["showdown"] = True
    t.emit(ev.StreetDealt("showdown"))
    while True:
        claims = Claims(hand)
        for seat in hand.contenders:
            if hand.options.showdown == "cards_speak":
                yield from t.show(hand.hole(seat))
                claims.make(seat)
            else:
                yield from _choose(hand, claims, seat)
        if all(claims.of(pot) for pot in hand.purse.pots()):
            return claims
        # Every claim to a pot was given up: nobody can be paid by the rules.
        yield from t.call_floor("no_claim_to_the_pot", "nobody has a claim to a pot; resume to show again, or void")


def _choose(hand: PokerHand, claims: Claims, seat: int) -> Move[None]:
    """Show, play the board, or give the hand up (000:125-126)."""
    act = yield from hand.t.ask(seat, SHOWDOWN_CHOICES if hand.use_hole is None else SHOWDOWN_CHOICES[::2])
    if act.do != "muck":
        yield from hand.t.show(hand.hole(seat))
        claims.make(seat)
    if act.do == "muck" or (act.do == "show" and claims.plays_board(seat)):
        claims.withdraw(seat)
        hand.facts.setdefault("ruled", {})[seat] = CLAIM_RELINQUISHED
        if CLAIM_RELINQUISHED not in hand.t.result.rulings:
            hand.t.rule(CLAIM_RELINQUISHED, seat)


def award(hand: PokerHand, claims: Claims | None) -> None:
    """Each pot on its own, main pot first. Without claims the last hand takes everything unseen."""
    t, chip = hand.t, hand.options.chip_unit
    odd: OddChips = "one_each" if hand.options.odd_chip == "one_each_from_button" else "all_to_first"
    won = dict.fromkeys(hand.purse.seats, 0)
    for pot in hand.purse.pots():
        to: dict[int, int] = {}
        if claims is None:
            to = {pot.seats[0]: pot.cents}
        else:
            high, low = claims.winners(pot)
            parts = halves(pot.cents, chip) if high and low else (pot.cents, 0)
            for cents, winners in zip(parts, (high, low), strict=True):
                for seat, share in shares(cents, winners, chip, odd).items() if winners and cents else ():
                    to[seat] = to.get(seat, 0) + share
        for seat, cents in to.items():
            won[seat] += cents
        t.result.pots.append(ev.Pot(pot.cents, pot.seats, to))
    t.result.net = {seat: won[seat] - hand.purse.total(seat) for seat in hand.purse.seats}
    t.result.outcome = {str(seat): _outcome(hand, seat, won[seat]) for seat in sorted(hand.seats)}


def _outcome(hand: PokerHand, seat: int, won: int) -> str:
    if won:
        return "win"
    return "fold" if seat in hand.purse.folded else "lose"
