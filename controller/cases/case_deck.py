"""The cards of a case, as they leave the deck: each a card, or a card with an event (`{card: 7h, event: code}`)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any


class CaseDeck:
    def __init__(self, cards: Iterable[Any]) -> None:
        self.left: deque[Any] = deque(cards)
        self.out = 0
        """How many cards have left it, in all rounds of the case."""

    def __bool__(self) -> bool:
        return bool(self.left)

    def refill(self, cards: Iterable[Any]) -> None:
        """For another round of the same shoe."""
        self.left = deque(cards)

    def take(self) -> dict[str, Any]:
        """The next entry, which leaves the deck."""
        entry = self.left.popleft()
        self.out += 1
        return dict(entry) if isinstance(entry, Mapping) else {"card": entry}

    def take_named(self, cards: Iterable[str]) -> list[str]:
        """Those of these cards that come next, one after the other; they leave the deck."""
        return [str(self.take()["card"]) for card in cards if self.left and str(self.left[0]) == card]

    def take_with_event(self, last: int) -> tuple[dict[str, Any], list[str]]:
        """The event of the card with this index, and the cards up to it, which leave the deck with it; so do those
        after it with the same event."""
        event: dict[str, Any] = {}
        leaving: list[str] = []
        while self.left and (self.out <= last or _has_event(self.left[0], event)):
            event = self.take()
            leaving.append(str(event.pop("card")))
        return event, leaving

    def next_event(self) -> int | None:
        """The index of the next card that has an event."""
        coming = (nth for nth, entry in enumerate(self.left) if isinstance(entry, Mapping) and "event" in entry)
        nth = next(coming, None)
        return None if nth is None else self.out + nth

    def until(self, out: int) -> list[Any]:
        """The cards that leave until this number of them is out."""
        return list(self.left)[: max(0, out - self.out)]


def _has_event(entry: object, event: Mapping[str, Any]) -> bool:
    return isinstance(entry, Mapping) and {key: value for key, value in entry.items() if key != "card"} == event
