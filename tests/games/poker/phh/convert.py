"""From PHH to our inputs and back, for the games with a board.

PHH knows a player, "check or call" and no burn cards; our table has a dealer, so hole cards come one at a time round
the table, a card is burned before each street, and a check is not a call. Both ways only follow the money to tell which
it was; whether a hand was played by the rules is for the table to judge.

A history that hides cards is dealt face down and unread; what was shown at its end is revealed, what was not is
mucked. Only Banker's lets a player muck, so its rules deal those.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from controller.engine.inputs import Act, AnyBody, CardOut, Input, Revealed, TableSet
from tests.games.poker.phh.history import History

HOLDEM = 2
"""Hole cards of the game in which the board may play."""


class Dealt(NamedTuple):
    """How a variant of PHH is dealt at our table."""

    ruleset: str
    hole: int
    kind: str
    options: Mapping[str, Any] = {}


OURS = {
    "NT": Dealt("calgrand-texas-holdem", 2, "no_limit"),
    "FT": Dealt("calgrand-texas-holdem", 2, "fixed_limit"),
    "PO": Dealt("calgrand-omaha", 4, "pot_limit"),
    "FO/8": Dealt("calgrand-omaha", 4, "fixed_limit", {"variant": "high_low", "low_qualifier": 8}),
}
"""The cards speak at California Grand, as in PHH: nobody is asked whether to show."""

HIDDEN = {
    "NT": Dealt("bankers-texas-holdem", 2, "no_limit", {"short_all_in_bars": "bettors"}),
    "FT": Dealt("bankers-texas-holdem", 2, "fixed_limit", {"short_all_in_bars": "bettors"}),
    "PO": Dealt("bankers-omaha", 4, "pot_limit", {"short_all_in_bars": "bettors"}),
    "FO/8": Dealt("bankers-omaha-hi-lo", 4, "fixed_limit", {"short_all_in_bars": "bettors"}),
}


def dealt_as(hand: History) -> Dealt:
    return (HIDDEN if hand.hides_cards else OURS)[hand.variant]


def inputs(hand: History) -> list[Input]:
    """The whole hand: the table is set, cards are dealt, seats act."""
    return [Input(0, _who(body), body) for body in (table_set(hand), *_bodies(hand))]


def table_set(hand: History) -> TableSet:
    """Seat n is player n, the button is on the last."""
    seats = range(1, hand.players + 1)
    settings = {
        "structure": structure(hand),
        "blinds": {seat: cents for seat, cents in zip(seats, blinds(hand), strict=True) if cents},
        "antes": {seat: cents for seat, cents in zip(seats, hand.antes, strict=True) if cents},
        "stacks": dict(zip(seats, hand.starting_stacks, strict=True)),
    }
    return TableSet(seats=tuple(seats), button=hand.players, settings=settings)


def structure(hand: History) -> dict[str, Any]:
    kind = dealt_as(hand).kind
    if kind == "fixed_limit":
        return {"kind": kind, "low": hand.small_bet, "high": hand.big_bet}
    if kind == "pot_limit":
        # The histories count every chip of the pot.
        return {"kind": kind, "bring_in": hand.min_bet, "dollar_chips_in_blind": False}
    return {"kind": kind, "bring_in": hand.min_bet}


def _bodies(hand: History) -> Iterator[AnyBody]:
    money = Money(hand)
    holes: dict[int, list[str | None]] = {}
    shown: dict[int, tuple[str, ...]] = {}
    hole = dealt_as(hand).hole
    for action in hand.actions:
        match action.split(" #")[0].split():
            case ["d", "dh", player, cards]:
                holes[number(player)] = [None if code == "??" else code for code in codes_in(cards)]
                if len(holes) == hand.players:
                    yield from (CardOut(holes[seat][nth]) for nth in range(hole) for seat in sorted(holes))
            case ["d", "db", cards]:
                money.next_street()
                yield CardOut(None)
                yield from (CardOut(code) for code in codes_in(cards))
            case [player, "f"]:
                money.fold(number(player))
                yield Act(number(player), "fold")
            case [player, "cc"]:
                said = money.check_or_call(number(player))
                if said is not None:
                    yield Act(number(player), said)
            case [player, "cbr", to]:
                yield Act(number(player), money.bet_or_raise(number(player), int(to)), to=int(to))
            case [player, "sm", cards] if "?" not in cards:
                shown[number(player)] = tuple(codes_in(cards))
            case [_, "sm", *_]:
                pass
            case _:
                raise ValueError(f"{action!r} is no action of a game with a board")
    if hand.hides_cards and len(money.live) > 1:
        yield from _showing(hand, money.live, holes, shown)


def _showing(
    hand: History, live: Sequence[int], holes: dict[int, list[str | None]], shown: dict[int, tuple[str, ...]]
) -> Iterator[AnyBody]:
    """From the left of the button, show or muck; the board is declared where it might play."""
    for seat in live:
        cards = tuple(code for code in holes[seat] if code is not None)
        if seat not in shown and len(cards) < len(holes[seat]):
            yield Act(seat, "muck")
            continue
        yield Act(seat, "declare_board" if dealt_as(hand).hole == HOLDEM else "show")
        if len(cards) < len(holes[seat]):
            yield Revealed(str(seat), tuple(code for code in shown[seat] if code not in cards))


class Money:
    """What each seat has put in, in all and on this street, and left behind: enough to tell a check from a call."""

    def __init__(self, hand: History) -> None:
        seats = range(1, hand.players + 1)
        self.behind = dict(zip(seats, hand.starting_stacks, strict=True))
        self.on_street = dict.fromkeys(seats, 0)
        self.put_in = dict.fromkeys(seats, 0)
        self._folded: set[int] = set()
        self._preflop = True
        for seat, cents in zip(seats, hand.antes, strict=True):
            self.put_in[seat] = min(cents, self.behind[seat])
            self.behind[seat] -= self.put_in[seat]
        for seat, cents in zip(seats, blinds(hand), strict=True):
            self._pay(seat, cents)
        self.price = max(hand.min_bet, *self.on_street.values())

    @property
    def live(self) -> list[int]:
        return [seat for seat in self.on_street if seat not in self._folded]

    def next_street(self) -> None:
        self.on_street = dict.fromkeys(self.on_street, 0)
        self.price, self._preflop = 0, False

    def fold(self, seat: int) -> None:
        self._folded.add(seat)

    def check_or_call(self, seat: int) -> str | None:
        """None where nobody is left to bet against, so that our table does not ask."""
        if self.on_street[seat] < self.price:
            self._pay(seat, self.price)
            return "call"
        others = [s for s in self.on_street if s != seat and s not in self._folded]
        if not any(self.behind[other] for other in others):
            return None
        # The blind that nobody has raised calls for nothing (calgrand-betting-structures, BS-2).
        return "call" if self._preflop else "check"

    def bet_or_raise(self, seat: int, to: int) -> str:
        said = "raise" if self.price else "bet"
        self._pay(seat, to)
        self.price = max(self.price, self.on_street[seat])
        return said

    def _pay(self, seat: int, to: int) -> None:
        cents = min(to - self.on_street[seat], self.behind[seat])
        self.on_street[seat] += cents
        self.put_in[seat] += cents
        self.behind[seat] -= cents


def actions(inputs: Sequence[Input], hole: int = 2) -> list[str]:
    """What was dealt and done at our table, in PHH's notation, without the table's settings."""
    holes: dict[int, list[str]] = {}
    seats: list[int] = []
    done: list[str] = []
    dealt: list[str] = []
    for body in (value.body for value in inputs):
        match body:
            case TableSet(seats=tuple(sitting)):
                seats = sorted(sitting)
                holes = {seat: [] for seat in seats}
            case CardOut(card=str(code)) if any(len(cards) < hole for cards in holes.values()):
                next(cards for cards in sorted(holes.values(), key=len) if len(cards) < hole).append(code)
                if all(len(cards) == hole for cards in holes.values()):
                    done += [f"d dh p{seat} {''.join(holes[seat])}" for seat in seats]
            case CardOut(card=None):
                dealt = []
            case CardOut(card=str(code)):
                dealt.append(code)
                street = sum(action.startswith("d db") for action in done)
                if len(dealt) == (1 if street else 3):
                    done.append(f"d db {''.join(dealt)}")
            case Act(do="fold"):
                done.append(f"p{body.seat} f")
            case Act(do="check" | "call"):
                done.append(f"p{body.seat} cc")
            case Act(do="bet" | "raise"):
                done.append(f"p{body.seat} cbr {body.to}")
    return done


def blinds(hand: History) -> list[int]:
    """By player. Heads-up the button, who is the second player, has the small blind; PHH names it first."""
    return hand.blinds_or_straddles[::-1] if hand.players == 2 else hand.blinds_or_straddles


def number(player: str) -> int:
    return int(player.removeprefix("p"))


def codes_in(cards: str) -> list[str]:
    return [cards[i : i + 2] for i in range(0, len(cards), 2)]


def _who(body: AnyBody) -> str:
    return "device:shuffler" if isinstance(body, CardOut) else "dealer"
