"""What is posted on a poker table: structure, blinds, antes, stacks, a kill in force.

It comes from the floor between hands (`TableSet`), as plain data. `read_settings` makes a typed value of it or says in
one sentence what is wrong; a table that is not ready waits for the floor and deals nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.engine.betting import FixedLimit, NoLimit, PotLimit, SpreadLimit, Structure
from controller.engine.felt import Setup
from controller.games.poker.options import KillKind, Times

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
    antes: dict[int, int] = {}
    stacks: dict[int, int] | None = None
    """Chips before antes and blinds; absent: not known, no limit."""
    kill: Kill | None = None
    last_winner: int | None = None
    """The seat that alone won the whole pot of the hand before (BS-10)."""


def read_settings(setup: Setup) -> PokerSettings:
    """The settings of a table; `NotReady` says what is wrong with them."""
    try:
        settings = msgspec.convert(setup.settings, PokerSettings, str_keys=True)
    except msgspec.ValidationError as error:
        raise NotReady(f"table settings: {error}") from None
    if len(setup.seats) < FEWEST_PLAYERS:
        raise NotReady("poker needs two players; set `seats`")
    if setup.button is None:
        raise NotReady("nobody has the button; set `button`")
    for name, amounts in (("blinds", settings.blinds), ("antes", settings.antes), ("stacks", settings.stacks or {})):
        _check_amounts(setup, name, amounts)
    structure = settings.structure
    if isinstance(structure, FixedLimit | SpreadLimit) and structure.high < structure.low:
        raise NotReady(f"structure: high ({structure.high}) is below low ({structure.low})")
    if settings.kill is not None and settings.kill.seat not in setup.seats:
        raise NotReady(f"kill: seat {settings.kill.seat} is not in the game")
    return replace(settings, structure=_with_bring_in(settings))


def _check_amounts(setup: Setup, name: str, amounts: Mapping[int, int]) -> None:
    for seat, cents in amounts.items():
        if seat not in setup.seats:
            raise NotReady(f"{name}: seat {seat} is not in the game; seats are {', '.join(map(str, setup.seats))}")
        if cents < 0:
            raise NotReady(f"{name}: seat {seat} cannot have {cents} cents")


def _with_bring_in(settings: PokerSettings) -> Structure:
    """Without a posted minimum the bring-in is the largest blind (BS-12); the kill blind is not one of them."""
    structure = settings.structure
    if not isinstance(structure, NoLimit | PotLimit) or structure.bring_in is not None:
        return structure
    if isinstance(structure, NoLimit) and structure.minimum is not None:
        return structure
    killer = settings.kill.seat if settings.kill is not None else None
    largest = max((cents for seat, cents in settings.blinds.items() if seat != killer), default=0)
    if not largest:
        raise NotReady("structure: no bring_in is posted and there is no blind to take it from")
    return replace(structure, bring_in=largest)
