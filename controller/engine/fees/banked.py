"""Player-dealer games: what a hand owes when betting closes.

Pure: wagers, the player-dealer's money and who acts first go in, charges come out. The bases are fixed when betting
closes, so nothing that happens later (a double, a push, a wager without cover) changes what is due.

    >>> from controller.engine.fees.schedule import FeeRow
    >>> ladder = [FeeRow("player", "player_wager", 100, lowest=1000, highest=10000),
    ...           FeeRow("player", "player_wager", 200, lowest=10100, highest=20000)]
    >>> posted = Schedule("posted/1", ("pai-gow",), tuple(ladder), "before_deal", 1000, 20000)
    >>> due = assess(posted, [Stake(1, "base", "base", 10000), Stake(3, "base", "base", 10050)])
    >>> due.players, due.total
    ({1: 100, 3: 200}, 300)

The second wager is between two printed bands: the first ends at its printed top, so the next one takes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from controller.engine.fees.schedule import JACKPOT, Ladder, Schedule, ladders
from controller.engine.inputs import Place


class Stake(NamedTuple):
    """One wager that is down when betting closes."""

    bettor: Place
    wager: str
    counts_as: str
    """Its class: base, bonus, dealer_tip."""
    cents: int
    spot: Place | None = None
    """Where it lies, if not on the bettor's own place: a back-line wager."""

    @property
    def position(self) -> Place:
        return self.bettor if self.spot is None else self.spot


class Charge(NamedTuple):
    """One fee of one payer, by one row of the schedule."""

    payer: str
    """`player_dealer`, `player` or `pot`."""
    place: Place | None
    row: int
    cents: int
    box: str
    kind: str
    moment: str
    stake: int | None = None
    """Which wager it is for, where a ladder charges each wager."""


@dataclass
class Due:
    """What a hand owes, and to whose account."""

    charges: list[Charge] = field(default_factory=list)
    stakes: int = 0
    action: int | None = None
    """Total table action, where the schedule has that basis."""

    @property
    def player_dealer(self) -> int:
        return sum(charge.cents for charge in self.charges if charge.payer == "player_dealer")

    @property
    def players(self) -> dict[Place, int]:
        owed: dict[Place, int] = {}
        for charge in self.charges:
            if charge.payer == "player" and charge.cents:
                assert charge.place is not None
                owed[charge.place] = owed.get(charge.place, 0) + charge.cents
        return owed

    @property
    def by_wager(self) -> list[int]:
        """By stake, in the order given, where a ladder charges each wager."""
        fees = [0] * self.stakes
        for charge in self.charges:
            if charge.stake is not None:
                fees[charge.stake] += charge.cents
        return fees

    @property
    def boxes(self) -> dict[str, int]:
        return by_box(self.charges)

    @property
    def total(self) -> int:
        return sum(charge.cents for charge in self.charges)

    def owed(self) -> Iterator[Charge]:
        """One charge for each payer and row, the player-dealer's first; rows that cost nothing are left out."""
        merged: dict[tuple[object, ...], Charge] = {}
        for charge in sorted(self.charges, key=lambda charge: charge.payer != "player_dealer"):
            key = charge.payer, charge.place, charge.row
            known = merged.get(key)
            cents = charge.cents + (0 if known is None else known.cents)
            merged[key] = charge._replace(cents=cents, stake=None)
        return (charge for charge in merged.values() if charge.cents)

    def spare(self, is_spared: Callable[[Charge], bool]) -> None:
        """Take out the charges that somebody need not pay."""
        self.charges = [charge for charge in self.charges if not is_spared(charge)]

    def document(self) -> dict[str, Any]:
        """In the words of the case format."""
        return {"player_dealer": self.player_dealer, "players": self.players, "boxes": self.boxes}


def by_box(charges: Iterable[Charge]) -> dict[str, int]:
    """Cents into each drop box; the collection box is always named."""
    boxes = {"collection": 0}
    for charge in charges:
        if charge.cents:
            boxes[charge.box] = boxes.get(charge.box, 0) + charge.cents
    return boxes


PLAYER_DEALER_WAGER = "player_dealer_wager"


def assess(
    schedule: Schedule,
    stakes: Sequence[Stake],
    bank: Iterable[int] | None = (),
    *,
    dealt: Iterable[Place] = (),
    first_action: Place | None = None,
    button: Place | None = None,
) -> Due:
    """What is due from whom for one hand; nothing where no wager is down and nobody is dealt in.

    `bank`: the player-dealer's wager by spot; None where nobody recorded it, and what rests on it is left out.
    `dealt`: who is in the hand where no wager says so. Rows for the player with first action wait until he is known.
    """
    due = Due(stakes=len(stakes))
    if any(row.basis == "total_table_action" for _, row in schedule.in_force()):
        due.action = total_action(schedule, stakes)
    bettors: list[Place] = list(dict.fromkeys([*(stake.bettor for stake in stakes), *dealt]))
    if not bettors and button is None:
        return due
    amounts = {"total_table_action": due.action or 0, "per_hand": 0, "players_dealt": len(bettors)}
    if bank is not None:
        amounts[PLAYER_DEALER_WAGER] = sum(bank)
    for ladder in ladders(schedule):
        if ladder.basis == "per_time" or (ladder.basis not in amounts and ladder.payer != "player"):
            continue
        if ladder.kind == JACKPOT and not is_jackpot_hand(schedule, stakes):
            continue
        match ladder.payer:
            case "player_dealer":
                due.charges += _charged(schedule, ladder, amounts[ladder.basis])
            case "button" if button is not None:
                due.charges += _charged(schedule, ladder, amounts[ladder.basis], button)
            case "first_action_player" if first_action is not None:
                due.charges += _charged(schedule, ladder, amounts[ladder.basis], first_action)
            case "player" if ladder.basis == "total_table_action" and ladder.per == "betting_spot":
                for index, stake in enumerate(stakes):
                    if _is_in(stake, ladder.wager_includes):
                        due.charges += _charged(schedule, ladder, amounts[ladder.basis], stake.bettor, index)
            case "player" if ladder.basis in amounts or _is_charged_per_hand(schedule, ladder):
                for bettor in bettors:
                    due.charges += _charged(schedule, ladder, amounts.get(ladder.basis, 0), bettor)
            case "player" if ladder.per == "player":
                for bettor in bettors:
                    own = _sum((stake for stake in stakes if stake.bettor == bettor), ladder.wager_includes)
                    if own:
                        due.charges += _charged(schedule, ladder, own, bettor)
            case "player":
                for index, stake in enumerate(stakes):
                    if _pays_for_itself(stake, ladder):
                        due.charges += _charged(schedule, ladder, stake.cents, stake.bettor, index)
    return due


def total_action(schedule: Schedule, stakes: Iterable[Stake]) -> int:
    """Total table action, as this schedule defines it."""
    return _sum(stakes, schedule.action_includes)


def hands_with_wager(stakes: Iterable[Stake]) -> int:
    """Positions with a player's wager; the player-dealer's own hand is none (calgrand-collections, R9).

    All squares of a position, "4" and "4.2", have one hand.
    """
    return len({position_of(stake) for stake in stakes})


def position_of(stake: Stake) -> str:
    """The seat whose hand the wager is on. Who placed it, and on which of the seat's squares, does not matter."""
    return str(stake.position).partition(".")[0]


def is_jackpot_hand(schedule: Schedule, stakes: Iterable[Stake]) -> bool:
    """Enough hands for the jackpot; with fewer, no jackpot fee is taken and nobody is eligible."""
    least = schedule.house.jackpot_minimum_hands
    return least is None or hands_with_wager(stakes) >= least


def _charged(
    schedule: Schedule, ladder: Ladder, amount: int, place: Place | None = None, stake: int | None = None
) -> list[Charge]:
    """The player-dealer's charge, or that of a place."""
    found = ladder.band(amount)
    if found is None:
        return []
    number, row = found
    payer = "player_dealer" if place is None else "player"
    moment, kind = schedule.moment_of(row), schedule.kind_of(row)
    return [Charge(payer, place, number, schedule.cents(row), row.box, kind, moment, stake)]


def _is_charged_per_hand(schedule: Schedule, ladder: Ladder) -> bool:
    return ladder.basis == "unspecified" and schedule.house.per_hand


def _pays_for_itself(stake: Stake, ladder: Ladder) -> bool:
    match ladder.basis:
        case "player_wager":
            return _is_in(stake, ladder.wager_includes)
        case "per_spot":
            return stake.counts_as == "base"
        case "bonus_wager":
            return stake.wager == ladder.wager
    return False


def _sum(stakes: Iterable[Stake], includes: Sequence[str]) -> int:
    return sum(stake.cents for stake in stakes if _is_in(stake, includes))


def _is_in(stake: Stake, includes: Sequence[str]) -> bool:
    return stake.counts_as in includes or stake.wager in includes
