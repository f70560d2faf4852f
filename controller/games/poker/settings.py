"""What is posted on a poker table: structure, blinds, antes, stacks, a kill in force.

It comes from the floor between hands (`TableSet`), as plain data. `read_settings` makes a typed value of it or says in
one sentence what is wrong; a table that is not ready waits for the floor and deals nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.engine.betting import FixedLimit, NoLimit, PotLimit, SpreadLimit, Structure
from controller.engine.collections import Schedule
from controller.engine.felt import Setup
from controller.games.poker.options import KillKind, PokerOptions, Times

FEWEST_PLAYERS = 2


class NotReady(Exception):
    """The table cannot be played as it is set; the text says what is missing."""


class Kill(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand that is played killed: who killed it, and by how much the stakes go up."""

    seat: int
    kind: KillKind
    factor: Times | None = None


class PokerSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The table's settings, as the cases write them."""

    structure: Structure
    """Unkilled, whatever hand is played."""
    blinds: dict[int, int] = {}
    """By seat, a kill blind among them."""
    blind_sizes: tuple[int, ...] = ()
    """By position from the left of the button; where seats are not named, and while a kill hides them."""
    antes: dict[int, int] = {}
    carried: dict[int, int] = {}
    """Draw: what each seat has in the middle from earlier deals that nobody won."""
    stacks: dict[int, int] | None = None
    """Chips before antes and blinds; absent: not known, no limit."""
    kill: Kill | None = None
    button_moves: bool = False
    """Button, blinds and stacks move on from hand to hand by themselves; else the floor sets them."""
    last_winner: int | None = None
    """The seat that alone won the whole pot of the hand before (BS-10)."""


def read_settings(setup: Setup, options: PokerOptions) -> PokerSettings:
    """The settings of a table; `NotReady` says what is wrong with them."""
    if len(setup.seats) < FEWEST_PLAYERS:
        raise NotReady("poker needs two players; set `seats`")
    if options.most_seats is not None and len(setup.seats) > options.most_seats:
        raise NotReady(f"this room seats {options.most_seats} players at a table; set `seats`")
    if setup.button is None and options.needs_button:
        raise NotReady("nobody has the button; set `button`")
    try:
        settings = msgspec.convert(_filled_in(setup, options), PokerSettings, str_keys=True)
    except msgspec.ValidationError as error:
        raise NotReady(f"table settings: {error}") from None
    seats = frozenset(setup.seats)
    for name, amounts in (("blinds", settings.blinds), ("antes", settings.antes), ("stacks", settings.stacks)):
        if amounts and not (seats.issuperset(amounts) and min(amounts.values()) >= 0):
            raise _wrong_amounts(setup, name, amounts)
    structure = settings.structure
    # Not isinstance: of a Struct's kind it takes a microsecond to say no.
    if (type(structure) is FixedLimit or type(structure) is SpreadLimit) and structure.high < structure.low:
        raise NotReady(f"structure: high ({structure.high}) is below low ({structure.low})")
    if settings.kill is not None and settings.kill.seat not in setup.seats:
        raise NotReady(f"kill: seat {settings.kill.seat} is not in the game")
    in_force = _with_bring_in(options.posted(structure), settings)
    return settings if in_force is structure else replace(settings, structure=in_force)


def _filled_in(setup: Setup, options: PokerOptions) -> dict[str, Any]:
    """The settings with what the ruleset or its posted schedule says where the table says nothing."""
    settings, schedule = dict(setup.settings), options.schedule
    structure = settings.get("structure")
    if structure is None and options.structure is not None:
        settings["structure"] = options.structure
    elif structure is None and schedule is not None and schedule.stakes is not None and _is_limit(schedule):
        low, high = schedule.stakes
        settings["structure"] = {"kind": "fixed_limit", "low": low, "high": high}
    elif structure is None:
        raise NotReady("no betting structure is posted; set `structure`")
    if settings.get("blinds") is None:
        sizes = options.blinds or (schedule.blinds if schedule is not None else None) or ()
        stacks = settings.get("stacks") or {}
        with_chips = [seat for seat in setup.seats if stacks.get(seat, stacks.get(str(seat), 1))]
        settings["blinds"] = by_position(setup.button or 0, with_chips, settings.get("blind_sizes") or sizes)
    return settings


def _is_limit(schedule: Schedule) -> bool:
    return schedule.structure in (None, "limit")


def by_position(button: int, seats: Sequence[int], blinds: Sequence[int]) -> dict[int, int]:
    """Blinds from the left of the button, the small one first; of two players the button has it.

    >>> by_position(3, [1, 3, 4], [100, 300]), by_position(3, [3, 4], [100, 300])
    ({4: 100, 1: 300}, {3: 100, 4: 300})
    """
    among = sorted(seats)
    first = bisect_right(among, button)
    order = among[first:] + among[:first]
    if len(order) == FEWEST_PLAYERS and len(blinds) > 1:
        order.reverse()
    return dict(zip(order, blinds, strict=False))


def in_position(button: int, blinds: Mapping[int, int]) -> list[int]:
    """The blinds of a hand in the order of their positions; of two players' the smaller is the first.

    >>> in_position(3, {4: 100, 1: 300}), in_position(3, {3: 100, 4: 300})
    ([100, 300], [100, 300])
    """
    among = sorted(blinds)
    first = bisect_right(among, button)
    order = among[first:] + among[:first]
    cents = [blinds[seat] for seat in order]
    return sorted(cents) if button in blinds else cents


def _wrong_amounts(setup: Setup, name: str, amounts: Mapping[int, int]) -> NotReady:
    """What is wrong with amounts of which one is."""
    seat, cents = next(each for each in amounts.items() if each[0] not in setup.seats or each[1] < 0)
    if seat in setup.seats:
        return NotReady(f"{name}: seat {seat} cannot have {cents} cents")
    return NotReady(f"{name}: seat {seat} is not in the game; seats are {', '.join(map(str, setup.seats))}")


def _with_bring_in(structure: Structure, settings: PokerSettings) -> Structure:
    """Without a posted minimum the bring-in is the largest blind (BS-12); the kill blind is not one of them."""
    if type(structure) is NoLimit:
        if structure.bring_in is not None or structure.minimum is not None:
            return structure
    elif type(structure) is not PotLimit or structure.bring_in is not None:
        return structure
    killer = settings.kill.seat if settings.kill is not None else None
    largest = max((cents for seat, cents in settings.blinds.items() if seat != killer), default=0)
    if not largest:
        raise NotReady("structure: no bring_in is posted and there is no blind to take it from")
    return replace(structure, bring_in=largest)
