"""A headless Firefox with a fresh profile.

    pytestmark = needs_firefox

    async with open_firefox() as firefox, firefox.page(url, (1280, 800)) as page:
        await page.tap("offer-card")
        assert await page.text("prompt") == "Card 1 to Player"

Its profile sends every request but those to this machine to a port where nobody listens, so that it reaches nothing.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import shutil
import tempfile
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.firefox.bidi import Bidi, Refused, session_at

FIREFOX_NAMES = ("firefox-esr", "firefox")
_WINDOW = "2200"
_LISTENS = re.compile(rb"WebDriver BiDi listening on (ws://\S+)")

_PREFERENCES: dict[str, bool | int | str] = {
    # Nothing but this machine.
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.no_proxies_on": "localhost, 127.0.0.1, ::1",
    "network.proxy.allow_hijacking_localhost": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.dns.disablePrefetch": True,
    "app.update.disabledForTesting": True,
    "app.normandy.enabled": False,
    "browser.safebrowsing.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "services.settings.server": "",
    "toolkit.telemetry.server": "",
    # A wall screen and a tablet have one page: nothing is kept back for a page that is behind another.
    "dom.min_background_timeout_value": 4,
    "dom.w3c_touch_events.enabled": 1,
}


def firefox_path() -> str | None:
    """The first Firefox on PATH."""
    return next((path for name in FIREFOX_NAMES if (path := shutil.which(name))), None)


needs_firefox = [
    pytest.mark.browser,
    pytest.mark.skipif(
        firefox_path() is None,
        reason=f"NO FIREFOX: none of {', '.join(FIREFOX_NAMES)} is on PATH, so nobody looked at the pages in it. "
        "On Debian: apt-get install firefox-esr",
    ),
]
"""The marks of a module of tests in Firefox: `pytestmark = needs_firefox`."""


class FirefoxPage:
    """One page."""

    def __init__(self, bidi: Bidi, context: str) -> None:
        self._bidi, self._context = bidi, context

    @property
    def complaints(self) -> list[str]:
        return self._bidi.complaints

    async def evaluate(self, function: str, *arguments: object) -> Any:
        """What a function of the page returns, as JSON."""
        called = f"async () => JSON.stringify(await ({function})(...{json.dumps(arguments)}) ?? null)"
        done = await self._bidi.ask(
            "script.callFunction",
            functionDeclaration=called,
            target={"context": self._context},
            awaitPromise=True,
            userActivation=True,
        )
        if done["type"] == "exception":
            raise Refused(done["exceptionDetails"]["text"])
        return json.loads(done["result"]["value"])

    async def until(self, condition: str, *arguments: object, within_s: float = 30.0) -> Any:
        """Until a function of the page returns something true, and that."""
        waits = f"""async (...given) => {{
            const end = performance.now() + {within_s * 1000};
            for (;;) {{
                const found = await ({condition})(...given);
                if (found) return found;
                if (performance.now() > end) return null;
                await new Promise((done) => setTimeout(done, 20));
            }}
        }}"""
        found = await self.evaluate(waits, *arguments)
        assert found is not None, f"it did not come to: {condition}"
        return found

    async def reload(self) -> None:
        await self._bidi.ask("browsingContext.reload", context=self._context, wait="complete")

    async def text(self, testid: str) -> str:
        return str(await self.evaluate("(id) => document.querySelector(`[data-testid='${id}']`).innerText", testid))

    async def tap(self, testid: str) -> None:
        """A press in the middle of what has this id."""
        x, y = await self._middle_of(testid)
        touch = [
            {"type": "pointerMove", "x": x, "y": y},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        finger = {"type": "pointer", "id": "finger", "parameters": {"pointerType": "mouse"}, "actions": touch}
        await self._bidi.ask("input.performActions", context=self._context, actions=[finger])

    async def type(self, testid: str, text: str) -> None:
        """Touch a field and type into it."""
        await self.tap(testid)
        keys = [{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]
        keyboard = {"type": "key", "id": "keyboard", "actions": keys}
        await self._bidi.ask("input.performActions", context=self._context, actions=[keyboard])

    async def _middle_of(self, testid: str) -> tuple[int, int]:
        """Where it is, once it is there and nothing lies over it."""
        where = """(id) => {
            const node = document.querySelector(`[data-testid="${id}"]`);
            if (!node?.checkVisibility() || node.disabled) return null;
            node.scrollIntoView({ block: "nearest" });
            const box = node.getBoundingClientRect();
            const [x, y] = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
            return node.contains(document.elementFromPoint(x, y)) ? [x, y] : null;
        }"""
        x, y = await self.until(where, testid)
        return x, y

    async def resize(self, size: tuple[int, int]) -> None:
        viewport = {"width": size[0], "height": size[1]}
        await self._bidi.ask("browsingContext.setViewport", context=self._context, viewport=viewport)
        await self.until("(width, height) => innerWidth === width && innerHeight === height", *size)
        await self.at_rest()

    async def at_rest(self) -> None:
        """Laid out, and everything landed."""
        await self.evaluate(
            """async () => {
                await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
                await Promise.all(document.getAnimations().map((moving) => moving.finished.catch(() => {})));
            }"""
        )

    async def screenshot(self) -> bytes:
        """A PNG of what is on the screen."""
        taken = await self._bidi.ask("browsingContext.captureScreenshot", context=self._context)
        return base64.b64decode(taken["data"])


class Firefox:
    """A running Firefox."""

    def __init__(self, bidi: Bidi) -> None:
        self._bidi = bidi

    @asynccontextmanager
    async def page(self, url: str, size: tuple[int, int]) -> AsyncIterator[FirefoxPage]:
        """A page with storage of its own."""
        user = await self._bidi.ask("browser.createUserContext")
        made = await self._bidi.ask("browsingContext.create", type="tab", userContext=user["userContext"])
        page = FirefoxPage(self._bidi, made["context"])
        self._bidi.complaints.clear()
        try:
            await self._bidi.ask("browsingContext.navigate", context=made["context"], url=url, wait="complete")
            await page.resize(size)
            await self._bidi.ask("browsingContext.activate", context=made["context"])
            yield page
        finally:
            await self._bidi.ask("browsingContext.close", context=made["context"])
            await self._bidi.ask("browser.removeUserContext", userContext=user["userContext"])


@asynccontextmanager
async def open_firefox() -> AsyncIterator[Firefox]:
    path = firefox_path()
    assert path is not None
    with tempfile.TemporaryDirectory(prefix="firefox-", ignore_cleanup_errors=True) as folder:
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in _PREFERENCES.items()]
        (Path(folder) / "user.js").write_text("\n".join(lines))
        # A press outside the window is refused, however large the page in it is.
        window = ("--width", _WINDOW, "--height", _WINDOW)
        arguments = ("--headless", "--no-remote", *window, "--profile", folder, "--remote-debugging-port", "0")
        screen = {"MOZ_HEADLESS_WIDTH": _WINDOW, "MOZ_HEADLESS_HEIGHT": _WINDOW}
        environment = {**os.environ, **screen, "HOME": folder, "MOZ_CRASHREPORTER_DISABLE": "1", "MOZ_HEADLESS": "1"}
        process = await asyncio.create_subprocess_exec(path, *arguments, stdout=DEVNULL, stderr=PIPE, env=environment)
        try:
            address = await _address_of(process)
            reading = asyncio.create_task(_read_on(process))
            async with session_at(address) as bidi:
                yield Firefox(bidi)
            reading.cancel()
        finally:
            await _end(process)


async def _end(process: Process) -> None:
    """Asked first: it ends the processes of its pages itself."""
    try:
        async with asyncio.timeout(10):
            if process.returncode is None:
                process.terminate()
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


async def _address_of(process: Process) -> str:
    """Where it listens, which it writes once it does."""
    assert process.stderr is not None
    said = b""
    async for line in process.stderr:
        said += line
        if found := _LISTENS.search(line):
            return found[1].decode()
    raise AssertionError(f"Firefox did not start: {said.decode(errors='replace')[-2000:]}")


async def _read_on(process: Process) -> None:
    """What it complains of further, so that it never waits for us."""
    assert process.stderr is not None
    async for _ in process.stderr:
        pass
