"""The player-dealer's position: who may bank the next hand, as each approval prints it (docs/table/rotation.md)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.bank.rotation import Rotation
from controller.engine.expect.bank import WantBank
from controller.engine.expect.expectation import cards_allowed, prompt
from controller.engine.inputs import (
    Amended,
    AnyBody,
    BankAnswered,
    BetsClosed,
    CardOut,
    Change,
    FloorAct,
    Input,
    PersonNamed,
    Place,
    RulesChosen,
    ShoeStarted,
    TableClosed,
    TableOpened,
    TableSet,
    WagerPlaced,
    decode_body,
)
from controller.engine.reading import Unreadable
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.rules import all_rulesets, load, resolve

EZ = "bankers-ez-baccarat-panda-8"
LIMIT = Rotation("limit", "clockwise", 2, "person", "seated", "does_not_count")
OFFER, STOP = replace(LIMIT, kind="offer"), replace(LIMIT, kind="stop")
NATURAL = ("9h", "Kd", "Tc", "7s")


class At:
    """A baccarat table with seats 1 to 4 and seat 8 as player-dealer."""

    def __init__(self, rotation: Rotation, setup: Setup | None = None, slug: str = EZ) -> None:
        rules = load(slug)
        setup = setup or Setup((1, 2, 3, 4), 8, records_wagers=False)
        self.engine: TableEngine[Any] = TableEngine(
            rules.game, rules.options(), TableState(setup), slug, resolve, rotation=rotation
        )
        self.now = 0
        self.events: list[ev.Event] = []
        self.feed(ShoeStarted(8))

    def feed(self, *bodies: AnyBody, by: str = "dealer") -> list[ev.Event]:
        caused: list[ev.Event] = []
        for body in bodies:
            self.now += 1000
            caused += self.engine.apply(Input(self.now, by, body))
        self.events += caused
        return caused

    def hand(self, *bets: Place) -> list[ev.Event]:
        """One hand, with wagers of these places where they are recorded."""
        for place in bets:
            self.feed(WagerPlaced(place, "player_line", 1000))
        closed = self.feed(BetsClosed()) if self.engine.state.setup.records_wagers else []
        return [*closed, *self.feed(*(CardOut(card) for card in NATURAL))]

    def hands(self, count: int) -> None:
        for _ in range(count):
            assert any(type(event) is ev.RoundSettled for event in self.hand())

    @property
    def want(self) -> WantBank:
        (want,) = self.engine.expectation.wants
        assert type(want) is WantBank
        return want

    def offered(self) -> tuple[Place, ...]:
        """To whom the position is offered, in order."""
        return self.want.offered

    @property
    def is_waiting(self) -> bool:
        return any(type(want) is WantBank for want in self.engine.expectation.wants)

    @property
    def player_dealer(self) -> int | None:
        return self.engine.state.setup.player_dealer


def refusal(events: list[ev.Event]) -> str:
    (event,) = (event for event in events if type(event) is ev.Refused)
    return event.why


@pytest.mark.parametrize(("rotation", "why"), [(LIMIT, "third_hand"), (STOP, "third_hand"), (OFFER, "offer_due")])
@pytest.mark.clause("CA-PC-330.11")
def test_a_third_hand_is_refused_and_the_shoe_stays_locked(rotation: Rotation, why: str) -> None:
    table = At(rotation)
    table.hands(1)
    assert not table.is_waiting
    table.hands(1)
    offer = table.events[-1]
    assert offer == ev.BankOfferDue(8, 2, rotation.kind, (1, 2, 3, 4))
    assert cards_allowed(table.engine.expectation) == 0
    assert prompt(table.engine.expectation) == "Who banks next? Seat 8 has dealt 2 hands: offer it to seats 1, 2, 3, 4"
    assert refusal(table.feed(BetsClosed())) == why
    assert [type(event) for event in table.feed(CardOut("2h"))] == [ev.Irregularity]
    assert table.engine.round_number == 2


def test_several_decline_in_one_act_and_the_next_takes_it() -> None:
    table = At(LIMIT)
    table.hands(2)
    taken = table.feed(BankAnswered(3, (1, 2)))
    assert taken == [
        ev.BankDeclined((1, 2)),
        ev.BankTaken(3, "offered"),
        ev.TableSetTo((1, 2, 4, 8), 3),
    ]
    assert table.engine.bank.banker is not None
    assert (table.engine.bank.banker.place, table.engine.bank.banker.hand) == (3, 1)
    table.hands(1)
    assert table.engine.bank.banker.hand == 2
    table.hands(1)
    assert table.offered() == (4, 8, 1, 2)


@pytest.mark.clause("CA-PC-330.11")
def test_nobody_is_passed_over_in_the_printed_direction() -> None:
    table = At(LIMIT)
    table.hands(2)
    assert refusal(table.feed(BankAnswered(3))) == "out_of_turn"
    assert refusal(table.feed(BankAnswered(3, (1,)))) == "out_of_turn"
    assert refusal(table.feed(BankAnswered(8, (1, 2, 3, 4)))) == "third_hand"
    assert refusal(table.feed(BankAnswered(7))) == "not_eligible"
    assert refusal(table.feed(BankAnswered(declined=(7,)))) == "not_offered"
    assert refusal(table.feed(BankAnswered(1, (1,)))) == "both"
    table.feed(BankAnswered(declined=(1,)))
    table.feed(BankAnswered(declined=(2,)))
    assert table.want.unasked == (3, 4)
    table.feed(BankAnswered(3))
    assert table.player_dealer == 3


def test_tiles_are_offered_counter_clockwise_from_seat_1() -> None:
    around = replace(OFFER, direction="counter_clockwise")
    first = At(around, Setup((1, 2, 3, 8), None, records_wagers=False))
    assert first.offered() == (1, 8, 3, 2)
    assert refusal(first.feed(BetsClosed())) == "no_player_dealer"
    first.feed(BankAnswered(2))
    first.hands(2)
    assert first.offered() == (1, 8, 3)


def test_offered_to_all_and_declined_by_all_the_same_person_goes_on() -> None:
    table = At(OFFER)
    table.hands(2)
    kept = table.feed(BankAnswered())
    assert kept == [ev.BankDeclined((1, 2, 3, 4)), ev.BankKept(8)]
    table.hands(2)
    assert table.is_waiting
    table.feed(BankAnswered(declined=(1, 2)), BankAnswered(declined=(3,)))
    assert table.is_waiting
    assert table.feed(BankAnswered(declined=(4,)))[-1] == ev.BankKept(8)
    assert not table.is_waiting


def test_where_another_must_bank_the_table_waits_until_one_does() -> None:
    table = At(LIMIT)
    table.hands(2)
    assert table.feed(BankAnswered()) == [ev.BankDeclined((1, 2, 3, 4))]
    assert "another person must bank" in prompt(table.engine.expectation)
    assert refusal(table.feed(BetsClosed())) == "third_hand"
    assert refusal(table.feed(FloorAct("resume", "an hour has passed"), by="floor:ann")) == "third_hand"
    assert refusal(table.feed(BankAnswered())) == "nobody_left"
    table.feed(BankAnswered(4))
    table.hands(1)


def test_without_an_intervening_player_dealer_the_game_is_broken_in_those_words() -> None:
    table = At(STOP)
    table.hands(2)
    assert table.feed(BankAnswered())[-1] == ev.GameBroken(8, 2)
    assert prompt(table.engine.expectation).startswith("The game is broken: ")
    assert refusal(table.feed(BetsClosed())) == "third_hand"
    assert refusal(table.feed(FloorAct("resume", "an hour has passed"), by="floor:ann")) == "third_hand"
    resumed = table.feed(BankAnswered(2))
    assert ev.GameResumed("another_player_dealer", "dealer") in resumed
    table.hands(2)
    assert table.offered()[0] == 3


def test_the_floor_resumes_a_broken_game_after_a_reasonable_time_where_that_is_printed() -> None:
    table = At(replace(STOP, resumes="or_after_a_reasonable_time"))
    table.hands(2)
    assert refusal(table.feed(FloorAct("resume", "too early"), by="floor:ann")) == "third_hand"
    table.feed(BankAnswered())
    assert refusal(table.feed(FloorAct("resume"), by="floor:ann")) == "no_reason"
    (resumed,) = table.feed(FloorAct("resume", "half an hour"), by="floor:ann")
    assert resumed == ev.GameResumed("after_a_reasonable_time", "floor:ann", "half an hour")
    table.hands(2)
    assert table.is_waiting


def test_only_a_hand_of_somebody_else_begins_the_count_again() -> None:
    table = At(LIMIT)
    table.hands(1)
    table.feed(TableSet(player_dealer=3), TableSet(player_dealer=8))
    table.hands(1)
    assert table.is_waiting
    table.feed(TableSet(player_dealer=3))
    assert not table.is_waiting
    assert refusal(table.feed(TableSet(player_dealer=8))) == "third_hand"
    table.feed(TableClosed("a break"), TableOpened())
    assert refusal(table.feed(TableSet(player_dealer=8))) == "third_hand"
    table.hands(1)
    table.feed(TableSet(player_dealer=8))
    table.hands(2)
    assert table.is_waiting


def test_setting_a_player_dealer_past_the_offer_is_on_record() -> None:
    table = At(OFFER)
    table.hands(2)
    assert table.feed(TableSet(player_dealer=4), by="floor:ann") == [
        ev.BankTaken(4, "set"),
        ev.TableSetTo((1, 2, 3, 8), 4),
    ]


def test_a_table_without_a_player_dealer_deals_nothing() -> None:
    table = At(LIMIT)
    table.feed(TableSet(player_dealer=None))
    assert prompt(table.engine.expectation) == "Who banks? Offer the player-dealer's position to seats 1, 2, 3, 4, 8"
    table.feed(BankAnswered(4))
    table.hands(1)


def test_the_position_may_pass_on_before_it_is_due_but_not_in_a_hand() -> None:
    table = At(LIMIT)
    table.hands(1)
    assert refusal(table.feed(BankAnswered(declined=(1,)))) == "not_due"
    table.feed(CardOut("9h"))
    assert refusal(table.feed(BankAnswered(1))) == "round_running"
    table.feed(*(CardOut(card) for card in NATURAL[1:]))
    table.feed(BankAnswered(1))
    table.hands(1)
    table.feed(BankAnswered(8, (2, 3, 4)))
    table.hands(2)
    assert table.is_waiting


# Persons and firms


@pytest.mark.clause("CA-PC-330.11")
def test_the_limit_binds_the_person_wherever_he_sits() -> None:
    table = At(LIMIT)
    table.feed(PersonNamed(8, "Ann"), PersonNamed(1, "ann"))
    table.hands(2)
    assert table.offered() == (2, 3, 4)
    assert refusal(table.feed(TableSet(player_dealer=1))) == "third_hand"


def test_a_name_for_an_unnamed_seat_is_the_same_person_and_another_person_is_stated() -> None:
    table = At(STOP)
    table.hands(2)
    table.feed(BankAnswered())
    table.feed(PersonNamed(8, "Ann"))
    assert table.is_waiting
    changed = table.feed(PersonNamed(8, another=True))
    assert changed == [
        ev.PersonSeated(8, another=True),
        ev.GameResumed("another_player_dealer", "dealer"),
    ]
    table.hands(2)
    assert table.is_waiting
    table.feed(PersonNamed(8, "Bob"))
    assert table.is_waiting
    table.feed(PersonNamed(8, "Cid"))
    assert not table.is_waiting


def test_where_the_text_says_entity_two_persons_of_one_firm_are_one() -> None:
    named = (PersonNamed(8, "Ann", firm="Blue Bank"), PersonNamed(1, "Bob", firm="blue bank"))
    person, entity = At(OFFER), At(replace(OFFER, binds="entity"))
    for table in (person, entity):
        table.feed(*named)
        table.hands(2)
    assert person.offered() == (1, 2, 3, 4)
    assert entity.offered() == (2, 3, 4)


def test_every_hand_names_its_player_dealer_with_firm_and_bank_button() -> None:
    table = At(LIMIT)
    table.feed(PersonNamed(8, "Ann", "4711", "Blue Bank"))
    started = next(event for event in table.hand() if type(event) is ev.RoundStarted)
    assert (started.player_dealer, started.bank_hand, started.banker, started.firm) == (8, 1, "Ann", "Blue Bank")
    started = next(event for event in table.hand() if type(event) is ev.RoundStarted)
    assert started.bank_hand == 2


@pytest.mark.parametrize(
    "body",
    [
        {"kind": "bank_answer", "takes": "x.y"},
        {"kind": "bank_answer", "takes": 0},
        {"kind": "bank_answer", "declined": [15]},
        {"kind": "person", "place": 10**9, "name": "Ann"},
        {"kind": "person", "place": 8, "name": "x" * 65},
    ],
)
def test_no_seat_and_no_name_is_beyond_its_bounds(body: dict[str, Any]) -> None:
    with pytest.raises(Unreadable):
        decode_body(body)


# Who may take it


def test_the_seated_player_first_then_who_bet_there_in_the_order_of_the_squares() -> None:
    """001: 46."""
    table = At(replace(STOP, eligible="squares"), Setup((1, 2, 3, 4), 8), "village-ez-baccarat")
    table.hand(2, 3, "3.3", "3.2", "4.2")
    table.hand(2, "3.3", "3.2", "4.2")
    assert table.offered() == (2, "3.2", "3.3", "4.2")
    table.feed(BankAnswered("3.2", (2,)))
    assert table.engine.bank.banker is not None
    assert (table.player_dealer, table.engine.bank.banker.place) == (3, "3.2")
    table.feed(BankAnswered("4.2"))
    assert table.player_dealer == 4


def test_no_wager_last_hand_no_bank_the_first_hand_apart() -> None:
    """004: 412."""
    rotation = replace(OFFER, eligible="wagered")
    table = At(rotation, Setup((1, 2, 3, 4), None))
    assert table.offered() == (1, 2, 3, 4)
    table.feed(BankAnswered(1))
    table.hand(3)
    assert refusal(table.feed(BankAnswered(2))) == "not_eligible"
    table.feed(BankAnswered(3))
    table.hand(1)
    table.hand(1)
    assert table.offered() == (1,)
    table.feed(TableClosed(""), TableOpened())
    assert table.offered() == (4, 1, 2)


def test_without_recorded_seats_any_other_seat_may_bank() -> None:
    table = At(LIMIT, Setup((), 8, records_wagers=False))
    table.hands(2)
    assert table.want.any_seat
    assert refusal(table.feed(BankAnswered(8))) == "third_hand"
    assert table.feed(BankAnswered()) == [ev.BankDeclined(())]
    table.feed(BankAnswered(5))
    table.hands(1)


def test_a_position_that_was_given_up_is_open_to_whoever_may_still_deal() -> None:
    table = At(LIMIT)
    table.hands(1)
    table.feed(TableSet(player_dealer=None))
    assert refusal(table.feed(BetsClosed())) == "no_player_dealer"
    assert table.offered() == (1, 2, 3, 4, 8)
    table.feed(BankAnswered(8))
    table.hands(1)
    table.feed(TableSet(player_dealer=None))
    assert table.offered() == (1, 2, 3, 4)
    assert refusal(table.feed(BetsClosed())) == "third_hand"


# Void hands, corrections, restarts


@pytest.mark.parametrize(("void_hand", "waits"), [("counts", True), ("does_not_count", False)])
def test_whether_a_void_hand_counts_is_a_reading(void_hand: Any, waits: bool) -> None:
    table = At(replace(LIMIT, void_hand=void_hand))
    table.hands(1)
    table.feed(CardOut("9h"))
    table.feed(FloorAct("void", "a misdeal"), by="floor:ann")
    assert table.is_waiting is waits


def test_a_correction_of_the_last_hand_keeps_who_has_taken_the_bank() -> None:
    table = At(LIMIT)
    table.hands(2)
    table.feed(BankAnswered(2, (1,)))
    changed = Change(3, {"kind": "card_out", "card": "8s"})
    corrected = table.feed(Amended(2, (changed,), "misread"), by="floor:ann")
    assert type(corrected[0]) is ev.Corrected
    assert (table.player_dealer, table.engine.state.setup.seats) == (2, (1, 3, 4, 8))
    assert not table.is_waiting
    assert refusal(table.feed(TableSet(player_dealer=8))) == "third_hand"


def test_the_state_is_a_function_of_the_inputs_and_a_snapshot_goes_on() -> None:
    table = At(STOP)
    table.feed(PersonNamed(8, "Ann", firm="Blue Bank"))
    table.hands(2)
    table.feed(BankAnswered())
    encoded = msgspec.json.encode(table.engine.state)
    state = msgspec.json.decode(encoded, type=TableState)
    assert msgspec.json.encode(state) == encoded
    rules = load(EZ)
    again: TableEngine[Any] = TableEngine(rules.game, rules.options(), state, EZ, resolve, rotation=STOP)
    assert again.expectation.wants == table.engine.expectation.wants


def test_a_game_without_a_player_dealer_has_no_rotation() -> None:
    table = At(LIMIT)
    table.hands(2)
    assert table.is_waiting
    table.feed(RulesChosen("bankers-texas-holdem"))
    assert not table.is_waiting
    assert table.engine.bank.banker is None
    assert refusal(table.feed(BankAnswered(1))) == "no_player_dealer"


# What the approvals print

KINDS = {
    "stop": (
        "bankers-pure-21-5-blackjack calgrand-caribbean-stud-poker calgrand-pai-gow-poker calgrand-pai-gow-tiles "
        "turlock-pure-21-5-blackjack village-no-bust-blackjack-joker village-no-bust-blackjack-4-0 "
        "village-no-bust-blackjack-6-0 bankers-buster-blackjack village-buster-blackjack"
    ),
    "limit": (
        "bankers-three-card-poker bankers-fortune-pai-gow-poker-1-1 bankers-ultimate-texas-holdem "
        "turlock-three-card-poker turlock-fortune-pai-gow-poker turlock-ultimate-texas-holdem village-ez-baccarat "
        "turlock-three-card-holdem village-21st-century-baccarat-9-0 village-21st-century-blackjack "
        "village-caribbean-stud"
    ),
    "offer": (
        "bankers-pai-gow-poker bankers-pai-gow-tiles bankers-pure-spanish-21-5 bankers-ez-baccarat-panda-8 "
        "bankers-three-card-poker-6-card-bonus bankers-fortune-pai-gow-poker-joker-fully-wild "
        "calgrand-hot-action-blackjack calgrand-buster-blackjack calgrand-three-card-poker "
        "calgrand-three-card-poker-1-3 turlock-commission-free-baccarat-dragon-bonus "
        "turlock-three-card-poker-6-card-bonus turlock-pure-spanish-21-5 turlock-pai-gow-poker village-pai-gow-poker"
    ),
}


def test_a_new_game_offers_the_bank_from_seat_1_where_the_text_begins_there() -> None:
    table = At(replace(LIMIT, first_offer="seat_one"), Setup((1, 2, 3, 4), records_wagers=False))
    assert table.offered() == (1, 2, 3, 4)
    assert refusal(table.feed(BankAnswered(3))) == "out_of_turn"
    table.feed(BankAnswered(declined=(1,)))
    table.feed(BankAnswered(3, (2,)))
    assert table.player_dealer == 3 and not table.is_waiting


def test_a_new_game_of_tiles_offers_the_bank_to_seat_1_and_then_counter_clockwise() -> None:
    rotation = replace(LIMIT, first_offer="seat_one", direction="counter_clockwise")
    table = At(rotation, Setup((1, 2, 3, 4), records_wagers=False))
    assert table.offered() == (1, 4, 3, 2)
    assert refusal(table.feed(BankAnswered(2, (1,)))) == "out_of_turn"
    table.feed(BankAnswered(4, (1,)))
    assert table.player_dealer == 4


def test_where_the_house_selects_any_seat_may_be_the_first_to_bank() -> None:
    table = At(LIMIT, Setup((1, 2, 3, 4), records_wagers=False))
    table.feed(BankAnswered(3))
    assert table.player_dealer == 3


def test_every_game_with_a_player_dealer_rotates_as_its_approval_prints_it() -> None:
    printed = {slug: kind for kind, slugs in KINDS.items() for slug in slugs.split()}
    found = {slug: rotation for slug in all_rulesets() if (rotation := load(slug).rotation()) is not None}
    assert {slug: rotation.kind for slug, rotation in found.items()} == printed
    assert {rotation.hands for rotation in found.values()} == {2}
    around = {slug for slug, rotation in found.items() if rotation.direction == "counter_clockwise"}
    assert around == {"bankers-pai-gow-tiles", "calgrand-pai-gow-tiles"}
    assert {slug for slug, rotation in found.items() if rotation.binds == "entity"} == {"bankers-pai-gow-tiles"}
    may_resume = {slug for slug, rotation in found.items() if rotation.resumes == "or_after_a_reasonable_time"}
    squares = {"calgrand-caribbean-stud-poker", "calgrand-pai-gow-poker", "calgrand-pai-gow-tiles"}
    assert may_resume == squares == {slug for slug, rotation in found.items() if rotation.eligible == "squares"}
    from_seat_one = {"bankers-pai-gow-tiles", "village-pai-gow-poker", "village-caribbean-stud"}
    assert {slug for slug, rotation in found.items() if rotation.first_offer == "seat_one"} == from_seat_one
    assert {slug for slug, rotation in found.items() if rotation.eligible == "wagered"} == {"village-pai-gow-poker"}


def test_a_reading_is_chosen_by_the_table_and_is_in_the_digest_of_its_rules() -> None:
    fortune = "bankers-fortune-pai-gow-poker-1-1"
    read, other = resolve(fortune, {}), resolve(fortune, {"rotation_kind": "offer"})
    assert read.rotation is not None and other.rotation is not None
    assert (read.rotation.kind, other.rotation.kind) == ("limit", "offer")
    assert read.digest != other.digest
    side_bet = resolve("bankers-buster-blackjack", {"rotation_void_hand": "counts"})
    assert side_bet.rotation is not None and side_bet.rotation.void_hand == "counts"


@pytest.mark.parametrize("rotation", [LIMIT, STOP, OFFER])
def test_while_the_bank_is_offered_everybody_still_sees_how_the_last_hand_went(rotation: Rotation) -> None:
    table = At(rotation)
    table.hands(2)
    assert table.is_waiting
    assert table.engine.waits.phase == "settled"
