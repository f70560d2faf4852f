"""Receipts: each table learns which of its events the store has, with their `link`. docs/mqtt/receipts.md defines them.

A receipt is sent for what is committed, never beyond a hole, and never for a journal that is in dispute. Every
collector sends them for the whole store, whoever of them took the events.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from aiomqtt import MqttError
from msgspec import json
from sqlalchemy import Engine, select

from controller.contract.messages import ReceiptDocument
from controller.contract.topics import ROOT
from floor.collector.subscriptions import ROLE
from floor.collector.wire import Wire
from floor.config import FloorConfig
from floor.store.database import reading
from floor.store.schema import JOURNALS, TABLES


class Receipts:
    """Sends them."""

    EVERY_S = 1.0

    def __init__(
        self, config: FloorConfig, engine: Engine, connected: Callable[[], list[Wire]], clock: Callable[[], int]
    ) -> None:
        self._config = config
        self._engine = engine
        self._connected = connected
        self._clock = clock
        self._sent: dict[str, dict[str, tuple[str, int]]] = {}
        """By broker, by table: what the newest receipt there is for."""

    def send_all_again(self, wire: Wire) -> None:
        """A new connection: the broker may have lost what it had."""
        self._sent[wire.broker] = {}

    async def look(self) -> None:
        """Sends what is new."""
        wires = [wire for wire in self._connected() if wire.is_v5]
        if not wires:
            return
        for table, receipt in await asyncio.to_thread(self._due):
            for wire in wires:
                sent = self._sent.setdefault(wire.broker, {})
                if sent.get(table) != (receipt.journal, receipt.seq):
                    topic = f"{ROOT}/receipt/{self._config.name}/{ROLE}/{self._config.site}/{table}"
                    try:
                        wire.send(topic, json.encode(receipt), retain=True)
                    except MqttError:
                        continue
                    sent[table] = receipt.journal, receipt.seq

    def _due(self) -> list[tuple[str, ReceiptDocument]]:
        j, t = JOURNALS.c, TABLES.c
        query = (
            select(j.table_name, j.journal, j.seq, j.link)
            .join_from(JOURNALS, TABLES, (j.site == t.site) & (j.table_name == t.table_name))
            .where(j.site == self._config.site, j.seq > 0, j.link.is_not(None))
            .where(j.state.in_(("whole", "unattested")), (t.journal == j.journal) | t.journal.is_(None))
            .order_by(j.table_name, j.first_seen)
        )
        now = self._clock()
        with reading(self._engine) as connection:
            return [
                (row.table_name, ReceiptDocument(row.journal, row.seq, row.link, now))
                for row in connection.execute(query)
            ]
