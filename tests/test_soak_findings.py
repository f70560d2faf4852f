"""What the soak found, each told once more without it."""

from __future__ import annotations

from typing import Any

from controller.commanding import Commands
from controller.engine.felt import Setup
from controller.engine.inputs import BetsClosed, Input, SensorSeen, WagerPlaced
from controller.engine.state import TableState
from controller.engine.table import TableEngine
from controller.rules import load
from devices import reports


class Machines:
    """A supervisor with one shuffler, who writes down what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[dict[str, int]] = []

    def driver(self, device: str, kind: type[Any]) -> Machines:
        return self

    def dispense(self, **how: int) -> None:
        self.asked.append(how)


def a_table_that_waits_for_cards() -> TableEngine[Any]:
    rules = load("bankers-ultimate-texas-holdem")
    setup = Setup((1, 2), 8, bank=(1_000_000,))
    engine: TableEngine[Any] = TableEngine(rules.game, rules.options(), TableState(setup), rules.slug)
    for n, wager in enumerate(("ante", "blind")):
        engine.apply(Input(n, "dealer", WagerPlaced(1, wager, 1000)))
    engine.apply(Input(2, "dealer", BetsClosed()))
    return engine


def a_shuffler(machines: Machines) -> Commands:
    supervisor: Any = machines
    commands = Commands(supervisor, {"shuffler": "shuffler"})
    stands = reports.ShufflerStands(
        device="shuffler",
        boot=1,
        event_no=9,
        phase="ready",
        mode="stacks",
        deck_no=1,
        back="red",
        shuffle_no=1,
        stacks=3,
        cards_left=4,
        tray=False,
        door_open=False,
        test_no=0,
    )
    commands.applied(stands)
    return commands


def test_a_refused_stack_is_not_asked_for_again_before_something_has_happened() -> None:
    machines, engine = Machines(), a_table_that_waits_for_cards()
    commands = a_shuffler(machines)
    commands.follow(engine)
    commands.applied(reports.ShufflerRefused(device="shuffler", command="dispense", why="door open"))
    for _ in range(3):
        commands.follow(engine)
    assert len(machines.asked) == 1
    commands.applied(reports.ShufflerDoorMoved(device="shuffler", boot=1, event_no=10, uptime_ms=5, is_open=False))
    commands.follow(engine)
    assert [asked["known"] for asked in machines.asked] == [9, 10]


def test_a_machine_with_too_few_cards_leaves_the_rest_to_the_dealers_hands() -> None:
    machines, engine = Machines(), a_table_that_waits_for_cards()
    commands = a_shuffler(machines)
    commands.follow(engine)
    assert commands.can_deal("shuffler")
    commands.applied(reports.ShufflerRefused(device="shuffler", command="dispense", why="too few cards"))
    assert not commands.can_deal("shuffler")


def test_a_count_that_was_lost_is_an_alarm_until_the_box_has_gone_to_be_counted() -> None:
    engine = a_table_that_waits_for_cards()

    def told(n: int, what: str) -> set[str]:
        facts = {"box_id": "BOX-2"} if what == "box_placed" else {}
        engine.apply(Input(n, "device:boxes", SensorSeen("boxes.collection", "collection", what, facts=facts)))
        return set(engine.state.alarms)

    assert told(10, "sensor_reset") == {"box:collection:count"}
    assert told(11, "box_removed") == {"box:collection:count", "box:collection:box"}
    assert told(12, "box_placed") == set()
