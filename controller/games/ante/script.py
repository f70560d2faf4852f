"""Steps that the scripts of all ante games share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from controller.engine import events as ev
from controller.engine.cards.card import Hand
from controller.engine.fees.schedule import Schedule
from controller.engine.round.felt import Move, Table
from controller.games.banked import outcomes_in_words


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


def round_in_words(result: Mapping[str, Any], unqualified: str) -> str | None:
    """A settled round in one line, for the screens; `unqualified` is the text where the player-dealer does not."""
    flags, outcomes = result.get("flags") or {}, result.get("outcome") or {}
    if not outcomes:
        return None
    return (f"{unqualified} " if flags.get("qualified") is False else "") + outcomes_in_words(outcomes)
