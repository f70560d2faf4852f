"""Report descriptors for the tests, built from items instead of typed as hex."""

from __future__ import annotations

import random
from dataclasses import dataclass

PAGE = 0x8C
POSITIONS = ("count", "symbology", "data", "vendor", "padding", "flag")


def item(tag: int, value: int = 0, size: int = 1) -> bytes:
    """A short item: its tag, and its value in `size` bytes (0, 1, 2 or 4)."""
    return bytes((tag | (0, 1, 2, 0, 3)[size],)) + value.to_bytes(size, "little")


def usage_page(page: int) -> bytes:
    return item(0x04, page, 2 if page > 0xFF else 1)


def usage(value: int) -> bytes:
    return item(0x08, value, 4 if value > 0xFFFF else 1)


def usages(first: int, last: int) -> bytes:
    return item(0x18, first) + item(0x28, last)


def report_id(value: int) -> bytes:
    return item(0x84, value)


def controls(size: int, count: int) -> bytes:
    return item(0x74, size) + item(0x94, count, 2)


def data(*, buffered: bool = False) -> bytes:
    return item(0x80, 0x102, 2) if buffered else item(0x80, 0x02)


def constant() -> bytes:
    return item(0x80, 0x03)


def collection(kind: int, *inside: bytes) -> bytes:
    return item(0xA0, kind) + b"".join(inside) + item(0xC0, size=0)


def application(page: int, which: int, *inside: bytes) -> bytes:
    return usage_page(page) + usage(which) + collection(0x01, *inside)


def keyboard() -> bytes:
    """A boot keyboard's input report: eight modifier bits, a constant byte, an array of six keys."""
    return application(
        0x01,
        0x06,
        usage_page(0x07) + usages(0xE0, 0xE7) + controls(1, 8) + data(),
        controls(8, 1) + constant(),
        usage_page(0x07) + usages(0x00, 0x65) + controls(8, 6) + item(0x80, 0x00),
    )


@dataclass(frozen=True)
class Scanner:
    """A made-up maker's scanner: which fields its report has, in which order."""

    descriptor: bytes
    has_id: bool
    has_count: bool
    has_symbology: bool
    can_continue: bool
    room: int


def scanner(rng: random.Random) -> Scanner:
    """Any layout that the page allows, spelled in any of the ways that the standard allows."""
    order = rng.sample(POSITIONS, len(POSITIONS))
    has = {name: rng.random() < 0.7 for name in POSITIONS} | {"data": True}
    has_id = rng.random() < 0.7
    room = rng.randint(8, 56)
    fields = {
        "count": usage_page(0x01) + usage(0x3B) + controls(8, 1) + data(),
        "symbology": _identifiers(rng),
        "data": usage_page(PAGE) + usage(0xFE) + controls(8, room) + data(buffered=rng.random() < 0.7),
        "vendor": usage_page(0xFF66) + usage(0x04) + usage(0x00) + controls(8, 2) + data(),
        "padding": controls(8, rng.randint(1, 3)) + constant(),
        "flag": _flag(rng),
    }
    inside = b"".join(fields[name] for name in order if has[name])
    numbered = report_id(rng.randint(1, 255)) if has_id else b""
    if rng.random() < 0.7:
        inside = usage_page(PAGE) + usage(0x12) + collection(0x02, numbered, inside)
    else:
        inside = numbered + inside
    return Scanner(application(PAGE, 0x02, inside), has_id, has["count"], has["symbology"], has["flag"], room)


def _identifiers(rng: random.Random) -> bytes:
    match rng.randrange(4):
        case 0:
            return usage_page(PAGE) + usages(0xFB, 0xFD) + controls(8, 3) + data()
        case 1:
            each = (usage(which) + data() for which in (0xFB, 0xFC, 0xFD))
            return usage_page(PAGE) + controls(8, 1) + b"".join(each)
        case 2:
            # The page that counts is the one at the main item.
            return (
                usage_page(0x01) + usage(0xFB) + usage(0xFC) + usage(0xFD) + usage_page(PAGE) + controls(8, 3) + data()
            )
        case _:
            return b"".join(usage(PAGE << 16 | which) for which in (0xFB, 0xFC, 0xFD)) + controls(8, 3) + data()


def _flag(rng: random.Random) -> bytes:
    start = usage_page(PAGE) + usage(0xFF)
    match rng.randrange(3):
        case 0:
            return start + controls(1, 8) + data()
        case 1:
            return start + controls(1, 1) + data() + controls(1, 7) + constant()
        case _:
            return controls(1, 3) + constant() + start + controls(1, 1) + data() + controls(4, 1) + constant()
