"""The wires: each codec against its line rate, and what a daemon costs while nothing happens.

Bytes are counted as they stand on the wire, frames, stuffing and checks included; a byte is ten bits on a serial line.
What is decoded are the golden messages of the protocol pages, one after the other.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from protocols import dice_cup, key_panel, shoe
from protocols.alpha.commands import WriteString
from protocols.alpha.packets import Packet, PacketDecoder, encode_packet
from protocols.hid import pos
from protocols.link import frames, framing
from protocols.link.messages import Codec
from protocols.modbus.frames import InputRegisters, decode_reply, encode
from protocols.shuffler import codec as shuffler_codec
from tests.bench.figures import Figure
from tests.bench.measure import Run, in_turns
from tests.engine.test_table_devices import FullTable, full_table
from tests.protocols.hid.test_pos import LAYOUT, SCANS
from tests.support.wire.golden import rows

SERIAL_BYTES = 115_200 / 10
USB_BYTES = 12_000_000 / 8
TIMES_LINE_RATE = 20.0
MOST_IDLE_PERCENT = 2.0


def figures(repeats: int, idle_s: float) -> Iterator[Figure]:
    """Every codec, decoding."""
    for name, codec, document in (
        ("shoe", shoe.CODEC, "shoe.md"),
        ("shuffler", shuffler_codec.CODEC, "shuffler.md"),
        ("dice cup", dice_cup.CODEC, "dice-cup.md"),
        ("key panel", key_panel.CODEC, "key-panel.md"),
    ):
        messages = [data for _, _, data in rows(document)]
        yield from _against(f"{name}: frames to messages", _link(codec, messages), _plain(codec, messages), repeats)
    yield from _against("drop box: Modbus replies", _modbus(), None, repeats)
    yield from _against("reader board: packets", _alpha(), None, repeats)
    yield from _against("card reader: HID reports", _hid(), None, repeats, USB_BYTES)
    yield asyncio.run(idle_share(idle_s))


def _against(
    name: str, ours: Run, plain: Run | None, repeats: int, line_rate: float = SERIAL_BYTES
) -> Iterator[Figure]:
    runs = {"ours": ours} if plain is None else {"ours": ours, "plain": plain}
    speeds = in_turns(runs, repeats)
    best = speeds["ours"].best
    ratio = best / line_rate
    target = f"{TIMES_LINE_RATE:g} times"
    met = ratio >= TIMES_LINE_RATE
    yield Figure(name, best, speeds["ours"].median, "line rate, bytes", line_rate, ratio, target, met)
    if plain is not None:
        peer = speeds["plain"].best
        yield Figure(name, best, speeds["ours"].median, "plain construct", peer, best / peer, worse="smaller")


def _link(codec: Codec[Any], messages: list[bytes]) -> Run:
    wire = b"".join(
        framing.encode_frame(frames.encode(frames.Data(session=7, seq=n % 256, ack=0, payload=data)))
        for n, data in enumerate(messages)
    )

    def run() -> int:
        deframer = framing.Deframer()
        for body in deframer.feed(wire):
            frame = frames.decode(body)
            assert isinstance(frame, frames.Data)
            codec.decode(frame.payload)
        return len(wire)

    return run


def _plain(codec: Codec[Any], messages: list[bytes]) -> Run:
    """The same layouts, parsed by construct alone: no frame, no check, no message."""
    layouts = [(codec.layout_of(data[0]), data[1:]) for data in messages]
    size = sum(len(data) for data in messages)

    def run() -> int:
        for layout, data in layouts:
            layout.parse(data)
        return size

    return run


def _modbus() -> Run:
    replies = [encode(unit, InputRegisters(tuple(range(unit, unit + 24)))) for unit in range(1, 17)]
    size = sum(map(len, replies))

    def run() -> int:
        for reply in replies:
            decode_reply(reply)
        return size

    return run


def _alpha() -> Run:
    packets = [Packet((WriteString(label, (f"BANKER {n} PLAYER {n}",)),)) for n, label in enumerate("ABCDEFGH")]
    wire = b"".join(encode_packet(packet) for packet in packets)

    def run() -> int:
        assert len(PacketDecoder().feed(wire)) == len(packets)
        return len(wire)

    return run


def _hid() -> Run:
    codes = (b"9HD6", b"KD41", b"2C0F")
    reports = [report for code in codes for report in pos.encode_scan(LAYOUT, code, "]C0")]
    size = sum(map(len, reports))

    def run() -> int:
        decoder = pos.ScanDecoder(SCANS)
        for report in reports:
            decoder.feed(report, 0.0)
        return size

    return run


async def idle_share(seconds: float) -> Figure:
    """What a daemon takes of one core with six devices at their normal rates and nothing happening."""
    with tempfile.TemporaryDirectory() as folder:
        async with full_table(Path(folder), poll_ms=250) as table:
            await asyncio.sleep(1.0)
            before = _cpu_seconds(table)
            await asyncio.sleep(seconds)
            percent = 100 * (_cpu_seconds(table) - before) / seconds
    target, met = f"at most {MOST_IDLE_PERCENT:g} %", percent <= MOST_IDLE_PERCENT
    return Figure("idle daemon, of one core", percent, percent, "", None, None, target, met, " %")


def _cpu_seconds(table: FullTable) -> float:
    fields = Path(f"/proc/{table.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
