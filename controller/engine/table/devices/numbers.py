"""A device numbers what it reports (`boot:number`): repeats, gaps and restarts are recognised by these numbers."""

from __future__ import annotations

from msgspec.structs import replace

from controller.engine.inputs import Happening, Input
from controller.engine.shoe.counters import Difference
from controller.engine.table.current_round import Shared

REPEATS = 64
"""How far back a number is a repeat. A device sends again what was not acknowledged, which is a window of the link. A
number further back was given twice: it is taken, and reported."""


class SentBefore(Exception):
    """A device's input that was applied already. A caller asks `is_repeat` first."""


class Count:
    """The last number that a device used since its power-up, and the one it will use next."""

    __slots__ = ("boot", "last", "next", "number")

    def __init__(self, ref: str) -> None:
        self.last = ref
        self.boot, _, number = ref.partition(":")
        self.number = int(number)
        self.next = f"{self.boot}:{self.number + 1}"

    def covers(self, other: Count) -> bool:
        """The other number is one of the last that were used."""
        return other.boot == self.boot and 0 <= self.number - other.number < REPEATS

    def advance(self) -> None:
        """The next number came."""
        self.number += 1
        self.last = self.next
        self.next = f"{self.boot}:{self.number + 1}"


class DeviceNumbers:
    """The numbers of the inputs that were applied, by device; they are kept in `state.seen`."""

    def __init__(self, shared: Shared) -> None:
        self._lasting, self._current = shared.lasting, shared.current
        self.counts: dict[str, Count] = {}
        """Of the devices in `state.seen`, so that few numbers must be parsed."""

    def is_repeat(self, value: Input) -> bool:
        """A device sent again what was applied before."""
        last = self.last(value.by)
        if value.ref is None or last is None or value.ref == last.next:
            return False
        return last.covers(Count(value.ref))

    def last(self, by: str) -> Count | None:
        """The count of this device with its last input that was applied."""
        ref = self._lasting.state.seen.get(by)
        if ref is None:
            return None
        count = self.counts.get(by)
        if count is None or count.last != ref:
            count = self.counts[by] = Count(ref)
        return count

    def keep(self, value: Input) -> Happening | Difference | None:
        """Keep the number of an input; returns the restart that it shows, or that it does not follow the last one."""
        assert value.ref is not None
        count, lasting = Count(value.ref), self._lasting
        gap = self._gap(value.by, count)
        self.counts[value.by] = count
        if gap is None and lasting.state.seen is lasting.own_seen:
            lasting.own_seen[value.by] = value.ref
            return None
        seen = {**lasting.state.seen, value.by: value.ref}
        lasting.state = replace(lasting.state, seen=seen)
        if self._current.is_dealing:
            lasting.own_seen = seen
        return gap

    def _gap(self, by: str, count: Count) -> Happening | Difference | None:
        """A number that is left out, or given twice, means that something was lost or made up; in mid-round, so does a
        new count."""
        last = self.last(by)
        if last is None:
            return None
        if last.covers(count):
            raise SentBefore(f"{by} sent {count.last} before")
        if count.boot != last.boot:
            return self._restarted(by) if self._current.is_dealing else None
        expected = last.number + 1
        if count.number == expected:
            return None
        facts = {"expected": expected, "came": count.number}
        if count.number > expected:
            text = f"its event {count.number} came, event {expected} was expected: what is between them is lost"
            return Difference("device_events_lost", text, facts)
        text = f"its event {count.number} came a second time, event {expected} was expected"
        return Difference("device_events_repeated", text, facts)

    def _restarted(self, by: str) -> Happening:
        return Happening("device_restarted", facts={"device": by.removeprefix("device:")})

    def note_boot(self, by: str, boot: str, *, gives_cards: bool = False) -> Happening | None:
        """Between two rounds a device may begin a new count. In mid-round that of a device that gives the cards is
        returned as a restart; of any other device the next input shows it."""
        lasting, is_dealing = self._lasting, self._current.is_dealing
        seen = lasting.state.seen
        last = seen.get(by, "")
        if not boot or not last or last.partition(":")[0] == boot or (is_dealing and not gives_cards):
            return None
        seen = {**seen, by: f"{boot}:0"}
        lasting.change(seen=seen)
        if not is_dealing:
            return None
        lasting.own_seen = seen
        return self._restarted(by)
