"""Fees at a table: what waits for the drop, what is waived, kept, carried and given back, and what the state keeps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec
import pytest
from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.expect.choices import WantDecision
from controller.engine.expect.expectation import cards_allowed, prompt
from controller.engine.expect.wants import WantCard, WantDrop
from controller.engine.fees.carried import Carried
from controller.engine.fees.clock import MINUTE
from controller.engine.inputs import (
    Act,
    Amended,
    AnyBody,
    BetsClosed,
    CardOut,
    Change,
    DifferenceFound,
    FeesIn,
    FloorAct,
    Input,
    SensorSeen,
    ShoeStarted,
    TableSet,
    WagerPlaced,
)
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.operator.offers.offers import offers
from controller.rules import load
from tests.support.games.fee_lines import due, less

EventT = TypeVar("EventT", bound=ev.Event)
BACCARAT, HOLDEM = "bankers-ez-baccarat-panda-8", "bankers-texas-holdem"
DROPPED = SensorSeen("boxes.collection", "collection", "dropped", 1)


class At:
    """One table with a posted schedule."""

    def __init__(
        self, ruleset: str, schedule: Any, setup: Setup, carried: Carried | None = None, **readings: Any
    ) -> None:
        rules = load(ruleset)
        options: Any = rules.options({"schedule": schedule})
        if readings:
            options = replace(options, schedule=replace(options.schedule, **readings))
        state = TableState(setup, fees_carried=carried or Carried())
        self.engine = TableEngine(rules.game, options, state, ruleset)
        self.events: list[ev.Event] = []
        self.now = 0
        if rules.game.uses_shoe:
            self.do(ShoeStarted())

    def do(self, *bodies: AnyBody) -> list[ev.Event]:
        came = [event for body in bodies for event in self.engine.apply(Input(self.now, "test", body))]
        self.events += came
        return came

    def cards(self, *codes: str) -> list[ev.Event]:
        return self.do(*(CardOut(code) for code in codes))

    def all(self, kind: type[EventT]) -> list[EventT]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def prompt(self) -> str:
        return prompt(self.engine.expectation)


def baccarat(*, awaits_drop: bool = False, **readings: Any) -> At:
    setup = Setup(seats=(1, 2, 3), player_dealer=8, bank=(1_000_000,), awaits_drop=awaits_drop)
    return At(BACCARAT, "ca-2/ez-baccarat/1", setup, **readings)


BET = (WagerPlaced(1, "player_line", 10000), WagerPlaced(2, "banker_line", 10100), BetsClosed())
"""$201 of action: the player-dealer owes $2."""
NATURAL = ("9h", "Kd", "Tc", "7s")


def test_a_fee_is_published_with_schedule_row_payer_amount_box_and_moment() -> None:
    table = baccarat()
    table.do(*BET)
    assert due(table.events) == [
        ev.FeeChanged(
            "collection",
            200,
            "due",
            0,
            200,
            payer="player_dealer",
            fee="ca-2/ez-baccarat/1",
            row=2,
            moment="before_deal",
        )
    ]
    table.cards(*NATURAL)
    (settled,) = table.all(ev.RoundSettled)
    assert settled.fees == {"collection": 200}
    assert table.engine.state.fees_due == {"collection": 200}


# The order


def test_the_cards_wait_until_the_sensor_counts_a_drop() -> None:
    table = baccarat(awaits_drop=True)
    table.do(*BET)
    assert table.prompt == "Drop $2 into the collection box before the first card"
    assert cards_allowed(table.engine.expectation) == 0
    table.do(SensorSeen("boxes.collection", "collection", "weighed"))
    assert "Drop $2" in table.prompt
    table.do(DROPPED)
    assert table.all(ev.FeesDropped) == [ev.FeesDropped({"collection": 200}, "sensor")]
    assert cards_allowed(table.engine.expectation) == 1


def test_the_dealer_says_so_where_no_sensor_does() -> None:
    table = baccarat(awaits_drop=True)
    assert [event.why for event in table.do(FeesIn()) if isinstance(event, ev.Refused)] == ["not_expected"]
    table.do(*BET, FeesIn())
    assert table.all(ev.FeesDropped) == [ev.FeesDropped({"collection": 200}, "dealer")]
    table.cards(*NATURAL)
    assert table.all(ev.RoundSettled)


@pytest.mark.parametrize("locked", [False, True], ids=["a shoe without a lock", "a locked shoe"])
def test_a_card_before_the_drop_holds_the_table_and_the_floor_sees_why(locked: bool) -> None:
    table = baccarat(awaits_drop=True)
    table.do(*BET, CardOut("9h", locked=locked))
    (irregularity,) = table.all(ev.Irregularity)
    assert irregularity.code == "card_before_fees"
    assert "before the fees were in the box" in table.prompt
    table.do(DROPPED)
    assert "Held" in table.prompt
    table.do(FloorAct("use_next", "it is the first card of the hand"))
    table.cards(*NATURAL[1:])
    (settled,) = table.all(ev.RoundSettled)
    assert list(settled.hands["player"]) == ["9h", "Tc"]


def test_a_hand_that_owes_nothing_waits_for_nothing() -> None:
    table = baccarat(awaits_drop=True)
    table.do(BetsClosed())
    assert not any(isinstance(want, WantDrop) for want in table.engine.expectation.wants)


def test_a_correction_runs_the_drop_again() -> None:
    table = baccarat(awaits_drop=True)
    table.do(*BET, DROPPED)
    table.cards(*NATURAL)
    change = Change(1, msgspec.to_builtins(WagerPlaced(2, "banker_line", 50000)))
    (corrected,) = (e for e in table.do(Amended(1, (change,), "misheard")) if isinstance(e, ev.Corrected))
    assert corrected.changes["fees"] == [{"collection": 200}, {"collection": 500}]
    assert table.engine.state.fees_due == {"collection": 500}
    assert table.engine.state.dropped == {"collection": 1}


# Waived


@pytest.mark.clause("CA-PC-337j", "25CFR-543.16")
def test_the_floor_waives_the_fees_of_a_hand_before_the_first_card() -> None:
    table = baccarat(awaits_drop=True, waiver="before_first_card")
    table.do(*BET)
    table.do(FloorAct("waive", "slow night"))
    assert table.all(ev.FeesWaived) == [ev.FeesWaived("slow night", 200)]
    (off,) = less(table.events)
    assert (off.payer, off.cents, off.cause) == ("player_dealer", -200, "waived")
    assert cards_allowed(table.engine.expectation) == 1
    table.cards(*NATURAL)
    assert table.engine.state.fees_due == {}


def test_the_floor_is_offered_to_waive_while_the_posted_schedule_lets_it() -> None:
    table = baccarat(waiver="before_first_card")

    def is_offered() -> bool:
        return "floor:waive" in [offer.id for offer in offers(table.engine, keys_cards=True)]

    table.do(*BET)
    assert is_offered()
    table.do(FloorAct("hold", "a dispute"))
    assert is_offered()
    table.do(FloorAct("waive", "settled so"))
    assert not is_offered()


def test_the_floor_may_waive_while_it_holds_the_table() -> None:
    table = baccarat(awaits_drop=True, waiver="before_first_card")
    table.do(*BET, FloorAct("hold", "a dispute"), FloorAct("waive", "settled so"))
    assert "Held" in table.prompt
    table.do(FloorAct("resume"))
    assert cards_allowed(table.engine.expectation) == 1


def test_fees_waived_before_betting_closes_are_never_owed() -> None:
    table = baccarat(waiver="before_first_card")
    table.do(*BET[:2], FloorAct("waive", "slow night"), BET[2])
    assert sum(fee.cents for fee in due(table.events)) == -sum(off.cents for off in less(table.events)) == 200


@pytest.mark.clause("CA-PC-337j")
def test_a_waiver_too_late_or_without_a_rule_is_refused() -> None:
    table = baccarat(waiver="before_first_card")
    table.do(*BET, CardOut("9h"), FloorAct("waive", "too late"))
    assert [refused.why for refused in table.all(ev.Refused)] == ["too_late_to_waive"]
    table = baccarat()
    table.do(*BET, FloorAct("waive", "no rule"))
    assert [refused.why for refused in table.all(ev.Refused)] == ["no_waiver"]
    assert not less(table.events)


# Void hands


def test_a_fee_that_stays_in_the_box_counts_for_the_re_deal() -> None:
    table = baccarat()  # Banker's: R7
    table.do(*BET, CardOut("9h"), FloorAct("void", "jam"))
    (void,) = table.all(ev.RoundVoided)
    assert (void.fees, void.kept) == ("kept", {"collection": 200})
    assert table.engine.state.fees_due == {"collection": 200}
    table.do(*BET)
    (off,) = less(table.events)
    assert (off.cents, off.cause) == (-200, "paid_for_void_round")
    table.cards(*NATURAL)
    assert table.engine.state.fees_due == {"collection": 200}
    table.do(*BET)
    assert len(less(table.events)) == 1


def test_a_re_deal_that_is_void_too_leaves_the_fee_paid() -> None:
    table = baccarat()
    for _ in range(3):
        table.do(*BET, FloorAct("void", "jam"))
    table.do(*BET)
    table.cards(*NATURAL)
    assert table.engine.state.fees_due == {"collection": 200}
    table.do(*BET)
    table.cards("9d", "Kc", "Td", "7h")
    assert table.engine.state.fees_due == {"collection": 400}


def test_a_re_deal_for_more_money_pays_the_difference() -> None:
    table = baccarat()
    table.do(*BET, FloorAct("void", "jam"))
    table.do(WagerPlaced(1, "player_line", 50000), WagerPlaced(2, "banker_line", 10100), BetsClosed())
    table.cards(*NATURAL)
    assert table.engine.state.fees_due == {"collection": 500}


def test_a_room_that_returns_the_fee_of_a_void_hand_owes_nothing_for_it() -> None:
    table = baccarat(on_void="returned")
    table.do(*BET, CardOut("9h"), FloorAct("void", "jam"))
    assert [(off.cents, off.cause) for off in less(table.events)] == [(-200, "round_void")]
    assert table.engine.state.fees_due == {}


# Free collection buttons


def test_the_holder_of_a_free_collection_button_pays_no_fee() -> None:
    setup = Setup(seats=(1, 2), player_dealer=8, bank=(1_000_000,))
    table = At("bankers-pure-21-5-blackjack", "ca-1/pure-21-5/1", setup, carried=Carried(free=(2,)))
    table.do(WagerPlaced(1, "base", 5000), WagerPlaced(2, "base", 5000), BetsClosed())
    assert [(fee.place, fee.cents) for fee in due(table.events)] == [(None, 100), (1, 100), (2, 100)]
    assert [(off.place, off.cents, off.cause) for off in less(table.events)] == [(2, -100, "free_collection_button")]


def test_the_button_is_given_when_the_player_dealers_money_does_not_reach_a_wager() -> None:
    setup = Setup(seats=(1, 2, 3), player_dealer=8, bank=(10000,))
    table = At(BACCARAT, "ca-2/ez-baccarat/1", setup, no_action="free_collection_button")
    table.do(WagerPlaced(1, "player_line", 10000), WagerPlaced(2, "player_line", 10000), BetsClosed())
    table.cards(*NATURAL)
    assert table.all(ev.FreeCollection) == [ev.FreeCollection(2)]
    assert list(table.engine.state.fees_carried.free) == [2]
    table.do(WagerPlaced(1, "player_line", 10000), BetsClosed())
    table.cards("9d", "Kc", "Td", "7h")
    assert not table.engine.state.fees_carried.free


# Poker


def holdem(schedule: Any, *, seats: int = 7) -> At:
    numbers = tuple(range(1, seats + 1))
    structure = {"kind": "fixed_limit", "low": 500, "high": 1000}
    stacks = dict.fromkeys(numbers, 100_000)
    blinds = {1: 200, 2: 500}
    setup = Setup(numbers, button=seats, settings={"structure": structure, "blinds": blinds, "stacks": stacks})
    return At(HOLDEM, schedule, setup)


IN_ORDER = [f"{rank}{suit}" for suit in "shdc" for rank in "23456789TJQKA"]
DECK = [IN_ORDER[7 * place % 52] for place in range(52)]
"""Mixed, so that nobody's best hand is the board."""


def step(table: At, deck: Iterator[str], *prefers: str) -> None:
    """The next card, or the first of these acts that the seat may do."""
    want = table.engine.expectation.wants[-1]
    if isinstance(want, WantCard):
        table.cards(next(deck))
        return
    assert isinstance(want, WantDecision), prompt(table.engine.expectation)
    offered = {choice.do for choice in want.choices}
    table.do(Act(want.seat, next(do for do in prefers if do in offered)))


def play(table: At, *prefers: str) -> dict[str, Any]:
    """One hand to its end; without a preference everybody checks or calls."""
    deck = iter(DECK)
    while table.engine.last is None:
        step(table, deck, *prefers, "check", "call", "show")
    return table.engine.last.document


LIMIT_5_10 = ["poker-1/limit/13", "poker-1/limit/14"]


def test_a_hand_of_holdem_pays_player_and_jackpot_fee_after_the_flop() -> None:
    table = holdem(LIMIT_5_10)
    result = play(table)
    assert [(fee.payer, fee.cents, fee.box, fee.name) for fee in due(table.events)] == [
        ("pot", 300, "collection", "player"),
        ("pot", 100, "jackpot", "jackpot"),
    ]
    assert result["fees"]["pot"] == [
        {"kind": "player", "cents": 300, "due": "flop_to_award"},
        {"kind": "jackpot", "cents": 100, "due": "flop_to_award"},
    ]
    assert table.engine.state.fees_due == {"collection": 300, "jackpot": 100}
    # Net and pots are stated without fees; the money that really moves is stated beside them.
    (pot,) = result["pots"]
    assert pot["cents"] == sum(pot["to"].values()) == 3500
    assert sum(result["net"].values()) == 0
    assert result["more"]["collected"] == 400
    assert sum(result["more"]["awarded_after_fees"].values()) == 3100
    assert sum(result["more"]["net_after_fees"].values()) == -400


def test_the_option_for_the_number_of_players_dealt_in_is_the_one_that_counts() -> None:
    table = holdem(LIMIT_5_10, seats=5)
    play(table)
    assert [fee.cents for fee in due(table.events)] == [200, 100]


def test_a_hand_of_holdem_without_a_flop_pays_the_modified_fee() -> None:
    table = holdem(LIMIT_5_10)
    result = play(table, "fold")
    assert [(fee.cents, fee.moment) for fee in due(table.events)] == [(100, "no_flop")]
    assert result["more"]["takes"] == [{"at": "ended", "cents": 100, "still_due": 0}]


def test_the_floor_is_called_for_a_number_of_players_that_has_no_fee() -> None:
    table = holdem("poker-1/limit/13", seats=4)
    play(table)
    assert [event.code for event in table.all(ev.Irregularity)] == ["no_fee_posted"]
    assert not due(table.events)


def test_a_void_hand_of_poker_gives_back_what_was_set_aside() -> None:
    table = holdem(LIMIT_5_10)
    deck = iter(DECK)
    while not due(table.events):
        step(table, deck, "check", "call")
    table.do(FloorAct("void", "fouled deck"))
    assert [off.cents for off in less(table.events)] == [-300, -100]
    (void,) = table.all(ev.RoundVoided)
    assert (void.fees, sum(void.returned.values())) == ("returned", 3500)
    assert table.engine.state.fees_due == {}


def test_a_table_that_pays_by_time_owes_from_every_seat_when_the_half_hour_is_over() -> None:
    table = holdem("poker-2/holdem-omaha/139", seats=3)
    play(table)
    assert not due(table.events)
    table.now = 29 * MINUTE
    table.do(TableSet(button=1))
    assert not due(table.events)
    table.now = 30 * MINUTE
    events = table.do(TableSet(seats=(1, 2)))
    assert [(fee.place, fee.cents, fee.moment) for fee in due(events)] == [
        (1, 800, "per_30_minutes"),
        (2, 800, "per_30_minutes"),
        (3, 800, "per_30_minutes"),
    ]
    assert table.engine.state.time_fees_due == {"collection": 2400}
    table.now = 200 * MINUTE
    assert not due(table.do(TableSet(button=2)))


# A journal that does not come out the same


def test_what_the_ledger_had_more_than_the_state_after_a_difference_is_a_line_of_its_own() -> None:
    table = baccarat()
    table.do(*BET, *(CardOut(code) for code in NATURAL))
    state = msgspec.to_builtins(table.engine.state)
    table.do(DifferenceFound(7, "another event", False, state, {"collection": 500}))
    (line,) = less(table.events)
    assert (line.cause, line.before, line.after, table.engine.fees_owed) == ("not_known", 500, 200, {"collection": 200})
