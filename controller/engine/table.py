"""The rounds of one table: a deterministic function of (rules, inputs).

`TableEngine.apply` takes one input and gives the events it causes. Between rounds it keeps what outlives them: seats,
player-dealer, shoe, history, devices. That state is a frozen value, so a round can always be run again from the state
it began in: recovery and correction are the same replay.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine import firmware
from controller.engine.expect import Expectation, Refusal, WantRepair, WantShoe, prompt
from controller.engine.felt import Setup
from controller.engine.game import Game, OptionsT
from controller.engine.inputs import (
    Amended,
    AnyBody,
    ArchiveDropped,
    ArchiveMade,
    BoardSeen,
    CardOut,
    CutCardOut,
    DeviceSeen,
    FirmwareUpdate,
    Happening,
    Input,
    Noted,
    SensorSeen,
    ShoeStarted,
    StackOut,
    Started,
    TableSet,
    decode_body,
)
from controller.engine.kernel import Round
from controller.engine.state import (
    BESIDE_THE_ROUND,
    BOX_ALARMS,
    CARD_DEVICES,
    Device,
    Resolver,
    Shoe,
    TableState,
)


class Played:
    """A round as it was fed: where it began and what happened, for replay; once it is over, how it ended."""

    __slots__ = ("_done", "began", "inputs")

    def __init__(self, began: TableState) -> None:
        self.began = began
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
        return {} if self._done is None else _public(self._done)


class TableEngine(Generic[OptionsT]):
    """One table playing one ruleset."""

    def __init__(
        self,
        game: Game[OptionsT],
        options: OptionsT,
        state: TableState,
        ruleset: str = "",
        resolve: Resolver | None = None,
    ) -> None:
        self.game = game
        self.options = options
        self.ruleset = ruleset or game.slug
        self._resolve = resolve
        self.state = state
        self.last: Played | None = None
        self._deck: Mapping[str, int] | None = game.deck(options)
        self._at_table: dict[type, Callable[[Input], list[ev.Event]]] = {
            Started: self._started,
            TableSet: self._table_set,
            ShoeStarted: self._shoe_started,
            CutCardOut: self._cut_card,
            DeviceSeen: self._device_seen,
            Noted: lambda _: [],
            BoardSeen: self._board_seen,
            FirmwareUpdate: self._firmware_update,
            ArchiveMade: _archive_made,
            ArchiveDropped: _archive_dropped,
            SensorSeen: self._sensor_seen,
            Amended: self._amended,
            Happening: self._happening,
        }
        self.round: Round | None = None
        self.played = Played(state)
        self._next_round()

    @property
    def expectation(self) -> Expectation:
        """Everything legal now."""
        if self.round is not None:
            return self.round.expectation
        if self.state.stops:
            return Expectation((WantRepair("; ".join(self.state.stops.values())),))
        return Expectation((WantShoe(),))

    @property
    def is_dealing(self) -> bool:
        """A round is running: it has had its first input and is not over."""
        return self.round is not None and self.round.begun

    @property
    def round_number(self) -> int:
        """The round that is running, or the last one."""
        return self.state.rounds

    def is_repeat(self, value: Input) -> bool:
        """A device sent again what was applied before."""
        if value.ref is None:
            return False
        boot, _, number = value.ref.partition(":")
        seen_boot, _, seen_number = self.state.seen.get(value.by, "").partition(":")
        return boot == seen_boot and int(number) <= int(seen_number)

    def _gap(self, value: Input) -> Happening | None:
        """A device counts what it tells: a number left out, or a new count in mid-round, is something unheard."""
        seen = self.state.seen.get(value.by)
        if seen is None or value.ref is None or not self.is_dealing:
            return None
        boot, _, number = value.ref.partition(":")
        seen_boot, _, seen_number = seen.partition(":")
        if boot != seen_boot:
            return Happening("device_restarted", facts={"device": value.by})
        if int(number) > int(seen_number) + 1:
            return Happening("device_events_lost", facts={"device": value.by})
        return None

    def apply(self, value: Input) -> list[ev.Event]:
        """Feed one input; gives the events it causes."""
        current, played, kind = self.round, self.played, type(value.body)
        unheard = None if value.ref is None else self._counted(value)
        at_table = self._at_table.get(kind)
        if unheard and self.played is not played:
            # What was unheard has ended the round; the input itself belongs to the next one.
            played.inputs.append(value)
            current, played = self.round, self.played
        events = self._in_round(value.body) if at_table is None else at_table(value)
        if current is not None and current.begun and kind is not Amended:
            played.inputs.append(value)
        return [*unheard, *events] if unheard else events

    def _counted(self, value: Input) -> list[ev.Event]:
        """Keeps a device's own number for what it tells; gives the events of what it told unheard before."""
        gap = self._gap(value)
        assert value.ref is not None
        self.state = replace(self.state, seen={**self.state.seen, value.by: value.ref})
        return [] if gap is None else self._happened_to_cards(gap)

    def _in_round(self, body: AnyBody) -> list[ev.Event]:
        current = self.round
        if current is None:
            return self._without_round(body)
        was_begun = current.begun
        current.feed(body)
        if not was_begun and current.begun:
            self._begin(current)
        if current.over:
            self._close(current)
        table = current.table
        events, table.events = table.events, []
        return events

    def _without_round(self, body: AnyBody) -> list[ev.Event]:
        text = f"the table waits: {prompt(self.expectation)}"
        if type(body) in (CardOut, StackOut):
            return [ev.Irregularity("card_not_expected", f"a card left the shoe, but {text}")]
        return [ev.Refused(_kind(body), "not_expected", text)]

    # Between rounds

    def _begin(self, begun: Round) -> None:
        self.state = replace(self.state, rounds=self.state.rounds + 1)
        table, digest = begun.table, self.state.digest
        table.events.insert(0, ev.RoundStarted(self.ruleset, digest, table.player_dealer, table.button))

    def _close(self, done: Round) -> None:
        table, state = done.table, self.state
        if not table.result.void:
            table.emit(table.result.event(table))
            self._count_turn(table.events)
        # It may know the table too; a ring of the two would lie about until the garbage collector comes.
        table.script_state = None
        self.played.close(done)
        self.last = self.played
        state = self.state
        if state.shoe is not None:
            entry = None if table.result.void else self.game.history_entry(table.result)
            history = state.shoe.history if entry is None else (*state.shoe.history, entry)
            self.state = replace(state, shoe=replace(state.shoe, history=history, out=table.out))
            if state.shoe.cut_card:
                table.emit(ev.ShoeEnded(state.shoe.number, len(history)))
        self._next_round()

    def _count_turn(self, events: list[ev.Event]) -> None:
        limit, player_dealer = self.game.turns_as_player_dealer, self.state.setup.player_dealer
        if limit is None or player_dealer is None:
            return
        turns = self.state.turns + 1
        self.state = replace(self.state, turns=turns)
        if turns >= limit:
            events.append(ev.BankOfferDue(player_dealer, turns))

    def _next_round(self) -> None:
        """The next round stands ready; it counts as begun with its first input."""
        state = self.state
        self.played = Played(state)
        if state.stops:
            self.round = None
        elif not self.game.uses_shoe:
            self.round = Round(self.game, self.options, state.setup, self._deck, {})
        elif state.shoe is None or state.shoe.cut_card:
            self.round = None
        else:
            self.round = Round(self.game, self.options, state.setup, self._deck, dict(state.shoe.out))

    def _started(self, value: Input) -> list[ev.Event]:
        """The daemon came up. Between rounds its rules and table count from now on; a running round keeps its own."""
        body = value.body
        assert type(body) is Started
        self._change(test=body.test)
        if not self.is_dealing:
            setup = msgspec.convert(body.setup, Setup) if body.setup else self.state.setup
            self._change(digest=body.digest, ruleset=body.ruleset, options=body.options, setup=setup)
            if self._resolve is not None:
                rules = self._resolve(body.ruleset, body.options)
                self.game, self.options, self.ruleset = rules.game, rules.options, body.ruleset
                self._deck = self.game.deck(self.options)
            self._next_round()
        return [ev.TableStarted(body.version, body.ruleset, body.digest, body.test)]

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

    def _shoe_started(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is ShoeStarted
        if self.is_dealing:
            return [ev.Refused("shoe_started", "round_running", "finish or void the round before a new shoe")]
        events: list[ev.Event] = []
        old = self.state.shoe
        if old is not None and not old.cut_card:
            events.append(ev.ShoeEnded(old.number, len(old.history)))
        number = 1 if old is None else old.number + 1
        self.state = replace(self.state, shoe=Shoe(number, body.decks), previous_shoe=old)
        events.append(ev.ShoeBegan(number, body.decks))
        self._next_round()
        return events

    def _happening(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is Happening
        if body.code == "shoe_empty" and not self.is_dealing:
            return self._cut_card(value)
        return self._in_round(body)

    def _cut_card(self, value: Input) -> list[ev.Event]:
        """The cut card ends the shoe after the hand that is being dealt, or at once between two hands."""
        shoe = self.state.shoe
        if shoe is None or shoe.cut_card:
            return [ev.Irregularity("cut_card_not_expected", "the end of a shoe was reported, but none is running")]
        self._change(shoe=replace(shoe, cut_card=True))
        events: list[ev.Event] = [ev.CutCardSeen()]
        if self.round is not None and not self.round.begun:
            events.append(ev.ShoeEnded(shoe.number, len(shoe.history)))
            self._next_round()
        return events

    def _device_seen(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is DeviceSeen
        device = Device(body.state, body.facts, body.boot)
        self._change(devices={**self.state.devices, body.device: device})
        self._note_boot(value.by, body.boot)
        events: list[ev.Event] = [ev.DeviceChanged(body.device, body.state, body.facts)]
        alarm = f"device_away:{body.device}"
        away = body.state in ("offline", "wrong_device")
        text = f"{body.device} is {body.state.replace('_', ' ')}: {body.facts.get('detail', 'no reason given')}"
        was_there = alarm not in self.state.alarms
        events += self._alarm(alarm, text if away else None)
        gives_cards = body.facts.get("kind") in CARD_DEVICES
        if away and was_there and gives_cards and self.is_dealing:
            events += self._happened_to_cards(Happening("reader_offline", facts={"device": body.device}))
        return events

    def _note_boot(self, by: str, boot: str) -> None:
        """Between two rounds a device may begin to count anew; in mid-round its next word shows that some were lost."""
        last = self.state.seen.get(by, "")
        if boot and last and not self.is_dealing and last.partition(":")[0] != boot:
            self._change(seen={**self.state.seen, by: f"{boot}:0"})

    def _board_seen(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is BoardSeen
        stops = {name: text for name, text in self.state.stops.items() if name != body.alarm}
        if body.wrong and body.stops_rounds:
            stops[body.alarm] = body.text
        changed = stops != self.state.stops
        events = self._alarm(body.alarm, body.text if body.wrong else None)
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

    def _sensor_seen(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is SensorSeen
        total = self.state.dropped.get(body.box, 0) + body.count
        self._change(
            dropped={**self.state.dropped, body.box: total}, marks={**self.state.marks, body.sensor: body.mark}
        )
        events: list[ev.Event] = [ev.BoxTold(body.box, body.what, body.count, total, body.facts)]
        text = BOX_ALARMS.get(body.what)
        if text is not None:
            events += self._alarm(f"box:{body.box}:{text[0]}", f"{body.box} box: {text[1]}" if text[1] else None)
        return events

    def _alarm(self, name: str, text: str | None) -> list[ev.Event]:
        """Raise an alarm with this text, or clear it; told once each."""
        if text is not None and name not in self.state.alarms:
            self._change(alarms={**self.state.alarms, name: text})
            return [ev.AlarmRaised(name, text)]
        if text is None and name in self.state.alarms:
            self._change(alarms={other: said for other, said in self.state.alarms.items() if other != name})
            return [ev.AlarmCleared(name)]
        return []

    def _happened_to_cards(self, what: Happening) -> list[ev.Event]:
        """Something befell what gives or reads the cards in mid-round: the game's ruling, else the floor."""
        assert self.round is not None
        self.round.feed(what)
        events = self.round.table.events
        if self.round.over:
            self._close(self.round)
        else:
            self.round.table.events = []
        return events

    def _change(self, **fields: Any) -> None:
        """A change of the lasting state that a running round does not see, and that its replay must keep."""
        self.state = replace(self.state, **fields)

    # Correction

    def preview(self, body: Amended) -> dict[str, Any] | Refusal:
        """What an amendment would change, field by field as [before, after]; nothing is changed yet."""
        rerun = self._rerun(body)
        if isinstance(rerun, Refusal):
            return rerun
        return _differences(self.public_result, rerun.public_result)

    def _amended(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is Amended
        rerun = self._rerun(body)
        if isinstance(rerun, Refusal):
            return [ev.Refused("amend", rerun.why, rerun.text)]
        changes = _differences(self.public_result, rerun.public_result)
        self.state, self.round, self.played, self.last = rerun.state, rerun.round, rerun.played, rerun.last
        return [ev.Corrected(body.round, body.reason, value.by, changes)]

    def _rerun(self, body: Amended) -> TableEngine[OptionsT] | Refusal:
        """This table, with one round run again from its amended inputs."""
        running = self.is_dealing
        if running and body.round == self.state.rounds:
            played = self.played
        elif not running and self.last is not None and body.round == self.state.rounds:
            played = self.last
        else:
            return Refusal("round_not_amendable", "only the running round or, before the next begins, the last one")
        inputs: list[Input | None] = list(played.inputs)
        for change in body.changes:
            if not 0 <= change.index < len(inputs):
                return Refusal("no_such_input", f"round {body.round} has inputs 0 to {len(inputs) - 1}")
            old = inputs[change.index]
            assert old is not None
            try:
                inputs[change.index] = None if change.body is None else replace(old, body=decode_body(change.body))
            except msgspec.ValidationError as error:
                return Refusal("bad_input", f"input {change.index}: {error}")
        engine = TableEngine(self.game, self.options, played.began, self.ruleset, self._resolve)
        for item in inputs:
            if item is not None:
                engine.apply(item)
        engine.state = replace(engine.state, **{name: getattr(self.state, name) for name in BESIDE_THE_ROUND})
        if engine.state.stops and (engine.round is None or not engine.round.begun):
            engine._next_round()
        if engine.state.rounds > self.state.rounds:
            return Refusal("round_would_split", "the amended inputs end the round earlier and begin another")
        if engine.state.rounds < self.state.rounds:
            return Refusal("round_would_vanish", "nothing would be left of the round; void it instead")
        return engine

    @property
    def public_result(self) -> dict[str, Any]:
        """What everybody may know of the running round, or of the last one: exposed cards only."""
        if self.round is not None and self.round.begun:
            return _public(self.round)
        return {} if self.last is None else self.last.public


def _archive_made(value: Input) -> list[ev.Event]:
    body = value.body
    assert type(body) is ArchiveMade
    return [ev.JournalRotated(body.file, body.first, body.last, body.hash)]


def _archive_dropped(value: Input) -> list[ev.Event]:
    body = value.body
    assert type(body) is ArchiveDropped
    return [ev.ArchiveRemoved(body.file, body.first, body.last, body.hash, body.keep_days)]


def _differences(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    keys = [key for key in {**before, **after} if before.get(key) != after.get(key)]
    return {key: [before.get(key), after.get(key)] for key in keys}


def _public(current: Round) -> dict[str, Any]:
    table = current.table
    document: dict[str, Any] = msgspec.to_builtins(table.result.event(table))
    return {**document, "void": table.result.void}


def _kind(body: AnyBody) -> str:
    return str(type(body).__struct_config__.tag)
