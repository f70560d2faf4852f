"""What the house decides about a table: configured, open or closed, its rules, limits and seats, alarms answered; and
what the board reports of itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from controller.engine import alarms
from controller.engine import events as ev
from controller.engine.amounts import dollars
from controller.engine.expect.expectation import judge
from controller.engine.expect.want import Refusal
from controller.engine.fees.posted import NOT_POSTED, buy_in_problem
from controller.engine.inputs import (
    AlarmExplained,
    AlarmSeenTo,
    BoardSeen,
    Configured,
    DifferenceFound,
    FirmwareUpdate,
    FloorAct,
    FloorCalled,
    Input,
    RulesChosen,
    Started,
    TableClosed,
    TableRetired,
    TableSet,
    TpmCounted,
)
from controller.engine.journal_inputs import StoreConfirmed
from controller.engine.round.felt import Setup
from controller.engine.table.bank import TableBank
from controller.engine.table.current_round import Shared
from controller.engine.table.devices import firmware
from controller.engine.table.devices.numbers import DeviceNumbers
from controller.engine.table.devices.shoe import TableShoe
from controller.engine.table.opening import reasons
from controller.engine.table.settings import settings_refusal
from controller.engine.table.state import (
    Chosen,
    Difference,
    NoSuchRules,
    Stored,
    TableState,
    Terms,
    TpmCount,
    UpdateSeen,
)
from controller.engine.update_inputs import Reference, UpdateTaken

STAKES = frozenset({"structure", "blinds", "blind_sizes", "antes", "kill"})
"""Settings that belong to a schedule: another one takes them off."""


class House:
    """The house at one table: each method answers one kind of input."""

    def __init__(self, shared: Shared, shoe: TableShoe, numbers: DeviceNumbers, bank: TableBank) -> None:
        self._rules, self._lasting, self._current = shared.rules, shared.lasting, shared.current
        self._shoe, self._numbers, self._bank = shoe, numbers, bank

    # Start and configuration

    def started(self, value: Input) -> list[ev.Event]:
        """The daemon came up. Between rounds its rules and table apply from now on; a running round keeps its own."""
        body = value.body
        assert type(body) is Started
        self._lasting.change(test=body.test, configuration=body.file, confirmed=body.confirmed)
        if not self._current.is_dealing:
            setup = self._lasting.state.setup
            if body.setup:
                setup = self._bank.kept(msgspec.convert(body.setup, Setup))
            self._lasting.change(digest=body.digest, ruleset=body.ruleset, options=body.options, setup=setup)
            if self._rules.resolve is not None:
                self._rules.play(body.ruleset, body.options)
            self._current.prepare()
        setup = self._lasting.state.setup
        started = ev.TableStarted(body.version, body.ruleset, body.digest, body.test, setup.seats, setup.player_dealer)
        return [started, *self._still_chosen(body), *self._shoe.doubts()]

    def difference_found(self, value: Input) -> list[ev.Event]:
        """The journal does not come out the same: the table goes on from the state that comes with it, and is held."""
        body = value.body
        assert type(body) is DifferenceFound
        difference = Difference(body.entry, body.text, body.running)
        state = self._lasting.state = replace(msgspec.convert(body.state, TableState), differs=difference)
        if self._rules.resolve is not None:
            self._rules.play(state.ruleset, state.options)
        self._current.last = None
        self._current.prepare()
        text = f"entry {body.entry} of the journal does not come out the same: {body.text}"
        alarm = self._lasting.alarm(alarms.REPLAY_DIFFERS.of(), text)
        total = state.all_fees_due
        lines = [
            ev.FeeChanged(box, total.get(box, 0) - body.owed.get(box, 0), "not_known")
            for box in sorted({**total, **body.owed})
            if total.get(box, 0) != body.owed.get(box, 0)
        ]
        return [ev.ReplayDiffered(body.entry, body.text, body.running), *lines, *alarm]

    def difference_answered(self, value: Input) -> list[ev.Event]:
        """The floor accepts the difference. A round that was running is void; what it moved is not in the journal."""
        body, difference = value.body, self._lasting.state.differs
        assert type(body) is FloorAct and difference is not None
        refusal = judge(self._current.expectation, body)
        if refusal is not None:
            return [ev.Refused("floor", refusal.why, refusal.text)]
        self._lasting.change(differs=None)
        events: list[ev.Event] = []
        if difference.running:
            events.append(ev.RoundVoided("replay_differs", body.reason, fees="not_known"))
        events.append(ev.DifferenceAccepted(difference.entry, value.by, body.reason))
        events += self._lasting.alarm(alarms.REPLAY_DIFFERS.of(), None)
        self._current.prepare()
        return events

    def configured(self, value: Input) -> list[ev.Event]:
        """The daemon's configuration file changed. What was set at the table since stays, where the file changes
        nothing about it."""
        body = value.body
        assert type(body) is Configured
        if body.update is not None:
            events = self._update_refused(body.update) or self._configured(value, body)
            if any(isinstance(event, ev.Refused) for event in events):
                return events
            text = f"Changed: {', '.join(body.changed)}." if body.changed else "Nothing has changed."
            return [*events, *self._took(value, body.update, text)]
        return self._configured(value, body)

    def _configured(self, value: Input, body: Configured) -> list[ev.Event]:
        now = self._lasting.state.setup
        event = ev.TableConfigured(value.by, body.changed, body.file, now.seats, now.player_dealer)
        if not (body.ruleset or body.setup):
            self._lasting.change(configuration=body.file)
            if body.confirmed is not UNSET:
                self._lasting.change(confirmed=body.confirmed)
                if not self._current.is_dealing:
                    self._current.prepare()
            return [event]
        if self._current.is_dealing:
            return [ev.Refused("configure", "round_running", "rules, seats and limits change between rounds only")]
        given = msgspec.convert(body.setup, Setup)
        setup = replace(self._lasting.state.setup, **{name: getattr(given, name) for name in body.setup})
        refusal = self._unfit(body.ruleset, body.options, setup)
        if refusal is not None:
            return [ev.Refused("configure", refusal.why, refusal.text)]
        moved = setup.player_dealer != self._lasting.state.setup.player_dealer
        event = replace(event, seats=setup.seats, player_dealer=setup.player_dealer)
        self._lasting.change(configuration=body.file, setup=setup)
        if body.confirmed is not UNSET:
            self._lasting.change(confirmed=body.confirmed)
        taken = self._bank.set_to(setup.player_dealer, value.by) if moved else []
        # The last round was judged by other terms: it can no longer be run again by these.
        self._current.last = None
        self._current.prepare()
        if not body.ruleset:
            return [event, *taken]
        slug, deck = self._rules.game.slug, self._rules.deck
        terms = Terms(body.ruleset, body.options, setup.min_wager, setup.max_wager)
        rules_set = self._play_by(Chosen(terms, terms))
        self._lasting.change(chosen=None)
        return [event, *taken, *self._shoe.end_foreign(slug, deck), *rules_set]

    # Updates by signed reference

    def update_taken(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is UpdateTaken
        return self._update_refused(body.reference) or self._took(value, body.reference, body.text)

    def _update_refused(self, reference: Reference) -> list[ev.Event]:
        # Software is only put aside, and a certificate is the broker's concern: neither changes anything at the table.
        if self._current.is_dealing and reference.what not in ("software", "certificate"):
            text = f"round {self._lasting.state.rounds} is running, and it may change between rounds only"
            return [ev.Refused("take_update", "round_running", text)]
        last = self._lasting.state.updates.get(reference.what)
        if last is not None and reference.serial <= last.serial:
            text = f"its serial number is {reference.serial}, and {last.serial} was taken before: it must be higher"
            return [ev.Refused("take_update", "old_serial", text)]
        return []

    def _took(self, value: Input, reference: Reference, text: str) -> list[ev.Event]:
        seen = UpdateSeen(reference.serial, reference.sha256)
        self._lasting.change(updates={**self._lasting.state.updates, reference.what: seen})
        return [
            ev.UpdateCame(
                value.by,
                reference.what,
                reference.address,
                reference.size,
                reference.sha256,
                reference.issued,
                reference.serial,
                reference.key,
                text,
            )
        ]

    # Open or closed, rules and seats

    def opened(self, value: Input) -> list[ev.Event]:
        if not self._lasting.state.closed:
            return [ev.Refused("open_table", "open_already", "the table is open")]
        for reason in reasons(self._lasting.state, self._rules):
            return [ev.Refused("open_table", reason.why, reason.text)]
        self._lasting.change(closed=False, chips={})
        if not self._current.is_dealing:
            self._bank.begin_game()
            self._current.prepare()
        return [ev.TableOpen(value.by)]

    def closed(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is TableClosed
        if self._lasting.state.closed:
            return [ev.Refused("close_table", "closed_already", "the table is closed")]
        self._lasting.change(closed=True)
        if not self._current.is_dealing:
            self._current.prepare()
        return [ev.TableShut(value.by, body.reason)]

    def retired(self, value: Input) -> list[ev.Event]:
        """The table goes out of use: only one that is closed, and at which nothing is open."""
        body, state = value.body, self._lasting.state
        assert type(body) is TableRetired
        if self._current.is_dealing:
            text = f"round {state.rounds} is running; close the table, and retire it when the round is over"
            return [ev.Refused("retire_table", "round_running", text)]
        if not state.closed:
            return [ev.Refused("retire_table", "table_open", "the table is open; close it first")]
        open_ = self._open_money()
        if open_:
            return [ev.Refused("retire_table", "fees_open", f"{'; '.join(open_)}. Settle that first")]
        self._lasting.change(retired=True)
        return [ev.TableGone(value.by, body.reason)]

    def _open_money(self) -> list[str]:
        """What somebody has to settle before the journal may end, in words."""
        state = self._lasting.state
        found = []
        for box, book in sorted(state.drop.books.items()):
            waiting = sum(claim.due for claim in book.claims if not claim.verdict)
            if book.unexplained is not None:
                found.append(f"{box} box: {book.unexplained}")
            if waiting:
                found.append(f"{box} box: {dollars(waiting)} may still fall")
        for box_id, gone in sorted(state.drop.gone.items()):
            found.append(f"box {box_id} of the {gone.box} slot was taken out and is not counted")
        for number, cents in sorted(state.jackpots.fees_aside.items()):
            found.append(f"{dollars(cents)} of jackpot fee of the void round {number} are set aside")
        return found

    def rules_chosen(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is RulesChosen
        if self._current.is_dealing:
            return [ev.Refused("choose_rules", "round_running", "rules and limits change between rounds only")]
        now = self._terms
        ruleset = now.ruleset if body.ruleset is UNSET else body.ruleset
        kept = now.options if ruleset == now.ruleset else {}
        terms = Terms(
            ruleset,
            kept if body.options is UNSET else body.options,
            now.min_wager if body.min_wager is UNSET else body.min_wager,
            now.max_wager if body.max_wager is UNSET else body.max_wager,
        )
        if terms.max_wager is not None and terms.max_wager < terms.min_wager:
            return [ev.Refused("choose_rules", "limits_crossed", "the least wager would be above the greatest")]
        if self._rules.resolve is None:
            return [ev.Refused("choose_rules", "bad_rules", "this table plays no other rules than its own")]
        try:
            rules = self._rules.resolve(terms.ruleset, terms.options)
        except NoSuchRules as error:
            return [ev.Refused("choose_rules", "bad_rules", str(error))]
        for reason in reasons(self._lasting.state, rules):
            return [ev.Refused("choose_rules", reason.why, reason.text)]
        refusal = self._unfit(terms.ruleset, terms.options, terms.limit(self._lasting.state.setup))
        if refusal is not None:
            return [ev.Refused("choose_rules", refusal.why, refusal.text)]
        instead_of = now if self._lasting.state.chosen is None else self._lasting.state.chosen.instead_of
        slug, deck = self._rules.game.slug, self._rules.deck
        rules_set = self._play_by(Chosen(terms, instead_of))
        return [*self._shoe.end_foreign(slug, deck), *rules_set]

    def _unfit(self, ruleset: str, options: dict[str, Any], setup: Setup) -> Refusal | None:
        """Why this table cannot play a game as it is set: larger than its approval allows, or with other limits than
        its schedule posts. `ruleset`: the one to be played, empty: the one in force."""
        if ruleset and self._rules.resolve is not None:
            rules = self._rules.resolve(ruleset, options)
            game, chosen = rules.game, rules.options
        else:
            game, chosen = self._rules.game, self._rules.options
        if text := game.too_many_seats(setup, chosen):
            return Refusal("too_many_seats", text)
        text = game.not_posted(_without_stakes(setup) if ruleset else setup, chosen)
        return Refusal(NOT_POSTED, text) if text else None

    def _still_chosen(self, body: Started) -> list[ev.Event]:
        """What was chosen at the table outlives a restart, unless the configuration is another now."""
        chosen = self._lasting.state.chosen
        if chosen is None or self._current.is_dealing:
            return []
        terms, setup = chosen.terms, self._lasting.state.setup
        is_same = chosen.instead_of == self._terms
        if is_same and self._unfit(terms.ruleset, terms.options, terms.limit(setup)) is None:
            return self._play_by(chosen)
        self._lasting.change(chosen=None)
        return []

    @property
    def _terms(self) -> Terms:
        setup = self._lasting.state.setup
        return Terms(self._rules.ruleset, self._lasting.state.options, setup.min_wager, setup.max_wager)

    def _play_by(self, chosen: Chosen) -> list[ev.Event]:
        """These terms from the next round on."""
        terms = chosen.terms
        digest = self._rules.play(terms.ruleset, terms.options)
        setup = terms.limit(self._lasting.state.setup)
        if self._rules.game.not_posted(setup, self._rules.options):
            # Stakes of another schedule: the posted ones apply.
            setup = _without_stakes(setup)
        self._lasting.change(chosen=chosen, ruleset=terms.ruleset, options=terms.options, digest=digest, setup=setup)
        # The last round was judged by other rules: it can no longer be run again by these.
        self._current.last = None
        self._current.prepare()
        return [ev.RulesSet(terms.ruleset, digest, terms.min_wager, terms.max_wager)]

    def table_set(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is TableSet
        if self._current.is_dealing:
            return [ev.Refused("table_set", "round_running", "seats and player-dealer change between rounds only")]
        before = setup = self._lasting.state.setup
        if body.seats is not UNSET:
            if len(set(body.seats)) < len(body.seats):
                return [ev.Refused("table_set", "seat_twice", "a seat is named twice; name each seat once")]
            setup = replace(setup, seats=tuple(sorted(body.seats)))
        if body.player_dealer is not UNSET:
            refusal = None if body.player_dealer is None else self._bank.refusal_to_set(body.player_dealer)
            if refusal is not None:
                return [ev.Refused("table_set", refusal.why, refusal.text)]
            if body.seats is UNSET:
                setup = self._bank.with_player_dealer(setup, body.player_dealer)
            else:
                setup = replace(setup, player_dealer=body.player_dealer)
        if body.button is not UNSET:
            setup = replace(setup, button=body.button)
        if body.settings is not UNSET:
            refusal = settings_refusal(body.settings)
            if refusal is not None:
                return [ev.Refused("table_set", refusal.why, refusal.text)]
            settings = {**setup.settings, **body.settings}
            setup = replace(setup, settings={name: value for name, value in settings.items() if value is not None})
        stacks = setup.settings.get("stacks") or {}
        known = self._lasting.state.chips | _named(before.settings.get("stacks") or {})
        refusal = self._unfit("", {}, setup) or self._bad_buy_in(stacks, known)
        if refusal is not None:
            return [ev.Refused("table_set", refusal.why, refusal.text)]
        self._lasting.change(setup=setup, chips=known | _named(stacks))
        self._lasting.forget_players({*before.seats, *_banker(before)} - {*setup.seats, *_banker(setup)})
        moved = setup.player_dealer != before.player_dealer
        taken = self._bank.set_to(setup.player_dealer, value.by) if moved else []
        self._current.prepare()
        return [*taken, ev.TableSetTo(setup.seats, setup.player_dealer, setup.button)]

    def _bad_buy_in(self, stacks: Mapping[Any, int], known: Mapping[str, int]) -> Refusal | None:
        schedule = self._rules.schedule
        text = "" if schedule is None else buy_in_problem(schedule, stacks, known)
        return Refusal(NOT_POSTED, text) if text else None

    # Alarms and the board

    def floor_called(self, value: Input) -> list[ev.Event]:
        """A call is an alarm: everybody sees it until somebody at the table ends it."""
        body = value.body
        assert type(body) is FloorCalled
        name, text = alarms.FLOOR_CALLED.of(), body.reason.strip() or "the floor is called"
        is_raised = name in self._lasting.state.alarms
        if body.is_over and not is_raised:
            return [ev.Refused("call_floor", "nobody_called", "the floor is not called")]
        if body.is_over:
            return self._lasting.alarm(name, None)
        if is_raised and not body.reason.strip():
            return [ev.Refused("call_floor", "called_already", "the floor is called already")]
        return self._lasting.reword_alarm(name, text)

    def alarm_seen_to(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is AlarmSeenTo
        alarm = self._lasting.state.alarm_lives.get(body.alarm)
        if alarm is None:
            text = f"there is no alarm {body.alarm!r} at this table"
            return [ev.Refused("acknowledge", "no_such_alarm", text)]
        if alarm.acknowledged_by:
            text = f"{alarm.acknowledged_by} has acknowledged it before"
            return [ev.Refused("acknowledge", "acknowledged_before", text)]
        self._lasting.change_alarm(body.alarm, acknowledged_by=value.by, acknowledged_at=value.at)
        return [ev.AlarmAcknowledged(body.alarm, value.by)]

    def alarm_explained(self, value: Input) -> list[ev.Event]:
        """The floor clears an alarm by a statement. An alarm that only its cause clears cannot be cleared so."""
        body, state = value.body, self._lasting.state
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
            self._lasting.change(accepted={**state.accepted, body.alarm: text})
        self._lasting.change_alarm(body.alarm, settled_by=value.by, reason=body.reason)
        events = [ev.AlarmSettled(body.alarm, body.reason, value.by), *self._lasting.clear(body.alarm)]
        if body.alarm in state.stops:
            self._lasting.change(stops={other: why for other, why in state.stops.items() if other != body.alarm})
            if not self._current.is_dealing:
                self._current.prepare()
        # Until now the clock was published as stepped.
        return [*events, ev.ClockChanged(state.clock)] if kind is alarms.CLOCK else events

    def board_seen(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is BoardSeen
        name = alarms.known(body.alarm)
        if name is None:
            return [ev.Refused("board", "no_such_alarm", f"there is no alarm {body.alarm!r}")]
        stops = {other: text for other, text in self._lasting.state.stops.items() if other != name}
        if body.wrong and body.stops_rounds:
            stops[name] = body.text
        changed = stops != self._lasting.state.stops
        events = self._lasting.alarm(name, body.text if body.wrong else None)
        self._lasting.change(stops=stops)
        if changed and not self._current.is_dealing:
            self._current.prepare()
        return events

    def tpm_counted(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is TpmCounted
        self._lasting.change(tpm=TpmCount(body.value, body.step == "counting"))
        return []

    def store_confirmed(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is StoreConfirmed
        stored = Stored(body.seq, body.link, body.at)
        self._lasting.change(stores={**self._lasting.state.stores, body.store: stored})
        return []

    def firmware_update(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is FirmwareUpdate
        stops, events = firmware.step(self._lasting.state.stops, body, dealing=self._current.is_dealing)
        if stops != self._lasting.state.stops:
            self._lasting.change(stops=stops)
            self._numbers.note_boot(f"device:{body.device}", body.boot)
            self._current.prepare()
        return events


def _without_stakes(setup: Setup) -> Setup:
    return replace(setup, settings={name: value for name, value in setup.settings.items() if name not in STAKES})


def _named(stacks: Mapping[Any, int]) -> dict[str, int]:
    """With the seats as text, as they come from the journal."""
    return {str(seat): cents for seat, cents in stacks.items()}


def _banker(setup: Setup) -> tuple[int, ...]:
    return () if setup.player_dealer is None else (setup.player_dealer,)
