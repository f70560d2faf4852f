"""Settlement: two comparisons for the base wager, then the Fortune bets, then the envy bonuses.

Each kind of wager is settled from the action button clockwise, before the next kind begins (A5); back-line wagers
follow all first spots, spot by spot. Every cent of the player-dealer's wager is used once, over this whole walk (A4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from controller.engine.action_button import clockwise_from
from controller.engine.felt import Table
from controller.engine.house_way import Arranged
from controller.engine.inputs import Place, seat_of, spot_of
from controller.engine.money import Odds
from controller.engine.ranking import Rank
from controller.games.pai_gow.options import FortuneOptions

Verdict = Literal["win", "lose", "copy"]
Outcome = Literal["win", "lose", "push"]
Comparison = dict[str, Verdict]


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
    """A copy counts for the player-dealer (1565-1566).

    >>> outcome({"front": "win", "back": "copy"}), outcome({"front": "copy", "back": "lose"})
    ('push', 'lose')
    """
    won = sum(verdict == "win" for verdict in comparison.values())
    return ("lose", "push", "win")[won]


def settle(
    t: Table, options: FortuneOptions, action_seat: int, outcomes: Mapping[int, Outcome], hands: Mapping[int, str]
) -> None:
    """`outcomes` of the base wagers and bonus rows of the seven cards, by seat."""
    places = in_order(list(t.book), action_seat)
    _settle_base(t, options, places, outcomes)
    _settle_fortune(t, options, places, hands)
    _pay_envy(t, options, places, hands)


def in_order(places: Sequence[Place], action_seat: int) -> list[Place]:
    """First spots from the action button clockwise, then the second spots, and so on.

    >>> in_order(["5.2", 2, 5, "2.3", "2.2"], action_seat=4)
    [5, 2, '5.2', '2.2', '2.3']
    """
    seats = clockwise_from(action_seat, {seat_of(place) for place in places})
    return sorted(places, key=lambda place: (spot_of(place), seats.index(seat_of(place))))


def envy_buttons(t: Table, options: FortuneOptions) -> list[int]:
    """Seats with an Envy button beside their Fortune bet, ascending."""
    placed = ((place, wagers.get("fortune", 0)) for place, wagers in t.book.items())
    return sorted(seat_of(place) for place, cents in placed if cents and cents >= options.pays.envy_from)


def _settle_base(t: Table, options: FortuneOptions, places: Sequence[Place], outcomes: Mapping[int, Outcome]) -> None:
    odds = Odds(options.pays.base)
    for place in places:
        stake = t.book[place][options.base_wager]
        match outcomes[seat_of(place)]:
            case "win":
                t.settlement.win(place, options.base_wager, odds.payoff(stake))
            case "lose":
                t.settlement.lose(place, options.base_wager, stake)
            case "push":
                t.settlement.push(place, options.base_wager)


def _settle_fortune(t: Table, options: FortuneOptions, places: Sequence[Place], hands: Mapping[int, str]) -> None:
    for place in places:
        stake = t.book[place].get("fortune")
        if stake is None:
            continue
        payoff = options.payoff(hands[seat_of(place)], stake)
        if payoff is None:
            t.settlement.lose(place, "fortune", stake)
        else:
            t.settlement.win(place, "fortune", payoff)


def _pay_envy(t: Table, options: FortuneOptions, places: Sequence[Place], hands: Mapping[int, str]) -> None:
    """Each button is paid for every other player's hand, never for its own nor for the player-dealer's."""
    buttons = envy_buttons(t, options)
    if options.envy_trigger == "any_player":
        seen = dict(hands)
    else:
        seen = {seat: hand for seat, hand in hands.items() if t.book.get(seat, {}).get("fortune")}
    for place in places:
        if place not in buttons:
            continue
        due = sum(options.pays.envy.get(hand, 0) for seat, hand in seen.items() if seat != place)
        if due:
            t.settlement.win(place, "envy", due)
        else:
            t.settlement.push(place, "envy", listed=False)
