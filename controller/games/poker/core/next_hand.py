"""From hand to hand: the button, the blinds, the stacks and a forced kill move on by themselves.

The table chooses it (`button_moves = true` among its settings). Else the floor sets the table before each hand, as the
worked cases do. The button goes to the next seat with chips, or to the seat that bought it; blinds keep their order
from the button; stacks are the chips in front of each seat after pots and fees. A void hand moves nothing:
same button, new deal (bankers-texas-holdem, A5).
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from controller.engine.amounts import dollars
from controller.engine.betting.rules import BetRound
from controller.engine.money.pots import NOBODY
from controller.engine.round.felt import Setup
from controller.games.poker.core.hand import PokerHand
from controller.games.poker.core.options import FORCED_KILLS, PokerOptions, exact
from controller.games.poker.core.settings import FEWEST_PLAYERS, NotReady, by_position, in_position, read_settings
from controller.games.poker.core.short_blinds import changed_by


def setup_after(hand: PokerHand) -> Setup:
    """The setup of the next hand."""
    setup = hand.t.setup
    stacks = stacks_after(hand)
    with_chips = [seat for seat in setup.seats if stacks is None or stacks[seat]]
    settings: dict[str, Any] = dict(setup.settings)
    if stacks is not None:
        settings["stacks"] = _by_name(stacks)
    settings["last_winner"] = _sole_winner(hand)
    settings |= _in_the_middle(hand) | changed_by(hand, stacks)
    kill = hand.facts.kill_required
    settings["kill"] = kill
    button = _next_button(hand, with_chips)
    if len(with_chips) < FEWEST_PLAYERS:
        return replace(setup, settings=settings)
    sizes = _blind_sizes(hand)
    settings["blind_sizes"] = sizes
    blinds = by_position(button, with_chips, sizes)
    if kill is not None:
        structure = msgspec.convert(hand.facts.next_structure, type(hand.structure))
        blinds[kill["seat"]] = structure.unit(hand.first_round)
    settings["blinds"] = _by_name(blinds)
    return replace(setup, button=button, settings=settings)


def with_pot_carried(hand: PokerHand) -> Setup:
    """A pot that nobody won stays in the middle for the next deal."""
    setup = hand.t.setup
    changed = _in_the_middle(hand) | changed_by(hand, stacks_after(hand))
    return replace(setup, settings={**setup.settings, **changed}) if changed else setup


def _in_the_middle(hand: PokerHand) -> dict[str, Any]:
    """The setting for what is in the middle at the next deal, where it has changed."""
    carried = _by_name(_carried(hand)) if hand.facts.carried is not None else {}
    return {} if (hand.t.setup.settings.get("carried") or {}) == carried else {"carried": carried}


def kills_to_set(setup: Setup, options: PokerOptions, round: BetRound) -> tuple[tuple[str, dict[str, Any]], ...]:
    """The forced kills that the house has posted, seat by seat, for a floor that sets the table by hand: who kills, and
    his blind among the others (BS-9, BS-10). Where a hand is set to be killed, the first offer undoes it."""
    kinds = [kind for kind in FORCED_KILLS if kind in options.kills]
    try:
        settings = read_settings(setup, options) if kinds else None
    except NotReady:
        settings = None
    if settings is None:
        return ()
    button = setup.button or 0
    sizes = list(settings.blind_sizes) if settings.kill is not None else in_position(button, settings.blinds)
    blinds = by_position(button, setup.seats, sizes) if settings.kill is not None else settings.blinds
    cents = settings.structure.killed(exact(options.kill_factor)).unit(round)
    offers: list[tuple[str, dict[str, Any]]] = []
    if settings.kill is not None:
        offers.append(("No kill", {"kill": None, "blinds": _by_name(blinds)}))
    for seat in setup.seats:
        for kind in kinds:
            kill = {"seat": seat, "kind": kind}
            posted = {"kill": kill, "blinds": _by_name({**blinds, seat: cents}), "blind_sizes": sizes}
            offers.append((f"Seat {seat} kills for {_KILLS_FOR[kind]}: {dollars(cents)}", posted))
    return tuple(offers)


_KILLS_FOR = {"forced_two_wins": "two wins in a row", "forced_pot_size": "the size of the pot"}


def _carried(hand: PokerHand) -> dict[int, int]:
    """What each seat has in a pot that nobody won. The fee that was taken out of it is borne alike."""
    left = {seat: hand.purse.total(seat) for seat in hand.t.setup.seats if hand.purse.total(seat)}
    forfeited = hand.purse.dead.get(NOBODY, 0)
    if forfeited:
        left[NOBODY] = forfeited
    carried, left_after = hand.facts.carried or 0, hand.facts.carried_after_fees
    fee = carried - (carried if left_after is None else left_after)
    while fee > 0 and (paying := [seat for seat, cents in left.items() if cents]):
        share = max(1, fee // len(paying))
        for seat in paying:
            part = min(left[seat], fee, share)
            left[seat] -= part
            fee -= part
    return left


def _by_name(by_seat: dict[int, int]) -> dict[str, int]:
    """With the seats as text, as they come from the journal."""
    return {str(seat): cents for seat, cents in by_seat.items()}


def _blind_sizes(hand: PokerHand) -> list[int]:
    """By position. In a killed hand the killer may have posted the kill in place of his blind (BS-9)."""
    if hand.settings.kill is not None and hand.settings.blind_sizes:
        return list(hand.settings.blind_sizes)
    return in_position(hand.button, hand.posted_blinds)


def stacks_after(hand: PokerHand) -> dict[int, int] | None:
    """Chips in front of each seat when everything is paid; None where the table does not know them."""
    result, fees = hand.t.result, hand.t.fees
    awarded: dict[int, int] = hand.facts.awarded_after_fees or {}
    if not awarded:
        for pot in result.pots:
            for seat, cents in pot.to.items():
                awarded[seat] = awarded.get(seat, 0) + cents
    stacks: dict[int, int] = {}
    for seat in hand.t.setup.seats:
        behind = hand.purse.behind[seat]
        if behind is None:
            return None
        paid = sum(charge.cents for charge in fees.owed if charge.place == seat and charge.payer != "pot")
        stacks[seat] = max(0, behind + awarded.get(seat, 0) - paid)
    return stacks


def _sole_winner(hand: PokerHand) -> int | None:
    """Who alone won the whole pot (BS-10)."""
    winners = {seat for pot in hand.t.result.pots for seat, cents in pot.to.items() if cents}
    return winners.pop() if len(winners) == 1 else None


def _next_button(hand: PokerHand, with_chips: list[int]) -> int:
    if hand.button_bought_by in with_chips:
        return hand.button_bought_by
    return hand.t.clockwise(hand.button, with_chips)[0] if with_chips else hand.button
