"""A requirement of a page: one function that plays it, and one wrong device that fails at it and at nothing else.

    @must("LINK-4", "2", wrong=into(lambda body: ...))
    async def empty_frames(bench: LinkBench) -> None:
        \"\"\"A receiver ignores empty frames.\"\"\"

The id is on the page, in square brackets, behind each sentence that the requirement is about;
tests/rig/conform/test_pages.py compares pages and table both ways. What cannot be seen on the wire is `inspected`, and
what the controller has to do is `of_controller`, with the test that plays it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

PAGES = {
    "LINK": "device-link.md",
    "SHOE": "shoe.md",
    "SHUF": "shuffler.md",
    "CUP": "dice-cup.md",
    "KEYS": "key-panel.md",
    "FW": "firmware.md",
    "DROP": "drop-box.md",
    "SIGN": "reader-board.md",
    "SCAN": "card-reader.md",
}
"""The page of each id, by what it begins with."""

Check = Callable[[Any], Awaitable[None]]
Mutation = Callable[[Any], None]


class Broken(Exception):
    """The device does something else than the page requires."""

    def __init__(self, expected: str, came: str) -> None:
        super().__init__(f"expected {expected}; came {came}")
        self.expected, self.came = expected, came


def expect(refused: object, wanted: object, after: str) -> None:
    """This refusal, or none, is the answer."""
    if refused != wanted:
        raise Broken(f"{wanted or 'no refusal'} for {after}", str(refused or "no refusal"))


class NotPlayed(Exception):
    """This requirement cannot be played here: the reason, in a sentence."""


class NoSession(Exception):
    """The device began no session, so nothing of a session can be played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """One requirement of a page."""

    id: str
    section: str
    text: str
    check: Check | None = None
    """How it is played; None: it cannot be seen on the wire."""
    wrong: Mutation | None = None
    """Makes a simulated device wrong in this one place, before it is plugged in."""
    home: str
    """The module that declares it."""
    why_not: str = ""
    """Why it is not played."""
    test: str = ""
    """Of ours that plays it, where it is the controller's."""

    @property
    def page(self) -> str:
        return PAGES[self.id.rsplit("-", 1)[0]]

    @property
    def place(self) -> str:
        """For sentences: "device-link.md, section 4"."""
        return f"{self.page}, section {self.section}"


_TABLE: dict[str, Requirement] = {}


def _enter(requirement: Requirement) -> None:
    if requirement.id in _TABLE:
        raise ValueError(f"{requirement.id} is in the table twice")
    _TABLE[requirement.id] = requirement


def must(id: str, section: str, *, wrong: Mutation) -> Callable[[Check], Check]:
    """A requirement that is played. Its text is the docstring of the function."""

    def declare(check: Check) -> Check:
        text = " ".join((check.__doc__ or "").split())
        _enter(Requirement(id=id, section=section, text=text, check=check, wrong=wrong, home=check.__module__))
        return check

    return declare


def inspected(id: str, section: str, text: str, why: str, *, home: str) -> None:
    """A requirement that cannot be seen on the wire: a person looks at the firmware or at the device."""
    _enter(Requirement(id=id, section=section, text=text, why_not=why, home=home))


def of_controller(id: str, section: str, text: str, test: str) -> None:
    """A requirement of the controller's, which its own test plays."""
    _enter(Requirement(id=id, section=section, text=text, test=test, home="controller"))


def table() -> dict[str, Requirement]:
    """All that were declared so far: `sim_hw.conform.kinds` imports every module that declares some."""
    return _TABLE
