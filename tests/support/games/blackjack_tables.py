"""A blackjack table to talk to: feed it bodies, read its events."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.engine import events as ev
from controller.engine.expect.expectation import prompt
from controller.engine.inputs import Act, AnyBody, BetsClosed, CardOut, Input, Place, ShoeStarted, WagerPlaced
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.games.blackjack.buster_game import BusterRules
from controller.games.blackjack.options import BlackjackRules
from controller.rules import load

PURE = "bankers-pure-21-5-blackjack"
INSURED = {"pure_pays": "3:2", "insurance": True}


class At:
    """A table of this ruleset; the player-dealer sits in seat 8."""

    def __init__(
        self,
        ruleset: str = PURE,
        *,
        seats: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7),
        bank: tuple[int, ...] | None = (1_000_000,),
        records_wagers: bool = True,
        options: dict[str, Any] | None = None,
    ) -> None:
        loaded = load(ruleset)
        rules = loaded.options(options)
        base = rules.rules if isinstance(rules, BusterRules) else rules
        assert isinstance(base, BlackjackRules)
        self.rules = base
        setup = Setup(seats=seats, player_dealer=8, bank=bank, records_wagers=records_wagers)
        self.engine = TableEngine(loaded.game, rules, TableState(setup), ruleset)
        self.events: list[ev.Event] = []
        self.feed(ShoeStarted(self.rules.decks))

    def feed(self, *bodies: AnyBody) -> list[ev.Event]:
        events: list[ev.Event] = []
        for body in bodies:
            events += self.engine.apply(Input(0, "test", body))
        self.events += events
        return events

    def bet(self, wagers: dict[Place, int], **beside: int) -> At:
        """Base wagers by place, and side bets as large for each of them; then no more bets."""
        for place, cents in wagers.items():
            self.feed(WagerPlaced(place, self.rules.base_wager, cents))
            self.feed(*[WagerPlaced(place, wager, amount) for wager, amount in beside.items()])
        self.feed(BetsClosed())
        return self

    def cards(self, *codes: str | None) -> list[ev.Event]:
        return self.feed(*[CardOut(code) for code in codes])

    def act(self, seat: Place, do: str, cents: int | None = None) -> list[ev.Event]:
        return self.feed(Act(seat, do, cents))

    def refusal(self, seat: Place, do: str, cents: int | None = None) -> tuple[str, str]:
        (refused,) = self.act(seat, do, cents)
        assert isinstance(refused, ev.Refused)
        return refused.why, refused.text

    @property
    def prompt(self) -> str:
        return prompt(self.engine.expectation)

    @property
    def settled(self) -> ev.RoundSettled:
        found = [event for event in self.events if isinstance(event, ev.RoundSettled)]
        assert len(found) == 1
        return found[0]

    @property
    def document(self) -> dict[str, Any]:
        assert self.engine.last is not None
        return self.engine.last.document

    def everything_said(self) -> str:
        """Every event so far, the prompt and the whole expectation, as they would leave the board."""
        said = [ev.encode_event(event) for event in self.events]
        said += [msgspec.json.encode(self.engine.expectation), self.prompt.encode()]
        said.append(msgspec.json.encode(self.engine.public_result))
        return b"\n".join(said).decode()


def kinds(events: list[ev.Event]) -> list[str]:
    return [str(type(event).__struct_config__.tag) for event in events]
