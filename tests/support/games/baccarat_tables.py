"""A baccarat table to talk to: feed what happens, read what it says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.engine import events as ev
from controller.engine.expect.expectation import prompt
from controller.engine.inputs import AnyBody, CardOut, Input, ShoeStarted
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.rules import load

PANDA = "bankers-ez-baccarat-panda-8"
VILLAGE_EZ = "village-ez-baccarat"
CENTURY = "village-21st-century-baccarat-9-0"
DRAGON = "turlock-commission-free-baccarat-dragon-bonus"
ALL_FOUR = (PANDA, VILLAGE_EZ, CENTURY, DRAGON)


class At:
    """One table of a ruleset, with a shoe in play unless `shoe` says otherwise."""

    def __init__(
        self,
        slug: str = PANDA,
        options: Mapping[str, Any] | None = None,
        *,
        shoe: bool = True,
        bank: tuple[int, ...] | None = (1_000_000,),
        records_wagers: bool = True,
        **setup: Any,
    ) -> None:
        ruleset = load(slug)
        state = TableState(
            Setup(seats=(1, 2, 3, 4, 5, 6, 7), player_dealer=8, bank=bank, records_wagers=records_wagers, **setup)
        )
        self.engine = TableEngine(ruleset.game, ruleset.options(options), state, slug)
        if shoe:
            self.feed(ShoeStarted())

    def feed(self, *bodies: AnyBody, by: str = "test") -> list[ev.Event]:
        return [event for body in bodies for event in self.engine.apply(Input(0, by, body))]

    def cards(self, *codes: str | None) -> list[ev.Event]:
        return self.feed(*[CardOut(code) for code in codes])

    @property
    def prompt(self) -> str:
        return prompt(self.engine.expectation)


def kinds(events: list[ev.Event]) -> list[str]:
    return [str(type(event).__struct_config__.tag) for event in events]


def only(events: list[ev.Event], kind: type[ev.Event]) -> Any:
    """The one event of a kind."""
    (found,) = (event for event in events if isinstance(event, kind))
    return found


def nets(events: list[ev.Event]) -> dict[tuple[int | str, str], int]:
    return {(line.place, line.wager): line.net for line in only(events, ev.RoundSettled).lines}
