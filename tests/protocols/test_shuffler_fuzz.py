"""The shuffler's decoder under damaged and random bytes: its own error or the exact message, and no memory kept."""

from __future__ import annotations

import pytest

from protocols.shuffler.codec import decode, encode
from tests.support.hostile.fuzz import check_decoder
from tests.support.wire.golden import rows

GOOD = [payload for _, _, payload in rows("shuffler.md")]


@pytest.mark.timeout(3600)
def test_damaged_and_random_messages_raise_nothing_but_the_protocols_error() -> None:
    check_decoder("shuffler", GOOD, lambda data: encode(decode(data)))
