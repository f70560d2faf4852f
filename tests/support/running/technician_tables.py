"""What the tests of the technician's commands share: the program itself, and a second reader of its files."""

from __future__ import annotations

import asyncio
import io
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from struct import unpack

from controller.cli.main import main

PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class Done:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str


async def cutcard(*arguments: str | Path) -> Done:
    """Run the program to its end: in a thread, because a process of its own needs a second to start."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        async with asyncio.timeout(PATIENCE):
            code = await asyncio.to_thread(main, [str(argument) for argument in arguments])
    return Done(code, out.getvalue(), err.getvalue())


async def started(*arguments: str | Path) -> asyncio.subprocess.Process:
    """The program as a technician starts it, running until somebody ends it."""
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "controller.cli",
        *map(str, arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )


@dataclass(slots=True)
class Parsed:
    """A pcapng file as its specification lays it out, read without our own code."""

    section: dict[int, bytes] = field(default_factory=dict)
    interfaces: list[tuple[int, dict[int, bytes]]] = field(default_factory=list)
    packets: list[tuple[int, int, int, bytes]] = field(default_factory=list)
    """Interface, nanoseconds, flags, bytes."""

    @classmethod
    def of(cls, data: bytes) -> Parsed:
        parsed, at = cls(), 0
        while at < len(data):
            kind, length = unpack("<II", data[at : at + 8])
            body, again = data[at + 8 : at + length - 4], unpack("<I", data[at + length - 4 : at + length])[0]
            assert length == again
            assert length % 4 == 0
            match kind:
                case 0x0A0D0D0A:
                    assert at == 0
                    assert unpack("<IHH", body[:8]) == (0x1A2B3C4D, 1, 0)
                    parsed.section = _options(body[16:])
                case 1:
                    parsed.interfaces.append((unpack("<H", body[:2])[0], _options(body[8:])))
                case 6:
                    number, high, low, kept, whole = unpack("<IIIII", body[:20])
                    assert kept == whole
                    options = _options(body[20 + kept + -kept % 4 :])
                    flags = unpack("<I", options[2])[0]
                    parsed.packets.append((number, high << 32 | low, flags, body[20 : 20 + kept]))
                case _:
                    raise AssertionError(f"block {kind:#x}")
            at += length
        return parsed

    def said(self, number: int = 0) -> bytes:
        """All that a device said."""
        return b"".join(data for one, _, flags, data in self.packets if (one, flags) == (number, 1))


def _options(data: bytes) -> dict[int, bytes]:
    options: dict[int, bytes] = {}
    at = 0
    while data[at:]:
        code, size = unpack("<HH", data[at : at + 4])
        if code == 0:
            break
        options[code] = data[at + 4 : at + 4 + size]
        at += 4 + size + -size % 4
    return options
