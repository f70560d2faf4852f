"""Asking a running daemon: how its devices stand, for those who have its token, and without opening a port twice."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import msgspec
import pytest
import pytest_asyncio

from controller.technician.status import TableDevices
from tests.support.running.brokers import free_port
from tests.support.running.tables import LaidTable, laid_table
from tests.support.running.technician_tables import cutcard

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("table")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def table(folder: Path) -> AsyncIterator[LaidTable]:
    """One for all: nobody here changes anything."""
    async with laid_table(folder, free_port()) as laid:
        await laid.until(lambda view: any(device["state"] == "online" for device in view.get("devices", ())))
        yield laid


def token(table: LaidTable) -> str:
    return (table.data / "console.token").read_text().strip()


async def get(table: LaidTable, path: str, **headers: str) -> tuple[int, bytes]:
    async with aiohttp.ClientSession(headers=headers) as session, session.get(f"{table.page}{path}") as response:
        return response.status, await response.read()


async def test_the_daemon_shows_its_devices_to_a_caller_that_has_its_token(table: LaidTable) -> None:
    status, body = await get(table, "api/devices", Authorization=f"Bearer {token(table)}")
    assert status == 200
    table_devices = msgspec.json.decode(body, type=TableDevices)
    assert (table_devices.round_running, table_devices.brokers_online) == (False, {"main": False})
    (shoe,) = table_devices.devices
    assert (shoe.id, shoe.kind, shoe.state, shoe.model, shoe.serial) == (
        "shoe",
        "shoe",
        "online",
        "SIM-SHOE",
        "SIM-0001",
    )
    assert shoe.link is not None
    assert shoe.link.frames_received > 0
    assert shoe.link.crc_errors == 0
    assert shoe.link.round_trip_ms is not None


@pytest.mark.parametrize("path", ["api/devices", "api/devices/shoe/watch", "api/capture"])
async def test_a_stranger_learns_nothing(table: LaidTable, path: str) -> None:
    for headers in ({}, {"Authorization": "Bearer guess"}):
        status, body = await get(table, path, **headers)
        assert status == 401
        assert b"SIM-SHOE" not in body


async def test_what_is_asked_for_wrongly_is_refused_with_the_reason(table: LaidTable) -> None:
    mine = {"Authorization": f"Bearer {token(table)}"}
    for path, status, says in (
        ("api/devices/shuffler/watch", 409, b"its devices are: shoe"),
        ("api/capture?device=shuffler", 409, b"its devices are: shoe"),
        ("api/capture?seconds=nan", 400, b"The number of seconds"),
        ("api/capture?seconds=-1", 400, b"The number of seconds"),
    ):
        code, body = await get(table, path, **mine)
        assert (code, says in body) == (status, True), body


async def test_doctor_asks_the_daemon(table: LaidTable) -> None:
    done = await cutcard("doctor", "--config", table.config)
    assert done.code == 0, done.out
    assert f"running, its page is at {table.page}" in done.out
    assert "online: SIM-SHOE, serial SIM-0001, firmware 1.0.0" in done.out
    assert "0 CRC errors" in done.out
    assert "has no connection to the broker" in done.out
    assert table.shoe.link.is_up, "its port was not opened a second time"
    assert table.shoe.link.statistics.sessions == 1


async def test_a_port_that_the_daemon_holds_is_described_from_what_it_knows(table: LaidTable) -> None:
    done = await cutcard("devices", "list", table.folder / "shoe", "--config", table.config)
    assert "held by the daemon as the shoe 'shoe', online: SIM-SHOE, serial SIM-0001, firmware 1.0.0" in done.out
    other = await cutcard("devices", "list", table.folder / "shoe")
    assert "is in use by another program" in other.out
    assert table.shoe.link.statistics.sessions == 1


async def test_nothing_is_sent_past_the_daemon(table: LaidTable) -> None:
    before = table.shoe.permit
    done = await cutcard("devices", "send", "shoe", "permit", "up_to=9", "--config", table.config)
    assert done.code == 2
    assert "its engine alone commands the devices" in done.err
    past = await cutcard("devices", "send", table.folder / "shoe", "permit", "up_to=9")
    assert past.code == 2
    assert "in use by another program" in past.err
    assert table.shoe.permit == before
    done = await cutcard("devices", "send", "shoe", "identify", "--config", table.config)
    assert done.out == (
        "the daemon holds the port and knows its device: online, SIM-SHOE, serial SIM-0001, firmware 1.0.0\n"
    )
