"""Who banks next, as buttons: every one of them is an answer that the table takes."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.engine import events as ev
from controller.engine.bank.rotation import Rotation
from controller.engine.inputs import BankAnswered, PersonNamed, TableSet, decode_body
from controller.operator.console_view import ConsoleView
from controller.operator.offers.offers import Offer, offers
from controller.operator.roles import Right, Role, may, right_for
from controller.soak.looking import Onlooker
from tests.engine.test_rotation import LIMIT, OFFER, STOP, At


def offered(table: At) -> dict[str, Offer]:
    return {offer.id: offer for offer in offers(table.engine, keys_cards=True)}


def due(rotation: Rotation) -> At:
    table = At(rotation)
    table.hands(2)
    return table


def test_one_tap_says_who_banks_and_that_those_before_him_declined() -> None:
    table = due(LIMIT)
    menu = offered(table)
    assert [menu[f"bank:{seat}"].label for seat in (1, 2, 3, 4)] == [f"Seat {seat} banks" for seat in (1, 2, 3, 4)]
    assert menu["bank:3"].body == {"kind": "bank_answer", "takes": 3, "declined": [1, 2]}
    assert menu["bank:declined"].asks[0].kind == "seats"
    table.feed(decode_body(menu["bank:3"].body))
    assert table.player_dealer == 3
    assert "bank:4" not in offered(table)


@pytest.mark.parametrize(
    ("rotation", "sure"),
    [
        (OFFER, "Everybody declined. Seat 8 goes on?"),
        (LIMIT, "Everybody declined. No hand is dealt until another person banks. Is that so?"),
        (STOP, "Everybody declined. The game is broken. Is that so?"),
    ],
)
def test_nobody_takes_it_asks_what_follows(rotation: Rotation, sure: str) -> None:
    table = due(rotation)
    nobody = offered(table)["bank:nobody"]
    assert nobody.sure == sure
    table.feed(decode_body(nobody.body))
    assert "bank:nobody" not in offered(table)


def test_the_floor_resumes_a_broken_game_where_the_text_allows_it() -> None:
    table = due(msgspec.structs.replace(STOP, resumes="or_after_a_reasonable_time"))
    assert "floor:resume" not in offered(table)
    table.feed(BankAnswered())
    resume = offered(table)["floor:resume"]
    assert (resume.label, resume.right) == ("Resume after a reasonable time", Right.HOLD)
    table.feed(decode_body({**resume.body, "reason": "half an hour"}))
    assert not table.is_waiting
    other = due(STOP)
    other.feed(BankAnswered())
    assert "floor:resume" not in offered(other)


def test_the_bank_is_passed_on_before_it_is_due_and_people_are_named() -> None:
    table = At(LIMIT)
    table.hands(1)
    menu = offered(table)
    passes = menu["bank:pass"]
    table.feed(decode_body({**passes.body, "takes": 2, "declined": [1]}))
    assert table.player_dealer == 2
    named = menu["person"]
    assert [pick.value for pick in named.asks[0].picks] == [1, 2, 3, 4, 8]
    body = {**named.body, "place": 2, "name": "Ann", "badge": "", "firm": "Blue Bank", "another": False}
    assert table.feed(decode_body(body)) == [ev.PersonSeated(2, "Ann", firm="Blue Bank")]


def test_dealers_answer_the_offer_and_the_floor_sets_a_player_dealer_past_it() -> None:
    assert may(Role.DEALER, right_for(BankAnswered(1))) and may(Role.DEALER, right_for(PersonNamed(1)))
    assert not may(Role.MONITOR, right_for(BankAnswered(1)))
    assert offered(due(LIMIT))["player_dealer"].right is Right.HOLD


def test_console_and_state_show_the_bank_button() -> None:
    table = At(LIMIT)
    table.feed(PersonNamed(8, "Ann", firm="Blue Bank"))
    shown: list[dict[str, Any]] = []
    for _ in range(2):
        _, state, console, *_ = Onlooker().everything_public(table.engine)
        shown += [msgspec.json.decode(state), msgspec.json.decode(console)]
        table.hands(1)
    ann = {"place": 8, "name": "Ann", "firm": "Blue Bank"}
    assert [document["banker"] for document in shown] == [{**ann, "hand": 1}] * 2 + [{**ann, "hand": 2}] * 2
    assert {"banker", "player_dealer"} <= set(ConsoleView.__struct_fields__)
    table.feed(TableSet(player_dealer=None))
    assert msgspec.json.decode(Onlooker().everything_public(table.engine)[1])["banker"] is None
