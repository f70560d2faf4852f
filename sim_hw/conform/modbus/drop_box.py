"""The sensor of a drop box: drop-box.md."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from protocols import drop_box
from protocols.modbus import frames
from sim_hw.conform.hands import POWER_CYCLE, act
from sim_hw.conform.modbus.bench import ModbusBench
from sim_hw.conform.requirement import Broken, Mutation, inspected, must
from sim_hw.conform.wrong import raw_into, with_memory

DROP = act("drop", "Let one chip fall through the slot.")
TAKE_BOX = act("take_box", "Take the box out.")
PUT_BOX = act("put_box", "Put the box back.")
OPEN_DOOR = act("open_box_door", "Open the door of the box.")
SHUT_DOOR = act("shut_box_door", "Shut the door of the box.")
STRANGER = 77
"""A unit that is not on the bus."""


def _with_crc(head: bytes) -> bytes:
    return head + frames.crc16(head).to_bytes(2, "little")


def sensors(change: Callable[[Any], None]) -> Mutation:
    """Every sensor of the bus is wrong."""

    def mutate(boxes: Any) -> None:
        for sensor in boxes.sensors.values():
            change(sensor)

    return mutate


def replies(edit: Callable[[Any, Any, Any], Any]) -> Mutation:
    """The sensors' replies are edited: `edit(sensor, request, reply)`."""

    def change(sensor: Any) -> None:
        right = sensor._reply
        sensor._reply = lambda request: edit(sensor, request, right(request))

    return sensors(change)


def readings(**fields: Any) -> Mutation:
    """A part of every reading is what it should not be."""

    def change(sensor: Any) -> None:
        right = sensor.reading
        sensor.reading = lambda: replace(right(), **{name: make(right()) for name, make in fields.items()})

    return sensors(change)


def _mends(data: bytes) -> bytes:
    return _with_crc(data[:-2]) if len(data) == 8 and frames.crc16(data) else data


@must("DROP-1", "2", wrong=raw_into(_mends))
async def wrong_crc(bench: ModbusBench) -> None:
    """A request with a wrong CRC is discarded and not answered."""
    adu = frames.encode(bench.unit, frames.ReadInputRegisters(0, 26))
    if await bench.send(adu[:-1] + bytes((adu[-1] ^ 0x55,))):
        raise Broken("no answer to a request with a wrong CRC", "an answer")


@must(
    "DROP-2",
    "2",
    wrong=raw_into(lambda data: _with_crc(b"\x01" + data[1:-2]) if data[:2] == bytes((STRANGER, 4)) else data),
)
async def another_unit(bench: ModbusBench) -> None:
    """A request for another unit is discarded and not answered."""
    if await bench.send(frames.encode(STRANGER, frames.ReadInputRegisters(0, 26))):
        raise Broken(f"no answer to a request for unit {STRANGER}", "an answer")


class _Confused:
    """Noise costs the request after it as well."""

    def __init__(self) -> None:
        self._lost = False

    def __call__(self, data: bytes) -> bytes:
        lost, self._lost = self._lost, len(data) < 4
        return b"" if lost else data


@must("DROP-3", "2", wrong=with_memory(_Confused))
async def after_noise(bench: ModbusBench) -> None:
    """Fewer than 4 bytes before a silence are discarded, and the next request is answered."""
    await bench.send(b"\x01\x04\x00")
    await bench.pause(0.05)
    await bench.registers()


def _answers_answers(data: bytes) -> bytes:
    if data[:2] == bytes((STRANGER, 6)):
        return _with_crc(b"\x01" + data[1:-2])
    return data


@must("DROP-4", "2", wrong=raw_into(_answers_answers))
async def answers_of_others(bench: ModbusBench) -> None:
    """The answers of the other sensors on the bus are not processed as requests."""
    others = frames.encode(STRANGER, frames.RegisterWritten(0, 1))
    if await bench.send(others):
        raise Broken("nothing after the answer of another sensor", "an answer")


@must("DROP-5", "3", wrong=sensors(lambda sensor: setattr(sensor, "map", 0xDB77)))
async def register_map(bench: ModbusBench) -> None:
    """Register 0 is 0xDB01 or 0xDB02."""
    first = (await bench.registers())[0]
    if first not in (drop_box.MAP, drop_box.WORTH_MAP):
        raise Broken("0xdb01 or 0xdb02 in register 0", f"0x{first:04x}")


def _refuses(of: Callable[[Any], bool], code: int) -> Mutation:
    def edit(sensor: Any, request: Any, reply: Any) -> Any:
        return frames.Refusal(reply.function, code) if isinstance(reply, frames.Refusal) and of(request) else reply

    return replies(edit)


def _refusal(reply: frames.Reply, code: int, after: str) -> None:
    if not isinstance(reply, frames.Refusal) or reply.code != code:
        came = f"code {reply.code}" if isinstance(reply, frames.Refusal) else "no refusal"
        raise Broken(f"code {code} for {after}", came)


@must("DROP-6", "2", wrong=_refuses(lambda request: isinstance(request, frames.Unanswerable) and request.code == 1, 4))
async def illegal_function(bench: ModbusBench) -> None:
    """A function that the page does not have is refused: 1."""
    _refusal(await bench.raw(b"\x05\x00\x00\xff\x00", "function 5"), 1, "function 5")


@must("DROP-7", "2", wrong=_refuses(lambda request: isinstance(request, frames.ReadInputRegisters), 4))
async def illegal_address(bench: ModbusBench) -> None:
    """A register that does not exist is refused, also if it is only one of several: 2."""
    _refusal(await bench.ask(frames.ReadInputRegisters(20, 60)), 2, "registers 20 to 79")


@must("DROP-8", "2", wrong=_refuses(lambda request: isinstance(request, frames.Unanswerable) and request.code == 3, 4))
async def illegal_count(bench: ModbusBench) -> None:
    """A count of 0 is refused: 3."""
    _refusal(await bench.raw(b"\x04\x00\x00\x00\x00", "a count of 0"), 3, "a count of 0")


@must("DROP-9", "2", wrong=_refuses(lambda request: isinstance(request, frames.WriteRegisters), 4))
async def illegal_value(bench: ModbusBench) -> None:
    """An unknown lamp mode is refused: 3; nothing is written."""
    await bench.ask(frames.WriteRegisters(0, (1, 0)))
    _refusal(await bench.ask(frames.WriteRegisters(0, (9, 5))), 3, "lamp mode 9")
    reply = await bench.ask(frames.ReadHoldingRegisters(0, 1))
    if reply != frames.HoldingRegisters((1,)):
        raise Broken("lamp mode 1, as before", f"{reply!r}")
    await bench.ask(frames.WriteRegisters(0, (0, 0)))


def _no_lamp(sensor: Any, request: Any, reply: Any) -> Any:
    if isinstance(request, frames.ReadHoldingRegisters) and isinstance(reply, frames.HoldingRegisters):
        return frames.HoldingRegisters(tuple(0 if value == 2 else value for value in reply.values))
    return reply


@must("DROP-10", "4", wrong=replies(_no_lamp))
async def lamp(bench: ModbusBench) -> None:
    """The lamp is set with function 16, and read back with function 3."""
    reply = await bench.ask(frames.WriteRegisters(0, (2,)))
    if reply != frames.RegistersWritten(0, 1):
        raise Broken("one register written", f"{reply!r}")
    reply = await bench.ask(frames.ReadHoldingRegisters(0, 1))
    await bench.ask(frames.WriteRegisters(0, (0,)))
    if reply != frames.HoldingRegisters((2,)):
        raise Broken("lamp mode 2", f"{reply!r}")


@must("DROP-11", "2", wrong=sensors(lambda sensor: setattr(sensor, "broadcast", lambda request: None)))
async def broadcast(bench: ModbusBench) -> None:
    """A write to unit 0 is executed and not answered."""
    if await bench.send(frames.encode(frames.BROADCAST, frames.WriteRegisters(0, (1,)))):
        raise Broken("no answer to a broadcast", "an answer")
    reply = await bench.ask(frames.ReadHoldingRegisters(0, 1))
    await bench.ask(frames.WriteRegisters(0, (0,)))
    if reply != frames.HoldingRegisters((1,)):
        raise Broken("lamp mode 1 after a broadcast", f"{reply!r}")


@must("DROP-12", "5", wrong=lambda boxes: setattr(boxes.bus, "_turnaround", 0.09))
async def answers_in_time(bench: ModbusBench) -> None:
    """The sensor begins to answer within 20 ms of the request's end."""
    took = []
    for _ in range(3):
        await bench.registers()
        took.append(bench.answered_at - bench.asked_at)
    if min(took) > 0.06:
        raise Broken(
            "an answer after at most 20 ms (and the latency of an adapter)", f"after {1000 * min(took):.0f} ms"
        )


@must(
    "DROP-13",
    "3",
    wrong=sensors(lambda sensor: setattr(sensor._rng, "randint", lambda low, high, boot=sensor.boot: boot)),
)
async def boot(bench: ModbusBench) -> None:
    """boot is not 0, and another number after each power-up."""
    before = (await bench.reading()).boot
    await bench.hands.do(POWER_CYCLE)
    await bench.pause(0.2)
    after = (await bench.reading()).boot
    if not before or not after or before == after:
        raise Broken("another boot after a power cycle, not 0", f"0x{before:08x}, then 0x{after:08x}")


def _counts_on(sensor: Any) -> None:
    right = sensor.reset

    def reset() -> None:
        drops = sensor.drops
        right()
        sensor.drops = drops + 1

    sensor.reset = reset


@must("DROP-14", "3", wrong=sensors(_counts_on))
async def counters_after_power_up(bench: ModbusBench) -> None:
    """At a reset drops, removals and openings start at 0."""
    await bench.hands.do(DROP)
    await bench.hands.do(POWER_CYCLE)
    await bench.pause(0.2)
    reading = await bench.reading()
    if reading.drops or reading.removals or reading.openings:
        raise Broken("0 drops, removals and openings", f"{reading.drops}, {reading.removals}, {reading.openings}")


async def _counted(bench: ModbusBench, what: Any, name: str) -> int:
    """By how much a counter goes up when something is done."""
    before = getattr(await bench.reading(), name)
    await bench.hands.do(what)
    for _ in range(20):
        if (more := getattr(await bench.reading(), name) - before) != 0:
            await bench.pause(0.1)
            return int(getattr(await bench.reading(), name) - before)
        await bench.pause(bench.hands.patience / 20)
    return int(more)


@must("DROP-15", "3", wrong=readings(drops=lambda reading: 2 * reading.drops))
async def drops(bench: ModbusBench) -> None:
    """A piece that falls through the slot is counted once in drops."""
    more = await _counted(bench, DROP, "drops")
    if more != 1:
        raise Broken("drops to go up by 1", f"by {more}")


@must("DROP-16", "3", wrong=readings(removals=lambda reading: 0))
async def removals(bench: ModbusBench) -> None:
    """A box that is taken out is counted in removals, and bit 0 is clear while it is away."""
    more = await _counted(bench, TAKE_BOX, "removals")
    away = not (await bench.reading()).box_present
    await bench.hands.do(PUT_BOX)
    await bench.pause(0.2)
    if more != 1 or not away:
        raise Broken("removals to go up by 1, bit 0 clear", f"by {more}, bit 0 {'clear' if away else 'set'}")


@must("DROP-17", "3", wrong=readings(openings=lambda reading: 0))
async def openings(bench: ModbusBench) -> None:
    """A door that is opened is counted in openings."""
    more = await _counted(bench, OPEN_DOOR, "openings")
    await bench.hands.do(SHUT_DOOR)
    if more != 1:
        raise Broken("openings to go up by 1", f"by {more}")


def _only_whole(sensor: Any, request: Any, reply: Any) -> Any:
    if isinstance(request, frames.ReadInputRegisters) and 1 < request.count < 26:
        return frames.Refusal(frames.READ_INPUT, 2)
    return reply


@must(
    "DROP-18",
    "2",
    wrong=replies(
        lambda sensor, request, reply: _only_whole(sensor, request, reply) if getattr(request, "address", 0) else reply
    ),
)
async def some_registers(bench: ModbusBench) -> None:
    """A request for some registers gets these: 1 to 125, from any address."""
    whole = await bench.registers()
    reply = await bench.ask(frames.ReadInputRegisters(22, 4))
    if not isinstance(reply, frames.InputRegisters) or reply.values != whole[22:26]:
        raise Broken(f"registers 22 to 25: {whole[22:26]}", f"{reply!r}")


def _no_names(sensor: Any, request: Any, reply: Any) -> Any:
    if isinstance(reply, frames.Identification) and reply.level == 4:
        return frames.Refusal(frames.ENCAPSULATED, 2)
    return reply


@must("DROP-19", "2", wrong=replies(_no_names))
async def identification(bench: ModbusBench) -> None:
    """Function 43, type 14 reads maker, product and firmware: at level 1 all three, at level 4 one."""
    basic = await bench.ask(frames.ReadIdentification(1, 0))
    if not isinstance(basic, frames.Identification) or [number for number, _ in basic.objects] != [0, 1, 2]:
        raise Broken("objects 0, 1 and 2 at level 1", f"{basic!r}")
    one = await bench.ask(frames.ReadIdentification(4, 1))
    if not isinstance(one, frames.Identification) or one.objects != basic.objects[1:2]:
        raise Broken("object 1 alone at level 4", f"{one!r}")


inspected(
    "DROP-20",
    "3",
    "All input registers are copied at once, when the request has arrived.",
    "a torn copy shows only when a piece falls in the same microseconds: look at the firmware",
    home=__name__,
)
inspected(
    "DROP-21",
    "3",
    "A piece whose worth was not read is counted in drops only: the sensor never guesses.",
    "it takes chips that the sensor knows, and some that it does not: try both by hand",
    home=__name__,
)
