"""The retained documents as they are now, and the checkpoints that boards have signed.

The key of a table's first checkpoint is the table's key from then on, unless the configuration names it. What a board
has signed decides between two events with the same number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, and_, bindparam, delete, func, select, update

from controller.journal.checkpoint import BadCheckpoint, Checkpoint, read_checkpoint
from floor.messages import Apart, ReceivedDocument
from floor.store import bulk
from floor.store.moments import bounded
from floor.store.schema import CHECKPOINTS, DOCUMENTS, EVENTS, TABLES
from floor.store.series import Series

Place = tuple[str, str, str, str, str]
"""Of a document: site, table, which, its name, the broker."""


_PLACE = ("of_site", "of_table", "of_document", "of_name", "of_broker")
_d = DOCUMENTS.c
_DELETE = delete(DOCUMENTS).where(
    *(
        column == bindparam(name)
        for column, name in zip((_d.site, _d.table_name, _d.document, _d.name, _d.broker), _PLACE, strict=True)
    )
)


class Documents:
    """Keeps them."""

    def __init__(self, boards: dict[tuple[str, str], str]) -> None:
        self._boards = boards

    def take(
        self, connection: Connection, documents: Sequence[ReceivedDocument], series: dict[str, Series]
    ) -> list[Apart]:
        """The newest of each place; returns what is kept apart."""
        apart: list[Apart] = []
        newest: dict[Place, ReceivedDocument] = {}
        for received in documents:
            journal = None if received.journal is None else series[received.journal]
            if journal is not None and (journal.site, journal.table) != (received.site, received.table):
                apart.append(_apart(received, "other_table", f"its journal is that of {journal.site}/{journal.table}"))
                continue
            if received.document == "head" and received.payload and journal is not None:
                why = self._take_head(connection, received, journal)
                if why is not None:
                    apart.append(_apart(received, *why))
                    continue
            if received.document == "state" and journal is not None:
                journal.known_seq = max(journal.known_seq, received.seq)
            place = received.site, received.table, received.document, received.name, received.origin.broker
            before = newest.get(place)
            if before is None or before.journal != received.journal or before.seq <= received.seq:
                newest[place] = received
        self._write(connection, newest)
        self._write_journals(connection, documents)
        return apart

    def _write(self, connection: Connection, newest: dict[Place, ReceivedDocument]) -> None:
        if not newest:
            return
        # One statement for each place: a room of 160 tables has more documents than SQLite takes conditions.
        connection.execute(_DELETE, [dict(zip(_PLACE, place, strict=True)) for place in newest])
        rows = [
            (*place, each.journal, each.seq, each.origin.received_at, each.payload.decode().replace("\0", "\ufffd"))
            for place, each in sorted(newest.items())
            if each.payload
        ]
        bulk.insert(connection, DOCUMENTS, rows)

    def _write_journals(self, connection: Connection, documents: Iterable[ReceivedDocument]) -> None:
        """The journal that a table has now."""
        now = {(each.site, each.table): each.journal for each in documents if each.document == "state" and each.journal}
        t = TABLES.c
        for (site, table), journal in sorted(now.items()):
            here = and_(t.site == site, t.table_name == table)
            connection.execute(update(TABLES).where(here, t.journal.is_distinct_from(journal)).values(journal=journal))

    # Checkpoints

    def _take_head(self, connection: Connection, received: ReceivedDocument, series: Series) -> tuple[str, str] | None:
        """Why it is kept apart; None if it is the board's."""
        try:
            checkpoint = read_checkpoint(received.payload)
        except BadCheckpoint as error:
            return "forged_checkpoint", str(error)
        if (checkpoint.site, checkpoint.table) != (series.site, series.table):
            return "other_table", f"it is signed for {checkpoint.site}/{checkpoint.table}"
        key = self._key(connection, received, checkpoint)
        if key != checkpoint.key:
            return "other_key", f"it is signed with {checkpoint.key}; the key of this table's board is {key}"
        c = CHECKPOINTS.c
        same = (c.journal == series.journal, c.seq == checkpoint.seq, c.hash == checkpoint.hash)
        if connection.scalar(select(func.count()).select_from(CHECKPOINTS).where(*same)):
            return None
        series.known_seq = max(series.known_seq, checkpoint.seq)
        verdict = self._verdict(connection, series, checkpoint.seq, checkpoint.link)
        bulk.insert(
            connection,
            CHECKPOINTS,
            [
                (
                    series.journal,
                    checkpoint.seq,
                    checkpoint.hash,
                    series.site,
                    series.table,
                    checkpoint.entry,
                    checkpoint.link,
                    bounded(checkpoint.at),
                    received.origin.received_at,
                    checkpoint.key,
                    verdict,
                    received.payload.decode(),
                )
            ],
        )
        if verdict == "ahead":
            return None
        return self._judge(connection, series, checkpoint, verdict)

    def _key(self, connection: Connection, received: ReceivedDocument, checkpoint: Checkpoint) -> str:
        """The key of this table's board; the first one that comes, where none is known."""
        named = self._boards.get((received.site, received.table))
        if named is not None:
            return named
        t = TABLES.c
        here = and_(t.site == received.site, t.table_name == received.table)
        connection.execute(update(TABLES).where(here, t.board_key.is_(None)).values(board_key=checkpoint.key))
        return connection.scalar(select(t.board_key).where(here)) or checkpoint.key

    def _verdict(self, connection: Connection, series: Series, seq: int, link: str) -> str:
        if seq > series.seq:
            return "ahead"
        known = series.links.get(seq) or (series.link if seq == series.seq else None)
        if known is None:
            e = EVENTS.c
            known = connection.scalar(select(e.link).where(e.journal == series.journal, e.seq == seq))
        return "contradicts" if known is not None and known != link else "matches"

    def _judge(
        self, connection: Connection, series: Series, checkpoint: Checkpoint, verdict: str
    ) -> tuple[str, str] | None:
        if verdict == "matches":
            if series.state in ("unattested", "disputed") and not self._is_contradicted(connection, series):
                series.state, series.reason = "whole", ""
            return None
        series.state = "rolled_back"
        series.reason = f"the board has signed another link of event {checkpoint.seq} than the one that is kept"
        return "rolled_back", series.reason

    def _is_contradicted(self, connection: Connection, series: Series) -> bool:
        c = CHECKPOINTS.c
        found = select(func.count()).select_from(CHECKPOINTS)
        return bool(connection.scalar(found.where(c.journal == series.journal, c.verdict == "contradicts")))

    def compare(self, connection: Connection, advanced: Sequence[Series]) -> list[Apart]:
        """Checkpoints that were ahead of the events of these journals, and are no longer."""
        c = CHECKPOINTS.c
        names = [series.journal for series in advanced]
        if not names:
            return []
        waiting = connection.execute(
            select(CHECKPOINTS).where(c.verdict == "ahead", c.journal.in_(names)).order_by(c.seq)
        ).all()
        by_name = {series.journal: series for series in advanced}
        for row in waiting:
            series = by_name[row.journal]
            # Events of this batch are in the table by now.
            verdict = self._verdict(connection, series, row.seq, row.link)
            if verdict == "ahead":
                continue
            here = (c.journal == row.journal, c.seq == row.seq, c.hash == row.hash)
            connection.execute(update(CHECKPOINTS).where(*here).values(verdict=verdict))
            self._judge(connection, series, read_checkpoint(row.payload.encode()), verdict)
        return []

    def dispute(self, connection: Connection, series: Series, seq: int) -> None:
        """Another event with this number came: what the board has signed since decides, or its next checkpoint will."""
        c = CHECKPOINTS.c
        signed = select(func.max(c.seq)).where(c.journal == series.journal, c.verdict == "matches")
        if (connection.scalar(signed) or 0) < seq and series.state in ("whole", "unattested"):
            series.state = "disputed"
            series.reason = f"two different events have the number {seq}; the board's next checkpoint decides"


def _apart(received: ReceivedDocument, reason: str, text: str) -> Apart:
    return Apart(
        received.origin, reason, text, received.payload, received.site, received.table, received.journal, received.seq
    )
