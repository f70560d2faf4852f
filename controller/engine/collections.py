"""Collections: what the house may charge for a hand, by the schedule posted at the table.

A fee is a look-up, never a percentage: an amount in, cents out. A schedule is a set of ladders, one for each payer and
basis; each ladder has bands with a flat fee. The bases are fixed when betting closes, so nothing that happens later
(a double, a push, a wager without cover) changes what is due.

    >>> ladder = [FeeRow("player", "player_wager", 100, lowest=1000, highest=10000),
    ...           FeeRow("player", "player_wager", 200, lowest=10100, highest=20000)]
    >>> posted = Schedule("posted/1", ("pai-gow",), tuple(ladder), "before_deal", 1000, 20000)
    >>> due = assess(posted, [Stake(1, "base", "base", 10000), Stake(3, "base", "base", 10050)])
    >>> due.players, due.total
    ({1: 100, 3: 200}, 300)

The second wager lies between two printed bands: the first ends at its printed top, so the next one takes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Struct

from controller.engine.inputs import Place

Payer = Literal["player", "player_dealer"]
Basis = Literal["player_wager", "total_table_action", "player_dealer_wager", "per_hand"]
Per = Literal["hand", "betting_spot", "base_wager", "player"]
Moment = Literal["before_deal", "before_dice_open", "after_initial_deal"]
BetweenBands = Literal["next", "lower"]
"""Which band takes an amount between two printed ones ($100.50): the next, or the one below. A room's own reading."""
OnVoid = Literal["kept", "floor_decides", "returned"]
"""What becomes of a fee that was taken when the round is void."""


class FeeRow(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One band of a ladder, as printed."""

    payer: Payer
    basis: Basis
    fee: int
    per: Per | None = None
    """What one fee is charged for; absent: a player's own wager pays for itself, every other basis once a hand."""
    lowest: int | None = msgspec.field(default=None, name="from")
    highest: int | None = msgspec.field(default=None, name="to")
    wager_includes: tuple[str, ...] = ()
    reading: bool = False
    printed: str = ""
    alternate_basis: str = ""
    """Another basis that the document also supports; kept for the cardroom, not used."""


class Schedule(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One posted option: the games it serves, the table limits it belongs to, and its fees."""

    id: str
    games: tuple[str, ...]
    fee: tuple[FeeRow, ...]
    collect_at: Moment
    table_min: int
    table_max: int | None = None
    """None: no limit above."""
    option: str = ""
    source: str = ""
    action_includes: tuple[str, ...] = ("base",)
    """What total table action adds up: classes (base, bonus) or single wagers by name."""
    wager_includes: tuple[str, ...] = ("base",)
    """What a player's own wager is, where a row does not say otherwise."""
    between_bands: BetweenBands = "next"
    on_void: OnVoid = "floor_decides"
    set: str = ""
    gega: tuple[str, ...] = ()
    document: str = ""
    date: str = ""
    limit_on: Literal["wager", "seat"] = "wager"
    spot_max: int | None = None
    spots_per_seat: int | None = None
    note: str = ""

    @property
    def wager_max(self) -> int | None:
        """The most one wager may be: where the posted limit bounds a seat, a circle has its own."""
        return self.table_max if self.spot_max is None else self.spot_max


class Stake(NamedTuple):
    """One wager that is down when betting closes."""

    bettor: Place
    wager: str
    counts_as: str
    """Its class: base, bonus, dealer_tip."""
    cents: int


class NoRate(Exception):
    """An amount below the first band: the table minimum should have stopped the wager."""


@dataclass
class Due:
    """What a hand owes, and to whose account."""

    player_dealer: int = 0
    players: dict[Place, int] = field(default_factory=dict)
    by_wager: list[int] = field(default_factory=list)
    """By stake, in the order given, where a ladder charges each wager."""
    action: int | None = None
    """Total table action, where the schedule has that basis."""

    @property
    def total(self) -> int:
        return self.player_dealer + sum(self.players.values())

    def document(self) -> dict[str, Any]:
        """In the words of the case format."""
        return {"player_dealer": self.player_dealer, "players": self.players, "boxes": {"collection": self.total}}


def assess(schedule: Schedule, stakes: Sequence[Stake], bank: Iterable[int] = ()) -> Due:
    """What is due from whom for one hand; nothing where no wager is down."""
    due = Due(by_wager=[0] * len(stakes))
    if any(row.basis == "total_table_action" for row in schedule.fee):
        due.action = _sum(stakes, schedule.action_includes)
    if not stakes:
        return due
    amounts = {"total_table_action": due.action or 0, "player_dealer_wager": sum(bank), "per_hand": 0}
    for ladder in ladders(schedule):
        if ladder.payer == "player_dealer":
            due.player_dealer += ladder.fee(amounts[ladder.basis])
        elif ladder.basis != "player_wager":
            for bettor in _bettors(stakes):
                _charge(due, bettor, ladder.fee(amounts[ladder.basis]))
        elif ladder.per == "player":
            for bettor in _bettors(stakes):
                own = _sum((stake for stake in stakes if stake.bettor == bettor), ladder.wager_includes)
                if own:
                    _charge(due, bettor, ladder.fee(own))
        else:
            for index, stake in enumerate(stakes):
                if _is_in(stake, ladder.wager_includes):
                    fee = ladder.fee(stake.cents)
                    due.by_wager[index] += fee
                    _charge(due, stake.bettor, fee)
    return due


class Ladder(NamedTuple):
    """The bands of one payer and basis, lowest first."""

    payer: Payer
    basis: Basis
    per: Per | None
    wager_includes: tuple[str, ...]
    rows: tuple[FeeRow, ...]
    between_bands: BetweenBands

    def fee(self, amount: int) -> int:
        """The fee of the band that takes this amount; above the last printed top, the last band's."""
        if self.rows[0].lowest is not None and amount < self.rows[0].lowest:
            raise NoRate(f"no fee is posted for {amount} cents; the lowest band begins at {self.rows[0].lowest}")
        for row, above in zip(self.rows, self.rows[1:], strict=False):
            top = row.highest
            if self.between_bands == "lower" and above.lowest is not None:
                top = above.lowest - 1
            if top is None or amount <= top:
                return row.fee
        return self.rows[-1].fee


def ladders(schedule: Schedule) -> Iterator[Ladder]:
    """The schedule's rows by payer and basis, in the order of printing."""

    def kind(row: FeeRow) -> tuple[Payer, Basis, Per | None, tuple[str, ...]]:
        return row.payer, row.basis, row.per, row.wager_includes

    for (payer, basis, per, includes), rows in groupby(schedule.fee, kind):
        yield Ladder(payer, basis, per, includes or schedule.wager_includes, tuple(rows), schedule.between_bands)


def _charge(due: Due, bettor: Place, cents: int) -> None:
    if cents:
        due.players[bettor] = due.players.get(bettor, 0) + cents


def _bettors(stakes: Sequence[Stake]) -> list[Place]:
    return list(dict.fromkeys(stake.bettor for stake in stakes))


def _sum(stakes: Iterable[Stake], includes: Sequence[str]) -> int:
    return sum(stake.cents for stake in stakes if _is_in(stake, includes))


def _is_in(stake: Stake, includes: Sequence[str]) -> bool:
    return stake.counts_as in includes or stake.wager in includes
