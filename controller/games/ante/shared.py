"""Ante-and-decide games: a seat antes, looks at its cards, stays in or folds against the player-dealer.

Three Card Poker, Ultimate Texas Hold'em, 3 Card Hold'em and Caribbean Stud stand on these parts. A *place* is one
bettor: a seat, or a back-line spot ("3.2") that plays the seat's cards with money of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import gcd, lcm
from typing import Annotated, Any, Literal, NamedTuple, Protocol

from msgspec import Meta

from controller.engine import events as ev
from controller.engine.bets.wagers import WagerRule, wager_refusal
from controller.engine.cards.card import Card, Hand, card
from controller.engine.fees import Schedule
from controller.engine.inputs import Happening, Place, seat_of, spot_of
from controller.engine.money.bank import Odds
from controller.engine.ranking import Category, Rank
from controller.engine.round.felt import Move, Table, Unruled
from controller.engine.round.game import Ruling

Comparison = Literal["win", "lose", "push"]
Payoff = Annotated[str, Meta(pattern=r"^[1-9]\d*:[1-9]\d*$")]


@dataclass
class Bettor:
    """One place in the round: what it has staked beyond the first wagers, and whether it is still in."""

    place: Place
    ante: int
    play: int | None = None
    folded: bool = False

    @property
    def seat(self) -> int:
        return seat_of(self.place)

    @property
    def decides(self) -> bool:
        return self.play is None and not self.folded


def take_part(t: Table, required: Sequence[str], *, seated: bool = True) -> list[Bettor]:
    """The places that are dealt in, in seat order; every other wager goes back before the deal.

    A place needs all `required` wagers, of one amount, and a back-line spot needs its seat in the round (`seated`)
    unless every spot decides for itself. A table that records no wagers deals to every seat.
    """
    if not t.setup.records_wagers:
        return [Bettor(seat, 0) for seat in sorted(t.seats) if seat != t.player_dealer]
    complete = {
        place
        for place, wagers in t.book.items()
        if all(wagers.get(name) for name in required) and len({wagers[name] for name in required}) == 1
    }
    alone = {place for place in complete if seated and seat_of(place) not in complete}
    for place in [place for place in t.book if place not in complete or place in alone]:
        give_back(t, place)
    return [Bettor(place, t.book[place][required[0]]) for place in sorted(t.book, key=_seat_then_spot)]


def give_back(t: Table, place: Place) -> None:
    """Wagers that have no part in the round return before a card is dealt."""
    for wager in list(t.book[place]):
        _return_wager(t, place, wager)
    del t.book[place]


def give_back_misfits(t: Table, rules: Sequence[WagerRule]) -> None:
    """A bet that fitted its ante when it was placed, and does not since the ante was changed, goes back."""
    for place, wagers in t.book.items():
        for wager, cents in list(wagers.items()):
            beside = {name: other for name, other in wagers.items() if name != wager}
            if wager_refusal(rules, {place: beside}, place, wager, cents) is not None:
                _return_wager(t, place, wager)


def _return_wager(t: Table, place: Place, wager: str) -> None:
    t.result.returned[place] = t.result.returned.get(place, 0) + t.book[place].pop(wager)
    t.emit(ev.WagerSet(place, wager, 0))


def _seat_then_spot(place: Place) -> tuple[int, int]:
    seat, _, spot = str(place).partition(".")
    return int(seat), int(spot or "1")


def in_seat_order(bettors: Iterable[Bettor], seats: Sequence[int]) -> list[Bettor]:
    """Seated players as the seats are listed, then all second spots in the same order, then all third ones."""
    return sorted(bettors, key=lambda bettor: (spot_of(bettor.place), seats.index(bettor.seat)))


def deal_face_down(t: Table, hands: Sequence[Hand], cards: int, packet: int) -> Move[None]:
    """`cards` to every hand in turn, `packet` at a time: a shuffler's packets, or one by one from a shoe."""
    for _ in range(0, cards, packet):
        for hand in hands:
            yield from t.deal(hand, packet, up=False)


def turn_up_last(t: Table, hand: Hand) -> None:
    """The last card of a hand that lies face down is turned up. It decides nothing before the whole hand is opened, so
    one that was not read is keyed then."""
    slot = hand.slots[-1]
    if slot.is_read:
        slot.expose()
        t.emit(ev.CardNamed(hand.owner, len(hand), slot.face))


class AnteDeal(Protocol):
    """One deal of a game in which each bettor decides once."""

    def cards(self) -> Move[None]: ...
    def decisions(self) -> Move[None]: ...
    def showdown(self) -> Move[None]: ...
    def settle(self) -> None: ...


def play_out(t: Table, schedule: Schedule | None, deal: Callable[[], AnteDeal]) -> Move[None]:
    """From the fees before the first card to the last chip."""
    yield from t.collect_fees(schedule, "before_deal")
    dealt = deal()
    yield from dealt.cards()
    yield from t.collect_fees(schedule, "after_initial_deal")
    yield from dealt.decisions()
    yield from dealt.showdown()
    dealt.settle()


def compare(hand: Rank, other: Rank) -> Comparison:
    if hand == other:
        return "push"
    return "win" if hand > other else "lose"


class Line(NamedTuple):
    """A wager and what settlement moves for it: + to the place."""

    place: Place
    wager: str
    cents: int
    forfeited: bool = False


def settle_lines(t: Table, lines: Iterable[Line]) -> None:
    """Wager after wager, as far as the player-dealer's money goes."""
    for line in lines:
        if line.cents > 0:
            t.settlement.win(line.place, line.wager, line.cents)
        elif line.cents < 0:
            t.settlement.lose(line.place, line.wager, -line.cents)
        else:
            t.settlement.push(line.place, line.wager)


def tell_round(result: Mapping[str, Any], unqualified: str) -> str | None:
    """A settled round in one line, for the screens; `unqualified` is said of a player-dealer without the least hand."""
    flags, outcomes = result.get("flags") or {}, result.get("outcome") or {}
    if not outcomes:
        return None
    return (f"{unqualified} " if flags.get("qualified") is False else "") + tell_outcomes(outcomes)


def tell_outcomes(outcomes: Mapping[Place, str]) -> str:
    """Who won, for the screens.

    >>> tell_outcomes({1: "win", 2: "fold", "2.2": "fold"})
    'Seat 1 wins, seat 2 folds, seat 2.2 folds'
    """
    said = ", ".join(f"seat {place} {_VERBS[outcome]}" for place, outcome in outcomes.items())
    return said[:1].upper() + said[1:]


_VERBS = {
    "win": "wins",
    "lose": "loses",
    "push": "pushes",
    "fold": "folds",
    "dead": "is dead",
    "no_action": "has no action",
}


def whole_chip_step(odds: Iterable[Odds], chip: int) -> int:
    """The stakes in steps of this many cents have a payoff in whole chips on every row.

    >>> whole_chip_step([Odds("3:2"), Odds("10:1")], 100)  # a blind of $1 would be paid $1.50
    200
    """
    return lcm(chip, *(row.against * chip // gcd(row.to, row.against * chip) for row in odds))


def pay_table(rows: Mapping[Category, str]) -> dict[Category, Odds]:
    """A printed pay table: what each hand pays; a hand that is not listed has no payoff."""
    return {hand: Odds(text) for hand, text in rows.items()}


def answer_ranking(
    case: Mapping[str, Any], rank: Callable[[Sequence[Card]], Rank], tables: Mapping[str, Mapping[Category, Odds]]
) -> dict[str, Any]:
    """A question about hands alone: what each of them is, and what a bet that pays by the hand wins on it."""
    ranks = {name: rank([card(str(code)) for code in told]) for name, told in case["cards"].items()}
    more: dict[str, Any] = {}
    for wager, cents in (case.get("wagers") or {}).items():
        table = tables[wager]
        more[f"{wager}_net"] = {
            name: table[found.category].payoff(cents) if found.category in table else -cents
            for name, found in ranks.items()
        }
    return {"ranks": {name: found.document() for name, found in ranks.items()}, "more": more}


# Irregularities of which a text says nothing


@dataclass(frozen=True)
class Unstated:
    """What a sheet calls it when its text rules nothing and the floor decides; empty: it has no word for it."""

    code: str


def _floor_decides(t: Table, body: Happening) -> None:
    word = t.script_state.code if isinstance(t.script_state, Unstated) else ""
    raise Unruled(f"{body.code.replace('_', ' ')}: the rules of the game do not say", word)


def answer_unruled(case: Mapping[str, Any], word: str) -> dict[str, Any]:
    """A question about happenings alone, each by the sheet's word for what its text does not rule."""
    for act in case["acts"]:
        if not word or act.get("event") not in FLOOR_DECIDES:
            raise LookupError(f"the text has no ruling on {act.get('event', act)!r}")
    return {"rulings": [word for _ in case["acts"]]}


FLOOR_DECIDES: Mapping[str, Ruling] = dict.fromkeys(
    ("misdeal", "card_exposed", "wrong_card_count", "boxed_card", "shuffler_failure", "shuffler_jam"), _floor_decides
)
