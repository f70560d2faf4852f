"""The rounds of one table: a deterministic function of (rules, inputs).

`TableEngine.apply` takes one input and gives the events it causes. Between rounds it keeps what outlives them: seats,
player-dealer, shoe, history, devices. That state is a frozen value, so a round can always be run again from the state
it began in: recovery and correction are the same replay.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from controller.engine import alarms
from controller.engine import events as ev
from controller.engine.drop import box as box_life
from controller.engine.drop.worth import DropTerms
from controller.engine.expect.expectation import Refusal, WantCard, WantDrop, prompt
from controller.engine.fees import round_fees
from controller.engine.inputs import (
    Act,
    AlarmExplained,
    AlarmSeenTo,
    Amended,
    AnyBody,
    ArchiveDropped,
    ArchiveMade,
    BankPosted,
    BetsClosed,
    Blinked,
    BoardSeen,
    BoxCountedIn,
    BoxKeyed,
    CardOut,
    Change,
    Configured,
    CutCardOut,
    DealerSigned,
    DeviceSeen,
    DiceRolled,
    DifferenceFound,
    DropExplained,
    FeesIn,
    FirmwareUpdate,
    FloorAct,
    Happening,
    Input,
    Noted,
    PackReported,
    Revealed,
    RulesChosen,
    SensorSeen,
    ShoeStarted,
    StackOut,
    Started,
    TableClosed,
    TableOpened,
    TableSet,
    TimePassed,
    WagerPlaced,
    decode_body,
)
from controller.engine.round.felt import Table
from controller.engine.round.game import OptionsT
from controller.engine.round.kernel import Round
from controller.engine.shoe import lifecycle
from controller.engine.shoe import packs as pack_life
from controller.engine.table import house
from controller.engine.table.house_room import HouseRoom
from controller.engine.table.standing import Count, SentBefore, public
from controller.engine.table.state import BESIDE_THE_ROUND, CARD_DEVICES, Device


class TableEngine(HouseRoom[OptionsT]):
    """One table playing one ruleset."""

    def _heard_at_table(self) -> dict[type, Callable[[Input], list[ev.Event]]]:
        return {
            Started: self._started,
            Configured: self._configured,
            TableSet: self._table_set,
            ShoeStarted: self._shoe_started,
            PackReported: self._pack_reported,
            CutCardOut: self._cut_card,
            DeviceSeen: self._device_seen,
            Noted: lambda _: [],
            BoardSeen: self._board_seen,
            FirmwareUpdate: self._firmware_update,
            ArchiveMade: _archive_made,
            ArchiveDropped: _archive_dropped,
            DifferenceFound: self._difference_found,
            SensorSeen: self._sensor_seen,
            DealerSigned: self._dealer_signed,
            BoxKeyed: self._box_keyed,
            BoxCountedIn: self._box_counted,
            DropExplained: self._drop_explained,
            TimePassed: lambda _: [],
            Amended: self._amended,
            Happening: self._happening,
            TableOpened: self._opened,
            TableClosed: self._shut,
            RulesChosen: self._rules_chosen,
            AlarmSeenTo: self._alarm_seen_to,
            AlarmExplained: self._alarm_explained,
            Blinked: lambda _: [],
        }

    def is_repeat(self, value: Input) -> bool:
        """A device sent again what was applied before."""
        last = self._last_count(value.by)
        if value.ref is None or last is None or value.ref == last.coming:
            return False
        return last.has(Count(value.ref))

    def _gap(self, value: Input) -> Happening | None:
        """A device counts what it tells: a number left out, or a new count in mid-round, is something unheard."""
        assert value.ref is not None
        told, last = Count(value.ref), self._last_count(value.by)
        if last is None:
            return None
        if last.has(told):
            raise SentBefore(f"{value.by} sent {value.ref} before")
        if not self.is_dealing:
            return None
        if told.boot != last.boot:
            return Happening("device_restarted", facts={"device": value.by})
        if told.number > last.number + 1:
            return Happening("device_events_lost", facts={"device": value.by})
        return None

    def _last_count(self, by: str) -> Count | None:
        """How far this device had counted with the last of it that was applied."""
        ref = self.state.seen.get(by)
        if ref is None:
            return None
        count = self._counts.get(by)
        if count is None or count.last != ref:
            count = self._counts[by] = Count(ref)
        return count

    def apply(self, value: Input) -> list[ev.Event]:
        """Feed one input; gives the events it causes."""
        current, body = self.round, value.body
        if (
            current is not None
            and current.begun
            and type(body) not in self._at_table
            and value.asked is None
            and (self.state is self._plain or self._is_plain())
            and (value.ref is None or self._is_next(value))
        ):
            # What almost every input is: a part of the running round, and nothing else.
            self._now = value.at
            self.played.inputs.append(value)
            current.feed(body)
            if current.over:
                self._close(current)
            table = current.table
            events, table.events = table.events, []
            return events
        return self._apply(value)

    def _is_plain(self) -> bool:
        """No fee goes by the clock and no sensor's books are open, so an input does not make anything else due."""
        state = self.state
        if state.fee_clock is not None or state.drop.books:
            return False
        self._plain = state
        return True

    def _is_next(self, value: Input) -> bool:
        """Keeps a device's own number where it is the one after its last; else somebody has to look closer."""
        last = self._last_count(value.by)
        if last is None or value.ref != last.coming or self.state.seen is not self._seen:
            return False
        self._seen[value.by] = last.coming
        last.go_on()
        return True

    def _apply(self, value: Input) -> list[ev.Event]:
        current, played, state, kind = self.round, self.played, self.state, type(value.body)
        was_begun = current is not None and current.begun
        self._now = value.at
        if value.asked is not None:
            return self._asked(value)
        by_the_clock: list[ev.Event] = []
        if state.fee_clock is not None or state.drop.books:
            by_the_clock = self._by_the_clock()
        unheard = None if value.ref is None else self._counted(value)
        at_table = self._at_table.get(kind)
        if kind is FloorAct and self.state.differs is not None:
            at_table = self._difference_answered
        if unheard and self.played is not played and at_table is None:
            # What was lost has ended the round. No input ends one round and begins the next: it is out of play.
            played.inputs.append(value)
            return [*by_the_clock, *unheard, *self._out_of_play(value.body)]
        events = self._in_round(value.body) if at_table is None else at_table(value)
        if current is not None and current.begun and kind is not Amended:
            if not was_begun:
                played.began = state
            played.inputs.append(value)
        return [*by_the_clock, *(unheard or ()), *events] if unheard or by_the_clock else events

    def _asked(self, value: Input) -> list[ev.Event]:
        """A request from afar: the input it comes to, and the answer, kept for whoever asks again."""
        asked = value.asked
        assert asked is not None
        if asked.round is not None and not (self.is_dealing and self.state.rounds == asked.round):
            text = f"round {asked.round} is not running"
            events: list[ev.Event] = [ev.Refused(_kind(value.body), "other_round", text)]
        else:
            events = self.apply(replace(value, asked=None))
        answers, told = house.answered(self.state.answers, asked, value.by, events)
        self._change(answers=answers)
        return [*events, told]

    def _counted(self, value: Input) -> list[ev.Event] | None:
        """Keeps a device's own number for what it tells; gives the events of what it told unheard before."""
        gap = self._gap(value)
        assert value.ref is not None
        if gap is None and self.state.seen is self._seen:
            self._seen[value.by] = value.ref
            return None
        seen = {**self.state.seen, value.by: value.ref}
        self.state = replace(self.state, seen=seen)
        if self.is_dealing:
            self._seen = seen
        return None if gap is None else self._happened_to_cards(gap)

    def _in_round(self, body: AnyBody) -> list[ev.Event]:
        current = self.round
        if current is None:
            return self._without_round(body)
        if current.begun:
            current.feed(body)
        else:
            if type(body) is StackOut and self.state.packs.withdrawn:
                # It was on its way when the round was void; it is no beginning of the next one.
                return self._out_of_play(body)
            current.feed(body)
            if current.begun:
                self._begin(current)
        if current.over:
            self._close(current)
        table = current.table
        events, table.events = table.events, []
        return events

    def _out_of_play(self, body: AnyBody) -> list[ev.Event]:
        """Something of a round that is void by now."""
        if type(body) is StackOut:
            text = "a stack left the machine after the round was void; it is out of play"
            return [ev.Irregularity("card_not_expected", text, {"cards": len(body.cards)})]
        if type(body) is CardOut:
            return [ev.Irregularity("card_not_expected", "a card left the shoe after the round was void", {"cards": 1})]
        return [ev.Refused(_kind(body), "round_void", "the round is void; begin the next one")]

    def _without_round(self, body: AnyBody) -> list[ev.Event]:
        text = f"the table waits: {prompt(self.expectation)}"
        if type(body) in (CardOut, StackOut):
            return [ev.Irregularity("card_not_expected", f"a card left the shoe, but {text}")]
        return [ev.Refused(_kind(body), "not_expected", text)]

    # Rounds begin and end

    def _begin(self, begun: Round) -> None:
        table, state = begun.table, self.state
        # The state before is kept by others; from here on this round has a `seen` of its own.
        self._seen = {**state.seen}
        self.state = replace(state, rounds=state.rounds + 1, seen=self._seen)
        dealer = state.drop.dealer
        started = ev.RoundStarted(self.ruleset, state.digest, table.player_dealer, table.button, dealer)
        table.events = [started, *begun.opening, *table.events]
        if not self.game.uses_shoe and self.state.packs.ready is not None:
            table.events[1:1] = self._pack_in_play()
            again = self.state.packs.comes_again
            if again and not begun.over and self.game.decks_in_rotation(self.options) > 1:
                begun.feed(Happening("wrong_deck_colour", facts={"back": again}))
        schedule = self._schedule
        if schedule is not None and schedule.has_time_fee:
            self._change(fee_clock=round_fees.clock_at_round(self.state.fee_clock, schedule, self._now))

    def _close(self, done: Round) -> None:
        table = done.table
        turns = self.state.turns
        if not table.result.void:
            table.give_free_collections()
            table.emit(table.result.event(table))
            turns = self._count_turn(table.events)
            self._move_on(table)
        # They know the table too; rings of them would lie about until the garbage collector comes.
        table.script_state = None
        table.fees.close()
        self.played.close(done)
        self.last = self.played
        if table.fees.schedule is not None:
            due = round_fees.added(self.state.fees_due, table.fees.owed)
            self._change(fees_due=due, fees_carried=table.fees.carry(void=table.result.void))
        if self.state.drop.books:
            began = self.played.inputs[0].at if self.played.inputs else self._now
            reckoner = self._reckoner()
            reckoner.round_over(self.state.rounds, table.fees.boxes, began)
            table.events += self._reckoned(reckoner)
        state = self.state
        if not self.game.uses_shoe or state.shoe is None:
            if turns != state.turns:
                self._change(turns=turns)
            if not self.game.uses_shoe:
                table.events += self._pack_ended(len(table.left), void=table.result.void)
        else:
            entry = None if table.result.void else self.game.history_entry(table.result)
            shoe = lifecycle.dealt(
                state.shoe,
                table.left,
                entry,
                out=table.out,
                round=state.rounds,
                deck=self._deck,
                earlier=state.earlier_shoes,
                pack=state.packs.in_play,
            )
            self.state = replace(state, shoe=shoe, turns=turns)
            table.events += self._shoe_alarms()
            if shoe.is_over:
                table.emit(ev.ShoeEnded(shoe.number, len(shoe.history)))
        self._next_round()

    def _move_on(self, table: Table) -> None:
        """What a game moves by itself from round to round: the button, blinds, stacks."""
        setup = self.game.next_setup(table)
        if setup is table.setup:
            return
        self.state = replace(self.state, setup=setup)
        table.emit(ev.TableSetTo(setup.seats, setup.player_dealer, setup.button))

    def _count_turn(self, events: list[ev.Event]) -> int:
        """One hand more for this player-dealer; gives how many in a row."""
        limit, player_dealer = self.game.turns_as_player_dealer, self.state.setup.player_dealer
        if limit is None or player_dealer is None:
            return self.state.turns
        turns = self.state.turns + 1
        if turns >= limit:
            events.append(ev.BankOfferDue(player_dealer, turns))
        return turns

    # What befalls a round

    def _happening(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is Happening
        shoe = self.state.shoe
        if body.code == "shoe_empty" and not self.game.uses_shoe and self._may_be_empty():
            return []
        if body.code == "shoe_empty" and not self.is_dealing:
            return self._shoe_empty()
        if body.code == "shoe_empty" and shoe is not None and not shoe.is_over:
            # Whatever the floor makes of the hand, it is the last one.
            self._change(shoe=replace(shoe, cut_card=True, hands_left=1))
        if value.by.startswith("device:") and self.round is not None and self.round.held is not None:
            return self._happened_to_cards(body)
        return self._in_round(body)

    def _may_be_empty(self) -> bool:
        """A deck that serves one round has given its last card, as the rules have it: no other is wanted, or the
        discards have been shuffled into it."""
        if self.round is None or not self.round.begun:
            return True
        felt = self.round.table
        wants_card = any(type(want) is WantCard for want in self.round.expectation.wants)
        return felt.is_dealt_out and (felt.stub > 0 or not wants_card)

    def _device_seen(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is DeviceSeen
        device, before = Device(body.state, body.facts, body.boot), self.state.devices.get(body.device)
        self._change(devices={**self.state.devices, body.device: device})
        self._note_boot(value.by, body.boot)
        events: list[ev.Event] = [ev.DeviceChanged(body.device, body.state, body.facts)]
        packs, unfit = pack_life.disturbed(self.state.packs, body.device, body.state)
        if unfit:
            events += unfit
            self._change(packs=packs)
            if not self.is_dealing:
                self._next_round()
        alarm = alarms.DEVICE_AWAY.of(body.device)
        away = body.state in ("offline", "wrong_device")
        text = f"{body.device} is {body.state.replace('_', ' ')}: {body.facts.get('detail', 'no reason given')}"
        was_there = alarm not in self.state.alarms
        events += self._alarm(alarm, text if away else None)
        if body.state == "removed":
            for kind in (alarms.DECK, alarms.TRUST):
                events += self._alarm(kind.of(body.device), None)
        events += self._sensor_alarms(body.device, body.state, "" if before is None else before.state)
        gives_cards = body.facts.get("kind") in CARD_DEVICES
        if away and was_there and gives_cards and self.is_dealing:
            events += self._happened_to_cards(Happening("reader_offline", facts={"device": body.device}))
        return events

    def _sensor_seen(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is SensorSeen
        total = self.state.dropped.get(body.box, 0) + body.count
        self._change(
            dropped={**self.state.dropped, body.box: total}, marks={**self.state.marks, body.sensor: body.mark}
        )
        low, high = box_life.bounds(self.state.setup.drop or DropTerms(), body)
        events: list[ev.Event] = [ev.BoxTold(body.box, body.what, body.count, total, body.facts, low, high)]
        reckoner = self._reckoner()
        box_life.seen(reckoner, body)
        events += self._reckoned(reckoner)
        sensed = alarms.BOX_ALARMS.get(body.what)
        if sensed is not None:
            kind, text = sensed
            events += self._alarm(kind.of(body.box), f"{body.box} box: {text}" if text else None)
        if body.what == "box_placed":
            # What the sensor lost count of is in the box that went to the count room.
            events += self._alarm(alarms.BOX_COUNT.of(body.box), None)
        if body.what == "dropped" and self.round is not None:
            events += self._dropped_in_round(self.round, body)
        return events

    def _dropped_in_round(self, current: Round, body: SensorSeen) -> list[ev.Event]:
        """Something fell into a box: a round that is owed a fee there has it, and goes on where it waited for that.

        A round that is ready and not begun changes only by the input that begins it; else a restart in between, which
        makes it ready again, would lose what fell.
        """
        current.start()
        waits = any(type(want) is WantDrop for want in current.expectation.wants)
        if not (waits or current.begun) or not current.table.fees.sense(body.box):
            return []
        return self._in_round(body) if waits else []

    def _drops_corrected(self, number: int, *, was_over: bool) -> list[ev.Event]:
        """What a round owes after its correction."""
        reckoner = self._reckoner()
        if not self.is_dealing and self.last is not None:
            before = self.last.began.fees_due
            owes = {box: cents - before.get(box, 0) for box, cents in self.state.fees_due.items()}
            reckoner.corrected(number, owes)
        elif was_over:
            reckoner.reopened(number)
        else:
            return []
        return self._reckoned(reckoner)

    def _happened_to_cards(self, what: Happening) -> list[ev.Event]:
        """Something befell what gives or reads the cards in mid-round: the game's ruling, else the floor."""
        assert self.round is not None
        self.round.befall(what)
        events = self.round.table.events
        if self.round.over:
            self._close(self.round)
        else:
            self.round.table.events = []
        return events

    # Correction

    def preview(self, body: Amended) -> dict[str, Any] | Refusal:
        """What an amendment would change, field by field as [before, after]; nothing is changed yet.

        Beside the result: what the table would wait for (`next`), and what lies in the middle (`table`).
        """
        rerun = self._rerun(body)
        if isinstance(rerun, Refusal):
            return rerun
        return _differences(self._in_sight(), rerun._in_sight())

    def _in_sight(self) -> dict[str, Any]:
        """The public result, and while a round runs what a person at the table sees of it."""
        seen = dict(self.public_result)
        if self.is_dealing and self.round is not None:
            seen |= {"next": prompt(self.expectation), "table": list(self.game.felt(self.round.table))}
        return seen

    def _amended(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is Amended
        rerun = self._rerun(body)
        if isinstance(rerun, Refusal):
            return [ev.Refused("amend", rerun.why, rerun.text)]
        if body.preview:
            return [ev.CorrectionWeighed(body.round, tuple(change.index for change in body.changes), value.by)]
        changes = _differences(self.public_result, rerun.public_result)
        was_over = not self.is_dealing
        self.state, self.round, self.played, self.last = rerun.state, rerun.round, rerun.played, rerun.last
        told = [ev.Corrected(body.round, body.reason, value.by, changes), *self._shoe_alarms()]
        return [*told, *self._drops_corrected(body.round, was_over=was_over)]

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
        changed: set[int] = set()
        for change in body.changes:
            index = change.index
            if not 0 <= index < len(inputs):
                return Refusal("no_such_input", f"round {body.round} has inputs 0 to {len(inputs) - 1}")
            if index in changed:
                return Refusal("amended_twice", f"input {index}: say once how it should have been")
            changed.add(index)
            amended = _as_amended(played.inputs[index], change)
            if isinstance(amended, Refusal):
                return amended
            inputs[index] = amended
        engine = TableEngine(self.game, self.options, played.began, self.ruleset, self._resolve)
        for index, item in enumerate(inputs):
            if item is None:
                continue
            caused = engine.apply(item)
            refusal = _refusal_in(caused) if index in changed else None
            if refusal is not None:
                return Refusal(refusal.why, f"input {index}: {refusal.text}")
            if engine.state.rounds > self.state.rounds:
                text = f"the round would be over before input {index}, which would begin another; strike that out too"
                return Refusal("round_would_split", text)
        engine.state = replace(engine.state, **{name: getattr(self.state, name) for name in BESIDE_THE_ROUND})
        if engine.round is None or not engine.round.begun:
            engine._next_round()
        if engine.state.rounds < self.state.rounds:
            return Refusal("round_would_vanish", "nothing would be left of the round; void it instead")
        return engine

    @property
    def public_result(self) -> dict[str, Any]:
        """What everybody may know of the running round, or of the last one: exposed cards only."""
        if self.round is not None and self.round.begun:
            return public(self.round)
        return {} if self.last is None else self.last.public


_OF_A_ROUND = (
    CardOut,
    StackOut,
    WagerPlaced,
    BankPosted,
    BetsClosed,
    FeesIn,
    Act,
    DiceRolled,
    Revealed,
    Happening,
    FloorAct,
    CutCardOut,
)
"""What an amendment may say that happened. The rest is not of a round: the house's word, the board's, a device's."""
_NOT_IN_THE_DECK = ("no_such_card", "foreign_card")


def _as_amended(value: Input, change: Change) -> Input | Refusal | None:
    """An input as it should have been; None: it should not have been."""
    if change.body is None:
        # A device has counted it all the same: left out, it would seem to be unheard.
        return None if value.ref is None else replace(value, body=Noted(value.by.removeprefix("device:"), "struck_out"))
    try:
        body = decode_body(change.body)
    except msgspec.ValidationError as error:
        return Refusal("bad_input", f"input {change.index}: {error}")
    if type(body) not in _OF_A_ROUND:
        return Refusal("not_of_a_round", f"input {change.index}: {_kind(body)} is nothing that happens in a round")
    return replace(value, body=body)


def _refusal_in(caused: list[ev.Event]) -> Refusal | None:
    """Why what somebody puts in an input's place cannot have happened there, where the table says so."""
    for event in caused:
        if type(event) is ev.Refused:
            return Refusal(event.why, event.text)
        if type(event) is ev.Irregularity and event.code in _NOT_IN_THE_DECK:
            return Refusal(event.code, event.text)
    return None


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


def _kind(body: AnyBody) -> str:
    return str(type(body).__struct_config__.tag)
