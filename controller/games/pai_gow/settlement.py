"""Settlement: two comparisons for the base wager, the Fortune bet, the envy bonuses, last the bets beside the bank.

The walk begins at the action button and goes clockwise: seat by seat with all its spots, all first spots before the
second ones, or each kind of wager in its own round. Every cent of the player-dealer's wager is used once, over the
whole walk.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from controller.engine.bets.action_button import clockwise_from
from controller.engine.house_way import Arranged
from controller.engine.inputs import Place, seat_of, spot_of
from controller.engine.money.bank import Odds
from controller.engine.ranking import Rank
from controller.engine.round.felt import Table
from controller.games.pai_gow.options import DAI_SU, ENVY, FORTUNE, SHARED, PaiGowOptions
from controller.games.tips import DEALER_TIP

Verdict = Literal["win", "lose", "copy"]
Outcome = Literal["win", "lose", "push"]
Comparison = dict[str, Verdict]
Turn = tuple[Place, str]
"""One wager in the order of settlement."""


def compare(player: Arranged, player_dealer: Arranged) -> Comparison:
    """Front with front, back with back."""
    return {
        "front": _verdict(player.front_rank, player_dealer.front_rank),
        "back": _verdict(player.back_rank, player_dealer.back_rank),
    }


def _verdict(player: Rank, player_dealer: Rank) -> Verdict:
    if player == player_dealer:
        return "copy"
    return "win" if player > player_dealer else "lose"


def outcome(comparison: Comparison) -> Outcome:
    """A copy counts for the player-dealer.

    >>> outcome({"front": "win", "back": "copy"}), outcome({"front": "copy", "back": "lose"})
    ('push', 'lose')
    """
    won = sum(verdict == "win" for verdict in comparison.values())
    return ("lose", "push", "win")[won]


def in_order(places: Sequence[Place], action_seat: int, *, by_seat: bool = False) -> list[Place]:
    """First spots from the action button clockwise, then the second spots, and so on; or all spots of a seat at once.

    >>> in_order(["5.2", 2, 5, "2.3", "2.2"], action_seat=4)
    [5, 2, '5.2', '2.2', '2.3']
    >>> in_order(["5.2", 2, 5, "2.3", "2.2"], action_seat=4, by_seat=True)
    [5, '5.2', 2, '2.2', '2.3']
    """
    seats = clockwise_from(action_seat, {seat_of(place) for place in places})

    def turn(place: Place) -> tuple[int, int]:
        seat, spot = seats.index(seat_of(place)), spot_of(place)
        return (seat, spot) if by_seat else (spot, seat)

    return sorted(places, key=turn)


def envy_buttons(t: Table, options: PaiGowOptions) -> list[Place]:
    """Places with an Envy button beside their Fortune bet, by their numbers."""
    placed = ((place, wagers.get(FORTUNE, 0)) for place, wagers in t.book.items())
    with_button = [place for place, cents in placed if cents and cents >= options.pays.envy_from]
    return sorted(with_button, key=lambda place: (seat_of(place), spot_of(place)))


class Walk:
    """The settlement of one round: outcomes of the base wagers and bonus rows of the seven cards, by seat."""

    def __init__(
        self,
        t: Table,
        options: PaiGowOptions,
        outcomes: Mapping[int, Outcome],
        bonuses: Mapping[int, str],
        least_paid: Mapping[int, int],
    ) -> None:
        self.t, self.options = t, options
        self.outcomes, self.bonuses, self.least_paid = outcomes, bonuses, least_paid
        self.without_action: list[Place] = []
        """Wagers that were reached when nothing of the player-dealer's money was left."""

    def go(self, action_seat: int) -> None:
        live = [place for place in self.t.book if seat_of(place) in self.outcomes]
        places = in_order(live, action_seat, by_seat=self.options.settles_by == "seat")
        for place, wager in self._turns(places):
            self._settle(place, wager)
        self._pay_envy(places)
        self._share_with_dai_su()

    def _turns(self, places: Sequence[Place]) -> Iterator[Turn]:
        rounds: tuple[tuple[str, ...], ...] = ((self.options.base_wager, DEALER_TIP, *SHARED, FORTUNE),)
        if self.options.settles_by == "wager":
            rounds = ((self.options.base_wager, DEALER_TIP, *SHARED), (FORTUNE,))
        for wagers in rounds:
            for place in places:
                yield from ((place, wager) for wager in wagers if wager in self.t.book[place])

    def _settle(self, place: Place, wager: str) -> None:
        if wager == FORTUNE:
            self._settle_fortune(place)
        elif wager in SHARED:
            self._settle_shared(place, wager)
        else:
            if self.t.settlement.cover_left == 0 and wager != DEALER_TIP:
                self.without_action.append(place)
            self._settle_base(place, wager, self.t.book[place][wager])

    def _settle_base(self, place: Place, wager: str, stake: int) -> None:
        seat = seat_of(place)
        match self.outcomes[seat]:
            case "win":
                paid_on = min(stake, self.least_paid.get(seat, stake))
                self.t.settlement.win(place, wager, Odds(self.options.pays.base).payoff(paid_on))
            case "lose":
                self.t.settlement.lose(place, wager, stake)
            case "push":
                self.t.settlement.push(place, wager)

    def _settle_shared(self, place: Place, wager: str) -> None:
        """Several players on one square: settled as one wager when its first comes, and divided evenly."""
        seat = seat_of(place)
        sharers = in_order([p for p, wagers in self.t.book.items() if seat_of(p) == seat and wager in wagers], seat)
        if place != sharers[0]:
            return
        together = sum(self.t.book[sharer][wager] for sharer in sharers)
        self._settle_base(place, wager, together)
        self.t.settlement.divide(sharers)

    def _settle_fortune(self, place: Place) -> None:
        stake = self.t.book[place][FORTUNE]
        payoff = self.options.payoff(self.bonuses[seat_of(place)], stake)
        if payoff is None:
            self.t.settlement.lose(place, FORTUNE, stake)
        else:
            self.t.settlement.win(place, FORTUNE, payoff)

    def _pay_envy(self, places: Sequence[Place]) -> None:
        """Each button is paid for every other player's hand, never for its own nor for the player-dealer's."""
        buttons = envy_buttons(self.t, self.options)
        seen = dict(self.bonuses)
        if self.options.envy_trigger == "fortune_bettor":
            bettors = {seat_of(place) for place, wagers in self.t.book.items() if wagers.get(FORTUNE)}
            seen = {seat: hand for seat, hand in seen.items() if seat in bettors}
        for place in places:
            if place not in buttons:
                continue
            due = sum(self.options.envy.get(hand, 0) for seat, hand in seen.items() if seat != seat_of(place))
            if due:
                self.t.settlement.win(place, ENVY, due)
            else:
                self.t.settlement.push(place, ENVY, listed=False)

    def _share_with_dai_su(self) -> None:
        """Half of what the spot beside it won or lost, as far as the bet goes; the spot keeps the rest (000:351)."""
        came = self.t.settlement.bank_net_by_spot
        for place, wagers in self.t.book.items():
            for spot, name in enumerate(DAI_SU):
                if name not in wagers:
                    continue
                result = came[spot] if spot < len(came) else 0
                half = min(wagers[name], abs(result) // 2)
                self.t.settlement.share(min(spot, len(came) - 1), place, name, half if result > 0 else -half)
