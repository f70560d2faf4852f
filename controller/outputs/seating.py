"""The table as its people sit, for screens: what lies in front of each seat, and what is in the middle.

Made from what everybody may know only: the hands as the display shows them, the wagers, the public result. A hand is
named once all its cards are face up.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from controller.engine.cards.card import card
from controller.engine.expect.choices import WantDecision
from controller.engine.expect.want import title
from controller.engine.expect.wants import WantCard
from controller.engine.inputs import Place, seat_of
from controller.engine.ranking import Ranking, UseHole
from controller.engine.round.felt import Table
from controller.engine.round.middle import Middle
from controller.engine.table.engine import TableEngine
from controller.games.baccarat.script import Baccarat
from controller.games.poker.core.rankings import Rankings
from controller.games.poker.core.script import Poker
from controller.hand_names import hand_names
from controller.outputs.view_types import BetView, HandView, PotView, SeatedView, SeatHandView, SeatingView

PLAYER_DEALER = "player_dealer"
_COMMUNITY = ("board", "community", "block")


def seating(engine: TableEngine[Any], hands: Sequence[HandView]) -> SeatingView | None:
    """`hands`: as the display shows them. None for a game whose hands are nobody's own."""
    if isinstance(engine.game, Baccarat):
        return None
    current = engine.round
    running = current.table if current is not None and engine.is_dealing else None
    middle = Middle() if running is None else engine.game.middle(running)
    result = {} if running is not None or engine.last is None else engine.last.public
    bets = _bets_placed(running, middle) if running is not None else _bets_settled(result)
    nets = _nets(result)
    acting = _acting(engine) if running is not None else set()
    document = whole_result(engine) if result and not result.get("void") else None
    setup = engine.state.setup
    dealer = setup.player_dealer if engine.game.has_player_dealer else None
    button = middle.button if middle.button is not None else setup.button
    has_button = "button" in engine.game.floor_sets()
    seats = tuple(
        SeatedView(
            seat,
            title(PLAYER_DEALER) if seat == dealer else title(str(seat)),
            is_player_dealer=seat == dealer,
            has_button=has_button and seat == button,
            acts=seat in acting,
            standing=_standing(hands, seat, result),
            hands=tuple(_hand(engine, hand, document, hands) for hand in hands if _is_of(hand.owner, seat, dealer)),
            bets=tuple(bets.get(seat, ())),
            stack=middle.stacks.get(seat),
            net=nets.get(seat) if seat != dealer else _bank_net(result),
        )
        for seat in sorted({*setup.seats, *(() if dealer is None else (dealer,))})
    )
    return SeatingView(seats, _community(hands), _pots(middle, result))


def whole_result(engine: TableEngine[Any]) -> dict[str, Any]:
    """The last round in the case format, from which hands are named and parted; it costs more than its parts."""
    return engine.last.document if engine.last is not None else {}


def rows_of(document: dict[str, Any], owner: str, cards: int) -> tuple[int, ...]:
    """How many cards each part of a hand of this round has that was set in two or three; empty of any other."""
    parts: list[Any] = document.get("hands", {}).get(owner, [])
    lengths = tuple(len(part) for part in parts if isinstance(part, list))
    return lengths if len(lengths) == len(parts) > 1 and sum(lengths) == cards else ()


def _seat(owner: str) -> int | None:
    place = owner.partition("/")[0].partition(".")[0]
    return int(place) if place.isdigit() else None


def _is_of(owner: str, seat: int, dealer: int | None) -> bool:
    return _seat(owner) == seat or (owner == PLAYER_DEALER and seat == dealer)


def _acting(engine: TableEngine[Any]) -> set[int]:
    dealer = engine.state.setup.player_dealer
    found: set[int] = set()
    for want in engine.expectation.wants:
        if isinstance(want, WantDecision):
            found.add(seat_of(want.seat))
        elif isinstance(want, WantCard):
            seat = dealer if want.to == PLAYER_DEALER else _seat(want.to)
            found |= {seat} if seat is not None else set()
    return found


def _hand(
    engine: TableEngine[Any], hand: HandView, document: dict[str, Any] | None, hands: Sequence[HandView]
) -> SeatHandView:
    """`document`: of the round that settled it; None before that, and of a void round."""
    is_open = bool(hand.cards) and None not in hand.cards
    return SeatHandView(
        hand.cards,
        () if document is None else rows_of(document, hand.owner, len(hand.cards)),
        hand.total,
        _names(engine, document, hand.owner) if document is not None and is_open else (),
        hand.verdict,
        _counting(engine, hand, hands) if document is not None and is_open and hand.won else (),
    )


def _names(engine: TableEngine[Any], document: dict[str, Any], owner: str) -> tuple[str, ...]:
    rankings = _rankings(engine)
    is_low = rankings is not None and rankings.high is None
    return hand_names(document.get("ranks", {}).get(owner), is_low=is_low)


def _rankings(engine: TableEngine[Any]) -> Rankings | None:
    return engine.game.rankings(engine.options) if isinstance(engine.game, Poker) else None


def _counting(engine: TableEngine[Any], hand: HandView, hands: Sequence[HandView]) -> tuple[Any, ...]:
    """The five cards of a poker hand that has more, board included; empty where all count."""
    rankings = _rankings(engine)
    if rankings is None or rankings.high is None or rankings.has_wild_cards:
        return ()
    board = tuple(code for other in hands if other.owner in _COMMUNITY for code in other.cards)
    if None in board or len(hand.cards) + len(board) <= 5:
        return ()
    return _best_five(rankings.high, rankings.use_hole, hand.cards, board)


@lru_cache(maxsize=64)
def _best_five(high: Ranking, use_hole: UseHole, cards: tuple[Any, ...], board: tuple[Any, ...]) -> tuple[Any, ...]:
    """Kept: screens are drawn at every input until the next hand, and the winning hand stays the same."""
    best = high.best_cards([card(str(code)) for code in cards], [card(str(code)) for code in board], use_hole)
    codes = {one.code for one in best}
    return tuple(code for code in (*cards, *board) if code in codes)


def _standing(hands: Sequence[HandView], seat: int, result: dict[str, Any]) -> str:
    """Of a seat with several hands each hand has its own."""
    outcome = result.get("outcome")
    own = outcome.get(str(seat)) if isinstance(outcome, dict) else None
    if isinstance(own, str):
        return own
    found = [hand.verdict for hand in hands if hand.owner == str(seat)]
    return found[0] if found else ""


def _bets_placed(table: Table, middle: Middle) -> dict[int, list[BetView]]:
    found: dict[int, list[BetView]] = {}
    for place, wagers in table.book.items():
        for wager, cents in wagers.items():
            if cents:
                found.setdefault(seat_of(place), []).append(BetView(title(wager), cents, None, _is_behind(place)))
    for seat, cents in middle.bets.items():
        found.setdefault(seat, []).append(BetView("Bet", cents))
    return found


def _bets_settled(result: dict[str, Any]) -> dict[int, list[BetView]]:
    nets: dict[tuple[Place, str], int] = {}
    for line in result.get("lines", ()):
        key = (line["place"], line["wager"])
        nets[key] = nets.get(key, 0) + line["net"]
    found: dict[int, list[BetView]] = {}
    for (place, wager), net in nets.items():
        found.setdefault(seat_of(place), []).append(BetView(title(wager), None, net, _is_behind(place)))
    return found


def _is_behind(place: Place) -> bool:
    return "." in str(place)


def _nets(result: dict[str, Any]) -> dict[int, int]:
    """What each seat won or lost in all; in pot games what it took."""
    found: dict[int, int] = {}
    for line in result.get("lines", ()):
        seat = seat_of(line["place"])
        found[seat] = found.get(seat, 0) + line["net"]
    for pot in result.get("pots", ()):
        for seat, cents in pot["to"].items():
            found[int(seat)] = found.get(int(seat), 0) + cents
    return found


def _bank_net(result: dict[str, Any]) -> int | None:
    return result.get("bank_net") if result.get("lines") else None


def _community(hands: Sequence[HandView]) -> tuple[Any, ...] | None:
    return next((hand.cards for hand in hands if hand.owner in _COMMUNITY and hand.cards), None)


def _pots(middle: Middle, result: dict[str, Any]) -> tuple[PotView, ...]:
    if middle.pots or middle.uncalled:
        return tuple(PotView(pot.name, pot.cents) for pot in (*middle.pots, *middle.uncalled))
    pots = result.get("pots", ())
    return tuple(
        PotView("Pot" if not number else "Side pot", pot["cents"], tuple(int(seat) for seat in pot["to"]))
        for number, pot in enumerate(pots)
    )
