"""The showdown: who shows, who wins which pot.

In most rooms the cards speak: every hand still in is turned up, and the best one wins each pot it is in. At Banker's
showing is a choice with consequences (bankers-texas-holdem, 000:125-126): a hand wins only if both hole cards are
shown, and a player of the board must declare it; otherwise every claim to the pot is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from controller.engine import events as ev
from controller.engine.expect.choices import Choice
from controller.engine.money.pots import SidePot, halves, shares
from controller.engine.native import mypyc_attr
from controller.engine.ranking import Rank
from controller.engine.round.felt import Move
from controller.games.poker.core.hand import PokerHand

SHOWDOWN_CHOICES = (
    Choice("show", label="show both cards"),
    Choice("declare_board", label="play the board"),
    Choice("muck"),
)
NO_BOARD_TO_PLAY = (Choice("show", label="show all cards"), Choice("muck"))
CLAIM_RELINQUISHED = "claim_relinquished"


@mypyc_attr(allow_interpreted_subclasses=True)
class Claims:
    """The hands that were shown, and what they are worth."""

    def __init__(self, hand: PokerHand) -> None:
        self.hand = hand
        self.rankings = hand.rankings
        self.high: dict[int, Rank] = {}
        self.low: dict[int, Rank | None] = {}
        self.given_up: set[int] = set()
        """Seats that showed no hand, or played the board without declaring it."""

    def make(self, seat: int) -> None:
        """A hand is shown: rank it."""
        hole, board = self.hand.hole(seat).cards, self.hand.board.cards
        high, low = self.rankings.best_high(hole, board), self.rankings.best_low(hole, board)
        ranks = self.hand.t.result.ranks
        if high is not None:
            self.high[seat] = high
            ranks[str(seat)] = high.document()
        elif low is not None:
            ranks[str(seat)] = low.document()
        if self.rankings.low is not None:
            self.low[seat] = low
            if high is not None:
                self.hand.facts.low_ranks[seat] = None if low is None else low.names

    def plays_board(self, seat: int) -> bool:
        return self.rankings.plays_board(self.hand.hole(seat).cards, self.hand.board.cards)

    def withdraw(self, seat: int) -> None:
        self.high.pop(seat, None)
        self.low.pop(seat, None)

    def give_up(self, seat: int) -> None:
        self.given_up.add(seat)
        self.withdraw(seat)

    def is_unopposed(self, pot: SidePot) -> bool:
        """A hand that nobody else is in with takes a side pot as the last live hand takes all: without showing."""
        return len(pot.seats) == 1 and pot.seats[0] in self.given_up

    def of(self, pot: SidePot) -> list[int]:
        """Seats with a claim to this pot, in the order of odd chips."""
        hand, claims, among = self.hand, self.high or self.low, pot.seats
        order = [seat for seat in hand.seats if seat in claims and seat in among]
        if hand.options.odd_chip == "highest_card":
            order.sort(key=lambda seat: max((c.rank, c.suit) for c in hand.hole(seat).cards), reverse=True)
        return order

    def winners(self, pot: SidePot) -> tuple[list[int], list[int]]:
        """Seats that win the high and the low part; without a low hand there is one part."""
        seats = self.of(pot)
        if not self.high:
            return _best(seats, self.low), []
        high, low = _best(seats, self.high), _best(seats, self.low)
        least = self.hand.options.high_qualifier
        if low and high and least and not self.high[high[0]].reaches(least):
            return [], low
        return high, low

    def halves(self, cents: int, chip: int, high: Sequence[int], low: Sequence[int]) -> tuple[int, int]:
        """How a pot is parted between its winners of the high and the low hand."""
        return halves(cents, chip)


def _best(seats: Sequence[int], ranks: dict[int, Rank] | dict[int, Rank | None]) -> list[int]:
    best: Rank | None = None
    winners: list[int] = []
    for seat in seats:
        rank = ranks.get(seat)
        if rank is None:
            continue
        if best is None or rank > best:
            best, winners = rank, [seat]
        elif rank is best or rank == best:
            winners.append(seat)
    return winners


def show_hands(hand: PokerHand, claims_of: Callable[[PokerHand], Claims] = Claims) -> Move[Claims]:
    """From the first live hand left of the button (BS-13; bankers-texas-holdem, A11)."""
    t = hand.t
    hand.phase = t.result.phase = "showdown"
    t.result.flags["showdown"] = True
    t.emit(ev.StreetDealt("showdown"))
    while True:
        claims = claims_of(hand)
        for seat in hand.contenders:
            if hand.options.showdown == "cards_speak":
                yield from t.show(hand.hole(seat))
                claims.make(seat)
            else:
                yield from _choose(hand, claims, seat)
        if all(claims.of(pot) or claims.is_unopposed(pot) for pot in hand.purse.pots()):
            return claims
        # Every claim to a pot was given up: nobody can be paid by the rules.
        yield from t.call_floor("no_claim_to_the_pot", "nobody has a claim to a pot; resume to show again, or void")


def _choose(hand: PokerHand, claims: Claims, seat: int) -> Move[None]:
    """Show, play the board, or give the hand up (000:125-126)."""
    act = yield from hand.t.ask(seat, SHOWDOWN_CHOICES if hand.rankings.use_hole is None else NO_BOARD_TO_PLAY)
    if act.do != "muck":
        yield from hand.t.show(hand.hole(seat))
        claims.make(seat)
    if act.do == "muck" or (act.do == "show" and claims.plays_board(seat)):
        claims.give_up(seat)
        hand.facts.ruled[seat] = CLAIM_RELINQUISHED
        if CLAIM_RELINQUISHED not in hand.t.result.rulings:
            hand.t.rule(CLAIM_RELINQUISHED, seat)


def award(hand: PokerHand, claims: Claims | None) -> None:
    """Each pot on its own, main pot first. Without claims the last hand takes everything unseen."""
    t = hand.t
    won = dict.fromkeys(hand.purse.seats, 0)
    pots = hand.pots()
    for pot in pots:
        to = _divided(hand, claims, pot, pot.cents)
        for seat, cents in to.items():
            won[seat] += cents
        t.result.pots.append(ev.Pot(pot.cents, pot.seats, to))
    if claims is not None and claims.rankings.high is not None and claims.rankings.low is not None:
        # The main pot is everybody's: who wins it has the best hands of all.
        high, low = claims.winners(pots[0])
        hand.facts.winners = {"high": high, "low": low}
        hand.facts.high_winners, hand.facts.low_winners = high, low
    live, dead, folded = hand.purse.live, hand.purse.dead, hand.purse.folded
    t.result.net = {seat: cents - live[seat] - dead[seat] for seat, cents in won.items()}
    t.result.outcome = {
        str(seat): "win" if won[seat] else "fold" if seat in folded else "lose" for seat in sorted(hand.seats)
    }
    if t.fees.pot is not None:
        _award_after_fees(hand, claims, pots)


def _divided(hand: PokerHand, claims: Claims | None, pot: SidePot, cents: int) -> dict[int, int]:
    """Divides `cents` of one pot among its winners."""
    if claims is None or claims.is_unopposed(pot):
        return {pot.seats[0]: cents}
    chip, odd = hand.options.chip_unit, hand.options.odd_chips
    high, low = claims.winners(pot)
    if not (high and low):
        winners = high or low
        return shares(cents, winners, chip, odd) if winners and cents else {}
    to: dict[int, int] = {}
    for part, winners in zip(claims.halves(cents, chip, high, low), (high, low), strict=True):
        for seat, share in shares(part, winners, chip, odd).items() if part else ():
            to[seat] = to.get(seat, 0) + share
    return to


def _award_after_fees(hand: PokerHand, claims: Claims | None, pots: Sequence[SidePot]) -> None:
    """What really moves: the fee comes out of the main pot first, before it is divided."""
    fees = hand.t.fees.pot
    assert fees is not None
    left = sum(charge.cents for charge in hand.t.fees.owed if charge.payer == "pot")
    hand.facts.takes = [{"at": take.at, "cents": take.cents, "still_due": take.still_due} for take in fees.takes]
    hand.facts.collected = left
    # A winner whose pot goes to the house in whole is awarded nothing; that is published.
    awarded = {seat: 0 for pot in hand.t.result.pots for seat in pot.to}
    for pot in pots:
        fee = min(left, pot.cents)
        left -= fee
        for seat, cents in _divided(hand, claims, pot, pot.cents - fee).items():
            awarded[seat] = awarded.get(seat, 0) + cents
    hand.facts.awarded_after_fees = awarded
    hand.facts.net_after_fees = {
        seat: awarded.get(seat, 0) - hand.purse.total(seat) for seat in sorted(hand.purse.seats)
    }
