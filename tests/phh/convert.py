"""From PHH to our inputs and back.

PHH knows a player, "check or call" and no burn cards; our table has a dealer, so hole cards come one at a time round
the table, a card is burned before each street, and a check is not a call. Both ways only follow the money to tell which
it was; whether a hand was played by the rules is for the table to judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from controller.engine.inputs import Act, AnyBody, CardOut, Input, TableSet
from tests.phh.history import History

RULESET = "calgrand-texas-holdem"
"""The cards speak there, as in PHH: nobody is asked whether to show."""


def inputs(hand: History) -> list[Input]:
    """The whole hand: the table is set, cards are dealt, seats act."""
    return [Input(0, _who(body), body) for body in (table_set(hand), *_bodies(hand))]


def table_set(hand: History) -> TableSet:
    """Seat n is player n, the button is on the last."""
    seats = range(1, hand.players + 1)
    settings = {
        "structure": {"kind": "no_limit", "bring_in": hand.min_bet},
        "blinds": {seat: cents for seat, cents in zip(seats, _blinds(hand), strict=True) if cents},
        "antes": {seat: cents for seat, cents in zip(seats, hand.antes, strict=True) if cents},
        "stacks": dict(zip(seats, hand.starting_stacks, strict=True)),
    }
    return TableSet(seats=tuple(seats), button=hand.players, settings=settings)


def _bodies(hand: History) -> Iterator[AnyBody]:
    money = Money(hand)
    holes: dict[int, list[str]] = {}
    for action in hand.actions:
        match action.split():
            case ["d", "dh", player, cards]:
                holes[_number(player)] = _codes(cards)
                if len(holes) == hand.players:
                    yield from (CardOut(holes[seat][nth]) for nth in range(2) for seat in sorted(holes))
            case ["d", "db", cards]:
                money.next_street()
                yield CardOut(None)
                yield from (CardOut(code) for code in _codes(cards))
            case [player, "f"]:
                money.fold(_number(player))
                yield Act(_number(player), "fold")
            case [player, "cc"]:
                said = money.check_or_call(_number(player))
                if said is not None:
                    yield Act(_number(player), said)
            case [player, "cbr", to]:
                yield Act(_number(player), money.bet_or_raise(_number(player), int(to)), to=int(to))
            case [_, "sm", *_]:
                pass
            case _:
                raise ValueError(f"{action!r} is no action of a hold'em hand")


class Money:
    """What each seat has in on this street and left behind: enough to tell a check from a call."""

    def __init__(self, hand: History) -> None:
        seats = range(1, hand.players + 1)
        self._behind = dict(zip(seats, hand.starting_stacks, strict=True))
        self._in = dict.fromkeys(seats, 0)
        self._folded: set[int] = set()
        self._preflop = True
        for seat, cents in zip(seats, hand.antes, strict=True):
            self._behind[seat] -= min(cents, self._behind[seat])
        for seat, cents in zip(seats, _blinds(hand), strict=True):
            self._pay(seat, cents)
        self._price = max(hand.min_bet, *self._in.values())

    def next_street(self) -> None:
        self._in = dict.fromkeys(self._in, 0)
        self._price, self._preflop = 0, False

    def fold(self, seat: int) -> None:
        self._folded.add(seat)

    def check_or_call(self, seat: int) -> str | None:
        """None where nobody is left to bet against, so that our table does not ask."""
        if self._in[seat] < self._price:
            self._pay(seat, self._price)
            return "call"
        others = [s for s in self._in if s != seat and s not in self._folded]
        if not any(self._behind[other] for other in others):
            return None
        # The blind that nobody has raised calls for nothing (calgrand-betting-structures, BS-2).
        return "call" if self._preflop else "check"

    def bet_or_raise(self, seat: int, to: int) -> str:
        said = "raise" if self._price else "bet"
        self._pay(seat, to)
        self._price = max(self._price, self._in[seat])
        return said

    def _pay(self, seat: int, to: int) -> None:
        cents = min(to - self._in[seat], self._behind[seat])
        self._in[seat] += cents
        self._behind[seat] -= cents


def actions(inputs: Sequence[Input]) -> list[str]:
    """What was dealt and done at our table, as PHH tells it; the setting of the table is not among it."""
    holes: dict[int, list[str]] = {}
    seats: list[int] = []
    told: list[str] = []
    dealt: list[str] = []
    for body in (value.body for value in inputs):
        match body:
            case TableSet(seats=tuple(sitting)):
                seats = sorted(sitting)
                holes = {seat: [] for seat in seats}
            case CardOut(card=str(code)) if any(len(cards) < 2 for cards in holes.values()):
                next(cards for cards in sorted(holes.values(), key=len) if len(cards) < 2).append(code)
                if all(len(cards) == 2 for cards in holes.values()):
                    told += [f"d dh p{seat} {''.join(holes[seat])}" for seat in seats]
            case CardOut(card=None):
                dealt = []
            case CardOut(card=str(code)):
                dealt.append(code)
                street = sum(action.startswith("d db") for action in told)
                if len(dealt) == (1 if street else 3):
                    told.append(f"d db {''.join(dealt)}")
            case Act(do="fold"):
                told.append(f"p{body.seat} f")
            case Act(do="check" | "call"):
                told.append(f"p{body.seat} cc")
            case Act(do="bet" | "raise"):
                told.append(f"p{body.seat} cbr {body.to}")
    return told


def _blinds(hand: History) -> list[int]:
    """By player. Heads-up the button, who is the second player, has the small blind; PHH names it first."""
    return hand.blinds_or_straddles[::-1] if hand.players == 2 else hand.blinds_or_straddles


def _number(player: str) -> int:
    return int(player.removeprefix("p"))


def _codes(cards: str) -> list[str]:
    return [cards[i : i + 2] for i in range(0, len(cards), 2)]


def _who(body: AnyBody) -> str:
    return "device:shuffler" if isinstance(body, CardOut) else "dealer"
