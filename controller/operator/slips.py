"""A slip: one or several acts that a person sends as one, and the moment that they answer."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from controller.engine.expect.want import Refusal
from controller.engine.inputs import AnyBody, decode_body
from controller.engine.reading import read_json
from controller.engine.table.engine import TableEngine
from controller.operator.moments import is_gone

MOST_ACTS = 64


class Slip(Struct, frozen=True):
    """Acts of which all are done or none."""

    acts: tuple[AnyBody, ...]
    moment: str = ""
    """What the table waited for when they were offered; empty: they are bound to nothing."""


class _Sent(Struct, frozen=True, forbid_unknown_fields=True):
    acts: Annotated[tuple[dict[str, Any], ...], Meta(min_length=1, max_length=MOST_ACTS)]
    moment: Annotated[str, Meta(max_length=64)] = ""


def read_slip(data: bytes) -> Slip:
    """A slip from outside; `Unreadable` states what is wrong with it."""
    sent = read_json(data, _Sent)
    return Slip(tuple(decode_body(act) for act in sent.acts), sent.moment)


def judge_slip(slip: Slip, engine: TableEngine[Any]) -> Refusal | None:
    """Why the slip cannot be done at this table; None: nothing stands against trying it."""
    return is_gone(engine, slip.moment, slip.acts[0]) if slip.moment else None
