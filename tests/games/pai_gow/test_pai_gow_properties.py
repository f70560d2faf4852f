"""Evenings of pai gow poker in every room from random seeds: what must always be true."""

from __future__ import annotations

import random

import msgspec
import pytest

from controller.engine import events as ev
from controller.engine.expect.choices import WantDecision
from controller.engine.expect.expectation import Expectation
from controller.engine.expect.wants import WantCard, WantDice, WantReveal, WantWagers
from controller.engine.inputs import (
    Act,
    AnyBody,
    BankPosted,
    BetsClosed,
    CardOut,
    DiceRolled,
    FloorAct,
    Happening,
    Place,
    Revealed,
    StackOut,
    WagerPlaced,
)
from controller.engine.round.felt import Setup
from tests.support.games.pai_gow_tables import DECK, RULESET, SCHEDULE, Room

ROOMS: dict[str, dict[str, tuple[object, ...]]] = {
    RULESET: {
        "deal_device": ("shuffler", "hand"),
        "joker": ("fully_wild", "semi_wild"),
        "envy_trigger": ("any_player", "fortune_bettor"),
        "schedule": ("", SCHEDULE, "paigow-2016-1", "paigow-2016-4"),
    },
    "bankers-pai-gow-poker": {
        "joker": ("semi", "wild", "none"),
        "house_way": ("", "fortune-pai-gow-poker-1-1"),
        "back_line_wagers": ("all", "none"),
        "schedule": ("", "ca-1/pai-gow-poker/1"),
    },
    "bankers-fortune-pai-gow-poker-1-1": {"schedule": ("", "ca-1/fortune-pai-gow-poker/3")},
    "bankers-fortune-pai-gow-poker-joker-fully-wild": {
        "envy_five_of_a_kind": (None, 2500),
        "shuffle": ("machine", "hand"),
        "schedule": ("", "rules-fpg-jfw/fortune-pai-gow-poker-joker-fully-wild/3"),
    },
    "calgrand-pai-gow-poker": {"jokers": (0, 1), "schedule": ("", "bjpg-r2-A")},
    "turlock-pai-gow-poker": {"joker": ("semi", "wild", "none"), "schedule": ("", "paigow-2016-2")},
    "village-pai-gow-poker": {
        "joker": ("wild", "pair_straight_flush", "ace_straight_flush"),
        "schedule": ("", "village/pai-gow-poker/1"),
    },
}
"""Every ruleset with the options that an evening picks from."""
TROUBLE = ("exposed_in_deal", "exposed_while_making_piles", "boxed_in_deal")


class Evening:
    """Plays rounds at random through the public surface, and checks after every input what must always be true."""

    def __init__(self, slug: str, seed: int) -> None:
        self.rng = random.Random(f"{slug}/{seed}")
        self.setup = Setup(seats=tuple(sorted(self.rng.sample(range(1, 7), self.rng.randint(1, 6)))), player_dealer=7)
        self.chosen = {name: self.rng.choice(values) for name, values in ROOMS[slug].items()}
        self.table = Room(slug, self.setup, **self.chosen)
        self.deck: list[str] = []
        self.hidden: dict[str, list[str]] = {}
        self.shown: set[str] = set()
        self.blind = self.rng.random() < 0.3
        """No reader in the machine: every card is unread until it is revealed."""

    def play(self, rounds: int) -> None:
        for _ in range(rounds):
            codes = [code for code in DECK if code in self.table.options.deck]
            self.deck, self.hidden, self.shown = self.rng.sample(codes, len(codes)), {}, set()
            last = self.table.engine.last
            while self.table.engine.last is last:
                expectation = self.table.engine.expectation
                assert expectation.wants
                assert not self.leaks(msgspec.json.encode(expectation).decode() + self.table.prompt)
                if self.rng.random() < 0.01:
                    self.watch(self.table.feed(Happening("shuffler_jam"), FloorAct("resume", "cleared")))
                    # What it waits for; beside that the floor may void the round, which has begun now if it had not.
                    assert self.table.engine.expectation.wants == expectation.wants
                self.watch(self.table.feed(self.answer(expectation)))
                if self.rng.random() < 0.01:
                    self.watch(self.exposed())
            self.check_the_money()
            self.check_the_cards()

    def exposed(self) -> list[ev.Event]:
        """The card that went to a pile last was seen."""
        last = self.table.inputs[-1]
        if not isinstance(last, CardOut) or last.card is None or self.table.engine.round is None:
            return []
        self.shown.add(last.card)
        events = self.table.feed(Happening(self.rng.choice(TROUBLE), card=last.card))
        held = self.table.engine.round is not None and self.table.engine.round.held is not None
        return events + (self.table.feed(FloorAct("resume", "it lies as it lies")) if held else [])

    def answer(self, expectation: Expectation) -> AnyBody:
        want = self.rng.choice(expectation.wants)
        match want:
            case WantWagers():
                return self.bet(want)
            case WantCard():
                count = want.count if self.rng.random() < 0.5 else 1
                out = [self.deck.pop() for _ in range(count)]
                self.hidden.setdefault(want.to, []).extend(out)
                cards = [None if self.blind else code for code in out]
                return StackOut(tuple(cards)) if count > 1 else CardOut(cards[0])
            case WantDice():
                return DiceRolled(tuple(self.rng.randint(1, 6) for _ in range(3)))
            case WantReveal():
                return Revealed(want.owner, tuple(self.hidden[want.owner]))
            case WantDecision() if want.choices[0].do == "choose_pile":
                return Act(want.seat, "choose_pile", pile=self.rng.randint(1, 7))
            case WantDecision():
                owner = "player_dealer" if want.seat == 7 else str(want.seat)
                if want.choices[0].by and self.rng.random() < 0.3:
                    return Act(want.seat, "set", by="house")
                return Act(want.seat, "set", front=tuple(self.rng.sample(self.hidden[owner], 2)))
        raise AssertionError(f"nobody knows what to do: {want}")

    def bet(self, want: WantWagers) -> AnyBody:
        if self.rng.random() < 0.05:
            return BankPosted(tuple(self.rng.randint(0, 40) * 500 for _ in range(self.rng.randint(1, 3))))
        if self.rng.random() < 0.15:
            return BetsClosed()
        place: Place = self.rng.choice(want.seats)
        if self.rng.random() < 0.2:
            place = f"{place}.2"
        return WagerPlaced(place, self.rng.choice(want.rules).id, self.rng.randint(0, 30) * 500)

    def watch(self, events: list[ev.Event]) -> None:
        for event in events:
            if isinstance(event, ev.PileGiven):
                self.hidden.setdefault(event.to, []).extend(self.hidden.pop(f"pile_{event.pile}"))
            if isinstance(event, ev.CardsTakenBack):
                # The first of the cards left over went into the pile in its place.
                (aside,) = event.cards
                pile = self.hidden[event.owner]
                pile[pile.index(str(aside))] = self.hidden["discards"].pop(0)
                self.hidden["aside"] = [str(aside)]
            if isinstance(event, ev.HandShown):
                assert sorted(event.cards) == sorted(self.hidden[event.owner])
                self.shown |= set(event.cards)
            assert not self.leaks(ev.encode_event(event).decode())

    def leaks(self, text: str) -> list[str]:
        """Cards of this round that nobody may know yet but that are in the text."""
        return [code for code in DECK if f'"{code}"' in text and code not in self.shown]

    def check_the_money(self) -> None:
        document = self.table.document
        net, bank = document["net"], document["bank_net"]
        assert isinstance(net, dict)
        assert isinstance(bank, int)
        assert sum(sum(wagers.values()) for wagers in net.values()) + bank == 0
        by_spot = document["bank_net_by_spot"]
        assert isinstance(by_spot, list)
        posted = [body.spots for body in self.table.inputs if isinstance(body, BankPosted)]
        if posted and self.table.engine.state.rounds == 1:
            assert all(abs(came) <= spot for came, spot in zip(by_spot, posted[-1], strict=True))

    def check_the_cards(self) -> None:
        held = [code for cards in self.hidden.values() for code in cards]
        assert len(held) == len(set(held))


@pytest.mark.parametrize("slug", ROOMS)
@pytest.mark.parametrize("seed", range(6))
def test_money_is_conserved_no_hidden_card_is_published_and_replay_is_the_first_run(slug: str, seed: int) -> None:
    evening = Evening(slug, seed)
    evening.play(rounds=4)
    again = Room(slug, evening.setup, **evening.chosen)
    again.feed(*evening.table.inputs)
    events = [[ev.encode_event(event) for event in table.events] for table in (evening.table, again)]
    assert events[0] == events[1]
