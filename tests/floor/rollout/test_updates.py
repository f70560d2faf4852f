"""Updates by a plan: three tables that judge for themselves, an office that signs, a page that sends them in turn."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from msgspec.structs import replace

from controller.cli.main import main
from controller.config.broker import MqttSettings
from controller.engine.inputs import BetsClosed, CardOut, ShoeStarted, WagerPlaced
from controller.operator.staff import read_staff
from floor.page_settings import RoomSettings
from floor.web.serving import milliseconds
from tests.support.floor_rooms import a_table, as_published, troubled
from tests.support.running.askers import AskedTable, asked_table, published
from tests.support.running.brokers import needs_mosquitto
from tests.support.running.bundle_servers import BundleServer, bundle_server, staff_bytes
from tests.support.running.floor_pages import PINS, SITE, RunningPage, floor_page

pytestmark = [pytest.mark.broker, needs_mosquitto]
NAMES = ("t-1", "t-2", "t-3")
STAFF = staff_bytes()


class Office:
    """The office's key and server, three tables that trust them, and the page."""

    def __init__(self, folder: Path, server: BundleServer, page: RunningPage, tables: dict[str, AskedTable]) -> None:
        self.folder, self.server, self.page, self.tables = folder, server, page, tables
        self._session: aiohttp.ClientSession
        self._headers: dict[str, str] = {}

    def plan(self, capsys: pytest.CaptureFixture[str], *names: str, staff: bytes = STAFF) -> str:
        """As `cutcard reference plan` prints it."""
        bundle = self.folder / "new-staff.json"
        bundle.write_bytes(staff)
        self.server.bodies["staff.json"] = staff
        tables = [word for name in names or NAMES for word in ("--table", name)]
        of = ["--address", f"{self.server.base}staff.json", "--site", SITE, "--key", str(self.folder / "office.key")]
        capsys.readouterr()
        assert main(["reference", "plan", "staff", str(bundle), *of, *tables]) == 0
        return capsys.readouterr().out

    async def post(self, path: str, body: object, status: int = 200) -> dict[str, Any]:
        async with self._session.post(self.page.url + path, json=body, headers=self._headers) as response:
            answer: dict[str, Any] = await response.json()
            assert response.status == status, answer
            return answer

    async def sign_in(self, session: aiohttp.ClientSession, name: str) -> None:
        self._session, self._headers = session, {}
        answer = await self.post("api/login", {"name": name, "pin": PINS[name]})
        self._headers = {"Authorization": f"Bearer {answer['token']}"}

    async def until(self, holds: Any) -> dict[str, Any]:
        """The newest update, once it is like that."""
        async with asyncio.timeout(120):
            while True:
                async with self._session.get(f"{self.page.url}api/updates", headers=self._headers) as response:
                    found = await response.json()
                if found and holds(found[0]):
                    return dict(found[0])
                await asyncio.sleep(0.05)

    async def until_all_are_there(self) -> None:
        async with asyncio.timeout(60):
            while True:
                async with self._session.get(f"{self.page.url}api/floor") as response:
                    tiles = (await response.json())["tiles"]
                if {tile["table"] for tile in tiles if tile.get("online")} == set(NAMES):
                    return
                await asyncio.sleep(0.05)

    async def take(self, plan: str) -> dict[str, Any]:
        """The plan, once every table has stated what would change."""
        await self.post("api/updates", {"plan": plan})
        return await self.until(lambda update: all(each["changes"] for each in update["tables"]))

    async def start(self, update: dict[str, Any]) -> None:
        await self.post("api/updates/act", {"id": update["id"], "do": "start"})

    def staff_of(self, name: str) -> list[str]:
        return [member.name for member in read_staff(self.folder / name / "staff.json").people]


@asynccontextmanager
async def office(folder: Path, capsys: pytest.CaptureFixture[str], watch_s: float = 0.2) -> AsyncIterator[Office]:
    assert main(["reference", "keygen", str(folder / "office.key")]) == 0
    public = capsys.readouterr().out.split()[-1]
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(bundle_server(folder))
        page = await stack.enter_async_context(floor_page(folder, room=RoomSettings(watch_s=watch_s)))
        tables = {}
        for name in NAMES:
            (folder / name).mkdir()
            table = await stack.enter_async_context(asked_table(folder / name, name, SITE))
            table.config = replace(table.config, updates=server.updates(public))
            settings = MqttSettings(host="127.0.0.1", port=page.broker.port, client_id=name)
            await stack.enter_async_context(published(table, settings))
            tables[name] = table
        found = Office(folder, server, page, tables)
        session = await stack.enter_async_context(aiohttp.ClientSession())
        await found.sign_in(session, "ann")
        await found.until_all_are_there()
        yield found


async def test_every_table_states_what_would_change_and_nothing_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with office(tmp_path, capsys) as at:
        update = await at.take(at.plan(capsys))
        assert [each["changes"] for each in update["tables"]] == ["new: ann, sam."] * 3
        assert update["state"] == "planned" and at.staff_of("t-1") == []
        assert all("update_taken" not in table.kinds() for table in at.tables.values())


async def test_one_table_is_updated_first_then_the_rest_each_between_its_rounds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with office(tmp_path, capsys) as at:
        second = at.tables["t-2"]
        await second.happens(ShoeStarted(8), WagerPlaced(1, "player_line", 1000), BetsClosed())
        update = await at.take(at.plan(capsys))
        await at.start(update)
        await at.until(lambda update: update["tables"][0]["state"] == "done")
        assert (await at.post("api/updates/act", {"id": update["id"], "do": "start"}, 409))["why"] == "not_now"
        assert at.staff_of("t-2") == at.staff_of("t-3") == []
        await second.happens(*map(CardOut, ("9h", "2d", "Kd", "5c")))
        done = await at.until(lambda update: update["state"] == "done")
        assert [each["state"] for each in done["tables"]] == ["done"] * 3
        assert all(at.staff_of(name) == ["ann", "sam"] for name in NAMES)
        taken = next(each for each in second.events() if each["kind"] == "update_taken")
        assert taken["by"] == "floor:ann"


async def test_it_stops_where_a_table_refuses_and_goes_on_when_a_person_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with office(tmp_path, capsys) as at:
        trusted = at.tables["t-2"].config
        at.tables["t-2"].config = replace(trusted, updates=at.server.updates("00" * 32))
        update = await at.take(at.plan(capsys))
        assert update["tables"][1]["changes"].startswith("It would be refused: the key ")
        await at.start(update)
        stopped = await at.until(lambda update: update["state"] == "stopped")
        assert stopped["reason"].startswith("t-2: the key ")
        assert [each["state"] for each in stopped["tables"]] == ["done", "refused", "waiting"]
        at.tables["t-2"].config = trusted
        await at.start(update)
        done = await at.until(lambda update: update["state"] == "done")
        assert [each["state"] for each in done["tables"]] == ["done"] * 3


async def test_it_stops_where_the_first_table_is_in_trouble_afterwards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with office(tmp_path, capsys, watch_s=600) as at:
        update = await at.take(at.plan(capsys, "t-1", "t-2"))
        await at.start(update)
        await at.until(lambda update: update["tables"][0]["state"] == "done")
        now = milliseconds()
        held = troubled(a_table("t-1", SITE, 1, now), 0, now)
        held = replace(held, journal=at.tables["t-1"].journal.id, seq=100_000)
        await at.page.tables.publish([as_published(held)])
        stopped = await at.until(lambda update: update["state"] in ("stopped", "done"))
        assert stopped["reason"] == "t-1 is held since it was updated", stopped
        assert at.staff_of("t-2") == []


async def test_what_is_no_plan_of_this_site_is_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with office(tmp_path, capsys) as at:
        elsewhere = at.plan(capsys).replace(f'"{SITE}"', '"hilltop"')
        for plan, sentence in (
            ("x", "This is no plan: `cutcard reference plan` prints one."),
            ("{}", "This is no plan: "),
            (elsewhere, "This plan is for the site hilltop; this is riverside."),
            (at.plan(capsys).replace('"t-3"', '"t-9"'), "There is no table t-9 here."),
        ):
            assert (await at.post("api/updates", {"plan": plan}, 409))["text"].startswith(sentence)
        await at.sign_in(at._session, "tom")
        assert (await at.post("api/updates", {"plan": at.plan(capsys)}, 403))["why"] == "not_allowed"
