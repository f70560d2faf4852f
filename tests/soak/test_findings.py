"""What the soak found, each repeated here without it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from controller.config import Config
from controller.engine import events as ev
from controller.engine.inputs import BetsClosed, Happening, Input, SensorSeen, ShoeStarted, WagerPlaced, decode_body
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.outputs.device_commands import DeviceCommands
from controller.outputs.state import encode_state, state
from controller.rules import load
from devices.drivers.shuffler import Refused
from devices.reports import DeviceAnswer, DeviceEvent
from protocols.shuffler import messages as wire
from sim_hw.people.baccarat import TableSaidNo
from sim_hw.people.crew import Crew, Habits, Reach
from sim_hw.time.clock import SimClock
from tests.sim_hw.test_people import BareTable
from tests.support.running.drops import GRACE_S, RULESET, DropTable


class Machines:
    """A supervisor with one shuffler, who writes down what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[dict[str, int]] = []

    @property
    def drivers(self) -> dict[str, Machines]:
        return {"shuffler": self}

    def shuffle(self, **how: int) -> None:
        raise AssertionError("nothing is to be shuffled")

    def dispense(self, **how: int) -> None:
        self.asked.append(how)

    def unload(self, **how: int) -> None:
        raise AssertionError("nothing is to be given back")


def a_table_that_waits_for_cards() -> TableEngine[Any]:
    rules = load("bankers-ultimate-texas-holdem")
    setup = Setup((1, 2), 8, bank=(1_000_000,))
    engine: TableEngine[Any] = TableEngine(rules.game, rules.options(), TableState(setup), rules.slug)
    for n, wager in enumerate(("ante", "blind")):
        engine.apply(Input(n, "dealer", WagerPlaced(1, wager, 1000)))
    engine.apply(Input(2, "dealer", BetsClosed()))
    return engine


def a_shuffler(machines: Machines) -> DeviceCommands:
    supervisor: Any = machines
    commands = DeviceCommands(supervisor, {"shuffler": "shuffler"})
    status = wire.Status(
        boot=1,
        event_no=9,
        phase="ready",
        mode=wire.Mode(kind="stacks"),
        deck_no=1,
        back="red",
        shuffle_no=1,
        stacks=3,
        up_to=3,
        size=2,
        cards_left=4,
        tray=False,
        door_open=False,
        test_no=0,
    )
    commands.applied(DeviceAnswer(device="shuffler", body=status))
    return commands


def test_a_refused_stack_is_not_asked_for_again_before_something_has_happened() -> None:
    machines, engine = Machines(), a_table_that_waits_for_cards()
    commands = a_shuffler(machines)
    commands.follow(engine)
    commands.applied(DeviceAnswer(device="shuffler", body=Refused(command="dispense", why="door open")))
    for _ in range(3):
        commands.follow(engine)
    assert len(machines.asked) == 1
    closed = wire.DoorMoved(boot=1, event_no=10, uptime_ms=5, is_open=False)
    commands.applied(DeviceEvent(device="shuffler", body=closed))
    commands.follow(engine)
    assert [asked["known"] for asked in machines.asked] == [9, 10]


def test_a_machine_with_too_few_cards_leaves_the_rest_to_the_dealers_hands() -> None:
    machines, engine = Machines(), a_table_that_waits_for_cards()
    commands = a_shuffler(machines)
    commands.follow(engine)
    assert commands.can_deal("shuffler")
    commands.applied(DeviceAnswer(device="shuffler", body=Refused(command="dispense", why="too few cards")))
    assert not commands.can_deal("shuffler")


def test_a_count_that_was_lost_is_an_alarm_until_the_box_has_gone_to_be_counted() -> None:
    engine = a_table_that_waits_for_cards()

    def alarms_after(n: int, what: str) -> set[str]:
        facts = {"box_id": "BOX-2"} if what == "box_placed" else {}
        engine.apply(Input(n, "device:boxes", SensorSeen("boxes.collection", "collection", what, facts=facts)))
        return set(engine.state.alarms)

    assert alarms_after(10, "sensor_reset") == {"box:collection:count"}
    assert alarms_after(11, "box_removed") == {"box:collection:count", "box:collection:box"}
    assert alarms_after(12, "box_placed") == set()


async def dealt_until(table: BareTable, seed: int, comes: Callable[[], bool]) -> TableEngine[Any]:
    """People play until something comes about."""
    crew = table.crew(seed)
    while not comes():
        await crew.step()
    return table.engine


def is_held_when_empty(engine: TableEngine[Any]) -> bool:
    events = engine.apply(Input(0, "device:shoe", Happening("shoe_empty")))
    assert events == [] or any(isinstance(event, ev.Held) for event in events)
    return bool(events)


@pytest.mark.parametrize(("cards", "held"), [(53, False), (49, True)])
async def test_a_shoe_may_be_empty_when_the_whole_deck_is_dealt_and_not_before(cards: int, held: bool) -> None:
    table = BareTable("bankers-pai-gow-poker")

    def are_out() -> bool:
        current = table.engine.round
        return current is not None and current.begun and len(current.table.left) == cards

    engine = await dealt_until(table, 1, are_out)
    assert is_held_when_empty(engine) is held


async def test_a_shoe_may_be_empty_when_the_discards_are_to_be_dealt_once_more() -> None:
    table = BareTable("village-deuce-seven-triple-draw")

    def are_taken_back() -> bool:
        return any(isinstance(event, ev.CardsTakenBack) and event.owner == "discards" for event in table.events)

    engine = await dealt_until(table, 1, are_taken_back)
    assert not is_held_when_empty(engine)


def test_an_empty_shoe_between_two_hands_says_nothing_of_a_deck_that_serves_one() -> None:
    table = BareTable("bankers-texas-holdem")
    table.engine.apply(Input(0, "device:shoe", ShoeStarted(1, 52)))
    assert not is_held_when_empty(table.engine)
    assert not table.engine.state.alarms


class ConsoleOf:
    """A console with nothing behind it but a table that is fed by hand."""

    def __init__(self, table: DropTable) -> None:
        self.table = table
        self.config = msgspec.convert({"site": "test", "table": "t-1", "rules": {"ruleset": RULESET}}, Config)

    async def state(self) -> bytes:
        return encode_state(state(self.table.engine, self.config, "0" * 32, len(self.table.entries)))

    async def act(self, body: dict[str, Any], by: str = "dealer") -> dict[str, Any]:
        for event in self.table.do(decode_body(body), by=by):
            if isinstance(event, ev.Refused):
                raise TableSaidNo(f"{body}: {event.why}: {event.text}")
        return {"ok": True}


async def test_the_floor_sees_to_what_is_missing_from_the_box_after_the_one_that_went() -> None:
    """The drop team exchanges the boxes between two looks of the floor; the next fee is missing too."""
    table = DropTable()
    console: Any = ConsoleOf(table)
    crew = Crew(console, Reach(), SimClock.at("max"), Habits(("9h",), lasts=True, pace=0), seed=1)
    table.play()
    table.wait(GRACE_S)
    # The floor has read the alarm, and is called away before anything is explained.
    await crew.say({"kind": "acknowledge", "alarm": "drop:collection"}, by="floor")
    await crew.floor.see_to_alarms(crew, await crew.look())
    table.play()
    table.sense("collection", "box_removed")
    table.sense("collection", "box_placed", box_id="BOX-9")
    table.wait(GRACE_S)
    assert "drop:collection" in table.alarms
    while table.alarms:
        await crew.floor.see_to_alarms(crew, await crew.look())
    assert crew.floor.done["explain_drop"]
