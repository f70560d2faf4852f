"""The metrics of one table, gathered when Prometheus asks.

Nearly everything is read where it is kept anyway (journal, publisher, supervisor, engine). Counted here is only what
nobody else keeps: events by kind, rounds by their end, how long a commit took. Those begin at nothing with each start
of the daemon, as Prometheus expects of a counter; what the journal counts goes on for ever.
"""

from __future__ import annotations

import os
import platform
import resource
import shutil
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct

from controller import __version__
from controller.engine import events as ev
from controller.engine.alarms import SEVERITIES, advice
from controller.engine.jackpot.meters import PublishedMeter
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.journal import Journal, JournalError
from controller.journal.published import read_input
from controller.metrics.exposition import Family, Histogram, Kind, Labels, Sample, render
from controller.recorder.recorder import Recorder
from controller.technician.status import DeviceStatus
from devices.spec import DeviceSpec
from devices.supervisor import Supervisor

COMMIT_BOUNDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
"""Seconds. A good disk syncs in one or two milliseconds, a tired SD card in tens; a tenth is felt at the table."""
AN_HOUR_S = 3600.0

_ENDS: dict[type[ev.Event], str] = {ev.RoundSettled: "settled", ev.RoundVoided: "voided"}

_LINK = (
    ("frames_received", "Good frames that came from the device."),
    ("frames_sent", "Frames sent to the device."),
    ("crc_errors", "Frames that came damaged."),
    ("retransmissions", "Frames that had to be sent to the device again."),
    ("duplicates", "Messages that the device sent again although we had them."),
    ("gaps", "Holes in the numbers of the device's messages."),
    ("overruns", "Frames longer than a frame can be."),
    ("noise_bytes", "Bytes between frames that belong to none."),
    ("sessions", "Sessions opened with the device."),
)


class Outlet(Protocol):
    """As much of a broker's publisher as is looked at."""

    @property
    def connected(self) -> bool: ...

    @property
    def acknowledged_seq(self) -> int: ...


class Outlets(Protocol):
    @property
    def by_broker(self) -> Mapping[str, Outlet]: ...


class _TableStatus(Struct, frozen=True):
    """The table as it stood after the last commit. While the next is under way, the engine is ahead of the disk."""

    ruleset: str
    state: TableState
    is_dealing: bool
    jackpots: tuple[PublishedMeter, ...]

    @classmethod
    def of(cls, engine: TableEngine[Any]) -> _TableStatus:
        return cls(engine.ruleset, engine.state, engine.is_dealing, engine.jackpots.published)


class TableMetrics:
    """One table's numbers."""

    def __init__(
        self,
        recorder: Recorder,
        outlets: Outlets,
        supervisor: Supervisor,
        specs: Sequence[DeviceSpec],
        *,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._recorder = recorder
        self._outlets = outlets
        self._supervisor = supervisor
        self.specs = tuple(specs)
        """The table's devices."""
        self._now = now
        self._started_at = time.time()
        self._kinds: Counter[str] = Counter()
        self._ends: Counter[str] = Counter(dict.fromkeys(_ENDS.values(), 0))
        self._corrections = 0
        self._ended_at: deque[float] = deque()
        """When each round of the last hour ended."""
        self._commits = Histogram(COMMIT_BOUNDS)
        self._status = _TableStatus.of(recorder.engine)
        recorder.listen(self._count)
        recorder.time_commits(self._commits.observe)

    def text(self) -> bytes:
        """The answer to a scrape."""
        journal = self._recorder.journal
        return render(self._families(), {"site": journal.site, "table": journal.table})

    def _count(self, events: tuple[ev.Event, ...]) -> None:
        self._status = _TableStatus.of(self._recorder.engine)
        for event in events:
            self._kinds[str(type(event).__struct_config__.tag)] += 1
            self._corrections += isinstance(event, ev.Corrected)
            end = _ENDS.get(type(event))
            if end is not None:
                self._ends[end] += 1
                self._ended_at.append(self._now())

    def _families(self) -> Iterator[Family]:
        status, journal = self._status, self._recorder.journal
        yield from self._about_the_table(status)
        yield from self._about_rounds(status)
        yield from self._about_events(journal)
        yield from self._about_brokers(journal)
        yield from self._about_stores(status, journal)
        yield from self._about_alarms(status)
        yield from self._about_jackpots(status)
        yield from self._about_devices()
        yield from self._about_the_journal(journal)
        yield from self._about_the_process()

    def _about_the_table(self, status: _TableStatus) -> Iterator[Family]:
        build = {
            "version": __version__,
            "python": platform.python_version(),
            "ruleset": status.ruleset,
            "rules_digest": status.state.digest,
        }
        yield _one("build_info", "gauge", "1, with what runs and which rules it deals as labels.", 1, build)
        yield _one("test_mode", "gauge", "1 while the table plays without money.", status.state.test)
        yield _one("round_running", "gauge", "1 while a round is being dealt.", status.is_dealing)

    def _about_rounds(self, status: _TableStatus) -> Iterator[Family]:
        while self._ended_at and self._ended_at[0] <= self._now() - AN_HOUR_S:
            self._ended_at.popleft()
        yield _one("rounds_begun_total", "counter", "Rounds begun since the journal's first day.", status.state.rounds)
        yield _many(
            "rounds_ended_total",
            "counter",
            "Rounds ended since the daemon started, by how.",
            [({"how": how}, count) for how, count in self._ends.items()],
        )
        yield _one(
            "rounds_per_hour", "gauge", "Rounds ended within the last hour, or since the start.", len(self._ended_at)
        )
        yield _one("corrections_total", "counter", "Rounds corrected since the daemon started.", self._corrections)

    def _about_events(self, journal: Journal) -> Iterator[Family]:
        head = journal.head
        yield _one("inputs_total", "counter", "Inputs in the journal, since its first day.", head.n)
        yield _one("events_total", "counter", "Events in the journal, since its first day: the newest seq.", head.seq)
        yield _many(
            "events_by_kind_total",
            "counter",
            "Events since the daemon started, by kind.",
            [({"kind": kind}, count) for kind, count in sorted(self._kinds.items())],
        )

    def _about_brokers(self, journal: Journal) -> Iterator[Family]:
        head = journal.head.seq
        by_broker = self._outlets.by_broker.items()

        def each(name: str, kind: Kind, about: str, value: Callable[[Outlet], float]) -> Family:
            return _many(
                f"publisher_{name}", kind, about, [({"broker": broker}, value(one)) for broker, one in by_broker]
            )

        yield each("connected", "gauge", "1 while the broker takes events.", lambda one: one.connected)
        yield each("down", "gauge", "1 while the broker takes none.", lambda one: not one.connected)
        about = "Events that the broker has: their seq."
        yield each("acknowledged_total", "counter", about, lambda one: one.acknowledged_seq)
        about = "Events that wait for the broker."
        yield each("lag_events", "gauge", about, lambda one: max(0, head - one.acknowledged_seq))
        about = "How long the oldest of them has waited."
        yield each("lag_seconds", "gauge", about, lambda one: self._waited(journal, one.acknowledged_seq))

    def _about_stores(self, status: _TableStatus, journal: Journal) -> Iterator[Family]:
        stores = [({"store": name}, stored.seq) for name, stored in sorted(status.state.stores.items())]
        yield _many(
            "store_confirmed_total",
            "counter",
            "Events that the store has confirmed: their seq, up to a minute old.",
            stores,
        )
        yield _many(
            "store_lag_events",
            "gauge",
            "Events after that one.",
            [(store, max(0, journal.head.seq - seq)) for store, seq in stores],
        )
        yield _many(
            "store_lag_seconds",
            "gauge",
            "How long the oldest of them has waited.",
            [(store, self._waited(journal, seq)) for store, seq in stores],
        )

    def _waited(self, journal: Journal, seq: int) -> float:
        """Seconds since the event after this one; where it is in an archive that is away, since the oldest that can be
        read here."""
        if seq >= journal.head.seq:
            return 0.0
        try:
            (oldest,) = journal.events_from(seq + 1, 1)
        except JournalError:
            first = next(journal.entries(journal.live_n, journal.live_n + 1))
            return self._since(read_input(first.input).at)
        return self._since(oldest.at)

    def _since(self, at: int) -> float:
        return max(0, self._recorder.clock.now_ms() - at) / 1000

    def _about_alarms(self, status: _TableStatus) -> Iterator[Family]:
        standing = {name: advice(name).severity for name in status.state.alarms}
        by_severity = Counter(standing.values())
        yield _many(
            "alarms",
            "gauge",
            "Raised alarms; with severity stop, no new round begins.",
            [({"severity": severity}, by_severity[severity]) for severity in SEVERITIES],
        )
        yield _many(
            "alarm",
            "gauge",
            "1 for each alarm that is raised.",
            [({"alarm": name, "severity": severity}, 1) for name, severity in sorted(standing.items())],
        )

    def _about_jackpots(self, status: _TableStatus) -> Iterator[Family]:
        amounts = [(one.jackpot, pool, cents) for one in status.jackpots for pool, cents in one.pools.items()]
        yield _many(
            "jackpot_cents",
            "gauge",
            "What is in the meters of the jackpots: main is the prize, reserve is for the next seed.",
            [({"jackpot": name, "pool": pool}, cents) for name, pool, cents in amounts],
        )

    def _about_devices(self) -> Iterator[Family]:
        states, statistics = self._supervisor.states, self._supervisor.statistics
        known = [DeviceStatus.of(spec, states[spec.id], statistics[spec.id]) for spec in self.specs]
        whose = {device.id: {"device": device.id, "kind": device.kind} for device in known}
        yield _many(
            "device_up",
            "gauge",
            "1 while the device is online.",
            [(whose[device.id], device.state == "online") for device in known],
        )
        yield _many(
            "device_down",
            "gauge",
            "1 while it is not.",
            [(whose[device.id], device.state != "online") for device in known],
        )
        yield _many(
            "device_info",
            "gauge",
            "1, with what the device says it is as labels.",
            [
                (
                    {
                        **whose[device.id],
                        "model": device.model or "",
                        "serial": device.serial or "",
                        "firmware": device.firmware or "",
                    },
                    1,
                )
                for device in known
            ],
        )
        linked = [(device, device.link) for device in known if device.link is not None]
        for name, about in _LINK:
            yield _many(
                f"device_{name}_total",
                "counter",
                f"{about} Since the daemon started.",
                [(whose[device.id], getattr(link, name)) for device, link in linked],
            )
        yield _many(
            "device_round_trip_seconds",
            "gauge",
            "From a frame to its acknowledgement, smoothed; our commit to the disk is in it.",
            [
                (whose[device.id], link.round_trip_ms / 1000)
                for device, link in linked
                if link.round_trip_ms is not None
            ],
        )

    def _about_the_journal(self, journal: Journal) -> Iterator[Family]:
        path = journal.path
        sizes = {
            "live": _size(path),
            "log": _size(path.with_name(path.name + "-wal")),
            "archives": sum(_size(path.with_name(archive.file)) for archive in journal.archives()),
        }
        yield _many(
            "journal_bytes",
            "gauge",
            "Bytes on the disk: the journal, its log, its archives.",
            [({"part": part}, size) for part, size in sizes.items()],
        )
        free = shutil.disk_usage(path.parent).free
        yield _one("journal_disk_free_bytes", "gauge", "Free on the journal's disk.", free)
        yield _one("journal_failing", "gauge", "1 while inputs cannot be written.", self._recorder.trouble is not None)
        yield Family(
            "cutcard_commit_seconds",
            "histogram",
            "From an input that is judged to its being durable.",
            self._commits.samples(),
        )

    def _about_the_process(self) -> Iterator[Family]:
        """Under the names that every Prometheus client library uses."""
        used = resource.getrusage(resource.RUSAGE_SELF)
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        cpu, memory = used.ru_utime + used.ru_stime, pages * os.sysconf("SC_PAGE_SIZE")
        yield Family("process_cpu_seconds_total", "counter", "Processor time used.", (Sample(cpu),))
        yield Family("process_resident_memory_bytes", "gauge", "Memory in use.", (Sample(memory),))
        yield Family("process_start_time_seconds", "gauge", "Start, since 1970.", (Sample(self._started_at),))


def _one(name: str, kind: Kind, about: str, value: float, labels: Labels | None = None) -> Family:
    return _many(name, kind, about, [(labels or {}, value)])


def _many(name: str, kind: Kind, about: str, samples: Sequence[tuple[Labels, float]]) -> Family:
    return Family(f"cutcard_{name}", kind, about, tuple(Sample(value, labels) for labels, value in samples))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
