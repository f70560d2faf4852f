"""Worked fee cases (`<cardroom>-collections.yaml`): one schedule, what was wagered or reached, and what is due.

The case has everything the evaluator needs, so no game is played: wagers and bank for a game with a player-dealer,
the moments of the hand for a pot game, the clock for a time fee. The classes of wagers (base, bonus) are those of the
rulebook's tables; a case may use the class itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from controller.cases.compare import differences
from controller.cases.fee_form import fee_slip
from controller.cases.form_parts import stopped_by
from controller.cases.notation import TIPS
from controller.engine.bets.wagers import DEALER_TIP
from controller.engine.fees.banked import (
    Charge,
    Due,
    Stake,
    assess,
    by_box,
    hands_with_wager,
    is_jackpot_hand,
    position_of,
)
from controller.engine.fees.clock import MINUTE, first_due, time_charges, time_row
from controller.engine.fees.limits import not_legal
from controller.engine.fees.open_points import INSURANCE
from controller.engine.fees.pot import PotFees
from controller.engine.fees.schedule import COLLECTION, OPEN_POINTS, House, NoRate, Schedule
from controller.engine.inputs import Place
from controller.engine.reading import Unreadable, read_plain
from controller.rules.errors import RulesError
from controller.rules.schedules import not_ready, posted, read_by_house

Case = Mapping[str, Any]

BASE = frozenset(
    {
        "base",
        "main",
        "ante",
        "blind",
        "pai_gow",
        "player_line",
        "banker_line",
        "dealer_line",
        "kum_kum",
        "n_way",
        "game",
        "wager",
    }
)
"""Wagers of the base class; tips and insurance are classes of their own, any other is a bonus (README of the
collections)."""
FLOP_GAMES = ("holdem", "omaha", "pineapple")
OVER = ("ended", "showdown")
BOARD = {"flop_dealt": 1, "turn_dealt": 2, "river_dealt": 3}
"""How many betting rounds are over when the card lies there."""
DAY = 24 * 60


def is_fee_file(game: str) -> bool:
    return game.endswith("-collections")


def run_fee_case(game: str, case: Case) -> list[str]:
    """One line per mismatch: field, expected, got. Empty where the case passes."""
    if (wrong := fee_slip(case)) is not None:
        return [wrong]
    try:
        got = document(game.removesuffix("-collections"), case)
    except Exception as error:  # a case must never stop the run, whatever is in it
        return [stopped_by(error)]
    return differences(case["expect"], got)


def document(cardroom: str, case: Case) -> dict[str, Any]:
    """What the schedule charges in the case, in the words of the case format."""
    schedule = _schedule(cardroom, case)
    if "time" in case:
        return _time(schedule, case["time"])
    if any(row.payer == "pot" for row in schedule.fee):
        return _pot(schedule, case)
    return _banked(schedule, case)


def _schedule(cardroom: str, case: Case) -> Schedule:
    found = posted(str(case["schedule"]))
    if found.cardroom != cardroom:
        raise RulesError(f"{case['schedule']} is no schedule of {cardroom}")
    options, timed = case.get("options") or {}, case.get("time") or {}
    posted_beside = {
        "rate": options.get("rate"),
        "minutes": timed.get("interval_minutes", options.get("minutes")),
        "missing_fee": _lost_amount(found.schedule, options, timed),
        "jackpot_minimum_hands": options.get("jackpot_minimum_hands"),
        "position_limit": options.get("position_limit"),
        "per_hand": "hand" in (options.get("per"), options.get("interval")),
        **{name: options[name] for name in OPEN_POINTS if name in options},
    }
    try:
        house = read_plain(posted_beside, House)
    except Unreadable as error:
        raise RulesError(f"options: {error}") from None
    game = _game(found.schedule, case)
    ready = read_by_house(replace(found.schedule.for_game(game), house=house), found.readings, game)
    for problem in not_ready(ready):
        raise RulesError(problem)
    return ready


def _lost_amount(schedule: Schedule, options: Mapping[str, Any], timed: Mapping[str, Any]) -> int | None:
    """What the house posts for an amount that the document has lost; with too few players any amount is nothing."""
    posted_fee: int | None = options.get("late_fee", options.get("missing_fee"))
    if posted_fee is not None or not (timed and schedule.fee_unknown):
        return posted_fee
    least = max(row.players_from or 0 for row in schedule.fee)
    return 0 if all(len(seats) < least for _, seats, _ in _intervals(schedule, timed)) else None


def _game(schedule: Schedule, case: Case) -> str:
    return str((case.get("options") or {}).get("game", schedule.games[0]))


# Games with a player-dealer, and fees of players that no wager decides


def _banked(schedule: Schedule, case: Case) -> dict[str, Any]:
    options = case.get("options") or {}
    stakes = [_stake(entry) for entry in case.get("wagers") or ()]
    refused = not_legal(schedule, stakes)
    illegal = {item.wager for item in refused}
    counted = [stake for index, stake in enumerate(stakes) if index not in illegal]
    try:
        due = assess(
            schedule,
            counted,
            _bank(case),
            dealt=_dealt(case),
            first_action=_first_action(options.get("first_action_seat"), counted),
            button=_button(schedule, case),
        )
    except NoRate:
        if schedule.limits_bind:
            raise
        # The table minimum should have stopped the wager (README of the collections, 2).
        return _banked(replace(schedule, limits_bind=True), case)
    free = [str(bettor) for bettor in options.get("free_collection") or ()]
    due.spare(lambda charge: charge.box == COLLECTION and str(charge.place) in free)
    waived = _is_waived(schedule, case)
    parts = _parts(due, waived)
    if waived:
        due.spare(lambda _: True)
    fees = iter(due.by_wager)
    return {
        "action": due.action,
        "fees": due.document(),
        "by_wager": [0 if index in illegal else next(fees) for index in range(len(stakes))],
        "boxes": due.boxes,
        "collect_at": schedule.collect_at,
        "refused": [{"wager": item.wager, "why": item.why} for item in refused],
        "more": {
            "player_dealer_parts": parts,
            "jackpot": _jackpot(schedule, due.charges),
            "collected": due.total,
            "hands_with_wager": hands_with_wager(counted),
            "jackpot_hand": any(row.kind == "jackpot" for row in schedule.fee) and is_jackpot_hand(schedule, counted),
            "waived": waived,
            "drop": schedule.dropped or schedule.collect_at,
            "refunds": {},
            "free_collection": _free_buttons(schedule, options.get("no_action") or ()),
            **_buy_in(schedule),
        },
    }


def _bank(case: Case) -> Sequence[int]:
    """The player-dealer's wager by spot; one of them may stand without its list."""
    bank = case.get("bank") or ()
    return (bank,) if isinstance(bank, int) else bank


def _dealt(case: Case) -> Sequence[Place]:
    """Who is in the hand where no wager says so: those seats, else everybody seated, else a number of them."""
    options, table = case.get("options") or {}, case.get("table") or {}
    seats = options.get("seats_dealt")
    if seats is None and not case.get("wagers"):
        seats = options.get("seated", table.get("seats", case.get("players_dealt")))
    return range(1, seats + 1) if isinstance(seats, int) else seats or ()


def _first_action(seat: Place | None, stakes: Sequence[Stake]) -> Place | None:
    """The player whose wager is acted on first: the one in the seat, or who bets behind it where it has none."""
    named = str(seat)
    for is_his in (
        lambda stake: str(stake.bettor) == named,
        lambda stake: str(stake.position) == named,
        lambda stake: position_of(stake) == named,
    ):
        for stake in filter(is_his, stakes):
            return stake.bettor
    return seat


def _button(schedule: Schedule, case: Case) -> Place | None:
    """Who has the button where its seat pays; a case that does not name it asks for the amount alone."""
    if all(row.payer != "button" for row in schedule.fee):
        return None
    for part in (case, case.get("options") or {}, case.get("table") or {}):
        if "button" in part:
            seat: Place = part["button"]
            return seat
    return "button"


def _stake(entry: Mapping[str, Any]) -> Stake:
    wager = str(entry["wager"])
    is_tip = wager in (DEALER_TIP, *TIPS)
    counts_as = "base" if wager in BASE else DEALER_TIP if is_tip else wager if wager == INSURANCE else "bonus"
    return Stake(entry["bettor"], wager, counts_as, entry["cents"], entry.get("spot"))


def _is_waived(schedule: Schedule, case: Case) -> bool:
    """Whether the floor waived the collection while the schedule's room still lets it."""
    for entry in case.get("later") or ():
        if entry.get("floor") != "waive" or schedule.waiver == "none":
            continue
        when = str(entry.get("when", "before_deal"))
        is_open = when.startswith("after") and when.endswith("exposed") and "before" not in when
        if schedule.waiver == "before_player_dealer_exposed" and not (is_open or "settle" in when):
            return True
        if when.startswith("before") and not ("exposed" in when or "settle" in when):
            return True
    return False


def _parts(due: Due, waived: bool) -> dict[str, int]:
    """The player-dealer's fee by kind; what has no kind is the base."""
    parts = {"base": 0, "additional": 0, "jackpot": 0}
    for charge in due.charges:
        if charge.payer == "player_dealer" and not waived:
            parts[
                "jackpot" if charge.box == "jackpot" else "additional" if charge.kind == "additional" else "base"
            ] += charge.cents
    return parts


def _jackpot(schedule: Schedule, charges: Sequence[Charge]) -> dict[str, int]:
    paid: dict[str, int] = {}
    for charge in charges:
        if charge.box == "jackpot":
            payer = schedule.fee[charge.row].payer
            paid[payer] = paid.get(payer, 0) + charge.cents
    return paid


def _free_buttons(schedule: Schedule, no_action: Sequence[Mapping[str, Any]]) -> list[Place]:
    if schedule.no_action != "free_collection_button":
        return []
    return list(dict.fromkeys(entry["bettor"] for entry in no_action))


def _buy_in(schedule: Schedule) -> dict[str, int | None]:
    return {"min_buy_in": schedule.buy_in_min, "max_buy_in": schedule.buy_in_max}


# Pot games


def _pot(schedule: Schedule, case: Case) -> dict[str, Any]:
    options = case.get("options") or {}
    game = _game(schedule, case)
    fees = PotFees(schedule, case.get("players_dealt"), flop=any(word in game for word in FLOP_GAMES))
    money = _PotMoney(options)
    for moment in case.get("reached") or ():
        if moment == "misdeal":
            fees.misdeal()
        elif moment in OVER:
            fees.ended(moment, money.at(moment))
        else:
            fees.reached(moment, money.at(moment))
    charges = fees.charges()
    takes = [{"at": take.at, "cents": take.cents, "still_due": take.still_due} for take in fees.takes]
    more: dict[str, Any] = {"drop": schedule.dropped, "takes": takes, "collected": fees.collected, **_buy_in(schedule)}
    if money.is_given:
        more["pot_after_fee"] = more["pot_awarded"] = money.total - fees.collected
    return {
        "fees": {"pot": fees.document()},
        "boxes": by_box(charges),
        "collect_at": schedule.collect_at or (charges[0].moment if charges else None),
        "refused": [],
        "more": more,
    }


class _PotMoney:
    """What is in the pot, as far as the case gives it."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.is_given = "pot_before_fee" in options or "pot_money" in options
        self._added = {
            str(entry["after"]).removesuffix("_closed"): int(entry["added"]) for entry in options.get("pot_money") or ()
        }
        self.total = int(options.get("pot_before_fee") or 0)

    def at(self, moment: str) -> int | None:
        """Cents in the pot, fees not taken off; None where the case does not say. A card of the board or the end of
        the hand says as well as its close that a betting round is over."""
        over = [f"betting_{number}" for number in range(1, BOARD.get(moment, 0) + 1)]
        for name in [*over, moment.removesuffix("_closed"), *(self._added if moment in OVER else ())]:
            self.total += self._added.pop(name, 0)
        return self.total if self.is_given else None


# Time fees


def _time(schedule: Schedule, timed: Mapping[str, Any]) -> dict[str, Any]:
    charges: list[Charge] = []
    collected: dict[str, int] = {}
    for mark, seats, is_due in _intervals(schedule, timed):
        due = time_charges(schedule, seats) if is_due else []
        collected[mark] = sum(charge.cents for charge in due)
        charges += due
    due_from = Due(charges)
    return {
        "fees": due_from.document(),
        "boxes": due_from.boxes,
        "collect_at": schedule.moment_of(schedule.fee[0]),
        "refused": [],
        "more": {"collected_at": collected, "collected": due_from.total, "intervals": len(collected)},
    }


def _intervals(schedule: Schedule, timed: Mapping[str, Any]) -> Iterator[tuple[str, list[Place], bool]]:
    """Each interval by its name: who is seated when it ends, and whether anything is due then."""
    found = time_row(schedule)
    if found is None:
        raise RulesError(f"{schedule.id} has no time fee")
    period, seated = found[2], timed["seated"]
    if "start" in timed:
        start = _minutes(timed["start"])
        free_until = first_due(start * MINUTE, period, schedule.time_from) // MINUTE
        for mark, seats in seated.items():
            at = _minutes(mark)
            at += DAY if at < start else 0
            yield str(mark), list(seats), at >= free_until
        return
    for number in range(int(timed["minutes"]) // period):
        yield str((number + 1) * period), _seats(seated, number, period), True


def _seats(seated: Any, number: int, period: int) -> list[Place]:
    """Who sits there: a number of players, the same seats throughout, or others in each interval."""
    if isinstance(seated, int):
        return list(range(1, seated + 1))
    if isinstance(seated, Mapping):
        mark = (number + 1) * period
        return list(seated.get(mark, seated.get(str(mark), ())))
    return list(seated[number]) if seated and isinstance(seated[0], list) else list(seated)


def _minutes(clock: Any) -> int:
    """Minutes since midnight; YAML reads an unquoted 19:30 as minutes already."""
    if isinstance(clock, int):
        return clock
    hours, _, minutes = str(clock).partition(":")
    return int(hours) * 60 + int(minutes)
