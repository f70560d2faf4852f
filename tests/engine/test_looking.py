"""Looking changes nothing: the same inputs give the same events and the same table, whoever reads it in between.

Every ruleset is played at a table with all that may fall due before its first card: posted fees that are waited for,
drop-box sensors, packs, a floor that sets the next hand. What the bot put in is then applied again twice: once nobody
looks, once every public document is read between any two inputs.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from controller.demo.needs import choose_fees, needs_of
from controller.engine import events as ev
from controller.engine.expect.bot import answer
from controller.engine.expect.expectation import Expectation, WantDrop, WantWagers
from controller.engine.inputs import (
    AnyBody,
    BankPosted,
    CardOut,
    DealerSigned,
    DeviceSeen,
    FloorAct,
    Input,
    PackReported,
    SensorSeen,
    StackOut,
    TableSet,
    TimePassed,
    WagerPlaced,
)
from controller.engine.round.felt import Script, Setup, Table
from controller.engine.round.game import Game
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.recorder.recorder import engine_from
from controller.rules import resolve
from controller.soak.looking import Onlooker
from tests.engine.test_bot import DEALT, Pack, a_table, fewest_seats
from tests.support.own_cards import own_cards

INPUTS = 220
BOXES = ("collection", "jackpot")


class HouseEvening:
    """Inputs of one table of a house, from one seed: what its bot, sensors, devices and floor put in."""

    def __init__(self, slug: str, seed: int) -> None:
        self.rng = random.Random(f"{slug}/{seed}/house")
        self.options = choose_fees(slug, needs_of(slug), self.rng)
        chosen = a_table(self.rng, fewest_seats(DEALT[slug]))
        setup = msgspec.structs.replace(chosen, awaits_drop=self.rng.random() < 0.8)
        self.first = TableState(setup, slug, self.options)
        self.engine = engine_from(self.first, resolve)
        deck = self.engine.game.deck(self.engine.options)
        self.pack = Pack(deck, self.rng, 0)
        self._cards = None if deck is None else sum(deck.values())
        self.inputs: list[Input] = []
        self.caused: list[list[ev.Event]] = []
        self._at, self._mark = 1_760_000_000_000, 0

    def play(self) -> HouseEvening:
        while len(self.inputs) < INPUTS:
            if not self.engine.is_dealing and not self.engine.game.uses_shoe:
                self.pack.shuffle()
            body = self._besides() if self.rng.random() < 0.25 else self._next_move()
            self.put_in(body)
        return self

    def put_in(self, body: AnyBody) -> None:
        self._at += self.rng.choice((200, 3_000, 20_000))
        value = Input(self._at, "device:boxes" if isinstance(body, SensorSeen) else "bot", body)
        self.inputs.append(value)
        self.caused.append(self.engine.apply(value))
        if type(body).__name__ == "ShoeStarted":
            self.pack.shuffle()

    def _next_move(self) -> AnyBody:
        expectation = self.engine.expectation
        drop = next((want for want in expectation.wants if isinstance(want, WantDrop)), None)
        if drop is not None and self.rng.random() < 0.8:
            return self._fell(self.rng.choice(sorted(drop.boxes)))
        if not self.pack.has_cards:
            self.pack.shuffle()
            return FloorAct("void", "no card is left") if self.engine.is_dealing else TimePassed()
        return answer(
            expectation,
            self.rng,
            self.pack.next_card,
            name_card=self.pack.name_card,
            look=lambda place: own_cards(self.engine, place),
        )

    def _besides(self) -> AnyBody:
        """What happens beside the game, whatever it waits for."""
        setup = self.engine.state.setup
        return self.rng.choice(
            (
                self._fell(self.rng.choice(BOXES)),
                self._fell(self.rng.choice(BOXES)),
                SensorSeen("boxes.collection", "collection", "door_opened", mark={"n": self._mark}),
                SensorSeen("boxes.collection", "collection", "door_closed", mark={"n": self._mark}),
                DeviceSeen("shoe", self.rng.choice(("online", "offline")), {"kind": "shoe"}),
                PackReported(cards=self._cards),
                DealerSigned(self.rng.choice(("ann", "bob"))),
                TimePassed(),
                TableSet(settings={**setup.settings, "stacks": dict.fromkeys(setup.seats, 9000)}),
                TableSet(button=self.rng.choice(setup.seats)),
                BankPosted((50_000,)),
                FloorAct("hold", "a look at the cards"),
                FloorAct("resume", "all is well"),
                FloorAct("waive", "a slow evening"),
                WagerPlaced(setup.seats[0], "no_such_bet", 100),
            )
        )

    def _fell(self, box: str) -> SensorSeen:
        self._mark += 1
        return SensorSeen(f"boxes.{box}", box, "dropped", 1, mark={"n": self._mark, "box_present": True})


def fed_again(evening: HouseEvening, look: Callable[[TableEngine[Any]], object]) -> tuple[list[bytes], bytes]:
    """The evening's inputs at another table, which somebody looks at before the first and after each."""
    engine = engine_from(evening.first, resolve)
    caused = []
    look(engine)
    for value in evening.inputs:
        caused.append(ev.encode_events(engine.apply(value)))
        look(engine)
    return caused, msgspec.json.encode(engine.state)


@pytest.mark.parametrize("slug", list(DEALT))
def test_the_same_inputs_give_the_same_events_whoever_looks(slug: str) -> None:
    evening = HouseEvening(slug, 1).play()
    unseen = fed_again(evening, lambda engine: None)
    onlooker = Onlooker()
    seen = fed_again(evening, onlooker.everything_public)
    assert seen == unseen
    assert unseen[0] == [ev.encode_events(events) for events in evening.caused]
    assert not any(
        isinstance(event, ev.Irregularity) and event.code == "engine_fault"
        for events in evening.caused
        for event in events
    )


def test_reading_a_table_twice_gives_the_same_documents() -> None:
    onlooker = Onlooker()
    engine = HouseEvening("village-chinese-poker", 3).play().engine
    assert onlooker.everything_public(engine) == onlooker.everything_public(engine)


class FeeFirst(Game[Any]):
    """A game that owes and says something before anything has happened, as Chinese Poker does."""

    slug, title = "fee-first", "Fee First"

    def deck(self, options: Any) -> dict[str, int] | None:
        return None

    def play(self, t: Table, options: Any) -> Script:
        t.emit(ev.Ruled("opened", None))
        yield from t.deal(t.hand("player"))


def a_fee_first_table() -> TableEngine[Any]:
    return TableEngine(FeeFirst(), None, TableState(Setup((1, 2))))


def test_what_a_script_says_before_the_first_input_is_published_with_the_round_and_not_with_a_refusal() -> None:
    engine = a_fee_first_table()
    refused = engine.apply(Input(1, "bot", WagerPlaced(1, "line", 500)))
    assert [type(event) for event in refused] == [ev.Refused]
    begun = engine.apply(Input(2, "bot", CardOut("9h")))
    assert [type(event) for event in begun][:3] == [ev.RoundStarted, ev.Ruled, ev.CardDealt]


class BrokenAtOnce(FeeFirst):
    slug = "broken-at-once"

    def play(self, t: Table, options: Any) -> Script:
        raise RuntimeError("a mistake in a game's script")
        yield Expectation((WantWagers((), (), {}),))


def test_a_script_that_fails_at_its_start_holds_the_table_and_the_floor_can_void() -> None:
    engine = TableEngine(BrokenAtOnce(), None, TableState(Setup((1, 2))))
    assert [want.code for want in engine.expectation.wants] == ["engine_fault"]  # type: ignore[union-attr]
    assert isinstance(engine.apply(Input(1, "bot", StackOut((None,))))[-1], ev.Irregularity)
    events = engine.apply(Input(2, "bot", FloorAct("void", "it does not run")))
    assert isinstance(events[-1], ev.RoundVoided)
    assert engine.round_number == 1
