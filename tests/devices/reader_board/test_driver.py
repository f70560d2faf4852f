"""The reader board's driver under the real supervisor, against simulated signs on a real pseudo-terminal.

Nothing here sleeps: a test waits for what a sign shows, or for a report.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from devices.drivers.reader_board.content import BoardContent, line
from devices.drivers.reader_board.driver import ReaderBoardDriver
from devices.options import OptionsError
from devices.reports import DeviceState
from devices.spec import DeviceSpec
from protocols.alpha.parity import add_parity, strip_parity
from sim_hw.devices.reader_board.device import SimulatedReaderBoard
from sim_hw.devices.reader_board.sign import SimulatedSign
from sim_hw.wire.noise import Noise
from sim_hw.wire.pty import Pty
from tests.support.wire.listener import PATIENCE, Listener, listening
from tests.support.wire.ports import a_port

QUICK = {"gap_ms": 10, "poll_ms": 100}
BANKER = BoardContent(results=(line("BANKER WINS 7 TO 3"), line("BPBT")))
PLAYER = BoardContent(results=(line("PLAYER WINS 9 TO 8"), line("BPBTP")))


def spec(url: str, *, baud: int = 38400, **options: Any) -> DeviceSpec:
    return DeviceSpec(id="board", kind="reader_board", url=url, baud=baud, options=QUICK | options)


def pages(content: BoardContent) -> list[list[str]]:
    return [[shown.text for shown in content.results]]


def driver_of(listener: Listener) -> ReaderBoardDriver:
    return listener.supervisor.driver("board", ReaderBoardDriver)


@pytest.fixture
def port(tmp_path: Path) -> Iterator[Pty]:
    yield from a_port(tmp_path, "board")


@pytest.fixture
async def board(port: Pty) -> AsyncIterator[SimulatedReaderBoard]:
    simulated = SimulatedReaderBoard(port, [SimulatedSign("01")])
    simulated.plug()
    yield simulated
    simulated.unplug()


async def test_the_board_comes_online_and_shows_what_it_is_given(port: Pty, board: SimulatedReaderBoard) -> None:
    (sign,) = board.signs
    async with listening(spec(str(port.path))) as listener:
        driver = driver_of(listener)
        driver.set_content(BANKER)
        state = await listener.online()
        assert (state.model, state.firmware, state.detail) == ("Alpha sign", "10404402A", "")
        await driver.shown()
        assert sign.pages == pages(BANKER)
        driver.set_content(PLAYER)
        await board.until(lambda: sign.pages == pages(PLAYER))
        await driver.shown()
        statistics = listener.supervisor.statistics["board"]
        assert statistics.messages_taken > 0
        assert statistics.frames_sent > statistics.messages_taken
        assert statistics.round_trip_ms is not None
    assert [state.state for state in listener.of(DeviceState)] == ["connecting", "online"]


async def test_content_given_while_the_board_is_away_is_shown_when_it_comes(port: Pty) -> None:
    async with listening(spec(str(port.path))) as listener:
        await listener.gone()
        assert "no port" in listener.detail
        driver_of(listener).set_content(BANKER)
        driver_of(listener).set_content(PLAYER)
        board = SimulatedReaderBoard(port, [SimulatedSign("01")])
        board.plug()
        await board.until(lambda: board.signs[0].pages == pages(PLAYER))
        await listener.online()
        board.unplug()


async def test_a_power_cut_is_reported_and_the_board_right_when_it_is_over(
    port: Pty, board: SimulatedReaderBoard
) -> None:
    (sign,) = board.signs
    async with listening(spec(str(port.path))) as listener:
        driver_of(listener).set_content(BANKER)
        await listener.online()
        sign.power_off()
        gone = await listener.gone()
        assert gone.detail == "the sign does not answer: check power, cable and address"
        driver_of(listener).set_content(PLAYER)
        sign.power_on()
        await board.until(lambda: sign.pages == pages(PLAYER))
        await listener.online()
    assert listener.supervisor.statistics["board"].sessions == 1


async def test_a_pulled_cable_is_reported_and_the_board_right_when_it_is_back(
    port: Pty, board: SimulatedReaderBoard
) -> None:
    (sign,) = board.signs
    async with listening(spec(str(port.path))) as listener:
        driver_of(listener).set_content(BANKER)
        await listener.online()
        board.unplug()
        await listener.gone()
        driver_of(listener).set_content(PLAYER)
        board.plug()
        await board.until(lambda: sign.pages == pages(PLAYER))
        await listener.online()


async def test_several_signs_and_one_of_them_away(port: Pty) -> None:
    first, second = SimulatedSign("01"), SimulatedSign("02")
    board = SimulatedReaderBoard(port, [first, second])
    board.plug()
    signs = [{"address": "01", "panels": ["results"]}, {"address": "02", "panels": ["results"]}]
    async with listening(spec(str(port.path), signs=signs)) as listener:
        driver_of(listener).set_content(BANKER)
        await listener.online()
        second.power_off()
        gone = await listener.gone()
        assert "sign 02 of 2" in gone.detail
        driver_of(listener).set_content(PLAYER)
        await board.until(lambda: first.pages == pages(PLAYER))
        second.power_on()
        await listener.online()
        assert second.pages == pages(PLAYER)
    board.unplug()


async def test_a_board_that_cannot_be_asked_is_online_when_it_was_written(port: Pty) -> None:
    sign = SimulatedSign("00", answers=False)
    board = SimulatedReaderBoard(port, [sign], line="8N1")
    board.plug()
    async with listening(spec(str(port.path), line="8N1", signs=[{"answers": False}])) as listener:
        driver_of(listener).set_content(BANKER)
        state = await listener.online()
        assert state.firmware is None
        await board.until(lambda: sign.pages == pages(BANKER))
    board.unplug()


async def test_over_a_noisy_line_the_board_comes_right(port: Pty) -> None:
    noise = Noise(bit_errors=3e-4, lost_bytes=3e-4, dropped=0.03, cut_short=0.02, garbage=0.05)
    board = SimulatedReaderBoard(port, [SimulatedSign("01")], noise=noise, seed=3)
    board.plug()
    async with listening(spec(str(port.path))) as listener:
        for content in (BANKER, PLAYER) * 2:
            driver_of(listener).set_content(content)
            await board.until(lambda content=content: board.signs[0].pages == pages(content))  # type: ignore[misc]
    board.unplug()


async def test_something_that_is_no_sign_is_named_as_such(port: Pty) -> None:
    port.plug()
    loop = asyncio.get_running_loop()

    def babble() -> None:
        port.read()
        port.write(b"I am a bar code scanner. " * 4)

    loop.add_reader(port.fileno(), babble)
    async with listening(spec(str(port.path))) as listener:
        gone = await listener.gone()
        assert gone.state == "wrong_device"
        assert "no Alpha sign" in gone.detail
    loop.remove_reader(port.fileno())


async def test_a_port_that_takes_no_bytes_does_not_hold_up_the_daemon(
    port: Pty, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("devices.drivers.reader_board.driver.STUCK_AFTER", 0.3)
    port.plug()
    # Nobody reads, and somebody else uses up whatever the terminal can hold.
    loop = asyncio.get_running_loop()
    filler = os.open(port.path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
    loop.add_writer(filler, fill, filler)
    async with listening(spec(str(port.path))) as listener:
        for n in range(500):
            driver_of(listener).set_content(BoardContent(results=(line(f"HAND {n}"),)))
        await listener.until(lambda: listener.state == "offline" and "taken no bytes" in listener.detail)
    loop.remove_writer(filler)
    os.close(filler)


def fill(terminal: int) -> None:
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(terminal, b"\xff" * 256)


async def test_a_slow_disk_behind_the_sink_does_not_stop_the_board(port: Pty, board: SimulatedReaderBoard) -> None:
    (sign,) = board.signs
    driver = ReaderBoardDriver(spec(str(port.path)))
    driver.set_content(BANKER)
    reached, written = asyncio.Event(), asyncio.Event()

    async def slow(_: object) -> None:
        reached.set()
        await written.wait()

    async with asyncio.timeout(PATIENCE):
        running = asyncio.create_task(driver.run(slow))
        await reached.wait()
        driver.set_content(PLAYER)
        await board.until(lambda: sign.pages == pages(PLAYER))
        written.set()
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running


async def test_a_serial_device_server_serves_as_well() -> None:
    sign = SimulatedSign("01")

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(4096):
                writer.write(add_parity(sign.receive(strip_parity(data), asyncio.get_running_loop().time())))
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, family=socket.AF_INET)
    where = server.sockets[0].getsockname()[1]
    async with listening(spec(f"socket://127.0.0.1:{where}")) as listener:
        driver_of(listener).set_content(BANKER)
        await listener.online()
        await driver_of(listener).shown()
        assert sign.pages == pages(BANKER)
    server.close()


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"sings": []}, "signs, line"),
        ({"signs": []}, "at least 1"),
        ({"signs": [{"address": "1"}]}, "address"),
        ({"signs": [{"address": "01"}, {"address": "01"}]}, "own address"),
        ({"signs": [{"address": "01"}, {}]}, "own address"),
        ({"signs": [{"panels": ["roads"]}]}, "roads"),
        ({"signs": [{"panels": ["table", "table"]}]}, "each panel once"),
        ({"signs": [{"columns": 41}]}, "at most 40"),
        ({"line": "8E1"}, "8E1"),
        ({"gap_ms": 1}, "at least 10"),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(OptionsError, match=problem):
        ReaderBoardDriver(DeviceSpec(id="board", kind="reader_board", url="/dev/null", baud=9600, options=options))


def test_a_baud_rate_that_no_sign_finds_is_named() -> None:
    with pytest.raises(OptionsError, match="write baud = 9600"):
        ReaderBoardDriver(DeviceSpec(id="board", kind="reader_board", url="/dev/null"))
