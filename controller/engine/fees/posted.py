"""What a posted schedule binds at a table: betting structure, blinds, antes, buy-in, limits.

An approval prints limit, blinds, buy-in and fee of an option together, and only one option is used at a table at any
one time (000:1938; 002:3938-3940; 004:1083, 1235). So with a schedule posted the table takes only what it has; other
stakes are another schedule, which the floor chooses between hands. What a schedule does not print stays free, and
where it prints a range the house sets any structure of that range.

Each function returns why something is not posted, as a sentence for people, or an empty text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from controller.engine.amounts import dollars
from controller.engine.bets.limits import FixedLimit, NoLimit, PotLimit, SpreadLimit, StraightLimit, Structure
from controller.engine.fees.schedule import Schedule

NOT_POSTED = "not_posted"
"""Why the table refuses what its schedule does not have."""
_ANOTHER = "Other stakes are another schedule, which the floor chooses between hands."


def schedule_of(options: Struct) -> Schedule | None:
    """The schedule that a game's options post; under a side bet, that of the game which it rides on."""
    posted = getattr(options, "schedule", None)
    if posted is None:
        posted = getattr(getattr(getattr(options, "base", None), "options", None), "schedule", None)
    return posted if isinstance(posted, Schedule) else None


def wager_limits(schedule: Schedule | None, least: int, most: int | None) -> tuple[int, int | None]:
    """The limits of a wager that are in force: the posted ones, else the table's own (`least`, `most`). Where no top is
    printed the house may set one."""
    if schedule is None:
        return least, most
    return schedule.table_min, most if schedule.wager_max is None else schedule.wager_max


def not_posted(
    schedule: Schedule,
    settings: Mapping[str, Any],
    opens_with: Sequence[str],
    limits: tuple[int, int | None] = (0, None),
) -> str:
    """Why a table that is set so does not play what the schedule posts; empty where it does.

    `opens_with`: whether the game has blinds or antes. `limits`: the table's own, in games with a player-dealer.
    """
    structure = _structure(settings.get("structure"))
    if structure is not None and (text := structure_problem(schedule, structure)):
        return text
    killer = str((settings.get("kill") or {}).get("seat", ""))
    blinds = settings.get("blinds")
    for given in (None if blinds is None else _amounts(blinds, killer), settings.get("blind_sizes")):
        if given is not None and "blinds" in opens_with and (text := blinds_problem(schedule, given, bool(killer))):
            return text
    return antes_problem(schedule, _amounts(settings.get("antes") or {}), opens_with) or limits_problem(
        schedule, *limits
    )


def _structure(given: Any) -> Structure | None:
    """What is set; None where nothing is, or nothing that can be read: the game reports that itself."""
    try:
        return None if given is None else msgspec.convert(given, Structure)
    except msgspec.ValidationError:
        return None


def structure_of(schedule: Schedule) -> Structure | None:
    """The one structure that the schedule posts; None where it posts a range, or none."""
    blind = None if schedule.blinds is None else schedule.blinds[1]
    if schedule.stakes is not None and schedule.structure in (None, "limit"):
        return FixedLimit(*schedule.stakes)
    if schedule.spread is not None:
        return SpreadLimit(*schedule.spread)
    if schedule.bets:
        return FixedLimit(sizes=schedule.bets)
    if schedule.structure == "no_limit" and (blind or schedule.min_bet):
        return NoLimit(blind or schedule.min_bet)
    # In a no-limit game without either, the game states the least bet.
    return NoLimit() if schedule.structure == "no_limit" else None


def structure_problem(schedule: Schedule, structure: Structure) -> str:
    """Why this structure is not the posted one, nor one of the posted range."""
    if _is_posted(schedule, structure):
        return ""
    return f"{_has(schedule)} {stakes_in_words(schedule)}; {structure_in_words(structure)} is not posted. {_ANOTHER}"


def blinds_problem(schedule: Schedule, blinds: Iterable[int], killed: bool = False) -> str:
    """Why these are not the posted blinds. A kill may stand in place of one of them; the small one may be dead."""
    if schedule.blinds is None:
        return ""
    given = Counter(cents for cents in blinds if cents)
    if given <= Counter(schedule.blinds) and (killed or schedule.blinds[1] in given):
        return ""
    words = " and ".join(dollars(cents) for cents in sorted(given.elements())) or "none"
    posted = "/".join(map(dollars, schedule.blinds))
    return f"{_has(schedule)} blinds of {posted}; the table has {words}. {_ANOTHER}"


def antes_problem(schedule: Schedule, antes: Iterable[int], opens_with: Sequence[str]) -> str:
    """Why these antes are not posted: another amount, or any where the schedule opens the pot with blinds."""
    given = {cents for cents in antes if cents}
    if schedule.ante is not None and given - {schedule.ante}:
        other = dollars(min(given - {schedule.ante}))
        return f"{_has(schedule)} an ante of {dollars(schedule.ante)}, not of {other}. {_ANOTHER}"
    if given and schedule.ante is None and schedule.blinds is not None and "blinds" in opens_with:
        return f"{_has(schedule)} blinds and no ante, and an ante of {dollars(min(given))} is set. {_ANOTHER}"
    return ""


def limits_problem(schedule: Schedule, least: int, most: int | None) -> str:
    """Why the table's own limits of a wager are not the posted ones. The house may set a top where none is printed."""
    if not schedule.is_banked:
        return ""
    other_most = most is not None and schedule.table_max is not None and most != schedule.table_max
    if least in (0, schedule.table_min) and not other_most:
        return ""
    top = "up" if schedule.table_max is None else f"to {dollars(schedule.table_max)}"
    given = f"{dollars(least)} {'up' if most is None else f'to {dollars(most)}'}"
    return f"{_has(schedule)} limits of {dollars(schedule.table_min)} {top}; {given} is set. {_ANOTHER}"


def buy_in_problem(schedule: Schedule, stacks: Mapping[Any, int], known: Mapping[Any, int]) -> str:
    """Why a seat may not buy in for this. `known`: the last stack of each seat; who has chips does not buy in."""
    least, most = schedule.buy_in_min or 0, schedule.buy_in_max
    for seat, cents in stacks.items():
        if not cents or known.get(str(seat)) or (cents >= least and (most is None or cents <= most)):
            continue
        printed = f"{dollars(least)} to {dollars(most)}" if most is not None else f"at least {dollars(least)}"
        return f"{_has(schedule)} a buy-in of {printed}, and seat {seat} has {dollars(cents)}"
    return ""


def _is_posted(schedule: Schedule, structure: Structure) -> bool:
    if schedule.structure in ("no_limit", "no_limit_or_pot_limit"):
        return _is_big_bet(schedule, structure)
    low, high = getattr(structure, "low", 0), getattr(structure, "high", 0)
    if schedule.stakes is not None:
        return type(structure) is FixedLimit and not structure.sizes and (low, high) == schedule.stakes
    if schedule.stakes_from is not None and schedule.stakes_to is not None:
        between = schedule.stakes_from[0] <= low <= schedule.stakes_to[0]
        return type(structure) is FixedLimit and not structure.sizes and between and high == 2 * low
    if schedule.spread is not None:
        return type(structure) is SpreadLimit and (low, high) == schedule.spread
    if schedule.bets:
        # One size a round, or a spread from the least to the greatest: which of them is the ruleset's reading.
        as_spread = type(structure) is SpreadLimit and (low, high) == (schedule.bets[0], schedule.bets[-1])
        return as_spread or (type(structure) is FixedLimit and structure.sizes == schedule.bets)
    if schedule.min_bet is not None:
        least = least_bet(structure)
        return least >= schedule.min_bet if schedule.open_limit else least == schedule.min_bet
    return True


def _is_big_bet(schedule: Schedule, structure: Structure) -> bool:
    """No limit, or pot limit where both are posted, with the posted least bet."""
    if type(structure) is PotLimit:
        if schedule.structure == "no_limit":
            return False
        given = {structure.bring_in}
    elif type(structure) is NoLimit:
        given = {structure.bring_in, structure.minimum}
    else:
        return False
    posted = schedule.min_bet if schedule.blinds is None else schedule.blinds[1]
    return posted is None or given - {None} <= {posted}


def least_bet(structure: Structure) -> int:
    """The least that a full bet may be."""
    match structure:
        case FixedLimit() | SpreadLimit():
            return structure.low
        case StraightLimit():
            return structure.limit
        case NoLimit():
            return structure.minimum or structure.bring_in or 0
        case PotLimit():
            return structure.bring_in or 0


def stakes_in_words(schedule: Schedule) -> str:
    """The stakes that a schedule posts: "limit $4/$8", "no limit with blinds of $2/$3"; empty where it prints none."""
    blinds = "" if schedule.blinds is None else f" with blinds of {'/'.join(map(dollars, schedule.blinds))}"
    if schedule.structure in ("no_limit", "no_limit_or_pot_limit"):
        least = "" if schedule.min_bet is None else f" with a least bet of {dollars(schedule.min_bet)}"
        return f"{schedule.structure.replace('_', ' ')}{least}{blinds}"
    if schedule.stakes is not None:
        return f"limit {_pair(schedule.stakes)}"
    if schedule.stakes_from is not None and schedule.stakes_to is not None:
        return f"limit {_pair(schedule.stakes_from)} to {_pair(schedule.stakes_to)}"
    if schedule.spread is not None:
        return f"a spread of {dollars(schedule.spread[0])} to {dollars(schedule.spread[1])}"
    if schedule.bets:
        return f"limit {'/'.join(map(dollars, schedule.bets))}"
    if schedule.min_bet is not None:
        return f"a least bet of {dollars(schedule.min_bet)}{' or more' if schedule.open_limit else ''}"
    return ""


def structure_in_words(structure: Structure) -> str:
    """
    >>> structure_in_words(FixedLimit(400, 800)), structure_in_words(NoLimit(300)), structure_in_words(PotLimit())
    ('limit $4/$8', 'no limit with a least bet of $3', 'pot limit')
    """
    match structure:
        case FixedLimit():
            sizes = structure.sizes or (structure.low, structure.high)
            return f"limit {'/'.join(map(dollars, sizes))}"
        case SpreadLimit():
            return f"a spread of {dollars(structure.low)} to {dollars(structure.high)}"
        case StraightLimit():
            return f"straight limit {dollars(structure.limit)}"
        case NoLimit() | PotLimit():
            name, least = "no limit" if type(structure) is NoLimit else "pot limit", least_bet(structure)
            return f"{name} with a least bet of {dollars(least)}" if least else name


def lines_of(schedule: Schedule) -> str:
    """The lines that print it, by the number of their document.

    >>> lines_of(Schedule("a", (), (), source="002_6d27bb62efb458b8.txt:6637-6647"))
    '002:6637-6647'
    """
    name, _, lines = schedule.source.partition(":")
    return f"{name.partition('_')[0]}:{lines}" if lines else schedule.document


def _has(schedule: Schedule) -> str:
    lines = lines_of(schedule)
    return f"the posted schedule {schedule.id}{f' ({lines})' if lines else ''} has"


def _pair(stakes: tuple[int, int]) -> str:
    return f"{dollars(stakes[0])}/{dollars(stakes[1])}"


def _amounts(by_seat: Mapping[Any, int], but: str = "") -> list[int]:
    return [cents for seat, cents in by_seat.items() if str(seat) != but]
