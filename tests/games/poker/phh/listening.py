"""A table that deals one history and is listened to: in stud and draw it says who is asked for what.

What it was fed is kept, so that the same hand can be dealt again without reading anything (the benchmarks do).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from controller.engine import events as ev
from controller.engine.inputs import AnyBody, Input, TableSet
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.rules import load
from tests.games.poker.phh.history import History


class Listened:
    """Our table and what it was given, from the setting of the table on."""

    def __init__(
        self,
        hand: History,
        ruleset: str,
        options: Mapping[str, Any],
        *,
        structure: Mapping[str, Any],
        blinds: bool = True,
    ) -> None:
        self.hand = hand
        self._ruleset, self._options = ruleset, options
        self.engine = self.fresh_table()
        self.fed: list[Input] = []
        seats = range(1, hand.players + 1)
        settings = {
            "structure": dict(structure),
            "antes": {seat: cents for seat, cents in zip(seats, hand.antes, strict=True) if cents},
            "stacks": dict(zip(seats, hand.starting_stacks, strict=True)),
        }
        if blinds:
            posted = zip(seats, hand.blinds_or_straddles, strict=True)
            settings["blinds"] = {seat: cents for seat, cents in posted if cents}
        self.feed(TableSet(seats=tuple(seats), button=hand.players if blinds else UNSET, settings=settings))

    def fresh_table(self) -> TableEngine[Any]:
        """A table with the rules that this history is dealt by, not set yet."""
        rules = load(self._ruleset)
        return TableEngine(rules.game, rules.options(self._options), TableState(Setup()), self._ruleset)

    def feed(self, body: AnyBody) -> None:
        """Nothing may be refused on the way."""
        self.fed.append(Input(0, "history", body))
        for event in self.engine.apply(self.fed[-1]):
            assert not isinstance(event, ev.Refused | ev.Held), (body, event)

    def stacks(self) -> list[int]:
        assert self.engine.last is not None, "the history is over, the hand is not"
        net = self.engine.last.document["net"]
        return [stack + net[seat] for seat, stack in enumerate(self.hand.starting_stacks, start=1)]
