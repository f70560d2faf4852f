"""Looking changes nothing: the same inputs give the same events and the same table, also if it is read in between.

Every ruleset is played at a table with all that may fall due before its first card: posted fees that are waited for,
drop-box sensors, packs, a floor that sets the next hand and corrects. What the bot put in is then applied again twice:
once nobody looks, once every public document is read between any two inputs. And it is written to two journals: once
nobody looks, once the status line, the numbers for Prometheus and the recall of the last rounds are read as well.
A run takes a sixth of the rulesets, others with each commit; `make whole` takes all.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest

from controller.config import Config
from controller.demo.needs import Stakes, choose_fees, needs_of, stakes_of
from controller.engine import events as ev
from controller.engine.expect.bot import answer
from controller.engine.expect.expectation import Expectation
from controller.engine.expect.wants import WantDrop, WantWagers
from controller.engine.inputs import (
    Amended,
    AnyBody,
    BankPosted,
    CardOut,
    Change,
    DealerSigned,
    DeviceSeen,
    FloorAct,
    Input,
    PackReported,
    SensorSeen,
    StackOut,
    Started,
    TableSet,
    TimePassed,
    WagerPlaced,
)
from controller.engine.round.felt import Script, Setup, Table
from controller.engine.round.game import Game
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.evidence.round_text import recall
from controller.evidence.rounds import last_rounds
from controller.evidence.words import Words
from controller.journal import Journal, JournalReader, Seeded
from controller.metrics import TableMetrics
from controller.outputs.device_commands import DeviceCommands
from controller.outputs.documents import TableDocuments
from controller.recorder.recorder import Recorder, engine_from
from controller.rules import load, resolve
from controller.soak.looking import Onlooker
from devices.supervisor import Supervisor
from tests.engine.test_bot import DEALT, Pack, a_table
from tests.support.evidence_journals import SITE, TABLE
from tests.support.games.own_cards import own_cards
from tests.support.turns import part

INPUTS = 220
READ_INPUTS = 60
"""Where everybody looks, and each input is written to a disk."""
RECALLED_EVERY = 5
"""Entries between two looks at the last rounds in the journal."""
BOXES = ("collection", "jackpot")


def as_posted(setup: Setup, stakes: Stakes) -> Setup:
    """The table with the stakes of its posted schedule, which takes no others."""
    if not stakes.structure:
        return setup
    least, most = stakes.buy_in
    blinds = dict(zip(setup.settings["blinds"], stakes.blinds, strict=False))
    stacks = {seat: max(least, min(cents, most or cents)) for seat, cents in setup.settings["stacks"].items()}
    settings = {**setup.settings, "structure": stakes.structure, "blinds": blinds, "stacks": stacks}
    return msgspec.structs.replace(setup, settings=settings)


class HouseEvening:
    """Inputs of one table of a house, from one seed: what its bot, sensors, devices and floor put in."""

    def __init__(self, slug: str, seed: int) -> None:
        self.rng = random.Random(f"{slug}/{seed}/house")
        self.options = choose_fees(slug, needs_of(slug), self.rng)
        chosen = as_posted(a_table(self.rng, DEALT[slug]), stakes_of(slug, self.options))
        setup = msgspec.structs.replace(chosen, awaits_drop=self.rng.random() < 0.8)
        self.first = TableState(setup, slug, self.options)
        self.engine = engine_from(self.first, resolve)
        deck = self.engine.game.deck(self.engine.options)
        self.pack = Pack(deck, self.rng, 0)
        self._cards = None if deck is None else sum(deck.values())
        self.inputs: list[Input] = []
        self.caused: list[list[ev.Event]] = []
        self._at, self._mark = 1_760_000_000_000, 0

    def play(self, inputs: int = INPUTS) -> HouseEvening:
        while len(self.inputs) < inputs:
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
                self._corrected(),
            )
        )

    def _corrected(self) -> Amended:
        """The floor strikes out one input of the round; what the round would not be without is refused."""
        played = self.engine.played if self.engine.is_dealing else self.engine.last
        inputs = 1 if played is None else len(played.inputs)
        return Amended(self.engine.round_number, (Change(self.rng.randrange(inputs or 1), None),), "misread")

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


@pytest.mark.parametrize("slug", part(list(DEALT), of=6))
def test_the_same_inputs_give_the_same_events_also_if_the_table_is_read(slug: str) -> None:
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


class ReadTable:
    """A table with its journal, and all who look at it from outside the engine."""

    def __init__(self, journal: Journal, evening: HouseEvening) -> None:
        slug, options = evening.first.ruleset, evening.options
        setup = msgspec.to_builtins(evening.first.setup, str_keys=True)
        self._started = Started("0", slug, load(slug).digest_with(options), options, setup, True)
        self._inputs = evening.inputs
        self.journal, self._now = journal, self._inputs[0].at
        self._recorder = Recorder(journal, resolve, self, self._started)
        nobody: Any = Nobody()
        supervisor = Supervisor([], nobody.hear)
        file = msgspec.convert({"site": SITE, "table": TABLE, "rules": {"ruleset": slug}}, Config)
        self._metrics = TableMetrics(self._recorder, nobody, supervisor, [])
        self._documents = TableDocuments(
            file, self._recorder, nobody, DeviceCommands(supervisor, {}), seconds_to_bet=lambda: None
        )
        self._onlooker = Onlooker()

    def now_ms(self) -> int:
        return self._now

    def elapsed_ms(self) -> int:
        return self._now

    def is_synced(self) -> bool:
        return False

    def resume(self, last_ms: int) -> None:
        """It has no journal before this one."""

    def observe(self, uptime_ms: int) -> None:
        """This table gets no time from any device."""

    async def play(self, look: Callable[[ReadTable], object]) -> tuple[bytes, bytes]:
        """The last hash and the lasting state, after all inputs."""
        await self._recorder.submit(self._started, "daemon")
        for value in self._inputs:
            look(self)
            self._now = value.at
            await self._recorder.submit(value.body, value.by)
        return self.journal.head.hash, msgspec.json.encode(self._recorder.engine.state)

    def look(self) -> None:
        """Status line, screens, retained documents, numbers for Prometheus, what was put in, and the last rounds."""
        assert self._documents.status_line()
        self._documents.renew_screens()
        self._documents.renew_retained()
        self._documents.round_inputs()
        self._metrics.text()
        self._onlooker.everything_public(self._recorder.engine)
        if self.journal.head.n % RECALLED_EVERY:
            return
        with JournalReader.read(self.journal.path) as reader:
            list(recall(last_rounds(reader, resolve, 2), reader, Words()))


class Nobody:
    """A publisher that keeps nothing."""

    connected, acknowledged_seq = True, 0
    by_broker: ClassVar[dict[str, object]] = {}

    async def hear(self, report: object) -> None:
        """There are no devices."""

    def state_changed(self, body: bytes) -> None: ...

    def device_changed(self, name: str, body: bytes | None) -> None: ...

    def alarm_changed(self, name: str, body: bytes | None) -> None: ...


@pytest.mark.parametrize("slug", part(list(DEALT), of=6))
async def test_a_journal_has_the_same_hash_also_if_the_table_is_read(slug: str, tmp_path: Path) -> None:
    evening = HouseEvening(slug, 2).play(READ_INPUTS)
    looks: dict[str, Callable[[ReadTable], object]] = {"unseen": lambda table: None, "seen": ReadTable.look}
    found = set()
    for name, look in looks.items():
        with Journal.open(tmp_path / f"{name}.db", site=SITE, table=TABLE, chance=Seeded("looking")) as journal:
            found.add(await ReadTable(journal, evening).play(look))
    assert len(found) == 1


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
