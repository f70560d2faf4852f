"""Errors whose text is for the person who asked."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class UserError(Exception):
    """A request that cannot be carried out. The text is one paragraph: what is wrong and what to do about it."""

    exit_code = 2
    """Of the command that it ends."""


def nearest(word: str, known: Iterable[str]) -> str:
    """A suggestion for a mistyped word, or nothing.

    >>> nearest("recal", ["recall", "replay"]), nearest("x", ["recall"])
    (' Did you mean recall?', '')
    """
    close = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f" Did you mean {close[0]}?" if close else ""
