"""Ultimate Texas Hold'em at the table: unread cards, folded hands, held tables, refused wagers, money."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from controller.engine import events as ev
from controller.engine.expect.expectation import prompt
from controller.engine.inputs import (
    Act,
    Amended,
    AnyBody,
    BetsClosed,
    CardOut,
    Change,
    FloorAct,
    Happening,
    Input,
    Place,
    Revealed,
    StackOut,
    WagerPlaced,
)
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.games import GAMES
from controller.rules import RulesError, Ruleset, load
from tests.support.games.fee_lines import due

BANKERS = "bankers-ultimate-texas-holdem"
TURLOCK = "turlock-ultimate-texas-holdem"


class Felt:
    """A table with its dealer: says what happens in few words and keeps all that the table published."""

    def __init__(self, ruleset: Ruleset | None = None, *, options: dict[str, Any] | None = None, **setup: Any) -> None:
        rules = ruleset or load(BANKERS)
        seated = Setup(**{"seats": (1, 2), "player_dealer": 8, "bank": (1_000_000,), **setup})
        self.engine = TableEngine(rules.game, rules.options(options), TableState(seated), rules.slug)
        self.events: list[ev.Event] = []

    def feed(self, *bodies: AnyBody) -> list[ev.Event]:
        events = [event for body in bodies for event in self.engine.apply(Input(0, "test", body))]
        self.events += events
        return events

    def bet(self, place: Place, **wagers: int) -> list[ev.Event]:
        return self.feed(*(WagerPlaced(place, wager, cents) for wager, cents in wagers.items()))

    def deal(self, text: str) -> list[ev.Event]:
        """Cards one by one; `--` is a card that the machine does not read."""
        return self.feed(*(CardOut(None if code == "--" else code) for code in text.split()))

    def act(self, *acts: tuple[Place, str]) -> list[ev.Event]:
        return self.feed(*(Act(seat, do) for seat, do in acts))

    def reveal(self, owner: str, text: str) -> list[ev.Event]:
        return self.feed(Revealed(owner, tuple(text.split())))

    @property
    def prompt(self) -> str:
        return prompt(self.engine.expectation)

    @property
    def result(self) -> dict[str, Any]:
        assert self.engine.last is not None, self.prompt
        return self.engine.last.document

    @property
    def published(self) -> str:
        return b"\n".join(map(ev.encode_event, self.events)).decode()

    def refusals(self) -> list[str]:
        return [event.why for event in self.events if isinstance(event, ev.Refused)]


def one_seat(trips: int = 0, **setup: Any) -> Felt:
    """Seat 1 with ante and blind of 1000; no more bets."""
    felt = Felt(seats=(1,), **setup)
    felt.bet(1, ante=1000, blind=1000, trips=trips)
    felt.feed(BetsClosed())
    return felt


# What the dealer is asked


def test_the_dealer_is_led_through_the_round() -> None:
    felt = one_seat()
    prompts = [felt.prompt]
    for cards in ("-- --", "-- --"):
        felt.deal(cards)
        prompts.append(felt.prompt)
    felt.deal("-- -- -- -- --")
    prompts.append(felt.prompt)
    felt.act((1, "check"))
    prompts.append(felt.prompt)
    felt.reveal("board", "2c 7d 9h")
    prompts.append(felt.prompt)
    felt.act((1, "check"))
    prompts.append(felt.prompt)
    felt.reveal("board", "Jc 4s")
    prompts.append(felt.prompt)
    felt.act((1, "bet1x"))
    prompts.append(felt.prompt)
    felt.reveal("player_dealer", "Kd Ks")
    prompts.append(felt.prompt)
    assert prompts == [
        "2 cards to Seat 1, face down",
        "2 cards to Player-dealer, face down",
        "5 cards to Board, face down",
        "Seat 1: check, bet 3x ($30) or bet 4x ($40) — before the flop",
        "Board: key the 3 cards",
        "Seat 1: check or bet 2x ($20) — after the flop",
        "Board: key the 2 cards",
        "Seat 1: fold or bet 1x ($10) — after the river",
        "Player-dealer: key the 2 cards",
        "Seat 1: key the 2 cards",
    ]
    felt.reveal("1", "As Ad")
    assert felt.result["net"] == {1: {"ante": 1000, "play": 1000, "blind": 0}}


def test_a_shuffler_gives_packets_or_single_cards_alike() -> None:
    by_one, by_packet = one_seat(), one_seat()
    by_one.deal("As Ad Kc Kd 2c 7d 9h Jc 4s")
    by_packet.feed(StackOut(("As", "Ad")), StackOut(("Kc", "Kd")), StackOut(("2c", "7d", "9h", "Jc", "4s")))
    for felt in (by_one, by_packet):
        felt.act((1, "bet4x"))
    assert by_one.result == by_packet.result
    assert by_one.result["bank_net"] == -5000


def test_the_screens_tell_who_won_and_that_antes_went_back() -> None:
    felt = Felt()
    felt.bet(1, ante=1000, blind=1000)
    felt.bet(2, ante=1000, blind=1000)
    felt.feed(BetsClosed())
    felt.deal("As Ad 5h 6c Kc Qd 2c 7d 9h Jc 4s")
    felt.act((1, "bet4x"), (2, "check"), (2, "check"), (2, "fold"))
    text = felt.engine.game.summary(felt.engine.public_result)
    assert text == "Player-dealer has no pair, antes go back. Seat 1 wins, seat 2 folds"


# Unread cards and the information barrier


def test_no_card_is_published_before_it_is_turned_up() -> None:
    felt = Felt()
    felt.bet(1, ante=1000, blind=1000)
    felt.bet(2, ante=1000, blind=1000, trips=500)
    felt.feed(BetsClosed())
    felt.deal("As Ad 5h 6c Kc Kd 2c 7d 9h Jc 4s")
    assert _cards_in(felt.published) == set()
    felt.act((1, "check"), (2, "check"))
    assert _cards_in(felt.published) == {"2c", "7d", "9h"}
    felt.act((1, "bet2x"), (2, "check"))
    assert _cards_in(felt.published) == {"2c", "7d", "9h", "Jc", "4s"}
    felt.act((2, "fold"))
    assert _cards_in(felt.published) == {"2c", "7d", "9h", "Jc", "4s", "Kc", "Kd", "As", "Ad"}


def test_unread_hands_are_named_from_the_left_of_the_player_dealer() -> None:
    felt = Felt(seats=(2, 6), player_dealer=3)
    felt.bet(2, ante=1000, blind=1000)
    felt.bet(6, ante=1000, blind=1000)
    felt.feed(BetsClosed())
    felt.deal("-- -- -- -- -- -- 2c 7d 9h Jc 4s")
    felt.act((2, "bet4x"), (6, "bet4x"))
    asked = []
    for owner, cards in (("player_dealer", "Kd Ks"), ("6", "As Ad"), ("2", "Th 5s")):
        asked.append(felt.prompt)
        felt.reveal(owner, cards)
    assert asked == ["Player-dealer: key the 2 cards", "Seat 6: key the 2 cards", "Seat 2: key the 2 cards"]
    assert felt.result["outcome"] == {2: "lose", 6: "win"}


def test_a_card_keyed_twice_is_refused_without_telling_where_it_lies() -> None:
    felt = one_seat()
    felt.deal("As Ad -- -- 2c 7d 9h Jc 4s")
    felt.act((1, "bet4x"))
    refused = felt.reveal("player_dealer", "As Kd")
    assert [type(event) for event in refused] == [ev.Refused]
    assert felt.refusals() == ["duplicate_card"]
    assert "As" not in felt.published
    felt.reveal("player_dealer", "Ks Kd")
    assert felt.result["outcome"] == {1: "win"}


def test_a_folded_hand_with_trips_is_looked_at_and_stays_face_down() -> None:
    felt = one_seat(trips=500)
    felt.deal("-- -- -- -- 9c 7d 9h Jc 4s")
    felt.act((1, "check"), (1, "check"), (1, "fold"))
    assert felt.prompt == "Seat 1: key the 2 cards — folded with a trips bet; look, keep it face down"
    felt.reveal("1", "9d 2s")
    assert felt.result["net"] == {1: {"ante": -1000, "blind": -1000, "trips": 1500}}
    assert _cards_in(felt.published) == {"9c", "7d", "9h", "Jc", "4s"}


def test_a_folded_hand_without_trips_is_never_asked_for() -> None:
    felt = one_seat()
    felt.deal("-- -- -- -- 9c 7d 9h Jc 4s")
    felt.act((1, "check"), (1, "check"), (1, "fold"))
    assert felt.result["outcome"] == {1: "fold"}
    assert felt.result["ranks"] == {}
    assert felt.result["bank_net"] == 2000


def test_where_the_board_alone_decides_a_folded_hand_is_not_looked_at() -> None:
    felt = one_seat(trips=500, options={"trips_on_fold": "board_only"})
    felt.deal("-- -- -- -- 9c 9d 9h Jc 4s")
    felt.act((1, "check"), (1, "check"), (1, "fold"))
    assert felt.result["net"] == {1: {"ante": -1000, "blind": -1000, "trips": 1500}}


def test_where_everybody_folds_the_player_dealers_hand_stays_secret() -> None:
    felt = one_seat()
    felt.deal("3c 2d Kc Kd 9c 7d 9h Jc 4s")
    felt.act((1, "check"), (1, "check"), (1, "fold"))
    settled = felt.events[-1]
    assert isinstance(settled, ev.RoundSettled)
    assert settled.flags == {}
    assert list(settled.hands) == ["board"]
    assert felt.result["flags"] == {"qualified": True}


# Irregularities: nothing is stated, so the table is held


def test_a_stack_of_three_holds_the_table_and_a_void_returns_every_wager() -> None:
    felt = Felt()
    felt.bet(1, ante=1000, blind=1000, trips=500)
    felt.bet(2, ante=2000, blind=2000)
    felt.feed(BetsClosed(), StackOut(("As", "Ad", "Kc")))
    assert felt.prompt == "Held, call the floor: Seat 1 gets 2 cards, 3 came"
    assert _cards_in(felt.published) == set()
    felt.feed(FloorAct("void", "wrong count"))
    voided = felt.events[-1]
    assert isinstance(voided, ev.RoundVoided)
    assert voided.returned == {"1": 2500, "2": 4000}
    assert felt.result["void"] and felt.result["net"] == {}


def test_a_void_after_the_flop_returns_the_play_wager_too() -> None:
    felt = Felt()
    felt.bet(1, ante=1000, blind=1000)
    felt.bet(2, ante=1000, blind=1000)
    felt.feed(BetsClosed())
    felt.deal("As Ad 5h 6c Kc Kd 2c 7d 9h Jc 4s")
    felt.act((1, "bet4x"), (2, "check"))
    felt.feed(Happening("card_off_the_table", 2))
    assert felt.prompt == "Held, call the floor: card off the table"
    felt.feed(FloorAct("void"))
    voided = felt.events[-1]
    assert isinstance(voided, ev.RoundVoided)
    assert voided.returned == {"1": 6000, "2": 2000}


def test_a_card_after_the_deal_holds_the_table_until_the_floor_resumes() -> None:
    felt = one_seat()
    felt.deal("As Ad Kc Kd 2c 7d 9h Jc 4s Qs")
    assert felt.prompt.startswith("Held, call the floor")
    assert "Qs" not in felt.published
    felt.act((1, "bet4x"))
    assert felt.refusals() == ["not_expected"]
    felt.feed(FloorAct("resume"))
    assert felt.prompt == "Seat 1: check, bet 3x ($30) or bet 4x ($40) — before the flop"
    felt.act((1, "bet4x"))
    assert felt.result["outcome"] == {1: "win"}


def test_the_floor_may_play_a_packet_that_came_in_single_strays() -> None:
    """Three cards for seat 1 are seat 1's two and the player-dealer's first, if the floor says so."""
    felt = one_seat()
    felt.feed(StackOut(("As", "Ad", "Kc")), FloorAct("use_next"))
    assert felt.prompt == "Card 2 to Player-dealer, face down"
    felt.deal("Kd 2c 7d 9h Jc 4s")
    assert _cards_in(felt.published) == set()
    felt.act((1, "bet3x"))
    assert felt.result["hands"]["player_dealer"] == ["Kc", "Kd"]


def test_the_same_card_twice_holds_the_table_without_naming_it() -> None:
    felt = one_seat()
    felt.deal("As Ad As")
    held = felt.events[-1]
    assert isinstance(held, ev.Held) and held.code == "duplicate_card"
    assert "As" not in felt.published


def test_a_misread_card_is_corrected_by_replay() -> None:
    felt = one_seat()
    felt.deal("As Qd Kc Kd 2c 7d 9h Jc 4s")
    felt.act((1, "bet4x"))
    assert felt.result["outcome"] == {1: "lose"}
    change = Change(3 + 2, {"kind": "card_out", "card": "Ad"})
    felt.feed(Amended(1, (change,), "the camera shows the ace of diamonds"))
    assert felt.result["outcome"] == {1: "win"}
    assert felt.result["net"] == {1: {"ante": 1000, "play": 4000, "blind": 0}}


# Wagers


def test_a_seat_without_equal_ante_and_blind_has_its_chips_back_before_the_deal() -> None:
    felt = Felt()
    felt.bet(1, ante=1000)
    felt.bet(2, ante=1000, blind=1000)
    closing = felt.feed(BetsClosed())
    assert ev.WagerSet(1, "ante", 0) in closing
    assert felt.prompt == "2 cards to Seat 2, face down"


def test_with_nobody_dealt_in_the_round_is_void() -> None:
    felt = Felt()
    for _ in range(3):
        felt.bet(1, ante=1000)
        felt.feed(BetsClosed())
    assert felt.result["void"] and felt.result["ruling"] == ["nobody_dealt_in"]
    assert felt.result["more"]["dealt_in"] == []


def test_table_limits_bound_ante_and_trips() -> None:
    felt = Felt(min_wager=500, max_wager=10000)
    felt.bet(1, ante=400)
    felt.bet(1, ante=10100)
    felt.bet(1, ante=10000, blind=10000, trips=300)
    assert felt.refusals() == ["below_table_min", "above_table_max", "below_table_min"]


def test_a_taken_back_ante_leaves_trips_without_a_game() -> None:
    felt = Felt()
    felt.bet(1, ante=1000, blind=1000, trips=500)
    felt.bet(1, ante=0)
    felt.bet(2, ante=1000, blind=1000)
    felt.feed(BetsClosed())
    assert felt.prompt == "2 cards to Seat 2, face down"


def test_a_table_that_records_no_wagers_still_deals_and_states_who_won() -> None:
    felt = Felt(records_wagers=False, bank=None)
    assert felt.prompt == "2 cards to Seat 1, face down"
    felt.deal("As Ad 5h 6c Kc Kd 2c 7d 9h Jc 4s")
    felt.act((1, "bet4x"), (2, "check"), (2, "check"), (2, "fold"))
    assert felt.result["outcome"] == {1: "win", 2: "fold"}
    assert felt.result["net"] == {}


def test_a_bet_of_another_amount_than_its_name_is_refused() -> None:
    felt = one_seat()
    felt.deal("As Ad Kc Kd 2c 7d 9h Jc 4s")
    refused = felt.feed(Act(1, "bet4x", cents=3500))[-1]
    assert isinstance(refused, ev.Refused)
    assert (refused.why, refused.text) == ("wrong_size_for_window", "bet 4x ($40), not $35")
    felt.feed(Act(1, "bet4x", cents=4000))
    assert felt.result["more"]["play"] == {1: 4000}


def test_a_refused_bet_states_the_size_that_would_be_legal() -> None:
    felt = one_seat()
    felt.deal("As Ad Kc Kd 2c 7d 9h Jc 4s")
    refused = felt.act((1, "bet2x"))[-1]
    assert isinstance(refused, ev.Refused)
    assert refused.why == "wrong_size_for_window"
    assert refused.text == "before the flop the play wager is 3 or 4 times the ante"
    assert refused.bounds == {"one_of": [3000, 4000]}


@pytest.mark.parametrize("do", ["bet3x", "bet2x", "bet1x", "check", "fold"])
def test_a_play_wager_is_final_whatever_is_tried_afterwards(do: str) -> None:
    felt = Felt()
    felt.bet(1, ante=1000, blind=1000)
    felt.bet(2, ante=1000, blind=1000)
    felt.feed(BetsClosed())
    felt.deal("As Ad 5h 6c Kc Kd 2c 7d 9h Jc 4s")
    felt.act((1, "bet4x"), (1, do), (2, "check"), (1, do), (2, "check"), (1, do))
    assert felt.refusals() == ["already_bet"] * 3


# Rulesets


def test_a_pay_table_row_that_the_deck_cannot_make_is_refused() -> None:
    data = load(BANKERS).data
    pays = {**data.pays, "trips": {**data.pays["trips"], "five_of_a_kind": "100:1"}}
    broken = Ruleset(msgspec.structs.replace(data, pays=pays), GAMES[data.game], "bankers/broken.toml", "")
    with pytest.raises(RulesError, match=r"bankers/broken.toml: pays\.trips\.five_of_a_kind: 52 cards"):
        broken.options()


def test_a_payoff_that_is_no_odds_is_refused() -> None:
    data = load(BANKERS).data
    broken = Ruleset(msgspec.structs.replace(data, pays={**data.pays, "ante": "even"}), GAMES[data.game], "b.toml", "")
    with pytest.raises(RulesError, match=r"b.toml: .*pays\.ante"):
        broken.options()


# Fees


def test_player_and_player_dealer_pay_before_the_deal_by_what_is_dealt_in() -> None:
    """Option 3: seat 1 has 250.00 down, seat 2 150.00; seat 4, with an ante alone, does not count."""
    felt = Felt(seats=(1, 2, 4), options={"schedule": "rules-uth/ultimate-texas-holdem/3"})
    felt.bet(1, ante=10000, blind=10000, trips=5000)
    felt.bet(2, ante=5000, blind=5000, trips=5000)
    felt.bet(4, ante=1000)
    fees = due(felt.feed(BetsClosed()))
    assert [(fee.payer, fee.place, fee.cents) for fee in fees] == [
        ("player_dealer", None, 300),
        ("player", 1, 200),
        ("player", 2, 200),
    ]
    felt.deal("As Ad 5h 6c Kc Qd 2c 7d 9h Jc 4s")
    felt.act((1, "bet4x"), (2, "bet4x"))
    assert felt.result["fees"]["player_dealer"] == 300
    assert sum(felt.result["net"][1].values()) == 40000 - 5000


def test_the_posted_schedule_bounds_ante_and_blind() -> None:
    felt = Felt(options={"schedule": "rules-uth/ultimate-texas-holdem/3"})
    felt.bet(1, ante=900)
    felt.bet(1, ante=20100)
    felt.bet(1, ante=20000, blind=20000, trips=500)
    felt.bet(1, trips=1000)
    assert felt.refusals() == ["below_table_min", "above_table_max", "below_table_min"]


def test_a_schedule_may_take_its_fee_after_the_starting_cards() -> None:
    felt = Felt(load(TURLOCK), seats=(1,), options={"schedule": "tcp-uth-2016-1"})
    felt.bet(1, ante=1000, blind=1000)
    felt.feed(BetsClosed())
    felt.deal("As Ad Kc")
    assert not due(felt.events)
    (fee,) = due(felt.deal("Kd"))
    assert (fee.payer, fee.cents, fee.fee, fee.moment) == ("player_dealer", 100, "tcp-uth-2016-1", "after_initial_deal")
    assert felt.prompt == "5 cards to Board, face down"


# Back line, where a cardroom allows it


def test_a_back_line_bettor_bets_along_or_folds_and_is_settled_after_the_seats() -> None:
    felt = Felt(load(TURLOCK), seats=(3, 4))
    felt.bet(3, ante=1000, blind=1000)
    felt.bet("3.2", ante=500, blind=500, trips=500)
    felt.bet("3.3", ante=2000, blind=2000)
    felt.bet(4, ante=1000, blind=1000)
    felt.feed(BetsClosed())
    felt.deal("As Ad 5h 6c Kc Qd 2c 7d 9h Jc 4s")
    felt.act((3, "bet4x"))
    assert felt.prompt == "Seat 3, spot 2: fold or bet 4x ($20) — before the flop"
    felt.act(("3.2", "bet3x"), ("3.2", "bet4x"), ("3.3", "fold"), (4, "check"), (4, "check"), (4, "bet1x"))
    assert felt.refusals() == ["wrong_size_for_window"]
    assert felt.result["outcome"] == {3: "win", "3.2": "win", "3.3": "fold", 4: "lose"}
    assert felt.result["net"] == {
        3: {"ante": 0, "play": 4000, "blind": 0},
        "3.2": {"ante": 0, "play": 2000, "blind": 0, "trips": -500},
        "3.3": {"ante": -2000, "blind": -2000},
        4: {"play": -1000, "ante": 0, "blind": -1000},
    }
    assert felt.result["bank_net"] == -4000 - 2000 + 500 + 4000 + 2000
    walk = list(dict.fromkeys(line.rsplit(".", 1)[0] for line in felt.result["order"]))
    assert walk == ["3.3", "3", "4", "3.2"]


def test_a_back_line_folds_with_its_seat() -> None:
    felt = Felt(load(TURLOCK), seats=(3,))
    felt.bet(3, ante=1000, blind=1000)
    felt.bet("3.2", ante=500, blind=500)
    felt.feed(BetsClosed())
    felt.deal("5h 6c Kc Qd 2c 7d 9h Jc 4s")
    felt.act((3, "check"), (3, "check"), (3, "fold"))
    assert felt.result["outcome"] == {3: "fold", "3.2": "fold"}
    assert felt.result["bank_net"] == 3000


def test_a_back_line_without_its_seat_has_its_chips_back() -> None:
    felt = Felt(load(TURLOCK), seats=(3, 4))
    felt.bet("3.2", ante=500, blind=500)
    felt.bet(4, ante=1000, blind=1000)
    felt.feed(BetsClosed())
    felt.deal("5h 6c Kc Qd 2c 7d 9h Jc 4s")
    felt.act((4, "bet3x"))
    assert felt.result["returned"] == {"3.2": 1000}


def _cards_in(text: str) -> set[str]:
    return set(re.findall(r'"([2-9TJQKA][cdhs])"', text))
