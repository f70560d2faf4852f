"""The walk along a journal's chain of hashes: plain rows in one loop, for whoever checks all of them.

`chain` tells what an entry is and says what is wrong with one; this only finds out whether anything is. It is one of
the modules that deploy/compile.py compiles.
"""

from __future__ import annotations

import struct
from hashlib import sha256

Row = tuple[int, int, bytes, bytes, int, int, bytes]
"""An entry as it lies in its table: n, round, input, events, first_seq, count, hash."""

FIELDS = struct.Struct(">QQQIQ")
"""What is hashed of an entry between the hash before it and its input: n, round, first_seq, count, length of input."""


def walked(rows: list[Row], n: int, seq: int, before: bytes) -> tuple[int, int, bytes] | None:
    """Entry, event and hash with which these rows end, each being the whole and unchanged successor of the one before,
    the first of entry `n`; None where one is not."""
    pack = FIELDS.pack
    try:
        for number, round_, input_, events, first_seq, count, due in rows:
            n += 1
            if number != n or first_seq != seq + 1:
                return None
            fields = pack(n, round_, first_seq, count, len(input_))
            before = sha256(before + fields + input_ + events).digest()
            if before != due:
                return None
            seq += count
    except (TypeError, struct.error):  # a damaged page can hand back any type in any column
        return None
    return n, seq, before
