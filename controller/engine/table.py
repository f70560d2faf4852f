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

from controller.engine import box_life, fees, firmware, house, shoe_life
from controller.engine import events as ev
from controller.engine import packs as pack_life
from controller.engine.collections import Schedule
from controller.engine.drop_worth import DropTerms
from controller.engine.expect import Expectation, Refusal, WantDrop, WantOpening, WantPack, WantRepair, WantShoe, prompt
from controller.engine.felt import Setup, Table
from controller.engine.game import Game, OptionsT
from controller.engine.inputs import (
    AlarmSeenTo,
    Amended,
    AnyBody,
    ArchiveDropped,
    ArchiveMade,
    Blinked,
    BoardSeen,
    BoxCountedIn,
    BoxKeyed,
    CardOut,
    CutCardOut,
    DealerSigned,
    DeviceSeen,
    DropExplained,
    FirmwareUpdate,
    Happening,
    Input,
    Noted,
    PackReported,
    RulesChosen,
    SensorSeen,
    ShoeStarted,
    StackOut,
    Started,
    TableClosed,
    TableOpened,
    TableSet,
    TimePassed,
    decode_body,
)
from controller.engine.kernel import Round
from controller.engine.reconcile import Reckoner
from controller.engine.state import (
    BESIDE_THE_ROUND,
    BOX_ALARMS,
    CARD_DEVICES,
    Device,
    Resolver,
    TableState,
)

SHOE_ALARM = "shoe:"
"""What the names of alarms about the shoe in play begin with."""
NO_SHOE_RUNNING = ev.Irregularity("cut_card_not_expected", "the end of a shoe was reported, but none is running")


class Played:
    """A round as it was fed: where it began and what happened, for replay; once it is over, how it ended."""

    __slots__ = ("_done", "began", "inputs", "seen")

    def __init__(self, began: TableState) -> None:
        self.began = began
        self.inputs: list[Input] = []
        self.seen = began.seen
        """What the devices had told when the round's first input came."""
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
            PackReported: self._pack_reported,
            CutCardOut: self._cut_card,
            DeviceSeen: self._device_seen,
            Noted: lambda _: [],
            BoardSeen: self._board_seen,
            FirmwareUpdate: self._firmware_update,
            ArchiveMade: _archive_made,
            ArchiveDropped: _archive_dropped,
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
            Blinked: lambda _: [],
        }
        self.round: Round | None = None
        self.played = Played(state)
        self._seen: dict[str, str] = {}
        """The running round's own `state.seen`: nobody has kept that state, so it need not be copied for every card."""
        self._now = 0
        self._next_round()

    @property
    def expectation(self) -> Expectation:
        """Everything legal now."""
        if self.round is not None:
            return self.round.expectation
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
        was_begun, seen = current is not None and current.begun, self.state.seen
        self._now = value.at
        if value.asked is not None:
            return self._asked(value)
        by_the_clock = [] if self.state.fee_clock is None else self._time_fees()
        if self.state.drop.books:
            by_the_clock += self._judge_drops()
        unheard = None if value.ref is None else self._counted(value)
        at_table = self._at_table.get(kind)
        if unheard and self.played is not played:
            # What was unheard has ended the round; the input itself belongs to the next one.
            played.inputs.append(value)
            current, played = self.round, self.played
        events = self._in_round(value.body) if at_table is None else at_table(value)
        if current is not None and current.begun and kind is not Amended:
            if not was_begun:
                played.seen = seen
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

    def _counted(self, value: Input) -> list[ev.Event]:
        """Keeps a device's own number for what it tells; gives the events of what it told unheard before."""
        gap = self._gap(value)
        assert value.ref is not None
        if gap is None and self.state.seen is self._seen:
            self._seen[value.by] = value.ref
            return []
        seen = {**self.state.seen, value.by: value.ref}
        self.state = replace(self.state, seen=seen)
        if self.is_dealing:
            self._seen = seen
        return [] if gap is None else self._happened_to_cards(gap)

    def _in_round(self, body: AnyBody) -> list[ev.Event]:
        current = self.round
        if current is None:
            return self._without_round(body)
        was_begun = current.begun
        if type(body) is StackOut and not was_begun and self.state.packs.withdrawn:
            # It was on its way when the round was void; it is no beginning of the next one.
            text = "a stack left the machine after the round was void; it is out of play"
            return [ev.Irregularity("card_not_expected", text, {"cards": len(body.cards)})]
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
        dealer = self.state.drop.dealer
        table.events.insert(0, ev.RoundStarted(self.ruleset, digest, table.player_dealer, table.button, dealer))
        if not self.game.uses_shoe and self.state.packs.ready is not None:
            table.events[1:1] = self._pack_in_play()
            again = self.state.packs.comes_again
            if again and not begun.over and self.game.decks_in_rotation(self.options) > 1:
                begun.feed(Happening("wrong_deck_colour", facts={"back": again}))
        schedule = self._schedule
        if schedule is not None and schedule.has_time_fee:
            self._change(fee_clock=fees.clock_at_round(self.state.fee_clock, schedule, self._now))

    def _close(self, done: Round) -> None:
        table, state = done.table, self.state
        if not table.result.void:
            table.give_free_collections()
            table.emit(table.result.event(table))
            self._count_turn(table.events)
            self._move_on(table)
        # It may know the table too; a ring of the two would lie about until the garbage collector comes.
        table.script_state = None
        self.played.close(done)
        self.last = self.played
        if table.fees.schedule is not None:
            due = fees.added(self.state.fees_due, table.fees.owed)
            self._change(fees_due=due, fees_carried=table.fees.carry(void=table.result.void))
        if self.state.drop.books:
            began = self.played.inputs[0].at if self.played.inputs else self._now
            reckoner = self._reckoner()
            reckoner.round_over(state.rounds, table.fees.boxes, began)
            table.events += self._reckoned(reckoner)
        state = self.state
        if not self.game.uses_shoe:
            table.events += self._pack_ended(len(table.left), void=table.result.void)
        elif state.shoe is not None:
            entry = None if table.result.void else self.game.history_entry(table.result)
            shoe = shoe_life.dealt(
                state.shoe,
                table.left,
                entry,
                out=table.out,
                round=state.rounds,
                deck=self._deck,
                earlier=state.earlier_shoes,
                pack=state.packs.in_play,
            )
            self.state = replace(state, shoe=shoe)
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
        self._seen = {}
        state = self.state
        self.played = Played(state)
        if state.stops or state.closed or self._lacks_pack:
            self.round = None
        elif not self.game.uses_shoe:
            self.round = Round(self.game, self.options, state.setup, self._deck, {})
        elif state.shoe is None or state.shoe.is_over or state.shoe.unfit:
            self.round = None
        else:
            self.round = Round(self.game, self.options, state.setup, self._deck, dict(state.shoe.out))
            self.round.table.drawn = state.shoe.drawn
        if self.round is not None:
            self.round.table.fees.carried = state.fees_carried

    @property
    def _schedule(self) -> Schedule | None:
        """The collection schedule that is posted, if any."""
        posted = getattr(self.options, "schedule", None)
        return posted if isinstance(posted, Schedule) else None

    def _time_fees(self) -> list[ev.Event]:
        """Fees by the clock that fell due before this input: from everybody who sat there then."""
        clock, schedule = self.state.fee_clock, self._schedule
        assert clock is not None
        clock, charges = fees.by_the_clock(clock, schedule, self._now, self.state.setup.seats)
        self._change(fee_clock=clock, time_fees_due=fees.added(self.state.time_fees_due, charges))
        told: list[ev.Event] = [] if schedule is None else [fees.told(schedule, charge) for charge in charges]
        if charges and self.state.drop.books:
            reckoner = self._reckoner()
            reckoner.clock_struck(self.state.rounds, fees.added({}, charges))
            told += self._reckoned(reckoner)
        return told

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
        return [ev.TableStarted(body.version, body.ruleset, body.digest, body.test), *self._still_chosen(body)]

    # The house

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
        self.game, self.options, self.ruleset = rules.game, rules.options, terms.ruleset
        self._deck = self.game.deck(self.options)
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
        self._change(shoe=replace(old, cut_card=True, history=(), out={}), previous_shoe=None)
        self._next_round()
        return [] if old.cut_card else [ev.ShoeEnded(old.number, len(old.history))]

    def _alarm_seen_to(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is AlarmSeenTo
        lives = house.acknowledged(self.state.alarm_lives, body.alarm, value.by, value.at)
        if isinstance(lives, ev.Refused):
            return [lives]
        self._change(alarm_lives=lives)
        return [ev.AlarmAcknowledged(body.alarm, value.by)]

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
        old, earlier = self.state.shoe, self.state.earlier_shoes
        if old is not None:
            if not old.is_over:
                events.append(ev.ShoeEnded(old.number, len(old.history)))
            events += self._pack_ended(old.drawn)
            earlier = shoe_life.kept(earlier, old)
        number = 1 if old is None else old.number + 1
        told = self._pack_in_play()
        shoe = shoe_life.loaded(number, body.decks, body.cards, self.game.decks(self.options), self.state.packs.in_play)
        self.state = replace(self.state, shoe=shoe, previous_shoe=old, earlier_shoes=earlier)
        events += [ev.ShoeBegan(number, body.decks), *told]
        if shoe.unfit:
            events.append(ev.Irregularity("wrong_deck_count", shoe.unfit))
        events += self._shoe_alarms()
        self._next_round()
        return events

    # Packs

    @property
    def _lacks_pack(self) -> bool:
        """Under shuffle control, and without a pack that may be dealt."""
        packs = self.state.packs
        return self.state.setup.shuffle_control and (packs.in_play if self.game.uses_shoe else packs.ready) is None

    @property
    def _cards_in_pack(self) -> int | None:
        return None if self._deck is None else sum(self._deck.values())

    def _pack_reported(self, value: Input) -> list[ev.Event]:
        """A pack is shuffled and counted, or unfit. One that is declared for a shoe loaded before belongs to it."""
        body = value.body
        assert type(body) is PackReported
        packs, events = pack_life.reported(self.state.packs, body, value.by, self._cards_in_pack)
        self._change(packs=packs)
        if body.device:
            text = events[0].text if isinstance(events[0], ev.PackUnfit) else None
            events += self._alarm(f"deck:{body.device}", text)
        shoe = self.state.shoe
        if self.game.uses_shoe and shoe is not None and not shoe.drawn and packs.in_play is None and packs.ready:
            events += self._pack_in_play()
            self._change(shoe=shoe_life.filled_with(shoe, packs.ready))
            events += self._shoe_alarms()
        if not self.is_dealing:
            self._next_round()
        return events

    def _pack_in_play(self) -> list[ev.Event]:
        packs, events = pack_life.taken(self.state.packs)
        self._change(packs=packs)
        return events

    def _pack_ended(self, out: int, *, void: bool = False) -> list[ev.Event]:
        state = self.state
        packs, ledger, events = pack_life.ended(state.packs, state.ledger, out, self._cards_in_pack, void=void)
        if events:
            self._change(packs=packs, ledger=ledger)
        return events

    def _shoe_alarms(self) -> list[ev.Event]:
        """The doubts about the shoe in play are alarms, with their evidence, until it is gone or corrected."""
        state = self.state
        doubts = {} if state.shoe is None else state.shoe.doubts
        if not doubts and not state.alarms:
            return []
        events: list[ev.Event] = []
        for name in [name for name in state.alarms if name.startswith(SHOE_ALARM)]:
            if name.removeprefix(SHOE_ALARM) not in doubts:
                events += self._alarm(name, None)
        for name, doubt in doubts.items():
            events += self._alarm(f"{SHOE_ALARM}{name}", doubt.text, doubt.facts)
        return events

    def _happening(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is Happening
        shoe = self.state.shoe
        if body.code == "shoe_empty" and not self.is_dealing:
            return self._shoe_empty()
        if body.code == "shoe_empty" and shoe is not None and not shoe.is_over:
            # Whatever the floor makes of the hand, it is the last one.
            self._change(shoe=replace(shoe, cut_card=True, hands_left=1))
        return self._in_round(body)

    def _cut_card(self, value: Input) -> list[ev.Event]:
        """Which hand is the last after the cut card, the rules say: the running one, the next, or none more."""
        shoe = self.state.shoe
        if shoe is None or shoe.cut_card:
            return [NO_SHOE_RUNNING]
        shoe = shoe_life.cut_card(shoe, self.is_dealing, self.game.hands_after_cut_card(self.options))
        self._change(shoe=shoe)
        events: list[ev.Event] = [ev.CutCardSeen()]
        if self.round is not None and not self.round.begun:
            if shoe.is_over:
                events.append(ev.ShoeEnded(shoe.number, len(shoe.history)))
            self._next_round()
        return events

    def _shoe_empty(self) -> list[ev.Event]:
        """The last card left between two hands: the shoe is over, and its cards can be counted."""
        shoe = self.state.shoe
        if shoe is None or shoe.is_over:
            return [NO_SHOE_RUNNING]
        told: list[ev.Event] = [] if shoe.cut_card else [ev.CutCardSeen()]
        self._change(shoe=shoe_life.emptied(shoe, self.state.packs.in_play, self._cards_in_pack))
        events = [*told, *self._shoe_alarms(), ev.ShoeEnded(shoe.number, len(shoe.history))]
        self._next_round()
        return events

    def _device_seen(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is DeviceSeen
        device = Device(body.state, body.facts, body.boot)
        self._change(devices={**self.state.devices, body.device: device})
        self._note_boot(value.by, body.boot)
        events: list[ev.Event] = [ev.DeviceChanged(body.device, body.state, body.facts)]
        packs, unfit = pack_life.disturbed(self.state.packs, body.device, body.state)
        if unfit:
            events += unfit
            self._change(packs=packs)
            if not self.is_dealing:
                self._next_round()
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
        low, high = box_life.bounds(self.state.setup.drop or DropTerms(), body)
        events: list[ev.Event] = [ev.BoxTold(body.box, body.what, body.count, total, body.facts, low, high)]
        reckoner = self._reckoner()
        box_life.seen(reckoner, body)
        events += self._reckoned(reckoner)
        text = BOX_ALARMS.get(body.what)
        if text is not None:
            events += self._alarm(f"box:{body.box}:{text[0]}", f"{body.box} box: {text[1]}" if text[1] else None)
        if body.what == "box_placed":
            # What the sensor lost count of is in the box that went to the count room.
            events += self._alarm(f"box:{body.box}:count", None)
        if body.what != "dropped" or self.round is None or not self.round.table.fees.sense(body.box):
            return events
        if any(type(want) is WantDrop for want in self.round.expectation.wants):
            events += self._in_round(body)
        return events

    # Due against dropped

    def next_look(self) -> int | None:
        """When somebody should tell this table that it is later: a grace ends then."""
        return self.state.drop.next_look(dealing=self.is_dealing)

    def _reckoner(self) -> Reckoner:
        state, schedule = self.state, self._schedule
        owed = self.round.table.fees.boxes if self.round is not None and self.round.begun else None
        return Reckoner(
            state.drop,
            state.setup.drop or DropTerms(),
            self._now,
            owed=owed,
            away=state.silent_boxes,
            knows_dues=schedule is not None and (state.setup.records_wagers or not schedule.is_banked),
        )

    def _reckoned(self, reckoner: Reckoner) -> list[ev.Event]:
        """The books as they stand after it; what is wrong with one is an alarm until it is right, or explained."""
        self._change(drop=reckoner.done)
        events = reckoner.events
        for box, book in reckoner.books.items():
            text = book.trouble
            events += self._alarm(f"drop:{box}", None if text is None else f"{box} box: {text}")
        return events

    def _judge_drops(self) -> list[ev.Event]:
        look = self.next_look()
        if look is None or look > self._now:
            return []
        reckoner = self._reckoner()
        reckoner.judge()
        return self._reckoned(reckoner)

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

    def _dealer_signed(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is DealerSigned
        was = self.state.drop.dealer
        if body.name == was:
            text = f"{was} deals already" if was else "nobody is signed on to deal"
            return [ev.Refused("dealer", "no_change", text)]
        self._change(drop=replace(self.state.drop, dealer=body.name))
        return [ev.DealerChanged(body.name, was)]

    def _box_keyed(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is BoxKeyed
        reckoner = self._reckoner()
        refused = box_life.keyed(reckoner, body.box, body.id, body.seal, value.by)
        return self._reckoned(reckoner) if refused is None else [refused]

    def _box_counted(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is BoxCountedIn
        reckoner = self._reckoner()
        refused = box_life.counted(reckoner, body.id, body.cents, value.by)
        return self._reckoned(reckoner) if refused is None else [refused]

    def _drop_explained(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is DropExplained
        book = self.state.drop.books.get(body.box)
        if book is None or book.trouble is None:
            return [ev.Refused("explain_drop", "nothing_open", f"nothing is open at the {body.box} box")]
        reckoner = self._reckoner()
        less = reckoner.explained(body.box, body.round, owed=body.owed)
        told: list[ev.Event] = [ev.FeeNotTaken("", less, "", "floor", body.box)] if less else []
        told.append(ev.DropSettled(body.box, body.reason, value.by, body.round, less))
        return [*told, *self._reckoned(reckoner)]

    def _alarm(self, name: str, text: str | None, facts: dict[str, Any] | None = None) -> list[ev.Event]:
        """Raise an alarm with this text, or clear it; told once each."""
        if text is not None and name not in self.state.alarms:
            lives = house.raised(self.state.alarm_lives, name, text, self._now)
            self._change(alarms={**self.state.alarms, name: text}, alarm_lives=lives)
            return [ev.AlarmRaised(name, text, facts or {})]
        if text is None and name in self.state.alarms:
            alarms = {other: said for other, said in self.state.alarms.items() if other != name}
            self._change(alarms=alarms, alarm_lives=house.cleared(self.state.alarm_lives, name, self._now))
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
        for change in body.changes:
            if not 0 <= change.index < len(inputs):
                return Refusal("no_such_input", f"round {body.round} has inputs 0 to {len(inputs) - 1}")
            old = inputs[change.index]
            assert old is not None
            try:
                inputs[change.index] = None if change.body is None else replace(old, body=decode_body(change.body))
            except msgspec.ValidationError as error:
                return Refusal("bad_input", f"input {change.index}: {error}")
        # What devices told between the rounds is no input of this one; their count must not seem to have a hole there.
        began = replace(played.began, seen=played.seen)
        engine = TableEngine(self.game, self.options, began, self.ruleset, self._resolve)
        for item in inputs:
            if item is not None:
                engine.apply(item)
        engine.state = replace(engine.state, **{name: getattr(self.state, name) for name in BESIDE_THE_ROUND})
        if engine.round is None or not engine.round.begun:
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
