"""What the house says about a table: started, configured, open or closed, its rules, limits and seats, its board."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from controller.engine import alarms
from controller.engine import events as ev
from controller.engine.expect.expectation import judge
from controller.engine.inputs import (
    AlarmExplained,
    AlarmSeenTo,
    BoardSeen,
    Configured,
    DifferenceFound,
    FirmwareUpdate,
    FloorAct,
    Input,
    RulesChosen,
    Started,
    TableClosed,
    TableSet,
)
from controller.engine.round.felt import Setup
from controller.engine.round.game import OptionsT
from controller.engine.table import firmware, house
from controller.engine.table.shoe_room import ShoeRoom
from controller.engine.table.state import Difference, TableState


class HouseRoom(ShoeRoom[OptionsT]):
    """A table of a house."""

    def _started(self, value: Input) -> list[ev.Event]:
        """The daemon came up. Between rounds its rules and table count from now on; a running round keeps its own."""
        body = value.body
        assert type(body) is Started
        self._change(test=body.test, configuration=body.file)
        if not self.is_dealing:
            setup = msgspec.convert(body.setup, Setup) if body.setup else self.state.setup
            self._change(digest=body.digest, ruleset=body.ruleset, options=body.options, setup=setup)
            if self._resolve is not None:
                rules = self._resolve(body.ruleset, body.options)
                self._play(rules.game, rules.options, body.ruleset)
            self._next_round()
        started = ev.TableStarted(body.version, body.ruleset, body.digest, body.test)
        return [started, *self._still_chosen(body), *self._shoe_alarms()]

    def _difference_found(self, value: Input) -> list[ev.Event]:
        """The journal does not come out the same: the table goes on from the state that comes with it, and is held."""
        body = value.body
        assert type(body) is DifferenceFound
        difference = Difference(body.entry, body.text, body.running)
        self.state = replace(msgspec.convert(body.state, TableState), differs=difference)
        if self._resolve is not None:
            rules = self._resolve(self.state.ruleset, self.state.options)
            self._play(rules.game, rules.options, self.state.ruleset)
        self.last = None
        self._next_round()
        text = f"entry {body.entry} of the journal does not come out the same: {body.text}"
        return [ev.ReplayDiffered(body.entry, body.text, body.running), *self._alarm(alarms.REPLAY_DIFFERS.of(), text)]

    def _difference_answered(self, value: Input) -> list[ev.Event]:
        """The floor's word on it. A round that was running is void; what it moved nobody can say from the journal."""
        body, difference = value.body, self.state.differs
        assert type(body) is FloorAct and difference is not None
        refusal = judge(self.expectation, body)
        if refusal is not None:
            return [ev.Refused("floor", refusal.why, refusal.text)]
        self._change(differs=None)
        events: list[ev.Event] = []
        if difference.running:
            events.append(ev.RoundVoided("replay_differs", body.reason, fees="not_known"))
        events.append(ev.DifferenceAccepted(difference.entry, value.by, body.reason))
        events += self._alarm(alarms.REPLAY_DIFFERS.of(), None)
        self._next_round()
        return events

    def _configured(self, value: Input) -> list[ev.Event]:
        """The daemon's file says something else now. What somebody set at the table since stays, where the file says
        nothing new about it."""
        body = value.body
        assert type(body) is Configured
        told = ev.TableConfigured(value.by, body.changed, body.file)
        if not (body.ruleset or body.setup):
            self._change(configuration=body.file)
            return [told]
        if self.is_dealing:
            return [ev.Refused("configure", "round_running", "rules, seats and limits change between rounds only")]
        given = msgspec.convert(body.setup, Setup)
        setup = replace(self.state.setup, **{name: getattr(given, name) for name in body.setup})
        if setup.player_dealer != self.state.setup.player_dealer:
            self._change(turns=0)
        self._change(configuration=body.file, setup=setup)
        # It was judged by other terms: it can no longer be run again by these.
        self.last = None
        self._next_round()
        if not body.ruleset:
            return [told]
        played = (self.game.slug, self._deck)
        terms = house.Terms(body.ruleset, body.options, setup.min_wager, setup.max_wager)
        rules_set = self._play_by(house.Chosen(terms, terms))
        self._change(chosen=None)
        return [told, *self._end_foreign_shoe(*played), *rules_set]

    def _opened(self, value: Input) -> list[ev.Event]:
        if not self.state.closed:
            return [ev.Refused("open_table", "open_already", "the table is open")]
        self._change(closed=False)
        if not self.is_dealing:
            self._next_round()
        return [ev.TableOpen(value.by)]

    def _shut(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is TableClosed
        if self.state.closed:
            return [ev.Refused("close_table", "closed_already", "the table is closed")]
        self._change(closed=True)
        if not self.is_dealing:
            self._next_round()
        return [ev.TableShut(value.by, body.reason)]

    def _rules_chosen(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is RulesChosen
        if self.is_dealing:
            return [ev.Refused("choose_rules", "round_running", "rules and limits change between rounds only")]
        now = self._terms
        ruleset = now.ruleset if body.ruleset is UNSET else body.ruleset
        kept = now.options if ruleset == now.ruleset else {}
        terms = house.Terms(
            ruleset,
            kept if body.options is UNSET else body.options,
            now.min_wager if body.min_wager is UNSET else body.min_wager,
            now.max_wager if body.max_wager is UNSET else body.max_wager,
        )
        if terms.max_wager is not None and terms.max_wager < terms.min_wager:
            return [ev.Refused("choose_rules", "limits_crossed", "the least wager would be above the greatest")]
        instead_of = now if self.state.chosen is None else self.state.chosen.instead_of
        played = (self.game.slug, self._deck)
        told = self._play_by(house.Chosen(terms, instead_of))
        return [*self._end_foreign_shoe(*played), *told]

    def _still_chosen(self, body: Started) -> list[ev.Event]:
        """What was chosen at the table outlives a restart, unless the configuration now says something else."""
        chosen = self.state.chosen
        if chosen is None or self.is_dealing:
            return []
        if chosen.instead_of == self._terms:
            return self._play_by(chosen)
        self._change(chosen=None)
        return []

    @property
    def _terms(self) -> house.Terms:
        setup = self.state.setup
        return house.Terms(self.ruleset, self.state.options, setup.min_wager, setup.max_wager)

    def _play_by(self, chosen: house.Chosen) -> list[ev.Event]:
        """These terms from the next round on."""
        terms = chosen.terms
        assert self._resolve is not None
        rules = self._resolve(terms.ruleset, terms.options)
        self._play(rules.game, rules.options, terms.ruleset)
        setup = replace(self.state.setup, min_wager=terms.min_wager, max_wager=terms.max_wager)
        self._change(chosen=chosen, ruleset=terms.ruleset, options=terms.options, digest=rules.digest, setup=setup)
        # Its inputs were judged by other rules: it can no longer be run again by these.
        self.last = None
        self._next_round()
        return [ev.RulesSet(terms.ruleset, rules.digest, terms.min_wager, terms.max_wager)]

    def _end_foreign_shoe(self, slug: str, deck: Mapping[str, int] | None) -> list[ev.Event]:
        """A shoe of another pack, or with another game's history, is over."""
        old = self.state.shoe
        if old is None or (self.game.slug, self._deck) == (slug, deck):
            return []
        self._change(shoe=replace(old, cut_card=True, history=(), out={}, doubts={}), previous_shoe=None)
        self._next_round()
        ended = [] if old.cut_card else [ev.ShoeEnded(old.number, len(old.history))]
        return [*ended, *self._shoe_alarms()]

    def _alarm_seen_to(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is AlarmSeenTo
        lives = house.acknowledged(self.state.alarm_lives, body.alarm, value.by, value.at)
        if isinstance(lives, ev.Refused):
            return [lives]
        self._change(alarm_lives=lives)
        return [ev.AlarmAcknowledged(body.alarm, value.by)]

    def _alarm_explained(self, value: Input) -> list[ev.Event]:
        """The floor clears an alarm by what it states. An alarm that its cause must clear is not cleared by words."""
        body, state = value.body, self.state
        assert type(body) is AlarmExplained
        kind, text = alarms.kind_of(body.alarm), state.alarms.get(body.alarm)
        if kind is None or text is None:
            return [ev.Refused("explain_alarm", "no_such_alarm", f"no alarm {body.alarm!r} is raised at this table")]
        if kind.explained == "no":
            ends = alarms.advice(body.alarm).ends
            return [ev.Refused("explain_alarm", "not_by_words", f"it is cleared when {ends}")]
        if not body.reason.strip():
            return [ev.Refused("explain_alarm", "no_reason", "state what was found")]
        if kind.explained == "as_it_is":
            self._change(accepted={**state.accepted, body.alarm: text})
        self._change(alarm_lives=house.settled(state.alarm_lives, body.alarm, body.reason, value.by))
        return [ev.AlarmSettled(body.alarm, body.reason, value.by), *self._clear(body.alarm)]

    def _table_set(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is TableSet
        if self.is_dealing:
            return [ev.Refused("table_set", "round_running", "seats and player-dealer change between rounds only")]
        setup = self.state.setup
        if body.seats is not UNSET:
            setup = replace(setup, seats=tuple(sorted(body.seats)))
        if body.player_dealer is not UNSET:
            if body.player_dealer != setup.player_dealer:
                self.state = replace(self.state, turns=0)
            setup = replace(setup, player_dealer=body.player_dealer)
        if body.button is not UNSET:
            setup = replace(setup, button=body.button)
        if body.settings is not UNSET:
            setup = replace(setup, settings={**setup.settings, **body.settings})
        self.state = replace(self.state, setup=setup)
        self._next_round()
        return [ev.TableSetTo(setup.seats, setup.player_dealer, setup.button)]

    def _board_seen(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is BoardSeen
        name = alarms.known(body.alarm)
        if name is None:
            return [ev.Refused("board", "no_such_alarm", f"there is no alarm {body.alarm!r}")]
        stops = {other: text for other, text in self.state.stops.items() if other != name}
        if body.wrong and body.stops_rounds:
            stops[name] = body.text
        changed = stops != self.state.stops
        events = self._alarm(name, body.text if body.wrong else None)
        self._change(stops=stops)
        if changed and not self.is_dealing:
            self._next_round()
        return events

    def _firmware_update(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is FirmwareUpdate
        stops, events = firmware.step(self.state.stops, body, dealing=self.is_dealing)
        if stops != self.state.stops:
            self._change(stops=stops)
            self._note_boot(f"device:{body.device}", body.boot)
            self._next_round()
        return events
