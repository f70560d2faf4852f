"""What a table is, within a round and between two: its rules, its lasting state, the round that stands ready.

The lasting state is a frozen value, so a round can always be run again from the state it began in. What happens at
a table changes it in the rooms that build on this one: `drop_room`, `shoe_room`, `house_room`, and `table` for rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic

import msgspec
from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.alarms import AlarmName
from controller.engine.expect.expectation import (
    AtAnyTime,
    Expectation,
    WantFloor,
    WantOpening,
    WantPack,
    WantRepair,
    WantShoe,
)
from controller.engine.fees import Schedule
from controller.engine.inputs import (
    Input,
)
from controller.engine.round.game import Game, OptionsT
from controller.engine.round.kernel import Round
from controller.engine.table import house
from controller.engine.table.state import Resolver, TableState


class Played:
    """A round as it was fed: where it began and what happened, for replay; once it is over, how it ended."""

    __slots__ = ("_done", "began", "inputs")

    def __init__(self, began: TableState) -> None:
        self.began = began
        """The table just before the round's first input: what a restart takes from the journal's snapshot too."""
        self.inputs: list[Input] = []
        self._done: Round | None = None

    def close(self, done: Round) -> None:
        self._done = done

    @property
    def document(self) -> dict[str, Any]:
        """The whole result, in the words of the case format; stays inside the engine."""
        return {} if self._done is None else self._done.table.result.document(self._done.table)

    @property
    def public(self) -> dict[str, Any]:
        """What everybody may know of it."""
        return {} if self._done is None else public(self._done)


def public(current: Round) -> dict[str, Any]:
    """What everybody may know of a round."""
    table = current.table
    document: dict[str, Any] = msgspec.to_builtins(table.result.event(table))
    return {**document, "void": table.result.void}


class SentBefore(Exception):
    """A device's input that was applied already: whoever feeds a table asks `is_repeat` first."""


class Count:
    """How far a device has counted what it told since its power-up, and what it will call the next."""

    __slots__ = ("boot", "coming", "last", "number")

    def __init__(self, ref: str) -> None:
        self.last = ref
        self.boot, _, number = ref.partition(":")
        self.number = int(number)
        self.coming = f"{self.boot}:{self.number + 1}"

    def has(self, told: Count) -> bool:
        """What is told now was counted before."""
        return told.boot == self.boot and told.number <= self.number

    def go_on(self) -> None:
        """What was to come has come."""
        self.number += 1
        self.last = self.coming
        self.coming = f"{self.boot}:{self.number + 1}"


class Standing(Generic[OptionsT]):
    """A table as it stands."""

    def __init__(
        self,
        game: Game[OptionsT],
        options: OptionsT,
        state: TableState,
        ruleset: str = "",
        resolve: Resolver | None = None,
    ) -> None:
        self._play(game, options, ruleset or game.slug)
        self._resolve = resolve
        self.state = state
        self.last: Played | None = None
        self._at_table = self._heard_at_table()
        self.round: Round | None = None
        self.played = Played(state)
        self._plain: TableState | None = None
        """The last state in which nothing but its round was to be looked at: it is asked for with every input."""
        self._counts: dict[str, Count] = {}
        """Of the devices in `seen`, so that few of their numbers must be read."""
        self._seen: dict[str, str] = {}
        """The running round's own `state.seen`: nobody has kept that state, so it need not be copied for every card."""
        self._now = 0
        self._next_round()

    def _play(self, game: Game[OptionsT], options: OptionsT, ruleset: str) -> None:
        """These rules from here on, and what of them does not change from round to round."""
        self.game, self.options, self.ruleset = game, options, ruleset
        self._deck: dict[str, int] | None = game.deck(options)
        self._ruled = game.happenings(options)
        self._cards_in_pack = None if self._deck is None else sum(self._deck.values())
        posted = getattr(options, "schedule", None)
        self._schedule: Schedule | None = posted if isinstance(posted, Schedule) else None
        """The collection schedule that is posted, if any."""

    def _heard_at_table(self) -> dict[type, Callable[[Input], list[ev.Event]]]:
        """What is no matter of the running round alone, by the kind of input, and who sees to it."""
        return {}

    @property
    def expectation(self) -> Expectation:
        """Everything legal now."""
        waiting = self._waiting_for()
        return Expectation(waiting.wants, waiting.barred, self._at_any_time())

    def _at_any_time(self) -> AtAnyTime:
        current = self.round
        amends = self.state.rounds if self.is_dealing or self.last is not None else None
        if current is None:
            return AtAnyTime(amends=amends)
        hears = current.hears_happenings
        return AtAnyTime(current.floor_may, hears, self._ruled if hears else (), amends)

    def _waiting_for(self) -> Expectation:
        if self.round is not None:
            return self.round.expectation
        differs = self.state.differs
        if differs is not None:
            choices = ("void",) if differs.running else ("resume",)
            text = f"entry {differs.entry} of the journal does not come out the same: {differs.text}"
            return Expectation((WantFloor("replay_differs", text, choices),))
        if self.state.stops:
            return Expectation((WantRepair("; ".join(self.state.stops.values())),))
        if self.state.closed:
            return Expectation((WantOpening(),))
        shoe = self.state.shoe
        if self.game.uses_shoe and (shoe is None or shoe.is_over or shoe.unfit):
            return Expectation((WantShoe("" if shoe is None else shoe.unfit),))
        return Expectation((WantPack(self._cards_in_pack),))

    @property
    def is_dealing(self) -> bool:
        """A round is running: it has had its first input and is not over."""
        return self.round is not None and self.round.begun

    @property
    def round_number(self) -> int:
        """The round that is running, or the last one."""
        return self.state.rounds

    @property
    def _lacks_pack(self) -> bool:
        """Under shuffle control, and without a pack that may be dealt."""
        packs = self.state.packs
        return self.state.setup.shuffle_control and (packs.in_play if self.game.uses_shoe else packs.ready) is None

    def _next_round(self) -> None:
        """The next round stands ready; it counts as begun with its first input."""
        self._seen = {}
        state = self.state
        self.played = Played(state)
        if state.differs is not None or state.stops or state.closed or self._lacks_pack:
            self.round = None
        elif not self.game.uses_shoe:
            self.round = Round(self.game, self.options, state.setup, self._deck, {}, carried=state.fees_carried)
        elif state.shoe is None or state.shoe.is_over or state.shoe.unfit:
            self.round = None
        else:
            shoe, deck = state.shoe, self._deck
            self.round = Round(
                self.game,
                self.options,
                state.setup,
                deck,
                dict(shoe.out),
                drawn=shoe.drawn,
                carried=state.fees_carried,
            )

    def _note_boot(self, by: str, boot: str) -> None:
        """Between two rounds a device may begin to count anew; in mid-round its next word shows that some were lost."""
        last = self.state.seen.get(by, "")
        if boot and last and not self.is_dealing and last.partition(":")[0] != boot:
            self._change(seen={**self.state.seen, by: f"{boot}:0"})

    def _alarm(self, name: AlarmName, text: str | None, facts: dict[str, Any] | None = None) -> list[ev.Event]:
        """Raise an alarm with this text, or clear it with None; each once.

        The text is the whole of what is wrong. Another text is another trouble: the old alarm is cleared and a new one
        raised, which nobody has acknowledged yet. What the floor has accepted is not raised with the same text again.
        """
        state = self.state
        if text is not None and text in (state.alarms.get(name), state.accepted.get(name)):
            return []
        events = self._clear(name)
        if name in state.accepted:
            self._change(accepted={other: said for other, said in state.accepted.items() if other != name})
        if text is not None:
            lives = house.raised(self.state.alarm_lives, name, text, self._now)
            self._change(alarms={**self.state.alarms, name: text}, alarm_lives=lives)
            events.append(ev.AlarmRaised(name, text, facts or {}))
        return events

    def _clear(self, name: str) -> list[ev.Event]:
        state = self.state
        if name not in state.alarms:
            return []
        alarms = {other: said for other, said in state.alarms.items() if other != name}
        self._change(alarms=alarms, alarm_lives=house.cleared(state.alarm_lives, name, self._now))
        return [ev.AlarmCleared(name)]

    def _change(self, **fields: Any) -> None:
        """A change of the lasting state that a running round does not see, and that its replay must keep."""
        self.state = replace(self.state, **fields)
