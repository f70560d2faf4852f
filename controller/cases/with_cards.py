"""Happenings that a case tells with a card: `{card: 7h, event: code}` among its cards.

Most happen when the table takes the card. A fourth card on the flop, a turn that came too early, an extra card in the
deal are waited for by nobody, and the case does not say when they left the deck: where the round does not come out as
told, the moments at which they may have are tried, the last first, until it does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from controller.cases.at_table import Stuck
from controller.cases.notation import Case
from controller.cases.played import CaseRun, Surplus

MOST_ATTEMPTS = 200


class Told(NamedTuple):
    """A round that was played, to its end or to where it was stuck."""

    play: CaseRun
    stuck: Stuck | None
    surplus: tuple[Surplus, ...] = ()

    @classmethod
    def of(cls, play: CaseRun, *, stop_after_acts: bool) -> Told:
        try:
            play.run(stop_after_acts=stop_after_acts)
        except Stuck as error:
            return cls(play, error)
        return cls(play, None)


Tell = Callable[[Sequence[Surplus], int | None], Told]


def told_with_cards(case: Case, tell: Tell, comes_out: Callable[[CaseRun], bool]) -> Told:
    """The round as it is told, or as it comes out with cards that nobody waited for."""
    cards = case.get("cards")
    nths = enumerate(cards if isinstance(cards, Sequence) else ())
    events = [nth for nth, entry in nths if isinstance(entry, Mapping) and "event" in entry]
    search = _Search(events, tell, comes_out)
    told = search.once(())
    return told if not events or search.fits(told) else search.beyond(told) or told


class _Search:
    def __init__(self, events: list[int], tell: Tell, comes_out: Callable[[CaseRun], bool]) -> None:
        self._events, self._tell, self._comes_out = events, tell, comes_out
        self._attempts = 0

    def once(self, surplus: tuple[Surplus, ...]) -> Told:
        self._attempts += 1
        told = self._tell(surplus, None)
        if (last := told.play.told_with_last_card()) is not None and not self.fits(told):
            unread = self._tell(surplus, last)
            told = unread if unread.stuck is None else told
        return told._replace(surplus=surplus)

    def fits(self, told: Told) -> bool:
        return told.stuck is None and self._comes_out(told.play)

    def beyond(self, told: Told) -> Told | None:
        """The same with one more event told with cards that nobody waited for; with yet another where that is ruled."""
        unruled = told.play.unruled
        for last in self._events if unruled is None else [unruled]:
            if any(last == cards.last for cards in told.surplus):
                continue
            for out, done in _moments(told.play, last):
                if self._attempts >= MOST_ATTEMPTS:
                    return None
                other = self.once((*told.surplus, Surplus(out, done, last)))
                if self.fits(other):
                    return other
                is_ruled = last == unruled and (other.play.unruled is None or other.play.unruled > last)
                if is_ruled and (found := self.beyond(other)) is not None:
                    return found
        return None


def _moments(play: CaseRun, last: int) -> list[tuple[int, int]]:
    """When the card may have left: with as few cards before it as can be, and of those moments the first."""
    before = dict.fromkeys(moment for moment in play.moments if moment[0] <= last)
    return sorted(before, key=lambda moment: (-moment[0], moment[1]))
