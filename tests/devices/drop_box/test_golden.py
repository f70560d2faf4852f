"""The drop-box page says what our code does, and pymodbus, which we did not write, says the same."""

from __future__ import annotations

import re

import msgspec
import pytest
from pymodbus.framer.rtu import FramerRTU

from devices.drivers.drop_box import driver
from devices.ports.modbus_bus import ANSWER_WITHIN
from protocols import drop_box
from protocols.drop_box import FAULT_BITS, PIECES_PER_SECOND, REGISTERS, WORTH_REGISTERS, Reading
from protocols.modbus import ends, frames
from tests.support.wire.golden import page, rows

ROWS = rows("drop-box.md")
FRAMES = [row for row in ROWS if row[0] != "Reading"]
READINGS = [row for row in ROWS if row[0] == "Reading"]

REQUESTS: dict[str, type[frames.Request]] = {
    kind.__name__: kind
    for kind in (
        frames.ReadHoldingRegisters,
        frames.ReadInputRegisters,
        frames.WriteRegister,
        frames.WriteRegisters,
        frames.ReadIdentification,
    )
}
REPLIES: dict[str, type[frames.Reply]] = {
    kind.__name__: kind
    for kind in (
        frames.HoldingRegisters,
        frames.InputRegisters,
        frames.RegisterWritten,
        frames.RegistersWritten,
        frames.Identification,
        frames.Refusal,
    )
}


@pytest.mark.parametrize(("name", "fields", "wire"), FRAMES)
def test_a_golden_frame_is_what_we_send_and_what_we_understand(
    name: str, fields: dict[str, object], wire: bytes
) -> None:
    unit = fields["unit"]
    assert isinstance(unit, int)
    values = {key: value for key, value in fields.items() if key != "unit"}
    if name in REQUESTS:
        request = msgspec.convert(values, type=REQUESTS[name])
        assert frames.encode(unit, request) == wire
        assert frames.decode_request(wire) == (unit, request)
        assert ends.RequestReader(19_200).feed(wire, now=0.0) == [(unit, request)]
    else:
        reply = msgspec.convert(values, type=REPLIES[name])
        assert frames.encode(unit, reply) == wire
        assert frames.decode_reply(wire) == (unit, reply)


@pytest.mark.parametrize(("name", "fields", "wire"), FRAMES)
def test_pymodbus_gives_a_golden_frame_the_same_crc(name: str, fields: dict[str, object], wire: bytes) -> None:
    assert FramerRTU.compute_CRC(wire[:-2]).to_bytes(2, "big") == wire[-2:]


@pytest.mark.parametrize(("name", "fields", "wire"), READINGS)
def test_a_golden_reading_is_what_the_map_says(name: str, fields: dict[str, object], wire: bytes) -> None:
    reading = msgspec.convert(fields, type=Reading)
    registers = tuple(int.from_bytes(wire[at : at + 2], "big") for at in range(0, len(wire), 2))
    assert drop_box.encode(reading) == registers
    assert drop_box.decode(registers) == reading


def test_the_page_shows_every_frame() -> None:
    assert {name for name, _, _ in FRAMES} == set(REQUESTS) | set(REPLIES)
    assert len(READINGS) == 3


def test_the_crc_is_the_catalogues() -> None:
    assert frames.crc16(b"123456789") == 0x4B37
    assert "0x4B37" in page("drop-box.md")


def test_the_register_table_on_the_page_has_no_hole() -> None:
    listed = re.findall(r"^\| (\d+)(?:(?:, | to )(\d+))? \| \w", page("drop-box.md").split("## 4.")[0], re.MULTILINE)
    covered: list[int] = []
    for first, last in listed:
        if len(covered) == WORTH_REGISTERS:
            break
        if int(first) == len(covered):
            covered += range(int(first), int(last or first) + 1)
    assert covered == list(range(WORTH_REGISTERS))
    assert f"{REGISTERS}, or {WORTH_REGISTERS} where register 0 says that there are more" in page("drop-box.md")


def test_the_figures_on_the_page_are_the_ones_in_the_code() -> None:
    text = page("drop-box.md")
    assert f"at most **{PIECES_PER_SECOND} pieces a second**" in text
    for bit, fault in enumerate(FAULT_BITS, start=4):
        assert FAULT_BITS[fault] == 1 << bit
        assert re.search(rf"^\| {bit} \| {fault}", text, re.MULTILINE), fault
    assert f"{ANSWER_WITHIN * 1000:g} ms and the characters of request and answer" in text
    assert f"every {driver.POLL_MS} ms" in text
    patience = ANSWER_WITHIN + ends.on_the_wire(8 + 57, 19_200)
    assert f"**one** unanswered question ({patience:.2f} s at 19,200 baud)" in text
    assert f"weight_step_g` ({driver.WEIGHT_STEP_G} g)" in text
