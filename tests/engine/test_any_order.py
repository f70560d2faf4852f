"""A whole table, whatever happens to it in whatever order: Hypothesis chooses, the same things must always be true.

Rounds are played by the bot; between its inputs come strays, acts out of turn, refusals, the passing of time and
crashes, after which the table is what a replay of its inputs makes of it.
"""

from __future__ import annotations

import msgspec
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from controller.engine import events as ev
from controller.engine.expect.expectation import judge, prompt
from controller.engine.inputs import (
    Act,
    AnyBody,
    BetsClosed,
    FloorAct,
    Happening,
    Input,
    TimePassed,
    WagerPlaced,
    decode_input,
    encode_input,
)
from tests.engine.test_bot import DEALT, Evening, new_table, total
from tests.support.turns import is_whole, part

RULESETS = part(sorted(DEALT), of=4)
MOST_INPUTS = 400
STRANGE: tuple[AnyBody, ...] = (
    Act(3, "nonsense"),
    Act(9, "fold"),
    Act(1, "raise", to=1),
    Act(2, "split"),
    WagerPlaced(1, "no_such_bet", 500),
    WagerPlaced(2, "ante", 7),
    BetsClosed(),
    FloorAct("nonsense"),
    Happening("something_odd"),
)


class WholeTable(RuleBasedStateMachine):
    """One table from the first input on."""

    @initialize(slug=st.sampled_from(RULESETS), seed=st.integers(0, 10_000), unread=st.sampled_from((0, 12)))
    def open(self, slug: str, seed: int, unread: int) -> None:
        self.evening = Evening(slug, seed, unread_one_in=unread)
        self.boxes: dict[str, int] = {}
        self.read = self.settled = 0

    def is_open(self) -> bool:
        return len(self.evening.inputs) < MOST_INPUTS

    @precondition(is_open)
    @rule(inputs=st.integers(1, 25))
    def play(self, inputs: int) -> None:
        """What the table waits for, legal as it is."""
        for _ in range(inputs):
            self.evening._step()

    @precondition(is_open)
    @rule()
    def meet_trouble(self) -> None:
        """A stray card, a stack too many, a person out of turn, a jam, a floor that voids."""
        self.evening.trouble_one_in = 1
        self.evening._step()
        self.evening.trouble_one_in = 0

    @precondition(is_open)
    @rule(body=st.sampled_from(STRANGE))
    def refuse(self, body: AnyBody) -> None:
        """What is refused changes nothing."""
        engine = self.evening.engine
        waiting, state = engine.expectation, msgspec.json.encode(engine.state)
        if judge(waiting, body) is None:
            return
        events = self._apply(body)
        assert any(isinstance(event, ev.Refused) for event in events), f"{body} at {prompt(waiting)}"
        assert engine.expectation == waiting
        assert msgspec.json.encode(engine.state) == state

    @precondition(is_open)
    @rule()
    def wait(self) -> None:
        self._apply(TimePassed())

    @rule()
    def crash(self) -> None:
        """The power goes: what was stored makes the same table again, and it goes on."""
        evening = self.evening
        again = new_table(evening.ruleset, evening.setup)
        events = [event for value in evening.inputs for event in again.apply(decode_input(encode_input(value)))]
        assert list(map(ev.encode_event, events)) == list(map(ev.encode_event, evening.events))
        assert msgspec.json.encode(again.state) == msgspec.json.encode(evening.engine.state)
        assert again.expectation == evening.engine.expectation
        evening.engine = again

    def _apply(self, body: AnyBody) -> list[ev.Event]:
        evening = self.evening
        value = Input(len(evening.inputs), "bot", body)
        evening.inputs.append(value)
        events = evening.engine.apply(value)
        evening.events += events
        return events

    @invariant()
    def the_table_always_waits_for_something(self) -> None:
        if hasattr(self, "evening"):
            assert self.evening.engine.expectation.wants
            assert prompt(self.evening.engine.expectation)

    @invariant()
    def money_goes_from_somebody_to_somebody(self) -> None:
        for result in (getattr(self, "evening", None) and self.evening.rounds[self.settled :]) or ():
            assert total(result["net"]) + result["bank_net"] + result["more"].get("carried", 0) == 0
            assert all(pot["cents"] == total(pot["to"]) for pot in result["pots"])
            self.settled += 1

    @invariant()
    def the_fee_ledger_is_the_state(self) -> None:
        if not hasattr(self, "evening"):
            return
        for event in self.evening.events[self.read :]:
            if isinstance(event, ev.FeeChanged):
                assert event.before == self.boxes.get(event.box, 0), "a line begins where the one before it ended"
                self.boxes[event.box] = event.after
        self.read = len(self.evening.events)
        owed = {box: cents for box, cents in self.evening.engine.fees_owed.items() if cents}
        assert owed == {box: cents for box, cents in self.boxes.items() if cents}


TestWholeTable = WholeTable.TestCase
TestWholeTable.settings = settings(
    max_examples=200 if is_whole() else 25,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
