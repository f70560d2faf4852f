"""Colour where a terminal has it; `NO_COLOR` in the environment, or anything but a terminal, takes it away."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TextIO

Paint = Callable[[str, str], str]
"""Text in a colour, by name."""

_COLOURS = {"red": "31", "yellow": "33", "green": "32", "bold": "1", "dim": "2"}


def painted(text: str, colour: str) -> str:
    """
    >>> painted("FAIL", "red")
    '\\x1b[31mFAIL\\x1b[0m'
    """
    return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m"


def plain(text: str, colour: str) -> str:
    return text


def paint_for(stream: TextIO) -> Paint:
    """As this stream shows it."""
    return painted if stream.isatty() and not os.environ.get("NO_COLOR") else plain
