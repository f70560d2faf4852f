"""What a rule file states in sentences: readings of what the text leaves open, where no option of the game decides, and
rules that the script of the game carries out at every table.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Topic = Literal[
    "equipment", "seats", "wagers", "deal", "ranking", "decisions", "settlement", "back_line", "irregularities"
]


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


class StatementData(Struct, frozen=True, forbid_unknown_fields=True):
    """`[[statements]]` of a ruleset: a rule that is printed and that no key of the file has, for the rules packet."""

    topic: Topic
    """The section of the packet."""
    text: str
    source: str
    """The lines that print it."""
