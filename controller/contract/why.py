"""Why a request was not done, for programs: every value of `why` in a reply.

A code that the table's own program gives is here under its name; a test reads them from the source, so none is left
out. A refusal by a code of a ruleset's data (a raise above the limit, a wager that the posted schedule does not have)
is `refused_by_rules`. `code` in the reply has the table's code in every case.
"""

from __future__ import annotations

from enum import StrEnum


class Why(StrEnum):
    """Why a request was not done."""

    # The request itself
    TOO_LARGE = "too_large"
    MALFORMED = "malformed"
    NOT_ALLOWED = "not_allowed"
    NO_SUCH_COMMAND = "no_such_command"
    EXPIRED = "expired"
    EXPIRES_TOO_LATE = "expires_too_late"
    RETAINED = "retained"
    ID_USED = "id_used"
    BAD_RESPONSE_TOPIC = "bad_response_topic"
    BAD_CORRELATION = "bad_correlation"
    BAD_TOPIC = "bad_topic"
    BAD_CLIENT = "bad_client"
    NO_SUCH_ROLE = "no_such_role"
    BAD_RULES = "bad_rules"
    BAD_RANGE = "bad_range"
    NO_SUCH_DEVICE = "no_such_device"
    TOO_MANY = "too_many"
    FAILED = "failed"
    JOURNAL = "journal"
    NOT_KEPT = "not_kept"
    NOT_ON_STAFF = "not_on_staff"

    # The table, at this moment
    REFUSED_BY_RULES = "refused_by_rules"
    ACKNOWLEDGED_BEFORE = "acknowledged_before"
    ALREADY_BET = "already_bet"
    AMENDED_TWICE = "amended_twice"
    ASKED_TOO_MUCH = "asked_too_much"
    BAD_AMOUNT = "bad_amount"
    BAD_INPUT = "bad_input"
    BAD_SETTINGS = "bad_settings"
    BETS_CLOSED = "bets_closed"
    BOTH = "both"
    CARD_BEFORE_FEES = "card_before_fees"
    CARD_NOT_USED = "card_not_used"
    CHECK_NOT_ALLOWED = "check_not_allowed"
    CLOSED_ALREADY = "closed_already"
    DICE_BEFORE_FEES = "dice_before_fees"
    DRAWN_CARD_NOT_USED = "drawn_card_not_used"
    DUPLICATE_CARD = "duplicate_card"
    FOREIGN_CARD = "foreign_card"
    FOUL_SET = "foul_set"
    IS_OUT = "is_out"
    LIMITS_CROSSED = "limits_crossed"
    MAY_NOT_CLOSE = "may_not_close"
    MUST_BE_USED = "must_be_used"
    NEEDS_AMOUNT = "needs_amount"
    NEEDS_BOARD = "needs_board"
    NEEDS_CARDS = "needs_cards"
    NEEDS_CENTS = "needs_cents"
    NEEDS_FOUR_TIMES_KILL_AMOUNT = "needs_four_times_kill_amount"
    NEGATIVE_WAGER = "negative_wager"
    NO_CHANGE = "no_change"
    NO_HOUSE_WAY = "no_house_way"
    NO_ID = "no_id"
    NO_PLAYER_DEALER = "no_player_dealer"
    NO_REASON = "no_reason"
    NO_ROUND = "no_round"
    NO_SUCH_ALARM = "no_such_alarm"
    NO_SUCH_BOX = "no_such_box"
    NO_SUCH_CARD = "no_such_card"
    NO_SUCH_FLOOR_ACT = "no_such_floor_act"
    NO_SUCH_INPUT = "no_such_input"
    NO_SUCH_PILE = "no_such_pile"
    NO_SUCH_PLACE = "no_such_place"
    NO_SUCH_SEAT = "no_such_seat"
    NO_SUCH_SWEEP = "no_such_sweep"
    NO_UPDATE = "no_update"
    NO_WAIVER = "no_waiver"
    NOBODY_LEFT = "nobody_left"
    NOT_A_MELD = "not_a_meld"
    NOT_BY_WORDS = "not_by_words"
    NOT_DICE = "not_dice"
    NOT_DUE = "not_due"
    NOT_ELIGIBLE = "not_eligible"
    NOT_EXPECTED = "not_expected"
    NOT_HELD = "not_held"
    NOT_HOUSE_WAY = "not_house_way"
    NOT_IN_TURN = "not_in_turn"
    NOT_OF_A_ROUND = "not_of_a_round"
    NOT_OFFERED = "not_offered"
    NOT_OUT = "not_out"
    NOT_TOP_OF_DISCARD = "not_top_of_discard"
    NOT_YOUR_CARD = "not_your_card"
    NOTHING_OPEN = "nothing_open"
    NOTHING_TO_CALL = "nothing_to_call"
    NOTHING_TO_RAISE = "nothing_to_raise"
    OFFER_DUE = "offer_due"
    OPEN_ALREADY = "open_already"
    OTHER_ROUND = "other_round"
    OUT_OF_TURN = "out_of_turn"
    OVERDRAW = "overdraw"
    ROUND_NOT_AMENDABLE = "round_not_amendable"
    ROUND_RUNNING = "round_running"
    ROUND_VOID = "round_void"
    ROUND_WOULD_SPLIT = "round_would_split"
    ROUND_WOULD_VANISH = "round_would_vanish"
    SEAT_TWICE = "seat_twice"
    STRADDLE_STACK_TOO_SHORT = "straddle_stack_too_short"
    THIRD_HAND = "third_hand"
    TOO_LATE_TO_WAIVE = "too_late_to_waive"
    TOO_MANY_CARDS = "too_many_cards"
    TOO_MANY_SEATS = "too_many_seats"
    UPDATE_RUNNING = "update_running"
    WAIVED_ALREADY = "waived_already"
    WRONG_COUNT = "wrong_count"
    WRONG_SIZE_FOR_WINDOW = "wrong_size_for_window"


def why_of(code: str) -> Why:
    """The value of `why` for a refusal of the table.

    >>> why_of("round_running").value, why_of("a code of some ruleset").value
    ('round_running', 'refused_by_rules')
    """
    return Why(code) if code in _VALUES else Why.REFUSED_BY_RULES


_VALUES = frozenset(why.value for why in Why)
