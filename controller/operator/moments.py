"""What an act answers: the moment of an offer, and whether the table still waits for the same.

An act is bound to what was asked when it was offered, not to whatever has happened since: a chip that falls, a wager of
somebody else or a clock refuse nothing. The same question asked again is another moment: a seat that checked the flop
does not check the turn by the same tap.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import msgspec
from msgspec.structs import replace

from controller.engine.expect.expectation import prompt
from controller.engine.expect.want import Refusal
from controller.engine.expect.wants import AnyWant, WantWagers
from controller.engine.inputs import Act, AnyBody, BetsClosed, Revealed, kind_of
from controller.engine.table.engine import TableEngine

_AT_ANY_TIME = frozenset({"wager", "bank"})
"""What sets an amount: sent twice it is the same amount."""


def moment_of(engine: TableEngine[Any], want: AnyWant, body: AnyBody | dict[str, Any]) -> str:
    """The moment at which this want is answered by such an act; empty where it may be sent at any time."""
    kind, whose = _answering(body)
    return "" if kind in _AT_ANY_TIME else _moment(engine, want, kind, whose)


def is_gone(engine: TableEngine[Any], moment: str, body: AnyBody) -> Refusal | None:
    """Why a slip of an earlier moment is not done; None: the table still waits for that answer."""
    kind, whose = _answering(body)
    if kind in _AT_ANY_TIME:
        # Wagers that are sent together are there until the bets are closed.
        kind, whose = kind_of(BetsClosed()), ""
    if any(moment == _moment(engine, want, kind, whose) for want in engine.expectation.wants):
        return None
    text = f"that was asked before; now: {prompt(engine.expectation)}"
    return Refusal("no_longer_asked", text)


def _moment(engine: TableEngine[Any], want: AnyWant, kind: str, whose: str) -> str:
    return f"{_rounds(engine)}.{_answered(engine, kind, whose)}.{_asked(want)}"


def _answering(body: AnyBody | dict[str, Any]) -> tuple[str, str]:
    """The kind of an act, and who it is of."""
    if isinstance(body, dict):
        return str(body["kind"]), str(body.get("seat", body.get("owner", "")))
    if isinstance(body, Act):
        return kind_of(body), str(body.seat)
    return kind_of(body), body.owner if isinstance(body, Revealed) else ""


def _rounds(engine: TableEngine[Any]) -> int:
    """How many rounds are over."""
    return engine.round_number - engine.is_dealing


def _answered(engine: TableEngine[Any], kind: str, whose: str) -> int:
    """How often the running round has had such an act."""
    if not engine.is_dealing:
        return 0
    return sum(_answering(value.body) == (kind, whose) for value in engine.played.inputs)


def _asked(want: AnyWant) -> str:
    """The question itself; who has bet what is none of it."""
    if isinstance(want, WantWagers):
        want = replace(want, rules=(), book={}, hands=None)
    return blake2b(msgspec.json.encode(want), digest_size=6).hexdigest()
