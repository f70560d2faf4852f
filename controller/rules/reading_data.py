"""A reading as a rule file writes it, where the text leaves a point open and no option of the game decides it."""

from __future__ import annotations

from msgspec import Struct


class ReadingData(Struct, frozen=True, forbid_unknown_fields=True):
    """`[readings.NAME]` of a ruleset or of a file of collection schedules.

    In a ruleset there is nothing to choose: the house confirms what is read, or the game is not dealt. In a file of
    schedules the name of a field of the schedule (`between_bands`) makes it an option: the house may post another.
    """

    letter: str
    text: str
    source: str = ""
    """The lines that leave it open; empty: no line is about it."""
    choices: dict[str, str] = {}
    """What each value means, by the value as TOML or JSON writes it."""
    games: tuple[str, ...] = ()
    """In a file of schedules: the games that it is about, by the name in `games` of a schedule; empty: all."""
