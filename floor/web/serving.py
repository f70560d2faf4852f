"""`cutcard floor page`: the parts of the page, their start and their end."""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

from sqlalchemy import Engine

from controller.errors import UserError
from controller.web.connections import DEFAULT_CONNECTIONS
from controller.web.hosts import is_loopback
from controller.web.pages import serve_application
from controller.web.tls import PageCertificate
from floor.alerts.firing import Alert, Around, firing
from floor.alerts.posting import Posting
from floor.certificates import Certificates
from floor.collector.wire import Wire
from floor.commands.orders import Orders
from floor.commands.sender import Sender
from floor.config import FloorConfig, read_config
from floor.live.follower import Follower
from floor.live.live_tables import LiveTables
from floor.people import People
from floor.rollout.running import Rollouts
from floor.room.licence import Licence
from floor.room.watch import RoomWatch
from floor.run import migrated, until_ended
from floor.store.database import open_engine
from floor.store.rollouts import RolloutStore
from floor.targets import Targets
from floor.web.board import Board, Room
from floor.web.figures import Figures
from floor.web.gate import PATIENCE_S
from floor.web.server import Parts, create_app

log = logging.getLogger("cutcard.floor")


def milliseconds() -> int:
    return time.time_ns() // 1_000_000


def page(path: Path) -> int:
    """Until SIGINT or SIGTERM."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s", stream=sys.stderr)
    logging.getLogger("alembic").setLevel(logging.WARNING)
    config = read_config(path)
    page_certificate(config)
    for broker in config.page_brokers():
        # A file that cannot be used is a mistake to report now.
        broker.password()
        broker.tls_context()
    asyncio.run(until_ended(_serve(config)))
    return 0


def page_certificate(config: FloorConfig) -> PageCertificate | None:
    """None on loopback, where there is no network between the page and its reader."""
    settings = config.page
    if settings.certificate is None or settings.key is None:
        if not is_loopback(settings.host):
            raise UserError(
                f"page.host is {settings.host}, which others can reach: PINs must not cross a network in the clear. "
                "Set page.certificate and page.key, or serve the page on 127.0.0.1."
            )
        return None
    return PageCertificate(Path(settings.certificate), Path(settings.key))


async def _serve(config: FloorConfig) -> None:
    await migrated(config.store)
    engine = open_engine(config.store)
    failed = asyncio.get_running_loop().create_future()

    def fail(error: BaseException) -> None:
        # One that went on without this part would show a room that no longer changes.
        if not failed.done():
            failed.set_exception(error)

    try:
        async with serving(config, engine, on_failure=fail) as address:
            log.info("the page is at %s", address)
            await failed
    finally:
        engine.dispose()


@asynccontextmanager
async def serving(
    config: FloorConfig,
    engine: Engine,
    clock: Callable[[], int] = milliseconds,
    *,
    on_failure: Callable[[BaseException], None] | None = None,
) -> AsyncIterator[str]:
    """The page while the block runs; yields its address for programs on this machine. `on_failure`: one of its parts
    has ended by an error, and what the page shows may be old from then on."""
    tables, wires, started_at = LiveTables(), dict[str, Wire](), clock()
    board = Board(tables, config, clock)
    sender = Sender(config.site, config.page.client, wires, clock)
    follower = Follower(config, tables, wires, sender.answered, board.room_changed, clock=clock)
    licence = Licence(config.room.licensed_tables, tables)
    room = RoomWatch(config, engine, licence, board.room_changed, clock)
    figures = Figures(config, engine, board.take_paces, clock)
    people = People(config, engine, clock)
    updates = RolloutStore(engine, config.site)
    rollouts = Rollouts(updates, config, tables, sender, clock)
    certificates = Certificates.of(config)
    orders = Orders(config.sections, tables, sender, licence)

    def shown() -> Room:
        return Room(
            site=config.site,
            brokers=follower.brokers,
            can_command=sender.can_send,
            store_since=figures.away_since,
            open=licence.open,
            licensed=licence.licensed,
            sections=tuple(config.sections),
            alarms=room.alarms,
            drop_times=tuple(f"{each.begins} to {each.ends}" for each in config.room.drop_times),
            drop=room.drop,
            public=config.page.public,
            apart=sum(each.times for each in figures.apart),
            alertmanagers_away=tuple(posting.away),
            certificates=tuple(text for _, text in certificates.soon),
        )

    def around() -> Around:
        return Around(
            site=config.site,
            started_at=started_at,
            brokers=follower.brokers,
            broker_since=follower.changed_at,
            store_since=figures.away_since,
            apart=figures.apart,
            certificates=certificates.soon,
        )

    def alerts() -> list[Alert]:
        live = list(tables.all.values())
        return firing(live, figures.paces, room.alarms, around(), config.section_of)

    posting = Posting(config.alerts, alerts, clock)
    board.show_room(shown)
    app = create_app(Parts(config, engine, tables, board, people, orders, room, rollouts, clock))
    settings = config.page
    door = serve_application(
        app,
        people.sign_ins,
        host=settings.host,
        port=settings.port,
        certificate=page_certificate(config),
        local_port=settings.local_port,
        stalled_s=PATIENCE_S,
        connections=DEFAULT_CONNECTIONS,
    )
    file = config.prometheus.targets
    more = (*((posting,) if config.alerts.urls else ()), *((Targets(config.site, Path(file), tables),) if file else ()))
    parts = (follower, board, figures, room, rollouts, certificates, *more)
    working = [asyncio.create_task(part.run(), name=type(part).__name__) for part in parts]
    for task in working:
        task.add_done_callback(partial(_report, on_failure or _raise))
    try:
        async with AsyncExitStack() as stack:
            try:
                address = await stack.enter_async_context(door)
            except OSError as error:
                where = f"{settings.host}:{settings.port}"
                raise UserError(f"The page cannot be served on {where}: {error.strerror}.") from None
            yield address
    finally:
        for task in working:
            task.cancel()
        await asyncio.gather(*working, return_exceptions=True)


def _report(on_failure: Callable[[BaseException], None], task: asyncio.Task[None]) -> None:
    error = None if task.cancelled() else task.exception()
    if error is not None:
        on_failure(error)


def _raise(error: BaseException) -> None:
    raise error
