"""3 Card Hold'em and Caribbean Stud at the table: unread cards, folded side bets, and what the side bets return."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from controller.engine import events as ev
from controller.engine.cards.card import standard_deck
from controller.engine.expect.wants import WantReveal
from controller.engine.inputs import (
    Act,
    AnyBody,
    BetsClosed,
    CardOut,
    Happening,
    Input,
    PackReported,
    Revealed,
    StackOut,
    WagerPlaced,
)
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.games.ante.three_card_holdem.settlement import pair_or_suited
from controller.rules import load


class Seated:
    """Seat 1 against the player-dealer on seat 7."""

    def __init__(self, slug: str, **options: object) -> None:
        ruleset = load(slug)
        setup = Setup((1,), player_dealer=7, bank=(100_000,))
        self.engine = TableEngine(ruleset.game, ruleset.options(options), TableState(setup), slug)

    def tell(self, *bodies: AnyBody) -> list[ev.Event]:
        return [event for body in bodies for event in self.engine.apply(Input(0, "test", body))]


def test_the_rows_of_pair_or_suited_are_as_many_as_they_should_be() -> None:
    rows = Counter(pair_or_suited(pair) for pair in combinations(standard_deck(), 2))
    assert rows == {"ak_suited": 4, "aa": 6, "kk": 6, "pair": 66, "two_suited": 4 * 78 - 4, "none": 1326 - 390}


def test_a_folded_hand_with_a_side_bet_is_looked_at_and_stays_face_down() -> None:
    table = Seated("turlock-three-card-holdem", deal_device="shuffler")
    table.tell(WagerPlaced(1, "ante", 1_000), WagerPlaced(1, "pair_or_suited", 500), BetsClosed())
    table.tell(
        StackOut((None, None)), StackOut(("Ad", "Ac")), CardOut("Ks"), CardOut(None), CardOut("5c"), CardOut("5d")
    )
    table.tell(Act(1, "fold"))
    (want,) = table.engine.expectation.wants
    assert isinstance(want, WantReveal) and want.owner == "1"
    events = table.tell(Revealed("1", ("6h", "4h")))
    assert "6h" not in str(events)
    assert table.engine.last is not None
    assert table.engine.last.document["net"] == {1: {"ante": -1_000, "pair_or_suited": 500}}


def test_a_shuffler_that_gives_a_packet_of_three_voids_the_round_for_a_check_of_the_machine() -> None:
    table = Seated("turlock-three-card-holdem", deal_device="shuffler")
    table.tell(WagerPlaced(1, "ante", 1_000), BetsClosed())
    events = table.tell(StackOut((None, None, None)))
    assert [event.code for event in events if isinstance(event, ev.Irregularity)] == ["wrong_count"]
    (void,) = [event for event in events if isinstance(event, ev.RoundVoided)]
    assert (void.ruling, void.returned) == ("void_machine_check", {"1": 1_000})


def test_a_stack_that_was_on_its_way_when_the_round_was_void_does_not_hold_the_next_one() -> None:
    table = Seated("turlock-three-card-holdem", deal_device="shuffler")
    table.tell(PackReported("red", 52, "shuffler"), WagerPlaced(1, "ante", 1_000), BetsClosed())
    table.tell(Happening("boxed_card"))
    events = table.tell(StackOut(("As", "Ad")))
    assert [event.code for event in events if isinstance(event, ev.Irregularity)] == ["card_not_expected"]
    assert not table.engine.is_dealing and "As" not in str(events)
    table.tell(PackReported("red", 52, "shuffler"))
    events = table.tell(StackOut(("As", "Ad")))
    assert [event.code for event in events if isinstance(event, ev.Held)] == ["card_not_expected"]


def test_a_card_too_many_by_hand_holds_the_table_until_the_floor_names_it() -> None:
    table = Seated("turlock-three-card-holdem")
    table.tell(WagerPlaced(1, "ante", 1_000), BetsClosed())
    for code in ("2c", "3d", "4h", "5s", "Ks", "7c", "5c", "5d"):
        table.tell(CardOut(code))
    events = table.tell(CardOut("9d"))
    assert [event.code for event in events if isinstance(event, ev.Held)] == ["card_not_expected"]
    void = table.tell(Happening("wrong_card_count", seat=1))
    assert [event.ruling for event in void if isinstance(event, ev.RoundVoided)] == ["void_reshuffle"]


def test_a_shuffler_that_gives_single_cards_gives_the_burn_too() -> None:
    table = Seated("turlock-three-card-holdem", deal_device="shuffler")
    table.tell(WagerPlaced(1, "ante", 1_000), BetsClosed())
    events = table.tell(StackOut(("9c", "9d")), StackOut(("Ac", "Kd")), StackOut(("5s",)), StackOut(("2c",)))
    assert len([event for event in events if isinstance(event, ev.CardBurned)]) == 1
    table.tell(StackOut(("9h", "Jc")), Act(1, "bet"), Act(1, "check"))
    assert table.engine.last is not None
    assert table.engine.last.document["hands"]["board"] == ["5s", "9h", "Jc"]


def test_only_the_player_dealers_last_card_lies_open_before_the_decisions() -> None:
    table = Seated("village-caribbean-stud")
    events = table.tell(WagerPlaced(1, "ante", 1_000), BetsClosed())
    for code in ("9c", "Ac", "9h", "Kc", "Ks", "Td", "6d", "8h", "2c", "4s"):
        events += table.tell(CardOut(code))
    shown = [(event.to, event.card) for event in events if isinstance(event, ev.CardDealt) and event.card]
    assert shown == [("player_dealer", "4s")]
    settled = table.tell(Act(1, "fold"))
    assert not any("9c" in str(event) for event in settled)
