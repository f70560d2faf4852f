"""What must be true of every day at a table, whatever went wrong.

nothing lost        every event of the journal reached the subscriber, with its hash
nothing twice       what was published again is what was published before; no input of a device is in the journal twice
money conserved     every cent of a round goes from somebody to somebody, or stays in the middle for the next deal,
                    which begins with it; a void round moves none
fee ledger          every line continues where the one before it ended; their sum is what the state has, after every
                    entry, and what the shift report adds up
rotation            nobody banked more hands in a row than his game's text has, unless everybody else had declined
cards               every card that left the shoe is in the journal, once
boxes               every piece that people dropped is counted, once
jackpots            each meter is its seeds, fees and adjustments less its payouts; the fees in all meters are the
                    jackpot fees that were kept
alarms              every alarm was cleared in the end
void rounds         in each of them something had gone wrong, or the floor gave a reason
evidence            `cutcard verify` finds nothing
the program         no game's script failed, nothing was logged as an error
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import UNSET

from controller.engine import events as ev
from controller.engine.fees.schedule import JACKPOT
from controller.engine.inputs import Amended, AnyBody, CardOut, Quarantined, Started, TableSet, decode_input
from controller.engine.jackpot.meters import Jackpots
from controller.engine.table.current_round import Played
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.evidence.verify import verify
from controller.journal import JournalReader
from controller.recorder.recorder import first_engine
from controller.report.ledger import read_ledger
from controller.report.period import Period
from controller.rules import resolve
from controller.soak.broker import Subscriber

_READ_AT_ONCE = 1000
_FOR_EVER = 10**15


def delivery(journal: Path, subscriber: Subscriber) -> Iterator[str]:
    """Journal and subscriber, event by event."""
    yield from subscriber.contradictions
    with JournalReader.read(journal) as reader:
        head, seq = reader.head.seq, 1
        while seq <= head:
            for event in reader.events_from(seq, _READ_AT_ONCE):
                published = subscriber.events.get(event.seq)
                if published is None:
                    yield f"event {event.seq} is in the journal and never reached the subscriber"
                    return
                if published != event.hash.hex():
                    yield f"event {event.seq} was published with another hash than the journal has"
                    return
                seq = event.seq + 1
    if subscriber.last > head:
        yield f"event {subscriber.last} was published and is not in the journal, which ends with {head}"


def is_card(body: AnyBody) -> bool:
    """Whether a card left with this report, read, not read, or reported in a way that nobody can read."""
    return type(body) is CardOut or (type(body) is Quarantined and body.is_card)


class Ledger:
    """A journal, read through once: money, cards, alarms, boxes."""

    def __init__(self, journal: Path) -> None:
        self.problems: list[str] = []
        self.cards = 0
        """Cards that the shoe reported."""
        self.rounds = self.void = self.corrected = 0
        self.held: Counter[str] = Counter()
        self.void_for: Counter[str] = Counter()
        """Void rounds, by what last went wrong in each, or by the reason that the floor gave."""
        self._wrong = ""
        """What last went wrong in the running round."""
        self.alarms: set[str] = set()
        self.dropped: dict[str, int] = {}
        self.doubted: set[str] = set()
        """Boxes whose sensor has reported that it may have lost count."""
        bank, fees, middle, jackpots = Bank(), Fees(), Middle(), Meters()
        engine: TableEngine[Any] | None = None
        with JournalReader.read(journal) as reader:
            for entry in reader.entries(1):
                value = decode_input(entry.input)
                if engine is None:
                    assert type(value.body) is Started
                    engine = first_engine(value.body.ruleset, value.body.options, resolve)
                last = engine.last
                for event in engine.apply(value):
                    self._note(entry.n, event)
                    self.problems += [f"entry {entry.n}: {problem}" for problem in fees.follow(event)]
                    self.problems += [f"entry {entry.n}: {problem}" for problem in jackpots.follow(event)]
                    if engine.rules.rotation is not None:
                        hands = engine.rules.rotation.hands
                        self.problems += [f"entry {entry.n}: {problem}" for problem in bank.follow(event, hands)]
                self.problems += [f"entry {entry.n}: {problem}" for problem in fees.compare(engine.fees_owed)]
                self.problems += [f"entry {entry.n}: {problem}" for problem in jackpots.compare(engine.state)]
                if value.by == "device:shoe" and is_card(value.body):
                    self.cards += 1
                if type(value.body) is TableSet:
                    middle.follow_floor(value.body)
                if engine.last is not None and (engine.last is not last or type(value.body) is Amended):
                    played = engine.last
                    found = [*money(played.document), *middle.follow_round(engine.round_number, played)]
                    self.problems += [f"entry {entry.n}: {problem}" for problem in found]
            reported = read_ledger(reader, Period(0, _FOR_EVER, "UTC")).due
        self.problems += [] if reported == fees.total else [f"the report has {reported} due, the ledger {fees.total}"]
        if engine is not None:
            self.rounds = engine.round_number
            self.dropped = dict(engine.state.dropped)
            self.standing = dict(engine.state.alarms)

    def _note(self, n: int, event: ev.Event) -> None:
        match event:
            case ev.RoundStarted():
                self._wrong = ""
            case ev.Irregularity():
                self._wrong = event.code
                if event.code == "engine_fault":
                    self.problems.append(f"entry {n}: {event.text}")
            case ev.Held():
                self._wrong = event.code
                self.held[event.code] += 1
            case ev.RoundVoided():
                self.void += 1
                if cause := self._wrong or event.reason:
                    self.void_for[cause] += 1
                else:
                    self.problems.append(f"entry {n}: a round is void, and nothing went wrong in it")
            case ev.Corrected():
                self.corrected += 1
            case ev.AlarmRaised():
                if event.alarm in self.alarms:
                    self.problems.append(f"entry {n}: the alarm {event.alarm} was raised twice")
                self.alarms.add(event.alarm)
            case ev.AlarmChanged():
                if event.alarm not in self.alarms:
                    self.problems.append(f"entry {n}: the alarm {event.alarm} has another text and was never raised")
            case ev.AlarmCleared():
                if event.alarm not in self.alarms:
                    self.problems.append(f"entry {n}: the alarm {event.alarm} was cleared and never raised")
                self.alarms.discard(event.alarm)
            case ev.BoxTold(what="sensor_reset" | "count_doubtful"):
                self.doubted.add(event.box)


def money(result: dict[str, Any]) -> Iterator[str]:
    """A round's result, in the words of the case format: every cent of it."""
    more = result["more"]
    kept = sum(pot["cents"] - _total(pot["to"]) for pot in result["pots"])
    carried, forfeited = more.get("carried", 0), more.get("forfeited", 0)
    moved = _total(result["net"]) + result["bank_net"] + kept + carried - forfeited
    if moved and not result["void"]:
        yield f"the round's money does not come out even, by {moved} cents"
    if kept < 0:
        yield f"the pots give out {-kept} cents more than there is in them"
    if "net_after_fees" in more and _total(more["net_after_fees"]) + more["collected"] != forfeited:
        yield "what the pot's fee took and what the players are short of is not the same"
    if "carried_after_fees" in more:
        fees = sum(fee["cents"] for fee in result["fees"]["pot"])
        if more["carried_after_fees"] != carried - fees:
            yield f"{more['carried_after_fees']} cents stay in the middle, of {carried} and {fees} of fees"
    if result["void"] and (_total(result["net"]) or result["bank_net"] or kept):
        yield "a void round moved money"


class Fees:
    """The fee ledger, line by line."""

    def __init__(self) -> None:
        self._owed: Counter[str] = Counter()

    @property
    def total(self) -> int:
        return self._owed.total()

    def follow(self, event: ev.Event) -> Iterator[str]:
        if type(event) is ev.FeeChanged:
            if (event.before, event.after) != (self._owed[event.box], event.before + event.cents):
                yield f"the fee ledger goes from {self._owed[event.box]} to {event.before} and {event.after}"
            self._owed[event.box] += event.cents

    def compare(self, owed: dict[str, int]) -> Iterator[str]:
        if +self._owed != +Counter(owed):
            yield f"the fee ledger has {dict(self._owed)}, the table {owed}"


class Bank:
    """Who banked the settled hands, by seat: nobody at a simulated table changes his."""

    def __init__(self) -> None:
        self._seat: int | None = None
        self._holder: int | None = None
        self._hands = 0

    def follow(self, event: ev.Event, most: int) -> Iterator[str]:
        """What is wrong with a hand of this player-dealer."""
        match event:
            case ev.RoundStarted():
                self._seat = event.player_dealer
            case ev.RoundSettled():
                self._hands = self._hands + 1 if self._seat == self._holder else 1
                self._holder = self._seat
                if self._seat is None:
                    yield "a hand was dealt without a player-dealer"
                elif self._hands > most:
                    yield f"seat {self._seat} banked {self._hands} hands in a row"
            case ev.Corrected() if "void" in event.changes:
                self._hands += -1 if event.changes["void"][1] else 1
            case ev.BankKept() | ev.GameResumed(how="after_a_reasonable_time"):
                self._hands = 0


class Meters:
    """The jackpots by their events alone, compared with what the table keeps."""

    def __init__(self) -> None:
        self._main: dict[str, int] = {}
        self._reserve: dict[str, int] = {}
        self._added = 0
        self._kept: Jackpots | None = None

    def follow(self, event: ev.Event) -> Iterator[str]:
        """What is wrong with an event: it goes on from another amount than the last one left."""
        match event:
            case ev.JackpotOpened():
                self._main[event.jackpot], self._reserve[event.jackpot] = event.seed, 0
            case ev.JackpotContributed():
                self._added += event.cents
                if event.cents != event.after - event.before + event.reserve_after - event.reserve_before:
                    yield f"{event.cents} cents were added to the jackpot {event.jackpot}, and its meter went otherwise"
                yield from self._went(event.jackpot, self._main, event.before, event.after)
                yield from self._went(event.jackpot, self._reserve, event.reserve_before, event.reserve_after)
            case ev.JackpotPaid():
                if event.cents != event.before - event.after or event.cents != sum(one.cents for one in event.shares):
                    yield f"the jackpot {event.jackpot} pays {event.cents} cents, and its meter went otherwise"
                yield from self._went(event.jackpot, self._main, event.before, event.after)
            case ev.JackpotReseeded():
                yield from self._went(event.jackpot, self._main, event.before, event.after)
                yield from self._went(event.jackpot, self._reserve, event.reserve_before, event.reserve_after)
            case ev.JackpotAdjusted():
                pool = self._main if event.pool == "main" else self._reserve
                yield from self._went(event.jackpot, pool, event.before, event.after)

    def _went(self, name: str, pool: dict[str, int], before: int, after: int) -> Iterator[str]:
        if pool.get(name) != before:
            yield f"the jackpot {name} held {pool.get(name)} cents, and the event begins with {before}"
        pool[name] = after

    def compare(self, state: TableState) -> Iterator[str]:
        """What the table keeps after an entry."""
        kept = state.jackpots
        if kept is self._kept:
            return
        self._kept = kept
        for name, meter in kept.meters.items():
            if (meter.main, meter.reserve) != (self._main.get(name), self._reserve.get(name)):
                yield f"the jackpot {name} holds another amount than its events"
            if meter.main + meter.reserve != meter.seeded + meter.contributed - meter.paid + meter.adjusted:
                yield f"the jackpot {name} does not come out even"
        carried = sum(paid.cents for paid in state.fees_carried.paid if paid.box == JACKPOT)
        fees = state.all_fees_due.get(JACKPOT, 0) - carried - kept.aside
        if kept.meters and self._added != fees:
            yield f"{self._added} cents of fees are in the jackpots, and {fees} were kept for them"


class Middle:
    """What stays in the middle from deal to deal: pots that nobody has won."""

    def __init__(self) -> None:
        self._round = 0
        self._found = self._left = 0
        """Cents that the last round should have begun with, and that it left."""

    def follow_floor(self, body: TableSet) -> None:
        """The floor may correct the amount."""
        if body.settings is not UNSET and "carried" in body.settings:
            self._left = _total(body.settings["carried"] or {})

    def follow_round(self, number: int, played: Played) -> Iterator[str]:
        """A round is over, or was corrected: it began with what the one before left."""
        if number != self._round:
            self._round, self._found = number, self._left
        setup, result = played.began.setup, played.document
        lay: dict[Any, int] = setup.settings.get("carried") or {}
        if _total(lay) != self._found:
            yield f"{self._found} cents lay in the middle, and the round began with {_total(lay)}"
        more, seats = result["more"], {str(seat) for seat in setup.seats}
        left_behind = sum(cents for seat, cents in lay.items() if str(seat) not in seats)
        if not result["void"] and more.get("forfeited", 0) != left_behind:
            yield f"{left_behind} cents in the middle are of seats that have left, {more.get('forfeited', 0)} forfeited"
        self._left = self._found if result["void"] else more.get("carried_after_fees", more.get("carried", 0))


def evidence(journal: Path) -> Iterator[str]:
    """What `cutcard verify` finds."""
    yield from verify(journal, resolve).findings


def _total(value: Any) -> int:
    if isinstance(value, dict):
        return sum(_total(part) for part in value.values())
    return int(value)
