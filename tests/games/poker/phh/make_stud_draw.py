"""Stud and draw hands that our own bot played, written as PHH: `python -m tests.games.poker.phh.make_stud_draw`.

As `make` does for the games with a board; here the table is asked who gets a card or has to decide.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from controller.engine.cards.card import codes, standard_deck
from controller.engine.expect.wants import WantCard
from controller.engine.inputs import Act, CardOut
from tests.games.poker.phh import make, our_table
from tests.games.poker.phh.draw import RULESETS
from tests.games.poker.phh.history import History, write
from tests.games.poker.phh.stud import OPTIONS

FILE = Path(__file__).with_name("stud-and-draw-by-us.phhs")
TITLE = """Made by our own bot (python -m tests.games.poker.phh.make_stud_draw), for our tests: nobody ever played them.
In the PHH format: seven-card stud, high-low and Razz; deuce to seven with three draws and with one; Badugi. Cents."""
HANDS = dict.fromkeys((*OPTIONS, *RULESETS), 10)
STACK = 40_000
MOST_DISCARDS = 2
"""With more, the stub of three draws runs out now and then, and what is done then PokerKit does otherwise."""
ANTE, BRING_IN, SMALL_BET, BIG_BET = 50, 100, 200, 400


def hands() -> Iterator[History]:
    for variant, count in HANDS.items():
        yield from make.agreed(count, variant, play)


def play(rng: random.Random, variant: str) -> History:
    """One hand from the first card to the last chip; nobody is ever all-in, so every draw is followed by a bet."""
    players = rng.randrange(3, 6)
    stacks, nothing = [STACK] * players, [0] * players
    if variant in OPTIONS:
        forced = History(variant, [ANTE] * players, nothing, SMALL_BET, stacks, [], bring_in=BRING_IN)
    else:
        forced = History(variant, nothing, [100, 200, *nothing[2:]], SMALL_BET, stacks, [])
    begun = forced if variant == "N2L1D" else replace(forced, small_bet=SMALL_BET, big_bet=BIG_BET)
    table, notation = our_table.listened(begun), Notation()
    deck = codes(standard_deck())
    rng.shuffle(deck)
    while table.engine.last is None:
        want = table.engine.expectation.wants[0]
        if isinstance(want, WantCard):
            table.feed(CardOut(notation.dealt(want.to, deck)))
            continue
        act = make.decide(table.engine.expectation, rng, lambda seat: notation.held[int(seat)])
        assert isinstance(act, Act)
        if act.do == "discard":
            act = Act(act.seat, "discard", cards=(act.cards or ())[:MOST_DISCARDS])
        elif act.do == "muck":
            act = Act(act.seat, "show")
        notation.acted(act, begun.bring_in)
        table.feed(act)
    return replace(begun, actions=notation.actions(), finishing_stacks=table.stacks())


class Notation:
    """The hand in PHH's notation: cards by player once everybody has them, discards before what replaces them."""

    def __init__(self) -> None:
        self.held: dict[int, list[str]] = defaultdict(list)
        self._actions: list[str] = []
        self._new: dict[int, list[str]] = defaultdict(list)

    def dealt(self, to: str, deck: list[str]) -> str | None:
        """The next card of the deck; of a burn nobody learns, so it is not read."""
        if to == "burn":
            return None
        code = deck.pop()
        self.held[int(to)].append(code)
        self._new[int(to)].append(code)
        return code

    def acted(self, act: Act, bring_in: int) -> None:
        seat = int(act.seat)
        match act.do:
            case "discard":
                self._actions.append(f"p{seat} sd {''.join(act.cards or ())}".rstrip())
                self.held[seat] = [code for code in self.held[seat] if code not in (act.cards or ())]
                return
            case "show":
                said = f"sm {''.join(self.held[seat])}"
            case "fold":
                said = "f"
            case "check" | "call":
                said = "cc"
            case "bring_in" if act.to == bring_in:
                said = "pb"
            case _:
                said = f"cbr {act.to}"
        self._cards_out()
        self._actions.append(f"p{seat} {said}")

    def actions(self) -> list[str]:
        self._cards_out()
        return self._actions

    def _cards_out(self) -> None:
        self._actions += [f"d dh p{seat} {''.join(cards)}" for seat, cards in self._new.items()]
        self._new.clear()


if __name__ == "__main__":
    FILE.write_text(write(hands(), TITLE))
    print(f"{sum(HANDS.values())} hands from seed {make.SEED} in {FILE.name}")
