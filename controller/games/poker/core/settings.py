"""What is posted on a poker table: structure, blinds, antes, stacks, a kill in force.

The floor sets it between hands (`TableSet`), as plain data. `read_settings` makes a typed value of it, or states in one
sentence what is wrong; a table that is not ready waits for the floor and deals nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.engine.amounts import dollars
from controller.engine.betting.rules import FixedLimit, NoLimit, PotLimit, SpreadLimit, Structure
from controller.engine.round.felt import Setup
from controller.games.poker.core.options import KillKind, PokerOptions, Times
from protocols.type_errors import in_words

FEWEST_PLAYERS = 2


class NotReady(Exception):
    """The table cannot be played with these settings; the text states what is missing."""


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
    owes_blind: int | None = None
    """Lowball: who must take the blind of this hand, since he could not pay half of his last one (000:224)."""
    short_blind: int | None = None
    """Lowball: who had less than half a blind in the hand before, and no chips after it; if he buys in, he owes it."""
    missed_blind: tuple[int, ...] = ()
    """Lowball: who has failed to take the blind, and has had no hand since (000:225-226)."""
    waits: dict[int, int] = {}
    """Lowball: how many hands a seat must wait that has moved away from the big blind (000:227)."""


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


def read_settings(setup: Setup, options: PokerOptions) -> PokerSettings:
    """The settings of a table; `NotReady` states what is wrong with them."""
    seats = setup.seats
    if len(seats) < FEWEST_PLAYERS:
        raise NotReady("poker needs two players: seat another")
    if setup.button is None and options.needs_button:
        raise NotReady("nobody has the button: say who has it")
    try:
        settings = msgspec.convert(_filled_in(setup, options), PokerSettings, str_keys=True)
    except msgspec.ValidationError as error:
        raise NotReady(f"what is set at this table cannot be read: {in_words(error)}") from None
    _check(seats, "blinds", settings.blinds)
    _check(seats, "antes", settings.antes)
    if settings.stacks is not None:
        _check(seats, "stacks", settings.stacks)
    structure = settings.structure
    # Not isinstance: on the class of a Struct it takes a microsecond.
    if (type(structure) is FixedLimit or type(structure) is SpreadLimit) and structure.high < structure.low:
        low, high = dollars(structure.low), dollars(structure.high)
        raise NotReady(f"the upper limit ({high}) is below the lower one ({low})")
    if settings.kill is not None and settings.kill.seat not in setup.seats:
        raise NotReady(f"seat {settings.kill.seat} kills, but is not in the game")
    posted = options.posted(structure)
    killer = settings.kill.seat if settings.kill is not None else None
    in_force = _with_rounding(_with_bring_in(posted, settings.blinds, killer), settings.blinds, options.pot_rounding)
    return settings if in_force is structure else replace(settings, structure=in_force)


def _filled_in(setup: Setup, options: PokerOptions) -> dict[str, Any]:
    """The settings, completed from the ruleset or its posted schedule."""
    settings: dict[str, Any] = setup.settings
    if settings.get("structure") is None:
        if options.default_structure is None:
            raise NotReady("no betting structure is posted: choose one")
        settings = {**settings, "structure": options.default_structure}
    if settings.get("blinds") is None:
        stacks = settings.get("stacks") or {}
        with_chips = [seat for seat in setup.seats if stacks.get(seat, stacks.get(str(seat), 1))]
        sizes = settings.get("blind_sizes") or options.default_blinds
        settings = {**settings, "blinds": by_position(setup.button or 0, with_chips, sizes)}
    return settings


def _check(seats: tuple[int, ...], name: str, amounts: dict[int, int]) -> None:
    for seat, cents in amounts.items():
        if seat not in seats:
            raise NotReady(f"{name}: seat {seat} is not in the game; seats are {', '.join(map(str, seats))}")
        if cents < 0:
            raise NotReady(f"{name}: seat {seat} cannot have {cents} cents")


def _with_rounding(structure: Structure, blinds: Mapping[int, int], chip: int) -> Structure:
    """Single dollar chips in the blind round the pot (001:338, 918). They are there where a blind is no multiple of the
    chip to which the pot is rounded (BS-18)."""
    if type(structure) is not PotLimit or structure.dollar_chips_in_blind is not None:
        return structure
    return replace(structure, dollar_chips_in_blind=bool(chip) and any(cents % chip for cents in blinds.values()))


def _with_bring_in(structure: Structure, blinds: Mapping[int, int], killer: int | None) -> Structure:
    """Without a posted minimum the bring-in is the largest blind (BS-12); the kill blind is not one of them."""
    if type(structure) is NoLimit:
        if structure.bring_in is not None or structure.minimum is not None:
            return structure
    elif type(structure) is not PotLimit or structure.bring_in is not None:
        return structure
    largest = max([cents for seat, cents in blinds.items() if seat != killer], default=0)
    if not largest:
        raise NotReady("no bring-in is posted, and there is no blind to take it from: set one of them")
    return replace(structure, bring_in=largest)
