"""The model of the delivery, and a table that is held against it."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from controller.soak.day import Plan, soak
from tests.model import delivery
from tests.model.delivery import Size, State, broken, counted, counts, explore, initial, steps
from tests.model.faults import FAULTS
from tests.model.tlc import LEDGER, SMALL
from tests.model.trace import watched
from tests.support.running.brokers import needs_mosquitto
from tests.support.turns import part

SOME_MINUTES = Plan("village-ez-baccarat", 11, hours=0.04, faults_per_hour=180, only=("broker_away", "daemon_killed"))


def reached(size: Size) -> Iterator[State]:
    seen, left = {initial(size)}, [initial(size)]
    while left:
        state = left.pop()
        yield state
        for _, after in steps(state, size):
            if after not in seen:
                seen.add(after)
                left.append(after)


# The model itself


@pytest.mark.clause("NY-5319.54")
def test_no_state_of_the_small_models_breaks_an_invariant() -> None:
    assert explore(SMALL[0]) == (18329, 32)
    assert explore(SMALL[1]) == (5979, 38)


def test_tlc_found_the_same_states_as_python() -> None:
    """`make model` compares them; here is what it has written down."""
    with LEDGER.open(newline="") as file:
        rows = list(csv.DictReader(file))
    for size in SMALL[:2]:
        rollback = "yes" if size.may_roll_back else "no"
        wanted = (str(size.brokers), str(size.reports), str(size.window), rollback)
        found = [row for row in rows if (row["brokers"], row["reports"], row["window"], row["rollback"]) == wanted]
        assert (int(found[-1]["states"]), int(found[-1]["depth"])) == explore(size)


def test_the_numbers_of_a_trace_are_the_model_without_rollback() -> None:
    size = Size(brokers=1, reports=3, may_roll_back=False)
    compared = 0
    for state in reached(size):
        journal, now = len(state.journal), counts(state.brokers[0])
        wanted: set[tuple[str, delivery.Counts]] = set()
        for (name, broker), following in steps(state, size):
            if broker == 0 and name not in ("StoreTakes", "Receipt"):
                wanted.add((name, counts(following.brokers[0])))
        names = ("Connect", "Lose", "Send", "Receive", "PubAck", "WriteCursor")
        found = {
            (name, after)
            for name in names
            for seq in range(size.reports + 1)
            if (after := counted(name, now, journal, size.window, seq)) is not None
        }
        assert found == wanted, state
        compared += len(found)
    assert compared > 1000


@pytest.mark.parametrize(
    ("mistake", "breaks"),
    [
        ({"contradicts": lambda state, head: False}, {"ARollbackIsSeen", "NoEvidenceIsLost"}),
        ({"last_report": lambda state: 9}, {"NoReportIsLost"}),
    ],
)
def test_a_mistake_in_the_model_breaks_an_invariant(
    mistake: dict[str, object], breaks: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An invariant that nothing can break proves nothing. The state that is found is judged by the right model."""
    right = broken

    with monkeypatch.context() as wrong:
        for name, instead in mistake.items():
            wrong.setattr(delivery, name, instead)
        states = list(reached(Size(brokers=1, reports=2)))
    assert breaks & {name for state in states for name in right(state)}


# The program


@pytest.mark.broker
@needs_mosquitto
def test_a_table_with_kills_and_a_broker_that_goes_away_takes_only_steps_of_the_model(tmp_path: Path) -> None:
    with watched() as trace:
        report = soak(SOME_MINUTES, tmp_path / "day")
    assert report.violations == []
    assert trace.problems == []
    seen = set(trace.steps)
    assert seen >= {"Commit", "Acknowledge", "Connect", "Send", "PubAck", "WriteCursor", "Crash", "Subscriber"}
    assert trace.steps["Crash"] > 1


@pytest.mark.broker
@needs_mosquitto
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("fault", part(list(FAULTS), of=4))
def test_a_planted_fault_is_rejected(fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The day ends at the first step that the model does not allow."""
    monkeypatch.setattr("controller.soak.day.Subscriber.until", lambda self, seq, seconds=0: True)
    with watched(stops=True) as trace, FAULTS[fault](), suppress(Exception):
        soak(SOME_MINUTES, tmp_path / "day")
    assert trace.problems, dict(trace.steps)
