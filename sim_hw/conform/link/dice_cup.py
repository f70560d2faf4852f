"""The dice cup: dice-cup.md."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from protocols import dice_cup as wire
from sim_hw.conform.hands import act
from sim_hw.conform.link.bench import LinkBench, Said, Session
from sim_hw.conform.requirement import Broken, inspected, must
from sim_hw.conform.wrong import patched

SHAKEN, OPENED, READ, SHUT, FAULT = range(0x40, 0x45)
THROW = act("throw", "Shut the cup, shake it well, and open it.")
PEEK = act("peek", "Shut the cup if it is open, and open it again without a shake.")


async def thrown(bench: LinkBench) -> tuple[Session, list[Said]]:
    """The events of one throw, up to its DiceRead."""
    session = await bench.begin()
    await bench.pause(2.0)
    session.forget()
    await bench.hands.do(THROW)
    await session.event(OPENED)
    await session.event(READ)
    return session, session.events


def roll_no(event: Said) -> int:
    return int.from_bytes(event.data[17:21])


def _reads_first(device: Any, right: Any) -> Any:
    """DiceRead goes out before Opened, each under the other's number."""
    held: list[wire.Opened] = []

    def happened(event: Any) -> None:
        if isinstance(event, wire.Opened):
            held.append(event)
        elif isinstance(event, wire.DiceRead) and held:
            opened = held.pop()
            right(replace(event, event_no=opened.event_no))
            right(replace(opened, event_no=event.event_no))
        else:
            right(event)

    return happened


@must("CUP-1", "1", wrong=patched("_happened", _reads_first))
async def opened_first(bench: LinkBench) -> None:
    """The cup reports the opening before it reads the dice: Opened comes before DiceRead."""
    _, events = await thrown(bench)
    kinds = [event.kind for event in events if event.kind in (OPENED, READ)]
    if kinds[:2] != [OPENED, READ]:
        raise Broken("Opened, then DiceRead", "DiceRead first")


inspected(
    "CUP-2",
    "1",
    "While the cup is shut, its reader has no power, and the cup reads no dice that the table cannot see.",
    "what a reader without power does cannot be seen on the wire: look at the supply of the reader",
    home=__name__,
)


def _reads_twice(device: Any, right: Any) -> Any:
    def happened(event: Any) -> None:
        right(event)
        if isinstance(event, wire.DiceRead):
            right(replace(event, event_no=device._head()["event_no"]))

    return happened


@must("CUP-3", "1", wrong=patched("_happened", _reads_twice))
async def reads_once(bench: LinkBench) -> None:
    """After each opening the cup reads once, and not again until it was shut."""
    session, _ = await thrown(bench)
    await bench.pause(1.5)
    roll = roll_no(next(event for event in session.events if event.kind == READ))
    reads = [event for event in session.events if event.kind == READ and roll_no(event) == roll]
    if len(reads) != 1:
        raise Broken("one DiceRead after one opening", f"{len(reads)}")


def _wrong_inverse(device: Any, right: Any) -> Any:
    def post(message: bytes, *, keep: bool) -> None:
        if message[:1] == bytes((READ,)) and len(message) > 22:
            message = message[:-1] + bytes((message[-1] ^ 1,))
        right(message, keep=keep)

    return post


@must("CUP-4", "2", wrong=patched("link.post", _wrong_inverse))
async def inverted_values(bench: LinkBench) -> None:
    """DiceRead has the values, and the same values with all bits inverted, in the same order."""
    _, events = await thrown(bench)
    wire.decode(next(event for event in events if event.kind == READ).data)


def _counts_by_two(device: Any, right: Any) -> Any:
    def open_() -> Any:
        device.roll_no += 1
        return right()

    return open_


@must("CUP-5", "2", wrong=patched("open", _counts_by_two))
async def roll_numbers(bench: LinkBench) -> None:
    """roll_no counts the openings without a gap."""
    session, events = await thrown(bench)
    first = roll_no(next(event for event in events if event.kind == OPENED))
    mark = len(session.said)
    await bench.hands.do(PEEK)
    second = roll_no(await session.event(OPENED, mark=mark))
    if second != first + 1:
        raise Broken(f"roll {first + 1} after roll {first}", f"roll {second}")


def _shut_counts(device: Any, right: Any) -> Any:
    def happened(event: Any) -> None:
        if isinstance(event, wire.DiceRead):
            event = replace(event, roll_no=event.roll_no + 7)
        right(event)

    return happened


@must("CUP-6", "2", wrong=patched("_happened", _shut_counts))
async def one_number_for_one_opening(bench: LinkBench) -> None:
    """Opened and DiceRead of one opening have the same roll_no."""
    _, events = await thrown(bench)
    opened = next(event for event in events if event.kind == OPENED)
    read = next(event for event in events if event.kind == READ)
    if roll_no(opened) != roll_no(read):
        raise Broken(f"roll {roll_no(opened)} in DiceRead", f"roll {roll_no(read)}")


def _never_counts_strokes(device: Any, right: Any) -> Any:
    def open_() -> Any:
        strokes, device.shakes = device.shakes, 0
        try:
            return right()
        finally:
            device.shakes = strokes

    return open_


@must("CUP-7", "2", wrong=patched("open", _never_counts_strokes))
async def strokes(bench: LinkBench) -> None:
    """Opened has the strokes since the cup was shut: those of Shaken."""
    _, events = await thrown(bench)
    shaken = [event for event in events if event.kind == SHAKEN]
    if not shaken:
        raise Broken("Shaken after a shake", "none")
    wanted = int.from_bytes(shaken[-1].data[17:19])
    came = int.from_bytes(next(event for event in events if event.kind == OPENED).data[21:23])
    if came != wanted:
        raise Broken(f"{wanted} strokes in Opened", f"{came}")


def _slow_reader(device: Any, right: Any) -> Any:
    def happened(event: Any) -> None:
        if isinstance(event, wire.DiceRead):
            device.link._loop.call_later(1.8, right, event)
        else:
            right(event)

    return happened


@must("CUP-8", "3", wrong=patched("_happened", _slow_reader))
async def reads_in_time(bench: LinkBench) -> None:
    """DiceRead is sent within 1 s of Opened, always."""
    _, events = await thrown(bench)
    opened = next(event for event in events if event.kind == OPENED)
    read = next(event for event in events if event.kind == READ)
    if read.at - opened.at > 1.2:
        raise Broken("DiceRead within 1 s of Opened", f"after {read.at - opened.at:.1f} s")


def _keeps_its_dice(device: Any, right: Any) -> Any:
    def commanded(command: Any) -> None:
        if isinstance(command, wire.SetDice):
            device._answer(wire.DiceSet(dice=device.expected))
        else:
            right(command)

    return commanded


@must("CUP-9", "2", wrong=patched("_commanded", _keeps_its_dice))
async def set_dice(bench: LinkBench) -> None:
    """SetDice sets the number of dice, and DiceSet answers it with the current value."""
    session = await bench.begin()
    for dice in (5, 3):
        came = (await session.ask(wire.encode(wire.SetDice(dice=dice))))[1]
        if came != dice:
            raise Broken(f"DiceSet with {dice} dice", f"{came}")
