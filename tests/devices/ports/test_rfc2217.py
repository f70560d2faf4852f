"""A serial-device server: the page's opening, what a server may refuse, and pyserial's own server before a shoe."""

from __future__ import annotations

import asyncio
import re
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import pytest
import serial
from serial import rfc2217 as pyserial_rfc2217

from devices.drivers.shoe import ShoeDriver
from devices.ports.transport import PortError, open_port
from devices.spec import DeviceSpec
from protocols.errors import ProtocolError
from protocols.rfc2217 import MAX_HELD, MAX_SUBNEGOTIATION, Client, Settings, State
from protocols.shoe import CardDrawn
from sim_hw.devices.shoe import SimulatedShoe
from sim_hw.time.clock import MAX_SPEED, SimClock
from sim_hw.wire.pty import Pty
from tests.support.hostile.fuzz import inputs
from tests.support.wire.golden import page
from tests.support.wire.listener import listening

STEPS = [
    (who, bytes.fromhex(hexed))
    for who, hexed in re.findall(r"^    ([<>]) ([0-9a-f ]+)$", page("serial-server.md"), re.M)
]
"""The page's golden opening: `<` the server, `>` we."""
AGREE = STEPS[1][1]
SETTINGS = Settings(baud=115_200)


def opened(settings: Settings = SETTINGS) -> Client:
    client = Client(settings)
    client.outgoing()
    client.receive(AGREE)
    answer = bytearray()
    for setting in re.finditer(rb"\xff\xfa\x2c([\x01-\x04])(.*?)\xff\xf0", client.outgoing(), re.S):
        answer += b"\xff\xfa\x2c" + bytes((setting[1][0] + 100,)) + setting[2] + b"\xff\xf0"
    client.receive(bytes(answer))
    assert client.state is State.OPEN
    return client


# The page


def test_the_golden_opening_of_the_page() -> None:
    client = Client(SETTINGS)
    expected = b""
    for who, data in STEPS[:-2]:
        if who == ">":
            expected += data
        else:
            assert client.outgoing() == expected
            expected = b""
            assert client.receive(data) == b""
    assert client.state is State.OPEN
    (_, from_line), (_, to_line) = STEPS[-2:]
    assert client.receive(from_line) == bytes.fromhex("40 ff 41")
    client.send(bytes.fromhex("41 ff 40"))
    assert client.outgoing() == to_line


def test_a_byte_at_a_time_is_the_same() -> None:
    client = Client(SETTINGS)
    line = b"".join(client.receive(bytes((byte,))) for who, data in STEPS if who == "<" for byte in data)
    assert (client.state, line) == (State.OPEN, bytes.fromhex("40 ff 41"))


def test_a_parity_is_asked_for_as_the_standard_numbers_it() -> None:
    for parity, code in (("none", 1), ("odd", 2), ("even", 3)):
        client = Client(Settings(baud=9600, parity=parity))  # type: ignore[arg-type]
        client.receive(AGREE)
        assert bytes((0xFF, 0xFA, 0x2C, 3, code, 0xFF, 0xF0)) in client.outgoing()


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("ff fe 2c", "it does not speak RFC 2217"),
        ("ff fe 00", "BINARY is refused"),
        ("ff fc 00", "BINARY is refused"),
        (AGREE.hex() + "ff fa 2c 65 00 00 25 80 ff f0", "baud should be 115200 and is 9600"),
        (AGREE.hex() + "ff fa 2c 67 03 ff f0", "parity (1 none, 2 odd, 3 even) should be 1 and is 3"),
        (AGREE.hex() + "ff fa 2c 66 07 ff f0", "data bits should be 8 and is 7"),
    ],
)
def test_a_server_that_cannot_do_what_a_serial_port_needs_is_refused_with_the_reason(answer: str, why: str) -> None:
    client = Client(SETTINGS)
    client.receive(bytes.fromhex(answer))
    assert client.state is State.REFUSED
    assert why in client.refusal
    with pytest.raises(ProtocolError, match="REFUSED"):
        client.send(b"card")


def test_a_server_that_offers_the_option_from_its_own_side_will_do() -> None:
    client = Client(SETTINGS)
    client.outgoing()
    client.receive(bytes.fromhex("ff fb 2c ff fd 00 ff fb 00"))
    assert client.outgoing().startswith(bytes.fromhex("ff fd 2c ff fa 2c 01"))
    assert client.state is State.SETTING


def test_two_ends_never_answer_each_other_for_ever() -> None:
    client = opened()
    client.outgoing()
    for _ in range(100):
        client.receive(bytes.fromhex("ff fb 01 ff fd 18 ff fd 00 ff fb 03"))
    assert client.outgoing() == bytes.fromhex("ff fe 01 ff fc 18")


def test_a_suspended_line_keeps_its_bytes_and_no_more_than_it_may() -> None:
    client = opened()
    client.outgoing()
    client.receive(bytes.fromhex("ff fa 2c 6c ff f0"))
    client.send(b"one ")
    client.send(b"two")
    assert client.outgoing() == b""
    client.receive(bytes.fromhex("ff fa 2c 6d ff f0"))
    assert client.outgoing() == b"one two"
    client.receive(bytes.fromhex("ff fa 2c 6c ff f0"))
    client.send(bytes(MAX_HELD))
    with pytest.raises(ProtocolError, match="suspended"):
        client.send(b"!")


def test_what_is_not_for_us_is_skipped_and_the_data_around_it_is_not() -> None:
    client = opened()
    assert client.receive(b"a\xff\xf1b\xff\xfa\x2c\x6b\x30\xff\xf0c") == b"abc"
    assert client.receive(b"d\xff\xfa\x2c" + bytes(1000) + b"\xff\xf0e") == b"de"
    assert client.receive(b"f\xff\xfa\x2c\x6b\xff\xf1g") == b"fg"
    assert client.receive(b"h\xff\xfa\x18\x01\xff\xf0i") == b"hi"


@pytest.mark.timeout(3600)
def test_damaged_and_random_bytes_raise_nothing_and_keep_nothing() -> None:
    good = [data for who, data in STEPS if who == "<"]
    client, written = Client(SETTINGS), 0
    for number, data in enumerate(inputs("rfc2217", good)):
        if number % 50 == 0:
            client = Client(SETTINGS) if number % 100 == 0 else opened()
            written = 0
        try:
            line = client.receive(data)
            written += len(client.outgoing())
        except Exception as error:
            raise AssertionError(f"input {number}, {data.hex(' ')}: {type(error).__name__}") from error
        assert len(line) <= len(data)
        assert client.held <= MAX_SUBNEGOTIATION + MAX_HELD
        assert written < 4000, "each refusal is sent once"


# pyserial's server


class NoModem(serial.Serial):
    """A pseudo-terminal has no modem lines; pyserial's server asks for them."""

    cts = dsr = ri = cd = property(lambda _: False)

    def _update_dtr_state(self) -> None: ...

    def _update_rts_state(self) -> None: ...


class _Wire:
    """What `PortManager` writes its answers to."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._lock = threading.Lock()

    def write(self, data: bytes) -> None:
        with self._lock:
            self._connection.sendall(data)


class PyserialServer:
    """pyserial's `PortManager` as its example server runs it: a thread each way."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"rfc2217://127.0.0.1:{self._listener.getsockname()[1]}"
        self.port: serial.Serial | None = None
        self._connection: socket.socket | None = None
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> PyserialServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.hang_up()
        self._thread.join(10)
        assert not self._thread.is_alive()

    def hang_up(self) -> None:
        """The network goes."""
        if self._connection is not None:
            with suppress(OSError):
                self._connection.shutdown(socket.SHUT_RDWR)

    def _serve(self) -> None:
        while True:
            try:
                self._connection, _ = self._listener.accept()
            except OSError:
                return
            with self._connection, NoModem(self._path, timeout=0.05) as self.port:
                self._attend(self._connection, self.port)

    def _attend(self, connection: socket.socket, port: serial.Serial) -> None:
        wire = _Wire(connection)
        manager = pyserial_rfc2217.PortManager(port, wire)  # type: ignore[arg-type]  # the stubs ask for too much
        over = threading.Event()

        def to_network() -> None:
            while not over.is_set():
                data = port.read(port.in_waiting or 1)
                with suppress(OSError):
                    wire.write(b"".join(manager.escape(data)))

        reader = threading.Thread(target=to_network, daemon=True)
        reader.start()
        try:
            while data := connection.recv(1024):
                port.write(b"".join(manager.filter(data)))
        except OSError:
            pass
        over.set()
        reader.join()


@pytest.fixture
async def shoe(tmp_path: Path) -> AsyncIterator[SimulatedShoe]:
    simulated = SimulatedShoe(Pty(tmp_path, "shoe"), SimClock(MAX_SPEED), seed=7)
    simulated.plug()
    yield simulated
    simulated.unplug()


@pytest.fixture
def server(tmp_path: Path, shoe: SimulatedShoe) -> Iterator[PyserialServer]:
    with PyserialServer(str(tmp_path / "shoe")) as running:
        yield running


async def test_a_shoe_behind_pyserials_server_deals_as_if_it_were_here(
    server: PyserialServer, shoe: SimulatedShoe
) -> None:
    shoe.load()
    async with listening(DeviceSpec(id="shoe", kind="shoe", url=server.url, baud=57_600)) as controller:
        online = await controller.online()
        assert server.port is not None
        assert (server.port.baudrate, server.port.bytesize, server.port.parity, server.port.stopbits) == (
            57_600,
            8,
            "N",
            1,
        )
        assert online.boot is not None
        controller.supervisor.driver("shoe", ShoeDriver).permit(120, boot=online.boot)
        dealt = [await shoe.draw() for _ in range(120)]
        await shoe.wait_taken()
        assert [drawn.card for drawn in controller.of(CardDrawn)] == dealt
        statistics = controller.supervisor.statistics["shoe"]
        assert statistics.framing.crc_errors == 0


async def test_every_byte_passes_both_ways(tmp_path: Path) -> None:
    every_byte = bytes(range(256)) * 4 + b"\xff\xff\xf0\xff\xfa\r\n\r\0"
    port = Pty(tmp_path, "echo")
    port.plug()
    loop = asyncio.get_running_loop()
    loop.add_reader(port.fileno(), lambda: port.write(port.read()))
    try:
        with PyserialServer(str(port.path)) as server:
            echo = Collector()
            transport = await open_port(server.url, 115_200, echo)
            transport.write(every_byte)
            async with asyncio.timeout(60):
                await echo.until(lambda: len(echo.data) >= len(every_byte))
            assert bytes(echo.data) == every_byte
            transport.abort()
            await echo.lost.wait()
    finally:
        loop.remove_reader(port.fileno())
        port.unplug()


async def test_a_network_that_goes_and_comes_back_loses_no_card(server: PyserialServer, shoe: SimulatedShoe) -> None:
    shoe.load()
    async with listening(DeviceSpec(id="shoe", kind="shoe", url=server.url)) as controller:
        online = await controller.online()
        assert online.boot is not None
        controller.supervisor.driver("shoe", ShoeDriver).permit(20, boot=online.boot)
        dealt = [await shoe.draw() for _ in range(10)]
        server.hang_up()
        await controller.gone()
        dealt += [shoe.force_draw() for _ in range(5)]
        await controller.online()
        dealt += [await shoe.draw() for _ in range(5)]
        await shoe.wait_taken()
        seen = dict.fromkeys((drawn.event_no, drawn.card) for drawn in controller.of(CardDrawn))
        assert [card for _, card in seen] == dealt


# Servers that are none


class Collector(asyncio.Protocol):
    """Keeps what a port gives."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.lost = asyncio.Event()
        self._news = asyncio.Event()

    def data_received(self, data: bytes) -> None:
        self.data += data
        self._news.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost.set()

    async def until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            self._news.clear()
            await self._news.wait()


@asynccontextmanager
async def tcp_server(
    talk: Callable[[asyncio.StreamReader, asyncio.StreamWriter], None], scheme: str = "rfc2217"
) -> AsyncIterator[str]:
    writers: list[asyncio.StreamWriter] = []

    def accepted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        talk(reader, writer)

    server = await asyncio.start_server(accepted, "127.0.0.1", 0)
    try:
        yield f"{scheme}://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for writer in writers:
            writer.close()


async def refusal(url: str) -> str:
    with pytest.raises(PortError) as refused:
        await open_port(url, 115_200, Collector())
    return str(refused.value)


async def test_a_telnet_server_without_serial_ports_is_named_as_such() -> None:
    async with tcp_server(lambda _, writer: writer.write(bytes.fromhex("ff fe 2c"))) as url:
        says = await refusal(url)
        assert says.startswith(f"{url} cannot be used: it does not speak RFC 2217")
        assert says.endswith("write socket:// instead")


async def test_a_server_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("devices.ports.transport.ANSWER_WITHIN", 0.2)
    async with tcp_server(lambda *_: None) as url:
        assert "it does not agree on RFC 2217 in 0.2 s" in await refusal(url)


async def test_a_server_that_hangs_up_is_given_up_at_once() -> None:
    async with tcp_server(lambda _, writer: writer.close()) as url:
        assert "the server closed the connection" in await refusal(url)


@contextmanager
def a_port_that_nobody_listens_on() -> Iterator[int]:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        yield unused.getsockname()[1]


async def test_urls_without_a_server_behind_them() -> None:
    with a_port_that_nobody_listens_on() as number:
        assert "does not answer" in await refusal(f"rfc2217://127.0.0.1:{number}")
    for url in ("rfc2217://nowhere", "socket://nowhere:0", "socket://nowhere:70000", "rfc2217://:4001"):
        assert f"names no host and port: write {url.split(':', 1)[0]}://host:port" in await refusal(url)


async def test_a_shoe_on_a_plain_tcp_server(shoe: SimulatedShoe, tmp_path: Path) -> None:
    async with plain_server(str(tmp_path / "shoe")) as url:
        shoe.load()
        async with listening(DeviceSpec(id="shoe", kind="shoe", url=url)) as controller:
            online = await controller.online()
            assert online.boot is not None
            controller.supervisor.driver("shoe", ShoeDriver).permit(50, boot=online.boot)
            dealt = [await shoe.draw() for _ in range(50)]
            await shoe.wait_taken()
            assert [drawn.card for drawn in controller.of(CardDrawn)] == dealt


@asynccontextmanager
async def plain_server(path: str) -> AsyncIterator[str]:
    """Raw TCP: the bytes of the line as they are."""
    loop = asyncio.get_running_loop()
    tasks: list[asyncio.Task[None]] = []
    with serial.Serial(path, timeout=0) as line:

        async def to_line(reader: asyncio.StreamReader) -> None:
            while data := await reader.read(1024):
                line.write(data)

        def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            loop.add_reader(line.fileno(), lambda: writer.write(line.read(1024)))
            tasks.append(asyncio.create_task(to_line(reader)))

        async with tcp_server(talk, "socket") as url:
            yield url
        loop.remove_reader(line.fileno())
        await asyncio.gather(*tasks)
