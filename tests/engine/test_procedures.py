"""Procedures beside the rounds: burns, absence, hands of one player, buy-ins, the cut (docs/table/procedures.md)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from controller.engine import events as ev
from controller.engine.expect.bot import answer
from controller.engine.expect.expectation import cards_allowed, prompt
from controller.engine.expect.wants import WantCard, WantShoe
from controller.engine.inputs import (
    Act,
    Amended,
    AnyBody,
    BetsClosed,
    BuyIn,
    CardOut,
    Change,
    ClockSeen,
    DealerSigned,
    FloorAct,
    Happening,
    Input,
    PackReported,
    PersonNamed,
    ShoeStarted,
    StackOut,
    TableSet,
    TimePassed,
    WagerPlaced,
    decode_body,
)
from controller.engine.procedures.conduct import MINUTE
from controller.engine.reading import Unreadable
from controller.engine.round.setup import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.evidence.words import Words
from controller.operator.offers.offers import offers
from controller.operator.roles import Right
from controller.rules import all_rulesets, load, resolve
from tests.engine.test_bot import Pack

C21, EZ, TILES = "village-21st-century-blackjack", "bankers-ez-baccarat-panda-8", "calgrand-pai-gow-tiles"
THREE, CHINESE = "turlock-three-card-holdem", "village-chinese-poker"
TWENTY = ("Tc", "Th", "9s", "Td", "Ts", "9d")
"""Two players have twenty, the player-dealer eighteen."""


class At:
    """A table of a ruleset, with seats 2 and 3 and seat 1 as player-dealer."""

    def __init__(self, slug: str = C21, options: Mapping[str, Any] | None = None, setup: Setup | None = None) -> None:
        rules, chosen = load(slug), dict(options or {})
        self.now = 0
        state = TableState(setup or Setup((2, 3), 1, 2), slug, chosen)
        procedures = rules.procedures(chosen)
        self.engine: TableEngine[Any] = TableEngine(
            rules.game, rules.options(chosen), state, slug, resolve, procedures=procedures
        )
        if rules.game.uses_shoe:
            self.feed(ShoeStarted())

    def feed(self, *bodies: AnyBody, by: str = "dealer", minutes: int = 0) -> list[ev.Event]:
        caused: list[ev.Event] = []
        for body in bodies:
            self.now += minutes * MINUTE + 1
            caused += self.engine.apply(Input(self.now, by, body))
        return caused

    def refusal(self, body: AnyBody) -> str | None:
        return next((event.why for event in self.feed(body) if isinstance(event, ev.Refused)), None)

    def hand(self) -> list[ev.Event]:
        self.feed(WagerPlaced(2, "main", 1000), WagerPlaced(3, "main", 1000), BetsClosed())
        self.feed(*(CardOut(code) for code in TWENTY))
        return self.feed(Act(2, "stand"), Act(3, "stand"))

    @property
    def offered(self) -> dict[str, Any]:
        return {offer.id: offer for offer in offers(self.engine, keys_cards=False)}

    @property
    def want(self) -> object:
        return self.engine.expectation.wants[0]


def kinds(events: list[ev.Event]) -> list[str]:
    return [str(type(event).__struct_config__.tag) for event in events]


# The player-dealer's burn


def test_the_player_dealer_has_one_card_burned_in_a_shoe() -> None:
    table = At()
    assert table.feed(Act(1, "burn"))[-1] == ev.Decided(1, "burn")
    assert isinstance(table.want, WantCard) and table.want.to == "burn" and cards_allowed(table.engine.expectation) == 1
    assert table.feed(CardOut("5s"))[-1] == ev.CardBurned()
    assert table.refusal(Act(1, "burn")) == "burn_used"
    assert "round_settled" in kinds(table.hand())
    assert table.engine.state.shoe is not None and table.engine.state.shoe.drawn == 7
    assert table.refusal(Act(1, "burn")) == "burn_used"
    table.feed(FloorAct("void"), ShoeStarted())
    assert table.refusal(Act(1, "burn")) is None


def test_the_burn_is_before_the_deal_only_and_nobody_suggests_it() -> None:
    table = At()
    assert prompt(table.engine.expectation) == "Place your bets"
    offer = table.offered["1:burn"]
    assert (offer.group, offer.right) == ("table", Right.DEAL)
    table.feed(WagerPlaced(2, "main", 1000), BetsClosed())
    assert table.refusal(Act(1, "burn")) is None
    table.feed(CardOut(None))
    assert isinstance(table.want, WantCard) and table.want.to == "2"
    table = At()
    table.feed(WagerPlaced(2, "main", 1000), BetsClosed(), CardOut("Tc"))
    assert table.refusal(Act(1, "burn")) is not None
    assert "1:burn" not in table.offered


def test_a_void_round_has_used_the_burn_all_the_same() -> None:
    table = At()
    table.feed(Act(1, "burn"), CardOut("5s"), FloorAct("void"))
    assert table.refusal(Act(1, "burn")) == "burn_used"


def test_games_without_that_line_have_no_such_burn() -> None:
    table = At("village-no-bust-blackjack-4-0")
    assert table.refusal(Act(1, "burn")) is not None


# Burns between hands


def test_a_dead_spread_shuffles_burns_six_and_ends_with_the_next_hand() -> None:
    table = At()
    assert kinds(table.feed(Happening("dead_spread"))) == ["dead_spread", "shoe_ended"]
    assert isinstance(table.want, WantShoe)
    assert table.refusal(Happening("dead_spread")) == "dead_spread_already"
    assert ev.BurnDue("dead_spread", 6) in table.feed(ShoeStarted())
    assert prompt(table.engine.expectation) == "Burn a card, 1 of 6: dead spread"
    assert table.refusal(WagerPlaced(2, "main", 1000)) == "not_expected"
    for code in ("5s", None, "6s", "7s", "8s"):
        assert table.feed(CardOut(code)) == [ev.CardBurned()]
    assert table.feed(StackOut(("9s",))) == [ev.CardBurned(), ev.DeadSpread("spread")]
    shoe = table.engine.state.shoe
    assert shoe is not None and shoe.drawn == 6 and shoe.out["5s"] == 1 and shoe.watch.seen == "." * 6
    assert ev.DeadSpread("over") in table.feed(WagerPlaced(2, "main", 1000))
    assert table.refusal(Happening("dead_spread")) == "round_running"


def test_a_card_torn_from_a_locked_shoe_is_no_burn() -> None:
    table = At()
    table.feed(Happening("dead_spread"), ShoeStarted())
    assert kinds(table.feed(CardOut("5s", locked=True))) == ["irregularity"]


@pytest.mark.parametrize("relieves", [Happening("dealer_relief"), DealerSigned("bob")])
def test_a_house_may_burn_a_card_when_another_dealer_takes_over(relieves: AnyBody) -> None:
    table = At(options={"procedure_relief_burn": 1})
    table.feed(DealerSigned("ann"))
    assert ev.BurnDue("dealer_relief", 1) in table.feed(relieves)
    assert "burn_due" not in kinds(table.feed(Happening("dealer_relief")))
    table.feed(CardOut("5s"))
    assert "burn_due" not in kinds(table.feed(Happening("dealer_relief")))
    table.hand()
    assert "burn_due" in kinds(table.feed(Happening("dealer_relief")))


def test_a_relief_in_mid_hand_burns_after_it() -> None:
    table = At(options={"procedure_relief_burn": 2})
    table.feed(WagerPlaced(2, "main", 1000), Happening("dealer_relief"), FloorAct("void"))
    assert prompt(table.engine.expectation) == "Burn a card, 1 of 2: dealer relief"


def test_without_the_option_a_relief_is_an_event_and_nothing_else() -> None:
    table = At()
    before = table.engine.state
    assert table.feed(Happening("dealer_relief")) == [ev.DealerRelieved("dealer")]
    assert table.engine.state == before


def test_a_correction_of_the_last_hand_keeps_what_was_burned_after_it() -> None:
    table = At(options={"procedure_relief_burn": 1})
    table.hand()
    table.feed(Happening("dealer_relief"), CardOut("5s"))
    changes = (Change(3, {"kind": "card_out", "card": "Qc"}),)
    assert "corrected" in kinds(table.feed(Amended(1, changes, "misread"), by="floor"))
    shoe = table.engine.state.shoe
    assert shoe is not None and (shoe.drawn, shoe.out["5s"], shoe.out["Qc"], shoe.out.get("Tc")) == (7, 1, 1, None)


# The shuffling machine, and the cut


def test_where_the_dealer_shuffles_the_hand_goes_on() -> None:
    table = At(EZ, {"procedure_shuffler_failure": "dealer_shuffles"})
    table.feed(WagerPlaced(2, "player_line", 1000))
    assert table.feed(Happening("shuffler_failure")) == [ev.ShufflerFailed("dealer_shuffles", "dealer")]
    assert table.engine.is_dealing and table.engine.round is not None and table.engine.round.held is None


def test_a_pack_of_a_machine_that_does_not_work_is_not_dealt() -> None:
    table = At("bankers-mexican-poker-salinas", setup=Setup((1, 2, 3), button=1, shuffle_control=True))
    table.feed(PackReported(device="shuffler"), by="device:shuffler")
    assert "pack_unfit" in kinds(table.feed(Happening("shuffler_failure")))
    assert prompt(table.engine.expectation).startswith("Shuffle and count the pack")


def test_a_house_may_have_the_cards_shuffled_again() -> None:
    table = At(EZ, {"procedure_shuffler_failure": "reshuffle"})
    table.feed(WagerPlaced(2, "player_line", 1000), Happening("shuffler_failure"), BetsClosed())
    assert "shoe_ended" in kinds(table.feed(*(CardOut(card) for card in ("9h", "Kd", "Tc", "7s"))))
    assert isinstance(table.want, WantShoe)


def test_where_the_text_voids_the_round_the_games_own_ruling_decides() -> None:
    table = At(THREE, setup=Setup((1, 2), 7))
    table.feed(WagerPlaced(1, "ante", 1000))
    assert kinds(table.feed(Happening("shuffler_failure")))[-1] == "round_voided"


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ({}, None),
        ({"count": 10}, None),
        ({"from_top": 9}, "cut_too_near_the_end"),
        ({"from_bottom": 10}, None),
        ({"from_bottom": 9}, "cut_too_near_the_end"),
        ({"count": 43}, "cut_too_near_the_end"),
    ],
)
def test_a_cut_leaves_ten_cards_above_and_below(facts: dict[str, int], why: str | None) -> None:
    assert At(THREE, setup=Setup((1, 2), 7)).refusal(Happening("deck_cut", facts=facts)) == why


def test_the_deck_is_cut_before_its_first_card() -> None:
    table = At(THREE, setup=Setup((1, 2), 7))
    table.feed(WagerPlaced(1, "ante", 1000), WagerPlaced(2, "ante", 1000), BetsClosed())
    assert table.refusal(Happening("deck_cut")) is None
    table.feed(CardOut("Tc"))
    assert table.refusal(Happening("deck_cut")) == "cards_are_out"


# Hands of one player


def test_a_fourth_hand_needs_approval() -> None:
    table = At(options={"further_spots": "own_hands"})
    for place in (2, "2.2", "2.3"):
        assert table.refusal(WagerPlaced(place, "main", 1000)) is None
    assert table.refusal(WagerPlaced("2.4", "main", 1000)) == "too_many_hands"
    assert table.refusal(WagerPlaced("2.3", "main", 2000)) is None
    assert table.refusal(WagerPlaced(3, "main", 1000)) is None
    assert table.feed(FloorAct("approve_hands", "yes", 2), by="floor")[0] == ev.HandsAllowed(2, None, "floor", "yes")
    assert table.refusal(WagerPlaced("2.4", "main", 1000)) is None


def test_bets_behind_a_hand_are_no_hands() -> None:
    table = At()
    for place in (2, "2.2", "2.3", "2.4", "2.5"):
        assert table.refusal(WagerPlaced(place, "main", 1000)) is None


def test_one_person_at_several_seats_is_one_player() -> None:
    table = At(setup=Setup((2, 3, 4, 5), 1))
    table.feed(*(PersonNamed(seat, "Ann") for seat in (2, 3, 4, 5)))
    for seat in (2, 3, 4):
        assert table.refusal(WagerPlaced(seat, "main", 1000)) is None
    assert table.refusal(WagerPlaced(5, "main", 1000)) == "too_many_hands"


def test_on_a_full_table_two_hands_are_given_up_before_the_deal() -> None:
    table = At(options={"further_spots": "own_hands"})
    table.feed(*(WagerPlaced(place, "main", 1000) for place in (2, "2.2", "2.3")))
    given_up = table.feed(FloorAct("give_up_hands", "no other seat", 2), by="floor")
    assert given_up == [
        ev.HandsAllowed(2, 1, "floor", "no other seat", ("2.3", "2.2")),
        ev.WagerSet("2.3", "main", 0),
        ev.WagerSet("2.2", "main", 0),
    ]
    assert table.refusal(WagerPlaced("2.2", "main", 1000)) == "too_many_hands"
    table.feed(BetsClosed())
    assert table.refusal(FloorAct("give_up_hands", "", 2)) == "bets_closed"


def test_what_was_decided_about_a_player_ends_when_another_sits_there() -> None:
    table = At()
    table.feed(FloorAct("give_up_hands", "", 2), FloorAct("give_up_hands", "", 3), by="floor")
    table.feed(PersonNamed(2, another=True), TableSet((2,)))
    assert table.engine.state.conduct.hands == {}


# Absence


def away_at(slug: str = TILES, options: Mapping[str, Any] | None = None) -> At:
    table = At(slug, options, Setup((2, 3, 4), 1))
    table.feed(Happening("player_away", 3))
    return table


def test_after_thirty_minutes_the_floor_may_take_the_seat() -> None:
    table = away_at()
    assert table.engine.next_look() == 1 + 30 * MINUTE + 1
    assert table.refusal(FloorAct("forfeit_seat", "", 3)) == "time_not_over"
    assert table.feed(TimePassed(), minutes=29) == []
    assert table.feed(TimePassed(), minutes=1) == [ev.AwayTimeOver(3, 30)]
    assert table.feed(TimePassed(), minutes=5) == [] and table.engine.next_look() is None
    taken = table.feed(FloorAct("forfeit_seat", "half an hour", 3), by="floor:ann")
    assert taken == [ev.SeatForfeited(3, 35, "floor:ann", "half an hour"), ev.TableSetTo((2, 4), 1)]
    assert table.engine.state.conduct.away == {}


def test_who_is_back_in_time_keeps_his_seat() -> None:
    table = away_at()
    assert table.feed(Happening("player_back", 3), minutes=20) == [ev.PlayerBack(3, 20)]
    assert table.refusal(FloorAct("forfeit_seat", "", 3)) == "not_away"
    assert table.refusal(Happening("player_back", 3)) == "not_away"


def test_the_house_may_change_the_time() -> None:
    table = away_at(options={"procedure_away_minutes": 10})
    assert table.feed(TimePassed(), minutes=11) == [ev.AwayTimeOver(3, 10)]


def test_a_clock_that_is_set_does_not_shorten_the_time() -> None:
    table = away_at()
    before = table.now
    table.now += 60 * MINUTE
    table.feed(ClockSeen("stepped", before))
    assert table.feed(TimePassed(), minutes=29) == []
    assert table.feed(TimePassed(), minutes=2) == [ev.AwayTimeOver(3, 30)]


def test_a_player_dealer_who_is_away_too_long_loses_the_position_too() -> None:
    table = At(TILES, setup=Setup((2, 3), 1))
    table.feed(Happening("player_away", 1))
    table.feed(TimePassed(), minutes=31)
    assert table.feed(FloorAct("forfeit_seat", "", 1))[-1] == ev.TableSetTo((2, 3), None)


def test_a_seat_is_not_taken_in_mid_hand() -> None:
    table = away_at("calgrand-pai-gow-poker")
    table.feed(TimePassed(), minutes=31)
    table.feed(WagerPlaced(2, "main", 1000))
    assert table.refusal(FloorAct("forfeit_seat", "", 3)) == "round_running"


def test_a_table_whose_text_has_no_time_takes_no_absence() -> None:
    table = At("bankers-pai-gow-tiles", setup=Setup((2, 3), 1))
    assert "player_away" not in kinds(table.feed(Happening("player_away", 2)))


# Buy-ins


def test_a_buy_in_is_twenty_points_and_one_short_re_buy_ten() -> None:
    table = At(CHINESE, {"point": 1000}, Setup((1, 2), button=1))
    assert table.refusal(BuyIn(1, 19_900)) == "below_buy_in"
    assert table.feed(BuyIn(1, 20_000)) == [ev.BoughtIn(1, 20_000, "full", 20_000)]
    assert table.refusal(BuyIn(1, 9_900)) == "below_short_rebuy"
    assert table.feed(BuyIn(1, 10_000)) == [ev.BoughtIn(1, 10_000, "short", 30_000)]
    assert table.refusal(BuyIn(1, 10_000)) == "short_rebuy_used"
    assert table.refusal(BuyIn(3, 20_000)) == "no_such_seat"


def test_another_player_at_the_seat_buys_in_anew() -> None:
    table = At(CHINESE, setup=Setup((1, 2), button=1))
    table.feed(BuyIn(1, 10_000), BuyIn(1, 5_000), PersonNamed(1, another=True), TableSet(settings={"stacks": None}))
    assert table.refusal(BuyIn(1, 5_000)) == "below_buy_in"


def test_no_chips_are_added_during_a_hand() -> None:
    table = At(CHINESE, setup=Setup((1, 2), button=1))
    table.feed(CardOut("Tc"))
    assert table.refusal(BuyIn(1, 10_000)) == "hand_running"


def test_a_game_without_a_printed_buy_in_takes_any_chips_and_a_banked_game_none() -> None:
    assert At("bankers-texas-holdem", setup=Setup((1, 2), button=1)).refusal(BuyIn(1, 100)) is None
    assert At(C21).refusal(BuyIn(2, 100)) == "no_stacks"


SHORT = Setup((1, 2), button=1, settings={"stacks": {"1": 4400, "2": 10_000}})
"""Seat 1 has eight points of $5 and a bit."""


def test_players_enforce_the_nine_points_before_the_first_card() -> None:
    table = At(CHINESE, setup=SHORT)
    assert table.refusal(Happening("short_stack", 2)) == "enough_points"
    table.feed(FloorAct("void"))
    assert table.feed(Happening("short_stack", 1))[-1].ruling == "short_stack"  # type: ignore[attr-defined]
    table.feed(CardOut("Tc"))
    assert table.refusal(Happening("short_stack", 1)) == "cards_are_out"


def test_a_house_may_let_the_table_enforce_them() -> None:
    table = At(CHINESE, {"least_points_enforced": "table"}, SHORT)
    assert "seat 1 must have 9 points, $45" in prompt(table.engine.expectation)
    table.feed(BuyIn(1, 5_000))
    assert isinstance(table.want, WantCard)


# Every table


def test_what_may_be_done_is_in_the_expectation_and_offered() -> None:
    table = At()
    beside = table.engine.expectation.at_any_time
    assert {"dealer_relief", "dead_spread", "approve_hands", "give_up_hands"} == set(beside.procedures)
    assert set(beside.procedures) <= {offer.removeprefix("floor:") for offer in table.offered}
    assert beside.admits(Happening("dead_spread")) and beside.admits(FloorAct("approve_hands", "", 2))
    assert table.offered["floor:approve_hands"].right is Right.HOLD
    table = away_at()
    assert {"player_away", "player_back"} <= set(table.offered) and "floor:forfeit_seat" not in table.offered
    table.feed(TimePassed(), minutes=31)
    assert [pick.value for pick in table.offered["floor:forfeit_seat"].asks[0].picks] == [3]
    assert "buy_in" in At(CHINESE, setup=Setup((1, 2), button=1)).offered and "buy_in" not in table.offered


def test_a_restart_finds_the_procedures_as_they_were() -> None:
    table = away_at()
    table.feed(TimePassed(), minutes=31)
    for of in (table, _with_burn_due(), _with_chips()):
        state = of.engine.state
        assert msgspec.json.decode(msgspec.json.encode(state), type=TableState) == state


def _with_burn_due() -> At:
    table = At(options={"procedure_relief_burn": 2})
    table.feed(Happening("dealer_relief"), CardOut("5s"), FloorAct("give_up_hands", "", 2))
    return table


def _with_chips() -> At:
    table = At(CHINESE, setup=Setup((1, 2), button=1))
    table.feed(BuyIn(1, 10_000), BuyIn(1, 5_000))
    return table


def test_every_event_has_its_sentence() -> None:
    happened = [
        ev.BurnDue("dead_spread", 6),
        ev.DeadSpread("shuffling"),
        ev.DeadSpread("spread"),
        ev.DeadSpread("over"),
        ev.DealerRelieved("dealer"),
        ev.ShufflerFailed("reshuffle", "dealer"),
        ev.ShufflerFailed("dealer_shuffles", "dealer"),
        ev.DeckCut("dealer", 12),
        ev.PlayerAway(3, 30),
        ev.PlayerBack(3, 12),
        ev.AwayTimeOver(3, 30),
        ev.SeatForfeited(3, 31, "floor:ann", "gone home"),
        ev.HandsAllowed(3, None, "floor:ann"),
        ev.HandsAllowed(3, 1, "floor:ann", "", ("3.2",)),
        ev.BoughtIn(3, 10_000, "short", 20_000),
    ]
    lines = [line for event in happened for line in Words().of_event(event, {})]
    assert len(lines) == len(set(lines)) == len(happened)
    assert not [line for line in lines if "_" in line]


def test_the_field_of_a_buy_in_is_bounded() -> None:
    for seat, cents in ((0, 1), (15, 1), (1, -1), (1, 10**13)):
        with pytest.raises(Unreadable):
            decode_body({"kind": "buy_in", "seat": seat, "cents": cents})


@pytest.mark.parametrize("slug", [slug for slug, ruleset in all_rulesets().items() if ruleset.game.uses_shoe])
def test_options_of_every_house_change_nothing_by_default(slug: str) -> None:
    ruleset = load(slug)
    procedures = ruleset.procedures()
    assert procedures.relief_burn == 0
    assert ruleset.procedures({"procedure_relief_burn": 1}).relief_burn == 1


def test_the_bot_plays_shoe_after_shoe_with_burns() -> None:
    rng, table = random.Random(5), At(options={"procedure_relief_burn": 1})
    pack, burned = Pack(table.engine.game.deck(table.engine.options), rng, 0), 0
    for _ in range(2000):
        shoe = table.engine.state.shoe
        if shoe is not None and shoe.drawn > 300 and not table.engine.is_dealing:
            pack.shuffle()
            table.feed(ShoeStarted())
        if rng.randrange(50) == 0:
            table.feed(Happening("dealer_relief"))
        caused = table.feed(answer(table.engine.expectation, rng, pack.next_card, name_card=pack.name_card))
        assert "refused" not in kinds(caused), caused
        burned += kinds(caused).count("card_burned")
    assert burned > 10
