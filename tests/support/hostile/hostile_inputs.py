"""Inputs that somebody might send to do harm, made from good ones and from nothing, by a seed.

`of_every_kind` makes an input of any kind from the types alone; `mutated` changes a good one in a place or two;
`garbage` is what is no input at all. What they yield are the bytes that would arrive.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from msgspec import inspect

from controller.engine.facts import KnownFacts
from controller.engine.inputs import AnyBody
from controller.engine.table.settings import TableSettings
from controller.rules import all_rulesets

DEEP = 3000
"""Levels of a body that is nested too deeply; one that a reader could still take has a few hundred."""

_WORDS = (
    *("void", "resume", "hold", "use_next", "waive", "fold", "check", "call", "raise", "bet", "hit", "stand", "split"),
    *("double", "set", "discard", "meld", "out", "draw", "take", "misdeal", "wrong_card_count", "exposed_card"),
    *("boxed_card", "player_line", "tie", "board", "player_dealer", "1", "3.2", "house", "collection", "shoe"),
)
_CARDS = ("As", "Td", "9h", "2c", "Kd", "Jo", "7s", "Xx", "", "AS", "gee_joon", "0")


def hostile_value(rng: random.Random) -> Any:
    """A value that does not belong there, or only just."""
    makers: tuple[Callable[[], Any], ...] = (
        lambda: rng.choice((0, 1, -1, 2, 3, 7, 8, 14, 15, 255, 256, 500, 10**6, 10**9, 10**12, 10**12 + 1, -(10**12))),
        lambda: rng.choice((2**31, 2**53, 2**63 - 1, 2**63, 2**64, 10**30, -(2**63) - 1)),
        lambda: rng.choice((0.5, 1.0, -0.0, 1e15, 1e300, 1.5e-300)),
        lambda: rng.choice((True, False, None)),
        lambda: rng.choice(_WORDS),
        lambda: rng.choice(_CARDS),
        lambda: rng.choice(("", " ", "\x00", "é", "\u202e", "x" * 129, "y" * 3000, "\ud800", "1" * 400, "-1", "3.99")),
        lambda: [],
        lambda: {},
        lambda: [1, 2],
        lambda: {"1": 100, "2": 200},
        lambda: {"kind": rng.choice(("no_limit", "fixed_limit", "card_out", "started"))},
        lambda: [rng.choice(_CARDS) for _ in range(rng.randrange(12))],
        lambda: [rng.randrange(20) for _ in range(rng.choice((1, 3, 15, 1200)))],
        lambda: {str(n): n for n in range(rng.choice((1, 20, 400)))},
        lambda: _nested(rng.choice((2, 9, 40))),
    )  # fmt: skip
    return rng.choice(makers)()


def _nested(levels: int) -> Any:
    value: Any = 1
    for n in range(levels):
        value = [value] if n % 2 else {"a": value}
    return value


def mutated(rng: random.Random, good: Any) -> bytes:
    """A good input, changed in some places."""
    body = json.loads(json.dumps(good))
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3))):
        body = _change(rng, body)
    data = json.dumps(body, ensure_ascii=rng.random() < 0.5)
    if rng.random() < 0.02:
        data = data.replace(":", ":" + "[" * DEEP, 1)
    if rng.random() < 0.02 and data.startswith("{") and len(data) > 2:
        data = '{"kind": "bank", ' + data[1:]
    return data.encode("utf-8", "surrogatepass")


def _change(rng: random.Random, body: Any) -> Any:
    where = _a_place(rng, body)
    if where is None:
        return hostile_value(rng)
    holder, name = where
    if isinstance(holder, dict):
        match rng.randrange(8):
            case 0:
                del holder[name]
            case 1:
                holder[rng.choice(("x", "kind", "seat", "facts", "settings", name + "s"))] = holder[name]
            case 2:
                holder[rng.choice(("facts", "settings", "options"))] = named_values(rng)
            case _:
                holder[name] = hostile_value(rng)
    else:
        match rng.randrange(4):
            case 0:
                del holder[name]
            case 1:
                holder.append(holder[name])
            case _:
                holder[name] = hostile_value(rng)
    return body


def named_values(rng: random.Random, kind: type[Any] | None = None) -> dict[str, Any]:
    """Facts or settings with names that are known and values that may not be theirs."""
    kind = kind or rng.choice((KnownFacts, TableSettings))
    names = rng.sample(kind.__struct_fields__, rng.randrange(1, 4))
    fields = _FIELDS[kind]
    return {name: hostile_value(rng) if rng.random() < 0.3 else a_value(rng, fields[name]) for name in names}


def _a_place(rng: random.Random, body: Any) -> tuple[Any, Any] | None:
    places: list[tuple[Any, Any]] = []
    left = [body]
    while left:
        value = left.pop()
        if isinstance(value, dict):
            places += [(value, name) for name in value]
            left += value.values()
        elif isinstance(value, list):
            places += [(value, n) for n in range(len(value))]
            left += value
    return rng.choice(places) if places else None


def garbage(rng: random.Random) -> bytes:
    """No input at all."""
    match rng.randrange(6):
        case 0:
            return rng.randbytes(rng.randrange(300))
        case 1:
            return rng.choice((b"[", b"{", b'{"a":')) * rng.choice((10, DEEP))
        case 2:
            return b'{"kind": "act", "seat": 1, "do": "\xff"}'
        case 3:
            return rng.choice(
                (b"", b"null", b"NaN", b'{"kind": Infinity}', b"1", b'"x"', b"[]", b"{}", b"\xef\xbb\xbf{}")
            )
        case 4:
            return b'{"kind": "happening", "code": "x", "facts": {"n": ' + b"9" * rng.choice((19, 25, 5000)) + b"}}"
        case _:
            return json.dumps(hostile_value(rng)).encode()


# From the types alone


def _struct(kind: type[Any]) -> inspect.StructType:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return info


_FIELDS: dict[Any, dict[str, inspect.Type]] = {
    kind: {field.encode_name: field.type for field in _struct(kind).fields} for kind in (KnownFacts, TableSettings)
}
"""Asked of msgspec once: it takes longer than an input does."""


def _kinds() -> list[inspect.StructType]:
    info = inspect.type_info(AnyBody)
    assert isinstance(info, inspect.UnionType)
    return [kind for kind in info.types if isinstance(kind, inspect.StructType)]


KINDS = _kinds()
"""Every kind of input, as msgspec knows it."""
_OF_THE_BOARD = ("device", "noted", "sensor", "tick", "board", "firmware_update", "journal_rotated", "archive_removed",
                 "difference_found", "started", "configure", "clock", "quarantined", "sign_in")  # fmt: skip
OF_PEOPLE = [kind for kind in KINDS if kind.tag not in _OF_THE_BOARD]
"""The kinds that a person may send."""


def of_every_kind(rng: random.Random) -> dict[str, Any]:
    """An input of any kind that a reader takes, its fields at random."""
    kind = rng.choice(KINDS if rng.random() < 0.3 else OF_PEOPLE)
    body: dict[str, Any] = a_value(rng, kind)
    body["kind"] = kind.tag
    if kind.tag == "choose_rules" and rng.random() < 0.9:
        body["ruleset"] = rng.choice(tuple(all_rulesets()))
    if "facts" in body or "settings" in body:
        body.update({name: named_values(rng) for name in ("facts", "settings") if name in body})
    return body


def a_value(rng: random.Random, info: inspect.Type) -> Any:
    """A value of this type; its bounds are kept."""
    match info:
        case inspect.Metadata(type=inner):
            return a_value(rng, inner)
        case inspect.UnionType(types=types):
            return a_value(rng, rng.choice(types))
        case inspect.StructType(fields=fields):
            body = {
                field.encode_name: a_value(rng, field.type) for field in fields if field.required or rng.random() < 0.5
            }
            return {info.tag_field: info.tag, **body} if info.tag_field else body
        case inspect.IntType(ge=ge, gt=gt, le=le):
            low = int(ge) if ge is not None else int(gt) + 1 if gt is not None else 0
            high = int(le) if le is not None else 10**6
            return rng.choice((low, high, rng.randint(low, high), min(high, low + rng.randrange(1000))))
        case inspect.FloatType():
            return rng.choice((0.5, 2.0))
        case inspect.BoolType():
            return rng.random() < 0.5
        case inspect.StrType(pattern=pattern):
            return rng.choice(("1", "2", "3.2") if pattern else (*_WORDS, *_CARDS))
        case inspect.LiteralType(values=values):
            return rng.choice(values)
        case inspect.VarTupleType(item_type=item):
            return [a_value(rng, item) for _ in range(rng.randrange(5))]
        case inspect.DictType(key_type=key, value_type=value):
            return {str(a_value(rng, key)): a_value(rng, value) for _ in range(rng.randrange(4))}
        case inspect.AnyType():
            return rng.choice((1, "x", None, {"kind": "close_bets"}, {"kind": "card_out", "card": "As"}))
    return None


def some(rng: random.Random, a_good_one: Callable[[], Any]) -> bytes:
    """The next hostile input: mostly a good one that was changed, sometimes of any kind, sometimes garbage."""
    chance = rng.random()
    if chance < 0.6:
        return mutated(rng, a_good_one())
    if chance < 0.93:
        made = of_every_kind(rng)
        return mutated(rng, made) if rng.random() < 0.5 else json.dumps(made).encode()
    return garbage(rng)
