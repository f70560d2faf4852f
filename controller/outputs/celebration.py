"""The big hands, for a house that celebrates them on its wall: off unless the configuration names them.

Only what everybody has seen counts: a flag of the result, or a winning hand all of whose cards were shown.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from controller.engine.expect.want import title
from controller.engine.table.engine import TableEngine
from controller.hand_names import hand_names


def celebrated(engine: TableEngine[Any], names: Collection[str]) -> str | None:
    """What the last hand is celebrated for; None where it is none of `names`."""
    last = engine.last
    if not names or last is None or last.public.get("void"):
        return None
    public, ranks = last.public, last.document.get("ranks", {})
    found = [title(name) for name, on in public.get("flags", {}).items() if on and name in names]
    for owner, cards in public.get("hands", {}).items():
        rank = ranks.get(owner)
        if rank and None not in cards and _category(rank) in names and _has_won(public, str(owner)):
            found.append(f"{title(str(owner))}: {hand_names(rank)[0]}")
    return ", ".join(found) or None


def _category(rank: Any) -> str:
    """Of a hand that was set in parts, that of its best part, which is the last."""
    return str(rank[-1][0] if isinstance(rank[0], list | tuple) else rank[0])


def _has_won(public: dict[str, Any], owner: str) -> bool:
    """Whoever took something: a pot, or a wager."""
    seat = owner.partition("/")[0].partition(".")[0]
    took = any(cents > 0 for pot in public.get("pots", ()) for to, cents in pot["to"].items() if str(to) == seat)
    won = any(line["net"] > 0 for line in public.get("lines", ()) if str(line["place"]).partition(".")[0] == seat)
    outcome = public.get("outcome")
    return took or won or (isinstance(outcome, dict) and outcome.get(owner) == "win")
