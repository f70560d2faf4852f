"""The console's document: everything that may be done and nothing that may not be known, in every game."""

from __future__ import annotations

import doctest
from typing import Any

import msgspec
import pytest

from controller import offers as offers_module
from controller.engine.cards import Audience
from controller.engine.expect import WantCard, WantFloor, WantRepair, WantShoe
from controller.engine.felt import Setup
from controller.engine.inputs import BetsClosed, BoardSeen, CardOut, Input, ShoeStarted, StackOut, decode_body
from controller.engine.table import TableEngine
from controller.offers import now, offers
from controller.rules import all_rulesets
from controller.view import Board, view
from controller.web.console_view import console_document, put_in
from controller.web.view_types import encode_view
from tests.test_bot import Evening, each_ruleset, new_table, slots
from tests.test_view import CARD, EZ, config


def document(engine: TableEngine[Any], *, keys_cards: bool = True) -> dict[str, Any]:
    shown = encode_view(view(engine, config(engine.ruleset), 0, Board(), broker_online=True))
    told: dict[str, Any] = msgspec.json.decode(console_document(engine, shown, keys_cards=keys_cards, trouble=None))
    return told


class AtTheConsole(Evening):
    """An evening in front of the console: whatever the table waits for is offered, and no card is told too soon."""

    def _step(self) -> None:
        super()._step()
        engine = self.engine
        told = document(engine)
        del told["deck"]
        for offer in told["offers"]:
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
        text = msgspec.json.encode(told).decode()
        assert not set(CARD.findall(text)) - known, text


@each_ruleset
def test_every_game_can_be_dealt_from_the_console_and_no_card_is_on_it_too_soon(slug: str) -> None:
    AtTheConsole(slug, 3, unread_one_in=8, trouble_one_in=25).play(1)


def test_the_examples_of_offers_are_true() -> None:
    assert doctest.testmod(offers_module).failed == 0


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


def test_seats_and_a_new_shoe_are_for_between_rounds_and_void_is_for_within() -> None:
    between, within = ids(ez(ShoeStarted(8))), ids(ez(ShoeStarted(8), BetsClosed()))
    assert {"seats", "player_dealer", "new_shoe"} <= set(between) and "floor:void" not in between
    assert {"call_floor", "hold", "floor:void"} <= set(within) and "seats" not in within


def test_a_held_table_offers_what_the_floor_may_do_and_no_card() -> None:
    held = ids(ez(ShoeStarted(8), CardOut("9h")))
    assert {"floor:resume", "floor:use_next", "floor:void"} <= set(held) and "card" not in held


def test_what_was_put_in_is_told_with_its_place() -> None:
    engine = ez(ShoeStarted(8), BetsClosed(), CardOut("9h"), CardOut("Kd"))
    assert [(told.label, told.by) for told in put_in(engine)] == [
        ("Player, card 1: 9h", "dealer:sam"),
        ("Banker, card 1: Kd", "dealer:sam"),
    ]


def test_a_face_down_stack_is_cards_without_names_until_all_its_copies_lie_open() -> None:
    engine = new_table(all_rulesets()["bankers-ultimate-texas-holdem"], Setup(seats=(1,), player_dealer=8))
    wagers = [{"kind": "wager", "place": 1, "wager": name, "cents": 1000} for name in ("ante", "blind")]
    for body in (*map(decode_body, wagers), BetsClosed(), StackOut(("Ah", "Kh"))):
        engine.apply(Input(0, "device:shuffler", body))
    (stack,) = [told for told in put_in(engine) if told.body["kind"] == "stack_out"]
    assert stack.hidden and "cards" not in stack.body and "Ah" not in stack.label
    assert any(isinstance(want, WantCard) for want in engine.expectation.wants)


def test_alarms_are_told_with_who_has_seen_to_them() -> None:
    engine = ez(ShoeStarted(8), BoardSeen("disk_low", True, "only 9 MB are free"))
    assert "seen:disk_low" in ids(engine)
    assert document(engine)["alarms"] == [{"name": "disk_low", "text": "only 9 MB are free", "acknowledged_by": ""}]
    engine.apply(Input(1, "floor:ann", decode_body({"kind": "acknowledge", "alarm": "disk_low"})))
    assert document(engine)["alarms"][0]["acknowledged_by"] == "floor:ann"
    assert "seen:disk_low" not in ids(engine)


@pytest.mark.parametrize("code", ["dealer_calls_floor"])
def test_the_dealer_s_call_holds_the_table(code: str) -> None:
    engine = ez(ShoeStarted(8), BetsClosed())
    call = next(offer for offer in offers(engine, keys_cards=True) if offer.id == "call_floor")
    assert call.body["code"] == code
    engine.apply(Input(0, "dealer:sam", decode_body(call.body)))
    assert "floor:resume" in ids(engine)
