"""A pit's questions are answered alike by `state` and by the events alone, and every act of a person names him."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller import __version__
from controller.config import Config
from controller.demo.needs import PLAYER_DEALER, SEATS
from controller.engine.actor import Actor
from controller.engine.inputs import BoxKeyed, CardOut, DealerSigned, SensorSeen, Started, decode_body
from controller.journal import Journal
from controller.mqtt.envelope import payload
from controller.outputs.state import encode_state, state
from controller.recorder.recorder import Recorder
from controller.rules import all_rulesets, load, resolve
from sim_hw.people.baccarat import TableSaidNo
from tests.engine.test_bot import is_dealt
from tests.sim_hw.test_people import BareTable
from tests.support import contract_checks
from tests.support.evidence_journals import SteadyClock
from tests.support.journals import SITE, TABLE
from tests.support.pit_follower import PitFollower
from tests.support.turns import part

SAM, ANN = Actor("dealer", "sam", "console", "10.0.0.7"), Actor("floor", "ann", "program", "pit")


class WatchedTable(BareTable):
    """The simulated people's table with its journal, and a follower who has only its events."""

    def __init__(self, slug: str, journal: Journal) -> None:
        super().__init__(slug)
        setup = {"seats": list(SEATS)} | ({} if self.needs.pots else {"player_dealer": PLAYER_DEALER})
        started = Started(__version__, slug, resolve(slug, {}).digest, {}, setup, True)
        self.journal, self.clock, self.started = journal, SteadyClock(), started
        self.recorder = Recorder(journal, resolve, self.clock, started)
        self.engine = self.recorder.engine
        self.follower = PitFollower()
        self.seen = 0

    async def state(self) -> bytes:
        return encode_state(state(self.recorder.engine, self.config, self.journal.id, self.journal.head.seq))

    async def act(self, body: dict[str, Any], by: str = "dealer") -> dict[str, Any]:
        self.inputs += 1
        assert self.inputs < 5000, "goes in circles"
        outcome = await self.take(decode_body(body), ANN if by == "floor" else SAM)
        if outcome.refusal is not None:
            self.refused.append(outcome.refusal.why)
            raise TableSaidNo(f"{body}: {outcome.refusal.why}: {outcome.refusal.text}")
        return {"ok": True}

    async def take(self, body: Any, by: str | Actor) -> Any:
        """One input, and what the follower finds after it."""
        self.clock.now += 1000
        outcome = await self.recorder.submit(body, by)
        for event in self.journal.events_from(self.seen + 1, 1000):
            message = payload(event, historical=False)
            topic = f"cutcard/v2/{SITE}/{TABLE}/event/{event.kind}"
            assert contract_checks.problem(topic, message) is None, contract_checks.problem(topic, message)
            self.follower.take(message, is_person=isinstance(by, Actor))
            self.seen = event.seq
        assert self.follower.nobody == []
        assert self.follower.differences(await self.state()) == {}, body
        return outcome


@asynccontextmanager
async def watched(folder: Path, slug: str) -> AsyncIterator[WatchedTable]:
    journal = Journal.open(folder / "journal.db", site=SITE, table=TABLE)
    try:
        table = WatchedTable(slug, journal)
        table.config = msgspec.convert({"site": SITE, "table": TABLE, "rules": {"ruleset": slug}}, Config)
        await table.take(table.started, "daemon")
        yield table
    finally:
        journal.close()


@pytest.mark.parametrize("slug", part([slug for slug, rules in all_rulesets().items() if is_dealt(rules)], of=3))
async def test_state_says_what_the_events_say_after_every_input(tmp_path: Path, slug: str) -> None:
    async with watched(tmp_path, slug) as table:
        await table.take(DealerSigned("sam"), SAM)
        assert await table.crew(seed=7).play(rounds=2) == 2
        topic, document = f"cutcard/v2/{SITE}/{TABLE}/state", await table.state()
        assert contract_checks.problem(topic, document) is None, contract_checks.problem(topic, document)
        shown = msgspec.json.decode(document)
        assert (shown["title"], shown["dealer"]["name"]) == (load(slug).data.title, "sam")
        assert shown["round_id"] == f"{table.journal.id}-{shown['round']}"
        assert "player_dealer" in shown and (not table.needs.pots or shown["player_dealer"] is None)


async def test_since_when_a_table_waits_outlives_a_restart(tmp_path: Path) -> None:
    async with watched(tmp_path, "bankers-ez-baccarat-panda-8") as table:
        await table.crew(seed=7).play(rounds=1)
        before = msgspec.json.decode(await table.state())
        again = Recorder(table.journal, resolve, table.clock, table.started)
        after = msgspec.json.decode(encode_state(state(again.engine, table.config, table.journal.id, before["seq"])))
        assert before["waits_since"] is not None and before["phase_since"] <= before["waits_since"]
        assert after == before


async def test_a_box_that_is_keyed_is_in_the_state_with_who_keyed_it_in_the_event(tmp_path: Path) -> None:
    async with watched(tmp_path, "bankers-ez-baccarat-panda-8") as table:
        mark = {"box_present": True, "box_id": ""}
        await table.take(SensorSeen("boxes.collection", "collection", "met", mark=mark), "device:boxes")
        assert (await table.take(BoxKeyed("collection", "C-17", "881"), ANN)).refusal is None
        (box,) = msgspec.json.decode(await table.state())["boxes"]
        assert (box["box"], box["is_in"], box["box_id"], box["seal"]) == ("collection", True, "C-17", "881")
        await table.take(SensorSeen("boxes.collection", "collection", "dropped", 2, mark=mark), "device:boxes")
        (box,) = msgspec.json.decode(await table.state())["boxes"]
        assert box["pieces"] == 2


async def test_a_card_that_was_not_read_comes_with_the_reason_of_its_device(tmp_path: Path) -> None:
    async with watched(tmp_path, "bankers-ez-baccarat-panda-8") as table:
        crew = table.crew(seed=7)
        while (await crew.look()).phase != "dealing":
            await crew.step()
        await table.take(CardOut(None, "upside_down"), "device:shoe")
        events = [msgspec.json.decode(event.body) for event in table.journal.events_from(1, 1000)]
        (unread,) = (event for event in events if event.get("code") == "card_unread")
        assert unread["facts"]["reason"] == "upside_down"
        assert "upside down" in unread["text"]


async def test_a_refused_act_names_the_person_too(tmp_path: Path) -> None:
    async with watched(tmp_path, "bankers-ez-baccarat-panda-8") as table:
        with pytest.raises(TableSaidNo):
            await table.act({"kind": "open_table"}, by="floor")
        (last,) = table.journal.events_from(table.seen, 1)
        message = msgspec.json.decode(payload(last, historical=False))
        assert message["kind"] == "refused"
        assert message["by"] == {"role": "floor", "name": "ann", "through": "program", "at": "pit"}
