"""What a room may choose about Caribbean Stud Poker, and its pay table."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from controller.engine.bets.back_line import BackLine
from controller.engine.cards.card import RANKS
from controller.engine.fees.schedule import Schedule
from controller.engine.ranking import STANDARD, Category
from controller.games.ante.options import Payoff

HANDS = frozenset(STANDARD.categories) - {Category.FIVE_OF_A_KIND}

Ties = Literal["push", "player_dealer", "player"]


class CaribbeanPays(Struct, frozen=True, forbid_unknown_fields=True):
    """Best hand first; what is not listed pays even money."""

    ante: Payoff
    call: dict[Category, Payoff]
    call_otherwise: Payoff

    def __post_init__(self) -> None:
        for hand in self.call:
            if hand not in HANDS:
                raise ValueError(f"pays.call.{hand}: 52 cards without a joker do not make that hand")


class CaribbeanOptions(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    qualifier: list[str] | str
    """The least hand with which the player-dealer plays: `[high_card, A, K]`, or in short `A-K`, `pair`."""
    ties: Ties = "push"
    deal_start: Literal["first_live_ante"] = "first_live_ante"
    pd_deal_order: Literal["last", "in_order"] = "last"
    action_source: Literal["last_card", "dice"] = "last_card"
    first_player_dealer: str = "high_card"
    schedule: Schedule | None
    call_wager: str
    """What the sheet calls the wager of a player who stays in: twice the ante."""
    back_line: BackLine = BackLine()
    unruled: str = ""
    """The sheet's word for an irregularity that its text does not rule."""
    ante_circles: int | None = None
    """Bettors that a seat has room for, its own player among them."""
    most_seats: int | None = None
    """The most seats of a table, the player-dealer's among them; absent: the text states no number."""
    button_moves_on: bool
    """An action position without a wager hands the button on; else it stays, and settlement begins after it."""
    button_table: Annotated[int, Meta(ge=2)] | None = None
    """Positions of the printed table that maps a card to the action position; absent: those of the table itself."""
    positions: Annotated[int, Meta(ge=2)] = 8
    """Places at the table, the player-dealer's included, where the table's own setting does not say."""
    pays: CaribbeanPays

    def __post_init__(self) -> None:
        self.least_hand()

    def least_hand(self) -> list[str]:
        """
        >>> least_hand("A-K"), least_hand("pair"), least_hand(["pair", "J"])
        (['high_card', 'A', 'K'], ['pair'], ['pair', 'J'])
        >>> least_hand("queen_high"), least_hand("ace_king"), least_hand("pair_of_sixes")
        (['high_card', 'Q'], ['high_card', 'A', 'K'], ['pair', '6'])
        """
        return least_hand(self.qualifier)


def least_hand(qualifier: list[str] | str) -> list[str]:
    named = list(qualifier) if not isinstance(qualifier, str) else _in_words(qualifier)
    if named and named[0] in RANKS:
        named = ["high_card", *named]
    if not named or named[0] not in STANDARD.categories or not all(rank in RANKS for rank in named[1:]):
        raise ValueError(f"qualifier: {qualifier!r} is no hand; write [high_card, A, K] or [pair, J]")
    return named


RANK_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")


def _in_words(name: str) -> list[str]:
    """A hand as a sign writes it: A-K, pair, queen_high, pair_of_sixes."""
    if "-" in name or name in STANDARD.categories:
        return name.split("-")
    words = zip(RANK_WORDS, RANKS, strict=True)
    ranks = {f"{word}{plural}": rank for word, rank in words for plural in ("", "s", "es")}
    return [ranks.get(word, word) for word in name.split("_") if word not in ("of", "high")]


class CaribbeanSettings(Struct, frozen=True):
    positions: Annotated[int, Meta(ge=2)] | None = None
    """Places at the table, the player-dealer's included."""
