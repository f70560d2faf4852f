"""A posted collection schedule, as values: the games it serves, its limits, its fee rows, and how its room reads them.

A fee is a look-up, never a percentage: an amount or a count in, cents out. Rows of one payer, basis and kind make a
`Ladder`; what the documents leave open (which band takes $100.50, what becomes of the fee of a void hand, who may
waive it) is a field of the schedule with the room's reading in it, never a constant here. What the house itself posts
beside the schedule (the rate in force, the interval of a time fee) is in `House`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

Payer = Literal["player", "player_dealer", "pot", "button", "first_action_player"]
Basis = Literal[
    "player_wager",
    "total_table_action",
    "player_dealer_wager",
    "bonus_wager",
    "per_spot",
    "per_hand",
    "players_dealt",
    "per_time",
    "unspecified",
]
Per = Literal["hand", "betting_spot", "base_wager", "player"]
Moment = Literal[
    "before_deal",
    "before_dice_open",
    "dice_read",
    "after_initial_deal",
    "before_player_dealer_exposed",
    "before_settlement",
]
"""When fees are taken in a game with a player-dealer; `dice_read` is for the row of the player with first action."""
When = Literal[
    "first_betting_opens",
    "betting_1_closed",
    "betting_2_closed",
    "end_of_first_betting_round",
    "first_up_card",
    "third_up_card",
    "third_card",
    "fifth_card",
    "flop_dealt",
    "river_dealt",
    "flop_to_award",
    "no_flop",
    "ended_before_betting_1_closed",
    "ended_before_betting_2",
    "per_30_minutes",
    "per_60_minutes",
    "always",
]
"""When a row of a pot or time fee falls due."""
BetweenBands = Literal["next", "lower"]
"""Which band takes an amount between two printed ones ($100.50): the next, or the one below. A room's own reading."""
BelowBands = Literal["refused", "first"]
"""An amount below the first band: nothing is posted for it, or the first band takes it."""
OnVoid = Literal["kept", "floor_decides", "returned"]
"""What becomes of a fee that was taken when the round is void."""
FeeColumns = Literal["early_regular_late", "early_late_regular"]
"""What the three columns of a table are whose headings are lost."""
FeeTier = Literal["base_wager", "with_bonus"]
"""Which amount decides a player's band: each base wager for itself, or all that he wagers, the bonus bet included."""
BracketBasis = Literal["circle", "table"]
"""What the brackets of a circle's fee count: the wager in it, or all wagers on the table."""
DropPayer = Literal["pot", "button"]
"""Who pays a fee by the number of players: the pot, or the button, with a dead blind before the deal."""
NoFlop = Literal["charged", "free"]
"""Whether a hand without a flop pays the pot's fee."""
InsuranceInAction = Literal["not_counted", "counted"]
Waiver = Literal["none", "before_first_card", "before_player_dealer_exposed"]
"""Until when the floor may waive the fees of a hand; none: the documents have no such rule."""
NoAction = Literal["kept", "free_collection_button"]
"""What a bettor gets whose wager found no action: nothing, or a button that pays his fee of the next hand."""
Dropped = Literal["after_pot_pushed", "at_once"]
"""When the money of a pot fee goes down the slot."""
TimeFrom = Literal["game_start", "marks"]
"""Time fees fall due every n minutes of play, or at the clock's own marks, free up to the first one."""

COLLECTION, JACKPOT = "collection", "jackpot"

OPEN_POINTS = (
    "between_bands",
    "below_bands",
    "on_void",
    "fee_columns",
    "fee_tier",
    "bracket_basis",
    "drop_payer",
    "no_flop",
    "insurance_in_action",
)
"""Fields of a schedule that a house may read otherwise, where its document leaves the point open."""


class FeeRow(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One row, as printed."""

    payer: Payer
    basis: Basis
    fee: int | None = None
    """None: the document has lost the amount, and the house has to state it."""
    per: Per | None = None
    """What one fee is charged for; absent: a player's own wager pays for itself, every other basis once a hand."""
    lowest: int | None = msgspec.field(default=None, name="from")
    """Cents, or players where the basis counts them."""
    highest: int | None = msgspec.field(default=None, name="to")
    kind: str = ""
    """The document's name of the fee. Rows of kind `additional` are added to those of kind `base`."""
    when: When | None = None
    owed_from: When | None = None
    """Owed once this is reached, although it is taken later: a hand that ends in between pays it at its end."""
    drop: Literal["jackpot"] | None = None
    rate: int | None = None
    wager: str = ""
    """Which bonus wager, where the basis is one."""
    wager_includes: tuple[str, ...] = ()
    minutes: int | None = None
    players_from: int | None = None
    """Nothing is due with fewer players than this."""
    shortfall: Literal["carry"] | None = None
    """An unpaid rest is taken from later betting rounds; absent: what is there is taken, and that is all."""
    lost: bool = False
    reading: bool = False
    printed: str = ""
    printed_from: int | None = None
    printed_to: int | None = None
    basis_printed: str = ""
    alternate_basis: str = ""
    """Another basis that the document also supports; kept for the cardroom, not used."""

    @property
    def box(self) -> str:
        """Jackpot money has a box of its own, also where a document does not name it."""
        return JACKPOT if JACKPOT in (self.drop, self.kind) else COLLECTION

    def serves(self, players: int | None) -> bool:
        """Whether a row by the number of players is for this number; None: the number is not known."""
        if self.basis != "players_dealt" or players is None:
            return True
        return (self.lowest is None or self.lowest <= players) and (self.highest is None or players <= self.highest)


class PrintedRule(Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence of the document, and its lines."""

    text: str
    lines: str


class House(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the house posts beside a schedule that leaves it open."""

    rate: int | None = None
    """Which of the printed rates is in force."""
    minutes: int | None = None
    """Which interval of a time fee; where a fee has no unit at all, this makes it one."""
    per_hand: bool = False
    """A fee without a printed unit is charged every hand."""
    missing_fee: int | None = None
    """Cents of a fee whose amount the document has lost."""
    jackpot_minimum_hands: int | None = None
    """Fewer hands with a wager than this: no jackpot hand, no jackpot fee."""
    position_limit: int | None = None
    """All wagers on one position together, cents."""
    strict: bool = False
    """Refuse a schedule that rests on a reading."""
    between_bands: BetweenBands | None = None
    """Where the house reads the file's point of this name otherwise; the same holds for all that follow."""
    below_bands: BelowBands | None = None
    on_void: OnVoid | None = None
    fee_columns: FeeColumns | None = None
    fee_tier: FeeTier | None = None
    bracket_basis: BracketBasis | None = None
    drop_payer: DropPayer | None = None
    no_flop: NoFlop | None = None
    insurance_in_action: InsuranceInAction | None = None


class GameReading(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a schedule that serves several games is read for one of them."""

    collect_at: Moment | None = None
    waiver: Waiver | None = None
    no_action: NoAction | None = None
    dropped: Dropped | None = None


class Schedule(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One posted option: the games it serves, the table limits it belongs to, and its fees."""

    id: str
    games: tuple[str, ...]
    fee: tuple[FeeRow, ...]
    collect_at: Moment | None = None
    """None: every row has a moment of its own."""
    table_min: int = 0
    """Least a wager may be, in games with a player-dealer."""
    table_max: int | None = None
    """None: no limit above."""
    option: str = ""
    source: str = ""
    action_includes: tuple[str, ...] = ("base",)
    """What total table action adds up: classes (base, bonus) or single wagers by name."""
    wager_includes: tuple[str, ...] = ("base",)
    """What a player's own wager is, where a row does not state it."""

    between_bands: BetweenBands = "next"
    below_bands: BelowBands = "refused"
    on_void: OnVoid = "floor_decides"
    fee_columns: FeeColumns = "early_regular_late"
    fee_tier: FeeTier = "base_wager"
    bracket_basis: BracketBasis = "circle"
    drop_payer: DropPayer = "pot"
    no_flop: NoFlop = "charged"
    insurance_in_action: InsuranceInAction = "not_counted"
    waiver: Waiver = "none"
    no_action: NoAction = "kept"
    time_from: TimeFrom = "game_start"
    dropped: Dropped | None = None
    by_game: dict[str, GameReading] = {}

    set: str = ""
    gega: tuple[str, ...] = ()
    document: str = ""
    date: str = ""
    revision: int | None = None
    default: bool | None = None
    kind: Literal["time", "per_hand"] | None = None
    """The document's name of all rows that have none of their own."""
    limit_on: Literal["wager", "betting_spot", "seat"] = "wager"
    spot_max: int | None = None
    spots_per_seat: int | None = None
    limits_bind: bool = False
    """The document itself states that a wager outside the limits is refused and pays no fee."""
    wager_step: int = 1
    off_step: tuple[int, ...] = ()
    """Amounts that are legal although they are no step."""
    bonus: str = ""
    bonus_min: int | None = None
    bonus_max: int | None = None
    bonus_rate: str = ""
    bonus_per: Literal["position", "regular_wager"] | None = None
    """How many bonus wagers a player may have: one on a position, or one for each regular wager."""
    jackpot_fee: int | None = None
    jackpot_rules: tuple[PrintedRule, ...] = ()
    """What the document prints about the jackpot beside its fee."""

    structure: Literal["limit", "no_limit", "no_limit_or_pot_limit"] | None = None
    stakes: tuple[int, int] | None = None
    stakes_from: tuple[int, int] | None = None
    stakes_to: tuple[int, int] | None = None
    spread: tuple[int, int] | None = None
    bets: tuple[int, ...] = ()
    min_bet: int | None = None
    open_limit: bool | None = None
    blinds: tuple[int, int] | None = None
    ante: int | None = None
    kondition: int | None = None
    point: int | None = None
    buy_in_min: int | None = None
    buy_in_max: int | None = None
    columns: tuple[str, ...] = ()

    fee_unknown: bool = False
    reading: bool = False
    note: str = ""
    printed: str = ""
    printed_option: str = ""
    printed_table_min: int | None = None
    printed_bonus_min: int | None = None
    house: House = House()

    @property
    def wager_max(self) -> int | None:
        """The most one wager may be: where the posted limit bounds a seat, a circle has its own."""
        return self.table_max if self.spot_max is None else self.spot_max

    @property
    def is_banked(self) -> bool:
        """Fees of a game with wagers against a player-dealer, all taken at one moment."""
        return bool(self.table_min)

    @property
    def takes_jackpot_fee(self) -> bool:
        return any(row.box == JACKPOT for row in self.fee)

    @property
    def printed_jackpot_rules(self) -> tuple[PrintedRule, ...]:
        """What the document prints about jackpots; nothing where no fee is taken for one."""
        return self.jackpot_rules if self.takes_jackpot_fee else ()

    @property
    def has_time_fee(self) -> bool:
        return any(row.basis in ("per_time", "unspecified") for row in self.fee)

    def for_game(self, game: str) -> Schedule:
        """The schedule as its room reads it for one of its games."""
        reading = self.by_game.get(game)
        if reading is None:
            return self
        return replace(
            self,
            collect_at=reading.collect_at or self.collect_at,
            waiver=reading.waiver or self.waiver,
            no_action=reading.no_action or self.no_action,
            dropped=reading.dropped or self.dropped,
        )

    def kind_of(self, row: FeeRow) -> str:
        """The fee's name where the row has none: the schedule's, or the column's (turlock-collections)."""
        return row.kind or self.kind or {"no_flop": "modified", "flop_dealt": "player"}.get(row.when or "", row.basis)

    def moment_of(self, row: FeeRow) -> str:
        """When the row's money is taken."""
        if row.payer == "first_action_player":
            return "dice_read"
        if row.basis == "per_time":
            return row.when or f"per_{row.minutes}_minutes"
        if row.when is not None and row.when != "always":
            return row.when
        return self.collect_at or ("award" if row.payer == "pot" else "before_deal")

    def takes_at(self, moment: str) -> bool:
        """Whether money is taken at this moment, by a row that counts at this table."""
        return any(self.moment_of(row) == moment for _, row in self.in_force())

    def in_force(self) -> Iterator[tuple[int, FeeRow]]:
        """The rows that count at this table, each with its number: of the posted rate and interval."""
        for number, row in enumerate(self.fee):
            if row.rate is not None and row.rate != self.house.rate:
                continue
            if row.basis == "per_time" and self.house.minutes not in (None, row.minutes):
                continue
            yield number, row

    def cents(self, row: FeeRow) -> int:
        """The row's fee; what the document has lost, the house states, or nothing is taken."""
        return row.fee if row.fee is not None else self.house.missing_fee or 0


class NoRate(Exception):
    """An amount for which nothing is posted: the table minimum should have stopped the wager."""


class Ladder(NamedTuple):
    """The bands of one payer, basis and kind, lowest first."""

    payer: Payer
    basis: Basis
    per: Per | None
    wager_includes: tuple[str, ...]
    kind: str
    when: When | None
    rate: int | None
    wager: str
    rows: tuple[tuple[int, FeeRow], ...]
    """Each with its number in the schedule."""
    between_bands: BetweenBands
    below_bands: BelowBands

    def band(self, amount: int) -> tuple[int, FeeRow] | None:
        """The band that takes this amount; above the last printed top, the last. None where nothing is added."""
        if self.basis == "players_dealt":
            return self._for_players(amount)
        first = self.rows[0][1].lowest
        if first is not None and amount < first:
            if self.kind == "additional":
                return None
            if self.below_bands == "refused":
                raise NoRate(f"no fee is posted for {amount} cents; the lowest band begins at {first}")
        for (number, row), (_, above) in zip(self.rows, self.rows[1:], strict=False):
            top = row.highest
            if self.between_bands == "lower" and above.lowest is not None:
                top = above.lowest - 1
            if top is None or amount <= top:
                return number, row
        return self.rows[-1]

    def _for_players(self, players: int) -> tuple[int, FeeRow]:
        """The row for this number of players, in whatever order they are printed."""
        for number, row in self.rows:
            if row.serves(players):
                return number, row
        raise NoRate(f"no fee is posted for {players} players")


def ladders(schedule: Schedule) -> Iterator[Ladder]:
    """The schedule's rows in force by payer, basis and kind, in the order of printing."""

    def sort(numbered: tuple[int, FeeRow]) -> tuple[object, ...]:
        row = numbered[1]
        return (row.payer, row.basis, row.per, row.wager_includes, row.kind, row.when, row.rate, row.wager, row.drop)

    for _, rows in groupby(schedule.in_force(), sort):
        numbered = tuple(rows)
        row = numbered[0][1]
        yield Ladder(
            row.payer,
            row.basis,
            row.per,
            row.wager_includes or schedule.wager_includes,
            row.kind,
            row.when,
            row.rate,
            row.wager,
            numbered,
            schedule.between_bands,
            schedule.below_bands,
        )
