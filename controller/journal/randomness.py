"""The random bytes of a journal: its identity, and a salt in each entry, so that a published hash shows nobody what
is in the entry.

They come from the system. Only where a run must be the same again (`demo --seed`, soak, tests; in test mode) do they
come from a seed, and then from the number of the entry: so a restart in between changes nothing.
"""

from __future__ import annotations

import os
from hashlib import sha256

from controller.journal.chain import SALT

_ID = 16
"""Bytes of a journal's identity."""


class Randomness:
    """Where the random bytes come from."""

    def journal_id(self) -> str:
        """The identity of a new journal, as 32 hex digits."""
        return os.urandom(_ID).hex()

    def salt(self, n: int) -> bytes:
        """For entry `n`."""
        return os.urandom(SALT)


class Seeded(Randomness):
    """The same bytes each time. A person who knows the seed can find a hidden card: for test mode only."""

    def __init__(self, seed: str) -> None:
        self._seed = seed

    def journal_id(self) -> str:
        return self._drawn("journal")[:_ID].hex()

    def salt(self, n: int) -> bytes:
        return self._drawn(f"entry {n}")[:SALT]

    def _drawn(self, what: str) -> bytes:
        return sha256(f"{self._seed}/{what}".encode()).digest()


SYSTEM = Randomness()
