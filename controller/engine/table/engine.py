"""One table: a deterministic function of (rules, inputs).

`TableEngine.apply` takes one input and returns the events it causes. Between rounds it keeps what outlives them: seats,
player-dealer, shoe, history, devices. That state is a frozen value, so a round can always be run again from the state
it began in: recovery and correction are the same replay.

The engine is put together from parts, each given the parts it needs:

    lasting         the rules in force, the lasting state and its alarms
    current_round   the round that is prepared or running, what the table waits for
    device_numbers  the numbers by which repeats and gaps of a device are recognised
    counters        what a shoe or a shuffler has counted itself, compared with every report
    shoe, drop      shoes and packs; boxes, fees by the clock, who deals
    rounds          a round is fed, begins and is closed
    clock           what becomes of a table's times when the board's clock is set
    procedures      what people report and the floor decides beside the rounds: burns, absence, hands, buy-ins
    bank            the player-dealer's position: hands counted, offered, taken
    jackpots        meters, hits, payouts
    waits           the phase, and since when the table waits for what it waits for
    house, devices  what the house, the floor and the board decide; what devices report
    corrections     a round run again from amended inputs
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic

from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.bank.rotation import Rotation
from controller.engine.expect.bank import WantBank
from controller.engine.expect.expectation import Expectation
from controller.engine.expect.want import Refusal
from controller.engine.fees.ledger import added, entered, has_line
from controller.engine.inputs import (
    AlarmExplained,
    AlarmSeenTo,
    Amended,
    BankAnswered,
    Blinked,
    BoardSeen,
    BoxCountedIn,
    BoxKeyed,
    BuyIn,
    ClockSeen,
    Configured,
    CutCardOut,
    DealerSigned,
    DeviceSeen,
    DifferenceFound,
    DropExplained,
    FirmwareUpdate,
    FloorAct,
    FloorCalled,
    Happening,
    Input,
    Noted,
    PackReported,
    PersonNamed,
    Quarantined,
    RulesChosen,
    SensorSeen,
    ShoeStarted,
    SignInSeen,
    Started,
    TableClosed,
    TableOpened,
    TableRetired,
    TableSet,
    TimePassed,
    TpmCounted,
    kind_of,
)
from controller.engine.jackpot_inputs import JackpotAdjust, JackpotFee, JackpotHit, JackpotNotHit
from controller.engine.journal_inputs import ArchiveDropped, ArchiveMade, StoreConfirmed
from controller.engine.procedures.rules import FLOOR_ACTS, NO_PROCEDURES, Procedures
from controller.engine.round.game import Game, OptionsT
from controller.engine.round.kernel import Round
from controller.engine.shoe.counters import Difference
from controller.engine.slip_inputs import SlipRefused, TakenBack
from controller.engine.table.answers import answered
from controller.engine.table.bank import TableBank
from controller.engine.table.clock import TableClock
from controller.engine.table.corrections import Corrections
from controller.engine.table.current_round import CurrentRound, Played, Shared
from controller.engine.table.devices.connected import Devices
from controller.engine.table.devices.counters import DeviceCounters, comes_last
from controller.engine.table.devices.drop import TableDrop
from controller.engine.table.devices.numbers import DeviceNumbers
from controller.engine.table.devices.shoe import TableShoe
from controller.engine.table.fast_paths import PlainInputs
from controller.engine.table.house import House
from controller.engine.table.jackpots import TableJackpots
from controller.engine.table.lasting import Lasting, RulesInForce
from controller.engine.table.procedures import TableProcedures
from controller.engine.table.rounds import Rounds
from controller.engine.table.state import NamedReading, Resolver, TableState
from controller.engine.table.waiting import Waits
from controller.engine.update_inputs import UpdateTaken

Handler = Callable[[Input], list[ev.Event]]
_AGAIN = (Amended, TakenBack)
"""Inputs that run the round again, and are none of it."""


class TableEngine(Generic[OptionsT]):
    """One table playing one ruleset."""

    def __init__(
        self,
        game: Game[OptionsT],
        options: OptionsT,
        state: TableState,
        ruleset: str = "",
        resolve: Resolver | None = None,
        *,
        rotation: Rotation | None = None,
        readings: tuple[NamedReading, ...] = (),
        procedures: Procedures = NO_PROCEDURES,
        is_fast: bool = True,
    ) -> None:
        """`rotation` None: a round played alone, which is always somebody's first hand, or a game without a
        player-dealer. `readings`: what the house of a live table confirms.
        `is_fast=False`: without the fast paths, for the test that compares."""
        self._is_fast = is_fast
        self.rules = rules = RulesInForce(
            game,
            options,
            ruleset or game.slug,
            resolve,
            rotation=rotation,
            readings=readings,
            procedures=procedures,
        )
        self.lasting = lasting = Lasting(state)
        self.current = current = CurrentRound(rules, lasting)
        shared = Shared(rules, lasting, current)
        self._numbers = DeviceNumbers(shared)
        shoe = TableShoe(shared)
        self._drop = drop = TableDrop(shared)
        self.bank = bank = TableBank(shared)
        self.procedures = procedures_here = TableProcedures(shared, shoe, bank)
        self.jackpots = jackpots = TableJackpots(shared, drop)
        self._rounds = Rounds(
            shared, shoe, drop, bank=bank, procedures=procedures_here, jackpots=jackpots, is_fast=is_fast
        )
        self._house = House(shared, shoe, self._numbers, bank)
        self._clock = TableClock(shared)
        self._corrections = Corrections(shared, shoe, drop, jackpots=jackpots, begin_again=self._begin_again)
        self._counters = counters = DeviceCounters(shared, self._rounds.notice)
        devices = Devices(shared, self._numbers, counters=counters, shoe=shoe, drop=drop, rounds=self._rounds)
        self._handlers = self._dispatch(shoe, devices)
        self.waits = Waits(shared)
        self._plain = PlainInputs(shared, self._numbers, counters, close=self._rounds.close, handled=self._handlers)

    def _dispatch(self, shoe: TableShoe, devices: Devices) -> dict[type, Handler]:
        """Every input that is not a matter of the running round alone, and what handles it."""
        house, drop, procedures, jackpots = self._house, self._drop, self.procedures, self.jackpots
        return {
            Started: jackpots.opening(house.started),
            Configured: jackpots.opening(house.configured),
            DifferenceFound: house.difference_found,
            TableOpened: house.opened,
            TableClosed: house.closed,
            TableRetired: house.retired,
            UpdateTaken: house.update_taken,
            RulesChosen: jackpots.opening(house.rules_chosen),
            TableSet: house.table_set,
            BankAnswered: self.bank.answered,
            BuyIn: procedures.bought_in,
            PersonNamed: self.bank.person_named,
            FloorCalled: house.floor_called,
            AlarmSeenTo: house.alarm_seen_to,
            AlarmExplained: house.alarm_explained,
            BoardSeen: house.board_seen,
            ClockSeen: self._clock.seen,
            TpmCounted: house.tpm_counted,
            FirmwareUpdate: house.firmware_update,
            ShoeStarted: procedures.shoe_started,
            PackReported: shoe.pack_reported,
            CutCardOut: shoe.cut_card,
            SignInSeen: _sign_in_seen,
            DealerSigned: self._dealer_signed,
            BoxKeyed: drop.box_keyed,
            BoxCountedIn: drop.box_counted,
            DropExplained: jackpots.explained(drop.drop_explained),
            JackpotHit: jackpots.hit,
            JackpotNotHit: jackpots.not_hit,
            JackpotAdjust: jackpots.adjusted,
            JackpotFee: jackpots.fee_decided,
            DeviceSeen: devices.seen,
            SensorSeen: devices.sensor_seen,
            Quarantined: devices.quarantined,
            Happening: self._rounds.happened,
            Amended: self._corrections.amended,
            TakenBack: self._corrections.taken_back,
            SlipRefused: _slip_refused,
            StoreConfirmed: house.store_confirmed,
            ArchiveMade: _archive_made,
            ArchiveDropped: _archive_dropped,
            Noted: _nothing,
            TimePassed: _nothing,
            Blinked: _nothing,
        }

    def apply(self, value: Input) -> list[ev.Event]:
        """Apply one input; returns the events it causes."""
        if self._is_fast:
            events = self._plain.apply(value)
            if events is not None:
                return events if self.rules.schedule is None else self._entered(events)
        self.lasting.now = value.at
        if value.asked is not None:
            return self._asked(value)
        return self._entered(self._apply(value))

    def _entered(self, events: list[ev.Event]) -> list[ev.Event]:
        """The events, with the totals in the lines of the fee ledger; most inputs make no line."""
        return entered(events, self.fees_owed) if has_line(events) else events

    def _apply(self, value: Input) -> list[ev.Event]:
        current, played, state, kind = self.current.round, self.current.played, self.lasting.state, type(value.body)
        was_begun = current is not None and current.begun
        before: list[ev.Event] = []
        if (state.fee_clock is not None or state.drop.books) and kind is not ClockSeen:
            before += self.jackpots.by_the_clock(self._drop.by_the_clock())
        if state.conduct.away and kind is not ClockSeen:
            before += self.procedures.by_the_clock()
        lost = None if value.ref is None else self._numbers.keep(value)
        if isinstance(lost, Difference):
            before += self._counters.differs(value.by.removeprefix("device:"), lost)
        elif lost is not None:
            before += self._rounds.restarted(lost)
        is_status = comes_last(value)
        if not is_status and (value.counter is not None or state.counters):
            before += self._counters.keep(value)
        handler = self._handlers.get(kind)
        if kind is FloorAct and self.lasting.state.differs is not None:
            handler = self._house.difference_answered
        elif type(value.body) is FloorAct and value.body.do in FLOOR_ACTS:
            handler = self.procedures.decided
        elif kind is FloorAct and self.current.round is None and self._waits_for_bank:
            handler = self.bank.resumed
        if before and self.current.played is not played and handler is None:
            # What was lost, or does not fit, has ended the round. No input ends one round and begins the next: it is
            # out of play.
            played.inputs.append(value)
            return [*before, *self._rounds.out_of_play(value.body)]
        events = self._rounds.feed(value.body) if handler is None else handler(value)
        if is_status and value.counter is not None:
            events = [*events, *self._counters.keep(value)]
        if current is not None and current.begun and kind not in _AGAIN:
            if not was_begun:
                played.began = state
            played.inputs.append(value)
        return [*before, *events] if before else events

    @property
    def _waits_for_bank(self) -> bool:
        return any(type(want) is WantBank for want in self.current.expectation.wants)

    def _asked(self, value: Input) -> list[ev.Event]:
        """A remote request: the input it contains, and the answer, kept for a repeated request."""
        asked = value.asked
        assert asked is not None
        if asked.round is not None and not (self.is_dealing and self.state.rounds == asked.round):
            text = f"round {asked.round} is not running"
            events: list[ev.Event] = [ev.Refused(kind_of(value.body), "other_round", text)]
        else:
            events = self.apply(replace(value, asked=None))
        answers, answer = answered(self.state.answers, asked, value.by, events)
        self.lasting.change(answers=answers)
        return [*events, answer]

    def is_repeat(self, value: Input) -> bool:
        """A device sent again what was applied before."""
        return self._numbers.is_repeat(value)

    def preview(self, body: Amended) -> dict[str, Any] | Refusal:
        """What an amendment would change, field by field as [before, after]; nothing is changed yet."""
        return self._corrections.preview(body)

    def beside(self) -> TableEngine[OptionsT]:
        """Another table that is where this one is: what is tried there changes nothing here."""
        played = self.played
        other = self._begin_again(played.began if self.is_dealing else self.state)
        for value in played.inputs if self.is_dealing else ():
            other.apply(value)
        return other

    def next_look(self) -> int | None:
        """When a grace period ends, or a player's time away from the table: then the table needs an input."""
        looks = (self._drop.next_look(), self.procedures.next_look())
        return min((look for look in looks if look is not None), default=None)

    def _dealer_signed(self, value: Input) -> list[ev.Event]:
        """Who signs on in the place of another relieves him."""
        was = self.state.drop.dealer
        events = self._drop.dealer_signed(value)
        dealer = self.state.drop.dealer
        return [*events, *self.procedures.relieved(value.by)] if was and dealer and was != dealer else events

    def _begin_again(self, state: TableState) -> TableEngine[OptionsT]:
        rules = self.rules
        return TableEngine(
            rules.game,
            rules.options,
            state,
            rules.ruleset,
            rules.resolve,
            rotation=rules.rotation,
            readings=rules.readings,
            procedures=rules.procedures,
            is_fast=self._is_fast,
        )

    # What there is to know about the table

    @property
    def game(self) -> Game[OptionsT]:
        return self.rules.game

    @property
    def options(self) -> OptionsT:
        return self.rules.options

    @property
    def ruleset(self) -> str:
        return self.rules.ruleset

    @property
    def state(self) -> TableState:
        """What outlives a round."""
        return self.lasting.state

    @property
    def round(self) -> Round | None:
        """The round that is prepared or running; None where none may begin."""
        return self.current.round

    @property
    def played(self) -> Played:
        """The inputs of that round."""
        return self.current.played

    @property
    def last(self) -> Played | None:
        """The round before, while it can be corrected."""
        return self.current.last

    @property
    def now(self) -> int:
        """The time of the last input; 0 before the first."""
        return self.lasting.now

    @property
    def is_dealing(self) -> bool:
        """A round is running: it has had its first input and is not over."""
        return self.current.is_dealing

    @property
    def fees_owed(self) -> dict[str, int]:
        """Cents that each box is owed, from the journal's first round on, the running round included: the sum of the
        fee ledger."""
        current = self.current.round
        running = current.table.fees.owed if current is not None and current.begun else ()
        return added(self.lasting.state.all_fees_due, running)

    @property
    def round_number(self) -> int:
        """The round that is running, or the last one."""
        return self.lasting.state.rounds

    @property
    def expectation(self) -> Expectation:
        """Everything legal now."""
        return self.current.expectation

    @property
    def public_result(self) -> dict[str, Any]:
        """What everybody may know of the running round, or of the last one: exposed cards only."""
        return self.current.public_result


def _sign_in_seen(value: Input) -> list[ev.Event]:
    body = value.body
    assert type(body) is SignInSeen
    match body.what:
        case "signed_in":
            return [ev.SignedIn(body.name, body.role, body.at, body.client, body.means, body.others)]
        case "signed_out":
            return [ev.SignedOut(body.name, body.role, body.at, body.client)]
        case "failed":
            return [ev.SignInFailed(body.at, body.client, body.means, body.name, body.wait_s, body.others)]


def _archive_made(value: Input) -> list[ev.Event]:
    body = value.body
    assert type(body) is ArchiveMade
    return [ev.JournalRotated(body.file, body.first, body.last, body.hash)]


def _archive_dropped(value: Input) -> list[ev.Event]:
    body = value.body
    assert type(body) is ArchiveDropped
    return [ev.ArchiveRemoved(body.file, body.first, body.last, body.hash, body.keep_days)]


def _slip_refused(value: Input) -> list[ev.Event]:
    body = value.body
    assert type(body) is SlipRefused
    return [ev.Refused(body.what, body.why, body.text)]


def _nothing(value: Input) -> list[ev.Event]:
    """It is in the journal; the table does not change."""
    return []
