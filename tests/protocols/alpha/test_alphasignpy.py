"""The Alpha codec and the simulated sign against somebody else's implementation: alphasignpy from the package registry.

The same intent gives the same bytes, what it encodes our simulated sign shows, and it reads our sign's answers. Where
its names differ from the manual's table the test says so: there the manual counts (docs/protocols/reader-board.md).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest
from alphasign import Packet as TheirPacket  # type: ignore[import-untyped]
from alphasign import Sign, SignType
from alphasign import protocol as theirs
from alphasign import text_format as markup
from alphasign.commands import (  # type: ignore[import-untyped]
    ReadSpecialFunction,
    ReadString,
    ReadText,
    WriteSpecialFunction,
    WriteString,
    WriteText,
    parse_general_info,
    parse_read_text_response,
)
from alphasign.commands.string_file import parse_read_string_response  # type: ignore[import-untyped]

from protocols.alpha import codes, commands, special
from protocols.alpha.codes import Colour, Control, Font, Mode, Position, Readable, Sound
from protocols.alpha.packets import ANSWER, Address, Packet, PacketDecoder, encode_packet
from protocols.alpha.special import File
from protocols.alpha.text import CallDate, CallPicture, CallString, Section
from sim_hw.devices.reader_board.device import SimulatedReaderBoard
from sim_hw.devices.reader_board.sign import SimulatedSign
from sim_hw.wire.pty import Pty

PATIENCE = 30.0


def their_bytes(*intents: object, to: str = "Z01", checksum: bool = True) -> bytes:
    """What alphasignpy puts on the wire; its 0xFF is a mark for a pause and is not sent."""
    packet = TheirPacket(type_code=to[:1].encode(), address=to[1:])
    for intent in intents:
        packet.add(intent, checksum=checksum)
    return bytes(packet.to_bytes()).replace(theirs.DELAY, b"")


def our_bytes(*intents: commands.Command, to: str = "Z01", checksum: bool = True) -> bytes:
    return encode_packet(Packet(intents, (Address(to[:1], to[1:]),), checksum))


RESULT = markup.color(theirs.Color.RED) + b"BANKER WINS 7 TO 3"
OUR_RESULT = (Colour.RED, "BANKER WINS 7 TO 3")
# alphasignpy calls 0x30 its top line; in the manual it is Fill.
FILL = theirs.DisplayPosition.TOP_LINE

SAME: list[tuple[str, object, commands.Command]] = [
    (
        "a coloured text that holds",
        WriteText(RESULT, label="A", position=FILL, mode=theirs.DisplayMode.HOLD),
        commands.WriteText("A", (Section(Position.FILL, Mode.HOLD, OUR_RESULT),)),
    ),
    (
        "the priority file",
        WriteText(
            "FLOOR CALLED", label="0", position=theirs.DisplayPosition.MIDDLE_LINE, mode=theirs.DisplayMode.FLASH
        ),
        commands.WriteText("0", (Section(Position.MIDDLE, Mode.FLASH, ("FLOOR CALLED",)),)),
    ),
    (
        "a text that calls strings, on two pages",
        WriteText(
            markup.CTRL_SPACE_FIXED
            + markup.string_ref("a")
            + markup.CTRL_NEW_LINE
            + markup.string_ref("b")
            + markup.CTRL_NEW_PAGE
            + markup.picture_ref("P"),
            label="A",
            position=FILL,
            mode=theirs.DisplayMode.HOLD,
        ),
        commands.WriteText(
            "A",
            (
                Section(
                    Position.FILL,
                    Mode.HOLD,
                    (
                        Control.FIXED_WIDTH_ON,
                        CallString("a"),
                        Control.NEW_LINE,
                        CallString("b"),
                        Control.NEW_PAGE,
                        CallPicture("P"),
                    ),
                ),
            ),
        ),
    ),
    (
        "fonts, speeds, switches, date and time",
        WriteText(
            markup.font(theirs.Font.SEVEN_HIGH_FANCY)
            + markup.speed(3)
            + markup.CTRL_FLASH_ON
            + b"x"
            + markup.CTRL_FLASH_OFF
            + markup.attr("wide", True)
            + markup.CTRL_WIDE_ON
            + markup.CTRL_WIDE_OFF
            + markup.date_code("dow")
            + markup.CTRL_TIME,
            label="A",
            position=FILL,
            mode=theirs.DisplayMode.ROTATE,
        ),
        commands.WriteText(
            "A",
            (
                Section(
                    Position.FILL,
                    Mode.ROTATE,
                    (
                        Font.SEVEN_FANCY,
                        Control.SPEED_3,
                        Control.FLASH_ON,
                        "x",
                        Control.FLASH_OFF,
                        Control.ATTRIBUTE_WIDE_ON,
                        Control.WIDE_ON,
                        Control.WIDE_OFF,
                        CallDate("9"),
                        Control.TIME,
                    ),
                ),
            ),
        ),
    ),
    ("a string", WriteString(RESULT, label="a"), commands.WriteString("a", OUR_RESULT)),
    ("reading a string", ReadString("a"), commands.ReadString("a")),
    ("reading a text", ReadText("A"), commands.ReadText("A")),
    (
        "the memory",
        WriteSpecialFunction.configure_memory(
            [
                {"label": "A", "type": theirs.FileType.TEXT, "size": 512, "protection": theirs.FileProtection.LOCKED},
                {"label": "a", "type": theirs.FileType.STRING, "size": 72, "protection": theirs.FileProtection.LOCKED},
            ]
        ),
        special.ConfigureMemory((File.text("A", 512), File.string("a", 72))),
    ),
    ("clear and compact", WriteSpecialFunction.clear_memory(), special.ClearAndCompact()),
    ("the time", WriteSpecialFunction.set_time(21, 30), special.SetTime(21, 30)),
    ("the date", WriteSpecialFunction.set_date(2, 28, 26), special.SetDate(2, 28, 26)),
    ("the day", WriteSpecialFunction.set_day_of_week(theirs.DayOfWeek.SUNDAY), special.SetDayOfWeek(1)),
    ("24 hours", WriteSpecialFunction.set_time_format(theirs.TimeFormat.MILITARY), special.SetTimeFormat(True)),
    ("the speaker", WriteSpecialFunction.set_speaker(False), special.SetSpeaker(False)),
    ("three beeps", WriteSpecialFunction.generate_tone(1), special.Tone(Sound.THREE_BEEPS)),
    ("a beep", WriteSpecialFunction.generate_tone(2, 0x40, 5, 2), special.Beep(0x40, 5, 2)),
    ("a soft reset", WriteSpecialFunction.soft_reset(), special.SoftReset()),
    ("a run sequence", WriteSpecialFunction.set_run_sequence("SLAB"), special.SetRunSequence("AB")),
    (
        "asking for the memory",
        ReadSpecialFunction(theirs.SpecialFunction.MEMORY_CONFIG),
        commands.ReadSpecial(Readable.MEMORY),
    ),
    (
        "asking who it is",
        ReadSpecialFunction(theirs.SpecialFunction.GENERAL_INFO),
        commands.ReadSpecial(Readable.GENERAL_INFORMATION),
    ),
]


@pytest.mark.parametrize(("their", "our"), [row[1:] for row in SAME], ids=[row[0] for row in SAME])
@pytest.mark.parametrize("to", ["Z00", "Z01", "f0A"])
def test_the_same_intent_is_the_same_bytes(their: object, our: commands.Command, to: str) -> None:
    wire = their_bytes(their, to=to)
    assert wire == our_bytes(our, to=to)
    assert PacketDecoder().feed(wire) == [Packet((our,), (Address(to[:1], to[1:]),))]


@pytest.mark.parametrize("checksum", [True, False])
def test_several_commands_in_one_packet_are_the_same_bytes(checksum: bool) -> None:
    their = their_bytes(*(intent for _, intent, _ in SAME), checksum=checksum)
    assert their == our_bytes(*(intent for _, _, intent in SAME), checksum=checksum)


def test_a_single_command_without_checksum_is_the_same_bytes() -> None:
    assert their_bytes(SAME[0][1], checksum=False) == our_bytes(SAME[0][2], checksum=False)


def names(enumeration: object) -> dict[str, bytes]:
    return {name: member.value for name, member in vars(enumeration)["_member_map_"].items()}


def test_its_colours_modes_and_fonts_are_ours() -> None:
    british = {"AUTO": "AUTO", "MIX": "MIX", "RAINBOW1": "RAINBOW_1", "RAINBOW2": "RAINBOW_2"}
    for name, value in names(theirs.Color).items():
        assert Colour[british.get(name, name)].value == value
    for name, value in names(theirs.DisplayMode).items():
        if name != "SPECIAL":
            assert Mode[name].value == value
    fonts = {name: value for name, value in names(theirs.Font).items() if "CUSTOM" not in name}
    assert sorted(fonts.values()) == sorted(font.value for font in Font)


def test_where_its_names_are_not_the_manuals() -> None:
    """Three independent transcriptions of the manual agree with ours (see the page); none has these."""
    positions = names(theirs.DisplayPosition)
    assert positions["MIDDLE_LINE"] == Position.MIDDLE.value
    assert positions["FILL"] == Position.BOTTOM.value
    assert positions["TOP_LINE"] == Position.FILL.value

    special_modes = {name: b"n" + value for name, value in names(theirs.SpecialMode).items()}
    shifted = {"SPRAY", "STARBURST", "WELCOME", "SLOT_MACHINE", "NEWS_FLASH", "TRUMPET"}
    for name in shifted:
        assert special_modes[name] != Mode[name].value
    ours = {"CYCLE_COLORS": "CYCLE_COLOURS", "DONT_DRINK_DRIVE": "DONT_DRINK_AND_DRIVE", "TURBOCAR": "TURBO_CAR"}
    for name in special_modes.keys() - shifted:
        assert special_modes[name] == Mode[ours.get(name, name)].value

    # Its "clear memory" is the Alpha 3.0 command that also compacts; the one that every sign knows is a bare E$.
    assert b"E$$$$" in their_bytes(WriteSpecialFunction.clear_memory())
    assert commands.encode(special.ClearMemory()) == b"E$"


def open_port(sign: Sign, port: Pty) -> None:
    # Its last step is to drop DTR, which a pseudo-terminal does not have; the port is open by then.
    with suppress(OSError):
        sign.open(str(port.path))
    assert sign.is_open


@pytest.fixture
async def board(tmp_path: Path) -> AsyncIterator[tuple[SimulatedReaderBoard, Pty]]:
    port = Pty(tmp_path, "board")
    signs = [SimulatedSign("01"), SimulatedSign("02", rows=1)]
    simulated = SimulatedReaderBoard(port, signs, line="8N1")
    simulated.plug()
    Sign._reset()
    yield simulated, port
    Sign._reset()
    simulated.unplug()


async def test_what_it_sends_over_a_serial_port_our_signs_show(board: tuple[SimulatedReaderBoard, Pty]) -> None:
    simulated, port = board
    first, second = simulated.signs

    def say() -> None:
        sign = Sign(sign_type=SignType.ALL, address="01")
        open_port(sign, port)
        try:
            memory = [
                {"label": "A", "type": theirs.FileType.TEXT, "size": 256},
                {"label": "a", "type": theirs.FileType.STRING, "size": 64, "protection": theirs.FileProtection.LOCKED},
            ]
            sign.send(TheirPacket(b"Z", "00").add(WriteSpecialFunction.configure_memory(memory)))
            calls = RESULT + markup.CTRL_NEW_LINE + markup.string_ref("a")
            text = WriteText(calls, label="A", position=FILL, mode=theirs.DisplayMode.HOLD)
            history = WriteString(markup.color(theirs.Color.GREEN) + b"PPBTP", label="a")
            sign.send(TheirPacket(b"Z", "01").add(text).add(history))
            sign.send(TheirPacket(b"Z", "02").add(WriteText("Hello", label="A", mode=theirs.DisplayMode.ROTATE)))
        finally:
            sign.close()

    async with asyncio.timeout(PATIENCE):
        await asyncio.to_thread(say)
        await simulated.until(lambda: bool(second.pages))
    assert first.pages == [["BANKER WINS 7 TO 3", "PPBTP"]]
    assert first.mode is Mode.HOLD
    assert {cell.colour for cell in first.cells()[0]} == {Colour.RED}
    assert {cell.colour for cell in first.cells()[1]} == {Colour.GREEN}
    assert second.pages == [["Hello"]]
    assert second.mode is Mode.ROTATE
    assert first.errors == second.errors == 0


async def test_it_reads_the_answers_of_our_sign_over_a_serial_port(board: tuple[SimulatedReaderBoard, Pty]) -> None:
    _, port = board

    def ask() -> dict[str, object]:
        sign = Sign(sign_type=SignType.ALL, address="01")
        open_port(sign, port)
        try:
            sign.send(TheirPacket(b"Z", "01").add(WriteSpecialFunction.set_time(21, 30)))
            sign.send(TheirPacket(b"Z", "01").add(ReadSpecialFunction(theirs.SpecialFunction.GENERAL_INFO)))
            information: dict[str, object] = parse_general_info(sign.read_response(raise_on_timeout=True))
            return information
        finally:
            sign.close()

    async with asyncio.timeout(PATIENCE):
        answer = await asyncio.to_thread(ask)
    assert (answer["firmware"], answer["firmware_rev"], answer["time"]) == ("10404402", "A", "2130")
    assert answer["memory_pool"] == 0x77F0


def test_it_reads_our_answers_to_its_questions() -> None:
    text = commands.WriteText("A", (Section(Position.FILL, Mode.HOLD, OUR_RESULT),))
    label, position, mode, message = parse_read_text_response(encode_packet(Packet((text,), (ANSWER,))))
    assert (label, position, mode) == ("A", FILL, theirs.DisplayMode.HOLD)
    assert message == RESULT

    string = commands.WriteString("a", OUR_RESULT)
    assert parse_read_string_response(encode_packet(Packet((string,), (ANSWER,)))) == ("a", RESULT)
    assert theirs.TypeCode.RESPONSE.value.decode() == codes.RESPONSE
