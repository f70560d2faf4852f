"""What the soak holds the player-dealer's position against: nobody banks longer than his game allows."""

from __future__ import annotations

from controller.engine import events as ev
from controller.soak.checks import Bank


def hands(bank: Bank, *seats: int | None) -> list[str]:
    found = []
    for seat in seats:
        found += [*bank.follow(ev.RoundStarted("r", "d", seat), 2), *bank.follow(ev.RoundSettled(), 2)]
    return found


def test_a_third_hand_in_a_row_is_a_violation() -> None:
    assert hands(Bank(), 8, 8, 1, 8, 8) == []
    assert hands(Bank(), 8, 8, 8) == ["seat 8 banked 3 hands in a row"]
    assert hands(Bank(), None) == ["a hand was dealt without a player-dealer"]


def test_it_is_none_where_everybody_else_declined_or_the_hand_became_void() -> None:
    bank = Bank()
    hands(bank, 8, 8)
    assert list(bank.follow(ev.BankKept(8), 2)) == [] == hands(bank, 8, 8)
    list(bank.follow(ev.Corrected(4, "a misdeal", "floor:ann", {"void": [False, True]}), 2))
    assert hands(bank, 8) == []
