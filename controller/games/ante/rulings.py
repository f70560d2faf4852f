"""Irregularities that a sheet does not rule: the floor decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from controller.engine.inputs import Happening
from controller.engine.round.felt import Table, Unruled
from controller.engine.round.game import Ruling


@dataclass(frozen=True)
class Unstated:
    """What a sheet calls it when its text rules nothing and the floor decides; empty: it has no word for it."""

    code: str


def _floor_decides(t: Table, body: Happening) -> None:
    word = t.script_state.code if isinstance(t.script_state, Unstated) else ""
    raise Unruled(f"{body.code.replace('_', ' ')}: the rules of the game do not say", word)


FLOOR_DECIDES: Mapping[str, Ruling] = dict.fromkeys(
    ("misdeal", "card_exposed", "wrong_card_count", "boxed_card", "shuffler_failure", "shuffler_jam"), _floor_decides
)
