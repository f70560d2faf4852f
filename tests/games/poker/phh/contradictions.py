"""What a history contradicts itself in, by its own arithmetic and without our table.

Where our table comes to another result than a public history, one of the two is wrong. This page asks the history: what
was put in and what was paid, who was asked and who was not, who showed and who was paid for it.
"""

from __future__ import annotations

from tests.games.poker.phh.convert import Money, codes_in, number
from tests.games.poker.phh.history import History

MOST_RAKE = 5
"""No site took more than a fifth of a pot; the smallest pots pay the most."""
WHOLE_BOARD = 5


def is_rake(pot: int, paid: int) -> bool:
    """Whether what the winners were not paid of a pot may be what the site took."""
    return 0 <= pot - paid <= pot // MOST_RAKE


def contradiction(hand: History) -> str | None:
    """Why no table could have dealt the hand as it is recorded; None where it agrees with itself."""
    followed = _Followed(hand)
    if followed.broken is not None:
        return followed.broken
    if followed.goes_on():
        return "it breaks off before the hand is over"
    return followed.pays_wrongly() if hand.has_result else None


class _Followed:
    """A history followed from act to act."""

    def __init__(self, hand: History) -> None:
        self.money = Money(hand)
        self.shown: set[int] = set()
        self.board = 0
        self.broken: str | None = None
        least, asked = max(hand.min_bet, 1), True
        for action in hand.actions:
            match action.split(" #")[0].split():
                case ["d", "dh", player, cards]:
                    self.shown |= set() if "?" in cards else {number(player)}
                case ["d", "db", cards]:
                    self.broken = self.broken or self._left_unasked(asked)
                    self.money.next_street()
                    self.board += len(codes_in(cards))
                    least, asked = max(hand.min_bet, 1), False
                case [player, "f"]:
                    self.money.fold(number(player))
                    asked = True
                case [player, "cc"]:
                    self.money.check_or_call(number(player))
                    asked = True
                case [player, "cbr", to]:
                    more = int(to) - self.money.price
                    self.money.bet_or_raise(number(player), int(to))
                    if more < least and self.money.behind[number(player)]:
                        self.broken = self.broken or "a raise is too small, and its player has chips left"
                    least, asked = max(least, more), True
                case [player, "sm", cards]:
                    self.shown |= set() if "?" in cards else {number(player)}
        self.broken = self.broken or self._left_unasked(asked)
        self.paid = {seat: cents for seat, cents in enumerate(self._payments(hand), start=1) if cents}

    def _payments(self, hand: History) -> list[int]:
        if any(hand.winnings):
            return hand.winnings
        ends = zip(hand.finishing_stacks, hand.starting_stacks, self.money.put_in.values(), strict=False)
        return [finish - start + put_in for finish, start, put_in in ends]

    def _left_unasked(self, asked: bool) -> str | None:
        able = [seat for seat in self.money.live if self.money.behind[seat]]
        return None if asked or len(able) < 2 else "players who have chips left are not asked"

    def goes_on(self) -> bool:
        money = self.money
        if len(money.live) < 2:
            return False
        return self.board < WHOLE_BOARD or any(
            money.behind[seat] and money.on_street[seat] < money.price for seat in money.live
        )

    def pays_wrongly(self) -> str | None:
        put_in = self.money.put_in
        called, most = sorted(put_in.values())[-2:]
        uncalled = most - called
        pot, paid = sum(put_in.values()) - uncalled, sum(self.paid.values())
        if len(self.money.live) > 1 and not self.shown & set(self.money.live):
            return "a pot is paid though nobody has shown a hand"
        if not (is_rake(pot, paid) or is_rake(pot + uncalled, paid)):
            return "more is paid than was put in" if paid > pot else "a part of the pot is paid to nobody"
        for seat in set(self.paid) - self.shown:
            back = uncalled if put_in[seat] == most else 0
            if len(self.money.live) > 1 and self.paid[seat] > back:
                return "a hand that was not shown is paid, against one that was"
        return None
