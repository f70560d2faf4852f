"""The Wireshark dissector: current, and right about every golden row of the pages, as tshark shows it."""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from protocols import key_panel, shoe
from protocols.link.frames import Ack, Data, Frame, Hello, Reset, encode
from protocols.link.framing import encode_frame
from protocols.link.seal import Seal
from protocols.pcapng import Block, Direction, Interface, Packet, Section
from protocols.pcapng import encode as block
from protocols.wireshark import DEVICES, dissector
from sim_hw.devices.shoe import SimulatedShoe
from sim_hw.time.clock import MAX_SPEED, SimClock
from sim_hw.wire.pty import Pty
from tests.support.project import ROOT
from tests.support.turns import part

LUA = ROOT / "docs" / "protocols" / "wireshark" / "cutcard.lua"
SESSION = 0x5EA51DE0
needs_tshark = pytest.mark.skipif(shutil.which("tshark") is None, reason="needs tshark")


def wire(frame: Frame) -> bytes:
    return encode_frame(encode(frame))


def hello(device_class: int) -> bytes:
    return wire(Hello(SESSION, 0x0BADCAFE, 1, 4, 240, device_class))


def tshark(chunks: list[tuple[Direction, bytes]], *options: str) -> list[str]:
    """What tshark shows of these chunks of one device's port. Root has somebody else start it: from 4.4 on it runs no
    script for root."""
    with TemporaryDirectory() as name:
        return _shown(Path(name), for_anybody(name), chunks, options)


def for_anybody(folder: str) -> str:
    """A copy of the dissector in this folder, both to be read by everybody."""
    Path(folder).chmod(0o755)
    return shutil.copy(str(LUA), folder)


def _shown(folder: Path, lua: str, chunks: list[tuple[Direction, bytes]], options: tuple[str, ...]) -> list[str]:
    file = folder / "link.pcapng"
    blocks: list[Block] = [Section(), Interface(name="shoe")]
    packets = [Packet(interface=0, at_ns=n, direction=way, data=data) for n, (way, data) in enumerate(chunks, 1)]
    file.write_bytes(b"".join(block(each) for each in [*blocks, *packets]))
    command = ["tshark", "-r", str(file), "-X", f"lua_script:{lua}", *options]
    ids: dict[str, Any] = {}
    if os.getuid() == 0:
        nobody = pwd.getpwnam("nobody")
        ids = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": ()}
    environment = {**os.environ, "HOME": str(folder)}
    done: subprocess.CompletedProcess[str] = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=True, cwd=folder, env=environment, **ids
    )
    assert "error" not in done.stderr.lower(), done.stderr
    return done.stdout.splitlines()


def infos(chunks: list[tuple[Direction, bytes]]) -> list[str]:
    return [line.strip() for line in tshark(chunks, "-o", 'gui.column.format:"Info","%i"')]


def test_the_file_is_current() -> None:
    assert LUA.read_text() == dissector(), "run `make dissector`"


@needs_tshark
def test_a_session_in_words() -> None:
    drawn = shoe.CardDrawn(boot=0xC0FFEE01, event_no=2, uptime_ms=61000, draw_no=1, card="9h", why=None)
    shown = infos(
        [
            ("out", wire(Reset(0x0BADCAFE, 1, 1, 4, 240))),
            ("in", hello(1)),
            ("in", wire(Data(SESSION, 0, 0, shoe.encode(drawn)))),
            ("out", wire(Ack(SESSION, 1))),
            ("out", wire(Data(SESSION, 0, 1, b"\x05"))),
        ],
    )
    assert shown == [
        "RESET ack 0",
        "HELLO shoe",
        "DATA 0 CardDrawn event_no=2 draw_no=1 card=9h why=none",
        "ACK ack 1",
        "DATA 0 FirmwareRequest",
    ]


@needs_tshark
def test_a_frame_in_two_chunks_and_bytes_that_are_none() -> None:
    whole = wire(Ack(SESSION, 2))
    broken = whole[:-2] + bytes((whole[-2] ^ 1,)) + whole[-1:]
    shown = infos([("in", whole[:5]), ("out", wire(Ack(SESSION, 9))), ("in", whole[5:]), ("in", broken)])
    assert shown == ["part of a frame", "ACK ack 9", "ACK ack 2", "not a frame: the CRC is wrong"]


@needs_tshark
def test_a_pin_is_not_shown() -> None:
    pin = key_panel.PinEntered(boot=1, event_no=1, uptime_ms=1, request=7, digits="2468")
    text = "\n".join(tshark([("in", hello(4)), ("in", wire(Data(SESSION, 0, 0, key_panel.encode(pin))))], "-V"))
    assert "PinEntered" in text
    assert "digits: (hidden)" in text
    assert "2468" not in text


@needs_tshark
def test_a_sealed_frame_has_its_number() -> None:
    body = Seal(bytes(32), "device").close(encode(Data(SESSION, 3, 0, b"\x02")))
    fields = [f"-e{name}" for name in ("cutcard.kind", "cutcard.number", "cutcard.seq")]
    rows = tshark([("in", encode_frame(body))], "-T", "fields", *fields)
    assert rows == ["DATA sealed\t1\t3"]


@needs_tshark
@pytest.mark.parametrize("device_class", part(sorted(DEVICES), of=4))
def test_every_message_of_a_device_has_its_name(device_class: int) -> None:
    """Every kind that the codec knows, with nothing behind the kind: the name is there whatever follows."""
    _, codec = DEVICES[device_class]
    kinds = [kind for kind in range(1, 256) if codec.knows(kind)]
    chunks: list[tuple[Direction, bytes]] = [("in", hello(device_class))]
    chunks += [("in", wire(Data(SESSION, kind, 0, bytes((kind,))))) for kind in kinds]
    names = tshark(chunks, "-T", "fields", "-e", "cutcard.message")
    assert names[1:] == [codec.type_of(kind).__name__ for kind in kinds]


@needs_tshark
async def test_a_live_port_is_decoded_as_it_speaks(tmp_path: Path) -> None:
    """The command of the page: a capture into a pipe, and tshark at its other end."""
    device = SimulatedShoe(Pty(tmp_path, "shoe"), SimClock(MAX_SPEED), seed=7)
    device.plug()
    capture = f"{sys.executable} -m controller.cli capture - --device {device.url}"
    somebody = "setpriv --reuid=nobody --regid=nogroup --clear-groups " if os.getuid() == 0 else ""
    with TemporaryDirectory() as name:
        lua = for_anybody(name)
        command = f"{capture} | HOME={name} {somebody}tshark -i - -l -c 6 -X lua_script:{lua}"
        try:
            process = await asyncio.create_subprocess_shell(
                command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, cwd=ROOT
            )
            out, err = await asyncio.wait_for(process.communicate(), 120)
        finally:
            device.close()
    shown = out.decode()
    assert "RESET" in shown
    assert "HELLO" in shown
    assert b"Traceback" not in err, err
