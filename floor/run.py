"""What the commands of `cutcard floor` do."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Coroutine
from pathlib import Path

from sqlalchemy import Engine

from floor.certificates import Certificates
from floor.collector.collector import Collector
from floor.config import FloorConfig, read_config
from floor.queries import overview
from floor.store.database import StoreAway, migrate, open_engine, reading, with_store

log = logging.getLogger("cutcard.floor")
_AGAIN_S = 2


def collect(path: Path) -> int:
    """Until SIGINT or SIGTERM."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s", stream=sys.stderr)
    logging.getLogger("alembic").setLevel(logging.WARNING)
    config = read_config(path)
    for broker in config.brokers:
        # A file that cannot be used is a mistake to report now.
        broker.password()
        broker.tls_context()
    asyncio.run(until_ended(_collect(config)))
    return 0


async def _collect(config: FloorConfig) -> None:
    await migrated(config.store)
    engine = open_engine(config.store)
    warning = asyncio.create_task(Certificates.of(config).run())
    try:
        await Collector(config, engine).run()
    finally:
        warning.cancel()
        engine.dispose()


async def migrated(store: str) -> None:
    """Waits for a database server that starts later than we do. Any other problem ends the program."""
    reported = ""
    while True:
        try:
            return await asyncio.to_thread(migrate, store)
        except StoreAway as error:
            if str(error) != reported:
                log.warning("%s It is tried again every %d seconds.", error, _AGAIN_S)
            reported = str(error)
        await asyncio.sleep(_AGAIN_S)


async def until_ended(running: Coroutine[None, None, None]) -> None:
    """Until SIGINT or SIGTERM, or until it has ended by itself."""
    collecting = asyncio.create_task(running)
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, collecting.cancel)
    await asyncio.wait({collecting})
    if not collecting.cancelled():
        collecting.result()


def show(path: Path) -> int:
    """What the store has, for people."""
    return with_store(read_config(path).store, print_overview)


def print_overview(engine: Engine) -> int:
    with reading(engine) as connection:
        tables = overview.tables(connection)
        totals = overview.totals(connection)
        apart = overview.quarantine(connection)
    print(f"{'table':<24} {'':9} {'events':>8} {'rounds':>7} {'due':>12} {'alarms':>6}  journal")
    for table in tables:
        state = "online" if table.online else "silent" if table.silent else "offline"
        due = f"{table.due_cents / 100:,.2f}"
        print(
            f"{table.site + '/' + table.table:<24} {state:<9} {table.events:>8,} {table.rounds:>7,} {due:>12} "
            f"{table.alarms:>6}  {table.journal_state}{' ' + table.reason if table.reason else ''}"
        )
    print(", ".join(f"{count:,} {name}" for name, count in totals.items()))
    for each in apart:
        text = f"kept apart: {each.times} times {each.reason} ({each.site}/{each.table}): {each.text}"
        # It may quote a message, which must not control the terminal.
        print("".join(letter if letter.isprintable() else "\ufffd" for letter in text))
    return 0


def rebuild(path: Path, *, check: bool) -> int:
    from floor.store.rebuild import compare, rebuild_all

    def work(engine: Engine) -> int:
        if not check:
            rebuild_all(engine)
            print("everything is worked out again")
            return 0
        different = compare(engine)
        for table, text in different.items():
            print(f"{table}: {text}")
        print("what is stored follows from the events" if not different else "see docs/floor/store.md, rebuild")
        return 1 if different else 0

    return with_store(read_config(path).store, work)


def keep(path: Path) -> int:
    from floor.store.retention import delete_old

    config = read_config(path)
    deleted = {}

    def work(engine: Engine) -> int:
        deleted.update(delete_old(engine, config.retention))
        for what, count in deleted.items():
            print(f"{what}: {count} deleted")
        return 0

    return with_store(config.store, work)
