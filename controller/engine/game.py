"""What a game module gives to the kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct

from controller.engine.cards import Hand
from controller.engine.felt import Script, Table
from controller.engine.inputs import Happening
from controller.engine.result import Result

OptionsT = TypeVar("OptionsT", bound=Struct)
Ruling = Callable[[Table, Happening], "Script | None"]
"""Decides an irregularity: changes what lies on the table, voids the round, or returns a script to run first."""


class HistoryEntry(Struct, frozen=True, omit_defaults=True):
    """One settled round in the history of a shoe."""

    outcome: str
    flags: tuple[str, ...] = ()
    points: tuple[int, ...] = ()


class Game(Generic[OptionsT]):
    """What a game module gives to the kernel: its options, its deck, its script, its rulings."""

    slug: ClassVar[str]
    title: ClassVar[str]
    options_type: type[OptionsT]
    uses_shoe: ClassVar[bool] = False
    """Cards come from a shoe that lasts many rounds; else each round has a fresh deck."""
    turns_as_player_dealer: ClassVar[int | None] = None
    """Consecutive hands after which the position must be offered on."""

    def deck(self, options: OptionsT) -> Mapping[str, int] | None:
        """How often each card code is in the shoe or deck; None where that is not known."""
        raise NotImplementedError

    def play(self, t: Table, options: OptionsT) -> Script:
        raise NotImplementedError

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        """The sheet's irregularities by code. What is not named here holds the table."""
        return {}

    def count(self, hand: Hand) -> str | None:
        """What an exposed hand counts, for the screens; None where hands have no count."""
        return None

    def tell(self, result: Mapping[str, Any]) -> str | None:
        """The public result of a settled round in one line, for the screens."""
        return None

    def history_entry(self, result: Result) -> HistoryEntry | None:
        """What the shoe's history keeps of a settled round."""
        return HistoryEntry("settled")

    def answer(self, kind: str, case: Mapping[str, Any], options: OptionsT) -> dict[str, Any]:
        """The document of a question about one rule in isolation (`ranking`, `house_way`...)."""
        raise LookupError(f"{self.slug} has no answer to a case of kind {kind}")

    def board(self, history: Sequence[HistoryEntry]) -> dict[str, Any]:
        """What the reader board shows of a shoe."""
        return {"hands_in_shoe": len(history)}
