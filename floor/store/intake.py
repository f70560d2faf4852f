"""A batch of received messages in one transaction.

    lock the journals of the batch
    each event: a repeat, the next one, or one that came after a hole
        repeat       its link must be the one that is kept
        the next     its link must follow from the one before: into `events`, and into what is worked out of them
        after a hole into `waiting`, until the hole is filled
    documents, checkpoints, what is kept apart

When the transaction has ended the broker may forget these messages, and not before. Any number of collectors may do
this at the same time: a journal is one collector's for the length of a transaction, and its last `seq` decides what
is next. So an event is booked once, whichever way and however often it comes.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from msgspec import Struct
from sqlalchemy import Connection, Engine, Table, bindparam, delete, func, select, tuple_, update
from sqlalchemy.dialects import postgresql, sqlite

from controller.contract import encode
from floor.gaming_day import Calendar
from floor.messages import Apart, Origin, Received, ReceivedAnswer, ReceivedDocument, ReceivedEvent, read
from floor.store import bulk
from floor.store.derived import context as contexts
from floor.store.derived.about import About
from floor.store.derived.book import Unbookable, book, follows_from
from floor.store.derived.page import Page
from floor.store.documents import Documents
from floor.store.moments import month
from floor.store.quarantine import keep_apart
from floor.store.schema import EVENTS, GAPS, JOURNALS, SITES, TABLES, WAITING
from floor.store.series import Series, first_link

MOST_JOURNALS = 64
"""Journals of one table that begin in a day and that no board has signed yet. A board begins one in its life."""
_DAY_MS = 86_400_000
MOST_WAITING = 10_000
"""Events of one journal that wait behind a hole. What comes after that is requested again when the hole is filled."""
_SEEN_EVERY_MS = 5_000
"""How exact `last_seen` of a table is."""
_SERIES_KEPT = 2_000


_TOO_MANY = f"the table has begun {MOST_JOURNALS} journals within a day, and no board has signed them"


_j = JOURNALS.c
_STATES = (
    select(_j.journal, _j.seq, _j.known_seq, _j.waiting, _j.hole_since, _j.state, _j.reason, _j.link)
    .order_by(_j.journal)
    .with_for_update()
)
"""What another collector may have changed since we looked; the rest follows from `seq`."""


class Taken(Struct, frozen=True):
    """What became of a batch."""

    booked: int
    """Events that are in `events` now, and were not before."""
    repeats: int
    waiting: int
    apart: int


class Intake:
    """Takes batches into a store. One per thread that writes."""

    def __init__(self, engine: Engine, calendar: Calendar, boards: dict[tuple[str, str], str] | None = None) -> None:
        """`calendar`: of a site that the store does not know yet; `boards`: keys of boards that are known beforehand,
        by site and table."""
        self._engine = engine
        self._calendar = calendar
        self._calendars: dict[str, Calendar] = {}
        self._known: dict[str, Series] = {}
        self._months: set[str] = set()
        self._seen: dict[tuple[str, str], int] = {}
        self._documents = Documents(boards or {})
        self._lock = threading.Lock()

    def take(self, batch: Sequence[Received]) -> Taken:
        """All of it, durably. Any exception: nothing of it."""
        with self._lock, self._forgetting():
            self._prepare(batch)
            with self._engine.begin() as connection:
                done = _Batch(self, connection).take(batch)
            self._seen.update(done.seen)
            return done.taken

    def lose(self, journal: str, first: int, last: int, reason: str, now: int) -> None:
        """The table no longer has these events: what comes after them is taken without a link before it."""
        with self._lock, self._forgetting(), self._engine.begin() as connection:
            series = self.series(connection, {journal: ("", "", now)})[journal]
            if series.seq + 1 != first:
                return  # they came after all
            bulk.insert(connection, GAPS, [(journal, first, last, now, reason, series.site, series.table)])
            series.seq, series.link, series.hash = last, None, None
            _Batch(self, connection).go_on(series, now)

    def ends(self, journal: str, seq: int, asked_at: int) -> None:
        """The table has stated its last event: what waits beyond it, and came before we asked, is not of this table."""
        w = WAITING.c
        beyond = (w.journal == journal, w.seq > seq, w.received_at < asked_at)
        with self._lock, self._forgetting(), self._engine.begin() as connection:
            series = self.series(connection, {journal: ("", "", asked_at)})[journal]
            rows = connection.execute(select(WAITING).where(*beyond).order_by(w.seq)).all()
            place = series.site, series.table, journal
            text = f"the table's last event is {seq}"
            keep_apart(
                connection,
                [
                    Apart(
                        Origin("waiting", row.topic, row.received_at),
                        "beyond_the_end",
                        text,
                        bytes(row.payload),
                        *place,
                        row.seq,
                    )
                    for row in rows
                ],
            )
            connection.execute(delete(WAITING).where(*beyond))
            series.waiting -= len(rows)
            series.known_seq = max(series.seq, seq)
            _Batch(self, connection).go_on(series, asked_at)

    @contextmanager
    def _forgetting(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            # What we remember may be ahead of what the database has.
            self._known.clear()
            self._calendars.clear()
            self._months.clear()
            raise

    def _prepare(self, batch: Sequence[Received]) -> None:
        """Makes room in a transaction of its own: a new partition has to lock all of `events`."""
        days = {
            min(received.envelope.at, received.origin.received_at) // _DAY_MS
            for received in batch
            if type(received) is ReceivedEvent
        }
        months = _months(days)
        if months - self._months:
            with self._engine.begin() as connection:
                self.make_room(connection, months)

    def series(self, connection: Connection, wanted: dict[str, tuple[str, str, int]]) -> dict[str, Series]:
        """These journals, locked until the end of the transaction; unknown ones begin, except those of a table that has
        begun too many."""
        names = sorted(wanted)
        query = _STATES.where(JOURNALS.c.journal.in_(names))
        rows = {row.journal: row for row in connection.execute(query)}
        fresh = [name for name in names if name not in rows]
        if fresh:
            self._begin(connection, fresh, wanted)
            rows = {row.journal: row for row in connection.execute(query)}
        if len(self._known) > _SERIES_KEPT:
            self._known.clear()
        stale = [name for name, row in rows.items() if name not in self._known or self._known[name].seq != row.seq]
        for whole in connection.execute(select(JOURNALS).where(JOURNALS.c.journal.in_(stale))) if stale else ():
            self._known[whole.journal] = Series(
                whole.site,
                whole.table_name,
                whole.journal,
                whole.seq,
                whole.link,
                whole.hash,
                whole.booked_at,
                0,
                0,
                None,
                "",
                "",
                contexts.decode(whole.context),
            )
        for name, row in rows.items():
            series = self._known[name]
            series.known_seq, series.waiting, series.hole_since = row.known_seq, row.waiting, row.hole_since
            series.state, series.reason, series.link = row.state, row.reason, row.link
        return {name: self._known[name] for name in rows}

    def _begin(self, connection: Connection, names: list[str], wanted: dict[str, tuple[str, str, int]]) -> None:
        rows = []
        room: dict[tuple[str, str], int] = {}
        for name in names:
            site, table, at = wanted[name]
            if (site, table) not in room:
                room[site, table] = MOST_JOURNALS - _began_lately(connection, site, table, at)
            room[site, table] -= 1
            if room[site, table] < 0:
                continue
            rows.append(
                {
                    "journal": name,
                    "site": site,
                    "table_name": table,
                    "seq": 0,
                    "link": first_link(site, table, name),
                    "known_seq": 0,
                    "waiting": 0,
                    "first_seen": at,
                    "booked_at": 0,
                    "state": "unattested",
                    "reason": "",
                    "context": contexts.encode(contexts.Context()),
                }
            )
        if rows:
            insert_missing(connection, JOURNALS, rows)

    def calendar(self, connection: Connection, site: str) -> Calendar:
        """When the gaming days of this site begin; a site that is new gets ours."""
        if site not in self._calendars:
            ours: dict[str, object] = {
                "site": site,
                "timezone": self._calendar.timezone,
                "day_begins": self._calendar.begins,
            }
            insert_missing(connection, SITES, [ours])
            row = connection.execute(select(SITES).where(SITES.c.site == site)).one()
            self._calendars[site] = Calendar(row.timezone, row.day_begins)
        return self._calendars[site]

    def make_room(self, connection: Connection, months: set[str]) -> None:
        """PostgreSQL has a partition of `events` for each month."""
        if connection.dialect.name == "postgresql":
            for first in sorted(months - self._months):
                connection.execute(select(func.floor_events_month(first)))
        self._months |= months

    def see(self, connection: Connection, tables: dict[tuple[str, str], int]) -> dict[tuple[str, str], int]:
        """These tables were heard of at these times; returns which of them were written down."""
        due = {name: at for name, at in tables.items() if at >= self._seen.get(name, -_SEEN_EVERY_MS) + _SEEN_EVERY_MS}
        if due:
            rows = [
                {"site": site, "table_name": table, "first_seen": at, "last_seen": at}
                for (site, table), at in sorted(due.items())
            ]
            insert_missing(connection, TABLES, rows)
            t = TABLES.c
            statement = (
                update(TABLES)
                .where(t.site == bindparam("of_site"), t.table_name == bindparam("of_table"))
                .values(last_seen=bindparam("seen"), silent_since=None)
            )
            connection.execute(
                statement, [{"of_site": s, "of_table": t_, "seen": at} for (s, t_), at in sorted(due.items())]
            )
        return due

    @property
    def documents(self) -> Documents:
        return self._documents


_Booked = tuple[Series, ReceivedEvent, int]
"""An event that was accepted, and its time by the books' clock."""
_WINDOW = 500
"""Events that waited and are looked at together. Where several collectors share the work, there is always a hole
somewhere: not all that waits is read with each batch."""
_PORTION = 250
"""Events that are handed to the database at once: what a socket takes without waiting."""


class _Done(Struct, frozen=True):
    taken: Taken
    seen: dict[tuple[str, str], int]


class _Batch:
    """One transaction."""

    def __init__(self, intake: Intake, connection: Connection) -> None:
        self._intake = intake
        self._connection = connection
        self._page = Page()
        self._booked: list[_Booked] = []
        self._apart: list[Apart] = []
        self._to_wait: list[bulk.Row] = []
        self._days: set[int] = set()
        """Since 1970, of the events that are booked."""
        self._repeats = 0

    def take(self, batch: Sequence[Received]) -> _Done:
        events: dict[str, list[ReceivedEvent]] = defaultdict(list)
        documents: list[ReceivedDocument] = []
        seen: dict[tuple[str, str], int] = {}
        wanted: dict[str, tuple[str, str, int]] = {}
        for received in batch:
            match received:
                case ReceivedEvent(origin=origin, site=site, table=table, envelope=envelope):
                    events[envelope.journal].append(received)
                    wanted.setdefault(envelope.journal, (site, table, origin.received_at))
                    seen[site, table] = origin.received_at
                case ReceivedDocument(origin=origin, site=site, table=table, journal=journal):
                    documents.append(received)
                    if journal is not None:
                        wanted.setdefault(journal, (site, table, origin.received_at))
                    seen[site, table] = origin.received_at
                case ReceivedAnswer(origin=origin, site=site, table=table):
                    seen[site, table] = origin.received_at
                case Apart():
                    self._apart.append(received)
        connection, intake = self._connection, self._intake
        written = intake.see(connection, seen)
        series = intake.series(connection, wanted) if wanted else {}
        advanced = []
        documents = self._begun(documents, series)
        for journal, of_journal in events.items():
            if journal not in series:
                for received in of_journal:
                    self._set_apart(received, "too_many_journals", _TOO_MANY)
                continue
            before = series[journal].seq
            self._take_events(series[journal], of_journal)
            if series[journal].seq > before:
                advanced.append(series[journal])
        self._write()
        self._apart += intake.documents.take(connection, documents, series)
        self._apart += intake.documents.compare(connection, advanced)
        self._keep_series(series, max((each.origin.received_at for each in batch), default=0))
        keep_apart(connection, self._apart)
        return _Done(Taken(len(self._booked), self._repeats, len(self._to_wait), len(self._apart)), written)

    def _begun(self, documents: list[ReceivedDocument], series: dict[str, Series]) -> list[ReceivedDocument]:
        """Those of journals that are there."""
        found = []
        for each in documents:
            if each.journal is None or each.journal in series:
                found.append(each)
            else:
                place = each.site, each.table, each.journal, each.seq
                self._apart.append(Apart(each.origin, "too_many_journals", _TOO_MANY, each.payload, *place))
        return found

    def go_on(self, series: Series, now: int) -> None:
        """What waits and follows now."""
        self._take_events(series, [])
        self._write()
        self._apart += self._intake.documents.compare(self._connection, [series])
        self._keep_series({series.journal: series}, now)
        keep_apart(self._connection, self._apart)

    def _write(self) -> None:
        self._intake.make_room(self._connection, _months(self._days))
        self._write_events()
        bulk.insert(self._connection, WAITING, self._to_wait)
        self._page.write(self._connection)

    def _take_events(self, series: Series, events: list[ReceivedEvent]) -> None:
        early: dict[int, list[ReceivedEvent]] = {}
        repeats: list[ReceivedEvent] = []
        for received in events:
            if (received.site, received.table) != (series.site, series.table):
                text = f"its journal is that of {series.site}/{series.table}"
                self._set_apart(received, "other_table", text)
            elif received.envelope.seq == series.seq + 1 and not early and series.follows(received):
                self._book(series, received)  # the common case: everything comes in order
            elif received.envelope.seq <= series.seq:
                repeats.append(received)
            else:
                early.setdefault(received.envelope.seq, []).append(received)
        was_waiting: set[tuple[int, str]] = set()
        if early or series.waiting:
            was_waiting = self._fill(series, early)
        self._compare(series, repeats)
        self._wait(series, early, was_waiting)

    def _fill(self, series: Series, early: dict[int, list[ReceivedEvent]]) -> set[tuple[int, str]]:
        """Books what follows now, out of `early` and of what waits; returns what waited before."""
        waited: set[tuple[int, str]] = set()
        looked_up_to = 0
        while True:
            after = early.pop(series.seq + 1, None)
            if after is None:
                if series.waiting == 0 or series.seq < looked_up_to:
                    break
                looked_up_to = series.seq + _WINDOW
                for received in self._waiting(series, looked_up_to):
                    waited.add((received.envelope.seq, received.envelope.link))
                    early.setdefault(received.envelope.seq, []).append(received)
                if series.seq + 1 not in early:
                    break
                continue
            fits = next((received for received in after if series.follows(received)), None)
            for received in after:
                if fits is None:
                    text = f"its link does not follow from event {series.seq}"
                    self._set_apart(received, "does_not_follow", text)
                elif received is not fits:
                    self._compare_one(series, received, fits.envelope.link)
            if fits is None:
                self._forget_waiting(series, series.seq + 1)
                break
            self._book(series, fits)
        if waited:
            self._forget_waiting(series, series.seq)
        return waited

    def _waiting(self, series: Series, last: int) -> list[ReceivedEvent]:
        """Up to this number, where the next one is among them; else none of them can be booked now."""
        w = WAITING.c
        query = select(w.seq, w.topic, w.payload, w.received_at).where(
            w.journal == series.journal, w.seq > series.seq, w.seq <= last
        )
        rows = self._connection.execute(query.order_by(w.seq)).all()
        if not rows or rows[0].seq != series.seq + 1:
            return []
        found = (read("waiting", row.topic, bytes(row.payload), row.received_at) for row in rows)
        return [received for received in found if isinstance(received, ReceivedEvent)]

    def _forget_waiting(self, series: Series, last: int) -> None:
        w = WAITING.c
        self._connection.execute(delete(WAITING).where(w.journal == series.journal, w.seq <= last))

    def _wait(self, series: Series, early: dict[int, list[ReceivedEvent]], was_waiting: set[tuple[int, str]]) -> None:
        """What is left came after a hole."""
        fresh: dict[tuple[int, str], ReceivedEvent] = {}
        for received in (each for of_seq in early.values() for each in of_seq):
            key = received.envelope.seq, received.envelope.link
            if key not in was_waiting:
                fresh.setdefault(key, received)
        w = WAITING.c
        if fresh and series.waiting:
            here = w.journal == series.journal
            for key in self._connection.execute(
                select(w.seq, w.link).where(here, tuple_(w.seq, w.link).in_(sorted(fresh)))
            ):
                fresh.pop((key.seq, key.link), None)
        room = MOST_WAITING - series.waiting
        for (seq, link), received in sorted(fresh.items())[: max(room, 0)]:
            origin = received.origin
            self._to_wait.append((series.journal, seq, link, origin.received_at, origin.topic, received.payload))
        if fresh or was_waiting or series.waiting:
            kept = self._connection.scalar(
                select(func.count()).select_from(WAITING).where(w.journal == series.journal, w.seq > series.seq)
            )
            series.waiting = (kept or 0) + min(len(fresh), max(room, 0))

    def _compare(self, series: Series, repeats: list[ReceivedEvent]) -> None:
        """A repeat has the link that it had before."""
        unknown = [received for received in repeats if received.envelope.seq not in series.links]
        links = dict(series.links) if unknown else series.links
        if unknown:
            e = EVENTS.c
            numbers = sorted({received.envelope.seq for received in unknown})
            for start in range(0, len(numbers), 500):
                some = numbers[start : start + 500]
                found = select(e.seq, e.link).where(e.journal == series.journal, e.seq.in_(some))
                links.update({row.seq: row.link for row in self._connection.execute(found)})
        for received in repeats:
            known = links.get(received.envelope.seq)
            if known is None:
                continue  # of a part that is lost, or no longer kept
            self._compare_one(series, received, known)

    def _compare_one(self, series: Series, received: ReceivedEvent, known: str) -> None:
        if received.envelope.link == known:
            self._repeats += 1
            return
        seq = received.envelope.seq
        self._set_apart(received, "other_link", f"event {seq} with another link is kept: {known}")
        self._intake.documents.dispute(self._connection, series, seq)

    def _book(self, series: Series, received: ReceivedEvent) -> None:
        wrong = series.clock_is_wrong(received)
        if wrong is not None:
            self._set_apart(received, "clock", f"{wrong}; the event is kept, under the books' own time")
        booked_at = series.accept(received)
        self._days.add(booked_at // _DAY_MS)
        self._booked.append((series, received, booked_at))

    def _write_events(self) -> None:
        """In portions: while the database stores one, what follows from it is worked out, and the next is made."""
        if not self._booked:
            return
        sites = {series.site for series, _, _ in self._booked}
        days = {site: self._intake.calendar(self._connection, site).day for site in sites}
        with bulk.inserting(self._connection, EVENTS) as more:
            for start in range(0, len(self._booked), _PORTION):
                portion = self._booked[start : start + _PORTION]
                more([_row(*each) for each in portion])
                for series, received, booked_at in portion:
                    self._work_out(series, received, booked_at, days[series.site](booked_at))

    def _work_out(self, series: Series, received: ReceivedEvent, booked_at: int, day: str) -> None:
        envelope = received.envelope
        if not follows_from(envelope.kind):
            return
        about = About(
            series.site,
            series.table,
            series.journal,
            envelope.seq,
            envelope.round,
            booked_at,
            day,
            envelope.test,
            "" if envelope.by is None else envelope.by.by,
        )
        try:
            book(series.context, about, envelope.kind, bytes(envelope.body), self._page)
        except Unbookable as error:
            self._set_apart(received, "unreadable_body", f"the event is kept, and in no figure: {error}")

    def _set_apart(self, received: ReceivedEvent, reason: str, text: str) -> None:
        envelope = received.envelope
        self._apart.append(
            Apart(
                received.origin,
                reason,
                text,
                received.payload,
                received.site,
                received.table,
                envelope.journal,
                envelope.seq,
            )
        )

    def _keep_series(self, series: dict[str, Series], now: int) -> None:
        rows = []
        for each in series.values():
            has_hole = each.waiting > 0 or each.known_seq > each.seq
            each.hole_since = (each.hole_since or now) if has_hole else None
            rows.append(
                {
                    "journal": each.journal,
                    "seq": each.seq,
                    "link": each.link,
                    "hash": each.hash,
                    "known_seq": each.known_seq,
                    "waiting": each.waiting,
                    "booked_at": each.booked_at,
                    "hole_since": each.hole_since,
                    "state": each.state,
                    "reason": each.reason,
                    "context": contexts.encode(each.context),
                }
            )
        bulk.change(self._connection, JOURNALS, rows)


def _months(days: Iterable[int]) -> set[str]:
    return {month(day * _DAY_MS) for day in days}


def _row(series: Series, received: ReceivedEvent, booked_at: int) -> bulk.Row:
    """Of `events`."""
    envelope = received.envelope
    return (
        series.journal,
        envelope.seq,
        booked_at,
        series.site,
        series.table,
        envelope.round,
        envelope.at,
        received.origin.received_at,
        envelope.kind,
        envelope.test,
        None if envelope.by is None else encode(envelope.by).decode(),
        str(envelope.body, "utf-8"),
        envelope.hash,
        envelope.link,
    )


def _began_lately(connection: Connection, site: str, table: str, at: int) -> int:
    j = JOURNALS.c
    here = (j.site == site, j.table_name == table, j.state == "unattested", j.first_seen > at - _DAY_MS)
    return connection.scalar(select(func.count()).select_from(JOURNALS).where(*here)) or 0


def insert_missing(connection: Connection, table: Table, rows: list[dict[str, object]]) -> None:
    """These rows, except those whose key is there already."""
    if connection.dialect.name == "postgresql":
        connection.execute(postgresql.insert(table).on_conflict_do_nothing(), rows)
    else:
        connection.execute(sqlite.insert(table).on_conflict_do_nothing(), rows)
