"""Hostile requests to a running table: `python -m tests.long.hostile [--times 100000] [--seed S]`.

A daemon runs as its own process, with a shoe on a PTY and a real broker. Half of the requests are HTTP: lawful ones of
every route, mutated as text, as JSON or in their headers, with and without a lawful sign-in. The other half are MQTT
requests on command topics, with every role and many clients. After each batch people deal a round as if nothing had
happened. In the end: no answer was a server error, nothing was logged as an error, the log and the memory have not
grown with the number of requests, and the journal re-runs to the same events.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiomqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from controller.contract.requests import REQUESTS
from controller.contract.topics import Topics
from controller.evidence.verify import verify
from controller.rules import resolve
from tests.support.running.brokers import mosquitto
from tests.support.running.tables import LaidTable, laid_table

BATCH = 1000
AT_ONCE = 8
"""HTTP requests under way at the same time."""
ANSWER_WITHIN_S = 20.0
ENDED_AFTER_S = 0.5
MOST_GROWTH_MB = 48
"""What a process may grow by after its first batch: caches that are bounded, and the allocator's own slack."""
MOST_LOG_LINES = 400
TOPICS = Topics("test", "t-1")

ROUTES = (
    ("GET", "/"),
    ("GET", "/console"),
    ("GET", "/report"),
    ("GET", "/static/console.js"),
    ("GET", "/api/view"),
    ("GET", "/api/console"),
    ("GET", "/api/state"),
    ("GET", "/api/round"),
    ("GET", "/api/report"),
    ("GET", "/healthz"),
    ("GET", "/metrics"),
    ("POST", "/api/login"),
    ("POST", "/api/logout"),
    ("POST", "/api/acts"),
)
BODIES: tuple[dict[str, Any], ...] = (
    {"kind": "wager", "seat": 1, "bet": "player", "cents": 500},
    {"kind": "close_bets"},
    {"kind": "act", "seat": 1, "do": "hit"},
    {"kind": "card_out", "card": "9h"},
    {"kind": "set", "seats": [1, 2], "settings": {"stacks": {"1": 5}}},
    {"kind": "shoe", "decks": 8},
    {"kind": "floor", "do": "hold", "reason": "a look"},
    {"kind": "amended", "round": 1, "changes": [], "reason": "misread"},
    {"name": "sam", "pin": "0000"},
    {"id": "r1", "expires": 1, "round": 1, "reason": "x", "first": 1, "last": 9, "name": "ann", "seats": [1]},
)
NASTY: tuple[Any, ...] = (
    None, True, -1, 10**12, 10**30, 1.5, "", "A" * 5000, "\u0000", "\ud83c", "../../etc/passwd", [], [[[]]], {},
    {"": {}}, [1] * 3000, float("inf"), "9h", -(2**63), 2**64,
)  # fmt: skip


class Broken(AssertionError):
    """A promise of the border was broken."""


def hostile_body(rng: random.Random) -> bytes:
    """A lawful body with something in it that nobody expects; or no JSON at all."""
    match rng.randrange(6):
        case 0:
            return rng.randbytes(rng.randrange(400))
        case 1:
            depth = rng.choice((10, 1000, 7000))
            return b"[" * depth + b"]" * rng.choice((depth, 0))
        case 2:
            return b'{"kind":' * rng.choice((3, 1500)) + b"1"
    body = dict(rng.choice(BODIES))
    for _ in range(rng.randrange(1, 4)):
        body[rng.choice((*body, "extra"))] = rng.choice(NASTY)
    if rng.random() < 0.2:
        body = {"kind": "act", "body": body}
    return json.dumps(body).encode()


def hostile_http(rng: random.Random, token: str) -> bytes:
    """One request as bytes: mostly well formed, sometimes not HTTP at all."""
    method, path = rng.choice(ROUTES) if rng.random() < 0.6 else ("POST", "/api/acts")
    body = hostile_body(rng) if method == "POST" or rng.random() < 0.1 else b""
    if rng.random() < 0.2:
        path = rng.choice(
            (path + "/../..", "//" + path, path + "%00", "/" + "a" * 9000, path + "?" + "x=1&" * 500, "*")
        )
    headers = {"Host": "127.0.0.1", "Connection": "close", "Content-Length": str(len(body))}
    if rng.random() < 0.5:
        headers["Authorization"] = f"Bearer {rng.choice((token, token, 'x', token[:-1], 'A' * 3000))}"
    match rng.randrange(12):
        case 0:
            headers["Host"] = rng.choice(("evil.example", "", "127.0.0.1:99999", "[::1"))
        case 1:
            headers["Content-Length"] = rng.choice(("-1", "abc", "99999999999", "5, 6"))
        case 2:
            headers["Transfer-Encoding"] = rng.choice(("chunked", "gzip", "chunked, chunked"))
        case 3:
            headers |= {f"X-{n}": "y" * 100 for n in range(rng.choice((10, 200)))}
        case 4:
            method = rng.choice(("PUT", "DELETE", "TRACE", "get", "X" * 100, "PRI"))
        case 5:
            headers["Content-Type"] = rng.choice(("text/plain", "multipart/form-data; boundary=x", "\x7f"))
        case 6:
            headers["Content-Encoding"] = rng.choice(("gzip", "deflate", "br", "nothing"))
    head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    request = head.encode("latin-1", "replace") + b"\r\n" + body
    if rng.random() < 0.05:
        at = rng.randrange(len(request))
        request = request[:at] + rng.randbytes(4) + request[at:]
    return request


class Attack:
    """Batches of hostile requests at one table."""

    def __init__(self, table: LaidTable, broker: int, rng: random.Random) -> None:
        self._table, self._broker, self._rng = table, broker, rng
        self.statuses: Counter[str] = Counter()
        self.replies: Counter[str] = Counter()
        self._token = ""

    async def http(self, times: int) -> None:
        self._token = await self._table.console.login("dealer")
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(request: bytes) -> None:
            async with gate:
                self.statuses[await self._status(request)] += 1

        await asyncio.gather(*(one(hostile_http(self._rng, self._token)) for _ in range(times)))

    async def _status(self, request: bytes) -> str:
        """The status of the answer, or "closed" where there was none."""
        page = urlsplit(self._table.page)
        try:
            async with asyncio.timeout(ANSWER_WITHIN_S):
                reader, writer = await asyncio.open_connection(page.hostname, page.port)
                try:
                    writer.write(request)
                    line = await self._first_line(reader, writer)
                finally:
                    writer.transport.abort()
        except TimeoutError:
            raise Broken(f"no answer and no end within {ANSWER_WITHIN_S:g} s: {request[:300]!r}") from None
        except ConnectionError:
            return "closed"
        status = line.split(b" ")[1].decode() if line.startswith(b"HTTP/") else "closed"
        if status.startswith("5"):
            raise Broken(f"{line!r} for {request[:600]!r}")
        return status

    async def _first_line(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        """Of the answer. A request that announced more than it has is ended after a moment."""
        reading = asyncio.create_task(reader.readline())
        await asyncio.wait({reading}, timeout=ENDED_AFTER_S)
        if not reading.done():
            writer.write_eof()
        return await reading

    async def mqtt(self, times: int) -> None:
        """Requests that are refused or carried out; a lawful `ping` behind them is answered."""
        async with aiomqtt.Client("127.0.0.1", self._broker, protocol=aiomqtt.ProtocolVersion.V5) as client:
            await client.subscribe("cutcard/v2/reply/#", qos=1)
            for _ in range(times):
                role = self._rng.choice(("floor", "dealer", "monitor", "technician", "king"))
                name = self._rng.choice((*REQUESTS, "no-such", "x" * 200))
                topic = TOPICS.command(role, f"c{self._rng.randrange(3000)}", name)
                await client.publish(topic, self._request(), qos=1, properties=self._properties())
            await asyncio.wait_for(self._pong(client), 60)

    def _request(self) -> bytes:
        body = hostile_body(self._rng)
        if self._rng.random() < 0.1:
            body += b" " * self._rng.choice((100, 17_000, 200_000))
        return body

    def _properties(self) -> Properties:
        properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        if self._rng.random() < 0.1:
            properties.ResponseTopic = self._rng.choice(
                (TOPICS.reply("floor", "c1"), TOPICS.state, "elsewhere", TOPICS.reply("floor", "c1") + "/a/b/c/d/e/f")
            )
        if self._rng.random() < 0.1:
            properties.CorrelationData = self._rng.randbytes(self._rng.choice((0, 16, 5000)))
        return properties

    async def _pong(self, client: aiomqtt.Client) -> None:
        """Ask until it is answered: while the queue is full, requests are turned down."""
        wanted = TOPICS.reply("monitor", "judge")
        asking = asyncio.create_task(self._ask(client))
        try:
            async for message in client.messages:
                reply = json.loads(bytes(message.payload))
                self.replies[str(reply.get("why") or reply.get("ok"))] += 1
                if str(message.topic) == wanted and reply.get("ok"):
                    return
        finally:
            asking.cancel()

    async def _ask(self, client: aiomqtt.Client) -> None:
        for number in range(1_000_000):
            ping = {"id": f"p{number}", "expires": time.time_ns() // 1_000_000 + 60_000}
            await client.publish(TOPICS.command("monitor", "judge", "ping"), json.dumps(ping), qos=1)
            await asyncio.sleep(0.2)  # the next try, where this one met a full queue

    def memory_mb(self) -> int:
        status = Path(f"/proc/{self._table.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) // 1024


async def attack(folder: Path, times: int, seed: int, say: Callable[[str], None]) -> Attack:
    async with AsyncExitStack() as stack:
        broker = stack.enter_context(mosquitto(folder))
        table = await stack.enter_async_context(laid_table(folder, broker.port, seed=seed))
        made = Attack(table, broker.port, random.Random(seed))
        await table.people.play(1)
        done, first_mb, least = 0, 0, min(BATCH, times)
        while done < times:
            await made.http(least // 2)
            await made.mqtt(least - least // 2)
            if (await table.console.view())["phase"] == "held":
                await table.console.act({"kind": "floor", "do": "resume", "reason": "after the attack"}, by="floor")
            await table.people.play(1)
            done += least
            first_mb = first_mb or made.memory_mb()
            say(f"{done} requests, {made.memory_mb()} MB")
        if made.memory_mb() > first_mb + MOST_GROWTH_MB:
            raise Broken(f"the daemon grew from {first_mb} to {made.memory_mb()} MB")
        log = (folder / "daemon.log").read_text(errors="replace")
        if "Traceback" in log or " ERROR " in log:
            raise Broken(f"the daemon logged an error:\n{log[-4000:]}")
        if log.count("\n") > MOST_LOG_LINES:
            raise Broken(f"{log.count(chr(10))} lines in the log after {times} requests")
        if findings := verify(table.journal, resolve).findings:
            raise Broken(f"the journal does not verify: {findings[:3]}")
        return made


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.hostile", description=__doc__)
    parser.add_argument("--times", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        made = asyncio.run(attack(Path(folder), chosen.times, chosen.seed, lambda text: print(text, flush=True)))
    print(f"answers of the page: {dict(made.statuses.most_common())}")
    print(f"answers over MQTT: {dict(made.replies.most_common())}")
    print(f"{chosen.times} requests: nothing broke")
    return 0


if __name__ == "__main__":
    sys.exit(main())
