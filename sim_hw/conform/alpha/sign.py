"""A sign over the Alpha protocol: reader-board.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from protocols.alpha.codes import PRIORITY, Colour, Mode, Position, Readable
from protocols.alpha.commands import Command, ReadSpecial, ReadText, WriteString, WriteText
from protocols.alpha.special import ConfigureMemory, File
from protocols.alpha.text import Section
from sim_hw.conform.alpha.bench import FILES, SignBench
from sim_hw.conform.requirement import Broken, Mutation, inspected, must
from sim_hw.conform.wrong import raw_into


def shows(text: str) -> WriteText:
    return WriteText("A", (Section(Position.FILL, Mode.HOLD, (Colour.RED, text)),))


def _signs(change: Callable[[Any], None]) -> Mutation:
    def mutate(board: Any) -> None:
        for sign in board.signs:
            change(sign)

    return mutate


def answers(edit: Callable[[Any, Command | None], Command | None]) -> Mutation:
    """What the sign answers is edited."""

    def change(sign: Any) -> None:
        right = sign._answer
        sign._answer = lambda answer: right(edit(sign, answer))

    return _signs(change)


def obeys(edit: Callable[[Command], Command | None]) -> Mutation:
    """The sign does something else than the command."""

    def change(sign: Any) -> None:
        right = sign._obey
        sign._obey = lambda command, now: None if (other := edit(command)) is None else right(other, now)

    return _signs(change)


def _damaged(bench: SignBench, command: Command) -> bytes:
    """A packet with a wrong checksum."""
    data = bench.wire(command)
    return data[:-5] + b"0000" + data[-1:]


def _trusts(data: bytes) -> bytes:
    return data.replace(b"\x030000\x04", b"\x04")


@must("SIGN-1", "2", wrong=raw_into(_trusts))
async def wrong_checksum(bench: SignBench) -> None:
    """A command with a wrong checksum is dropped."""
    await bench.send(shows("RIGHT"))
    await bench.write(_damaged(bench, shows("WRONG")))
    if await bench.text() != shows("RIGHT"):
        raise Broken("the text before the damaged packet", "the text of the damaged packet")


def _answers_all(data: bytes) -> bytes:
    return data.replace(b"\x01ZFE\x02", b"\x01Z00\x02")


@must("SIGN-2", "2", wrong=raw_into(_answers_all))
async def another_address(bench: SignBench) -> None:
    """A packet for another address is not executed and not answered."""
    if await bench.answer(bench.wire(ReadText("A"), to="FE")) is not None:
        raise Broken("no answer to a request for address FE", "an answer")


@must("SIGN-3", "2", wrong=raw_into(lambda data: b"" if b"Z00\x02B" in data else data))
async def all_signs(bench: SignBench) -> None:
    """Address 00 reaches every sign."""
    await bench.send(shows("ALL"))
    if await bench.answer(bench.wire(ReadText("A"), to="00")) is None:
        raise Broken("an answer to a request for address 00", "none")


def _drops_cut(data: bytes) -> bytes:
    return b"" if data.count(b"\x01") > 1 else data


@must("SIGN-4", "2", wrong=raw_into(_drops_cut))
async def cut_off(bench: SignBench) -> None:
    """SOH inside a packet begins another one: the first is lost, the second is executed."""
    await bench.send(shows("FIRST"))
    half = bench.wire(shows("HALF"))[:-8]
    await bench.write(half + bench.wire(shows("WHOLE")))
    if await bench.text() != shows("WHOLE"):
        raise Broken("the packet after a packet that was cut off", f"{await bench.text()!r}")


@must("SIGN-5", "2", wrong=raw_into(lambda data: data if b"\x03" in data else b""))
async def without_checksum(bench: SignBench) -> None:
    """The checksum is optional."""
    await bench.send(shows("WITH"))
    await bench.write(bench.wire(shows("WITHOUT"), checksum=False))
    if await bench.text() != shows("WITHOUT"):
        raise Broken("a packet without a checksum to be executed", "the text before it")


@must(
    "SIGN-6",
    "4",
    wrong=obeys(lambda command: None if isinstance(command, WriteText) and command.label == PRIORITY else command),
)
async def priority(bench: SignBench) -> None:
    """The priority file needs no configuration, and is empty again after it was written empty."""
    notice = WriteText(PRIORITY, (Section(Position.MIDDLE, Mode.HOLD, ("FLOOR CALLED",)),))
    await bench.send(notice)
    came = await bench.text(PRIORITY)
    await bench.send(WriteText(PRIORITY))
    after = await bench.text(PRIORITY)
    if came != notice or after != WriteText(PRIORITY):
        raise Broken("the notice, then nothing", f"{came!r}, then {after!r}")


@must(
    "SIGN-7",
    "4",
    wrong=obeys(
        lambda command: replace(command, items=command.items[:1]) if isinstance(command, WriteString) else command
    ),
)
async def strings(bench: SignBench) -> None:
    """A STRING keeps what was written, colours included."""
    wanted = WriteString("a", (Colour.GREEN, "P", Colour.RED, "B"))
    await bench.send(wanted)
    came = await bench.string()
    if came != wanted:
        raise Broken(f"{wanted!r}", f"{came!r}")


def _forgets_the_last(command: Command) -> Command:
    if isinstance(command, ConfigureMemory) and any(file.label == "c" for file in command.files):
        return ConfigureMemory(command.files[:-1])
    return command


@must("SIGN-8", "3", wrong=obeys(_forgets_the_last))
async def memory(bench: SignBench) -> None:
    """F$ reads the table of files that E$ has written; the first file may be larger than requested."""
    files = (*FILES, File.string("c", 60))
    await bench.send(ConfigureMemory(files))
    table = await bench.ask(ReadSpecial(Readable.MEMORY))
    if not isinstance(table, ConfigureMemory):
        raise Broken("the table of files", f"{table!r}")
    came = [(file.label, file.kind) for file in table.files]
    if came != [(file.label, file.kind) for file in files] or table.files[1:] != files[1:]:
        raise Broken(
            f"files {' '.join(file.label for file in files)}", f"{' '.join(file.label for file in table.files)}"
        )


def _acknowledges(sign: Any, answer: Command | None) -> Command | None:
    return shows("DONE") if answer is None else answer


@must("SIGN-9", "5", wrong=answers(_acknowledges))
async def answers_reads_only(bench: SignBench) -> None:
    """A sign answers only reads."""
    if await bench.answer(bench.wire(shows("QUIET"))) is not None:
        raise Broken("no answer to a write", "one")


inspected(
    "SIGN-10",
    "2",
    "The sign drops a packet in which more than a second passes between two bytes.",
    "adapters and servers gather bytes: a pause that is sent is not the pause that arrives",
    home=__name__,
)
