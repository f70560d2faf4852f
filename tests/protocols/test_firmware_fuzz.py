"""The decoders of authentication, firmware and images under damaged and random bytes."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

import pytest

from protocols.firmware import companion, image
from tests.support.hostile.fuzz import check_decoder
from tests.support.wire.golden import rows

MESSAGES = [payload for _, _, payload in rows("firmware.md")]


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
    check_decoder(again.__name__, good, again)
