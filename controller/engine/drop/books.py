"""The books of the drop: what is owed to each slot, what fell into it, which box is in it. Values only.

`reconcile` lays drops against claims and judges them, `box_life` changes the boxes; both give new books.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from controller.engine.amounts import dollars
from controller.engine.drop.worth import NOTHING, DropTerms, Fallen, Worth, worth


class Claim(Struct, frozen=True, omit_defaults=True):
    """What one round, or the clock, owes one box, and what was laid against it."""

    round: int
    due: int
    since: int
    """When the round began, or the fee fell due by the clock."""
    until: int
    """When it is judged."""
    dealer: str = ""
    by: Literal["round", "clock"] = "round"
    fallen: Fallen = Fallen()
    drops: tuple[tuple[int, int], ...] = ()
    """When, and how many pieces."""
    into: str = ""
    """The id of the box they fell into."""
    is_moved: bool = False
    """It is in the account of that box, though another is in the slot by now."""
    doubt: str = ""
    """What made the sensor lose count meanwhile."""
    verdict: str = ""
    """What it was judged to be; empty until then."""


class Loose(Struct, frozen=True, omit_defaults=True):
    """Pieces that belong to no claim so far."""

    at: int
    until: int
    fallen: Fallen
    dealer: str = ""
    into: str = ""


class Book(Struct, frozen=True, omit_defaults=True):
    """The account of one slot since its box was put in."""

    id: str = ""
    """Of the box that is in, by its tag or as it was keyed."""
    seal: str = ""
    unkeyed: bool = False
    """Which box this is, or under which seal, is not known yet."""
    since: int = 0
    is_out: bool = False
    """There is no box in the slot."""
    announced: str = ""
    """The box that was announced as the next."""
    announced_seal: str = ""
    due: int = 0
    """Cents that rounds and the clock owed since then."""
    fallen: Fallen = Fallen()
    astray: int = 0
    """Pieces that fell while no box was in."""
    weighed: Worth = NOTHING
    """What is on the scale is worth, as far as it was weighed."""
    unweighed: Fallen = Fallen()
    doubts: tuple[str, ...] = ()
    """What made the sensor lose count since then."""
    doubted_at: int = 0
    claims: tuple[Claim, ...] = ()
    given_up: int = 0
    """Cents of open claims beyond the number that is kept one by one."""
    judged: tuple[Claim, ...] = ()
    """Those of the last round that are settled: a correction opens them again."""
    loose: tuple[Loose, ...] = ()
    attention: str = ""
    """What somebody has to look at, beside open claims."""

    def holds(self, terms: DropTerms) -> Worth:
        """What the pieces in the box are worth."""
        return self.weighed + worth(self.unweighed, terms.chips)

    @property
    def short(self) -> int:
        """Cents of claims that were judged and are still open."""
        return self.given_up + sum(claim.due for claim in self.claims if claim.verdict)

    @property
    def unexplained(self) -> str | None:
        """What differs and nobody has explained: open claims, and what was noticed last. An explanation closes both."""
        open_ = [claim for claim in self.claims if claim.verdict]
        missing = ""
        if open_ or self.given_up:
            missing = f"{dollars(self.short)} of {_rounds(open_, earlier=bool(self.given_up))} not seen to fall"
        return "; ".join(text for text in (missing, self.attention) if text) or None

    @property
    def trouble(self) -> str | None:
        """What the alarm says, if there is one."""
        unkeyed = "id and seal of the box in the slot were not keyed" if self.unkeyed else None
        return "; ".join(text for text in (self.unexplained, unkeyed) if text) or None


class Gone(Struct, frozen=True, omit_defaults=True):
    """A box on its way to the count room."""

    box: str
    book: Book
    at: int


class LastCount(Struct, frozen=True, omit_defaults=True):
    """What the count room found in the box of a slot that it counted last."""

    box_id: str
    cents: int
    due: int
    at: int


class Reckoning(Struct, frozen=True, omit_defaults=True):
    """All slots of a table, and who deals."""

    dealer: str = ""
    dealer_since: int = 0
    """When he signed on; 0: nobody deals."""
    books: dict[str, Book] = {}
    gone: dict[str, Gone] = {}
    """Boxes that were taken out and not counted yet, by their id."""
    counted: dict[str, LastCount] = {}
    """By slot."""
    let_off: dict[str, int] = {}
    """Cents by slot that the floor let off after the round."""

    def next_look(self, *, dealing: bool) -> int | None:
        """When the next claim or loose piece is to be judged; what fell into a running round waits for its end."""
        times = [claim.until for book in self.books.values() for claim in book.claims if not claim.verdict]
        if not dealing:
            times += [loose.until for book in self.books.values() for loose in book.loose]
        return min(times, default=None)


def pieces(count: int) -> str:
    """
    >>> pieces(0), pieces(1), pieces(3)
    ('nothing', '1 piece', '3 pieces')
    """
    return "nothing" if not count else "1 piece" if count == 1 else f"{count} pieces"


def _rounds(claims: list[Claim], *, earlier: bool) -> str:
    numbers = sorted({claim.round for claim in claims})
    if not numbers:
        return "earlier rounds"
    if len(numbers) > 5:
        return f"{len(numbers)} rounds, the last {numbers[-1]}" + (", and of earlier ones" if earlier else "")
    names = f"round {numbers[0]}" if len(numbers) == 1 else f"rounds {', '.join(map(str, numbers))}"
    return names + (" and earlier ones" if earlier else "")
