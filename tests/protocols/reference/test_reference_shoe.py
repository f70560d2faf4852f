"""The reference shoe, judged by `cutcard rig conform` as a stranger's shoe would be: it is a file of its own."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import random
import shutil
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from protocols.link.frames import Ack, Data, Frame, Reset, encode
from protocols.link.framing import encode_frame
from sim_hw.conform.hands import Act
from sim_hw.conform.kinds import KINDS, Chosen
from sim_hw.conform.opening import open_line
from sim_hw.conform.play import Outcome, play
from sim_hw.conform.requirement import NotPlayed
from sim_hw.time.loop import SimLoop
from sim_hw.wire.local_port import LocalPort
from tests.support.project import ROOT

FILE = ROOT / "docs" / "protocols" / "reference" / "shoe.py"
DECK = [suit << 4 | rank for suit in range(4) for rank in range(2, 15)]
TICK_S = 0.005


def reference() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reference_shoe", FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Board:
    """The reference shoe on a port: what a microcontroller's main loop does, and the hands at the shoe."""

    patience = 3.0

    def __init__(self, port: LocalPort) -> None:
        rng = random.Random("reference")
        self._port, self._loop = port, asyncio.get_running_loop()
        self.shoe: Any = reference().Shoe(lambda: rng.getrandbits(32))
        self._pulls = False
        self._cut_card_at: int | None = None
        port.plug()
        port.attend(self._loop, self._readable)
        self._write(self.shoe.power_up(self._now))
        self._tick()

    @property
    def _now(self) -> int:
        return int(self._loop.time() * 1000)

    def _write(self, data: bytes) -> None:
        if data:
            self._port.write(data)

    def _readable(self) -> None:
        self._write(self.shoe.receive(self._port.read(), self._now))

    def _tick(self) -> None:
        if self._pulls and not self.shoe.is_locked:
            self._pulls = False
            self._pull()
        self._write(self.shoe.tick(self._now))
        self._timer = self._loop.call_later(TICK_S, self._tick)

    def _pull(self) -> None:
        if self._cut_card_at == 0:
            self._cut_card_at = None
            self.shoe.cut_card()
        else:
            self.shoe.draw()
            if self._cut_card_at is not None:
                self._cut_card_at -= 1

    def close(self) -> None:
        self._timer.cancel()
        self._port.leave(self._loop)
        self._port.unplug()

    async def do(self, what: Act) -> None:
        how, shoe = dict(what.how), self.shoe
        match what.name:
            case "open_lid" | "close_lid":
                shoe.lid(what.name == "open_lid")
            case "load":
                cards = {"9h": [0x29], "9h 2c": [0x29, 0x02]}.get(how.get("cards", ""), DECK)
                self._cut_card_at = how.get("cut_card_at")
                shoe.load(1, cards)
            case "pull":
                self._pulls = True
            case "pull_hard":
                shoe.draw(force=True)
            case "push_back":
                shoe.push_back()
            case "misread_next":
                shoe.cards[0] = 0
            case "fill":
                while len(shoe.link.outbox) < reference().MOST_EVENTS or shoe.lid_open:
                    shoe.lid(not shoe.lid_open)
            case "power_cycle":
                self._write(shoe.power_up(self._now))
            case _:
                raise NotPlayed(f"the board has no act {what.name}")

    async def stop(self) -> None:
        self._pulls = False


async def judged(folder: Path) -> Outcome:
    board = Board(LocalPort(folder, "shoe"))
    made = KINDS["shoe"].make(await open_line(board._port.url, 115_200), board, Chosen())
    try:
        return await play(made.bench, KINDS["shoe"].requirements, await made.survey())
    finally:
        made.close()
        board.close()


def test_the_reference_shoe_conforms(tmp_path: Path) -> None:
    with asyncio.Runner(loop_factory=SimLoop) as runner:
        outcome = runner.run(judged(tmp_path))
    assert outcome.device == "REF-SHOE R-0001, firmware 1.0"
    assert {result.requirement.id: result.detail for result in outcome.of("failed")} == {}
    reasons = {result.detail for result in outcome.of("not played")}
    assert reasons == {"the device does not implement firmware.md"}
    assert len(outcome.of("passed")) > 60


JUDGES = ROOT / "build" / "judges"
MICROPYTHON = JUDGES / "node_modules" / "@micropython" / "micropython-webassembly-pyscript" / "micropython.mjs"
NODE = shutil.which("node")
BOOT, SESSION = 0x5EA51DE1, 0x5EA51DE2


def wire(frame: Frame) -> str:
    return encode_frame(encode(frame)).hex()


CHUNKS: list[tuple[int, str, str]] = [
    (5, wire(Reset(0x0BADCAFE, 1, 1, 4, 240)), ""),
    (10, wire(Data(SESSION, 0, 0, b"\x01")), ""),
    (20, wire(Data(SESSION, 1, 1, b"\x02")), "shoe.load(1, [0x29, 0x6d])"),
    (30, wire(Data(SESSION, 2, 3, b"\x10" + BOOT.to_bytes(4) + (1).to_bytes(4))), ""),
    (40, wire(Ack(SESSION, 4)), "shoe.draw()"),
    (50, "00ff0500", "shoe.draw(force=True)"),
    (900, "", ""),
]
"""A session with two cards, noise, and a frame that nobody acknowledges: time, bytes, and what happens before them."""


@pytest.mark.skipif(NODE is None or not MICROPYTHON.exists(), reason="MicroPython: deploy/setup-machine.sh tests")
def test_it_does_the_same_on_micropython() -> None:
    numbers = iter(range(0x5EA51DE0, 0x5EA51FFF))
    shoe: Any = reference().Shoe(lambda: next(numbers))
    expected = ["micropython", shoe.power_up(0).hex()]
    for at, chunk, act in CHUNKS:
        if act:
            eval(act, {"shoe": shoe})
        expected.append(shoe.receive(bytes.fromhex(chunk), at).hex() + shoe.tick(at).hex())
    done = subprocess.run(
        [str(NODE), str(Path(__file__).with_name("board.mjs")), str(JUDGES / "node_modules"), str(FILE)],
        input=json.dumps(CHUNKS),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.splitlines() == expected
    assert all(expected[2:])
