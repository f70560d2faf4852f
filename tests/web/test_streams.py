"""Who gets a place before the table's streams when many want one."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import ClientResponse, ClientSession, TCPConnector

from controller.web.server import serve
from controller.web.streams import Bounds
from tests.web.test_feed import PINS, ScriptedTable, a_view, staff_file
from tests.web.test_server import next_view

FEW = Bounds(max_streams=4, max_of_client=3, max_consoles=2, heartbeat_s=60)
STRANGER, DISPLAY, TABLET = "127.0.0.66", "127.0.0.5", "127.0.0.7"


@pytest.fixture(scope="module")
def hired(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return staff_file(tmp_path_factory.mktemp("staff"))


@pytest.fixture
def table(hired: Path, tmp_path: Path) -> ScriptedTable:
    return ScriptedTable(a_view(seq=1), Path(shutil.copy(hired, tmp_path)))


class Visitors:
    """Browsers at addresses of their own: every address of 127.0.0.0/8 but the first is somebody on the network."""

    def __init__(self, url: str, stack: AsyncExitStack) -> None:
        self._url, self._stack = url, stack

    async def session(self, address: str) -> ClientSession:
        connector = TCPConnector(local_addr=(address, 0), limit=0)
        return await self._stack.enter_async_context(ClientSession(self._url, connector=connector))

    async def watch(self, address: str, token: str = "", path: str = "/api/stream") -> ClientResponse:
        session = await self.session(address)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return await self._stack.enter_async_context(session.get(path, headers=headers))

    async def sign_in(self, address: str, name: str) -> str:
        session = await self.session(address)
        async with session.post("/api/login", json={"name": name, "pin": PINS[name]}) as answer:
            return str((await answer.json())["token"])


@asynccontextmanager
async def visited(table: ScriptedTable, bounds: Bounds = FEW) -> AsyncIterator[Visitors]:
    async with serve(table.page, bounds=bounds) as url, AsyncExitStack() as stack:
        yield Visitors(url, stack)


async def test_screens_of_strangers_take_no_place_from_a_console(table: ScriptedTable) -> None:
    async with visited(table) as visitors:
        crowd = [(await visitors.watch(f"127.0.1.{number}")).status for number in range(6)]
        assert crowd == [200] * 4 + [503] * 2
        token = await visitors.sign_in(TABLET, "sam")
        console = await visitors.watch(TABLET, token, "/api/console/stream")
        assert console.status == 200 and (await next_view(console)).id == "1"
        table.show(a_view(seq=2))
        assert (await next_view(console)).id == "2"


async def test_an_invented_token_opens_no_reserved_place(table: ScriptedTable) -> None:
    async with visited(table) as visitors:
        for number in range(4):
            await visitors.watch(f"127.0.1.{number}")
        assert (await visitors.watch(TABLET, "invented", "/api/console/stream")).status == 503


async def test_one_client_does_not_take_all_places_of_the_screens(table: ScriptedTable) -> None:
    async with visited(table) as visitors:
        greedy = [await visitors.watch(STRANGER) for _ in range(5)]
        assert [stream.status for stream in greedy] == [200] * 3 + [503] * 2


async def test_where_all_places_are_taken_the_greediest_gives_one(table: ScriptedTable) -> None:
    async with visited(table) as visitors:
        greedy = [await visitors.watch(STRANGER) for _ in range(3)]
        await visitors.watch(TABLET)
        display = await visitors.watch(DISPLAY)
        assert display.status == 200 and (await next_view(display)).id == "1"
        with pytest.raises(Exception, match="payload"):
            async with asyncio.timeout(20):
                await greedy[-1].read()
        table.show(a_view(seq=2))
        for stream in greedy[:2]:
            while (await next_view(stream)).id != "2":
                pass


async def test_the_board_s_own_screen_has_a_place_of_its_own(table: ScriptedTable) -> None:
    async with visited(table) as visitors:
        for number in range(5):
            await visitors.watch(f"127.0.1.{number}")
        assert (await visitors.watch("127.0.0.1")).status == 200


async def test_a_console_that_is_reloaded_often_pushes_out_its_own_streams(table: ScriptedTable) -> None:
    async with visited(table, Bounds(max_consoles=6, heartbeat_s=60)) as visitors:
        token = await visitors.sign_in(TABLET, "sam")
        streams = [await visitors.watch(TABLET, token, "/api/console/stream") for _ in range(9)]
        assert {stream.status for stream in streams} == {200}
        other = await visitors.sign_in("127.0.0.8", "ann")
        assert (await visitors.watch("127.0.0.8", other, "/api/console/stream")).status == 200


async def test_who_was_idle_too_long_holds_no_console_s_place(table: ScriptedTable) -> None:
    async with visited(table) as visitors:
        tokens = [await visitors.sign_in(TABLET, "ann") for _ in range(3)]
        for token in tokens[:2]:
            await next_view(await visitors.watch(TABLET, token, "/api/console/stream"))
        table.now += 1000
        table.show(a_view(seq=2))
        token = await visitors.sign_in(TABLET, "sam")
        async with asyncio.timeout(20):
            while (await visitors.watch(TABLET, token, "/api/console/stream")).status != 200:
                pass
