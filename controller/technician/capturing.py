"""`cutcard capture`: recording the wires of a table into a file, and playing one back into a rig."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO, Any, BinaryIO

from controller.errors import UserError
from controller.technician.bench import attend
from controller.technician.table import Chosen, ServedTable
from controller.technician.wire_recording import Wire, header, packet_of
from devices.driver import DriverFailure
from devices.options import OptionsError
from devices.ports.tap import Chunk, Taps
from protocols.errors import ProtocolError
from protocols.pcapng import encode


async def record(
    table: ServedTable, chosen: Sequence[Chosen], path: Path, *, seconds: float | None, sealed: bool, take_events: bool
) -> str:
    """Record into a new file, for `seconds` or until it is cancelled. Returns how it ended, in a sentence."""
    if not chosen:
        raise UserError("Which device? There is none in the config; name one with --device, by its url.")
    if table.daemon is None or not all(one.in_config for one in chosen):
        table.expect_no_round("a capture without the daemon, which keeps the cards of a round back,")
        with _opened(path) as file:
            return await _record_here(table, chosen, file, seconds, take_events)
    if take_events:
        raise UserError("The daemon runs and takes the events of its devices itself; --take is for a bench.")
    devices = [one.spec.id for one in chosen]
    async with table.daemon.capture(devices, sealed=sealed, seconds=seconds) as stream:
        with _opened(path) as file:
            async for piece in stream.iter_any():
                file.write(piece)
                file.flush()
    if seconds is not None and sealed:
        return "Recorded."
    return "The capture is over: the time was up, a round began, or the daemon stopped."


STDOUT = Path("-")


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    """A new file, or the standard output for `-`: Wireshark reads a live port from a pipe."""
    if path == STDOUT:
        if sys.stdout.isatty():
            raise UserError(
                "A capture is no text: send it into a program, as in `cutcard capture - | wireshark -k -i -`."
            )
        with os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0) as out:
            yield out
        return
    with new_file(path) as file:
        yield file


def new_file(path: Path) -> BinaryIO:
    """A file that is there for nobody else, and was not there before."""
    try:
        return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
    except FileExistsError:
        raise UserError(f"{path} is there already, and captures are never overwritten: give another name.") from None
    except OSError as error:
        raise UserError(f"{path} cannot be made: {error.strerror}.") from None


def play(path: Path, arguments: Sequence[str]) -> int:
    """The simulated hardware is no part of the daemon: it plays in a process of its own."""
    if not path.is_file():
        raise UserError(f"There is no capture {path}.")
    with subprocess.Popen([sys.executable, "-m", "sim_hw.rig.playback", str(path), *arguments]) as player:
        try:
            return player.wait()
        except KeyboardInterrupt:
            # The player has got it too, and ends in order.
            return player.wait()


async def _record_here(
    table: ServedTable, chosen: Sequence[Chosen], file: IO[bytes], seconds: float | None, take_events: bool
) -> str:
    file.write(header([Wire(one.spec) for one in chosen], table.name))
    file.flush()
    taps = Taps()
    count = 0
    nobody: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def passed(number: int, chunk: Chunk) -> None:
        nonlocal count
        if nobody.done():
            return
        try:
            file.write(encode(packet_of(number, chunk)))
            file.flush()
        except BrokenPipeError as error:
            # We are in a callback of the port, which must not fail because a reader went away.
            nobody.set_exception(error)
        except OSError as error:
            nobody.set_exception(UserError(f"The capture cannot be written: {error.strerror}."))
        count += 1

    for number, one in enumerate(chosen):
        taps[one.spec.url].listen(partial(passed, number))
    attending = [asyncio.create_task(attend(one.spec, taps, take_events=take_events)) for one in chosen]
    try:
        over = asyncio.gather(*attending, return_exceptions=True)
        waits: set[asyncio.Future[Any]] = {over, nobody}
        await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if nobody.done():
            nobody.result()
        done = [task for task in attending if task.done()]
        ends = zip(chosen, attending, strict=True)
        failures = [f" {one.spec.id}: {task.exception()}." for one, task in ends if task in done]
        return f"{count} packets.{''.join(failures)}"
    finally:
        for task in attending:
            task.cancel()
            with suppress(asyncio.CancelledError, OptionsError, DriverFailure, ProtocolError):
                await task
