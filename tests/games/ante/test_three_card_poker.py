"""Three Card Poker and its sisters at the table: stacks, folds with a live bonus, unread cards, decks by turns."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from controller.engine import events as ev
from controller.engine.expect.bot import answer
from controller.engine.expect.choices import WantDecision
from controller.engine.expect.expectation import prompt
from controller.engine.expect.wants import WantReveal
from controller.engine.inputs import (
    Act,
    AnyBody,
    BetsClosed,
    CardOut,
    FloorAct,
    Happening,
    Input,
    PackReported,
    Place,
    Revealed,
    StackOut,
    WagerPlaced,
)
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.rules import load

SIX_CARD = "bankers-three-card-poker-6-card-bonus"
TURLOCK = "turlock-three-card-poker"
TURLOCK_SIX = "turlock-three-card-poker-6-card-bonus"


class Seated:
    """Some seats against the player-dealer on seat 8."""

    def __init__(self, slug: str, *seats: int, **options: object) -> None:
        ruleset = load(slug)
        setup = Setup(seats or (1,), player_dealer=8, bank=(1_000_000,))
        self.engine = TableEngine(ruleset.game, ruleset.options(options), TableState(setup), slug)

    def tell(self, *bodies: AnyBody) -> list[ev.Event]:
        return [event for body in bodies for event in self.engine.apply(Input(0, "test", body))]

    def bet(self, place: Place, **wagers: int) -> list[ev.Event]:
        return self.tell(*(WagerPlaced(place, wager, cents) for wager, cents in wagers.items()))

    def round(self, *, act: str = "play") -> list[ev.Event]:
        """Seat 1 antes, is dealt a king-high and decides."""
        events = self.bet(1, ante=1_000)
        if self.prompt.startswith("Held"):
            return events
        cards = StackOut(("Kd", "9s", "3c")), StackOut(("Th", "7c", "2d"))
        return events + self.tell(BetsClosed(), *cards, Act(1, act))

    @property
    def prompt(self) -> str:
        return prompt(self.engine.expectation)

    @property
    def document(self) -> dict[str, Any]:
        assert self.engine.last is not None
        return self.engine.last.document


def of(kind: type[ev.Event], events: Sequence[ev.Event]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


# Cards


def test_of_all_cards_only_the_player_dealers_bottom_card_is_published_before_the_decisions() -> None:
    table = Seated(SIX_CARD, 1, 2)
    events = table.bet(1, ante=1_000) + table.bet(2, ante=1_000) + table.tell(BetsClosed())
    assert table.prompt == "3 cards to Seat 1, face down"
    events += table.tell(StackOut(("Kd", "9s", "3c")), StackOut(("Th", "7c", "2d")), StackOut(("8c", "4d", "Jh")))
    assert [(event.to, event.nth, event.card) for event in of(ev.CardNamed, events)] == [("player_dealer", 3, "Jh")]
    assert not [event for event in of(ev.CardDealt, events) if event.card]
    assert table.prompt == "Seat 1: play for $10 or fold"


def test_a_shuffler_that_reads_nothing_deals_a_round_that_is_keyed_at_the_showdown() -> None:
    table = Seated(TURLOCK)
    table.bet(1, ante=1_000, bonus=500)
    table.tell(BetsClosed(), StackOut((None, None, None)), StackOut((None, None, None)), Act(1, "play"))
    assert table.prompt == "Player-dealer: key the 3 cards"
    table.tell(Revealed("player_dealer", ("Qs", "Qd", "3c")))
    events = table.tell(Revealed("1", ("Kh", "9h", "4h")))
    assert of(ev.RoundSettled, events)
    assert table.document["net"] == {1: {"ante": 1_000, "play": 1_000, "bonus": 1_500}}


def test_a_folded_hand_with_a_live_bonus_is_looked_at_and_stays_face_down() -> None:
    table = Seated(SIX_CARD)
    table.bet(1, ante=1_000, six_card_bonus=500)
    table.tell(BetsClosed(), StackOut((None, None, None)), StackOut(("9c", "9d", "9s")), Act(1, "fold"))
    (want,) = table.engine.expectation.wants
    assert isinstance(want, WantReveal) and want.owner == "1"
    events = table.tell(Revealed("1", ("2c", "5d", "9h")))
    assert table.document["net"] == {1: {"ante": -1_000, "six_card_bonus": 50_000}}
    assert "2c" not in str(events) and "four_of_a_kind" not in str(events)


def test_a_folded_hand_whose_bonus_is_lost_is_not_looked_at() -> None:
    table = Seated(SIX_CARD)
    table.bet(1, ante=1_000, pair_plus=500)
    events = table.tell(BetsClosed(), StackOut((None, None, None)), StackOut(("9c", "9d", "9s")), Act(1, "fold"))
    assert of(ev.RoundSettled, events)
    assert table.document["net"] == {1: {"ante": -1_000, "pair_plus": -500}}


def test_a_card_that_left_one_by_one_from_the_shoe_goes_round_the_table() -> None:
    table = Seated("calgrand-three-card-poker", 1, 2, deal="one_at_a_time", device="shoe")
    table.bet(1, ante=1_000)
    table.bet(2, ante=1_000)
    table.tell(BetsClosed())
    said = []
    for code in ("Kd", "Th", "8c", "9s", "7c", "4d", "3c", "2d", "Jh"):
        said.append(table.prompt)
        table.tell(CardOut(code))
    assert said[:4] == [
        "Card 1 to Seat 1, face down",
        "Card 1 to Seat 2, face down",
        "Card 1 to Player-dealer, face down",
        "Card 2 to Seat 1, face down",
    ]


# Trouble


def test_a_stack_of_four_holds_the_table_and_the_right_one_may_follow() -> None:
    table = Seated(SIX_CARD)
    table.bet(1, ante=1_000)
    events = table.tell(BetsClosed(), StackOut(("Kd", "9s", "3c", "2h")))
    assert [event.code for event in of(ev.Held, events)] == ["wrong_count"]
    table.tell(FloorAct("resume", "the four cards are out of play"))
    assert table.prompt == "3 cards to Seat 1, face down"
    events = table.tell(StackOut(("9s", "4d", "5d")))
    assert [event.code for event in of(ev.Held, events)] == ["duplicate_card"]


@pytest.mark.parametrize(("slug", "word"), [(TURLOCK, "FLOOR_DECISION"), (SIX_CARD, "")])
def test_what_the_text_does_not_rule_is_the_floors_in_the_sheets_own_word(slug: str, word: str) -> None:
    table = Seated(slug)
    table.bet(1, ante=1_000)
    events = table.tell(BetsClosed(), Happening("shuffler_failure"))
    assert [event.code for event in of(ev.Held, events)] == ["shuffler_failure"]
    assert [event.code for event in of(ev.Ruled, events)] == ([word] if word else [])


def test_a_void_round_gives_the_play_wager_back_too() -> None:
    table = Seated(TURLOCK, 1, 2)
    table.bet(1, ante=1_000, bonus=500)
    table.bet(2, ante=2_000)
    stacks = StackOut(("Kd", "9s", "3c")), StackOut(("Th", "7c", "2d")), StackOut(("8c", "4d", "Jh"))
    table.tell(BetsClosed(), *stacks, Act(1, "play"))
    (void,) = of(ev.RoundVoided, table.tell(FloorAct("void", "a card on the floor")))
    assert void.returned == {"1": 2_500, "2": 2_000}
    assert table.document["bank_net"] == 0


# Wagers


def test_a_bonus_that_no_longer_equals_its_ante_goes_back_when_bets_close() -> None:
    table = Seated("bankers-three-card-poker")
    table.bet(1, ante=1_000, bonus=1_000)
    table.bet(1, ante=1_500)
    events = table.tell(BetsClosed())
    assert [(event.wager, event.cents) for event in of(ev.WagerSet, events)] == [("bonus", 0)]
    events = table.tell(StackOut(("Kd", "9s", "3c")), StackOut(("Th", "7c", "2d")), Act(1, "fold"))
    assert table.document["net"] == {1: {"ante": -1_500}}
    assert table.document["returned"] == {1: 1_000}


def test_a_back_line_bet_on_a_hand_that_is_not_dealt_goes_back() -> None:
    table = Seated(TURLOCK_SIX, 1, 2)
    table.bet(1, ante=1_000)
    table.bet("2.2", ante=500, pair_plus=500)
    table.tell(BetsClosed(), StackOut(("Kd", "9s", "3c")), StackOut(("Th", "7c", "2d")), Act(1, "play"))
    assert table.document["more"]["dealt_in"] == [1]
    assert table.document["returned"] == {"2.2": 1_000}


def test_a_room_without_back_line_refuses_it() -> None:
    (refused,) = of(ev.Refused, Seated(SIX_CARD).bet("1.2", ante=1_000))
    assert refused.why == "backline_not_allowed"


def test_a_bonus_whose_payoff_the_house_has_not_set_is_not_open() -> None:
    table = Seated(TURLOCK_SIX)
    (refused,) = of(ev.Refused, table.bet(1, ante=1_000, six_card_bonus=500))
    assert (refused.why, refused.text) == ("payoff_not_set", "six_card_bonus is not open at this table")
    assert not of(ev.Refused, Seated(TURLOCK_SIX, six_card_three_of_a_kind=7).bet(1, ante=1_000, six_card_bonus=500))


def test_a_play_wager_of_another_amount_is_refused_and_the_seat_is_asked_again() -> None:
    table = Seated(TURLOCK)
    table.bet(1, ante=1_000)
    table.tell(BetsClosed(), StackOut(("Kd", "9s", "3c")), StackOut(("Th", "7c", "2d")))
    (refused,) = of(ev.Refused, table.tell(Act(1, "play", cents=1_500)))
    assert refused.why == "play_not_equal_ante"
    assert isinstance(table.engine.expectation.wants[0], WantDecision)


# Two decks by turns


def test_the_colour_that_was_just_dealt_holds_the_table_when_it_comes_again() -> None:
    table = Seated(TURLOCK)
    table.tell(PackReported("red", 52, "shuffler"))
    assert not of(ev.Held, table.round())
    table.tell(PackReported("red", 52, "shuffler"))
    events = table.round()
    assert [event.facts for event in of(ev.Irregularity, events)] == [{"back": "red"}]
    assert [event.code for event in of(ev.Held, events)] == ["wrong_deck_colour"]
    events = table.tell(FloorAct("resume", "the blue deck is worn out"))
    assert table.prompt == "Place your bets"


def test_decks_that_take_turns_are_dealt() -> None:
    table = Seated(TURLOCK)
    for back in ("red", "blue", "red", "blue"):
        table.tell(PackReported(back, 52, "shuffler"))
        assert not of(ev.Held, table.round(act="fold"))


def test_a_deck_that_was_void_may_come_again() -> None:
    table = Seated(TURLOCK)
    table.tell(PackReported("blue", 52, "shuffler"))
    table.round()
    table.tell(PackReported("red", 52, "shuffler"))
    table.bet(1, ante=1_000)
    table.tell(FloorAct("void", "jam"), PackReported("red", 52, "shuffler"))
    assert not of(ev.Held, table.round())


@pytest.mark.parametrize("slug", ["bankers-three-card-poker", "turlock-three-card-holdem"])
def test_a_room_with_one_deck_does_not_mind_its_colour(slug: str) -> None:
    table = Seated(slug, deal_device="shuffler") if "holdem" in slug else Seated(slug)
    for _ in range(2):
        table.tell(PackReported("red", 52, "shuffler"))
        assert not of(ev.Held, table.bet(1, ante=1_000))
        table.tell(FloorAct("void", "next"))


def test_two_decks_are_for_a_table_with_a_shuffler() -> None:
    table = Seated("turlock-three-card-holdem", deal_device="shuffler", decks_in_rotation=2)
    assert table.engine.game.decks_in_rotation(table.engine.options) == 2


# What must be true whatever is chosen

UTH: dict[str, tuple[object, ...]] = {
    "deal_device": ("shuffler", "shoe"),
    "trips_on_fold": ("full_hand", "board_only"),
    "folded_trips_paid": ("in_turn", "at_fold"),
    "acting_order": ("deal", "player_dealer_left"),
    "broken_blind": ("round_down", "refuse"),
}
CHOICES: dict[str, dict[str, tuple[object, ...]]] = {
    "bankers-three-card-poker": {
        "decks": (1, 2, 6),
        "nonqualify_not_beaten": ("lose", "push", "pay"),
        "schedule": ("", "ca-2/three-card-poker/16", "rules-early/three-card-poker/1"),
    },
    SIX_CARD: {"schedule": ("", "ca-2/three-card-poker/1")},
    "calgrand-three-card-poker": {
        "decks": (1, 6),
        "device": ("shuffler", "shoe"),
        "deal": ("packets", "one_at_a_time"),
        "schedule": ("", "tcp-r1-A2", "tcp-r2-P-bonus"),
    },
    "calgrand-three-card-poker-1-3": {
        "nonqualify_lower_hand": ("lose", "return"),
        "nonqualify_tie": ("push", "lose"),
        "deal": ("packets", "one_at_a_time"),
    },
    TURLOCK: {
        "coverage": ("collect_then_pay", "single_use"),
        "a23_suited": ("straight_flush", "flush"),
        "schedule": ("", "tcp-uth-2016-1"),
    },
    TURLOCK_SIX: {
        "settlement_start": ("action_button", "left_of_player_dealer"),
        "six_card_three_of_a_kind": (6, 7, 8),
        "a23_suited": ("straight_flush", "flush"),
        "schedule": ("", "tcp6-2013-1"),
    },
    "turlock-three-card-holdem": {"deal_device": ("hand", "shuffler"), "button_card": ("communal_1", "communal_3")},
    "bankers-ultimate-texas-holdem": UTH,
    "turlock-ultimate-texas-holdem": UTH,
    "calgrand-caribbean-stud-poker": {
        "ties": ("push", "player_dealer", "player"),
        "action_source": ("last_card", "dice"),
        "qualifier": ("A-K", "pair"),
    },
    "village-caribbean-stud": {"schedule": ("", "village/caribbean-stud/1")},
}


class Evening:
    """Some rounds from one seed under options of that seed, cards read or not."""

    def __init__(self, slug: str, seed: int) -> None:
        self.rng = rng = random.Random(f"{slug}/{seed}")
        self.ruleset = load(slug)
        self.options = self.ruleset.options({name: rng.choice(values) for name, values in CHOICES[slug].items()})
        bank = rng.choice((None, (0,), (3_000,), (500, 2_500), (10_000_000,)))
        seats = tuple(sorted(rng.sample(range(1, 7), rng.randrange(1, 6))))
        self.setup = Setup(seats, player_dealer=7, bank=bank)
        self.engine = self.new_table()
        self.inputs: list[Input] = []
        self.events: list[ev.Event] = []
        self.left: list[str] = []
        self.unread = rng.choice((0, 0, 4))

    def new_table(self) -> TableEngine[Any]:
        return TableEngine(self.ruleset.game, self.options, TableState(self.setup), self.ruleset.slug)

    def play(self, rounds: int) -> list[dict[str, Any]]:
        results: list[dict[str, Any]] = []
        while len(results) < rounds:
            self.shuffle()
            last = self.engine.last
            while self.engine.last is last:
                assert self.engine.expectation.wants, "the round is not over, and the table waits for nothing"
                body = answer(self.engine.expectation, self.rng, self.next_card, name_card=self.left.pop)
                self.inputs.append(Input(len(self.inputs), "bot", body))
                self.events += self.engine.apply(self.inputs[-1])
            assert self.engine.last is not None
            results.append(self.engine.last.document)
        return results

    def shuffle(self) -> None:
        deck = self.ruleset.game.deck(self.options)
        assert deck is not None
        self.left = [code for code, copies in deck.items() for _ in range(copies)]
        self.rng.shuffle(self.left)

    def next_card(self) -> str | None:
        return None if self.unread and self.rng.randrange(self.unread) == 0 else self.left.pop()


@pytest.mark.parametrize("slug", CHOICES)
@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_chosen_money_is_conserved_and_replay_is_the_first_run(slug: str, seed: int) -> None:
    evening = Evening(slug, seed)
    deck = evening.ruleset.game.deck(evening.options) or {}
    for result in evening.play(rounds=3):
        moved = sum(sum(wagers.values()) for wagers in result["net"].values())
        assert moved + result["bank_net"] == 0
        cover = result["more"]["cover_left"]
        assert cover is None or cover >= 0
        held = Counter(code for hand in result["hands"].values() for code in hand)
        assert all(copies <= deck[code] for code, copies in held.items())
    again = evening.new_table()
    events = [event for value in evening.inputs for event in again.apply(value)]
    assert list(map(ev.encode_event, events)) == list(map(ev.encode_event, evening.events))
    assert msgspec.json.encode(again.state) == msgspec.json.encode(evening.engine.state)
