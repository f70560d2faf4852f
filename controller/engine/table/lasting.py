"""What the parts of a table share and what outlives a round: the rules in force and the lasting state.

The lasting state is a frozen value, so a round can always be run again from the state it began in.
"""

from __future__ import annotations

from typing import Any, Generic

from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.alarms import AlarmName
from controller.engine.bank.banking import Banking
from controller.engine.bank.people import is_same
from controller.engine.bank.rotation import Rotation
from controller.engine.bets.hands import HandLimits
from controller.engine.fees.posted import schedule_of
from controller.engine.fees.schedule import Schedule
from controller.engine.procedures.conduct import without_seats
from controller.engine.procedures.rules import NO_PROCEDURES, Procedures
from controller.engine.round.game import Game, OptionsT
from controller.engine.shoe.counters import Counters
from controller.engine.table.state import Alarm, NamedReading, Postable, Resolver, Rules, TableState

_OVER_ALARMS_KEPT = 64
"""Alarms that are over and kept in the state; a table has far fewer names for what can go wrong."""


class RulesInForce(Generic[OptionsT]):
    """The ruleset that the table plays now, and what follows from it for every round."""

    def __init__(
        self,
        game: Game[OptionsT],
        options: OptionsT,
        ruleset: str,
        resolve: Resolver | None,
        *,
        rotation: Rotation | None = None,
        readings: tuple[NamedReading, ...] = (),
        procedures: Procedures = NO_PROCEDURES,
    ) -> None:
        self.resolve = resolve
        """Finds other rules; None where the table plays only these."""
        self._put(Rules(game, options, rotation=rotation, readings=readings, procedures=procedures), ruleset)

    def _put(self, rules: Rules[OptionsT], ruleset: str) -> None:
        game, options, procedures = rules.game, rules.options, rules.procedures
        self.game, self.options, self.ruleset = game, options, ruleset
        self.procedures = procedures
        """What the table does beside its rounds."""
        self.beside_rounds = (*procedures.reports, *procedures.floor_acts)
        """What may be reported and decided then."""
        self.has_stacks = "stacks" in game.floor_sets()
        """Players have chips in front of them."""
        self.rotation = rules.rotation
        """Of the player-dealer's position; None: the game has none, or one round is played alone."""
        self.readings = rules.readings
        """What the house confirms before a live table is dealt by these rules."""
        self.lacks_collection = rules.lacks_collection
        self.deck: dict[str, int] | None = game.deck(options)
        self.happenings = game.happenings(options)
        """The irregularities that the game has a ruling or a name for."""
        self.cards_in_pack = None if self.deck is None else sum(self.deck.values())
        self._schedules: tuple[Postable, ...] | None = None
        self.schedule: Schedule | None = schedule_of(options)
        """The collection schedule that is posted, if any."""
        self.takes_jackpot_fee = self.schedule is not None and self.schedule.takes_jackpot_fee

    def play(self, ruleset: str, options: dict[str, Any]) -> str:
        """Play by another ruleset from here on; returns its digest."""
        assert self.resolve is not None
        rules = self.resolve(ruleset, options)
        self._put(rules, ruleset)
        return rules.digest

    def schedules(self, options: dict[str, Any]) -> tuple[Postable, ...]:
        """The schedules that the floor may post; none where the table plays no other rules than its own."""
        if self._schedules is None:
            self._schedules = () if self.resolve is None else self.resolve(self.ruleset, options).schedules()
        return self._schedules

    def banking(self, state: TableState) -> Banking | None:
        """Who may bank the next hand; None where the position does not rotate."""
        if self.rotation is None:
            return None
        setup = state.setup
        return Banking(self.rotation, setup.seats, setup.player_dealer, state.people, state.turns)

    def hand_limits(self, state: TableState) -> HandLimits | None:
        """How many hands each player may have in a round; None where the text has no number."""
        most, people = self.procedures.hands_each, state.people
        if most is None:
            return None
        player_of: dict[str, str] = {}
        for place in sorted({*people.at, *map(str, state.setup.seats)}):
            person = people.person(place)
            same = (other for other in player_of if is_same(people.person(other), person, "person"))
            player_of[place] = player_of[first] if (first := next(same, "")) else place
        decided = {player_of.get(seat, seat): hands for seat, hands in state.conduct.hands.items()}
        has_own_spots = getattr(self.options, "further_spots", "") == "own_hands"
        return HandLimits(most, player_of, decided, has_own_spots)


class Lasting:
    """The lasting state, how it is changed, and the alarms in it."""

    def __init__(self, state: TableState) -> None:
        self.state = state
        self.now = 0
        """The time of the input that is being applied."""
        self.own_seen: dict[str, str] = {}
        """The running round's own `state.seen`: nobody else has that dictionary, so it is changed in place."""
        self.own_counters: dict[str, Counters] = {}
        """The same for `state.counters`."""

    def change(self, **fields: Any) -> None:
        self.state = replace(self.state, **fields)

    def forget_players(self, seats: set[int]) -> None:
        """The players of these seats have left, or others sit there now."""
        self.change(conduct=without_seats(self.state.conduct, seats))

    def alarm(self, name: AlarmName, text: str | None, facts: dict[str, Any] | None = None) -> list[ev.Event]:
        """Raise an alarm with this text, or clear it with None; each once.

        The text is the whole of what is wrong. Another text is another trouble: the old alarm is cleared and a new one
        raised, which nobody has acknowledged yet. What the floor has accepted is not raised with the same text again.
        """
        state = self.state
        if text is not None and text in (state.alarms.get(name), state.accepted.get(name)):
            return []
        events = self.clear(name)
        if name in state.accepted:
            self.change(accepted={other: text for other, text in state.accepted.items() if other != name})
        if text is not None:
            self._record(name, text)
            events.append(ev.AlarmRaised(name, text, facts or {}))
        return events

    def reword_alarm(self, name: AlarmName, text: str) -> list[ev.Event]:
        """The same trouble as before, now with this text: since when, and who has acknowledged it, stays. An alarm that
        is not raised is raised."""
        if name not in self.state.alarms:
            return self.alarm(name, text)
        if self.state.alarms[name] == text:
            return []
        self.change(alarms={**self.state.alarms, name: text})
        self.change_alarm(name, text=text)
        return [ev.AlarmChanged(name, text)]

    def _record(self, name: str, text: str) -> None:
        """An alarm began, or began again; who acknowledged the last one has not acknowledged this one."""
        state = self.state
        over = [other for other, alarm in state.alarm_lives.items() if alarm.cleared_at and other != name]
        dropped = {*over[: max(0, len(over) - _OVER_ALARMS_KEPT)], name}
        kept = {other: alarm for other, alarm in state.alarm_lives.items() if other not in dropped}
        self.change(alarms={**state.alarms, name: text}, alarm_lives={**kept, name: Alarm(text, self.now)})

    def clear(self, name: str) -> list[ev.Event]:
        state = self.state
        if name not in state.alarms:
            return []
        if name in state.alarm_lives:
            self.change_alarm(name, cleared_at=self.now)
        self.change(alarms={other: text for other, text in state.alarms.items() if other != name})
        return [ev.AlarmCleared(name)]

    def change_alarm(self, name: str, **fields: Any) -> None:
        """Change what is recorded of an alarm."""
        kept = self.state.alarm_lives
        self.change(alarm_lives={**kept, name: replace(kept[name], **fields)})
