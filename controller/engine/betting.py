"""Betting rounds: who is asked next, what the seat may do, and what an act changes.

An `Action` is one betting round as it goes. It holds the variables of the sheet's section 3 (what each seat has in,
the current bet, the last full bet or raise), says whose turn it is, which choices that seat has with their bounds,
and takes the act. How much may be bet is the structure's business (`limits`), the chips are the purse's (`pots`).

What a cardroom forbids is data: `Codes` names each refusal in the words of its sheet.

Sheet: calgrand-betting-structures, sections 2 to 4 and 8; bankers-texas-holdem, A3, A9, A10, A13.

    >>> purse = Purse([1, 2, 3])
    >>> action = Action(BettingRules(NoLimit(200)), BetRound("preflop", first=True, check=False), purse, [1, 2, 3])
    >>> action.post(2, 100), action.post(3, 200)
    (100, 200)
    >>> action.next_seat(), action.legal(1).call, action.legal(1).raise_to.least
    (1, 200, 400)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal

from msgspec import Struct

from controller.engine.expect import Barred, Choice, dollars
from controller.engine.limits import (
    UNLIMITED,
    Amounts,
    BetRound,
    Facing,
    FixedLimit,
    NoLimit,
    PotLimit,
    SpreadLimit,
    StraightLimit,
    Structure,
    exactly,
)
from controller.engine.pots import Purse

ShortAllInBars = Literal["bettors", "all_who_acted"]
MaxRaises = int | Literal["by_structure"] | None
"""Raises of one round; None: any number; `by_structure`: three in limit games with three or more hands live."""

LIMIT_RAISES = 3
"""bankers-texas-holdem, A3 (000:1704): three raises, but heads-up and without a limit any number."""


class Codes(Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """How a sheet names what it refuses (calgrand-betting-structures, section 8)."""

    check_not_allowed: str = "check_not_allowed"
    below_minimum: str = "below_minimum"
    above_maximum: str = "above_maximum"
    above_pot: str = "above_pot"
    wrong_increment: str = "wrong_increment"
    wrong_call: str = "below_minimum"
    """A call of another amount in fixed or straight limit."""
    table_stakes: str = "table_stakes"
    raise_barred_short_all_in: str = "raise_barred_short_all_in"
    raise_cap: str = "raise_cap"
    check_raise_barred: str = "check_raise_barred"
    bet_already_made: str = "bet_already_made"


class BettingRules(Struct, frozen=True):
    """What is posted on a table about betting, and how its cardroom reads the text."""

    structure: Structure
    codes: Codes = Codes()
    max_raises: MaxRaises = None
    check_raise: bool = True
    min_raise_basis: Literal["last_full", "to_call"] = "last_full"
    short_all_in_bars: ShortAllInBars = "bettors"
    unraised_blind: tuple[Literal["check", "call"], ...] = ("call",)
    """What the last blind says that is not raised and does not raise itself (BS-2)."""
    opener_may_bring_in_low: bool = True
    open_pair_for: Literal["holder", "anyone"] = "holder"

    def raises_allowed(self, live: int) -> int | None:
        if self.max_raises != "by_structure":
            return self.max_raises
        limited = isinstance(self.structure, FixedLimit | StraightLimit | SpreadLimit)
        return LIMIT_RAISES if limited and live > 2 else None


class Legal(Struct, frozen=True):
    """Every choice of one seat, besides folding."""

    check: bool = False
    call: int | None = None
    bet: Amounts | None = None
    raise_to: Amounts | None = None
    bring_in: Amounts | None = None
    """Stud: the forced opener may not fold."""
    no_raise: str = ""
    """The code where a raise is barred for another reason than the chips."""

    def document(self) -> dict[str, Any]:
        """The form of `expect.legal` in a legality case."""
        doc: dict[str, Any] = {"fold": self.bring_in is None, "check": self.check}
        doc["call"] = False if self.call is None else self.call
        doc["bet"] = _described(self.bet)
        doc["raise"] = _described(self.raise_to)
        if self.bring_in is not None:
            doc["bet"] = doc["bring_in"] = _described(self.bring_in)
        return doc


def _described(amounts: Amounts | None) -> dict[str, Any] | Literal[False]:
    """Every true description of the amounts: a range of one amount is also exactly that."""
    if amounts is None:
        return False
    if amounts.all_in:
        return {"only_all_in_to": amounts.most}
    if len(amounts.one_of) > 1:
        return {"one_of": list(amounts.one_of)}
    if amounts.one_of:
        return {"exactly_to": amounts.most}
    doc: dict[str, Any] = {"min_to": amounts.least, "max_to": amounts.most}
    if amounts.least == amounts.most:
        doc["exactly_to"] = amounts.most
        if amounts.end == "stack":
            doc["only_all_in_to"] = amounts.most
    return doc


class Action:
    """One betting round. `order` names the seats still in the hand, first to act first."""

    def __init__(
        self, rules: BettingRules, round: BetRound, purse: Purse, order: Sequence[int], *, opener: int | None = None
    ) -> None:
        self.rules, self.round, self.purse = rules, round, purse
        self._is_stepped = isinstance(rules.structure, FixedLimit | StraightLimit)
        self.order = list(order)
        self.opener = opener
        """Stud: who must make the forced opening bet."""
        self.open_pairs: frozenset[int] = frozenset()
        """Stud, fourth street: the seats that show a pair."""
        self.put_in: dict[int, int] = dict.fromkeys(order, 0)
        self.live = len(self.order)
        """Hands that have not folded."""
        self.current = 0
        self.level = 0
        self.last_full = rules.structure.unit(round)
        self.raises = 0
        self.bettors: set[int] = set()
        """Seats that bet or raised since the last full bet or raise."""
        self.acted: set[int] = set()
        self.checked: set[int] = set()
        self._pending = [seat for seat in order if purse.can_act(seat)]

    def post(self, seat: int, cents: int) -> int:
        """A blind: counts as a bet made in turn, and its owner may still raise. Gives what the seat could post."""
        moved = self.purse.put(seat, cents)
        self.put_in[seat] += moved
        self.current = max(self.current, self.put_in[seat])
        self.level = max(self.current, self.rules.structure.unit(self.round))
        if not self.purse.can_act(seat) and seat in self._pending:
            self._pending.remove(seat)
        return moved

    def unpost(self, seat: int, cents: int) -> None:
        """A blind that is taken back before the deal."""
        self.purse.take_back(seat, cents)
        self.put_in[seat] -= cents
        self.current = max(self.put_in.values())
        self.level = self.price
        self._pending = [each for each in self.order if self.purse.can_act(each)]

    def start_with(self, order: Sequence[int]) -> None:
        """The acting order of the seats dealt in, once every blind is posted."""
        self.order = list(order)
        self.put_in = {seat: self.put_in[seat] for seat in order}
        self.live = len(self.order)
        self._pending = [seat for seat in order if self.purse.can_act(seat)]

    def full_level(self, all_in: set[int]) -> int:
        """The highest full bet or raise, where only the amounts are told: a short all-in stands above the last step."""
        current, unit = self.current, self.rules.structure.unit(self.round)
        holders = {seat for seat, put in self.put_in.items() if put == current}
        if self._is_stepped and current % unit and holders <= all_in:
            return current - current % unit
        self.level = current
        return self.price

    # Whose turn

    def next_seat(self) -> int | None:
        """The seat that is asked now; None when the round is complete."""
        if self.live < 2:
            self._pending.clear()
        while self._pending:
            seat = self._pending[0]
            if not self._is_alone(seat):
                return seat
            del self._pending[0]
        return None

    def _is_alone(self, seat: int) -> bool:
        """Nobody is left to bet against, and nothing to call: every other hand is all-in for no more."""
        if len(self._pending) > 1:
            return False  # who else is still to act can bet
        purse, mine = self.purse, self.put_in[seat]
        for other, theirs in self.put_in.items():
            if other != seat and (theirs > mine or purse.can_act(other)) and other not in purse.folded:
                return False
        return True

    @property
    def price(self) -> int:
        """What a call comes to: before the flop or draw at least the bring-in, whatever the blinds (BS-16)."""
        if self.round.first and self.current and not self._is_only_forced:
            return max(self.current, self.rules.structure.unit(self.round))
        return self.current

    @property
    def _is_only_forced(self) -> bool:
        limit = self.rules.structure
        return (
            self.round.first
            and isinstance(limit, FixedLimit)
            and limit.forced is not None
            and self.current > 0
            and self.level < limit.low
        )

    # What it may do

    def facing(self, seat: int) -> Facing:
        return Facing(
            self.round,
            self.put_in[seat],
            self.purse.behind[seat],
            self.price,
            self.last_full,
            self.level,
            self.purse.pot,
            self._pair_in_sight(seat) if self.round.open_pair else "",
            self.rules.min_raise_basis == "to_call",
        )

    def _pair_in_sight(self, seat: int) -> Literal["", "seen", "own"]:
        if not self.open_pairs:
            return ""
        return "own" if seat in self.open_pairs or self.rules.open_pair_for == "anyone" else "seen"

    def legal(self, seat: int) -> Legal:
        facing = self.facing(seat)
        structure = self.rules.structure
        price = facing.current
        if not price:
            if seat == self.opener and isinstance(structure, FixedLimit) and structure.forced is not None:
                forced = (structure.forced,)
                sizes = (*forced, structure.low) if self.rules.opener_may_bring_in_low else forced
                return Legal(bring_in=exactly(sizes, facing.reach))
            return Legal(check=self.round.check, bet=structure.opening(facing))
        reach = facing.reach
        no_raise = self._raise_barred(seat, price > facing.put_in)
        raise_to = structure.raising(facing) if not no_raise and reach > price else None
        if price == facing.put_in:
            said = self.rules.unraised_blind
            return Legal("check" in said, price if "call" in said else None, None, raise_to, None, no_raise)
        return Legal(False, min(price, reach), None, raise_to, None, no_raise)

    def _raise_barred(self, seat: int, facing_a_bet: bool) -> str:
        codes = self.rules.codes
        if not self.rules.check_raise and seat in self.checked:
            return codes.check_raise_barred
        # A seat that bet or raised is asked again only because of a short all-in: a full raise starts the set anew.
        barred = self.bettors if self.rules.short_all_in_bars == "bettors" else self.acted
        if facing_a_bet and seat in barred:
            return codes.raise_barred_short_all_in
        if self.rules.max_raises is not None:
            most = self.rules.raises_allowed(self.live)
            if most is not None and self.raises >= most:
                return codes.raise_cap
        return ""

    def choices(self, seat: int) -> tuple[tuple[Choice, ...], tuple[Barred, ...]]:
        """What the seat is offered, and what it is refused with the sheet's code."""
        legal = self.legal(seat)
        codes, purse = self.rules.codes, self.purse
        behind = purse.behind[seat]
        reach = None if behind is None else self.put_in[seat] + behind
        if legal.bring_in is not None:
            return (self._wager("bring_in", legal.bring_in, reach),), ()
        barred = _barred(codes, seat, legal.check, legal.call is not None, legal.bet is not None)
        offered = [_FOLD]
        if legal.check:
            offered.append(_CHECK)
        if legal.call is not None:
            wrong = codes.wrong_call if self._is_stepped else codes.below_minimum
            above = codes.wrong_increment if self._is_stepped else codes.above_maximum
            offered.append(
                Choice(
                    "call", to_one_of=(legal.call,), reach=reach, below=wrong, above=above, beyond=codes.table_stakes
                )
            )
        if legal.bet is not None:
            offered.append(self._wager("bet", legal.bet, reach))
        elif legal.raise_to is not None:
            offered.append(self._wager("raise", legal.raise_to, reach))
        elif legal.no_raise:
            instead = ["call" if legal.call is not None else "check", "fold"]
            barred = (*barred, Barred(legal.no_raise, _NO_RAISE_TEXT, seat, "raise", {"legal": instead}))
        else:
            text = f"seat {seat} has {dollars(reach or 0)} in all for this round"
            barred = (*barred, Barred(codes.table_stakes, text, seat, "raise", {"max_to": reach}))
        return tuple(offered), barred

    def _wager(self, do: str, amounts: Amounts, reach: int | None) -> Choice:
        codes = self.rules.codes
        if amounts.one_of:
            wrong = codes.wrong_increment if self._is_stepped else codes.below_minimum
            return Choice(
                do, to_one_of=amounts.one_of, reach=reach, below=wrong, above=wrong, beyond=codes.table_stakes
            )
        above = {"pot": codes.above_pot, "spread": codes.above_maximum}.get(amounts.end, codes.table_stakes)
        return Choice(
            do,
            label=f"{do} to {dollars(amounts.least)} or more" if amounts.most == UNLIMITED else "",
            to=(amounts.least, amounts.most),
            reach=reach,
            below=codes.below_minimum,
            above=above,
            beyond=codes.table_stakes,
        )

    # What it does

    def take(self, seat: int, do: str, to: int | None = None) -> None:
        """An act that `choices` offered. `to` may be left out where there is one amount only."""
        match do:
            case "fold":
                self.leave(seat)
                return
            case "check":
                self.checked.add(seat)
                self.acted.add(seat)
            case "call":
                price = self.price
                self._pay(seat, price)
                self.current = max(self.current, self.put_in[seat])
                self.acted.add(seat)
            case "bring_in":
                self._open(seat, self._amount(self.legal(seat).bring_in, to))
                return
            case _:
                legal = self.legal(seat)
                self._raise(seat, self._amount(legal.bet or legal.raise_to, to))
                return
        self._pending.remove(seat)

    def leave(self, seat: int) -> None:
        """A hand that folds, or dies out of turn: it is asked no more."""
        self.purse.folded.add(seat)
        self.live -= 1
        if seat in self._pending:
            self._pending.remove(seat)

    def still_to_act(self) -> list[int]:
        return list(self._pending)

    @staticmethod
    def _amount(amounts: Amounts | None, to: int | None) -> int:
        assert amounts is not None, "an act that was not offered"
        return amounts.one_of[0] if to is None else to

    def _pay(self, seat: int, to: int) -> None:
        self.put_in[seat] += self.purse.put(seat, to - self.put_in[seat])

    def _open(self, seat: int, to: int) -> None:
        """The forced opening bet, or `low` at once."""
        self._pay(seat, to)
        self.current = self.level = self.put_in[seat]
        self.bettors, self.acted = {seat}, {seat}
        self._ask_others(seat)

    def _raise(self, seat: int, to: int) -> None:
        facing = self.facing(seat)
        is_raise, full = facing.current > 0, self.rules.structure.is_full(facing, to)
        completes = is_raise and self._is_only_forced
        self._pay(seat, to)
        self.current = self.put_in[seat]
        if full:
            self.raises += is_raise and not completes
            self.last_full = to - facing.current
            self.level = to
        if full or not is_raise:
            self.bettors, self.acted = {seat}, {seat}
        else:
            self.bettors.add(seat)
            self.acted.add(seat)
        self._ask_others(seat)

    def _ask_others(self, seat: int) -> None:
        at = self.order.index(seat)
        after = self.order[at + 1 :] + self.order[:at]
        self._pending = [other for other in after if self.purse.can_act(other)]


_FOLD, _CHECK = Choice("fold"), Choice("check")
_NO_RAISE_TEXT = "no raise here: call or fold"


@lru_cache(maxsize=1024)
def _barred(codes: Codes, seat: int, may_check: bool, may_call: bool, may_bet: bool) -> tuple[Barred, ...]:
    """What a seat is refused that is always refused in the same words."""
    barred: list[Barred] = []
    if not may_check:
        barred.append(Barred(codes.check_not_allowed, "there is a bet to call, raise or fold to", seat, "check"))
    if not may_call:
        barred.append(Barred("nothing_to_call", "nothing is bet", seat, "call"))
    if may_bet:
        barred.append(Barred("nothing_to_raise", "nothing is bet: bet, do not raise", seat, "raise"))
    else:
        barred.append(Barred(codes.bet_already_made, "a bet stands: raise it, call or fold", seat, "bet"))
    return tuple(barred)


__all__ = [
    "Action",
    "BetRound",
    "BettingRules",
    "Codes",
    "FixedLimit",
    "Legal",
    "NoLimit",
    "PotLimit",
    "Purse",
    "SpreadLimit",
    "StraightLimit",
    "Structure",
]
