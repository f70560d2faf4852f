"""The shuffler's decoder under damaged and random bytes: its own error or the exact message, and no memory kept."""

from __future__ import annotations

import tracemalloc

import pytest

from protocols.errors import ProtocolError
from protocols.shuffler.codec import decode, encode
from tests.support.fuzz import inputs
from tests.support.golden import rows

GOOD = [payload for _, _, payload in rows("shuffler.md")]
HELD_AT_WORST = 2_000_000
"""Bytes. A decoder that kept what it was fed would pass this early in a soak."""


@pytest.mark.timeout(3600)
def test_damaged_and_random_messages_raise_nothing_but_the_protocols_error() -> None:
    accepted = refused = 0
    for good in GOOD:  # what the first message of a kind loads for good is not kept of what was fed
        assert encode(decode(good)) == good
    tracemalloc.start()
    try:
        for number, data in enumerate(inputs("shuffler", GOOD)):
            try:
                message = decode(data)
            except ProtocolError:
                refused += 1
                continue
            except Exception as error:
                raise AssertionError(f"input {number}, {data.hex(' ')}: {type(error).__name__}") from error
            assert encode(message) == data, f"input {number}, {data.hex(' ')}"
            accepted += 1
        _, held_at_worst = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held_at_worst < HELD_AT_WORST
    assert accepted > 100
    assert refused > 100
