"""The journal's record of a period, added up: by round, by dealer, by box.

One pass over the entries, found by halving on their time. Nothing is judged here: whether a drop was right the engine
has said in its events; this adds what is due and what was counted, and says where nobody knows.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Raw

from controller.engine import events as ev
from controller.engine.amounts import money
from controller.engine.fees.schedule import JACKPOT
from controller.journal import Entry, JournalReader
from controller.journal.published import read_input
from controller.report.banks import Banks
from controller.report.jackpots import Meters
from controller.report.lines import NO_SENSOR, OPEN, BoxLine, DealerLine, Finding, Ledger, Point, RoundLine, Trend
from controller.report.period import Period

LOOK_ON_MS = 3_600_000
"""How long after its end a shift's last rounds may still be judged: the longest grace there is."""


def read_ledger(reader: JournalReader, period: Period) -> Ledger:
    """The ledger of this time, from a journal and its archives."""
    ledger = Ledger(reader.site, reader.table, period)
    fold = _Fold(ledger)
    start = entry_at(reader, period.start)
    for entry in reader.entries(start):
        at = read_input(entry.input).at
        if at >= period.end + LOOK_ON_MS or (at >= period.end and not fold.waits):
            break
        if at < period.end:
            ledger.first_n = ledger.first_n or entry.n
            ledger.last_n, ledger.last_hash = entry.n, entry.hash.hex()
        for event in _events(entry):
            fold.take(event, at, entry.round, inside=at < period.end)
    if ledger.first_n:
        ledger.test = reader.test_mode_before(ledger.last_n + 1)
    fold.finish()
    return ledger


def last_moment(reader: JournalReader) -> int | None:
    """When the journal's last entry was written; None where it has none."""
    last = next(reader.entries(reader.head.n), None)
    return None if last is None else read_input(last.input).at


def entry_at(reader: JournalReader, at: int) -> int:
    """The number of the first entry at this time or later."""
    low, high = reader.first_n, reader.head.n + 1
    while low < high:
        middle = (low + high) // 2
        entry = next(reader.entries(middle, middle + 1), None)
        if entry is None or read_input(entry.input).at >= at:
            high = middle
        else:
            low = middle + 1
    return low


_split = msgspec.json.Decoder(list[Raw]).decode


def _events(entry: Entry) -> Iterator[ev.Event]:
    for raw in _split(entry.events):
        try:
            yield ev.decode_event(bytes(raw))
        except msgspec.ValidationError:
            continue  # Of another version of the program; fees and drops have not changed since there are any.


class _Fold:
    """Adds one event after the other."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._dealer = ""
        self._dealers: dict[int, str] = {}
        self._banks = Banks()
        self._meters = Meters()
        self._lines: dict[tuple[int, str, bool], RoundLine] = {}
        self._slots: dict[str, BoxLine] = {}
        self._gone: dict[str, BoxLine] = {}
        self._loose: dict[str, int] = {}
        self._tips: dict[str, int] = {}
        self._sums: dict[str, list[int]] = {}
        self._seen: set[str] = set()

    @property
    def waits(self) -> bool:
        """Whether a round of this time is still to be judged."""
        return any(line.verdict == OPEN and line.due and line.box in self._seen for line in self._lines.values())

    def take(self, event: ev.Event, at: int, number: int, *, inside: bool) -> None:
        match event:
            case ev.DropMatched():
                self._judged(event, "late" if event.late else "matched")
                if event.late:
                    self._explain(event.box, event.round, "it fell late")
            case ev.DropDiffers(round=int()) if self._line(event) is not None:
                self._judged(event, event.what)
                self._find(at, event)
            case _ if not inside:
                return
            case ev.RoundStarted():
                self._dealers[number] = self._dealer = event.dealer
                self._banks.take(event)
            case ev.RoundSettled() | ev.BankKept():
                self._banks.take(event)
            case ev.GameBroken():
                who = event.name or f"seat {event.place}"
                self._note(at, "game_broken", "", f"nobody took the position after {event.hands} hands of {who}")
            case ev.BankTaken(how="set"):
                text = f"{event.name or f'seat {event.place}'} was set as player-dealer without an offer"
                self._note(at, "bank_set", "", text)
            case ev.DealerTipWon():
                dealer = self._dealers.get(number, self._dealer)
                self._tips[dealer] = self._tips.get(dealer, 0) + event.tip + event.won
            case ev.DealerChanged():
                self._dealer = event.dealer
            case ev.FeeChanged():
                by_the_clock = event.moment.endswith("_minutes")
                self._owe(at, event.round or number, event.box, event.cents, by_the_clock=by_the_clock)
            case ev.DropDiffers():
                self._find(at, event)
            case ev.BoxTold():
                self._box_event(at, event)
            case ev.BoxReckoned():
                self._reckoned(at, event)
            case ev.BoxIdentified(comes=False):
                slot = self._slot(event.box)
                slot.box_id, slot.seal = event.box_id, event.seal or slot.seal
            case ev.BoxCounted():
                self._counted(at, event)
            case ev.Irregularity(code="box_pulled_in_play" | "card_before_fees" | "dice_before_fees"):
                self._note(at, event.code, str(event.facts.get("box", "")), event.text, number)
            case ev.FeesWaived():
                self._note(at, "waived", "", f"fees waived: {event.reason}", number)
            case ev.JackpotOpened() | ev.JackpotContributed() | ev.JackpotReseeded():
                self._meters.take(event)
            case ev.JackpotPaid() | ev.JackpotAdjusted():
                self._meters.take(event)
                self._note(at, *_of_jackpot(event))
            case ev.JackpotWasHit():
                text = f"{event.jackpot}, {event.prize}: {event.hand}; {event.by}: {event.reason}"
                self._note(at, "jackpot_hit", JACKPOT, text, event.round)
            case ev.JackpotNoHit():
                text = f"{event.jackpot}, {event.prize}: no hit; {event.by}: {event.reason}"
                self._note(at, "jackpot_no_hit", JACKPOT, text, event.round)
            case ev.JackpotFeeDecided():
                what = "kept" if event.kept else "given back"
                text = f"fee of the void round {what}, {money(event.cents)}; {event.by}: {event.reason}"
                self._note(at, "jackpot_fee", JACKPOT, text, event.round)
            case ev.DropSettled():
                self._note(at, "explained", event.box, f"{event.by}: {event.reason}", event.round)
                self._explain(event.box, event.round, f"{event.by}: {event.reason}")

    def finish(self) -> None:
        ledger = self._ledger
        for line in self._lines.values():
            if line.verdict == OPEN and line.box not in self._seen:
                line.verdict = NO_SENSOR
        ledger.rounds = sorted(
            (line for line in self._lines.values() if line.due or line.pieces),
            key=lambda line: (line.at, line.round, line.box),
        )
        ledger.boxes += self._slots.values()
        for line in ledger.rounds:
            if line.box not in self._seen:
                slot = self._slot(line.box)
                slot.has_sensor = False
                if slot not in ledger.boxes:
                    ledger.boxes.append(slot)
        ledger.boxes.sort(key=lambda box: (box.box, box.until is None, box.until or 0))
        ledger.findings.sort(key=lambda finding: finding.at)
        ledger.dealers = self._by_dealer()
        ledger.banks = self._banks.lines
        ledger.jackpots = self._meters.lines

    # Due

    def _owe(self, at: int, number: int, box: str, cents: int, *, by_the_clock: bool = False) -> None:
        key = (number, box, by_the_clock)
        if key not in self._lines:
            dealer = self._dealers.get(number, self._dealer)
            self._lines[key] = RoundLine(number, at, dealer, box, by_the_clock=by_the_clock)
        self._lines[key].due += cents
        self._slot(box).due += cents
        self._draw(at, box, due=cents)

    # Dropped

    def _box_event(self, at: int, event: ev.BoxTold) -> None:
        self._seen.add(event.box)
        slot = self._slot(event.box)
        match event.what:
            case "dropped":
                slot.pieces += event.count
                low, high = event.low or 0, event.high
                slot.low += low
                slot.high = None if slot.high is None or high is None else slot.high + high
                self._ledger.knows_worth = self._ledger.knows_worth and event.low is not None
                self._draw(at, event.box, low=low, high=high or low)
            case "met":
                slot.box_id = event.facts.get("box_id") or slot.box_id
            case "weighed":
                return
            case "box_placed":
                slot.since = slot.since or at
                slot.box_id = event.facts.get("box_id") or slot.box_id
                self._note(at, event.what, event.box, f"box {slot.box_id or 'unknown'} put in")
            case _:
                self._note(at, event.what, event.box, event.what.replace("_", " "))

    def _reckoned(self, at: int, event: ev.BoxReckoned) -> None:
        """The box is out; the engine's own sum for its whole time counts, also what was before this report."""
        slot = self._slots.pop(event.box, None) or BoxLine(event.box)
        slot.box_id, slot.seal, slot.since, slot.until = event.box_id, event.seal, event.since, at
        slot.due, slot.pieces, slot.low, slot.high = event.due, event.pieces, event.low, event.high
        slot.astray = event.astray
        self._gone[event.box_id] = slot
        # What the running round owes falls into the next box, unless the count shows that it was in this one.
        self._slot(event.box).due += event.running
        self._ledger.boxes = [line for line in self._ledger.boxes if line.box_id != event.box_id] + [slot]

    def _counted(self, at: int, event: ev.BoxCounted) -> None:
        line = self._gone.get(event.box_id)
        if line is None:
            line = BoxLine(event.box, event.box_id, event.seal, None, at)
            self._ledger.boxes.append(line)
        elif event.box in self._slots:
            self._slots[event.box].due -= event.due - line.due
        line.due, line.pieces, line.low, line.high = event.due, event.pieces, event.low, event.high
        line.counted, line.difference = event.cents, event.difference
        if event.what != "matched" or event.seen_otherwise:
            seen = "; the pieces that fell cannot be worth that" if event.seen_otherwise else ""
            self._note(at, f"counted {event.what}", event.box, f"box {event.box_id} counted{seen}")

    def _judged(self, event: ev.DropMatched | ev.DropDiffers, verdict: str) -> None:
        line = self._line(event)
        if line is not None:
            line.verdict, line.pieces, line.low, line.high = verdict, event.pieces, event.low, event.high
            line.dealer = event.dealer or line.dealer
            if event.box in self._slots:
                self._slots[event.box].box_id = self._slots[event.box].box_id or event.box_id

    def _line(self, event: ev.DropMatched | ev.DropDiffers) -> RoundLine | None:
        return None if event.round is None else self._lines.get((event.round, event.box, event.by_the_clock))

    # Telling

    def _find(self, at: int, event: ev.DropDiffers) -> None:
        self._ledger.findings.append(Finding(at, event.what, event.box, event.text, event.round, event.dealer))
        if event.what == "unexplained":
            self._loose[event.dealer] = self._loose.get(event.dealer, 0) + event.pieces

    def _note(self, at: int, what: str, box: str, text: str, number: int | None = None) -> None:
        self._ledger.findings.append(Finding(at, what, box, text, number, self._dealer))

    def _explain(self, box: str, number: int | None, text: str) -> None:
        """What is open at this box, of this round or of any, is explained."""
        for finding in self._ledger.findings:
            if finding.is_open and finding.box == box and number in (None, finding.round):
                finding.explained = text

    def _slot(self, box: str) -> BoxLine:
        return self._slots.setdefault(box, BoxLine(box))

    def _draw(self, at: int, box: str, *, due: int = 0, low: int = 0, high: int = 0) -> None:
        sums = self._sums.setdefault(box, [0, 0, 0])
        sums[0] += due
        sums[1] += low
        sums[2] += high
        self._ledger.curves.setdefault(box, []).append(Point(at, *sums))

    def _by_dealer(self) -> list[DealerLine]:
        ledger = self._ledger
        lines: dict[str, DealerLine] = {}
        for line in ledger.rounds:
            dealer = lines.setdefault(line.dealer, DealerLine(line.dealer))
            label = _bucket(ledger.period, line.at)
            if not dealer.trend or dealer.trend[-1].label != label:
                dealer.trend.append(Trend(label))
            sums: tuple[DealerLine | Trend, ...] = (dealer, dealer.trend[-1])
            for one in sums:
                one.rounds += 1
                one.due += line.due
                one.missing += line.missing
                one.surplus += line.surplus
            dealer.pieces += line.pieces
            dealer.late += line.verdict == "late"
            dealer.unproven += line.verdict in ("unproven", NO_SENSOR, OPEN)
        for name, pieces in self._loose.items():
            lines.setdefault(name, DealerLine(name)).unexplained = pieces
        for name, cents in self._tips.items():
            lines.setdefault(name, DealerLine(name)).tips = cents
        return sorted(lines.values(), key=lambda dealer: dealer.name)


def _of_jackpot(event: ev.JackpotPaid | ev.JackpotAdjusted) -> tuple[str, str, str, int | None]:
    """What is to be looked at: what happened, the box, a sentence, the round."""
    amounts = f"{money(event.cents)}, {money(event.before)} to {money(event.after)}"
    if isinstance(event, ev.JackpotPaid):
        return "jackpot_paid", JACKPOT, f"{event.jackpot}, {event.prize}: {amounts}", event.round
    text = f"{event.jackpot}, {event.pool}: {amounts}; {event.by}: {event.reason}"
    return "jackpot_adjusted", JACKPOT, text, None


def _bucket(period: Period, at: int) -> str:
    return period.clock(at, seconds=False)[:10] if period.is_long else f"{period.clock(at)[:13]}:00"
