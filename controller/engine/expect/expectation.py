"""What is legal now: the one public value behind prompts, locks, bots and refusals.

A script yields an `Expectation`: the things that may happen now (`wants`, any one of them) and, where a game has a
particular reason, what may not (`barred`); the table adds what its floor may do at any time (at_any_time.py).
Everything else follows from it alone: `judge` decides whether an input is legal or why not, `prompt` is the text for
the dealer, `cards_allowed` is how many cards the shoe may release.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

from msgspec import Struct

from controller.engine.expect.at_any_time import NOTHING_BESIDE, AtAnyTime
from controller.engine.expect.choices import WantDecision
from controller.engine.expect.want import Elsewhere, Refusal
from controller.engine.expect.wants import AnyWant, WantCard
from controller.engine.inputs import Act, AnyBody, Place, WagerPlaced


class Barred(Struct, frozen=True, omit_defaults=True):
    """What a game refuses with a code of its own: an act or a wager by its name. Null matches any seat or any act."""

    why: str
    text: str
    seat: Place | None = None
    do: str | None = None
    bounds: dict[str, Any] = {}


class Expectation(Struct, frozen=True, omit_defaults=True, gc=False):
    """Everything legal now: any of `wants`, and what may be done at any time. A script yields its wants alone."""

    wants: tuple[AnyWant, ...]
    barred: tuple[Barred, ...] = ()
    at_any_time: AtAnyTime = NOTHING_BESIDE


def expect(*wants: AnyWant, barred: tuple[Barred, ...] = ()) -> Expectation:
    return Expectation(wants, barred)


def judge(expectation: Expectation, body: AnyBody) -> Refusal | None:
    """None where the input is legal now, else the reason a person can read."""
    if expectation.at_any_time.admits(body):
        return None
    if expectation.barred and type(body) is WagerPlaced:
        for bar in expectation.barred:
            if bar.do == body.wager and bar.seat in (None, body.place) and body.cents:
                return Refusal(bar.why, bar.text, bar.bounds)
    for want in expectation.wants:
        verdict = want.judge(body)
        if verdict is None:
            return None
        if not isinstance(verdict, Elsewhere):
            return verdict
    if type(body) is Act:
        for bar in expectation.barred:
            if bar.seat in (None, body.seat) and bar.do in (None, body.do):
                return Refusal(bar.why, bar.text, bar.bounds)
        asked = [want.seat for want in expectation.wants if type(want) is WantDecision]
        if asked and body.seat not in asked:
            who = " or ".join(str(seat) for seat in asked)
            return Refusal("not_in_turn", f"it is seat {who}'s turn")
        if asked:
            return Refusal("not_offered", f"{prompt(expectation)}; {body.do!r} is not offered")
    if type(body) is WagerPlaced:
        return Refusal("bets_closed", f"no more bets; {prompt(expectation)}")
    return Refusal("not_expected", f"the table waits for something else: {prompt(expectation)}")


def prompt(expectation: Expectation) -> str:
    """The text for the dealer; what several seats are asked alike appears once.

    >>> from controller.engine.expect.choices import Choice, WantDecision
    >>> prompt(Expectation((WantDecision(2, (Choice("discard"),)), WantDecision(5, (Choice("discard"),)))))
    'Seats 2, 5: discard'
    """
    wants = tuple(want for want in expectation.wants if not (type(want) is WantDecision and want.quiet))
    if not wants:
        return "The round is over"
    if len(wants) == 1:
        return wants[0].prompt()
    texts: list[str] = []
    for what, alike in groupby(wants, lambda want: want.said() if type(want) is WantDecision else None):
        group = list(alike)
        if what is None or len(group) == 1:
            texts += [want.prompt() for want in group]
        else:
            seats = [want.who.removeprefix("Seat ") for want in group if type(want) is WantDecision]
            texts.append(f"Seats {', '.join(seats)}: {what}")
    return " / ".join(texts)


def cards_allowed(expectation: Expectation) -> int:
    """How many cards may leave the shoe or the machine now: the lock follows this."""
    return max((want.count for want in expectation.wants if type(want) is WantCard), default=0)
