"""Mutated and random inputs for the decoders, from a seed.

`make test` gives each decoder some thousands; CUTCARD_SOAK=1000000 a million. A failing input is printed with its
number, so that it can become a test of its own.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence

IN_MAKE_TEST = 3000


def how_many() -> int:
    """Inputs per decoder."""
    return int(os.environ.get("CUTCARD_SOAK", IN_MAKE_TEST))


def inputs(seed: int | str, good: Sequence[bytes], longest: int = 300) -> Iterator[bytes]:
    """Half of them good messages that were mutated a little, a third random bytes, the rest good ones run together."""
    rng = random.Random(seed)
    for _ in range(how_many()):
        kind = rng.random()
        if kind < 0.5:
            yield _mutated(rng, rng.choice(good))
        elif kind < 0.83:
            yield rng.randbytes(rng.randrange(longest))
        else:
            yield b"".join(_mutated(rng, rng.choice(good)) for _ in range(rng.randrange(2, 5)))


def _mutated(rng: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.randrange(4)):
        if not changed:
            break
        at = rng.randrange(len(changed))
        match rng.randrange(4):
            case 0:
                changed[at] = rng.randrange(256)
            case 1:
                changed[at] ^= 1 << rng.randrange(8)
            case 2:
                del changed[at : at + rng.randrange(1, 4)]
            case _:
                changed[at:at] = rng.randbytes(rng.randrange(1, 4))
    return bytes(changed)
