"""Mutated and random inputs for the decoders, from a seed.

`make test` gives each decoder some thousands; CUTCARD_SOAK=1000000 a million, CUTCARD_SEED=7 others. A failing input is
printed with its number, so that it can become a test of its own. CUTCARD_COUNT names a file to which the number of
inputs is added, a line for each use.
"""

from __future__ import annotations

import os
import random
import sys
import tracemalloc
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from protocols.errors import ProtocolError

IN_MAKE_TEST = 3000
HELD_AT_WORST = 2_000_000
"""Bytes that a decoder may hold at any moment."""
TRACED = 3000
"""The first inputs, of which every byte in memory is traced. It makes them several times slower."""
BLOCKS = 5000
"""How many blocks of memory more there may be after the other inputs than before them."""


def how_many() -> int:
    """Inputs per decoder."""
    return int(os.environ.get("CUTCARD_SOAK", IN_MAKE_TEST))


def inputs(seed: int | str, good: Sequence[bytes], longest: int = 300) -> Iterator[bytes]:
    """Half of them good messages that were mutated a little, a third random bytes, the rest good ones run together."""
    rng = random.Random(f"{seed}/{other}" if (other := os.environ.get("CUTCARD_SEED")) else seed)
    if counts := os.environ.get("CUTCARD_COUNT"):
        with Path(counts).open("a") as file:
            file.write(f"{how_many()}\n")
    for _ in range(how_many()):
        kind = rng.random()
        if kind < 0.5:
            yield _mutated(rng, rng.choice(good))
        elif kind < 0.83:
            yield rng.randbytes(rng.randrange(longest))
        else:
            yield b"".join(_mutated(rng, rng.choice(good)) for _ in range(rng.randrange(2, 5)))


def in_flat_memory(data: Iterable[bytes]) -> Iterator[bytes]:
    """The inputs one after another, while the memory of those who read them is watched.

    What is held at worst is traced for the first ones. For all others the blocks of the interpreter are counted, before
    and after: a decoder that keeps one object of ten inputs is found in a long run.
    """
    tracemalloc.start()
    try:
        left = iter(data)
        yield from islice(left, TRACED)
        _, held_at_worst = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held_at_worst < HELD_AT_WORST
    before = sys.getallocatedblocks()
    yield from left
    assert sys.getallocatedblocks() - before < BLOCKS, "memory grew with the number of inputs"


def check_decoder(seed: int | str, good: Sequence[bytes], again: Callable[[bytes], bytes]) -> None:
    """A decoder and its encoder raise nothing but the protocol's error, lose no byte, and keep nothing in memory.

    `again` decodes its bytes and encodes what it found.
    """
    accepted = refused = 0
    for message in good:  # what the first message of a kind loads for good is not counted
        assert again(message) == message
    for number, data in enumerate(in_flat_memory(inputs(seed, good))):
        try:
            encoded = again(data)
        except ProtocolError:
            refused += 1
            continue
        except Exception as error:
            raise AssertionError(f"input {number}, {data.hex(' ')}: {type(error).__name__}") from error
        assert encoded == data, f"input {number}, {data.hex(' ')}"
        accepted += 1
    assert accepted > 100
    assert refused > 100


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
