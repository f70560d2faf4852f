"""One request to one table, and its answer. docs/mqtt/README.md, Commands.

The request goes to every broker that we are connected to: a table does it once, by its id, and answers on each; the
first answer counts. Where none comes the same request is sent again, with the same id, until its time is over.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from secrets import token_hex
from typing import Any

import msgspec
from aiomqtt import MqttError
from msgspec import UNSET

from controller.contract import REQUESTS, Reply, Request
from controller.contract.requests import Vouched
from controller.contract.topics import ROOT, Topics
from floor.answers import Answered
from floor.collector.wire import Wire
from floor.messages import ReceivedAnswer
from protocols.type_errors import in_words

log = logging.getLogger("cutcard.floor")

ROLE = "program"
LIFE_MS = 30_000
"""A request that a table reads later changes nothing."""
AGAIN_S = 3.0
PATIENCE_S = 10.0
"""Without an answer for this time, a person is shown that there is none."""


class Sender:
    """Sends requests of the page."""

    def __init__(self, site: str, client: str, wires: Mapping[str, Wire], clock: Callable[[], int]) -> None:
        self._site, self._client, self._wires, self._clock = site, client, wires, clock
        self._asked: dict[str, tuple[str, asyncio.Future[Reply]]] = {}

    @property
    def can_send(self) -> bool:
        """Whether a broker takes commands: MQTT 5."""
        return any(wire.is_v5 for wire in self._wires.values())

    def answered(self, answer: ReceivedAnswer) -> None:
        """An answer has come."""
        asked = self._asked.get(answer.reply.id)
        if asked is not None and asked[0] == answer.table and answer.site == self._site and not asked[1].done():
            asked[1].set_result(answer.reply)

    async def send(
        self, table: str, command: str, fields: dict[str, Any], by: Vouched, *, patience_s: float = PATIENCE_S
    ) -> Answered:
        """Until the table has answered, or has not for a while."""
        number = token_hex(8)
        life_ms = max(LIFE_MS, round(patience_s * 1000))
        plain = {
            **fields,
            "id": number,
            "expires": self._clock() + life_ms,
            "by": msgspec.to_builtins(by),
        }
        try:
            request = msgspec.convert(plain, REQUESTS[command])
        except msgspec.ValidationError as error:
            return Answered(table, ok=False, why="malformed", text=in_words(error, plain))
        except KeyError:
            return Answered(table, ok=False, why="no_such_command", text=f"There is no command {command}.")
        if not self.can_send:
            text = "No broker that takes commands is connected. Nothing was sent."
            return Answered(table, ok=False, why="no_broker", text=text)
        reply = await self._reply(table, command, request, patience_s)
        if reply is None:
            text = (
                f"No answer in {patience_s:.0f} seconds. It may still be done: look at the table before you try again."
            )
            return Answered(table, ok=False, why="no_answer", text=text)
        why = "" if reply.why is UNSET else str(reply.why)
        return Answered(table, ok=reply.ok, why=why, text=reply.text or reply.code)

    async def _reply(self, table: str, command: str, request: Request, patience_s: float) -> Reply | None:
        waiting: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._asked[request.id] = table, waiting
        payload = msgspec.json.encode(request)
        try:
            async with asyncio.timeout(patience_s):
                while True:
                    self._publish(table, command, request.id, payload)
                    done, _ = await asyncio.wait({waiting}, timeout=AGAIN_S)
                    if done:
                        return waiting.result()
        except TimeoutError:
            return None
        finally:
            del self._asked[request.id]

    def _publish(self, table: str, command: str, number: str, payload: bytes) -> None:
        topic = Topics(self._site, table).command(ROLE, self._client, command)
        answer_to = f"{ROOT}/reply/{self._client}/{ROLE}/{self._site}/{table}/{number}"
        for wire in self._wires.values():
            if wire.is_v5:
                try:
                    wire.send(topic, payload, answer_to=answer_to)
                except MqttError as error:
                    log.debug("%s", error)
