"""How a worked round may be written, and what its runner says where the table does not take it."""

from __future__ import annotations

from typing import Any

import pytest

from controller.cases.__main__ import read_file
from controller.cases.compare import mismatches
from controller.cases.fees import run_fee_case
from controller.cases.runner import run_case
from controller.rules import all_rulesets
from tests.support.project import CASES

OWN_CASES = CASES / "own"
BACCARAT: dict[str, Any] = {
    "id": "a-natural-nine",
    "table": {"seats": [1, 3], "player_dealer": 8},
    "bank": [100_000],
    "wagers": {1: {"player_line": 1000}},
    "cards": ["9h", "Kd", "Tc", "7s"],
    "expect": {"outcome": "player", "net": {1: {"player_line": 1000}}},
}
STUD: dict[str, Any] = {
    "id": "two-spots",
    "table": {"seats": [2, 5], "player_dealer": 6, "positions": 8},
    "bank": [5000],
    "wagers": {2: {"ante": 1000}, 5: {"ante": 1000}, "5.2": {"ante": 500}},
    "cards": ["Kc", "4c", "Jc", "2c", "Qc", "5c", "5d", "Js", "9c", "6c", "Tc", "Jh", "Ac", "3s", "9s"],
    "acts": [{"seat": 2, "do": "call", "cents": 2000}, {"floor": "void", "reason": "wrong count"}],
    "expect": {"void": True, "returned": {2: 3000, 5: 1000, "5.2": 500}},
}


def problems_of(game: str, case: dict[str, Any], **other: Any) -> list[str]:
    return run_case(all_rulesets()[game], {**case, **other})


def at_baccarat(**other: Any) -> list[str]:
    return problems_of("bankers-ez-baccarat-panda-8", BACCARAT, **other)


def test_the_round_itself_passes() -> None:
    assert at_baccarat() == []


def test_a_card_that_is_none_is_named() -> None:
    assert at_baccarat(cards=["1h", "Kd", "Tc", "7s"])[-1] == "run: the table was held: '1h' is not a card"


@pytest.mark.parametrize(
    ("wagers", "why"),
    [({5: {"player_line": 1000}}, "no_such_seat"), ({1: {"dragon_7": 1000}}, "needs_line_wager")],
)
def test_a_wager_that_is_refused_before_the_deal_is_reported_with_its_reason(wagers: dict[int, Any], why: str) -> None:
    (line,) = at_baccarat(wagers=wagers)
    assert f" of 1000 cents: {why}: " in line


@pytest.mark.parametrize(
    "other",
    [{"bank": 100_000}, {"wagers": {"1": {"player_line": 1000}}}, {"options": {"bet_close_timer": False}}],
    ids=["one-spot", "seat-as-text", "off"],
)
def test_the_same_round_may_be_written_so(other: dict[str, Any]) -> None:
    assert at_baccarat(**other) == []


@pytest.mark.parametrize("seat", ["2", 2])
def test_a_seat_is_a_seat_as_text_too(seat: object) -> None:
    acts = [{"seat": seat, "do": "call", "cents": 2000}, *STUD["acts"][1:]]
    assert problems_of("calgrand-caribbean-stud-poker", STUD, acts=acts) == []


def test_words_of_an_option_may_have_spaces() -> None:
    assert problems_of("calgrand-caribbean-stud-poker", STUD, options={"action_source": "last card"}) == []


def test_an_option_that_is_none_is_refused_however_it_is_written() -> None:
    (line,) = problems_of("calgrand-caribbean-stud-poker", STUD, options={"action_source": "first card"})
    assert "action_source" in line


def test_what_goes_back_may_be_written_by_spot_or_by_seat_and_must_be_right() -> None:
    def returned(cents: dict[Any, int]) -> list[str]:
        return problems_of("calgrand-caribbean-stud-poker", STUD, expect={"returned": cents})

    assert returned({2: 3000, 5: 1500}) == []
    assert returned({2: 3000, 5: 1000}) == ["returned.5: expected 1000, got 1500"]
    assert returned({2: 3000, 5: 1500, "5.2": 500})[0] == "returned.5: expected 1500, got 1000"


@pytest.mark.parametrize(
    ("want", "have", "alike"),
    [
        ("reshuffle_all", ["accept", "reshuffle_all"], True),
        ("accept", ["accept", "reshuffle_all"], False),
        (["accept", "reshuffle_all"], ["accept", "reshuffle_all"], True),
        (["reshuffle_all"], ["accept", "reshuffle_all"], False),
        (["foul_set", "foul_set"], ["foul_set"], True),
        (None, [], True),
        (None, ["accept"], False),
        ("accept", [], False),
        ("needs_ruling", ["needs_ruling", "floor_void"], True),
        ("floor_void", ["needs_ruling", "floor_void"], True),
        (["needs_ruling", "floor_void"], ["needs_ruling", "floor_void"], True),
    ],
)
def test_one_ruling_is_the_one_that_stands_and_a_list_is_all_of_them(want: Any, have: list[str], alike: bool) -> None:
    assert (not list(mismatches({"ruling": want}, {"ruling": have}))) is alike


def test_which_seats_fouled_has_no_order_but_which_are_settled_first_has() -> None:
    got = {"flags": {"fouled": [6, 2]}, "order": ["6.main", "2.main"]}
    assert not list(mismatches({"flags": {"fouled": [2, 6]}}, got))
    assert list(mismatches({"flags": {"fouled": [2]}}, got))
    assert list(mismatches({"order": [2, 6]}, got))


@pytest.mark.parametrize(("want", "same"), [(33.3, True), (33.33, True), (33, True), (33.4, False), (34, False)])
def test_a_percentage_may_have_more_decimals_than_the_board_shows_or_none(want: float, same: bool) -> None:
    got = {"more": {"board": {"tie": {"percent": 33.3}}}}
    assert (not list(mismatches({"more": {"board": {"tie": {"percent": want}}}}, got))) is same


@pytest.mark.parametrize(
    ("want", "same"),
    [
        ("calgrand-lowball-ace-to-five", True),
        ("lowball_ace_to_five", True),
        ("lowball", True),
        ("calgrand-lowball-deuce-to-seven", False),
        ("draw", False),
    ],
)
def test_the_game_that_a_hand_goes_on_as_may_be_named_by_words_of_its_name(want: str, same: bool) -> None:
    got = {"more": {"game_now": "calgrand-lowball-ace-to-five"}}
    assert (not list(mismatches({"more": {"game_now": want}}, got))) is same


@pytest.mark.parametrize(
    ("want", "same"),
    [
        (500, True),
        ({1: 500}, True),
        ({"seat": 1, "cents": 500}, True),
        (400, False),
        ({2: 500}, False),
        ({"seat": 2, "cents": 500}, False),
        ({"seat": 1, "cents": 400}, False),
    ],
)
def test_a_forced_bet_may_be_written_with_its_seat(want: object, same: bool) -> None:
    got = {"more": {"forced_bet": 500, "forced_bet_by": 1}}
    assert (not list(mismatches({"more": {"forced_bet": want}}, got))) is same


@pytest.mark.parametrize("tiles", [["66", "45"], ["6-6", "4-5"], [66, 45]])
def test_tiles_are_tiles_without_a_table_too(tiles: list[Any]) -> None:
    case = {"id": "wong", "kind": "ranking", "cards": {1: tiles}, "expect": {"ranks": {1: ["wong", "Teen"]}}}
    assert problems_of("calgrand-pai-gow-tiles", case) == []


def test_limits_may_be_settings_of_the_table() -> None:
    table = {**BACCARAT["table"], "table_min": 500, "table_max": 900}
    assert "above_table_max" in at_baccarat(table=table)[0]


def test_wagers_alone_are_a_case() -> None:
    case = {"id": "w", "kind": "legality", "table": BACCARAT["table"], "wagers": {1: {"tie": 100}}, "bank": [1000]}
    assert problems_of("bankers-ez-baccarat-panda-8", {**case, "expect": {"refused": []}}) == []


def test_the_floor_corrects_and_the_round_goes_on() -> None:
    assert at_baccarat(acts=[{"event": "missing_card", "after_cards": 3}, {"floor": "correct"}]) == []


def test_a_void_without_a_moment_comes_once_the_cards_of_the_case_are_out() -> None:
    voided = {"void": True, "hands": {"player": ["9h", "Tc"], "banker": ["Kd"]}}
    assert at_baccarat(cards=["9h", "Kd", "Tc"], acts=[{"floor": "void", "reason": "jam"}], expect=voided) == []


def test_a_bank_below_nothing_is_no_bank() -> None:
    assert at_baccarat(bank=[-1000]) == ["bank: expected the player-dealer's cents by spot, got [-1000]"]


def test_an_act_that_no_hand_of_a_board_takes_is_left_over() -> None:
    hands = {"kind": "board", "cards": [["9h", "Kd", "Tc", "7s"]] * 2, "expect": {}}
    (line,) = problems_of(
        "bankers-ez-baccarat-panda-8", {"id": "board"} | hands, acts=[{"floor": "void", "after_cards": 99}]
    )
    assert "acts left over" in line


def as_known_at_its_last_card(case: dict[str, Any]) -> dict[str, Any] | None:
    """The same case with every event that takes cards along events by the last of them; None where it has none such."""
    cards, acts, found = list(case.get("cards") or ()), [], 0
    for act in case.get("acts") or ():
        taken = [str(card) for card in act.get("cards", ())] if "event" in act else []
        if not taken:
            acts.append(act)
            continue
        codes = [str(entry["card"] if isinstance(entry, dict) else entry) for entry in cards]
        at = next((n for n in range(found, len(codes)) if codes[n : n + len(taken)] == taken), None)
        if at is None:
            return None
        found = at + len(taken)
        facts = {key: value for key, value in act.items() if key not in ("cards", "after_cards")}
        cards[found - 1] = {"card": taken[-1], **facts}
    return {**case, "cards": cards, "acts": acts} if found else None


@pytest.mark.parametrize(
    "game",
    [
        "bankers-razz",
        "bankers-texas-holdem",
        "calgrand-omaha",
        "calgrand-seven-card-stud",
        "calgrand-texas-holdem",
        "village-21st-century-blackjack",
        "village-holdem",
        "village-omaha",
        "village-pineapple-hi-lo",
    ],
)
def test_a_card_that_nobody_waits_for_may_tell_its_event_itself(game: str) -> None:
    _, cases = read_file(OWN_CASES / f"{game}.yaml")
    rounds = [case for case in cases if "refused" not in case["expect"] and "rulings" not in case["expect"]]
    again = [other for case in rounds if (other := as_known_at_its_last_card(case)) is not None]
    assert again
    assert {case["id"]: lines for case in again if (lines := run_case(all_rulesets()[game], case))} == {}


HEADS_UP = {
    "seats": [1, 2],
    "button": 1,
    "structure": {"kind": "fixed_limit", "low": 300, "high": 600},
    "blinds": {1: 100, 2: 300},
}


def test_two_extra_cards_may_both_tell_it() -> None:
    extra = {"event": "extra_card_to_first_player", "seat": 2}
    case = {
        "table": HEADS_UP,
        "cards": ["As", "Ks", "Ah", "Kh", {"card": "9d", **extra}, {"card": "9h", **extra}],
        "expect": {"void": True, "ruling": "misdeal"},
    }
    assert problems_of("village-holdem", case) == []


def test_an_event_that_no_moment_of_the_round_has_a_ruling_for_still_fails() -> None:
    case = {
        "table": HEADS_UP,
        "cards": ["As", "Ks", "Ah", "Kh", "2c", {"card": "9d", "event": "boxed_card"}, "9h", "9s"],
        "acts": [{"seat": 1, "do": "call"}, {"seat": 2, "do": "check"}],
        "expect": {"ruling": "misdeal"},
    }
    assert problems_of("village-holdem", case) != []


ALONE: dict[str, Any] = {
    "table": {
        "seats": [1, 2],
        "button": 1,
        "structure": {"kind": "fixed_limit", "low": 300, "high": 600},
        "blinds": {1: 100, 2: 300},
        "stacks": {1: 50, 2: 10_000},
    },
    "cards": ["As", "Ks", "Ah", "Kh", "2c", "9d", "9h", "9s", "3c", "Tc", "4c", "5d"],
    "expect": {"net": {1: -50, 2: 50}},
}


@pytest.mark.parametrize(
    ("acts", "is_nothing"),
    [
        ([{"seat": 2, "do": "call", "to": 300}], True),
        ([{"seat": 2, "do": "call"}, *[{"seat": 2, "do": "check"}] * 3], True),
        ([{"seat": 2, "do": "call", "to": 600}], False),
        ([{"seat": 2, "do": "raise", "to": 600}], False),
        ([{"seat": 2, "do": "call", "to": 300}, {"seat": 2, "do": "bet", "to": 300}], False),
        ([{"seat": 1, "do": "check"}], False),
        ([{"seat": 2, "do": "fold"}], False),
    ],
)
def test_who_has_nobody_to_bet_against_may_act_where_it_changes_nothing(acts: list[Any], is_nothing: bool) -> None:
    assert problems_of("calgrand-texas-holdem", ALONE) == []
    assert (not problems_of("calgrand-texas-holdem", ALONE, acts=acts)) is is_nothing


@pytest.mark.parametrize(
    ("other", "key"),
    [
        ({"table": "x"}, "table"),
        ({"table": {"seats": "13"}}, "table.seats"),
        ({"table": {"seats": [1], "player_dealer": "eight"}}, "table.player_dealer"),
        ({"table": {"seats": [1], "player_dealer": 10**12}}, "table.player_dealer"),
        ({"table": {"seats": [1], "stacks": [100]}}, "table.stacks"),
        ({"table": {"seats": [1], "blinds": {1: "small"}}}, "table.blinds.1"),
        ({"acts": [{"seat": 1, "do": "wager", "wager": "tie", "cents": None}]}, "acts[0].cents"),
        ({"acts": [3]}, "acts[0]"),
        ({"acts": [{"seat": 1}]}, "acts[0]"),
        ({"acts": [{"seat": 1, "do": "raise", "to": "much"}]}, "acts[0].to"),
        ({"acts": [{"event": "jam", "after_cards": "all"}]}, "acts[0].after_cards"),
        ({"cards": 5}, "cards"),
        ({"cards": [{"event": "jam"}]}, "cards[0].card"),
        ({"wagers": [1]}, "wagers"),
        ({"wagers": {1: 1000}}, "wagers.1"),
        ({"wagers": {1: {"player_line": "1000"}}}, "wagers.1.player_line"),
        ({"bank": "much"}, "bank"),
        ({"dice": 7}, "dice"),
        ({"options": 7}, "options"),
        ({"options": {"schedule": 7}}, "options.schedule"),
        ({"expect": None}, "expect"),
        ({"expect": {"hands": 5}}, "hands"),
        ({"expect": {"more": 5}}, "expect.more"),
        ({"expect": {"refused": [5]}}, "expect.refused[0]"),
    ],
)
def test_a_key_of_another_form_is_one_line_with_its_name(other: dict[str, Any], key: str) -> None:
    (line,) = at_baccarat(**other)
    assert line.startswith(f"{key}: expected ")


def test_a_value_that_no_form_names_stops_only_its_case() -> None:
    case = {"kind": "house_way", "cards": {"1": ["9h", 7]}, "expect": {"hands": {1: []}}}
    (line,) = run_case(all_rulesets()["bankers-fortune-pai-gow-poker-1-1"], case)
    assert line.startswith("run: expected to run to its end, got a value of another form")


FEES = {
    "schedule": "rules-early/three-card-poker/1",
    "bank": [50000],
    "wagers": [{"bettor": 2, "spot": 2, "wager": "ante", "cents": 400}],
    "expect": {"fees": {"player_dealer": 100, "players": {2: 25}}},
}


def test_the_fee_case_itself_passes() -> None:
    assert run_fee_case("bankers-collections", FEES) == []


@pytest.mark.parametrize(
    ("other", "key"),
    [
        ({"schedule": None}, "schedule"),
        ({"schedule": ["a"]}, "schedule"),
        ({"options": [1]}, "options"),
        ({"options": {"pot_money": [{"after": "betting_1"}]}}, "options.pot_money[0].added"),
        ({"wagers": {2: 400}}, "wagers"),
        ({"wagers": [{"wager": "ante", "cents": 400}]}, "wagers[0].bettor"),
        ({"wagers": [{"bettor": 2, "wager": "ante", "cents": "400"}]}, "wagers[0].cents"),
        ({"bank": "much"}, "bank"),
        ({"players_dealt": "all"}, "players_dealt"),
        ({"reached": "flop"}, "reached"),
        ({"time": {"minutes": 30}}, "time.seated"),
        ({"time": {"seated": 3}}, "time.minutes"),
        ({"time": {"start": "noon", "seated": {"19:30": [1]}}}, "time"),
        ({"later": ["waived"]}, "later[0]"),
        ({"expect": {"by_wager": 25}}, "expect.by_wager"),
        ({"expect": {"fees": 25}}, "expect.fees"),
    ],
)
def test_a_key_of_a_fee_case_of_another_form_is_one_line_with_its_name(other: dict[str, Any], key: str) -> None:
    (line,) = run_fee_case("bankers-collections", {**FEES, **other})
    assert line.startswith(f"{key}: expected ")


def test_what_a_house_posts_beside_a_schedule_is_read_in_words() -> None:
    (line,) = run_fee_case("bankers-collections", {**FEES, "options": {"between_bands": "middle"}})
    assert line.startswith("run: expected to run to its end, got options: between_bands: ")


def test_a_case_without_expectations_is_reported() -> None:
    case = {key: value for key, value in BACCARAT.items() if key != "expect"}
    assert run_case(all_rulesets()["bankers-ez-baccarat-panda-8"], case) == [
        "expect: expected a mapping of results, got none"
    ]


def test_a_table_that_is_not_ready_says_why() -> None:
    table = {**ALONE["table"], "button": None}
    assert problems_of("calgrand-texas-holdem", ALONE, table=table)[-1].startswith(
        "run: the table was held: nobody has the"
    )


def test_a_case_that_ends_with_the_betting_need_not_write_that_hands_are_shown() -> None:
    """Cards speak; the same round with every hand shown comes out the same."""
    _, cases = read_file(CASES / "bankers-texas-holdem.yaml")
    (case,) = [case for case in cases if case["id"] == "bankers-texas-holdem-s01"]
    betting = [act for act in case["acts"] if act["do"] != "show"]
    assert len(betting) < len(case["acts"])
    assert problems_of("bankers-texas-holdem", case) == []
    assert problems_of("bankers-texas-holdem", case, acts=betting) == []
