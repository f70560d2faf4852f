"""Messages that a stolen board, or anybody on a broker without access lists, may publish to a floor."""

from __future__ import annotations

import json
import random
import string
from typing import Any

import msgspec

from tests.support.recorded_days import FreshTable, Published

_LONG = string.ascii_lowercase + string.digits
_NASTY: tuple[Any, ...] = (
    None, True, -1, 0, 10**12, 10**30, 2**53, 2**63, 2**64, 1.5, 1e308, "", "A" * 6000, "\0", "x\0y", "../x", [],
    [[[]]], {}, {"": {}}, "%s", "\\N", "\t\n", "0" * 32, "f" * 64, "\x1b[2J", float("inf"),
)  # fmt: skip


def hostile_message(rng: random.Random, table: FreshTable) -> Published:
    """A message of this table that was changed, or nothing that any table publishes."""
    documents = [table.state(rng.randrange(1, 9)), table.head(5), table.online()]
    base = rng.choice(table.events) if rng.random() < 0.7 else rng.choice(documents)
    match rng.randrange(8):
        case 0:
            payload = rng.randbytes(rng.randrange(200))
        case 1:
            changed = bytearray(base.payload)
            for _ in range(rng.randrange(1, 4)):
                changed[rng.randrange(len(changed))] = rng.randrange(256)
            payload = bytes(changed)
        case 2:
            payload = b"[" * rng.choice((10, 3000, 100_000))
        case _:
            fields = _with_nasty_fields(rng, msgspec.json.decode(base.payload))
            payload = json.dumps(fields, separators=(",", ":"), ensure_ascii=rng.random() < 0.5).encode()
    return Published(_topic(rng, table) if rng.random() < 0.4 else base.topic, payload)


def _with_nasty_fields(rng: random.Random, fields: dict[str, Any]) -> dict[str, Any]:
    changed = dict(fields)
    for _ in range(rng.randrange(1, 3)):
        name = rng.choice((*changed, "extra"))
        inner = changed.get(name)
        if isinstance(inner, dict) and inner and rng.random() < 0.7:
            changed[name] = _with_nasty_fields(rng, inner)
        else:
            changed[name] = rng.choice((*_NASTY, "".join(rng.choices(_LONG, k=6000))))
    return changed


def _topic(rng: random.Random, table: FreshTable) -> str:
    long = "".join(rng.choices(_LONG, k=9000))
    site, name = rng.choice((table.site, "x", "\xe9" * 2000)), rng.choice((table.table, "y", long))
    ends = ("event/x", "state", "online", "head", "device/shoe", f"device/{long}", f"alarm/{long}", "junk", "")
    if rng.random() < 0.2:
        return f"cutcard/v2/reply/c/store/{site}/{name}/1"
    return f"cutcard/v2/{site}/{name}/{rng.choice(ends)}"
