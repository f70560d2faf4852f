"""The console's document: everything that may be done and nothing that may not be known, in every game."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.engine.cards.card import Audience
from controller.engine.expect.expectation import Expectation, prompt
from controller.engine.expect.wants import WantCard, WantFloor, WantRepair, WantShoe
from controller.engine.inputs import (
    Act,
    Amended,
    AnyBody,
    BetsClosed,
    BoardSeen,
    CardOut,
    Change,
    Input,
    ShoeStarted,
    StackOut,
    WagerPlaced,
    decode_body,
)
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.operator.console_view import console_document, put_in
from controller.operator.offers.offers import Offer, now, offers
from controller.operator.roles import Role, may, right_for
from controller.outputs.view import Roads, view
from controller.outputs.view_types import encode_view
from controller.rules import all_rulesets
from tests.engine.test_bot import Evening, each_ruleset, new_table, slots
from tests.outputs.test_view import CARD, EZ, config


def document(engine: TableEngine[Any], *, keys_cards: bool = True) -> dict[str, Any]:
    encoded = encode_view(view(engine, config(engine.ruleset), 0, Roads(), broker_online=True))
    shown: dict[str, Any] = msgspec.json.decode(console_document(engine, encoded, keys_cards=keys_cards, trouble=None))
    return shown


def says(offer: Offer, act: Act) -> bool:
    """Whether a person can key this decision through the offer: whatever it names is in it or asked for."""
    fields = msgspec.to_builtins(act)
    named = {field: fields.get(field) for field in ("seat", "do", "cards", "front", "pile", "by")}
    named |= {f"facts.{fact}": value for fact, value in act.facts.items()}
    asked = {ask.field for ask in offer.asks}
    return all(not value or offer.body.get(field) == value or field in asked for field, value in named.items())


def places(offer: Offer, wager: WagerPlaced) -> bool:
    """Whether a person can key this wager through the offer: its place and its kind are among what may be picked."""
    picks = {ask.field: [pick.value for pick in ask.picks] for ask in offer.asks}
    return wager.place in picks.get("place", ()) and wager.wager in picks.get("wager", ())


class AtTheConsole(Evening):
    """An evening in front of the console: whatever the table waits for is offered, and no card is shown too soon."""

    def _answer(self, expectation: Expectation) -> AnyBody:
        body = super()._answer(expectation)
        if isinstance(body, Act):
            assert any(says(offer, body) for offer in now(expectation)), f"no offer asks for all of {body}"
        if isinstance(body, WagerPlaced):
            assert any(places(offer, body) for offer in now(expectation)), f"no offer asks for {body}"
        return body

    def _step(self) -> None:
        super()._step()
        engine = self.engine
        shown = document(engine)
        del shown["deck"]
        for offer in shown["offers"]:
            decode_body(offer["body"]) if not offer.get("asks") else None
        for want in engine.expectation.wants:
            if not isinstance(want, WantRepair | WantShoe | WantFloor):
                assert now(engine.expectation), f"nobody is offered: {want.prompt()}"
        known: set[str] = set()
        if engine.round is not None:
            table = engine.round.table
            known = {s.card.code for s in slots(table) if s.is_read and s.audience is Audience.ALL}
        if engine.last is not None:
            known |= set(CARD.findall(str(engine.last.public["hands"])))
        text = msgspec.json.encode(shown).decode()
        assert not set(CARD.findall(text)) - known, text


@each_ruleset
def test_every_game_can_be_dealt_from_the_console_and_no_card_is_on_it_too_soon(slug: str) -> None:
    AtTheConsole(slug, 3, unread_one_in=8, trouble_one_in=25).play(1)


@each_ruleset
def test_a_table_of_which_nothing_is_set_is_made_ready_at_the_console(slug: str) -> None:
    engine = new_table(all_rulesets()[slug], Setup(seats=(1, 2, 3, 4, 5), player_dealer=7))
    for offer in [offer for offer in offers(engine, keys_cards=True) if offer.body["kind"] == "table_set"]:
        if offer.id not in ("seats", "player_dealer", "limits", "straight_limit", "whole_table"):
            engine.apply(Input(0, "dealer:sam", decode_body(keyed(offer))))
    held = [want.text for want in engine.expectation.wants if isinstance(want, WantFloor)]
    assert held == []


def keyed(offer: Offer) -> dict[str, Any]:
    """The offer's body with the first answer to all that it asks for: $4 everywhere."""
    body: dict[str, Any] = {**offer.body, "settings": {**offer.body.get("settings", {})}}
    for ask in offer.asks:
        picked = next((pick.value for pick in ask.picks if pick.value is not None), 400)
        value = {str(pick.value): 400 for pick in ask.picks} if ask.kind == "by_seat" else picked
        *path, field = ask.field.split(".")
        place = body
        for part in path:
            place = place[part]
        place[field] = value
    return body


def test_a_stud_table_is_given_antes_and_a_forced_bet_and_never_a_button_or_blinds() -> None:
    engine = new_table(all_rulesets()["calgrand-seven-card-stud"], Setup(seats=(1, 2, 3)))
    assert not {"button", "blinds", "move_button", "player_dealer"} & set(ids(engine))
    limit = {"kind": "fixed_limit", "low": 400, "high": 800}
    for settings in ({"structure": limit}, {"antes": {"1": 50, "2": 50, "3": 50}}):
        engine.apply(Input(0, "dealer:sam", decode_body({"kind": "table_set", "settings": settings})))
    forced = next(offer for offer in offers(engine, keys_cards=True) if offer.id == "forced")
    body = {**forced.body, "settings": {"structure": {**limit, "forced": 200}}}
    engine.apply(Input(0, "dealer:sam", decode_body(body)))
    for card in (None,) * 6 + ("4h", "9d", "2c"):
        engine.apply(Input(0, "dealer:sam", CardOut(card)))
    shown = document(engine)
    assert shown["view"]["prompt"] == "Seat 3: bring it in for $2 or $4"
    assert shown["view"]["felt"] == ["Pot $1.50"], "a game without a button shows one"
    assert [hand["owner"] for hand in shown["view"]["hands"]] == ["1", "2", "3"], "an empty community card is shown"
    assert [put.label for put in put_in(engine)][-3:] == [
        "Seat 1, card 3: 4h",
        "Seat 2, card 3: 9d",
        "Seat 3, card 3: 2c",
    ], "a misread door card cannot be found among what may be corrected"


def test_tiles_are_called_tiles_on_every_button_and_in_every_prompt() -> None:
    said: set[str] = set()
    for slug in ("bankers-pai-gow-tiles", "calgrand-pai-gow-tiles"):
        evening = Evening(slug, seed=1, unread_one_in=3).play()
        engine = new_table(evening.ruleset, evening.setup)
        for value in evening.inputs:
            engine.apply(value)
            said.add(prompt(engine.expectation))
            for offer in offers(engine, keys_cards=True):
                said |= {offer.label, *(ask.label for ask in offer.asks)} if offer.group == "now" else set()
    assert any("tiles" in text for text in said)
    assert not [text for text in said if "card" in text.lower()]


SETTINGS: tuple[dict[str, Any], ...] = (
    {},
    {"structure": {"kind": "fixed_limit", "low": 400, "high": 200}},
    {"structure": {"kind": "no_limit"}},
    {"structure": {"kind": "no_limit", "bring_in": 100}, "kill": {"seat": 9, "kind": "voluntary"}},
    {"first_player": 9},
    {"deal_from": 9},
)


@pytest.mark.parametrize("button", [None, 1])
@pytest.mark.parametrize("seats", [(), (1, 2, 3), tuple(range(1, 13))])
@each_ruleset
def test_a_table_that_is_not_ready_says_so_in_words_of_people(
    slug: str, seats: tuple[int, ...], button: int | None
) -> None:
    for settings in SETTINGS:
        engine = new_table(all_rulesets()[slug], Setup(seats=seats, button=button, settings=settings))
        said = prompt(engine.expectation)
        if "cannot be read" not in said:
            assert "`" not in said and "_" not in said, said


def a_killed_table(**options: Any) -> TableEngine[Any]:
    ruleset = all_rulesets()["calgrand-texas-holdem"]
    posted = {"structure": {"kind": "fixed_limit", "low": 300, "high": 600}, "blinds": {"2": 100, "3": 300}}
    setup = Setup(seats=(1, 2, 3), button=1, settings=posted)
    return TableEngine(ruleset.game, ruleset.options(options), TableState(setup), ruleset.data.slug)


def offered(engine: TableEngine[Any], id: str) -> Offer:
    return next(offer for offer in offers(engine, keys_cards=True) if offer.id == id)


def test_a_kill_that_is_due_is_set_with_its_blind_and_goes_with_the_next_button() -> None:
    engine = a_killed_table(kills=["forced_two_wins"])
    picks = {pick.label: pick.value for pick in offered(engine, "kill").asks[0].picks}
    assert list(picks) == [f"Seat {seat} kills for two wins in a row: $6" for seat in (1, 2, 3)]
    body = {**offered(engine, "kill").body, "settings": picks["Seat 1 kills for two wins in a row: $6"]}
    engine.apply(Input(0, "floor:ann", decode_body(body)))
    assert engine.state.setup.settings["blinds"] == {"2": 100, "3": 300, "1": 600}
    back = offered(engine, "kill").asks[0].picks[0]
    assert (back.label, back.value) == ("No kill", {"kill": None, "blinds": {"2": 100, "3": 300}})
    for _ in range(6):
        engine.apply(Input(0, "dealer:sam", CardOut(None)))
    assert document(engine)["view"]["prompt"] == "Seat 2: fold, call $6 or raise to $12"
    engine.apply(Input(0, "floor:ann", decode_body({"kind": "floor", "do": "void", "reason": "a misdeal"})))
    moved = offered(engine, "move_button")
    assert moved.label == "Button to seat 2, blinds to 3 and 1"
    engine.apply(Input(0, "floor:ann", decode_body(moved.body)))
    settings = engine.state.setup.settings
    assert (settings.get("kill"), settings["blinds"]) == (None, {"3": 100, "1": 300})


def test_no_kill_is_offered_where_the_room_has_none_or_the_table_moves_on_by_itself() -> None:
    assert "kill" not in ids(a_killed_table())
    assert "kill" not in ids(a_killed_table(kills=["voluntary"]))
    engine = a_killed_table(kills=["forced_two_wins"])
    moves = {"kind": "table_set", "settings": {"button_moves": True}}
    engine.apply(Input(0, "floor:ann", decode_body(moves)))
    assert "kill" not in ids(engine)


@pytest.mark.parametrize(
    ("slug", "codes"),
    [
        ("turlock-texas-holdem", {"misdeal", "card_exposed", "wrong_card_count"}),
        ("bankers-pai-gow-tiles", {"dice_cup_opened"}),
        ("calgrand-pai-gow-tiles", {"dice_cup_opened", "exposed_while_distributing", "exposed_while_stacking"}),
        ("bankers-fortune-pai-gow-poker-1-1", {"dice_cup_opened"}),
    ],
)
def test_what_went_wrong_is_chosen_from_what_the_sheet_of_this_room_rules(slug: str, codes: set[str]) -> None:
    ruleset = all_rulesets()[slug]
    assert set(ruleset.game.happenings(ruleset.options())) == codes


def test_a_lowball_dealer_is_not_asked_whether_the_flop_came_too_early() -> None:
    ruleset = all_rulesets()["bankers-lowball-a5"]
    settings = {"structure": {"kind": "fixed_limit", "low": 400, "high": 800}, "blinds": {2: 200, 3: 400}}
    engine = new_table(ruleset, Setup(seats=(1, 2, 3), button=1, settings=settings))
    engine.apply(Input(0, "dealer:sam", CardOut(None)))
    codes = {pick.value for pick in offered(engine, "happening").asks[0].picks}
    assert "misdeal" in codes and not any("flop" in str(code) for code in codes)
    engine.apply(Input(0, "floor:ann", decode_body({"kind": "floor", "do": "hold", "reason": ""})))
    again = {pick.value for pick in offered(engine, "ruling").asks[0].picks}
    assert again == codes


def test_the_floor_posts_any_limits_and_each_of_the_five_structures() -> None:
    engine = new_table(all_rulesets()["bankers-texas-holdem"], Setup(seats=(1, 2, 3), button=1))
    offered = {offer.id: offer for offer in offers(engine, keys_cards=True)}
    kinds = [pick.value for id in ("structure", "limits") for pick in offered[id].asks[0].picks]
    kinds.append(offered["straight_limit"].body["settings"]["structure"])
    assert {kind["kind"] for kind in kinds if isinstance(kind, dict)} == {
        "fixed_limit",
        "spread_limit",
        "straight_limit",
        "pot_limit",
        "no_limit",
    }
    assert [ask.field for ask in offered["limits"].asks[1:]] == ["settings.structure.low", "settings.structure.high"]


@pytest.mark.parametrize(
    ("slug", "structure", "shown"),
    [
        ("bankers-texas-holdem", {"kind": "no_limit"}, "No limit, blinds $1 and $2, ante $0.50"),
        (
            "bankers-texas-holdem",
            {"kind": "straight_limit", "limit": 500},
            "Straight limit $5, blinds $1 and $2, ante $0.50",
        ),
        ("calgrand-seven-card-stud", {"kind": "fixed_limit", "low": 400, "high": 800}, "Limit $4/$8, ante $0.50"),
    ],
)
def test_the_posted_stakes_are_those_that_the_game_has(slug: str, structure: dict[str, Any], shown: str) -> None:
    settings = {"structure": structure, "blinds": {2: 100, 3: 200}, "antes": {1: 50, 2: 50, 3: 50}}
    engine = new_table(all_rulesets()[slug], Setup(seats=(1, 2, 3), button=1, settings=settings))
    assert document(engine)["view"]["stakes"] == shown


def no_limit(*acts: tuple[int, str, int | None], **settings: Any) -> TableEngine[Any]:
    """Three seats of no-limit hold'em, the cards face down, and what they have done before the flop."""
    posted = {"structure": {"kind": "no_limit"}, "blinds": {2: 100, 3: 200}, **settings}
    engine = new_table(all_rulesets()["bankers-texas-holdem"], Setup(seats=(1, 2, 3), button=1, settings=posted))
    for _ in range(6):
        engine.apply(Input(0, "dealer:sam", CardOut(None)))
    for seat, do, to in acts:
        engine.apply(Input(0, "dealer:sam", Act(seat, do, to=to)))
    return engine


def test_a_seat_that_has_folded_or_is_all_in_is_marked_and_an_uncalled_bet_is_no_side_pot() -> None:
    stacks = {1: 10_000, 2: 1_500, 3: 10_000}
    engine = no_limit((1, "raise", 10_000), (2, "call", None), (3, "fold", None), stacks=stacks)
    shown = document(engine)["view"]
    assert {hand["owner"]: hand["verdict"] for hand in shown["hands"]} == {"2": "all in", "3": "folded", "1": "all in"}
    assert shown["felt"] == ["Button: seat 1", "Pot $32", "Uncalled $85 of seat 1"]


def test_where_no_stacks_are_known_no_largest_bet_is_shown_or_offered() -> None:
    engine = no_limit()
    assert document(engine)["view"]["prompt"] == "Seat 1: fold, call $2 or raise to $4 or more"
    (ask,) = next(offer for offer in offers(engine, keys_cards=True) if offer.id == "1:raise").asks
    assert (ask.label, ask.min, ask.max) == ("Raise to $4 or more", 400, None)


def test_a_decision_is_corrected_by_any_other_that_the_seat_had() -> None:
    stacks = {1: 10_000, 2: 1_500, 3: 10_000}
    engine = no_limit((1, "fold", None), (2, "call", None), stacks=stacks)
    fold = next(put for put in put_in(engine) if put.label == "Seat 1: fold")
    assert [offer.id for offer in fold.instead] == ["1:fold", "1:call", "1:raise"]
    assert [(ask.field, ask.min, ask.max) for ask in fold.instead[2].asks] == [("to", 400, 10_000)]
    change = Change(fold.index, {**fold.instead[2].body, "to": 1000})
    assert engine.preview(Amended(1, (change,), "wrong button")) == {
        "next": ["Seat 3: fold, check, call $2 or raise to $4-$100", "Seat 3: fold, call $10 or raise to $18-$100"],
        "table": [
            ["Button: seat 1", "Bets: seat 2 $2, seat 3 $2"],
            ["Button: seat 1", "Bets: seat 1 $10, seat 2 $10, seat 3 $2"],
        ],
    }


def ez(*bodies: Any) -> TableEngine[Any]:
    engine = new_table(all_rulesets()[EZ], Setup(seats=(1, 2, 3), player_dealer=8, max_wager=50_000))
    for body in bodies:
        engine.apply(Input(0, "dealer:sam", body))
    return engine


def ids(engine: TableEngine[Any], *, keys_cards: bool = True) -> list[str]:
    return [offer.id for offer in offers(engine, keys_cards=keys_cards)]


def test_cards_are_offered_to_be_keyed_only_where_no_device_gives_them() -> None:
    engine = ez(ShoeStarted(8), BetsClosed())
    assert "card" in ids(engine)
    assert "card" not in ids(engine, keys_cards=False)
    assert document(engine, keys_cards=False)["waits_for_device"]


def test_the_end_of_a_shoe_is_offered_only_where_no_device_reports_it() -> None:
    engine = ez(ShoeStarted(8), BetsClosed())
    assert {"cut_card", "shoe_empty"} <= set(ids(engine))
    assert not {"cut_card", "shoe_empty"} & set(ids(engine, keys_cards=False))
    engine.apply(Input(0, "dealer:sam", decode_body({"kind": "cut_card"})))
    assert "cut_card" not in ids(engine) and "shoe_empty" in ids(engine)
    assert may(Role.DEALER, right_for(decode_body({"kind": "cut_card"})))


def test_seats_and_a_new_shoe_are_for_between_rounds_and_void_is_for_within() -> None:
    between, within = ids(ez(ShoeStarted(8))), ids(ez(ShoeStarted(8), BetsClosed()))
    assert {"seats", "player_dealer", "new_shoe"} <= set(between) and "floor:void" not in between
    assert {"call_floor", "stop", "floor:hold", "floor:void"} <= set(within) and "seats" not in within
    assert "call_floor" in between and "stop" not in between


def test_a_held_table_offers_what_the_floor_may_do_and_no_card() -> None:
    held = ids(ez(ShoeStarted(8), CardOut("9h")))
    assert {"floor:resume", "floor:use_next", "floor:void"} <= set(held) and "card" not in held


def test_what_was_put_in_is_shown_with_its_place() -> None:
    engine = ez(ShoeStarted(8), BetsClosed(), CardOut("9h"), CardOut("Kd"))
    assert [(put.label, put.by) for put in put_in(engine)] == [
        ("Player, card 1: 9h", "dealer:sam"),
        ("Banker, card 1: Kd", "dealer:sam"),
    ]


def test_a_face_down_stack_is_cards_without_names_until_all_its_copies_lie_open() -> None:
    engine = new_table(all_rulesets()["bankers-ultimate-texas-holdem"], Setup(seats=(1,), player_dealer=8))
    wagers = [{"kind": "wager", "place": 1, "wager": name, "cents": 1000} for name in ("ante", "blind")]
    for body in (*map(decode_body, wagers), BetsClosed(), StackOut(("Ah", "Kh"))):
        engine.apply(Input(0, "device:shuffler", body))
    (stack,) = [put for put in put_in(engine) if put.body["kind"] == "stack_out"]
    assert stack.hidden and "cards" not in stack.body and "Ah" not in stack.label
    assert any(isinstance(want, WantCard) for want in engine.expectation.wants)


def test_alarms_are_shown_with_who_has_seen_to_them() -> None:
    engine = ez(ShoeStarted(8), BoardSeen("disk_low", True, "only 9 MB are free"))
    assert "seen:disk_low" in ids(engine)
    (alarm,) = document(engine)["alarms"]
    assert (alarm["name"], alarm["text"], alarm["acknowledged_by"]) == ("disk_low", "only 9 MB are free", "")
    engine.apply(Input(1, "floor:ann", decode_body({"kind": "acknowledge", "alarm": "disk_low"})))
    assert document(engine)["alarms"][0]["acknowledged_by"] == "floor:ann"
    assert "seen:disk_low" not in ids(engine)


def test_a_call_holds_nothing_and_stopping_the_game_does() -> None:
    engine = ez(ShoeStarted(8), BetsClosed())
    by_id = {offer.id: offer for offer in offers(engine, keys_cards=True)}
    engine.apply(Input(0, "dealer:sam", decode_body(by_id["call_floor"].body)))
    assert "card" in ids(engine) and "call_over" in ids(engine) and "call_floor" not in ids(engine)
    assert by_id["stop"].sure, "it is asked first whether nothing is to go on"
    engine.apply(Input(0, "dealer:sam", decode_body(by_id["stop"].body)))
    assert {"floor:resume", "call_over"} <= set(ids(engine)) and "card" not in ids(engine)


def test_a_hand_that_is_set_face_down_is_keyed_unseen_and_the_seats_are_asked_in_one_breath() -> None:
    engine = new_table(all_rulesets()["village-chinese-poker"], Setup(seats=(1, 2, 3), button=1))
    for _ in range(4):
        engine.apply(Input(0, "dealer:sam", StackOut((None,) * 13)))
    assert document(engine)["view"]["prompt"].startswith("Seats 1, 2, 3: set or declare a clean sweep — three in front")
    setting = [ask for offer in now(engine.expectation) if offer.body.get("do") == "set" for ask in offer.asks]
    assert [ask.sealed for ask in setting] == [True, True, True]
