"""Every ruleset played at random from its public expectation alone, and what must be true of every round.

A failure prints ruleset and seed; the same seed plays the same evening again.
"""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
import pytest

from controller.engine import events as ev
from controller.engine.cards.card import Audience, Slot, card, codes, standard_deck
from controller.engine.expect.bot import NoAnswer, answer
from controller.engine.expect.choices import Choice, WantDecision
from controller.engine.expect.expectation import Expectation, cards_allowed, judge, prompt
from controller.engine.expect.wants import WantFloor, WantReveal
from controller.engine.inputs import (
    Act,
    AnyBody,
    BetsClosed,
    CardOut,
    FloorAct,
    Happening,
    Input,
    Place,
    Revealed,
    StackOut,
    WagerPlaced,
    decode_input,
    encode_input,
)
from controller.engine.round.felt import Setup, Table
from controller.engine.round.kernel import Round
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.rules import Ruleset, all_rulesets
from tests.support.games.own_cards import own_cards

ROUNDS = 4
MOST_INPUTS = 3000
"""No game at a table of seven needs more inputs than this for a few rounds: beyond it, something loops."""
ENOUGH_INPUTS = 300
"""After this number of inputs no further round is begun."""


def new_table(ruleset: Ruleset, setup: Setup) -> TableEngine[Any]:
    return TableEngine(ruleset.game, ruleset.options(), TableState(setup), ruleset.slug, rotation=ruleset.rotation())


def is_dealt(ruleset: Ruleset) -> bool:
    """Some sheets answer questions only; a table that posts one waits for the floor to choose a game."""
    wants = new_table(ruleset, a_table(random.Random(0), ruleset)).expectation.wants
    return not all(isinstance(want, WantFloor) and not want.choices for want in wants)


def a_table(rng: random.Random, ruleset: Ruleset) -> Setup:
    """Some seats, a player-dealer, a button, blinds and stacks: every game takes what it needs of it."""
    options = ruleset.options()
    fewest, most = getattr(options, "fewest_seats", 2), ruleset.game.most_seats(options) or 14
    players = min(6, most - ruleset.game.has_player_dealer)
    seats = sorted(rng.sample(range(1, 7), rng.randrange(fewest, players + 1)))
    button, small, big = (seats * 3)[:3]
    if len(seats) == 2:
        small, big = button, small
    structures: tuple[dict[str, Any], ...] = ({"kind": "fixed_limit", "low": 300, "high": 600}, {"kind": "no_limit"})
    return Setup(
        seats=tuple(seats),
        player_dealer=7,
        button=button,
        settings={
            "structure": rng.choice(structures),
            "blinds": {small: 100, big: 300},
            "stacks": {seat: rng.randrange(1, 60) * 100 for seat in seats},
        },
        bank=rng.choice((None, (0,), (20_000,), (5_000, 40_000), (100_000_000,))),
    )


DEALT = {slug: ruleset for slug, ruleset in all_rulesets().items() if is_dealt(ruleset)}
each_ruleset = pytest.mark.parametrize("slug", list(DEALT))


def evenings(most: int) -> pytest.MarkDecorator:
    """Up to `most` seeds for one ruleset of each script, one for every other: they differ by data. More in a soak."""
    least = int(os.environ.get("CUTCARD_EVENINGS", "1"))
    first = {ruleset.game.slug: slug for slug, ruleset in reversed(DEALT.items())}.values()
    chosen = [(slug, seed) for slug in DEALT for seed in range(max(most, least) if slug in first else least)]
    return pytest.mark.parametrize(("slug", "seed"), chosen)


class Pack:
    """The deck or shoe as the driver has it. A card that the reader missed stays in it until a person names it."""

    def __init__(self, cards: Mapping[str, int] | None, rng: random.Random, unread_one_in: int) -> None:
        self._cards, self._rng, self._one_in = cards, rng, unread_one_in
        self.shuffle()

    def shuffle(self) -> None:
        cards = self._cards if self._cards is not None else dict.fromkeys(codes(standard_deck()), 1)
        self._left = [code for code, count in cards.items() for _ in range(count)]
        self._rng.shuffle(self._left)

    def next_card(self) -> str | None:
        if not self._left or (self._one_in and self._rng.randrange(self._one_in) == 0):
            return None
        return self._left.pop()

    def take_back(self, out: Mapping[str, int]) -> None:
        """Discards were shuffled into the stub: everything is in it that is not out."""
        assert self._cards is not None
        self._left = [code for code, count in self._cards.items() for _ in range(count - out.get(code, 0))]
        self._rng.shuffle(self._left)

    def name_card(self) -> str:
        if not self._left:
            raise NoAnswer("every card has left the deck")
        return self._left.pop()

    @property
    def has_cards(self) -> bool:
        return bool(self._left)

    def put_back(self, code: str) -> None:
        self._left.insert(0, code)


class Evening:
    """A few rounds of one ruleset from one seed: what went in, what came out, and a look at every step."""

    def __init__(self, slug: str, seed: int, *, unread_one_in: int = 0, trouble_one_in: int = 0) -> None:
        self.rng = random.Random(f"{slug}/{seed}")
        self.ruleset = all_rulesets()[slug]
        self.setup = a_table(self.rng, self.ruleset)
        self.engine = new_table(self.ruleset, self.setup)
        deck = self.ruleset.game.deck(self.engine.options)
        self.pack = Pack(deck, self.rng, unread_one_in)
        self.trouble_one_in = trouble_one_in
        self.inputs: list[Input] = []
        self.events: list[ev.Event] = []
        self.strays: list[str] = []
        self.rounds: list[dict[str, Any]] = []
        self.deck = deck

    def play(self, rounds: int = ROUNDS) -> Evening:
        while len(self.rounds) < rounds and not (self.rounds and len(self.inputs) > ENOUGH_INPUTS):
            assert len(self.inputs) < MOST_INPUTS, f"goes in circles at: {prompt(self.engine.expectation)}"
            self._step()
        return self

    def _step(self) -> None:
        engine, last = self.engine, self.engine.last
        current = engine.round
        if not self.ruleset.game.uses_shoe and current is not None and not current.begun:
            self.pack.shuffle()
        expectation = engine.expectation
        assert expectation.wants, "the round is not over, and the table waits for nothing"
        assert prompt(expectation)
        body = self._trouble() if self._happens(self.trouble_one_in) else None
        if body is None:
            body = self._answer(expectation)
        legal = judge(expectation, body) is None
        value = Input(len(self.inputs), "bot", body)
        self.inputs.append(value)
        events = engine.apply(value)
        self.events += events
        refused = [event for event in events if isinstance(event, ev.Refused)]
        if not isinstance(body, CardOut | StackOut):
            # What is not legal is refused; what is legal is done, unless a hand that nobody may know speaks against it.
            hidden = legal and isinstance(body, Act | Revealed)
            assert hidden or legal == (not refused), f"{body} at {prompt(expectation)}: {refused}"
        self._clear_strays(current)
        if current is not None and any(isinstance(event, ev.CardsTakenBack) and event.to == "stub" for event in events):
            self.pack.take_back(current.table.out)
        if type(body).__name__ == "ShoeStarted":
            self.pack.shuffle()
        if current is not None:
            check_cards_are_in_one_place(current.table, self.deck)
            public = engine.public_result if current.begun else {}
            check_barrier(current.table, [*events, engine.expectation], public)
        if engine.last is not last:
            assert engine.last is not None
            self.rounds.append(engine.last.document)

    def _answer(self, expectation: Expectation) -> AnyBody:
        try:
            body = answer(
                expectation, self.rng, self.pack.next_card, name_card=self.pack.name_card, look=self._own_cards
            )
        except NoAnswer:
            # A game that deals the whole deck cannot go on when a stray was put out of play.
            assert self.trouble_one_in and not self.pack.has_cards
            return FloorAct("void", "cards are missing")
        assert judge(expectation, body) is None
        return body

    def _clear_strays(self, current: Round | None) -> None:
        """A stray card goes back into the pack, unless the floor plays it or it was no stray."""
        self.strays += [body.card for body in (self.inputs[-1].body,) if isinstance(body, CardOut) and body.card]
        if current is not None and current.over:
            # The next round has a pack of its own, the strays of a void one among it.
            self.strays.clear()
        if current is None or current.table.strays:
            return
        lying = {slot.card.code for slot in slots(current.table) if slot.is_read}
        for code in self.strays:
            if code not in lying and not self.ruleset.game.uses_shoe:
                self.pack.put_back(code)
        self.strays.clear()

    def _happens(self, one_in: int) -> bool:
        return bool(one_in) and self.rng.randrange(one_in) == 0

    def _trouble(self) -> AnyBody:
        """What may not be: a stray card, a stack too many, a person out of turn, a jam."""
        seats = self.setup.seats
        if self._happens(8):
            return CardOut(self.pack.next_card())
        return self.rng.choice(
            (
                StackOut((None,) * self.rng.randrange(9)),
                Act(self.rng.choice(seats), self.rng.choice(("check", "fold", "hit", "split", "raise", "nonsense"))),
                WagerPlaced(self.rng.choice(seats), "no_such_bet", 500),
                BetsClosed(),
                Revealed("board", ("As",)),
                Happening("shuffler_jam"),
                FloorAct("hold", "a look at the cards"),
                FloorAct("waive", "a slow hand"),
                FloorAct("void", "a dispute") if self._happens(4) else FloorAct("resume"),
                Happening("something_odd"),
                FloorAct("nonsense"),
            )
        )

    def _own_cards(self, place: Place) -> Sequence[str]:
        return own_cards(self.engine, place)


def slots(table: Table) -> Iterator[Slot]:
    for hand in table.hands.values():
        yield from hand
    yield from table.burns
    yield from table.strays
    yield from table.queue


def check_cards_are_in_one_place(table: Table, deck: Mapping[str, int] | None) -> None:
    if deck is None:
        return
    lying = Counter(slot.card.code for slot in slots(table) if slot.is_read)
    for code, count in lying.items():
        assert count <= deck.get(code, 0), f"{code} lies in {count} places"


def check_barrier(table: Table, said: Sequence[ev.Event | Expectation], public: dict[str, Any]) -> None:
    """Whatever is said names only cards that everybody may know."""
    exposed = {slot.card.code for slot in slots(table) if slot.is_read and slot.audience is Audience.ALL}
    texts = [msgspec.json.encode(value).decode() for value in (*said, public)]
    texts += [prompt(value) for value in said if isinstance(value, Expectation)]
    for text in texts:
        leaked = set(re.findall(r"(?<![A-Za-z0-9])(?:[2-9TJQKA][cdhs]\*?|Jo)(?![A-Za-z0-9])", text)) - exposed
        assert not leaked, f"{leaked} is not exposed, but: {text}"


def total(value: Any) -> int:
    if isinstance(value, dict):
        return sum(total(part) for part in value.values())
    return int(value)


@cache
def played(slug: str, seed: int) -> Evening:
    """An evening without trouble, looked at by several tests."""
    return Evening(slug, seed).play()


# What must be true of every game


@evenings(3)
@pytest.mark.clause("CA-BPC-19984")
def test_every_cent_goes_from_somebody_to_somebody(slug: str, seed: int) -> None:
    for result in played(slug, seed).rounds:
        # Fees are stated separately: they are taken off neither what a seat won nor a pot.
        assert total(result["net"]) + result["bank_net"] + result["more"].get("carried", 0) == 0
        assert all(pot["cents"] == total(pot["to"]) for pot in result["pots"])
        if result["void"]:
            assert total(result["net"]) == 0


@evenings(3)
@pytest.mark.clause("CA-PC-330.11")
def test_the_player_dealers_money_is_used_once(slug: str, seed: int) -> None:
    for result in played(slug, seed).rounds:
        left = result["more"]["cover_left"]
        if left is not None:
            assert left >= 0
            assert result["uncovered"] == {} or left == 0


@evenings(3)
def test_a_game_is_played_to_its_end_though_cards_are_not_read(slug: str, seed: int) -> None:
    evening = Evening(slug, seed, unread_one_in=6).play()
    assert len(evening.rounds) == ROUNDS or len(evening.inputs) > ENOUGH_INPUTS


@evenings(3)
def test_trouble_is_refused_or_held_and_the_round_still_ends(slug: str, seed: int) -> None:
    evening = Evening(slug, seed, unread_one_in=20, trouble_one_in=12).play()
    for result in evening.rounds:
        assert total(result["net"]) + result["bank_net"] + result["more"].get("carried", 0) == 0


@evenings(2)
def test_the_same_inputs_give_the_same_events_byte_for_byte(slug: str, seed: int) -> None:
    evening = Evening(slug, seed, unread_one_in=10, trouble_one_in=20).play()
    again = new_table(evening.ruleset, evening.setup)
    stored = [decode_input(encode_input(value)) for value in evening.inputs]
    events = [event for value in stored for event in again.apply(value)]
    assert list(map(ev.encode_event, events)) == list(map(ev.encode_event, evening.events))
    assert again.expectation == evening.engine.expectation
    assert msgspec.json.encode(again.state) == msgspec.json.encode(evening.engine.state)


@each_ruleset
def test_most_rounds_of_the_bot_are_played_and_not_void(slug: str) -> None:
    """Else the others would prove little."""
    void = [result["void"] for seed in range(3) for result in played(slug, seed).rounds]
    assert sum(void) * 2 < len(void)


@each_ruleset
def test_a_seed_plays_the_same_evening_again(slug: str) -> None:
    assert Evening(slug, 0).play().inputs == played(slug, 0).inputs


@each_ruleset
def test_the_lock_lets_cards_out_only_while_one_is_expected(slug: str) -> None:
    evening = Evening(slug, 3)
    before = 0
    while len(evening.rounds) < 2:
        before = cards_allowed(evening.engine.expectation)
        evening._step()
        body = evening.inputs[-1].body
        if isinstance(body, CardOut | StackOut):
            assert (1 if isinstance(body, CardOut) else len(body.cards)) <= before


def test_a_face_down_card_in_an_event_is_seen() -> None:
    table = Table(Setup(), {"9h": 1}, {})
    table.hand("3").slots.append(Slot(card("9h"), Audience.NOBODY))
    with pytest.raises(AssertionError, match="9h"):
        check_barrier(table, [ev.StreetDealt("9h on the flop")], {})
    table.hand("3").expose()
    check_barrier(table, [ev.StreetDealt("9h on the flop")], {})


# The bot itself


def test_the_bot_has_no_answer_where_nothing_is_awaited() -> None:
    with pytest.raises(NoAnswer, match="the round is over"):
        answer(Expectation(()), random.Random(0), lambda: None)


def test_the_bot_says_what_it_lacks() -> None:
    with pytest.raises(NoAnswer, match="Seat 3: key the 2 cards"):
        answer(Expectation((WantReveal("3", 2),)), random.Random(0), lambda: None)
    discard = Expectation((WantDecision(3, (Choice("discard", count=(1, 5)),)),))
    with pytest.raises(NoAnswer, match="may not see the cards"):
        answer(discard, random.Random(0), lambda: None)


@pytest.mark.parametrize("seed", range(50))
def test_the_bot_keeps_to_every_bound_of_a_choice(seed: int) -> None:
    choices = (
        Choice("double", min_cents=500, max_cents=1750),
        Choice("raise", to=(600, 2500)),
        Choice("call", to_one_of=(300, 275)),
        Choice("bet", cents=900),
        Choice("set", count=(2, 2), cards=("As", "Kd", "9h", "2c"), by=("house",)),
        Choice("discard", count=(0, 3), cards=("As", "Kd", "9h", "2c")),
        Choice("take", piles=7),
        Choice("set", count=(2, 2), by=("house",)),
    )
    for choice in choices:
        waiting = Expectation((WantDecision(5, (choice,)),))
        assert judge(waiting, answer(waiting, random.Random(seed), lambda: None)) is None
