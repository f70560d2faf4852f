"""Where in the packet a key of the rule data belongs. A key that is named nowhere is under "Other rules"."""

from __future__ import annotations

from collections.abc import Mapping

TOPICS: Mapping[str, str] = {
    "equipment": """
        decks decks_in_rotation deal_device device shuffle jokers jokers_per_deck two_jokers short_spades least_decks
        burn cut_card_in_hand cut_card_between_hands unloads_rest wild_cards names bonus_cards bonus_aces
    """,
    "seats": "most_seats fewest_seats positions larger_table circles squares ante_circles",
    "wagers": """
        base_wager base_game base_games bonus_minimum chip chip_unit wager_step wager_off_step wager_step_code table_min
        table_max limits min_bet structure blinds check_raise max_raises min_raise_basis short_all_in_bars capped
        completes bring_in bring_in_tie bring_in_is_posted opener_may_bring_in_low open_least open_most
        open_pair_for raise_by upper_limit_from_round completing pot_rounding kills kill_factor kill_pot_size straddle
        straddle_stack posts returning_after_missed_blinds unraised_blind button_has_small_blind ante_rounds_limit
        carried_antes point wagers_until bet_close_timer match_up_card match_wager other_wagers at_most_base
        takes_any_amount call_wager forced_opener rounds one_per_place play_code trips_must_be_set
    """,
    "deal": """
        deal deal_start pd_deal_order deal_from hand_deal deals_left_over pd_cards pd_second_card player_cards
        action_source action_from action_pile action_seat action_card button_card button_draw button_table button_told
        button_moves_on button_discards player_dealer_counts first_player_dealer new_game up_card_points
        all_in_gets_last_card_down dead_seat_gets_door_card stub pineapple discard discard_in_turn announced_first
        late_fifth_card most_discards may_change_draw early_street
    """,
    "ranking": """
        variant low low_qualifier low_is_unpaired high_qualifier qualifier joker joker_hand joker_ways
        up_cards_wild_joker a23_suited mini_royal royal openers first_openers no_opener three_kept natural natural_shown
        natural_against_joker limit hit_stand_values soft_17 player_chart player_dealer_chart pairs option_cards
        gee_joon_semi_wild conditions sweeps equal_value_sweeps
    """,
    "decisions": """
        surrender surrender_until insurance insurance_amount double double_after_split double_amount double_double
        double_on double_on_must_stand after_double redouble_capped split max_splits resplit_aces
        one_card_on_split_aces even_money joker_up acting_order meld_without_drawn_card sevens sevens_void
        post_draw_first showdown shown_from muck_code house_way house_way_for player_dealer_sets dealer_sets
        stack_of_four lowball
    """,
    "settlement": """
        settled settles_by settlement_start coverage both_over both_21 both_pure ties banker_three_card_seven
        dragon_natural odd_chip nonqualify nonqualify_lower_hand nonqualify_not_beaten nonqualify_tie folded_trips_paid
        trips_on_fold broken_blind odd_cents insurance_settled net_lines no_action tells_no_action foul_set foul_points
        foul_by_count tells_foul_as envy_trigger envy_five_of_a_kind out_cap out_chips fouled_pays set_off_losses pd_888
        six_card_three_of_a_kind folds_first bonuses
    """,
    "back_line": """
        back_line backline backline_decides back_line_insurance back_line_fortune further_spots behind_settled
        backline_last
    """,
    "irregularities": """
        rulings unruled codes refusals keeps_exposed exposed exposed_is_burn first_card half_bet_exception misdealt_hand
        shortage action_taken deal_complete abandoned_hits
    """,
    "pays": "pure_pays natural_pays even_money_pays two_card_bonus",
    "collection": "schedule late_fee in_fees collect_on_uncontested button_drop",
}
"""By section, the keys of `[options]` and `[sheet]`."""

OTHER = "other"
_SECTION_OF = {key: section for section, keys in TOPICS.items() for key in keys.split()}


def section_of(key: str) -> str:
    """
    >>> section_of("decks"), section_of("rotation_kind"), section_of("backline_decides"), section_of("brand_new")
    ('equipment', 'rotation', 'back_line', 'other')
    """
    found = _SECTION_OF.get(key)
    if found is not None:
        return found
    for start, section in (("rotation", "rotation"), ("back", "back_line"), ("jackpot", "jackpots")):
        if key.startswith(start):
            return section
    return OTHER
