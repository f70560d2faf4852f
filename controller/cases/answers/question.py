"""A case about one rule in isolation: no round is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from msgspec import Struct

from controller.engine.round.game import Game

OptionsT_co = TypeVar("OptionsT_co", bound=Struct, covariant=True)
Document = dict[str, Any]
"""The result of a case, in the words of the case format."""


@dataclass(frozen=True)
class Question(Generic[OptionsT_co]):
    """A case of another kind than `round`, and the game and options that it is about."""

    kind: str
    """`ranking`, `house_way`, `legality` or `board`."""
    case: Mapping[str, Any]
    game: Game[Any]
    options: OptionsT_co

    @property
    def acts(self) -> Sequence[Mapping[str, Any]]:
        acts: Sequence[Mapping[str, Any]] = self.case["acts"]
        return acts

    @property
    def has_events_only(self) -> bool:
        acts = self.case.get("acts") or ()
        return bool(acts) and all("event" in act for act in acts)

    @property
    def player_dealer(self) -> object:
        """The player-dealer's seat, or the word for it where the case has no table."""
        return (self.case.get("table") or {}).get("player_dealer", "player_dealer")

    @property
    def unanswered(self) -> LookupError:
        return LookupError(f"{self.game.slug} has no answer to a case of kind {self.kind}")


Answer = Callable[[Question[Any]], Document]
Answers = Mapping[type[Game[Any]], Answer]
"""Who answers, by the class of the game; a subclass that is not named has the answer of its base."""
