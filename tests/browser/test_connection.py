"""Stale is shown as stale: the display in a real browser while its connection comes and goes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from urllib.parse import urlsplit

import pytest
from aiohttp import ClientSession
from playwright.async_api import Browser

import controller.web.server
from controller.web.assets import Assets
from controller.web.server import serve
from controller.web.streams import Bounds
from tests.support.running.browsers import Screen, needs_chromium, open_screen, picture_of
from tests.web.test_feed import ScriptedTable, a_view

pytestmark = [*needs_chromium, pytest.mark.asyncio(loop_scope="module")]

QUICK = Bounds(heartbeat_s=0.2)


async def mark_this_load(screen: Screen) -> None:
    await screen.page.evaluate("() => { window.sameLoad = true; }")


async def is_same_load(screen: Screen) -> bool:
    return bool(await screen.page.evaluate("() => window.sameLoad === true"))


async def until_back(screen: Screen, seq: int) -> None:
    """Until the page is live with this view. A slow machine may miss a beat again before it."""
    await screen.page.wait_for_function(
        """seq => Number(document.body.dataset.seq) >= seq && document.body.dataset.live === 'live'
            && document.querySelector('[data-testid="connection-banner"]').hidden""",
        arg=seq,
    )


async def test_the_page_comes_back_by_itself_after_the_server_restarts(browser: Browser) -> None:
    async with AsyncExitStack() as screens:
        async with serve(ScriptedTable(a_view(seq=1, prompt="Place your bets")).page, bounds=QUICK) as url:
            screen = await screens.enter_async_context(open_screen(url, browser=browser))
            await screen.board_at(seq=1)
            await mark_this_load(screen)

        await screen.wait_until("stale")
        stale = await screen.board()
        assert stale.lost and stale.prompt == "Place your bets"
        banner = screen.page.get_by_test_id("connection-banner")
        assert await banner.is_visible() and "Connection lost" in await banner.inner_text()
        assert await screen.page.get_by_test_id("connection").inner_text() == "Not live"

        async with serve(ScriptedTable(a_view(seq=9, prompt="Deal")).page, port=port_of(url), bounds=QUICK):
            await until_back(screen, seq=9)
            assert (await screen.board()).prompt == "Deal"
            assert await is_same_load(screen)


async def test_a_wire_that_goes_silent_makes_the_page_stale_though_nothing_was_closed(browser: Browser) -> None:
    table = ScriptedTable(a_view(seq=1))
    async with (
        serve(table.page, bounds=QUICK) as url,
        a_wire_to(url) as wire,
        open_screen(wire.url, browser=browser) as screen,
    ):
        await screen.board_at(seq=1)
        wire.go_silent()
        await screen.wait_until("stale")
        table.show(a_view(seq=2))
        assert (await screen.board()).seq == "1"

        wire.speak_again()
        await until_back(screen, seq=2)


async def test_a_quiet_table_stays_live(browser: Browser) -> None:
    table = ScriptedTable(a_view(seq=1))
    async with serve(table.page, bounds=QUICK) as url, open_screen(url, browser=browser) as screen:
        await screen.board_at(seq=1)
        await screen.wait_until("live")
        await screen.page.evaluate(
            """() => { window.states = []; new MutationObserver(() => window.states.push(document.body.dataset.live))
                .observe(document.body, { attributeFilter: ["data-live"] }); }"""
        )
        beats = 8
        await screen.page.evaluate(
            """(beats) => new Promise((done) => { const beat = new EventSource("/api/stream");
                beat.addEventListener("alive", () => { if (--beats === 0) { beat.close(); done(); } }); })""",
            beats,
        )
        assert await screen.page.evaluate("() => window.states") == []


async def test_a_stale_board_does_not_look_like_a_live_one(browser: Browser) -> None:
    table = ScriptedTable(a_view(seq=1, hands_in_shoe=36))
    async with (
        serve(table.page, bounds=QUICK) as url,
        a_wire_to(url) as wire,
        open_screen(wire.url, browser=browser) as screen,
    ):
        await screen.board_at(seq=1)
        live = await picture_of(screen)
        wire.go_silent()
        await screen.wait_until("stale")
        stale = await picture_of(screen)
        assert stale.colourfulness < live.colourfulness / 3


async def test_a_lost_connection_does_not_hide_that_this_is_a_test(browser: Browser) -> None:
    async with AsyncExitStack() as screens:
        async with serve(ScriptedTable(a_view(seq=1, test=True)).page, bounds=QUICK) as url:
            screen = await screens.enter_async_context(open_screen(url, browser=browser))
            await screen.board_at(seq=1)
        await screen.wait_until("stale")
        in_front = await screen.page.get_by_test_id("test-banner").evaluate(
            """(banner) => { const box = banner.getBoundingClientRect();
                return banner.contains(document.elementFromPoint(box.width / 2, box.top + box.height / 2)); }"""
        )
        assert in_front and await screen.page.get_by_test_id("connection-banner").is_visible()


async def test_a_screen_that_was_turned_away_gets_in_when_there_is_room(browser: Browser) -> None:
    table = ScriptedTable(a_view(seq=1))
    async with serve(table.page, bounds=Bounds(max_on_board=1, heartbeat_s=0.2)) as url, ClientSession() as session:
        first = await session.get(f"{url}api/stream")
        async with open_screen(url, browser=browser) as screen:
            await screen.page.get_by_test_id("connection-banner").wait_for(state="visible")
            assert (await screen.board()).live == "connecting"
            first.close()
            await screen.board_at(seq=1)
            await screen.wait_until("live")


async def test_an_upgraded_page_replaces_the_old_one_on_a_screen_that_nobody_reloads(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    class NewAssets(Assets):
        def __init__(self) -> None:
            super().__init__()
            self.build = "another"

    async with AsyncExitStack() as screens:
        async with serve(ScriptedTable(a_view(seq=1)).page, bounds=QUICK) as url:
            screen = await screens.enter_async_context(open_screen(url, browser=browser))
            await screen.board_at(seq=1)
            await mark_this_load(screen)
        monkeypatch.setattr(controller.web.server, "Assets", NewAssets)
        async with serve(ScriptedTable(a_view(seq=2)).page, port=port_of(url), bounds=QUICK):
            await screen.page.wait_for_function("() => !window.sameLoad && document.body.dataset.seq === '2'")


def port_of(url: str) -> int:
    return urlsplit(url).port or 0


class Wire:
    """A cable between browser and server that can stop carrying anything without either side noticing."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._speaking = asyncio.Event()
        self._speaking.set()
        self._carriers: set[asyncio.Task[None]] = set()
        self.url = ""

    def go_silent(self) -> None:
        self._speaking.clear()

    def speak_again(self) -> None:
        self._speaking.set()

    async def connect(self, browser_in: asyncio.StreamReader, browser_out: asyncio.StreamWriter) -> None:
        server_in, server_out = await asyncio.open_connection("127.0.0.1", self._port)
        for source, sink in ((browser_in, server_out), (server_in, browser_out)):
            carrier = asyncio.create_task(self._carry(source, sink))
            self._carriers.add(carrier)

    async def _carry(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(65536):
                await self._speaking.wait()
                sink.write(data)
                await sink.drain()
        except ConnectionError:
            pass
        finally:
            sink.close()

    async def unplug(self) -> None:
        for carrier in self._carriers:
            carrier.cancel()
        await asyncio.gather(*self._carriers, return_exceptions=True)


@asynccontextmanager
async def a_wire_to(url: str) -> AsyncIterator[Wire]:
    wire = Wire(port_of(url))
    server = await asyncio.start_server(wire.connect, "127.0.0.1", 0)
    wire.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    try:
        yield wire
    finally:
        server.close()
        await wire.unplug()
