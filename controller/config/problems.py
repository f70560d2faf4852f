"""What is wrong with a configuration: every error at once, each with its line, its key and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from controller.config.positions import Place, positions
from controller.errors import UserError


class ConfigError(UserError):
    """What is wrong with the configuration and what to do. `lines`: one for each error, in the order of the file."""

    def __init__(self, text: str, lines: tuple[str, ...] = ()) -> None:
        super().__init__(text)
        self.lines = lines or (text,)


class Problem(Struct, frozen=True):
    """One error: at which key, and what was expected, what came, what to do."""

    place: Place
    text: str


def refusal(path: Path, text: str, problems: Iterable[Problem]) -> ConfigError:
    """The error that lists all of these, by line."""
    where = positions(text)
    found = sorted({(line_of(problem.place, where), _line(path, problem, where)) for problem in problems})
    lines = tuple(line for _, line in found)
    if len(lines) == 1:
        return ConfigError(lines[0], lines)
    return ConfigError("\n".join((f"The configuration has {len(lines)} errors:", *lines)), lines)


def line_of(place: Place, where: dict[Place, int]) -> int:
    """The line of a key; of one that is not in the file, that of the table it should be in."""
    while place and place not in where:
        place = place[:-1]
    return where.get(place, 1)


def written(place: Place) -> str:
    """A key as a person names it.

    >>> written(("devices", 1, "options", "keys"))
    'devices[2].options.keys'
    """
    text = ""
    for part in place:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _line(path: Path, problem: Problem, where: dict[Place, int]) -> str:
    return f"{path}:{line_of(problem.place, where)}: {written(problem.place) or 'the file'}: {problem.text}"
