"""Errors whose text is for the person who asked."""

from __future__ import annotations


class UserError(Exception):
    """A request that cannot be carried out. The text is one paragraph: what is wrong and what to do about it."""

    exit_code = 2
    """Of the command that it ends."""
