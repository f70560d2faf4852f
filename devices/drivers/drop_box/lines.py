"""A Modbus line, decoded for a technician."""

from __future__ import annotations

from devices.lines import TraceLine
from devices.ports.tap import Chunk, Direction
from protocols.errors import ProtocolError
from protocols.modbus.frames import MAX_ADU, decode_reply, decode_request


class ModbusLines:
    """Modbus RTU: a question, and what came until the next one."""

    def __init__(self) -> None:
        self._answer = b""

    def feed(self, chunk: Chunk) -> list[TraceLine]:
        if chunk.direction is Direction.OUT:
            left, self._answer = self._answer, b""
            lines = [TraceLine.of(chunk, f"no answer in {len(left)} bytes", hexed=left.hex(" "))] if left else []
            return [*lines, self._question(chunk)]
        self._answer = (self._answer + chunk.data)[-MAX_ADU:]
        try:
            unit, reply = decode_reply(self._answer)
        except ProtocolError:
            return []
        hexed, self._answer = self._answer.hex(" "), b""
        return [TraceLine.of(chunk, f"from unit {unit}", repr(reply), hexed=hexed)]

    def _question(self, chunk: Chunk) -> TraceLine:
        hexed = chunk.data.hex(" ")
        try:
            unit, request = decode_request(chunk.data)
        except ProtocolError as error:
            return TraceLine.of(chunk, f"not a question: {error}", hexed=hexed)
        return TraceLine.of(chunk, f"to unit {unit}", repr(request), hexed=hexed)
