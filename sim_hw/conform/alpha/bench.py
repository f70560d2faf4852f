"""The controller's end of a line with one sign on it. What the sign took is read back from it."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from protocols.alpha.codes import Readable
from protocols.alpha.commands import Command, ReadSpecial, ReadString, ReadText, WriteString, WriteText
from protocols.alpha.packets import Address, Packet, PacketDecoder, encode_packet
from protocols.alpha.parity import add_parity, strip_parity
from protocols.alpha.special import ConfigureMemory, File, GeneralInformation
from sim_hw.conform.hands import Hands
from sim_hw.conform.opening import Line
from sim_hw.conform.requirement import Broken
from sim_hw.conform.trace import Trace

ANSWER_WITHIN = 1.5
GAP = 0.15
FILES = (File.text("A", 100), File.string("a", 40), File.string("b", 40))


def _decoded(data: bytes, to_device: bool) -> list[str]:
    return [repr(packet) for packet in PacketDecoder().feed(data)]


class SignBench:
    """One sign on one line."""

    def __init__(self, line: Line, hands: Hands, address: str, *, seven_bits: bool) -> None:
        self.hands, self.address = hands, address
        self.trace = Trace(_decoded)
        self._line, self._seven_bits = line, seven_bits
        self._loop = asyncio.get_running_loop()
        self._decoder = PacketDecoder()
        self._packets: list[Packet] = []
        self._changed = asyncio.Event()
        line.receive = self._arrived

    async def ready(self) -> None:
        """A table of files for these requirements."""
        await self.send(ConfigureMemory(FILES))

    async def survey(self) -> str:
        answer = await self.ask(ReadSpecial(Readable.GENERAL_INFORMATION))
        if isinstance(answer, GeneralInformation):
            return f"a sign with firmware {answer.firmware}, address {self.address}"
        return f"a sign, address {self.address}"

    @property
    def is_gone(self) -> bool:
        return self._line.is_lost

    def close(self) -> None:
        self._line.close()

    async def pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def _arrived(self, data: bytes) -> None:
        data = strip_parity(data) if self._seven_bits else data
        self.trace.add(self._loop.time(), False, data)
        self._packets += self._decoder.feed(data)
        self._changed.set()

    def wire(self, *commands: Command, to: str | None = None, checksum: bool = True) -> bytes:
        return encode_packet(Packet(commands, (Address("Z", to or self.address),), checksum=checksum))

    async def write(self, data: bytes) -> None:
        """Bytes as they are, and the pause that signs need after a packet."""
        self.trace.add(self._loop.time(), True, data)
        self._line.write(add_parity(data) if self._seven_bits else data)
        await self.pause(GAP)

    async def send(self, *commands: Command, to: str | None = None) -> None:
        await self.write(self.wire(*commands, to=to))

    async def answer(self, data: bytes) -> Command | None:
        """The command of the answer to these bytes; None where none came."""
        self._packets.clear()
        await self.write(data)
        with suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_WITHIN):
                while not self._packets:
                    self._changed.clear()
                    await self._changed.wait()
        return self._packets[0].commands[0] if self._packets and self._packets[0].commands else None

    async def ask(self, command: Command) -> Command:
        answer = await self.answer(self.wire(command))
        if answer is None:
            raise Broken(f"an answer to {command!r} within {ANSWER_WITHIN:g} s", "none")
        return answer

    async def text(self, label: str = "A") -> WriteText:
        answer = await self.ask(ReadText(label))
        if not isinstance(answer, WriteText) or answer.label != label:
            raise Broken(f"the text {label}", f"{answer!r}")
        return answer

    async def string(self, label: str = "a") -> WriteString:
        answer = await self.ask(ReadString(label))
        if not isinstance(answer, WriteString) or answer.label != label:
            raise Broken(f"the string {label}", f"{answer!r}")
        return answer
