"""What the floor can tap about jackpots, and that the table takes it as it is offered."""

from __future__ import annotations

from typing import Any

from controller.engine import events as ev
from controller.engine.inputs import FloorAct, decode_body
from controller.evidence.words import Words, of_input
from controller.operator.offers.offers import Offer, offers
from controller.operator.roles import Right
from tests.support.running.jackpot_table import BAD_BEAT, FLOOR, JackpotTable


def offered(table: JackpotTable) -> dict[str, Offer]:
    found = offers(table.engine, keys_cards=True)
    return {offer.id: offer for offer in found if offer.right is Right.JACKPOT}


def take(table: JackpotTable, offer: Offer, **keyed: Any) -> list[ev.Event]:
    """Send an offer with its asks filled in."""
    body = {
        **offer.body,
        **{ask.field: keyed.get(ask.field, "seen on video") for ask in offer.asks if "." not in ask.field},
    }
    nested = [ask.field.partition(".") for ask in offer.asks if "." in ask.field]
    for first, _, rest in nested:
        body.setdefault(first, {})[rest] = keyed.get(f"{first}.{rest}", [1])
    return table.do(decode_body(body), by=FLOOR)


def test_a_hit_is_offered_for_each_prize_once_a_fee_was_taken() -> None:
    table = JackpotTable(BAD_BEAT)
    assert not any(name.startswith("jackpot_hit") for name in offered(table))
    table.play()
    hit = offered(table)["jackpot_hit:bad-beat:natural"]
    assert [ask.field for ask in hit.asks] == ["round", "hand", "seats.winner", "seats.table", "reason"]
    events = take(table, hit, round=1)
    assert [type(event) for event in events] == [ev.JackpotWasHit, ev.JackpotPaid, ev.JackpotReseeded]
    assert "jackpot_hit:bad-beat:natural" not in offered(table)


def test_a_meter_is_added_to_and_taken_from() -> None:
    table = JackpotTable(BAD_BEAT)
    table.play()
    (added,) = take(table, offered(table)["jackpot_add:bad-beat"], pool="main", add=500)
    (taken,) = take(table, offered(table)["jackpot_take:bad-beat"], pool="reserve", take=40)
    assert isinstance(added, ev.JackpotAdjusted) and added.after == 100_660
    assert isinstance(taken, ev.JackpotAdjusted) and (taken.pool, taken.after) == ("reserve", 0)


def test_the_fee_of_a_void_round_is_offered_both_ways() -> None:
    table = JackpotTable(BAD_BEAT)
    table.bet()
    table.do(FloorAct("void", "fouled deck"), by=FLOOR)
    assert {"jackpot_fee:1:kept", "jackpot_fee:1:back"} <= offered(table).keys()
    take(table, offered(table)["jackpot_fee:1:kept"])
    assert table.contributed() == [(1, "void_fee_kept", 200)]
    assert not {"jackpot_fee:1:kept", "jackpot_fee:1:back"} & offered(table).keys()


def test_every_event_and_statement_has_its_sentence() -> None:
    table = JackpotTable(BAD_BEAT)
    table.play()
    table.hit()
    table.bet()
    table.do(FloorAct("void", "fouled deck"), by=FLOOR)
    take(table, offered(table)["jackpot_fee:2:back"])
    take(table, offered(table)["jackpot_add:bad-beat"], pool="main", add=500)
    events = [event for event in table.events if type(event).__name__.startswith("Jackpot")]
    text = "\n".join(line for event in events for line in Words().of_event(event, {}))
    for words in (
        "Jackpot Bad Beat begins with $1,000.00; rules: house",
        "$2.00 to the jackpot bad-beat: $1,000.00 -> $1,001.60, reserve $0.00 -> $0.40",
        "JACKPOT HIT bad-beat, natural, round 1: 9h Tc; winner seat 1, table seats 2, 8",
        "pays $1,001.00 (winner seat 1 $751.00 each, table seats 2, 8 $125.00 each)",
        "is set aside for the floor",
        "given back by",
        "adjusted by",
    ):
        assert words in text, words
    assert of_input(decode_body({"kind": "jackpot_adjust", "jackpot": "x", "add": 100, "reason": "r"})) == (
        "$1.00 added to the jackpot x: r"
    )
