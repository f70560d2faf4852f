"""What the poker games note of a hand beside its result."""

from __future__ import annotations

from typing import Any

from controller.engine.round.facts import Facts
from controller.engine.round.felt import Table

Known = list[str | None]
"""Cards by their codes; None for one that nobody read."""


class PokerFacts(Facts):
    """By seat, unless said otherwise."""

    # The table and what was posted
    structure_in_force: Any = None
    minimum_players: int | None = None
    maximum_players: int | None = None
    preflop_order: list[int] | None = None
    first_card_to: int | None = None
    small_blind_seat: int | None = None
    big_blind_seat: int | None = None
    straddle_amount: int | None = None
    minimum_stack: int | None = None
    live_part: dict[int, int] | None = None
    live: dict[int, int] | None = None
    dead_part: dict[int, int] | None = None
    dead: dict[int, int] | None = None
    button_draw: dict[int, str] | None = None
    button: int | None = None
    first_card_to_seat: int | None = None

    # Cards
    burns: Known | int | None = None
    """Mexican Poker: how many."""
    cards_dealt: int = 0
    dealt: dict[int, Known] | None = None
    up: dict[int, Known] = {}
    down: dict[int, Known] = {}
    joker: dict[int, str] = {}
    off_button: list[int] = []
    seventh: dict[int, str | None] | None = None
    faces_on_seventh: dict[int, str] = {}
    individual_seventh_cards: int | None = None
    burned: str | None = None
    burn_from_pool: bool | None = None
    available: int | None = None
    needed: int | None = None
    burns_reshuffled: Known | None = None
    cards_dealt_to: dict[str, list[int]] | None = None

    # The draw
    hands_before_draw: dict[int, Known] | None = None
    pot_before_draw: int | None = None
    draw_order: list[int] | None = None
    max_discards: int | None = None
    received: dict[Any, Any] = {}
    """By draw where a hand has several."""
    reshuffle: bool | None = None
    reshuffled: int | None = None
    cards_drawn_before_reshuffle: int | None = None
    cards_drawn_after_reshuffle: int | None = None
    further_draws_allowed: bool | None = None

    # Betting
    first_to_act: dict[str, int] = {}
    """By street."""
    first_to_act_on_seventh: int | None = None
    acting_order: dict[str, list[int]] | None = None
    asked_in_order: dict[str, list[int]] | None = None
    to_call: dict[int, int] = {}
    opener: int | None = None
    low_card_seat: int | None = None
    bring_in_seat: int | None = None
    all_in_for_ante: int | None = None
    bet_sizes: list[int] | None = None
    bet_level: int | None = None
    raises_counted: int | None = None
    raises_in_round: int | None = None
    raises_by_round: dict[str, int] = {}
    minimum_call: int | None = None
    blind_taken_by: dict[int, int] = {}
    """Lowball: by who has less than half a blind, the player who takes it."""
    owes_blind_next: int | None = None
    """Lowball: who takes the blind of the next hand, if he has chips then."""

    # Openers
    may_declare_open: list[int] | None = None
    may_not_declare_open: dict[int, str] | None = None
    qualifies: list[int] | None = None
    openers: dict[int, list[str]] = {}
    openers_shown: Known | None = None
    openers_retained: bool | None = None
    splitting: bool | None = None
    split_declared: int | None = None
    """Who has declared that he splits his openers."""
    split_discard: Known | None = None
    """What he threw away, as the dealer turned it up."""
    opening_bet_stays: int | None = None
    sits_out: list[int] | None = None
    sits_out_until: str | None = None
    rebuy_helps: bool | None = None
    sevens_offender: int | None = None
    game_now: str | None = None
    forced_bet: int | None = None
    forced_bet_by: int | None = None

    # Rulings
    ruled: dict[int, str] = {}
    dead_hands: dict[int, str] = {}
    kept: Known = []
    cards_kept: Known | None = None
    replaced: dict[str, str | None] = {}
    taken_back: Known = []
    set_aside: Known = []
    withdrawn: Known = []
    void_flop: Known = []
    reshuffled_into_stub: Known = []
    eliminated: Known = []
    ante_returned: dict[int, int] = {}

    # The end of the hand
    show_first: int | None = None
    low_ranks: dict[int, list[str] | None] = {}
    badugi_cards: dict[int, list[str]] = {}
    badugi_ranks: dict[int, list[str]] = {}
    winners: dict[str, list[int]] | None = None
    high_winners: list[int] | None = None
    low_winners: list[int] | None = None
    odd_chip_to: int | None = None
    takes: list[dict[str, Any]] | None = None
    collected: int | None = None
    fee_complete: bool | None = None
    pot_after_collection: int | None = None
    awarded_after_fees: dict[int, int] | None = None
    net_after_fees: dict[int, int] | None = None
    forfeited: int | None = None
    carried: int | None = None
    """A pot that nobody won, which stays in the middle."""
    carried_after_fees: int | None = None

    # The next hand
    may_play_next_hand: list[int] | None = None
    next_button: int | None = None
    next_antes: int | None = None
    next_openers: list[str | int] | None = None
    next_structure: Any = None
    kill_required: dict[str, Any] | None = None


def facts_of(t: Table) -> PokerFacts:
    """What is noted of the hand at this table."""
    if not isinstance(t.result.facts, PokerFacts):
        t.result.facts = PokerFacts()
    return t.result.facts
