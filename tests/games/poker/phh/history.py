"""A hand as a PHH file records it: stacks, blinds and actions, player 1 being the first left of the button.

Amounts become whole numbers: a file that writes $0.25 is read in cents. Some of the public collections record every
card and the finishing stacks; others hide what was not shown, and record what was paid to the winners after rake.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

AMOUNTS = (
    "antes",
    "blinds_or_straddles",
    "starting_stacks",
    "finishing_stacks",
    "winnings",
    "min_bet",
    "small_bet",
    "big_bet",
    "bring_in",
)


class StacksUnknown(Exception):
    """A hand that cannot be dealt again: its stacks are not recorded."""


class History(Struct, frozen=True, omit_defaults=True):
    """One hand; what else a file says of it (players, venue, date) is left aside."""

    variant: str
    antes: list[int]
    blinds_or_straddles: list[int]
    min_bet: int
    starting_stacks: list[int]
    actions: list[str]
    finishing_stacks: list[int] = []
    """Empty where the file does not record them."""
    small_bet: int = 0
    big_bet: int = 0
    bring_in: int = 0
    ante_trimming_status: bool = True
    """PokerKit's: whether everybody antes alike; a big blind that antes for the table is not trimmed."""
    winnings: list[int] = []
    """What each player was paid out of the pot, after rake; empty or all zero where that is not recorded."""

    @property
    def players(self) -> int:
        return len(self.starting_stacks)

    @property
    def has_result(self) -> bool:
        """Whether it records what became of the money; if not, only the actions can be dealt again."""
        return any(self.winnings) or bool(self.finishing_stacks)

    @property
    def hides_cards(self) -> bool:
        return any("?" in action for action in self.actions)


def read(path: Path) -> list[History]:
    """The hand of a `.phh` file, or all hands of a `.phhs` file."""
    return list(map(history_of, documents(path)))


def documents(path: Path) -> list[dict[str, Any]]:
    document = tomllib.loads(path.read_text(), parse_float=Decimal)
    return [document] if "variant" in document else list(document.values())


def history_of(document: Mapping[str, Any]) -> History:
    """One hand out of a file's document."""
    hand = dict(document)
    players = len(hand["starting_stacks"])
    hand.setdefault("min_bet", hand.get("small_bet", 0))
    hand.setdefault("blinds_or_straddles", [0] * players)
    scale = 100 if any(isinstance(cents, Decimal) for name in AMOUNTS for cents in _all(hand.get(name))) else 1
    for name in AMOUNTS:
        if name in hand:
            hand[name] = _whole(hand[name], scale)
    hand["actions"] = [_scaled(action, scale) for action in hand["actions"]]
    return msgspec.convert(hand, History)


def read_folder(folder: Path, most: int, variants: Iterable[str] = ("NT",)) -> list[History]:
    """Up to `most` hands of each game below a folder, in the order of their paths; none with hidden cards."""
    found: dict[str, list[History]] = {variant: [] for variant in variants}
    for path in sorted(folder.rglob("*.phh*")):
        try:
            hands = read(path)
        except (msgspec.ValidationError, StacksUnknown):
            continue
        for hand in hands:
            if hand.variant in found and hand.finishing_stacks and not hand.hides_cards:
                found[hand.variant].append(hand)
        if all(len(hands) >= most for hands in found.values()):
            break
    return [hand for hands in found.values() for hand in hands[:most]]


def write(hands: Iterable[History], title: str) -> str:
    """Hands as the text of a `.phhs` file."""
    return "\n".join([f"# {line}" for line in title.splitlines()] + [""] + list(_sections(hands)))


def _sections(hands: Iterable[History]) -> Iterator[str]:
    for number, hand in enumerate(hands, start=1):
        yield f"[{number}]"
        for name, value in msgspec.to_builtins(hand).items():
            yield f"{name} = {value!r}"
        yield ""


def _all(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _whole(value: Any, scale: int) -> Any:
    if isinstance(value, list):
        return [_whole(part, scale) for part in value]
    if isinstance(value, float) or (isinstance(value, Decimal) and not value.is_finite()):
        raise StacksUnknown("a stack is infinite: the file does not know it")
    return int(value * scale)


def _scaled(action: str, scale: int) -> str:
    """The amount of `p4 cbr 0.75` in the unit of the hand."""
    match action.split(" #", maxsplit=1)[0].split():
        case [player, "cbr", to]:
            return f"{player} cbr {int(Decimal(to) * scale)}"
    return action
