"""What the floor may do at any time, whatever the table waits for."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from controller.engine.inputs import Amended, AnyBody, BuyIn, FloorAct, Happening


class AtAnyTime(Struct, frozen=True, omit_defaults=True, gc=False):
    """What is legal beside what the table waits for: a supervisor's acts, and that something happened."""

    floor: tuple[str, ...] = ()
    """Of hold, void and waive those that are possible now."""
    takes_happenings: bool = False
    """Whether anybody may report that something happened; what the game does not rule holds the table."""
    ruled: tuple[str, ...] = ()
    """The happenings that this table has a ruling or a name for."""
    amends: int | None = None
    """The round whose inputs may be corrected."""
    procedures: tuple[str, ...] = ()
    """What may be reported or decided beside the rounds, by the text of this table."""
    buys_in: bool = False
    """Whether chips may be put in front of a player now."""

    def admits(self, body: AnyBody) -> bool:
        if type(body) is FloorAct:
            return body.do in self.floor or body.do in self.procedures
        if type(body) is Happening:
            return self.takes_happenings or body.code in self.procedures
        if type(body) is BuyIn:
            return self.buys_in
        return type(body) is Amended and body.round == self.amends


NOTHING_BESIDE: Final = AtAnyTime()
