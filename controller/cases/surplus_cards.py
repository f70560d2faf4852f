"""Events that a case writes with a card: `{card: 7h, event: code}` among its cards.

Most happen when the table takes the card. A fourth card on the flop, a turn that came too early, an extra card in the
deal are waited for by nobody, and the case does not say when they left the deck: where the round does not come out as
expected, the moments at which they may have are tried, the last first, until it does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from controller.cases.at_table import Stuck
from controller.cases.notation import Case
from controller.cases.played import CaseRun, Surplus

MOST_ATTEMPTS = 200


class Attempt(NamedTuple):
    """A round that was played, to its end or to where it was stuck."""

    play: CaseRun
    stuck: Stuck | None
    surplus: tuple[Surplus, ...] = ()

    @classmethod
    def of(cls, play: CaseRun, *, stop_after_acts: bool) -> Attempt:
        try:
            play.run(stop_after_acts=stop_after_acts)
        except Stuck as error:
            return cls(play, error)
        return cls(play, None)


Try = Callable[[Sequence[Surplus], int | None], Attempt]


def play_with_surplus(case: Case, attempt: Try, comes_out: Callable[[CaseRun], bool]) -> Attempt:
    """The round as it is written, or as it comes out with cards that nobody waited for."""
    cards = case.get("cards")
    nths = enumerate(cards if isinstance(cards, Sequence) else ())
    events = [nth for nth, entry in nths if isinstance(entry, Mapping) and "event" in entry]
    search = _Search(events, attempt, comes_out)
    tried = search.once(())
    return tried if not events or search.fits(tried) else search.beyond(tried) or tried


class _Search:
    def __init__(self, events: list[int], attempt: Try, comes_out: Callable[[CaseRun], bool]) -> None:
        self._events, self._try, self._comes_out = events, attempt, comes_out
        self._attempts = 0

    def once(self, surplus: tuple[Surplus, ...]) -> Attempt:
        self._attempts += 1
        tried = self._try(surplus, None)
        if (last := tried.play.card_of_late_event()) is not None and not self.fits(tried):
            unread = self._try(surplus, last)
            tried = unread if unread.stuck is None else tried
        return tried._replace(surplus=surplus)

    def fits(self, tried: Attempt) -> bool:
        return tried.stuck is None and self._comes_out(tried.play)

    def beyond(self, tried: Attempt) -> Attempt | None:
        """The same with one more event with cards that nobody waited for; with yet another where that is ruled."""
        unruled = tried.play.unruled
        for last in self._events if unruled is None else [unruled]:
            if any(last == cards.last for cards in tried.surplus):
                continue
            for out, done in _moments(tried.play, last):
                if self._attempts >= MOST_ATTEMPTS:
                    return None
                other = self.once((*tried.surplus, Surplus(out, done, last)))
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
