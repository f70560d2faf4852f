"""What a collector asks of tables: events that are missing, by `replay`; a sign of life, by `ping`.

Of several collectors one asks: it writes its name and the time beside the journal first. An answer goes to the
asker's own reply topic. What a table no longer keeps is found by halving the hole: what is kept is always its end.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from secrets import token_hex

import msgspec
from aiomqtt import MqttError
from msgspec import Struct
from sqlalchemy import Engine, func, or_, select, update

from controller.contract.requests import PingReply, PingRequest, ReplayRequest
from controller.contract.topics import ROOT, Topics
from controller.contract.why import Why
from floor.collector.subscriptions import ROLE
from floor.collector.wire import Wire
from floor.config import FloorConfig
from floor.messages import ReceivedAnswer
from floor.store.database import reading
from floor.store.intake import Intake
from floor.store.schema import DOCUMENTS, JOURNALS, TABLES, WAITING

log = logging.getLogger("cutcard.floor")

AT_ONCE = 500
"""Events of one replay: fewer than a broker queues for a client, or it drops some of these too."""
_HOLE_MS = 700
"""A hole that is younger may be filled by another collector, or by the other broker."""
_AGAIN_MS = 5_000
"""After this time a request that got no answer is sent again."""
_LIFE_MS = 60_000
_QUIET_MS = 60_000
"""A table that is online and publishes nothing for this time is asked whether it is there."""
_SILENT_MS = 90_000
"""After this time without an answer it is silent."""


class _Hole(Struct, frozen=True):
    site: str
    table: str
    journal: str
    first: int
    last: int


class _Asked(Struct, frozen=True):
    hole: _Hole
    first: int
    last: int
    at: int
    is_ping: bool = False


class Requests:
    """Asks."""

    EVERY_S = 0.25

    def __init__(
        self,
        config: FloorConfig,
        engine: Engine,
        intake: Intake,
        connected: Callable[[], list[Wire]],
        clock: Callable[[], int],
    ) -> None:
        self._config = config
        self._engine = engine
        self._intake = intake
        self._connected = connected
        self._clock = clock
        self._asked: dict[str, _Asked] = {}
        self._not_kept: dict[str, int] = {}
        """By journal: this event, and every one before it, is no longer on the board."""
        self._turn = 0
        self._next_quiet = 0

    async def look(self) -> None:
        """Asks for what is missing now."""
        if not any(wire.is_v5 for wire in self._connected()):
            return
        now = self._clock()
        for hole in await asyncio.to_thread(self._claim, now):
            await self._ask(hole, now)
        if now >= self._next_quiet:
            self._next_quiet = now + _QUIET_MS // 12
            for table in await asyncio.to_thread(self._quiet, now):
                self._ping(_Hole(self._config.site, table, "", 0, 0), now)
        for number, asked in list(self._asked.items()):
            if asked.at + _LIFE_MS < now:
                del self._asked[number]

    def _claim(self, now: int) -> list[_Hole]:
        """The holes that are ours to ask about."""
        j, w = JOURNALS.c, WAITING.c
        is_due = (
            j.site == self._config.site,
            j.hole_since <= now - _HOLE_MS,
            or_(j.asked_at.is_(None), j.asked_at <= now - _AGAIN_MS),
        )
        with reading(self._engine) as connection:
            if not connection.scalar(select(func.count()).select_from(JOURNALS).where(*is_due)):
                return []
        holes = []
        with self._engine.begin() as connection:
            rows = connection.execute(select(JOURNALS).where(*is_due).order_by(j.journal).with_for_update()).all()
            for row in rows[:50]:
                here = j.journal == row.journal
                connection.execute(update(JOURNALS).where(here).values(asked_at=now, asked_by=self._config.name))
                waits = select(func.min(w.seq)).where(w.journal == row.journal, w.seq > row.seq)
                next_seq = connection.scalar(waits)
                last = row.known_seq if next_seq is None else next_seq - 1
                if last > row.seq:
                    holes.append(_Hole(row.site, row.table_name, row.journal, row.seq + 1, last))
        return holes

    async def _ask(self, hole: _Hole, now: int) -> None:
        first = hole.first
        not_kept = self._not_kept.get(hole.journal, 0)
        if not_kept >= hole.last:
            text = "the table no longer had them"
            log.warning("LOST: %s/%s, events %d to %d: %s", hole.site, hole.table, hole.first, hole.last, text)
            await asyncio.to_thread(self._intake.lose, hole.journal, hole.first, hole.last, text, now)
            await asyncio.to_thread(self._release, hole.journal)
            return
        if not_kept >= first:
            first = (not_kept + 1 + hole.last) // 2
        last = min(hole.last, first + AT_ONCE - 1)
        number = token_hex(8)
        request = ReplayRequest(id=number, expires=now + _LIFE_MS, first=first, last=last)
        self._asked[number] = _Asked(hole, first, last, now)
        self._send(hole, "replay", number, msgspec.json.encode(request))

    def _ping(self, hole: _Hole, now: int) -> None:
        number = token_hex(8)
        self._asked[number] = _Asked(hole, 0, 0, now, is_ping=True)
        self._send(hole, "ping", number, msgspec.json.encode(PingRequest(id=number, expires=now + _LIFE_MS)))

    def _send(self, hole: _Hole, command: str, number: str, payload: bytes) -> None:
        """To one broker, and the next time to the other: a table may be connected to only one of them."""
        wires = [wire for wire in self._connected() if wire.is_v5]
        if not wires:
            return
        self._turn += 1
        wire = wires[self._turn % len(wires)]
        topics = Topics(hole.site, hole.table)
        answer_to = f"{ROOT}/reply/{self._config.name}/{ROLE}/{hole.site}/{hole.table}/{number}"
        try:
            wire.send(topics.command(ROLE, self._config.name, command), payload, answer_to=answer_to)
        except MqttError as error:
            log.debug("%s", error)

    async def answered(self, answer: ReceivedAnswer) -> None:
        """The end of a replay, or the answer to a ping."""
        asked = self._asked.pop(answer.reply.id, None)
        if asked is None or (asked.hole.site, asked.hole.table) != (answer.site, answer.table):
            return
        if asked.is_ping:
            await self._pinged(answer, asked)
            return
        if answer.reply.ok:
            await asyncio.to_thread(self._release, asked.hole.journal)
            return
        match answer.reply.why:
            case Why.NOT_KEPT:
                known = self._not_kept.get(asked.hole.journal, 0)
                self._not_kept[asked.hole.journal] = max(known, asked.first)
                await asyncio.to_thread(self._release, asked.hole.journal)
            case Why.BAD_RANGE:
                # It has no such event: somebody else has invented one.
                self._ping(asked.hole, self._clock())
            case why:
                log.warning("%s/%s refuses a replay: %s", answer.site, answer.table, why)

    async def _pinged(self, answer: ReceivedAnswer, asked: _Asked) -> None:
        try:
            reply = msgspec.json.decode(answer.payload, type=PingReply)
        except (msgspec.MsgspecError, RecursionError):
            return
        if asked.hole.journal and reply.journal == asked.hole.journal:
            await asyncio.to_thread(self._intake.ends, reply.journal, reply.seq, asked.at)

    def _release(self, journal: str) -> None:
        """The next request for this journal may go out at once."""
        with self._engine.begin() as connection:
            connection.execute(update(JOURNALS).where(JOURNALS.c.journal == journal).values(asked_at=None))

    def _quiet(self, now: int) -> list[str]:
        """Tables that are online and publish nothing; after a while without an answer they are silent."""
        t, d = TABLES.c, DOCUMENTS.c
        is_online = (
            select(d.table_name)
            .where(d.site == t.site, d.table_name == t.table_name, d.document == "online")
            .where(d.payload.contains('"online":true'))
            .exists()
        )
        with reading(self._engine) as connection:
            quiet = connection.execute(
                select(t.table_name, t.last_seen, t.silent_since)
                .where(t.site == self._config.site, t.last_seen < now - _QUIET_MS, is_online)
                .order_by(t.table_name)
            ).all()
        silent = [row.table_name for row in quiet if row.last_seen < now - _SILENT_MS and row.silent_since is None]
        if silent:
            log.warning("online, but silent: %s", ", ".join(silent))
            with self._engine.begin() as connection:
                here = (t.site == self._config.site, t.table_name.in_(silent))
                connection.execute(update(TABLES).where(*here).values(silent_since=now))
        return [row.table_name for row in quiet]
