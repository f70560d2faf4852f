"""The simulated LED sign: it keeps its memory, shows it as text and as dots, and behaves as owners measured."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from protocols.alpha.codes import Colour, Control, FileKind, Mode, Position, Readable, RunOrder
from protocols.alpha.commands import Command, ReadSpecial, ReadString, ReadText, WriteString, WriteText
from protocols.alpha.packets import Address, Packet, PacketDecoder, encode_packet
from protocols.alpha.special import (
    Beep,
    ClearMemory,
    ConfigureMemory,
    File,
    GeneralInformation,
    MemoryPool,
    SetDate,
    SetDayOfWeek,
    SetRunSequence,
    SetSpeaker,
    SetTime,
    SetTimeFormat,
    SoftReset,
)
from protocols.alpha.text import CallDate, CallPicture, CallString, Extended, Item, Section
from sim_hw.devices.reader_board.led_font import glyph
from sim_hw.devices.reader_board.led_matrix import DARK_DOT, LIT, PITCH
from sim_hw.devices.reader_board.sign import MEMORY, SimulatedSign
from tests.support.hostile.fuzz import inputs


def tell(sign: SimulatedSign, *commands: Command, now: float = 0.0, to: Address | None = None) -> list[Command]:
    """Send each command in a packet; what the sign answers."""
    wire = b"".join(encode_packet(Packet((command,), (to or Address("Z", sign.address),))) for command in commands)
    return [answer for packet in PacketDecoder().feed(sign.receive(wire, now)) for answer in packet.commands]


def text(*items: Item, label: str = "A", position: Position = Position.FILL) -> WriteText:
    return WriteText(label, (Section(position, Mode.HOLD, items),))


TABLE = ConfigureMemory((File.text("A", 256), File.text("B", 64), File.string("a", 20), File.string("b", 20)))


def test_a_sign_from_the_factory_has_one_text_and_shows_nothing() -> None:
    sign = SimulatedSign()
    assert sign.pages == []
    assert [file.label for file in sign.files] == ["A"]
    tell(sign, text("HELLO"))
    assert sign.pages == [["HELLO"]]


def test_no_other_file_can_be_written_before_it_is_configured() -> None:
    sign = SimulatedSign()
    tell(sign, text("X", label="B"), WriteString("a", ("X",)))
    assert sign.errors == 2
    tell(sign, TABLE, text("X", label="B"), WriteString("a", ("X",)))
    assert sign.errors == 2
    assert sign.pages == [["X"]]


def test_a_text_shows_the_strings_that_it_calls_as_they_are_now() -> None:
    sign = SimulatedSign()
    tell(sign, TABLE, text("HAND ", CallString("a"), Control.NEW_LINE, CallString("b")), WriteString("a", ("1",)))
    assert sign.pages == [["HAND 1", ""]]
    tell(sign, WriteString("a", ("2",)), WriteString("b", (Colour.RED, "BP")))
    assert sign.pages == [["HAND 2", "BP"]]
    assert {cell.colour for cell in sign.cells()[1]} == {Colour.RED}


def test_a_colour_set_in_a_string_goes_on_behind_it() -> None:
    sign = SimulatedSign()
    tell(sign, TABLE, WriteString("a", (Colour.GREEN, "P")), text(Colour.RED, "B", CallString("a"), "X"))
    assert [cell.colour for cell in sign.cells()[0]] == [Colour.RED, Colour.GREEN, Colour.GREEN]


def test_a_string_called_by_a_string_shows_its_label() -> None:
    sign = SimulatedSign()
    tell(sign, TABLE, WriteString("a", ("X", CallString("b"), "X")), WriteString("b", ("no",)), text(CallString("a")))
    assert sign.pages == [["XbX"]]


def test_a_string_that_does_not_fit_is_emptied() -> None:
    sign = SimulatedSign()
    tell(sign, TABLE, text(CallString("a")), WriteString("a", ("OLD",)), WriteString("a", ("x" * 21,)))
    assert sign.pages == [[""]]
    assert sign.errors == 1


def test_a_table_that_does_not_fit_changes_nothing() -> None:
    sign = SimulatedSign(memory=300)
    tell(sign, text("OLD"), TABLE)
    assert sign.pages == [["OLD"]]
    assert sign.errors == 1


def test_configuring_forgets_every_file() -> None:
    sign = SimulatedSign()
    tell(sign, text("OLD"), TABLE)
    assert sign.pages == []


def test_the_priority_file_takes_the_display_and_gives_it_back_only_when_written_bare() -> None:
    sign = SimulatedSign()
    tell(sign, text("HELLO"), text("FLOOR", label="0"))
    assert sign.pages == [["FLOOR"]]
    tell(sign, text(label="0"))
    assert sign.pages == [[""]]
    tell(sign, WriteText("0"))
    assert sign.pages == [["HELLO"]]


def test_lines_wrap_and_pages_follow() -> None:
    sign = SimulatedSign(rows=2, columns=10)
    tell(sign, text("BANKER WINS 7 TO 3", Control.NEW_LINE, "B", Control.NEW_PAGE, "P"))
    assert sign.pages == [["BANKER WIN", "S 7 TO 3"], ["B"], ["P"]]


def test_a_run_sequence_says_which_texts_are_shown_and_in_what_order() -> None:
    sign = SimulatedSign()
    tell(sign, TABLE, text("ONE"), text("TWO", label="B"))
    assert sign.pages == [["ONE"], ["TWO"]]
    tell(sign, SetRunSequence("BA"))
    assert sign.pages == [["TWO"], ["ONE"]]
    tell(sign, SetRunSequence("ZB"))
    assert sign.pages == [["TWO"]]


def test_time_date_and_the_characters_beyond_ascii() -> None:
    sign = SimulatedSign()
    tell(
        sign,
        text(
            Control.TIME, " ", CallDate("0"), " ", CallDate("9"), " ", Extended(0x9B), Extended(0xB0), CallPicture("P")
        ),
    )
    tell(sign, SetTime(21, 5), SetDate(2, 28, 26), SetDayOfWeek(7))
    assert sign.pages == [["9:05 PM 02/28/26 SAT ¢?"]]
    tell(sign, SetTimeFormat(True))
    assert sign.pages == [["21:05 02/28/26 SAT ¢?"]]


def test_a_sign_without_power_shows_and_receives_nothing_and_forgets() -> None:
    sign = SimulatedSign()
    tell(sign, text("HELLO"))
    sign.power_off()
    assert sign.pages == []
    assert tell(sign, text("LOST"), ReadText("A")) == []
    sign.power_on()
    assert sign.pages == []
    assert sign.text("A") is None


def test_a_sign_with_a_battery_remembers() -> None:
    sign = SimulatedSign(keeps_memory=True)
    tell(sign, text("HELLO"))
    sign.power_cycle()
    assert sign.pages == [["HELLO"]]


@pytest.mark.parametrize("command", [ClearMemory(), SoftReset()])
def test_a_sign_that_restarts_is_deaf_for_a_while(command: Command) -> None:
    sign = SimulatedSign(restart_s=2.0)
    tell(sign, text("OLD"), command)
    tell(sign, text("TOO SOON"), now=1.9)
    assert sign.pages == ([["OLD"]] if isinstance(command, SoftReset) else [])
    tell(sign, text("NEW"), now=2.1)
    assert sign.pages == [["NEW"]]


def test_a_packet_that_stops_for_a_second_is_given_up() -> None:
    sign = SimulatedSign()
    wire = encode_packet(Packet((text("HELLO"),), (Address("Z", "01"),)))
    sign.receive(wire[:20], 0.0)
    sign.receive(wire[20:], 1.5)
    assert sign.pages == []
    sign.receive(wire[:20], 2.0)
    sign.receive(wire[20:], 2.9)
    assert sign.pages == [["HELLO"]]


def test_only_the_sign_that_is_meant_listens() -> None:
    sign = SimulatedSign("0A", type_code="c")
    for to in (Address("Z", "0B"), Address("f", "0A"), Address("Z", "?B")):
        tell(sign, text("NOT YOU"), to=to)
    assert sign.pages == []
    for number, to in enumerate((Address("Z", "00"), Address("c", "0A"), Address("Z", "?A"))):
        tell(sign, text(str(number)), to=to)
        assert sign.pages == [[str(number)]]


def test_a_busy_sign_misses_packets() -> None:
    sign = SimulatedSign()
    sign.lose(1)
    tell(sign, text("LOST"), text("KEPT"))
    assert sign.pages == [["KEPT"]]


def test_what_it_answers() -> None:
    sign = SimulatedSign()
    hello = text(Colour.RED, "HELLO")
    tell(sign, TABLE, hello, WriteString("a", ("x",)), SetTime(9, 30), SetSpeaker(False), Beep(0, 1))
    free = MEMORY - 256 - 64 - 20 - 20 - 4 * 11
    assert tell(sign, ReadText("A")) == [hello]
    assert tell(sign, ReadText("B")) == [WriteText("B")]
    assert tell(sign, ReadString("a")) == [WriteString("a", ("x",))]
    assert tell(sign, ReadSpecial(Readable.MEMORY_POOL)) == [MemoryPool(MEMORY, free)]
    assert tell(sign, ReadSpecial(Readable.GENERAL_INFORMATION)) == [
        GeneralInformation("10404402", "A", "0998", "0930", False, False, MEMORY, free)
    ]
    (table,) = tell(sign, ReadSpecial(Readable.MEMORY))
    assert isinstance(table, ConfigureMemory)
    assert table.files[1:] == TABLE.files[1:]
    assert table.files[0] == File("A", FileKind.TEXT, 256 + free, locked=True, extra="FFFF")
    assert tell(sign, ReadSpecial(Readable.RUN_SEQUENCE)) == [SetRunSequence("AB", RunOrder.BY_TIME, locked=False)]
    sign.answers = False
    assert tell(sign, ReadText("A")) == []


def picture(sign: SimulatedSign, page: int = 0) -> Image.Image:
    """As an independent reader of PNG sees it."""
    return Image.open(io.BytesIO(sign.png(page))).convert("RGB")


def dot(image: Image.Image, x: int, y: int) -> tuple[int, ...]:
    """The colour in the middle of a dot."""
    found = image.getpixel((PITCH + x * PITCH + 2, PITCH + y * PITCH + 2))
    assert isinstance(found, tuple)
    return tuple(int(part) for part in found)


def test_the_picture_has_every_dot_of_every_character() -> None:
    sign = SimulatedSign(rows=1, columns=10)
    tell(sign, text(Control.FIXED_WIDTH_ON, Colour.RED, "B7", Colour.GREEN, "P", Colour.AMBER, "T8*&g"))
    image = picture(sign)
    assert image.size == ((10 * 6 + 2) * PITCH, (8 + 2) * PITCH)
    for place, cell in enumerate(sign.cells()[0]):
        for y, row in enumerate(glyph(cell.character)):
            for x, lit in enumerate(row):
                assert dot(image, place * 6 + x, y) == (LIT[cell.colour] if lit == "#" else DARK_DOT)


def test_every_colour_of_a_sign_can_be_distinguished() -> None:
    sign = SimulatedSign(rows=1, columns=12)
    tell(sign, text(Control.FIXED_WIDTH_ON, *(item for colour in Colour for item in (colour, "\x7f"))))
    image = picture(sign)
    shown = [dot(image, place * 6, 0) for place in range(12)]
    assert shown[:8] == list(LIT.values())
    assert len(set(shown[:8])) == 8
    assert all(colour in LIT.values() for colour in shown[8:])


@pytest.mark.parametrize(("position", "first_row"), [(Position.TOP, 0), (Position.BOTTOM, 8), (Position.FILL, 4)])
def test_a_line_stands_where_its_position_says(position: Position, first_row: int) -> None:
    sign = SimulatedSign(rows=2, columns=10)
    tell(sign, text(Colour.RED, "\x7f", position=position))
    image = picture(sign)
    lit = [y for y in range(16) if any(dot(image, x, y) == LIT[Colour.RED] for x in range(60))]
    assert lit == list(range(first_row, first_row + 7))


def test_a_sign_that_shows_nothing_has_a_dark_picture() -> None:
    sign = SimulatedSign()
    tell(sign, text("HELLO"))
    bright = picture(sign)
    sign.power_off()
    dark = picture(sign)
    assert dark.size == bright.size
    assert {dot(dark, x, y) for x in range(24 * 6) for y in range(16)} == {DARK_DOT}


@pytest.mark.timeout(3600)
def test_a_sign_lives_through_damaged_and_random_bytes() -> None:
    good = [
        encode_packet(Packet((command,), (Address("Z", "01"),)))
        for command in (TABLE, text("HELLO", CallString("a")), WriteString("a", ("x",)), ReadSpecial(Readable.MEMORY))
    ]
    sign = SimulatedSign()
    answered = 0
    for number, data in enumerate(inputs("alpha sign", good)):
        answer = sign.receive(data, number * 0.01)
        answered += bool(answer)
        assert all(len(page) <= sign.rows for page in sign.pages)
    assert answered > 0
    tell(sign, ClearMemory(), WriteText("0"), text("STILL HERE"), now=1e9)
    assert sign.pages == [["STILL HERE"]]
