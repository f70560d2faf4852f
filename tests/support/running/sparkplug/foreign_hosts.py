"""For the tests of `cutcard sparkplug`: a table's messages made by hand, and host applications by foreign libraries."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import Any, TypeVar

import aiomqtt
import msgspec
import pytest
from msgspec import Struct, inspect

from controller.contract.messages import AlarmDocument, DeviceDocument, Online, StateDocument
from controller.contract.topics import Topics
from tests.support.project import ROOT

JUDGES = ROOT / "tests" / "sparkplug" / "judges"
INSTALLED = ROOT / "build" / "sparkplug"
LIBRARIES = {"pysparkplug": "host_pysparkplug.py", "mqtt-spb-wrapper": "host_mqtt_spb_wrapper.py"}
SITE, TABLE = "bay101", "t-1"
JOURNAL, OTHER_JOURNAL = "0d" * 16, "0e" * 16
T = TypeVar("T", bound=Struct)


def needs_library(name: str) -> pytest.MarkDecorator:
    is_there = (INSTALLED / name / "installed").exists()
    return pytest.mark.skipif(not is_there, reason=f"{name} is missing: deploy/setup-machine.sh tests")


def filled(kind: type[T], /, **values: Any) -> T:
    """A document with these values; the rest is as small as its types allow, also in fields that come later."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    rest = {field.name: _smallest(field.type) for field in info.fields if field.required and field.name not in values}
    return kind(**rest, **values)


def _smallest(info: inspect.Type) -> Any:
    match info:
        case inspect.Metadata(type=inner):
            return _smallest(inner)
        case inspect.IntType(ge=ge, gt=gt):
            return ge if ge is not None else 0 if gt is None else gt + 1
        case inspect.BoolType():
            return False
        case inspect.StrType(pattern=pattern):
            digits = re.search(r"\{(\d+)\}\$", pattern or "")
            return "0" * int(digits[1]) if digits else ""
        case inspect.LiteralType(values=values):
            return values[0]
        case inspect.EnumType(cls=cls):
            return next(iter(cls))
        case inspect.StructType(cls=cls):
            return filled(cls)
        case inspect.DictType():
            return {}
        case inspect.UnionType(types=types) if not info.includes_none:
            return _smallest(types[0])
        case inspect.VarTupleType() | inspect.ListType():
            return ()
    return None


class TableFeed:
    """What a table publishes, by an ordinary client."""

    def __init__(self, client: aiomqtt.Client, table: str = TABLE) -> None:
        self._client = client
        self._topics = Topics(SITE, table)
        self._table = table
        self._seq = 0
        self._link = bytes(32)
        self._sent: dict[int, tuple[str, bytes]] = {}

    async def online(self, online: bool = True, journal: str = JOURNAL) -> None:
        await self._retained(self._topics.online, Online(online=online, session="s", journal=journal, since=None))

    async def state(self, **values: Any) -> None:
        names = {"journal": JOURNAL, "site": SITE, "table": self._table, "currency": "USD", "ruleset": "ez-baccarat"}
        names["round_id"] = f"{names['journal']}-1"
        await self._retained(self._topics.state, filled(StateDocument, **{**names, **values}))

    async def device(self, name: str, state: str, journal: str = JOURNAL, **facts: str) -> None:
        document = DeviceDocument(journal=journal, site=SITE, table=self._table, device=name, state=state, facts=facts)
        await self._retained(self._topics.device(name), document)

    async def alarm(self, name: str, state: str, journal: str = JOURNAL) -> None:
        values = {"journal": journal, "site": SITE, "table": self._table, "alarm": name, "state": state, "text": name}
        await self._retained(self._topics.alarm(name), filled(AlarmDocument, **values))

    async def event(self, kind: str = "card_dealt", *, historical: bool = False, journal: str = JOURNAL) -> int:
        """The next one; returns its number."""
        self._seq += 1
        document = {
            "seq": self._seq,
            "journal": journal,
            "site": SITE,
            "table": self._table,
            "round": 3,
            "round_id": f"{journal}-3",
            "at": 1_763_260_000_000 + self._seq,
            "kind": kind,
            "currency": "USD",
            "body": {"kind": kind},
            "hash": "ab" * 32,
        }
        chained = msgspec.json.encode(document)[:-1]
        self._link = sha256(self._link + chained).digest()
        end = b',"historical":true}' if historical else b"}"
        self._sent[self._seq] = (
            self._topics.event(kind),
            chained + b',"link":"' + self._link.hex().encode() + b'"' + end,
        )
        await self.repeat(self._seq)
        return self._seq

    async def repeat(self, seq: int) -> None:
        topic, payload = self._sent[seq]
        await self._client.publish(topic, payload, qos=1)

    async def remove_device(self, name: str) -> None:
        await self._client.publish(self._topics.device(name), b"", qos=1, retain=True)

    async def garbage(self, topic: str, payload: bytes) -> None:
        await self._client.publish(f"{self._topics.base}/{topic}", payload, qos=1)

    async def _retained(self, topic: str, document: Struct) -> None:
        await self._client.publish(topic, msgspec.json.encode(document), qos=1, retain=True)


@asynccontextmanager
async def feeding(port: int, table: str = TABLE) -> AsyncIterator[TableFeed]:
    async with aiomqtt.Client("127.0.0.1", port, protocol=aiomqtt.ProtocolVersion.V5, timeout=60) as client:
        yield TableFeed(client, table)


class ForeignHost:
    """A host application in a process of its own, read line by line."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self.seen: list[dict[str, Any]] = []

    async def until(self, holds: Callable[[dict[str, Any]], bool], within: float = 20) -> dict[str, Any]:
        """The next message that is such, after those that were read before."""
        assert self._process.stdout is not None
        try:
            async with asyncio.timeout(within):
                while True:
                    line = await self._process.stdout.readline()
                    assert line, f"the host ended; it has seen {self.seen[-3:]}"
                    self.seen.append(json.loads(line))
                    if holds(self.seen[-1]):
                        return self.seen[-1]
        except TimeoutError:
            pytest.fail(f"not seen within {within} s; the last were {[_head(each) for each in self.seen[-8:]]}")

    async def until_kind(self, kind: str, **values: Any) -> dict[str, Any]:
        return await self.until(
            lambda seen: (
                seen["kind"] == kind and all(seen["values"].get(name) == value for name, value in values.items())
            )
        )

    async def do(self, **act: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(act).encode() + b"\n")
        await self._process.stdin.drain()

    async def write(self, name: str, value: bool | int, node: str = TABLE) -> None:
        await self.do(do="write", name=name, value=value, node=node)


def _head(seen: dict[str, Any]) -> tuple[Any, ...]:
    return seen["kind"], seen.get("device"), seen.get("seq")


@asynccontextmanager
async def foreign_host(library: str, port: int, site: str = SITE) -> AsyncIterator[ForeignHost]:
    environment = {**os.environ, "PYTHONPATH": str(INSTALLED / library), "PYTHONWARNINGS": "ignore"}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(JUDGES / LIBRARIES[library]),
        str(port),
        site,
        stdin=PIPE,
        stdout=PIPE,
        env=environment,
    )
    try:
        host = ForeignHost(process)
        await host.until(lambda seen: seen["kind"] == "ready")
        yield host
    finally:
        process.kill()
        await process.wait()


@asynccontextmanager
async def bridge_process(*arguments: str) -> AsyncIterator[Process]:
    """`cutcard sparkplug` as a user starts it; killed at the end if it still runs."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "controller.cli.main", "sparkplug", *arguments, stdout=DEVNULL, stderr=PIPE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
