"""From PHH to our table, for seven-card stud, high-low and Razz.

PHH gives each player his cards in one go and knows no burns; our dealer deals one card at a time and burns before each
street. "Check or call" is whichever of the two the table offers; a seat that our table does not ask (all-in, or nobody
left to bet against) is passed over. Two things are different: a door card that the history hides lies open at
our table, so a card that does not open is taken for it; and a raise that PHH cuts down to what the opponent has left
is a full one here, of which the rest goes back.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from controller.engine.expect.choices import WantDecision
from controller.engine.inputs import Act, AnyBody, CardOut, Revealed
from tests.games.poker.phh.convert import codes_in, number
from tests.games.poker.phh.history import History, read
from tests.games.poker.phh.listening import Listened

RULESET = "calgrand-seven-card-stud"
OPTIONS: Mapping[str, dict[str, Any]] = {
    "F7S": {"variant": "high", "forced_opener": "low"},
    "F7S/8": {"variant": "high_low", "low_qualifier": 8, "forced_opener": "low"},
    "FR": {"variant": "low", "forced_opener": "high"},
}
FIRST = 3


class StudTable(Listened):
    """Our table, dealing one history."""

    def __init__(self, hand: History) -> None:
        limit = {"kind": "fixed_limit", "low": hand.small_bet, "high": hand.big_bet, "forced": hand.bring_in}
        super().__init__(hand, RULESET, OPTIONS[hand.variant], structure=limit, blinds=False)

    def finishing_stacks(self) -> list[int]:
        """Deal the whole hand."""
        for body in self._bodies():
            self.feed(body)
        return self.stacks()

    def _bodies(self) -> Iterator[AnyBody]:
        first: dict[int, list[str | None]] = {}
        street: set[int] = set()
        for action in self.hand.actions:
            match action.split(" #")[0].split():
                case ["d", "dh", player, cards] if len(codes_in(cards)) == FIRST:
                    first[number(player)] = [None if code == "??" else code for code in codes_in(cards)]
                    if len(first) == self.hand.players:
                        self._stand_in(first)
                        yield from (CardOut(first[seat][nth]) for nth in range(FIRST) for seat in sorted(first))
                case ["d", "dh", player, card]:
                    if not street or number(player) in street:
                        street = set()
                        yield CardOut(None)
                    street.add(number(player))
                    yield CardOut(None if card == "??" else card)
                case [player, "sm", *shown]:
                    yield from self._shown(number(player), codes_in("".join(shown)))
                case [player, *what]:
                    street = set()
                    yield from self._act(number(player), what)

    def _stand_in(self, first: dict[int, list[str | None]]) -> None:
        """Fill in a door card that is not recorded: one with which the seat neither opens nor acts first."""
        ranks = "23" if self.hand.variant == "FR" else "QK"
        recorded = " ".join(self.hand.actions)
        unused = [code for rank in ranks for suit in "cdhs" if (code := rank + suit) not in recorded]
        for cards in first.values():
            if cards[FIRST - 1] is None:
                cards[FIRST - 1] = unused.pop()

    def _act(self, seat: int, what: list[str]) -> Iterator[AnyBody]:
        choices = {
            choice.do: choice
            for want in self.engine.expectation.wants
            if isinstance(want, WantDecision) and want.seat == seat
            for choice in want.choices
        }
        match what:
            case ["f"]:
                yield Act(seat, "fold")
            case ["pb"]:
                yield Act(seat, "bring_in", to=self.hand.bring_in)
            case ["cc"] if choices:
                yield Act(seat, "check" if "check" in choices else "call")
            case ["cbr", to]:
                do = next(do for do in ("bring_in", "bet", "raise") if do in choices)
                full = [amount for amount in choices[do].to_one_of if amount >= int(to)]
                yield Act(seat, do, to=min(full, default=int(to)))

    def _shown(self, seat: int, cards: list[str]) -> Iterator[AnyBody]:
        """Cards that the history had hidden are named when they are shown."""
        current = self.engine.round
        if current is None or "??" in cards:
            return
        slots = current.table.hand(str(seat)).slots
        if any(not slot.is_read for slot in slots):
            known = {slot.card.code for slot in slots if slot.is_read}
            yield Revealed(str(seat), tuple(code for code in cards if code not in known))


def main(folder: str) -> None:
    """Deal every stud hand below a folder; a line for each that ends otherwise than it records."""
    count = {"dealt": 0, "as recorded": 0}
    for path in sorted(Path(folder).rglob("*.phh*")):
        for hand in read(path):
            if hand.variant in OPTIONS:
                ours = StudTable(hand).finishing_stacks()
                count["dealt"] += 1
                count["as recorded"] += ours == hand.finishing_stacks
                if ours != hand.finishing_stacks:
                    print(f"{path.name}: {ours}, recorded {hand.finishing_stacks}")
    print(count)


if __name__ == "__main__":
    main(sys.argv[1])
