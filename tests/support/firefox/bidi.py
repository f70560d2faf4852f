"""WebDriver BiDi over a web socket: https://www.w3.org/TR/webdriver-bidi/. Commands are answered by their number."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import msgspec


class Refused(Exception):
    """The browser did not do what it was asked."""


class Bidi:
    """One session with a browser."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self.complaints: list[str] = []
        """What pages wrote to their console as a warning or an error."""

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        number = next(self._numbers)
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        await self._socket.send_str(msgspec.json.encode({"id": number, "method": method, "params": params}).decode())
        result: dict[str, Any] = await answer
        return result

    async def listen(self) -> None:
        """Until the browser ends the connection."""
        async for message in self._socket:
            said: dict[str, Any] = msgspec.json.decode(message.data)
            waiting = self._waiting.pop(said.get("id") or 0, None)
            if waiting is None:
                self._note(said)
            elif said["type"] == "error":
                waiting.set_exception(Refused(f"{said['error']}: {said['message']}"))
            else:
                waiting.set_result(said["result"])
        for waiting in self._waiting.values():
            waiting.set_exception(Refused("the browser ended the connection"))

    def _note(self, said: dict[str, Any]) -> None:
        params = said.get("params", {})
        if said.get("method") == "log.entryAdded" and params["level"] in ("warn", "error"):
            self.complaints.append(params["text"])


@asynccontextmanager
async def session_at(address: str) -> AsyncIterator[Bidi]:
    """A session at `ws://127.0.0.1:PORT`."""
    async with (
        aiohttp.ClientSession() as client,
        client.ws_connect(f"{address}/session", max_msg_size=0) as socket,
    ):
        bidi = Bidi(socket)
        listening = asyncio.create_task(bidi.listen())
        try:
            await bidi.ask("session.new", capabilities={})
            await bidi.ask("session.subscribe", events=["log.entryAdded"])
            yield bidi
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
