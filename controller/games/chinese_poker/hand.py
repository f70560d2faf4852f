"""One hand of Chinese Poker: who plays, how each hand was set, what the stacks have left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.amounts import dollars
from controller.engine.cards.card import Hand
from controller.engine.expect.choices import Choice, WantDecision
from controller.engine.expect.want import Refusal
from controller.engine.inputs import Act
from controller.engine.round.felt import Move, Setup, Table
from controller.games.chinese_poker.facts import ChineseFacts
from controller.games.chinese_poker.hands import CARDS, FRONT, MIDDLE, SWEEPS, Arranged, arrange, sweeps_in
from controller.games.chinese_poker.options import ChineseOptions, ChineseSettings, NotReady
from controller.games.chinese_poker.settlement import Points, exchange

STACKS = 4
NAMED = FRONT + MIDDLE
FOUL = "foul"


class ChineseHand:
    def __init__(self, t: Table, options: ChineseOptions, settings: ChineseSettings) -> None:
        assert t.button is not None
        self.t, self.options = t, options
        self.button = t.button
        self.players = t.clockwise(t.button - 1)[:STACKS]
        """From the holder of the buttons clockwise; a fifth player waits for the next round (L1502)."""
        self.acts: dict[int, Act] = {}
        self.arranged: dict[int, Arranged] = {}
        self.sweeps: dict[int, str] = {}
        self.fouled: list[int] = []
        self.stacks = dict(settings.stacks or {})
        self.declared: dict[int, int] = {}
        """Chips that a player declared during the hand."""
        self.net: dict[int, int] = {}
        """What each player won or lost; empty: not settled yet."""
        self.is_shown = False
        """The showdown has begun."""
        self.facts = t.result.facts = ChineseFacts(steps=[], sweeps=self.sweeps, fouled=self.fouled)
        t.script_state = self

    def require_points(self) -> None:
        """Nine points of chips are needed in play before each hand (L1598)."""
        lacking = self.options.lacking_points(self.stacks, self.players)
        self.facts.below_minimum_stack = lacking or None
        if lacking and self.options.least_points_enforced == "table":
            raise NotReady(lacks_points(lacking, self.options))

    def deal(self) -> Move[None]:
        """Four stacks of thirteen, always; the first to the buttons, what is left over unseen to the muck (A12)."""
        stacks = [self.t.hand(f"stack_{number}") for number in range(1, STACKS + 1)]
        for stack in stacks:
            yield from self.t.deal(stack, CARDS, up=False)
        for number, stack in enumerate(stacks, start=1):
            del self.t.hands[stack.owner]
            if number <= len(self.players):
                seat = self.players[number - 1]
                self.t.hand(str(seat)).slots.extend(stack.slots)
                self.t.emit(ev.PileGiven(number, str(seat)))
            else:
                self.t.burns += stack.slots

    # Setting

    def set_hands(self) -> Move[None]:
        """Each player sets, or declares a clean sweep, in any order before a card is turned."""
        while waiting := [seat for seat in self.players if seat not in self.acts and self._is_to_set(seat)]:
            body = yield from self.t.wait_for(*(self._want(seat) for seat in waiting))
            if type(body) is not Act:
                continue
            refusal = self._refusal(body)
            if refusal is not None:
                self.t.refuse(body, refusal)
                continue
            self.acts[int(body.seat)] = body
            self.t.emit(ev.Decided(int(body.seat), body.do))

    def _is_to_set(self, seat: int) -> bool:
        return self.options.asks_fouled or seat not in self.fouled

    def _want(self, seat: int) -> WantDecision:
        read = self.t.hand(str(seat)).is_read
        choices = (
            # Too few in front foul the hand, they are not refused (L1604).
            Choice("set", count=(1 if read else 0, NAMED)),
            Choice("declare_sweep", label="declare a clean sweep"),
        )
        return WantDecision(seat, choices, asks="three in front, then five in the middle; the rest is the back")

    def _refusal(self, act: Act) -> Refusal | None:
        if act.do == "declare_sweep":
            if act.facts.get("sweep") not in (None, *SWEEPS):
                return Refusal("no_such_sweep", f"clean sweeps are {', '.join(SWEEPS)}")
            return None
        hand = self.t.hand(str(act.seat))
        front, middle = _parts(act)
        named = [*front, *middle]
        if hand.is_read and not set(named) <= {card.code for card in hand.cards}:
            return Refusal("not_your_card", "name cards of this hand")
        return None

    # Showdown

    def show(self) -> Move[None]:
        """Clean sweeps first, then all others; a hand that nobody named before is set as it lies."""
        self.is_shown = True
        swept = [seat for seat in self.players if self._declared(seat)]
        for seat in [*swept, *(s for s in self.players if s not in swept)]:
            hand = self.t.hand(str(seat))
            yield from self.t.show(hand)
            if seat in self.fouled:
                continue
            if seat in swept:
                self._show_sweep(seat, hand)
            else:
                yield from self._show_set(seat, hand)

    def _declared(self, seat: int) -> bool:
        return seat in self.acts and self.acts[seat].do == "declare_sweep"

    def _show_sweep(self, seat: int, hand: Hand) -> None:
        found = sweeps_in(hand.cards)
        declared = self.acts[seat].facts.get("sweep")
        if found and declared in (None, *found):
            # Two sweeps in one hand: the dearer only (L1591).
            self.sweeps[seat] = found[0]
        else:
            self.foul(seat)

    def _show_set(self, seat: int, hand: Hand) -> Move[None]:
        act = self.acts[seat]
        while not act.front and not act.cards:
            # It lay face down and unread: the cards in front and in the middle are named now.
            faces = tuple(hand.faces)
            body = yield from self.t.wait_for(WantDecision(seat, (Choice("set", count=(FRONT, NAMED), cards=faces),)))
            act = body if type(body) is Act else act
        arranged = arrange(hand.cards, *_parts(act))
        if arranged is None or not arranged.is_legal:
            self.foul(seat)
            return
        self.arranged[seat] = arranged
        faces_of = {slot.card: slot.face for slot in hand}
        parts = [tuple(faces_of[card] for card in part) for part in arranged.parts]
        self.t.emit(ev.HandSet(str(seat), "own", "", parts[0], (*parts[1], *parts[2])))
        self.t.result.arranged[str(seat)] = [[card.code for card in part] for part in arranged.parts]
        self.t.result.ranks[str(seat)] = [rank.document() for rank in arranged.ranks]

    def foul(self, seat: int) -> None:
        if seat not in self.fouled:
            self.fouled.append(seat)
            self.t.rule(FOUL, seat)

    # Money

    def declare_chips(self, seat: int, cents: int) -> None:
        """Only what was in the stack at the start of the hand plays (L1598), unless the house reads it otherwise."""
        self.declared[seat] = self.declared.get(seat, 0) + cents
        self.facts.declared_chips = self.declared
        if self.options.declared_chips == "this_hand" and seat in self.stacks:
            self.stacks[seat] += cents
        self.t.rule("chips_declared", seat)

    def settle(self) -> None:
        result, facts = self.t.result, self.facts
        points = Points(self.options, self.button, self.fouled, self.sweeps, self.arranged)
        net, facts.steps = exchange(self.players, points, self.stacks, self.options.cents_per_point)
        result.net = {seat: net.get(seat, 0) for seat in sorted(self.t.seats)}
        self.net = net
        result.outcome = {s: "win" if n > 0 else "lose" if n < 0 else "push" for s, n in net.items()}

    # The next hand

    def next_setup(self) -> Setup:
        """The buttons go on clockwise (L1498). A stack is what is in front of the player then: without the fee that he
        posted (L1514), with what he declared in this hand (L1597)."""
        setup = self.t.setup
        settings: dict[str, Any] = dict(setup.settings)
        known = dict(setup.settings.get("stacks") or {})
        if known:
            settings["stacks"] = {seat: self._stack_after(int(seat), int(cents)) for seat, cents in known.items()}
        return replace(setup, button=self.t.clockwise(self.button)[0], settings=settings)

    def _stack_after(self, seat: int, cents: int) -> int:
        fees = sum(charge.cents for charge in self.t.fees.owed if charge.place == seat and charge.payer != "pot")
        return max(0, cents + self.net.get(seat, 0) + self.declared.get(seat, 0) - fees)


def lacks_points(seats: Sequence[int], options: ChineseOptions) -> str:
    """Why no hand is dealt to these players."""
    needed = f"{options.least_points} points, {dollars(options.least_points * options.cents_per_point)}"
    who = f"seat {seats[0]}" if len(seats) == 1 else f"seats {', '.join(map(str, seats))}"
    return f"{who} must have {needed}, in play before a hand: re-buy, or sit out"


def _parts(act: Act) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Front and middle as an act names them, or eight cards in that order."""
    named = act.front or act.cards or ()
    middle = act.facts.get("middle")
    if isinstance(middle, list | tuple):
        return tuple(named), tuple(str(code) for code in middle)
    return tuple(named[:FRONT]), tuple(named[FRONT:])
