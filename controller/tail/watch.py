"""The connection of `cutcard tail`: subscribes, asks for the past where that is wanted, comes back after every loss."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Callable, Iterator, Sequence
from secrets import token_hex
from typing import cast

import aiomqtt
import msgspec
from aiomqtt import MqttError
from aiomqtt.exceptions import MqttCodeError
from msgspec import Struct
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from controller.cancellation import end_if_cancelled
from controller.contract.requests import MOST_REPLAYED, ReplayReply, ReplayRequest
from controller.contract.topics import ROOT
from controller.mqtt import BrokerProblem, BrokerRefused, MqttSettings, Topics
from controller.mqtt.credentials import tls_context
from controller.mqtt.monitor import monitor_client
from controller.mqtt.problems import explain, refused
from controller.tail.follow import Follower, Garbled, RetainedStatus, StateHead, TableName, Thing

_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 10.0
_REQUEST_LIFE_MS = 30_000
_TAKEN_OVER = 0x8E
_MOST_THROWN_OUT = 3
"""Mosquitto's "session taken over" does not always reach us over TLS. A client that is accepted
and disconnected this often in a row has a rival with the same client id."""


class TailOptions(Struct, frozen=True):
    """What is to be seen."""

    site: str = "+"
    tables: tuple[str, ...] = ("+",)
    since_seq: int | None = None
    """Of the one table there is; None: from now on."""
    role: str = "monitor"
    client: str = "tail"

    @property
    def subscriptions(self) -> list[str]:
        bases = [f"{ROOT}/{self.site}/{table}" for table in self.tables]
        return [f"{base}/{topic}" for base in bases for topic in ("online", "state", "alarm/+", "event/+")]


Show = Callable[[Thing], None]


class Watch:
    """Watches until it is cancelled, or the broker will not have us (`BrokerRefused`)."""

    def __init__(self, settings: MqttSettings, options: TailOptions, show: Show, warn: Callable[[str], None]) -> None:
        self._settings = settings
        self._options = options
        self._show = show
        self._warn = warn
        self._follower = Follower()
        self._past: _Past | None = None
        self._was_let_in = False
        self._has_begun = options.since_seq is None
        """The past has been asked for, or is not wanted."""

    async def run(self) -> None:
        pause, thrown_out = _FIRST_PAUSE, 0
        while True:
            began = time.monotonic()
            self._was_let_in = False
            problem = await self._once()
            if isinstance(problem, BrokerRefused):
                raise problem
            held = time.monotonic() - began > _LONGEST_PAUSE
            thrown_out = thrown_out + 1 if self._was_let_in and not held else 0
            if thrown_out == _MOST_THROWN_OUT:
                raise self._rival()
            self._warn(str(problem))
            pause = _FIRST_PAUSE if held else pause
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _rival(self) -> BrokerRefused:
        return refused(
            self._settings.address,
            "another client connects with our name",
            "One certificate is for one connection: use another, or end the other.",
        )

    async def _once(self) -> BrokerProblem:
        """One connection; gives why it ended."""
        settings = self._settings
        try:
            async with monitor_client(settings) as client:
                await self._listen(client)
        except MqttError as error:
            end_if_cancelled()
            if _code(error) == _TAKEN_OVER:
                return self._rival()
            return await self._why_no_tls() or explain(settings.address, error)
        raise AssertionError("messages end with an error only")

    async def _listen(self, client: aiomqtt.Client) -> None:
        self._past = None
        topics = self._options.subscriptions
        reasons = await client.subscribe([(topic, 1) for topic in topics])
        for topic, reason in zip(topics, cast("Sequence[ReasonCode | int]", reasons), strict=True):
            if isinstance(reason, ReasonCode) and reason.is_failure:
                raise refused(self._settings.address, f"it does not let us hear {topic} ({reason})", "Ask its owner.")
        self._was_let_in = True
        async for message in client.messages:
            topic, payload = str(message.topic), message.payload
            if not isinstance(payload, bytes):
                continue
            if self._past is not None and topic == self._past.reply:
                for thing in self._answered(payload):
                    self._show(thing)
            else:
                for thing in self._follower.receive(topic, payload, retained=bool(message.retain)):
                    self._show(thing)
                    match thing:
                        case RetainedStatus(document=StateHead(seq=seq)) if not self._has_begun:
                            await self._ask(client, thing.table, seq)
            if self._past is not None and self._past.is_due:
                await self._past.ask_on(client)

    async def _ask(self, client: aiomqtt.Client, table: TableName, last: int) -> None:
        """Have the past replayed, up to the table's last event."""
        first = self._options.since_seq
        assert first is not None
        self._has_begun = True
        if first > last:
            return
        self._past = _Past(table, self._options.role, self._options.client, first, last)
        self._follower.begin_replay(table, first)
        await client.subscribe(self._past.reply, qos=1)

    def _answered(self, payload: bytes) -> Iterator[Thing]:
        """An event of the past, or the reply that ends a replay."""
        past = self._past
        assert past is not None
        if b'"hash"' in payload:
            yield from self._follower.receive(past.reply, payload, retained=False)
            return
        try:
            reply = msgspec.json.decode(payload, type=ReplayReply)
        except (msgspec.MsgspecError, RecursionError):
            yield Garbled(past.reply, "it is neither an event nor a reply")
            return
        if not reply.ok:
            yield Garbled(past.reply, f"the past was not replayed: {reply.text or reply.why}")
        if not reply.ok or past.is_complete:
            self._past = None
            yield from self._follower.end_replay(past.table)
        else:
            past.is_due = True

    async def _why_no_tls(self) -> BrokerRefused | None:
        """aiomqtt does not report why a TLS connection failed: try one by hand."""
        context = tls_context(self._settings)
        if context is None:
            return None
        try:
            async with asyncio.timeout(1.0):
                reader, writer = await asyncio.open_connection(
                    self._settings.host, self._settings.port, ssl=context, server_hostname=self._settings.host
                )
                try:
                    # A broker that rejects our certificate does so only after the handshake.
                    await reader.read(1)
                finally:
                    writer.close()
        except ssl.SSLError as error:
            return refused(
                self._settings.address,
                f"no TLS between us ({error.reason or error})",
                "Check --host and --ca against its certificate, and --cert and --key against what it asks for.",
            )
        except (OSError, TimeoutError):
            pass
        return None


class _Past:
    """Events that are asked for, as many at a time as a table replays at once."""

    def __init__(self, table: TableName, role: str, client: str, first: int, last: int) -> None:
        topics = Topics(table.site, table.table)
        self.table = table
        self.reply = topics.reply(role, client)
        self.is_due = True
        """The next part is to be asked for."""
        self._command = topics.command(role, client, "replay")
        self._next, self._last = first, last

    @property
    def is_complete(self) -> bool:
        return self._next > self._last

    async def ask_on(self, client: aiomqtt.Client) -> None:
        first, last = self._next, min(self._last, self._next + MOST_REPLAYED - 1)
        expires = time.time_ns() // 1_000_000 + _REQUEST_LIFE_MS
        request = ReplayRequest(id=f"tail-{token_hex(8)}", expires=expires, first=first, last=last)
        properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        properties.ResponseTopic = self.reply
        await client.publish(self._command, msgspec.json.encode(request), qos=1, properties=properties)
        self._next, self.is_due = last + 1, False


def _code(error: MqttError) -> int | None:
    cause = error.__cause__ if isinstance(error.__cause__, MqttCodeError) else error
    code = cause.rc if isinstance(cause, MqttCodeError) else None
    return code.value if isinstance(code, ReasonCode) else None
