"""What was received and is in no figure: kept apart with the reason, and counted where it comes again.

A sender that goes on for ever fills no disk: the same message is one row, and of each reason at each table at most
`MOST_OF_A_REASON` different ones are kept; what comes after that is counted in one row more.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from sqlalchemy import Connection, func, select, update

from floor.messages import MOST_KEPT, Apart
from floor.store import bulk
from floor.store.schema import QUARANTINE

MOST_OF_A_REASON = 1000


def keep_apart(connection: Connection, found: Iterable[Apart]) -> None:
    """Writes these down."""
    times: dict[str, int] = {}
    first: dict[str, Apart] = {}
    for apart in found:
        digest = _digest(apart)
        times[digest] = times.get(digest, 0) + 1
        first.setdefault(digest, apart)
    if not first:
        return
    q = QUARANTINE.c
    known = set(connection.scalars(select(q.digest).where(q.digest.in_(first))))
    for digest in known:
        _count(connection, digest, times[digest], first[digest])
    fresh = []
    room: dict[tuple[str, str | None, str | None], int] = {}
    for digest, apart in first.items():
        if digest in known:
            continue
        whose = apart.reason, apart.site, apart.table
        if whose not in room:
            here = (q.reason == apart.reason, q.site.is_not_distinct_from(apart.site))
            room[whose] = MOST_OF_A_REASON - (
                connection.scalar(
                    select(func.count())
                    .where(*here, q.table_name.is_not_distinct_from(apart.table))
                    .select_from(QUARANTINE)
                )
                or 0
            )
        room[whose] -= 1
        if room[whose] >= 0:
            fresh.append(_row(digest, times[digest], apart))
        else:
            _count_the_rest(connection, whose, times[digest], apart)
    bulk.insert(connection, QUARANTINE, fresh)


def _count(connection: Connection, digest: str, times: int, apart: Apart) -> bool:
    q = QUARANTINE.c
    done = connection.execute(
        update(QUARANTINE).where(q.digest == digest).values(times=q.times + times, last_at=apart.origin.received_at)
    )
    return done.rowcount > 0


def _count_the_rest(
    connection: Connection, whose: tuple[str, str | None, str | None], times: int, apart: Apart
) -> None:
    digest = sha256(repr(("and more", *whose)).encode()).hexdigest()
    if not _count(connection, digest, times, apart):
        text = f"more than {MOST_OF_A_REASON} different messages of this kind: the others are only counted here"
        more = Apart(apart.origin, apart.reason, text, b"", apart.site, apart.table)
        bulk.insert(connection, QUARANTINE, [_row(digest, times, more)])


def _row(digest: str, times: int, apart: Apart) -> bulk.Row:
    at = apart.origin.received_at
    return (
        digest,
        at,
        at,
        times,
        apart.reason,
        apart.text.replace("\0", "\ufffd"),
        apart.origin.broker,
        apart.origin.topic,
        apart.site,
        apart.table,
        apart.journal,
        apart.seq,
        apart.payload[:MOST_KEPT],
    )


def _digest(apart: Apart) -> str:
    return sha256(
        b"\0".join([apart.reason.encode(), apart.origin.topic.encode(errors="replace"), apart.payload])
    ).hexdigest()
