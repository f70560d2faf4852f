"""The random bytes of a journal: of each entry, so that a published hash tells nobody what is in the entry.

They come from the system. Only where a run must be the same again (`demo --seed`, soak, tests; in test mode) do they
come from a seed, and then from the number of the entry: so a restart in between changes nothing.
"""

from __future__ import annotations

import os
from hashlib import sha256

from controller.journal.chain import SALT


class Randomness:
    """Where the random bytes come from."""

    def salt(self, n: int) -> bytes:
        """For entry `n`."""
        return os.urandom(SALT)


class Seeded(Randomness):
    """The same bytes each time. Whoever knows the seed can find a hidden card: for test mode only."""

    def __init__(self, seed: str) -> None:
        self._seed = seed

    def salt(self, n: int) -> bytes:
        return self._drawn(f"entry {n}")

    def _drawn(self, what: str) -> bytes:
        return sha256(f"{self._seed}/{what}".encode()).digest()[:SALT]


SYSTEM = Randomness()
