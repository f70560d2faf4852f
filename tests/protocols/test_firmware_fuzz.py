"""The decoders of authentication, firmware and images under damaged and random bytes."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from hashlib import sha256

import pytest

from protocols.errors import ProtocolError
from protocols.firmware import companion, image
from tests.support.fuzz import inputs
from tests.support.golden import rows

MESSAGES = [payload for _, _, payload in rows("firmware.md")]
HELD_AT_WORST = 2_000_000
"""Bytes. A decoder that kept what it was fed would pass this early in a soak."""


def an_image(size: int) -> bytes:
    payload = bytes(n % 251 for n in range(size))
    manifest = image.Manifest(
        device_class=2,
        hardware_from=1,
        hardware_to=2,
        security=1,
        size=size,
        model="SIM-SHUFFLER",
        version="1.1.0",
        sha256=sha256(payload).digest(),
        key_id=b"signer-1",
    )
    return image.pack(manifest, b"s" * 64, payload).data


def as_message(data: bytes) -> bytes:
    return companion.encode(companion.decode(data))


def as_head(data: bytes) -> bytes:
    manifest, signature = image.parse_head(data)
    return image.encode_manifest(manifest) + signature + data[image.HEAD_SIZE :]


@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("again", "good"), [(as_message, MESSAGES), (as_head, [an_image(5), an_image(60)])])
def test_damaged_and_random_bytes_raise_nothing_but_the_protocols_error(
    again: Callable[[bytes], bytes], good: list[bytes]
) -> None:
    accepted = refused = 0
    tracemalloc.start()
    try:
        for number, data in enumerate(inputs(again.__name__, good)):
            try:
                encoded = again(data)
            except ProtocolError:
                refused += 1
                continue
            except Exception as error:
                raise AssertionError(f"input {number}, {data.hex(' ')}: {type(error).__name__}") from error
            assert encoded == data, f"input {number}, {data.hex(' ')}"
            accepted += 1
        _, held_at_worst = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held_at_worst < HELD_AT_WORST
    assert accepted > 100
    assert refused > 100
