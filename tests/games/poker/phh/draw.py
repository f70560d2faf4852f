"""From PHH to our table, for draw games: deuce to seven with one and three draws, and Badugi.

PHH records who bet, what was discarded and drawn; our table states what it waits for next, and gets that. Burns
are not recorded, so they are unread; a hand that the history hides draws by number and is named when it is shown.

    python -m tests.games.poker.phh.draw FOLDER
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict, deque
from pathlib import Path
from typing import Any

from controller.engine.expect.choices import Choice, WantDecision
from controller.engine.expect.wants import WantCard, WantReveal
from controller.engine.inputs import Act, AnyBody, CardOut, Revealed
from tests.games.poker.phh.convert import codes_in, number
from tests.games.poker.phh.history import History, documents, history_of
from tests.games.poker.phh.listening import Listened

RULESETS = {
    "F2L3D": "village-deuce-seven-triple-draw",
    "FB": "village-badugi-triple-draw",
    "N2L1D": "calgrand-lowball-deuce-to-seven",
}


class DrawTable(Listened):
    """Our table, dealing one history."""

    def __init__(self, hand: History) -> None:
        limit: dict[str, Any] = {"kind": "fixed_limit", "low": hand.small_bet, "high": hand.big_bet}
        if hand.variant == "N2L1D":
            limit = {"kind": "no_limit", "bring_in": hand.min_bet}
        super().__init__(hand, RULESETS[hand.variant], {"chip_unit": 1}, structure=limit)
        self.cards: dict[int, deque[str | None]] = defaultdict(deque)
        self.thrown: dict[int, deque[list[str]]] = defaultdict(deque)
        self.bets: dict[int, deque[list[str]]] = defaultdict(deque)
        self.shown: dict[int, list[str]] = {}
        for action in hand.actions:
            self._read(action.split(" #")[0].split())

    def _read(self, words: list[str]) -> None:
        match words:
            case ["d", "dh", player, cards]:
                self.cards[number(player)].extend(None if code == "??" else code for code in codes_in(cards))
            case [player, "sd", *cards]:
                self.thrown[number(player)].append(codes_in("".join(cards)))
            case [player, "sm", *cards]:
                self.shown[number(player)] = codes_in("".join(cards))
            case [player, *what]:
                self.bets[number(player)].append(what)

    def finishing_stacks(self) -> list[int]:
        """Deal the whole hand."""
        while self.engine.last is None:
            self.feed(self._next())
        return self.stacks()

    def _next(self) -> AnyBody:
        want = self.engine.expectation.wants[0]
        match want:
            case WantCard(to="burn"):
                return CardOut(None)
            case WantCard():
                return CardOut(self.cards[int(want.to)].popleft())
            case WantReveal():
                return Revealed(want.owner, self._named(int(want.owner), want.nth))
            case WantDecision():
                return self._act(int(want.seat), {choice.do: choice for choice in want.choices})
        raise AssertionError(f"the history has nothing for: {want}")

    def _act(self, seat: int, choices: dict[str, Choice]) -> Act:
        if "discard" in choices:
            cards = self.thrown[seat].popleft()
            do = f"draw_{len(cards)}" if "??" in cards else "discard"
            return Act(seat, do, cards=tuple(code for code in cards if code != "??"))
        if "show" in choices:
            return Act(seat, "show" if self.shown.get(seat) else "muck")
        match self.bets[seat].popleft():
            case ["f"]:
                return Act(seat, "fold")
            case ["cbr", to]:
                do = "bet" if "bet" in choices else "raise"
                full = [amount for amount in choices[do].to_one_of if amount >= int(to)]
                return Act(seat, do, to=min(full, default=int(to)))
        return Act(seat, "check" if "check" in choices else "call")

    def _named(self, seat: int, nth: tuple[int, ...]) -> tuple[str, ...]:
        assert self.engine.round is not None
        slots = self.engine.round.table.hand(str(seat)).slots
        known = [slot.card.code for slot in slots if slot.is_read]
        return tuple(code for code in self.shown[seat] if code not in known)[: len(nth)]


def main(folder: Path) -> None:
    """Deal every history of a folder; print how many come out as recorded, by game."""
    dealt: Counter[str] = Counter()
    same: Counter[str] = Counter()
    for path in sorted(folder.rglob("*.phh*")):
        for document in documents(path):
            if document["variant"] not in RULESETS:
                continue
            hand = history_of(document)
            dealt[hand.variant] += 1
            try:
                stacks = DrawTable(hand).finishing_stacks()
            except AssertionError as error:
                print(f"{path.name}: {error}")
                continue
            if not hand.finishing_stacks or stacks == hand.finishing_stacks:
                same[hand.variant] += 1
            else:
                print(f"{path.name}: {hand.finishing_stacks} recorded, {stacks} here")
    for variant, count in dealt.items():
        print(f"{variant}: {same[variant]} of {count}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
