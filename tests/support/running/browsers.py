"""A real browser before the page: opens the system's Chromium headless and reads what a player would see.

    pytestmark = needs_chromium

    async def test_something() -> None:
        async with open_screen(url) as screen:
            board = await screen.board_at(seq=41)
            assert board.hands["banker"].cards == ("9h", "Kd")

`Screen.board` reads the whole page at one instant, so that a round going on meanwhile cannot tear the picture. The
browser can reach nothing but this machine: every other name fails to resolve, and every request is written down.
"""

from __future__ import annotations

import asyncio
import base64
import os
import shutil
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import pytest
from msgspec import Struct
from playwright.async_api import Browser, ConsoleMessage, Page, Request, async_playwright

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
WALL, WALL_ON_ITS_SIDE, PHONE = (1920, 1080), (1080, 1920), (390, 844)
LARGEST_PICTURE = 100_000
"""Bytes of a picture in the docs."""
LOOPBACK = {"127.0.0.1", "localhost", "::1"}

_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE ::1",
)


def chromium_path() -> str | None:
    """The first Chromium on PATH."""
    return next((path for name in CHROMIUM_NAMES if (path := shutil.which(name))), None)


needs_chromium = [
    pytest.mark.browser,
    pytest.mark.skipif(
        chromium_path() is None,
        reason=f"NO BROWSER: none of {', '.join(CHROMIUM_NAMES)} is on PATH, so nobody looked at the page. "
        "On Debian or Ubuntu: apt-get install chromium",
    ),
]
"""The marks of a module of browser tests: `pytestmark = needs_chromium`."""


class ShownHand(Struct, frozen=True):
    cards: tuple[str, ...]
    """Codes as drawn; an empty one is a card face down."""
    total: str
    won: bool


class ShownCount(Struct, frozen=True):
    count: str
    percent: str


class ShownCell(Struct, frozen=True):
    x: int
    y: int
    winner: str
    flags: tuple[str, ...] = ()
    ties: int = 0


class ShownBoard(Struct, frozen=True):
    """What is on the page, as text."""

    live: str
    seq: str
    round: str
    phase: str
    prompt: str
    outcome: str | None
    marks: tuple[str, ...]
    held: str | None
    test: bool
    lost: bool
    shoe: str
    limits: str
    hands: dict[str, ShownHand]
    counts: dict[str, ShownCount]
    previous: dict[str, ShownCount]
    beads: tuple[ShownCell, ...]
    big_road: tuple[ShownCell, ...]
    derived: dict[str, tuple[ShownCell, ...]]
    """Big eye boy ("eye"), small road and cockroach pig; the winner of a cell is its colour, r or b."""
    asks: dict[str, str]
    """The prediction: "B-eye" and so on, r or b."""
    timer: str | None


_READ_THE_BOARD = """() => {
    const at = (id) => document.querySelector(`[data-testid="${id}"]`);
    const all = (selector, root = document) => [...root.querySelectorAll(selector)];
    const text = (id) => at(id).textContent;
    const unlessHidden = (id, inner) => at(id).hidden ? null : text(inner);
    const cell = (node) => ({
        x: Number(node.dataset.x), y: Number(node.dataset.y), winner: node.dataset.winner,
        flags: node.dataset.flags.split(" ").filter(Boolean), ties: Number(node.dataset.ties ?? 0),
    });
    const counts = (prefix) => Object.fromEntries(all(`[data-testid^="${prefix}count-"]`).map((node) => {
        const key = node.dataset.testid.slice(`${prefix}count-`.length);
        return [key, { count: node.textContent, percent: text(`${prefix}percent-${key}`) }];
    }));
    return {
        live: document.body.dataset.live, seq: document.body.dataset.seq, phase: document.body.dataset.phase,
        round: text("round"), prompt: text("prompt"), shoe: text("shoe"), limits: text("limits"),
        outcome: unlessHidden("outcome", "outcome"), held: unlessHidden("held", "held-text"),
        marks: all('[data-testid="mark"]').map((node) => node.dataset.mark),
        test: !at("test-banner").hidden, lost: !at("connection-banner").hidden,
        hands: Object.fromEntries(all('[data-testid^="hand-"]').map((hand) => [hand.dataset.testid.slice(5), {
            cards: all('[data-testid="card"]', hand).map((card) => card.dataset.card),
            total: hand.querySelector(".total").textContent, won: hand.dataset.won === "true",
        }])),
        counts: counts(""), previous: counts("previous-"),
        beads: all('[data-testid="bead"]').map(cell), big_road: all('[data-testid="ring"]').map(cell),
        derived: Object.fromEntries(
            ["eye", "small", "pig"].map((kind) => [kind, all(`[data-testid="${kind}"]`).map(cell)])),
        asks: Object.fromEntries(
            all('[data-testid^="ask-"]').map((node) => [node.dataset.testid.slice(4), node.dataset.colour])),
        timer: unlessHidden("timer", "timer"),
    };
}"""


class Screen:
    """One page in one browser, with everything it complained of and everything it asked for."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.requested: list[str] = []
        page.on("console", self._complain)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._note)

    async def board(self) -> ShownBoard:
        """Everything on the page at this instant."""
        return msgspec.convert(await self.page.evaluate(_READ_THE_BOARD), ShownBoard)

    async def board_at(self, seq: int) -> ShownBoard:
        """The page once it shows the view of this event or a later one."""
        await self.board_seq(seq)
        return await self.board()

    async def board_seq(self, seq: int) -> None:
        """Until a page, wall or console, shows the view of this event or a later one."""
        await self.page.wait_for_function("seq => Number(document.body.dataset.seq || -1) >= seq", arg=seq)

    async def wait_until(self, live: str) -> None:
        """Until the page calls itself live, stale or connecting."""
        await self.page.wait_for_function("live => document.body.dataset.live === live", arg=live)

    async def resize(self, size: tuple[int, int]) -> None:
        """Another size of the window; returns when the page has been laid out in it."""
        await self.page.set_viewport_size({"width": size[0], "height": size[1]})
        await self.page.evaluate(
            "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
        await self.at_rest()

    async def at_rest(self) -> None:
        """Until the cards and beads have landed."""
        await self.page.evaluate("() => Promise.all(document.getAnimations().map((a) => a.finished.catch(() => {})))")

    async def screenshot(self, path: Path | None = None) -> bytes:
        """A PNG of the page at rest."""
        await self.at_rest()
        return await self.page.screenshot(path=path)

    async def picture(self, name: str) -> None:
        """A picture for the docs, as WebP that a phone loads quickly, into the folder `CUTCARD_PICTURES` where one is
        named. Everywhere else it only sees that something is drawn."""
        await self.at_rest()
        chromium = await self.page.context.new_cdp_session(self.page)
        size = self.page.viewport_size
        assert size is not None
        for quality, scale in ((82, 1), (70, 1), (58, 1), (46, 1), (46, 0.75), (40, 0.6), (30, 0.5), (20, 0.5)):
            clip = {"x": 0, "y": 0, **size, "scale": scale}
            taken = await chromium.send("Page.captureScreenshot", {"format": "webp", "quality": quality, "clip": clip})
            image = base64.b64decode(taken["data"])
            if len(image) <= LARGEST_PICTURE:
                break
        await chromium.detach()
        assert 6_000 < len(image) <= LARGEST_PICTURE, (name, len(image))
        if folder := os.environ.get("CUTCARD_PICTURES"):
            await asyncio.to_thread((Path(folder) / f"{name}.webp").write_bytes, image)

    def strangers(self) -> list[str]:
        """Requests that were meant for another machine."""
        return [url for url in self.requested if urlsplit(url).hostname not in LOOPBACK]

    def _complain(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _note(self, request: Request) -> None:
        self.requested.append(request.url)


class Picture(Struct, frozen=True):
    """What a screenshot holds, measured: enough to tell a page from an empty one and a live one from a dimmed one."""

    width: int
    height: int
    colours: int
    commonest: float
    """The share of the picture that the commonest colour takes."""
    colourfulness: float
    """The mean distance between the strongest and the weakest channel, 0 grey to 1."""


_MEASURE = """async (png) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    const { data } = canvas.getImageData(0, 0, image.width, image.height);
    const counts = new Map();
    let colourfulness = 0;
    for (let i = 0; i < data.length; i += 4) {
        const [r, g, b] = [data[i], data[i + 1], data[i + 2]];
        const key = (r << 16) | (g << 8) | b;
        counts.set(key, (counts.get(key) ?? 0) + 1);
        colourfulness += (Math.max(r, g, b) - Math.min(r, g, b)) / 255;
    }
    const pixels = image.width * image.height;
    return { width: image.width, height: image.height, colours: counts.size,
             commonest: Math.max(...counts.values()) / pixels, colourfulness: colourfulness / pixels };
}"""


async def picture_of(screen: Screen, path: Path | None = None) -> Picture:
    """A screenshot, measured in an empty page of the same browser, where no content policy is in the way."""
    png = await screen.screenshot(path)
    page = await screen.page.context.new_page()
    try:
        return msgspec.convert(await page.evaluate(_MEASURE, base64.b64encode(png).decode()), Picture)
    finally:
        await page.close()


@asynccontextmanager
async def open_browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path(), args=_ARGUMENTS)
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def open_screen(
    url: str,
    size: tuple[int, int] = WALL,
    browser: Browser | None = None,
    *,
    stored: Mapping[str, str] | None = None,
) -> AsyncIterator[Screen]:
    """A fresh profile that shows this address, in the browser given or in one of its own; `stored`: what its local
    storage has of an earlier day."""
    async with AsyncExitStack() as stack:
        if browser is None:
            browser = await stack.enter_async_context(open_browser())
        context = await browser.new_context(viewport={"width": size[0], "height": size[1]})
        stack.push_async_callback(context.close)
        for name, value in (stored or {}).items():
            await context.add_init_script(
                f"localStorage.getItem({name!r}) ?? localStorage.setItem({name!r}, {value!r})"
            )
        screen = Screen(await context.new_page())
        await screen.page.goto(url)
        yield screen
