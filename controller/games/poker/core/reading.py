"""The settings of a poker table are read: plain data, as the floor set it or a hand left it, becomes `PokerSettings`.

Almost every table is set in plain words: whole cents by seat, a structure that was read before. They are taken as they
are. Whatever else is said goes through msgspec, which says in a sentence what is wrong. No Struct is defined here, so
that it can be compiled.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from controller.engine.amounts import dollars
from controller.engine.betting.rules import FixedLimit, NoLimit, PotLimit, SpreadLimit, Structure
from controller.engine.round.felt import Setup
from controller.games.poker.core.options import PokerOptions
from controller.games.poker.core.settings import FEWEST_PLAYERS, NotReady, PokerSettings, by_position
from controller.games.poker.core.sheet import Sheet, sheet_of


def read_settings(setup: Setup, options: PokerOptions) -> PokerSettings:
    """The settings of a table; `NotReady` says what is wrong with them."""
    sheet, seats = sheet_of(options), setup.seats
    if len(seats) < FEWEST_PLAYERS:
        raise NotReady("poker needs two players: seat another")
    if sheet.most_seats is not None and len(seats) > sheet.most_seats:
        raise NotReady(f"this room seats {sheet.most_seats} players at a table, and {len(seats)} are set")
    button = setup.button
    if button is None and options.needs_button:
        raise NotReady("nobody has the button: say who has it")
    return _plain(setup.settings, seats, button or 0, sheet) or _converted(setup, options, sheet)


def _plain(told: dict[str, Any], seats: tuple[int, ...], button: int, sheet: Sheet) -> PokerSettings | None:
    """Settings that say nothing but what most tables say; None where somebody has to look closer."""
    structure = sheet.known_structure(told.get("structure"))
    if structure is None:
        return None
    blinds: dict[int, int] | None = None
    stacks: dict[int, int] | None = None
    antes: dict[int, int] | None = {}
    carried: dict[int, int] | None = {}
    blind_sizes: tuple[int, ...] = ()
    button_moves, last_winner = False, None
    for name, value in told.items():
        if value is None:
            if name not in _MAY_BE_ABSENT:
                return None
        elif name == "structure":
            continue
        elif name == "stacks":
            stacks = _amounts(value, seats)
            if stacks is None:
                return None
        elif name == "blinds":
            blinds = _amounts(value, seats)
            if blinds is None:
                return None
        elif name == "antes":
            antes = _amounts(value, seats)
        elif name == "carried":
            carried = _amounts(value, seats)
        elif name == "blind_sizes" and type(value) is list and all(type(cents) is int for cents in value):
            blind_sizes = tuple(value)
        elif name == "button_moves" and type(value) is bool:
            button_moves = value
        elif name == "last_winner" and type(value) is int:
            last_winner = value
        else:
            return None
    if antes is None or carried is None:
        return None
    if blinds is None:
        sizes = blind_sizes or sheet.blind_sizes
        # Nobody posts a blind who has nothing to post.
        blinds = by_position(button, [s for s in seats if stacks is None or stacks.get(s, 1)], sizes) if sizes else {}
    in_force = _with_bring_in(structure, blinds, None)
    return PokerSettings(in_force, blinds, blind_sizes, antes, carried, stacks, None, button_moves, last_winner)


_MAY_BE_ABSENT: Final = frozenset({"structure", "blinds", "stacks", "kill", "last_winner"})
_SEATS: Final = {str(seat): seat for seat in range(1, 21)}
"""Settings come back from the journal with their seats in words."""


def _amounts(told: object, seats: tuple[int, ...]) -> dict[int, int] | None:
    """Cents by seat, where all of them are whole, none is negative and every seat is in the game."""
    if type(told) is not dict:
        return None
    amounts: dict[int, int] = {}
    for place, cents in told.items():
        seat = place if type(place) is int else _SEATS.get(place)
        if seat is None or seat not in seats or type(cents) is not int or cents < 0:
            return None
        amounts[seat] = cents
    return amounts if len(amounts) == len(told) else None


def _converted(setup: Setup, options: PokerOptions, sheet: Sheet) -> PokerSettings:
    try:
        settings = msgspec.convert(_filled_in(setup, sheet), PokerSettings, str_keys=True)
    except msgspec.ValidationError as error:
        raise NotReady(f"what is set at this table cannot be read: {error}") from None
    seats = frozenset(setup.seats)
    for name, amounts in (("blinds", settings.blinds), ("antes", settings.antes), ("stacks", settings.stacks)):
        if amounts and not (seats.issuperset(amounts) and min(amounts.values()) >= 0):
            raise _wrong_amounts(setup, name, amounts)
    structure = settings.structure
    # Not isinstance: of a Struct's kind it takes a microsecond to say no.
    if (type(structure) is FixedLimit or type(structure) is SpreadLimit) and structure.high < structure.low:
        low, high = dollars(structure.low), dollars(structure.high)
        raise NotReady(f"the upper limit ({high}) is below the lower one ({low})")
    if settings.kill is not None and settings.kill.seat not in setup.seats:
        raise NotReady(f"seat {settings.kill.seat} kills, but is not in the game")
    posted = options.posted(structure)
    sheet.keep_structure(setup.settings.get("structure"), posted)
    killer = settings.kill.seat if settings.kill is not None else None
    in_force = _with_bring_in(posted, settings.blinds, killer)
    return settings if in_force is structure else replace(settings, structure=in_force)


def _filled_in(setup: Setup, sheet: Sheet) -> dict[str, Any]:
    """The settings with what the ruleset or its posted schedule says where the table says nothing."""
    settings: dict[str, Any] = dict(setup.settings)
    if settings.get("structure") is None:
        if sheet.structure is None:
            raise NotReady("no betting structure is posted: choose one")
        settings["structure"] = sheet.structure
    if settings.get("blinds") is None:
        stacks = settings.get("stacks") or {}
        with_chips = [seat for seat in setup.seats if stacks.get(seat, stacks.get(str(seat), 1))]
        settings["blinds"] = by_position(
            setup.button or 0, with_chips, settings.get("blind_sizes") or sheet.blind_sizes
        )
    return settings


def _wrong_amounts(setup: Setup, name: str, amounts: Mapping[int, int]) -> NotReady:
    """What is wrong with amounts of which one is."""
    for seat, cents in amounts.items():
        if seat not in setup.seats:
            return NotReady(f"{name}: seat {seat} is not in the game; seats are {', '.join(map(str, setup.seats))}")
        if cents < 0:
            return NotReady(f"{name}: seat {seat} cannot have {cents} cents")
    raise AssertionError("nothing is wrong with these amounts")


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
