"""What two readings say happened between them, over random stories; and whose turn it is on a bus."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from devices.drivers.drop_box.reports import BoxEvent, BoxMoved, CountDoubtful, DoorMoved, Dropped, Sensor, SensorReset
from devices.drivers.drop_box.rota import LAST_WAIT, SILENT_AFTER, Rota
from devices.drivers.drop_box.watch import DOUBTS, DropWatch
from protocols.drop_box import Reading, Worth
from sim_hw.devices.drop_box.sensor import Box, SimulatedSensor
from sim_hw.time.clock import MAX_SPEED, SimClock

SENSOR = Sensor(device="drop", unit=1, box="main")
STORIES = 40
STEPS = 120

FIRST = Reading(
    boot=1,
    uptime_ms=10_000,
    resets=0,
    counter_bits=16,
    drops=100,
    drops_at_removal=0,
    removals=0,
    openings=0,
    grams=1800,
    box_id="M-1",
    serial="S-1",
    box_present=True,
    door_open=False,
    weight_settled=True,
    faults=(),
)


def after(reading: Reading, seconds: float = 1.0, **changes: object) -> Reading:
    later = replace(reading, uptime_ms=reading.uptime_ms + round(seconds * 1000))
    return replace(later, **changes)


def worth(pieces: int, cents: int, pieces_at_removal: int = 0, cents_at_removal: int = 0) -> Worth:
    return Worth(pieces=pieces, cents=cents, pieces_at_removal=pieces_at_removal, cents_at_removal=cents_at_removal)


KNOWS_CHIPS = replace(FIRST, worth=worth(40, 5000))


def watched(*readings: Reading) -> list[BoxEvent]:
    """What is reported of these readings, after the first."""
    watch = DropWatch(SENSOR, weight_step_g=25)
    for reading in readings:
        watch.observe(reading)
    return list(watch.pending)[1:]


class Story:
    """A box with hands around it, and a watch that sometimes looks; what it says must be what they did."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.clock = SimClock(MAX_SPEED)
        bits = self.rng.choice((16, 32))
        self.sensor = SimulatedSensor(1, self.clock, seed=seed, counter_bits=bits, reads_worth=seed % 2 == 1)
        self.sensor.count_from((1 << bits) - self.rng.randrange(60))
        self.watch = DropWatch(SENSOR, weight_step_g=25)
        self.reports: list[BoxEvent] = []
        self.fell = self.removed = self.opened = self.worth = 0
        self.unread_worth = self.unread_fell = self.unread_removed = self.unread_opened = self.resets = 0
        self.look()

    def look(self) -> None:
        self.watch.observe(self.sensor.reading())
        while self.watch.pending:
            self.reports.append(self.watch.pending[0])
            self.watch.reported()
        self.unread_worth = self.unread_fell = self.unread_removed = self.unread_opened = 0

    def restart(self) -> None:
        """The controller is restarted: it has the mark of the last report that it stored, and no more."""
        self.watch = DropWatch(SENSOR, weight_step_g=25)
        self.watch.mark = self.reports[-1].mark

    async def step(self) -> None:
        await self.clock.sleep(self.rng.uniform(0.2, 2.0))
        match self.rng.randrange(9):
            case 0 | 1 | 2:
                pieces = self.rng.randint(1, 3)
                cents = self.rng.choice((None, 100 * pieces, 500 * pieces))
                self.sensor.drop(pieces, cents)
                if self.sensor.reads_worth:
                    self.worth += cents or 0
                    self.unread_worth += cents or 0
                self.fell += pieces
                self.unread_fell += pieces
            case 3 if self.sensor.box is not None:
                taken = self.sensor.take_box()
                self.removed += 1
                self.unread_removed += 1
                if self.rng.random() < 0.5:
                    self.sensor.put_box(taken)
            case 3:
                self.sensor.put_box(Box("BOX-2"))
            case 4 if not self.sensor.door_open:
                self.sensor.open_door()
                self.opened += 1
                self.unread_opened += 1
            case 4:
                self.sensor.shut_door()
            case 5 if self.rng.random() < 0.2:
                self.fell -= self.unread_fell
                self.worth -= self.unread_worth
                self.removed -= self.unread_removed
                self.opened -= self.unread_opened
                self.sensor.reset()
                self.unread_worth = self.unread_fell = self.unread_removed = self.unread_opened = 0
                self.resets += 1
            case 6 if self.rng.random() < 0.2:
                self.restart()
            case _:
                self.look()


@pytest.mark.parametrize("seed", range(STORIES))
async def test_every_piece_is_reported_once_whatever_else_happens(seed: int) -> None:
    story = Story(seed)
    for _ in range(STEPS):
        await story.step()
    story.look()
    reports = story.reports
    drops = [report for report in reports if isinstance(report, Dropped)]
    assert all(drop.count > 0 for drop in drops)
    assert sum(drop.count for drop in drops) == story.fell == reports[-1].mark.total
    assert sum(drop.cents or 0 for drop in drops) == story.worth
    assert sum(box.times_removed for box in reports if isinstance(box, BoxMoved)) == story.removed
    assert sum(door.times_opened for door in reports if isinstance(door, DoorMoved)) == story.opened
    assert sum(isinstance(report, SensorReset) for report in reports) <= story.resets
    assert not [report for report in reports if isinstance(report, CountDoubtful)]
    last = reports[-1].mark
    assert (last.box_present, last.door_open) == (story.sensor.box is not None, story.sensor.door_open)


def test_a_counter_that_jumps_is_not_believed_until_it_insists() -> None:
    jumped = after(FIRST, drops=900)
    assert watched(FIRST, *([jumped] * (DOUBTS - 1))) == []
    (doubtful,) = watched(FIRST, *(after(jumped, n / 100) for n in range(DOUBTS)))
    assert isinstance(doubtful, CountDoubtful)
    assert (doubtful.last_drops, doubtful.drops, doubtful.mark.total) == (100, 900, 0)


def test_one_strange_reading_between_good_ones_changes_nothing() -> None:
    strange = after(FIRST, drops=40_000)
    good = after(FIRST, 2.0, drops=101)
    (dropped,) = watched(FIRST, strange, good)
    assert isinstance(dropped, Dropped)
    assert dropped.count == 1


@pytest.mark.parametrize(
    ("second", "why"),
    [
        (after(FIRST, -5.0), "uptime went back by 5000 ms"),
        (after(FIRST, drops=99), "from 100 to 99"),
        (after(FIRST, drops=141), "from 100 to 141"),
        (after(FIRST, 3600.0), "unread for 3600 s, in which a counter of 16 bits may have gone round"),
        (after(FIRST, removals=40), "moved 40 times"),
        (after(FIRST, openings=65_535), "the door 65535 times"),
        (after(FIRST, removals=1, drops=103, drops_at_removal=104), "lies not between the readings"),
        (after(FIRST, drops=102, worth=worth(43, 5300)), "the worth of 3 pieces was reported, 300 cents, and 2 fell"),
        (after(FIRST, worth=worth(40, 5100)), "the worth of 0 pieces was reported, 100 cents"),
        (after(FIRST, drops=102, worth=worth(39, 5000)), "the worth of 65535 pieces was reported"),
        (
            after(FIRST, removals=1, drops=103, drops_at_removal=101, worth=worth(43, 5300, 42, 5200)),
            "at the removal the worth of 2 pieces was reported",
        ),
        (
            after(FIRST, removals=1, drops=103, drops_at_removal=102, worth=worth(42, 5300, 42, 5200)),
            "at the removal 200 cents were reported for 2 pieces, of 300 for 2",
        ),
    ],
)
def test_what_cannot_be_is_doubted_and_nothing_is_counted(second: Reading, why: str) -> None:
    first = FIRST if second.worth is None else KNOWS_CHIPS
    reports = watched(first, *([second] * DOUBTS))
    assert isinstance(reports[0], CountDoubtful)
    assert why in reports[0].why
    assert not [report for report in reports if isinstance(report, Dropped)]


def test_as_many_pieces_as_the_slot_can_pass_are_believed() -> None:
    (dropped,) = watched(FIRST, after(FIRST, 1.0, drops=140))
    assert isinstance(dropped, Dropped)
    assert dropped.count == 40


def fallen(*readings: Reading) -> list[tuple[int, int | None, str | None]]:
    return [(drop.count, drop.cents, drop.into) for drop in watched(*readings) if isinstance(drop, Dropped)]


def test_pieces_whose_worth_was_read_are_reported_with_it_and_the_others_apart() -> None:
    assert fallen(KNOWS_CHIPS, after(KNOWS_CHIPS, drops=102, worth=worth(42, 5600))) == [(2, 600, "M-1")]
    assert fallen(KNOWS_CHIPS, after(KNOWS_CHIPS, drops=103, worth=worth(41, 5500))) == [
        (1, 500, "M-1"),
        (2, None, "M-1"),
    ]
    assert fallen(KNOWS_CHIPS, after(KNOWS_CHIPS, drops=101)) == [(1, None, "M-1")]


def test_the_worth_goes_into_the_box_that_was_there() -> None:
    swapped = after(
        KNOWS_CHIPS, removals=1, drops=104, drops_at_removal=101, worth=worth(43, 5900, 41, 5500), box_id="M-2"
    )
    assert fallen(KNOWS_CHIPS, swapped) == [(1, 500, "M-1"), (2, 400, "M-2"), (1, None, "M-2")]


def test_the_counter_of_cents_rolls_over() -> None:
    late = replace(KNOWS_CHIPS, worth=worth(40, (1 << 32) - 100))
    assert fallen(late, after(late, drops=101, worth=worth(41, 400))) == [(1, 500, "M-1")]


def test_a_sensor_met_by_a_controller_that_did_not_ask_for_the_worth_counts_on_without_it() -> None:
    """A mark from an older journal: what those pieces were worth was never read."""
    known = after(FIRST, drops=102, worth=worth(42, 5600))
    assert fallen(FIRST, known, after(known, drops=103, worth=worth(43, 6100))) == [(2, None, "M-1"), (1, 500, "M-1")]


def test_a_quiet_hour_is_no_credit_for_a_jump() -> None:
    quiet = after(FIRST, 600.0)
    (doubtful,) = watched(FIRST, quiet, *(after(quiet, n / 100, drops=200) for n in range(DOUBTS)))
    assert isinstance(doubtful, CountDoubtful)


def test_a_box_that_is_another_one_without_having_been_taken_is_reported() -> None:
    moved, weighed = watched(FIRST, after(FIRST, box_id="M-2"))
    assert isinstance(moved, BoxMoved)
    assert (moved.box_id, moved.times_removed, moved.is_present) == ("M-2", 0, True)
    assert weighed.mark.grams == 1800


def test_a_box_id_that_is_not_read_for_a_moment_is_no_movement() -> None:
    unread = after(FIRST, box_id=None)
    assert watched(FIRST, unread, after(unread, box_id="M-1")) == []


def turns(rota: Rota, silent: set[int], until: float, answer: float = 0.01, patience: float = 0.14) -> list[int]:
    """Who is asked in what order, when these units do not answer."""
    now, order = 0.0, []
    while now < until:
        unit, due = rota.next()
        now = max(now, due)
        order.append(unit)
        if unit in silent:
            now += patience
            rota.failed(unit, now)
        else:
            rota.answered(unit, now)
            now += answer
    return order


def test_everybody_who_answers_is_asked_in_turn() -> None:
    assert turns(Rota([1, 2, 3], every=0.25, now=0.0), set(), until=0.6)[:6] == [1, 2, 3, 1, 2, 3]


def test_between_two_turns_of_one_who_answers_only_one_who_does_not_is_asked() -> None:
    units = range(1, 13)
    silent = set(range(4, 13))
    order = turns(Rota(units, every=0.05, now=0.0), silent, until=30.0)[len(units) :]
    between = 0
    for unit in order:
        if unit in silent:
            between += 1
            assert between == 1
        elif unit == 1:
            between = 0
    assert silent <= set(order), "nobody is forgotten"


def test_who_does_not_answer_is_asked_less_and_less_but_for_ever() -> None:
    rota = Rota([1], every=0.25, now=0.0)
    now, waits = 0.0, []
    for _ in range(12):
        _, due = rota.next()
        waits.append(round(due - now, 2))
        now = due
        failures = rota.failed(1, now)
    assert waits[: SILENT_AFTER + 5] == [0.0, 0.25, 0.25, 1.0, 2.0, 4.0, 8.0, LAST_WAIT]
    assert waits[-1] == LAST_WAIT
    assert failures == 12
