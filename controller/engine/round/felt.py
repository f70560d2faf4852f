"""A script's view of the table: what lies on the felt, and the moves every game shares.

Each move is a generator to `yield from`: take wagers, deal, burn, name, show, ask, roll. A move yields the
`Expectation` it waits for and is sent the input that met it. `None` sent in means "something happened, look again":
every move here recomputes what it waits for, and so must a game that yields for itself.

`felt_laid` has what lies there, `felt_money` the moves of wagers and fees, `felt_cards` those of cards; people here.
"""

from __future__ import annotations

from collections.abc import Sequence

from controller.engine import events as ev
from controller.engine.expect.expectation import AnyWant, Barred, Choice, Expectation, WantDecision, WantDice
from controller.engine.inputs import Act, AnyBody, DiceRolled, Place
from controller.engine.round.felt_cards import CardsInTurn, FeltCards
from controller.engine.round.felt_laid import Move, Script, Unruled, Voided, what
from controller.engine.round.felt_money import DROP_BEFORE
from controller.engine.round.setup import Setup

__all__ = ["DROP_BEFORE", "CardsInTurn", "Move", "Script", "Setup", "Table", "Unruled", "Voided", "what"]


class Table(FeltCards):
    """A script's view of the table: what lies on it and the moves every game shares."""

    def ask(
        self,
        seat: Place,
        choices: Sequence[Choice],
        *,
        barred: Sequence[Barred] = (),
        hand: int = 1,
        asks: str = "",
    ) -> Move[Act]:
        """One seat decides among the choices."""
        waiting = Expectation((WantDecision(seat, tuple(choices), hand, asks),), tuple(barred))
        while True:
            body = yield waiting
            if type(body) is Act:
                self.emit(ev.Decided(body.seat, body.do, body.cents, body.to))
                return body

    def roll(self, count: int = 3) -> Move[tuple[int, ...]]:
        while True:
            body = yield Expectation((WantDice(count),))
            if type(body) is DiceRolled:
                self.emit(ev.DiceShown(body.values))
                return body.values

    def wait_for(self, *wants: AnyWant, barred: Sequence[Barred] = ()) -> Move[AnyBody | None]:
        """A yield of a game's own; None when the script should look again."""
        return (yield Expectation(wants, tuple(barred)))

    def rule(self, code: str, seat: Place | None = None) -> None:
        """A ruling of the sheet that lets the round go on."""
        self.result.rulings.append(code)
        self.emit(ev.Ruled(code, seat))

    def void(self, ruling: str, reason: str = "") -> None:
        raise Voided(ruling, reason)
