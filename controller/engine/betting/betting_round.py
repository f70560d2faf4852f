"""Betting rounds: who is asked next, what the seat may do, and what an act changes.

An `Action` is one betting round as it goes. It holds the variables of the sheet's section 3 (what each seat has in,
the current bet, the last full bet or raise), says whose turn it is, which choices that seat has with their bounds,
and takes the act. How much may be bet is the structure's business (`limits`), the chips are the purse's (`pots`).

No Struct is defined here: the module is one of those that can be compiled (deploy/compile.py).

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
from typing import Final, Literal

from controller.engine.amounts import dollars
from controller.engine.bets.limits import (
    UNLIMITED,
    Amounts,
    BetRound,
    Facing,
    FixedLimit,
    NoLimit,
    SpreadLimit,
    StraightLimit,
    exactly,
)
from controller.engine.betting.rules import LIMIT_RAISES, BettingRules, Codes, Legal
from controller.engine.expect.choices import Choice
from controller.engine.expect.expectation import Barred
from controller.engine.inputs import Act
from controller.engine.money.pots import Purse


class Terms:
    """What is posted about betting, read once from its values: every round and every raise needs it."""

    __slots__ = (
        "_began_multiway",
        "_by_structure",
        "_is_limit",
        "_max_raises",
        "_needs_multiway",
        "_units",
        "bars_bettors",
        "check_raise",
        "forced",
        "has_raise_cap",
        "is_fixed",
        "is_no_limit",
        "is_stepped",
        "low",
        "raise_by",
        "raise_by_call",
        "structure",
    )

    def __init__(self, rules: BettingRules) -> None:
        self.structure = structure = rules.structure
        self.is_fixed = isinstance(structure, FixedLimit)
        self.is_stepped = isinstance(structure, FixedLimit | StraightLimit)
        self.is_no_limit = isinstance(structure, NoLimit)
        self.raise_by = (structure.raise_by or 0) if isinstance(structure, NoLimit) else 0
        self.raise_by_call = rules.min_raise_basis == "to_call"
        self.forced, self.low = (structure.forced, structure.low) if isinstance(structure, FixedLimit) else (None, 0)
        self.check_raise = rules.check_raise
        self.bars_bettors = rules.short_all_in_bars == "bettors"
        self.has_raise_cap = rules.max_raises is not None
        self._by_structure = rules.max_raises == "by_structure"
        self._max_raises = rules.max_raises if isinstance(rules.max_raises, int) else 0
        self._is_limit = isinstance(structure, FixedLimit | StraightLimit | SpreadLimit)
        self._needs_multiway = rules.capped == "limit_multiway"
        self._began_multiway = rules.capped == "multiway_at_start"
        self._units: dict[BetRound, int] = {}

    def unit(self, round: BetRound) -> int:
        """The amount to bet on this round."""
        known = self._units.get(round)
        if known is None:
            known = self._units[round] = self.structure.unit(round)
        return known

    def is_capped(self, raises: int, live: int, began: int) -> bool:
        """Whether a round with `raises` raises may have no more, with `live` hands left of those that began it."""
        if not self.has_raise_cap:
            return False
        if self._by_structure:
            return self._is_limit and live > 2 and raises >= LIMIT_RAISES
        if (self._needs_multiway and (not self._is_limit or live < 3)) or (self._began_multiway and began < 3):
            return False
        return raises >= self._max_raises


_TERMS: Final[dict[BettingRules, Terms]] = {}
_TERMS_KEPT: Final = 64


def terms_of(rules: BettingRules) -> Terms:
    """The same value for every round of a table that plays by these rules."""
    known = _TERMS.get(rules)
    if known is None:
        if len(_TERMS) >= _TERMS_KEPT:
            _TERMS.clear()
        known = _TERMS[rules] = Terms(rules)
    return known


class Action:
    """One betting round. `order` names the seats still in the hand, first to act first."""

    __slots__ = (
        "_forced",
        "_has_one_size",
        "_is_stepped",
        "_low",
        "_pending",
        "_terms",
        "_unit",
        "acted",
        "bettors",
        "checked",
        "current",
        "declared",
        "is_first",
        "last_full",
        "level",
        "live",
        "may_not_raise",
        "open_pairs",
        "opener",
        "opening_is_free",
        "order",
        "purse",
        "put_in",
        "raises",
        "round",
        "rules",
    )

    def __init__(
        self, rules: BettingRules, round: BetRound, purse: Purse, order: Sequence[int], *, opener: int | None = None
    ) -> None:
        self.round, self.purse, self.is_first = round, purse, round.first
        self.play_by(rules)
        self.order = list(order)
        self.opener = opener
        """Stud: who must make the forced opening bet."""
        self.opening_is_free = False
        """Stud: the low hand cannot open; the first seat to act may bring it in, bet or fold."""
        self.may_not_raise: dict[int, str] = {}
        """Seats that a ruling bars from raising on this round, with its code."""
        self.open_pairs: frozenset[int] = frozenset()
        """Stud, fourth street: the seats that show a pair."""
        self.put_in: dict[int, int] = dict.fromkeys(self.order, 0)
        self.live = len(self.order)
        """Hands that have not folded."""
        self.current = 0
        self.level = 0
        self.last_full = self._unit
        self.raises = 0
        self.bettors: set[int] = set()
        """Seats that bet or raised since the last full bet or raise."""
        self.acted: set[int] = set()
        self.checked: set[int] = set()
        self.declared = 0
        """Draw: the opening bet that every caller owes, where the opener is all-in for the antes (000:312)."""
        self._pending = purse.able(order)

    def play_by(self, rules: BettingRules) -> None:
        """The stakes of this round, from the beginning or since a kill."""
        terms = terms_of(rules)
        self.rules, self._terms = rules, terms
        self._is_stepped = terms.is_stepped
        self._has_one_size = terms.is_fixed and not self.round.open_pair
        self._unit = terms.unit(self.round)
        self._forced: int | None = None
        """Stud: the forced opening bet of the first round, and the limit that it stays below."""
        self._low = 0
        if self.is_first:
            self._forced, self._low = terms.forced, terms.low

    def post(self, seat: int, cents: int) -> int:
        """A blind: counts as a bet made in turn, and its owner may still raise. Returns what the seat could post."""
        moved = self.purse.put(seat, cents)
        self.put_in[seat] += moved
        self.current = max(self.current, self.put_in[seat])
        self.level = max(self.current, self._unit)
        if not self.purse.can_act(seat) and seat in self._pending:
            self._pending.remove(seat)
        return moved

    def open(self, seat: int, cents: int) -> int:
        """A bring-in that the rules post: no act, and its owner is asked only if it is raised. Gives what moved."""
        moved = self.purse.put(seat, cents)
        self.put_in[seat] += moved
        self._opened(seat)
        return moved

    def _opened(self, seat: int) -> None:
        """The round is open for what the seat put in. One who had less than the whole of it opened for the whole."""
        self.current = self.level = self.put_in[seat]
        self.level = self.price
        self._ask_others(seat)

    def unpost(self, seat: int, cents: int) -> None:
        """A blind that is taken back before the deal."""
        self.purse.take_back(seat, cents)
        self.put_in[seat] -= cents
        self.current = max(self.put_in.values())
        self.level = self.price
        self._pending = self.purse.able(self.order)

    def start_with(self, order: Sequence[int]) -> None:
        """The acting order of the seats dealt in, once every blind is posted."""
        self.order = list(order)
        self.put_in = {seat: self.put_in[seat] for seat in order}
        self.live = len(self.order)
        self._pending = self.purse.able(order)

    def full_level(self, all_in: set[int]) -> int:
        """The highest full bet or raise, where only the amounts are known: a short all-in is above the last step."""
        current, unit = self.current, self._unit
        holders = {seat for seat, put in self.put_in.items() if put == current}
        if self._is_stepped and current % unit and holders <= all_in:
            return current - current % unit
        self.level = current
        return self.price

    # Whose turn

    def next_seat(self) -> int | None:
        """The seat that is asked now; None when the round is complete."""
        pending = self._pending
        if self.live < 2 or not pending:
            return None
        seat = pending[0]
        # Who is not the last to act has somebody to bet against: the next one.
        return seat if len(pending) > 1 or not self._is_alone(seat) else None

    def _is_alone(self, seat: int) -> bool:
        """For the last to act nobody is left to bet against, and nothing to call: all others are all-in for no more."""
        purse, mine = self.purse, self.put_in[seat]
        if mine < self.declared:
            return False
        for other, theirs in self.put_in.items():
            if other != seat and (theirs > mine or purse.can_act(other)) and other not in purse.folded:
                return False
        return True

    @property
    def alone(self) -> int | None:
        """The seat that is not asked since all others still in are all-in; None where somebody is, or nobody could."""
        able = self.purse.able(self.order)
        if self.live < 2 or len(able) != 1 or not self._is_alone(able[0]):
            return None
        return able[0]

    @property
    def price(self) -> int:
        """What a call comes to: before the flop or draw at least the bring-in, whatever the blinds (BS-16)."""
        current = self.current
        if not current or not self.is_first:
            return current
        least = self._unit if self._forced is None or self.level >= self._low else self._forced
        return current if current > least else least

    def declare(self, seat: int, cents: int) -> None:
        """The pot is open for so much: the seat puts in what it has of it, all others owe it whole (000:309-312)."""
        self._pay(seat, max(cents, self.put_in[seat]))
        self.current = self.level = self.last_full = self.declared = cents
        self.bettors, self.acted = {seat}, {seat}
        self._ask_others(seat)

    def withdraw(self, seat: int, cents: int) -> None:
        """A bet that a ruling hands back: what nobody else has matched need not be called any more."""
        self.put_in[seat] -= cents
        self.current = max(self.put_in.values())
        self.level = min(self.level, self.current)
        self._pending = [other for other in self._pending if self.put_in[other] < self.current]

    @property
    def _is_short_bet(self) -> bool:
        """Nothing but an all-in bet of less than the round's size is in (bankers-lowball-a5, 000:260)."""
        return self.round.complete and self._is_stepped and self.current > 0 and not self.level

    @property
    def is_only_forced(self) -> bool:
        """Nobody has made the forced bet a full one."""
        return self._forced is not None and self.current > 0 and self.level < self._low

    @property
    def is_unbet(self) -> bool:
        """Nobody has put in more than the forced bet, not even all-in for less than a full one."""
        return not self.current or (self._forced is not None and self.current <= self._forced)

    # What it may do

    def admits(self, seat: int, act: Act) -> bool:
        """Whether an act is certainly legal, found without listing the choices; False means nothing."""
        if act.by is not None or seat == self.opener or self.opening_is_free:
            return False
        do, to = act.do, act.to
        if do == "fold":
            return True
        price = self.price
        if do == "call":
            # One who has the price in already may have to check: `choices` knows what the room calls it.
            return to is None and price > self.put_in[seat]
        if do == "check":
            return not price and self.round.check
        if to is None or do != ("raise" if price else "bet") or self.is_only_forced or self._is_short_bet:
            return False
        if self._has_one_size or self._terms.is_no_limit:
            put_in, behind = self.put_in[seat], self.purse.behind[seat]
            reach = UNLIMITED if behind is None else put_in + behind
            if price and (reach <= price or self._raise_barred(seat, price > put_in)):
                return False
            least = self._full_size(seat, price)
            return to == min(reach, least) if self._has_one_size or reach < least else least <= to <= reach
        legal = self.legal(seat)
        amounts = legal.raise_to if price else legal.bet
        if amounts is None:
            return False
        return to in amounts.one_of if amounts.one_of else amounts.least <= to <= amounts.most

    def _full_size(self, seat: int, price: int) -> int:
        """What a full bet or raise goes to at least, in no limit and in fixed limit without an open pair: as the
        structure has it, unasked."""
        if not self._has_one_size:
            if not price:
                return self._unit or 1
            terms = self._terms
            if terms.raise_by:
                return price + terms.raise_by
            if terms.raise_by_call and not self.round.raise_by_previous:
                return price + (price - self.put_in[seat] or self.last_full)
            return price + self.last_full
        if not price:
            return self._unit
        if self._forced is not None and self.level < self._low:
            return self._low
        # As `limits.next_level`, which every act would have to call uncompiled.
        level = self.level + self._unit
        return level if level > price else level + self._unit

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
            if seat == self.opener:
                return Legal(bring_in=self._bring_in(facing))
            bring_in = None
            if self.opening_is_free and isinstance(structure, FixedLimit) and structure.forced is not None:
                bring_in = exactly((structure.forced,), facing.reach)
            return Legal(check=self.round.check, bet=structure.opening(facing), bring_in=bring_in)
        reach = facing.reach
        no_raise = self._raise_barred(seat, price > facing.put_in)
        raise_to = structure.raising(facing) if not no_raise and reach > price else None
        if price == facing.put_in:
            said = self.rules.unraised_blind
            check, call = self.round.check or "check" in said, price if "call" in said else None
            return Legal(check, call, None, raise_to, None, no_raise)
        return Legal(False, min(price, reach), None, raise_to, None, no_raise)

    def _bring_in(self, facing: Facing) -> Amounts:
        """What the forced opener may open for; without a posted amount, what anybody may."""
        structure = self.rules.structure
        if not isinstance(structure, FixedLimit):
            return structure.opening(facing)
        if self.rules.bring_in == "either_limit":
            return exactly(tuple(sorted({structure.low, structure.high})), facing.reach)
        if structure.forced is None:
            return structure.opening(facing)
        forced = (structure.forced,)
        return exactly((*forced, structure.low) if self.rules.opener_may_bring_in_low else forced, facing.reach)

    def _raise_barred(self, seat: int, facing_a_bet: bool) -> str:
        terms = self._terms
        if self.may_not_raise and seat in self.may_not_raise:
            return self.may_not_raise[seat]
        if not terms.check_raise and seat in self.checked:
            return self.rules.codes.check_raise_barred
        # A seat that bet or raised is asked again only because of a short all-in: a full raise starts the set anew.
        if facing_a_bet and seat in (self.bettors if terms.bars_bettors else self.acted):
            return self.rules.codes.raise_barred_short_all_in
        if terms.has_raise_cap and terms.is_capped(self.raises, self.live, len(self.order)):
            return self.rules.codes.raise_cap
        return ""

    def choices(self, seat: int) -> tuple[tuple[Choice, ...], tuple[Barred, ...]]:
        """What the seat is offered, and what it is refused with the sheet's code."""
        legal = self.legal(seat)
        codes, purse = self.rules.codes, self.purse
        behind = purse.behind[seat]
        reach = None if behind is None else self.put_in[seat] + behind
        if legal.bring_in is not None:
            opening = [self._wager("bring_in", legal.bring_in, reach)]
            if legal.bet is not None:
                opening = [_FOLD, *opening, self._wager("bet", legal.bet, reach)]
            bars = (Barred(codes.check_not_allowed, "the hand must be opened", seat, "check"),)
            return tuple(opening), bars
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
            completes = (self.is_only_forced and self.rules.completing == "complete") or self._is_short_bet
            offered.append(self._wager("complete" if completes else "raise", legal.raise_to, reach))
            if completes:
                barred = (*barred, Barred(codes.wrong_increment, _COMPLETE_FIRST, seat, "raise"))
        elif legal.no_raise:
            instead = ["call" if legal.call is not None else "check", "fold"]
            barred = (*barred, Barred(legal.no_raise, _NO_RAISE_TEXT, seat, "raise", {"legal": instead}))
        else:
            text = f"seat {seat} has {dollars(reach or 0)} in all for this round"
            barred = (*barred, Barred(codes.table_stakes, text, seat, "raise", {"max_to": reach}))
        return tuple(offered), barred

    def _wager(self, do: str, amounts: Amounts, reach: int | None) -> Choice:
        codes = self.rules.codes
        least = codes.below_minimum if do in ("raise", "complete") else codes.below_minimum_bet
        said = "bring it in for" if do == "bring_in" else f"{do} to"
        if amounts.one_of:
            wrong = (codes.wrong_step if self._is_doubled else codes.wrong_increment) if self._is_stepped else least
            return Choice(
                do,
                label=f"{said} {' or '.join(map(dollars, amounts.one_of))}" if do == "bring_in" else "",
                to_one_of=amounts.one_of,
                reach=reach,
                below=wrong,
                above=wrong,
                beyond=codes.table_stakes,
            )
        above = {"pot": codes.above_pot, "spread": codes.above_maximum}.get(amounts.end, codes.table_stakes)
        return Choice(
            do,
            label=f"{said} {dollars(amounts.least)} or more" if amounts.most == UNLIMITED or do == "bring_in" else "",
            to=(amounts.least, amounts.most),
            reach=reach,
            below=least,
            above=above,
            beyond=codes.table_stakes,
        )

    @property
    def _is_doubled(self) -> bool:
        """A higher bet or raise was made on a street with an open pair: raises are of the higher limit now."""
        limit = self.rules.structure
        return (
            self.round.open_pair
            and bool(self.open_pairs)
            and isinstance(limit, FixedLimit)
            and self.current > 0
            and self.last_full >= limit.high
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
                put_in = self.put_in
                put_in[seat] += self.purse.put(seat, self.price - put_in[seat])
                self.current = max(self.current, put_in[seat])
                self.acted.add(seat)
            case "bring_in":
                self._open(seat, self._only(self.legal(seat).bring_in) if to is None else to)
                return
            case _:
                if to is None:
                    legal = self.legal(seat)
                    to = self._only(legal.bet or legal.raise_to)
                self._raise(seat, to)
                return
        self._pending.remove(seat)

    def leave(self, seat: int) -> None:
        """A hand that folds, or dies out of turn: it is asked no more."""
        self.purse.folded.add(seat)
        self.live -= 1
        if seat in self._pending:
            self._pending.remove(seat)

    def stand_aside(self, *seats: int) -> None:
        """These hands stay in and are asked no more on this round; none named: nobody is."""
        self._pending = [seat for seat in self._pending if seats and seat not in seats]

    def still_to_act(self) -> list[int]:
        return [] if self.next_seat() is None else list(self._pending)

    @staticmethod
    def _only(amounts: Amounts | None) -> int:
        assert amounts is not None, "an act that was not offered"
        return amounts.one_of[0]

    def _pay(self, seat: int, to: int) -> None:
        self.put_in[seat] += self.purse.put(seat, to - self.put_in[seat])

    def _open(self, seat: int, to: int) -> None:
        """The forced opening bet, or a full one at once."""
        if not self._is_stepped and self.rules.structure.is_full(self.facing(seat), to):
            self.last_full = to
        self._pay(seat, to)
        self.bettors, self.acted = {seat}, {seat}
        self._opened(seat)

    def _raise(self, seat: int, to: int) -> None:
        price = self.price
        is_raise = price > 0
        if self._has_one_size or self._terms.is_no_limit:
            full = to >= self._full_size(seat, price)
        else:
            full = self.rules.structure.is_full(self.facing(seat), to)
        completes = is_raise and (self.is_only_forced or self._is_short_bet)
        self._pay(seat, to)
        self.current = self.put_in[seat]
        if full:
            self.raises += is_raise and not completes
            self.last_full = to - price
            self.level = to
        if full or not is_raise:
            self.bettors, self.acted = {seat}, {seat}
        else:
            self.bettors.add(seat)
            self.acted.add(seat)
        self._ask_others(seat)

    def _ask_others(self, seat: int) -> None:
        at = self.order.index(seat)
        self._pending = self.purse.able(self.order[at + 1 :] + self.order[:at])


_FOLD, _CHECK = Choice("fold"), Choice("check")
_NO_RAISE_TEXT = "no raise here: call or fold"
_COMPLETE_FIRST = "the bring-in is not a full bet: complete it, call or fold"


@lru_cache(maxsize=1024)
def _barred(codes: Codes, seat: int, may_check: bool, may_call: bool, may_bet: bool) -> tuple[Barred, ...]:
    """What a seat is refused that is always refused with the same text."""
    barred: list[Barred] = []
    if not may_check:
        barred.append(Barred(codes.check_not_allowed, "there is a bet to call, raise or fold to", seat, "check"))
    if not may_call:
        barred.append(Barred("nothing_to_call", "nothing is bet", seat, "call"))
    if may_bet:
        barred.append(Barred("nothing_to_raise", "nothing is bet: bet, do not raise", seat, "raise"))
    else:
        barred.append(Barred(codes.bet_already_made, "there is a bet: raise it, call or fold", seat, "bet"))
    return tuple(barred)


__all__ = ["Action", "BetRound", "BettingRules", "NoLimit", "Purse"]
