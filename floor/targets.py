"""The file by which Prometheus finds the tables, kept by the floor page: docs/operations/monitoring.md.

A table is in it from the moment it publishes where its page is, and stays while it is away: then Prometheus is to
report that it does not answer. It is taken out when it is retired. Whatever else is in the file (other sites, targets
written by hand) stays as it is.
"""

from __future__ import annotations

import asyncio
import logging
import re
from pathlib import Path
from typing import NoReturn

from msgspec import MsgspecError

from controller.durable_files import replace_file
from controller.scrape_targets import Target, decode_targets, encode_targets, table_target
from floor.live.documents import LivePage
from floor.live.live_tables import LiveTables

log = logging.getLogger("cutcard.floor")

LOOK_EVERY_S = 5.0
_HOST = re.compile(r"[A-Za-z0-9._:-]{1,253}")
"""A name or an address: what a table publishes must not become another part of a URL."""


class Targets:
    """Keeps one file, as long as it runs."""

    def __init__(self, site: str, file: Path, tables: LiveTables, look_every_s: float = LOOK_EVERY_S) -> None:
        self._site, self._file, self._tables, self._look_every_s = site, file, tables, look_every_s
        self._seen: set[str] = set()
        """Tables that have published a state since the page was started."""
        self._problem = ""

    async def run(self) -> NoReturn:
        while True:
            await asyncio.to_thread(self.write)
            await asyncio.sleep(self._look_every_s)

    def write(self) -> None:
        """Brings the file up to date. What is wrong is reported once, and tried again."""
        problem = ""
        try:
            before = self._file.read_bytes() if self._file.exists() else b""
            after = encode_targets(self._renewed(decode_targets(before) if before.strip() else []))
            if after != before:
                replace_file(self._file, after, 0o644)
        except MsgspecError as error:
            problem = f"{self._file} is no file of targets ({error}). Correct it, or take it away"
        except OSError as error:
            problem = f"{self._file} cannot be written: {error.strerror}"
        if problem and problem != self._problem:
            log.error("Prometheus does not get new tables: %s", problem)
        self._problem = problem

    def _renewed(self, targets: list[Target]) -> list[Target]:
        tables = self._tables.all
        retired = {(self._site, name) for name in self._seen - tables.keys()}
        self._seen = set(tables)
        kept = {each.name: each for each in targets if each.name not in retired and each.name != (None, None)}
        for name, table in tables.items():
            page = None if table.state is None else table.state.page
            if page is not None and _is_plain(page):
                kept[self._site, name] = table_target(self._site, name, page.host, page.port, tls=page.tls)
        by_hand = [each for each in targets if each.name == (None, None)]
        return [*by_hand, *(kept[name] for name in sorted(kept, key=lambda name: (name[0] or "", name[1] or "")))]


def _is_plain(page: LivePage) -> bool:
    return _HOST.fullmatch(page.host) is not None and 0 < page.port < 65536
