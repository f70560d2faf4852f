"""A hand as a PHH file tells it: stacks, blinds and actions, player 1 being the first left of the button.

Only no-limit hold'em with every hole card known: that is what can be dealt again. Amounts are whole cents or chips.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct


class History(Struct, frozen=True):
    """One hand; what else a file says of it (players, venue, date) is left aside."""

    variant: Literal["NT"]
    antes: list[int]
    blinds_or_straddles: list[int]
    min_bet: int
    starting_stacks: list[int]
    actions: list[str]
    finishing_stacks: list[int]

    @property
    def players(self) -> int:
        return len(self.starting_stacks)


def read(path: Path) -> list[History]:
    """The hand of a `.phh` file, or all hands of a `.phhs` file."""
    document = tomllib.loads(path.read_text())
    hands = [document] if "variant" in document else list(document.values())
    return msgspec.convert(hands, list[History])


def read_folder(folder: Path, most: int) -> list[History]:
    """So many of the hands below a folder, in the order of their paths; those of other games are passed over."""
    found: list[History] = []
    for path in sorted(folder.rglob("*.phh*")):
        try:
            found += [hand for hand in read(path) if "?" not in "".join(hand.actions)]
        except msgspec.ValidationError:
            continue
        if len(found) >= most:
            break
    return found[:most]


def write(hands: Iterable[History], title: str) -> str:
    """Hands as the text of a `.phhs` file."""
    return "\n".join([f"# {line}" for line in title.splitlines()] + [""] + list(_sections(hands)))


def _sections(hands: Iterable[History]) -> Iterator[str]:
    for number, hand in enumerate(hands, start=1):
        yield f"[{number}]"
        for name, value in msgspec.to_builtins(hand).items():
            yield f"{name} = {value!r}"
        yield ""
