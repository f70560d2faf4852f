"""The reader board's page says what our code does: every golden packet, both ways, and every table of codes."""

from __future__ import annotations

import ast
import re
from typing import get_args

import pytest

from protocols.alpha import codes, commands, packets, special, text
from protocols.alpha.codes import Colour, Font, Mode, Position
from protocols.alpha.commands import Command
from protocols.alpha.packets import Packet, PacketDecoder, encode_packet
from protocols.alpha.parity import add_parity, strip_parity
from tests.support.wire.golden import page

PAGE = page("reader-board.md")
NAMES: dict[str, object] = {
    name: value
    for module in (codes, text, special, commands, packets)
    for name, value in vars(module).items()
    if isinstance(value, type)
}


def value_of(node: ast.expr) -> object:
    """What an expression of the page means: classes, codes and constants, and nothing else."""
    match node:
        case ast.Constant(value):
            return value
        case ast.Tuple(elements):
            return tuple(map(value_of, elements))
        case ast.Attribute(ast.Name(kind), name):
            return getattr(NAMES[kind], name)
        case ast.Call(function, arguments, keywords):
            call = NAMES[function.id] if isinstance(function, ast.Name) else value_of(function)
            assert callable(call)
            return call(*map(value_of, arguments), **{str(word.arg): value_of(word.value) for word in keywords})
        case _:
            raise AssertionError(f"the page says {ast.unparse(node)}")


def golden() -> list[tuple[Packet, bytes]]:
    found = []
    for said, hexed in re.findall(r"^\| `(Packet\(.*\))` \| `([0-9a-f ]+)` \|$", PAGE, re.MULTILINE):
        packet = value_of(ast.parse(said, mode="eval").body)
        assert isinstance(packet, Packet)
        found.append((packet, bytes.fromhex(hexed)))
    return found


GOLDEN = golden()


@pytest.mark.parametrize(("packet", "wire"), GOLDEN)
def test_a_golden_packet_is_what_we_send_and_what_we_understand(packet: Packet, wire: bytes) -> None:
    assert encode_packet(packet) == wire
    assert PacketDecoder().feed(wire) == [packet]


def test_the_page_shows_every_command() -> None:
    shown = {type(command) for packet, _ in GOLDEN for command in packet.commands}
    assert shown == set(get_args(Command))


@pytest.mark.parametrize(("packet", "wire"), GOLDEN)
def test_the_checksum_is_the_sum_from_stx_to_etx(packet: Packet, wire: bytes) -> None:
    blocks = re.findall(rb"\x02[^\x03]*\x03(?=....)", wire, re.DOTALL)
    sums = re.findall(rb"\x03([0-9A-F]{4})", wire)
    assert [f"{sum(block) % 65536:04X}".encode() for block in blocks] == sums or not packet.checksum
    assert len(sums) == (len(packet.commands) if packet.checksum else 0)


def test_the_packet_on_a_line_of_seven_bits_is_the_first_golden_one() -> None:
    (hexed,) = re.findall(r"^    (00 00 00 00 00 81 [0-9a-f ]+)$", PAGE, re.MULTILINE)
    wire = bytes.fromhex(hexed)
    assert add_parity(GOLDEN[0][1]) == wire
    assert strip_parity(wire) == GOLDEN[0][1]
    assert all(byte.bit_count() % 2 == 0 for byte in wire)


def test_the_parity_table_of_the_page_is_right() -> None:
    plain, even = (
        [int(cell[-2:], 16) for cell in re.findall(r"(?:`.` )?[0-9a-f]{2}(?= \|)", line)]
        for line in PAGE.splitlines()
        if line.startswith(("| byte | 00", "| on a 7E1 line"))
    )
    assert add_parity(bytes(plain)) == bytes(even)


def test_the_pages_table_of_modes_and_positions_is_the_one_in_the_code() -> None:
    def key(name: str) -> str:
        return name.replace("'", "").replace(" ", "_").upper()

    modes = {
        key(name): code.encode() for code, name in re.findall(r"`(\w{1,2})` ([a-z][a-z' ]+?)(?: \(3\.0\))? \|", PAGE)
    }
    assert {name: modes[name] for name in Mode.__members__} == {mode.name: mode.value for mode in Mode}
    positions = dict(re.findall(r"^\| (2[026]|3[012]) \S+ \| (\w+)", PAGE, re.MULTILINE))
    assert {name.upper(): bytes.fromhex(code) for code, name in positions.items()} == {
        p.name: p.value for p in Position
    }


@pytest.mark.parametrize(("kind", "row", "lead"), [(Colour, "colour", b"\x1c"), (Font, "font", b"\x1a")])
def test_the_pages_lists_of_colours_and_fonts_are_those_in_the_code(
    kind: type[Colour] | type[Font], row: str, lead: bytes
) -> None:
    (line,) = re.findall(rf"^\| {row} \| (.*) \|$", PAGE, re.MULTILINE)
    listed = [lead + code.encode() for code in re.findall(r"`(.)` [a-z]", line)]
    assert listed == [code.value for code in kind]
