"""Looks at SQLite's write-ahead log before SQLite does.

SQLite reads its log up to the last whole commit and silently drops the rest. For an append cut short by a power
cut that is right, nobody had been informed of it; but a damaged log looks the same, and would lose entries in
silence. So we count the pages that will be forgotten, and the journal reports and keeps them.

Layout and checksum: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
"""

from __future__ import annotations

from pathlib import Path
from struct import Struct as Layout
from struct import unpack

from controller.journal.store import PAGE_SIZE

_HEADER = Layout(">8I")
"""magic, version, page size, how often the log was restarted, salt 1 (one more each time), salt 2, two checksums"""
_FRAME = Layout(">6I")
"""page, pages after commit (0: no commit), salt 1, salt 2, checksum 1, checksum 2"""
_MAGIC = 0x377F0682
"""The lowest bit is the byte order of the checksum: 0 little-endian, 1 big-endian."""


def torn_pages(log: Path) -> int:
    """Pages in the log after its last whole commit, or all of them if its beginning is damaged."""
    try:
        data = log.read_bytes()
    except FileNotFoundError:
        return 0
    if len(data) < _HEADER.size:
        return 1 if data else 0
    magic, _, page_size, beginnings, *salts, sum_1, sum_2 = _HEADER.unpack_from(data)
    order = ">" if magic & 1 else "<"
    sums = _checksum(order, data[:24], (0, 0))
    if magic & ~1 != _MAGIC or sums != (sum_1, sum_2):
        return max(1, (len(data) - _HEADER.size) // (_FRAME.size + PAGE_SIZE))

    pages = committed = 0
    whole = True
    for at in range(_HEADER.size, len(data), _FRAME.size + page_size):
        frame = data[at : at + _FRAME.size + page_size].ljust(_FRAME.size, b"\0")
        _, commit, *frame_salts, sum_1, sum_2 = _FRAME.unpack_from(frame)
        if frame_salts != salts and 1 <= (salts[0] - frame_salts[0]) % 2**32 <= beginnings:
            break  # left over, with all that follows, from before the log was restarted
        pages += 1
        if whole and len(frame) == _FRAME.size + page_size and frame_salts == salts:
            sums = _checksum(order, frame[_FRAME.size :], _checksum(order, frame[:8], sums))
            whole = sums == (sum_1, sum_2)
            if whole and commit:
                committed = pages
        else:
            whole = False
    return pages - committed


def _checksum(order: str, data: bytes, sums: tuple[int, int]) -> tuple[int, int]:
    first, second = sums
    words = iter(unpack(f"{order}{len(data) // 4}I", data))
    for even, odd in zip(words, words, strict=True):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return first, second
