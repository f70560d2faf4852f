"""The walk along a journal's chain of hashes: plain rows in one loop, for whoever checks all of them.

`chain` tells what an entry is and says what is wrong with one; this only finds out whether anything is. It is one of
the modules that deploy/compile.py compiles.
"""

from __future__ import annotations

import struct
from hashlib import sha256

Row = tuple[int, bytes]
"""An entry as it lies in its table: its number, and all of it sealed into one run of bytes."""

Parts = tuple[int, int, bytes, bytes, int, int, bytes]
"""What is in it: n, round, input, events, first_seq, count, hash."""

HASH = 32
"""Bytes of the hash with which a sealed entry begins. All that comes after it is hashed."""
FIELDS = struct.Struct(">IIIHI")
"""What follows the hash: n, first_seq, round, count, length of input. Then the input, then the events.

Four bytes count the entries of a table that deals day and night for three hundred years. With eight, the entries of a
round would not fit on a page of the file, and a round would write more of them.
"""
INPUT = HASH + FIELDS.size
"""Where in a sealed entry the input begins."""


def walked(rows: list[Row], n: int, seq: int, before: bytes) -> list[Parts] | None:
    """What is in these rows, each being the whole and unchanged successor of the one before, the first of entry `n`;
    None where one is not."""
    # Looked up once, and typed, for the compiled loop. A copy of a fresh hash costs OpenSSL less than a new one.
    fields, fresh, after_hash, start = FIELDS.unpack_from, sha256(), HASH, INPUT
    own_n: int
    first_seq: int
    count: int
    length: int
    whole: list[Parts] = []
    try:
        for number, sealed in rows:
            own_n, first_seq, round_, count, length = fields(sealed, after_hash)
            n, end = n + 1, start + length
            if number != n or own_n != n or first_seq != seq + 1 or end > len(sealed):
                return None
            digest = fresh.copy()
            digest.update(before + sealed[after_hash:])
            before = digest.digest()
            if before != sealed[:after_hash]:
                return None
            whole.append((n, round_, sealed[start:end], sealed[end:], first_seq, count, before))
            seq += count
    except (TypeError, struct.error):  # a damaged page can hand back anything: another type, nothing, too few bytes
        return None
    return whole
