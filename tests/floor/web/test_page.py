"""The floor page over HTTP, with a broker, a store and tables: what it shows, to whom, and what it does."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest
import pytest_asyncio
from msgspec.structs import replace

from controller.config.broker import MqttSettings
from floor.page_settings import DropTime, PageSettings, RoomSettings
from tests.support.floor_rooms import a_table, as_published, online, troubled
from tests.support.floor_store import an_intake, mixed, rows, take
from tests.support.journals import TABLE
from tests.support.recorded_days import FreshTable, days
from tests.support.running.askers import asked_table, published
from tests.support.running.brokers import eventually, needs_mosquitto
from tests.support.running.floor_pages import PINS, SITE, RunningPage, floor_page

pytestmark = [pytest.mark.broker, needs_mosquitto, pytest.mark.asyncio(loop_scope="module")]

NOON = 1_763_320_000_000
"""14:26 of 16 November 2025 in Los Angeles: after every recorded day, and outside of the drop times."""
ROOM = RoomSettings(licensed_tables=2, drop_times=(DropTime(begins="05:00", ends="06:30"),))


class Client:
    """Somebody at the page."""

    def __init__(self, session: aiohttp.ClientSession, url: str) -> None:
        self._session, self._url = session, url.rstrip("/")
        self._headers: dict[str, str] = {}

    async def sign_in(self, name: str) -> Client:
        answer = await self.post("/api/login", {"name": name, "pin": PINS[name]})
        signed = Client(self._session, self._url)
        signed._headers = {"Authorization": f"Bearer {answer['token']}"}
        return signed

    async def get(self, path: str, status: int = 200) -> Any:
        return msgspec.json.decode(await self.read(path, status))

    async def read(self, path: str, status: int = 200) -> bytes:
        async with self._session.get(self._url + path, headers=self._headers) as response:
            body = await response.read()
            assert response.status == status, body
            return body

    async def post(self, path: str, body: object, status: int = 200) -> Any:
        async with self._session.post(self._url + path, json=body, headers=self._headers) as response:
            answer = await response.json()
            assert response.status == status, answer
            return answer

    @asynccontextmanager
    async def news(self) -> AsyncIterator[AsyncIterator[dict[str, Any]]]:
        """What the stream of tiles brings."""
        async with asyncio.timeout(60), self._session.get(f"{self._url}/api/floor/stream") as stream:
            data = (msgspec.json.decode(line[6:]) async for line in stream.content if line.startswith(b"data: {"))
            yield (each async for each in data if "now" in each)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def page(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[RunningPage]:
    """Two recorded days are in its store, of t-0 and t-1; it is the afternoon of the second day."""
    folder = tmp_path_factory.mktemp("page")
    async with floor_page(folder, room=ROOM, sections={"high": ("t-0",)}, clock=lambda: NOON) as running:
        tables = [FreshTable(SITE, name, day) for name, day in zip(("t-0", "t-1"), days(), strict=False)]
        everything = [*mixed(tables), *(table.head() for table in tables)]
        await asyncio.to_thread(take, an_intake(running.engine), everything)
        yield running


@pytest_asyncio.fixture(loop_scope="module")
async def stranger(page: RunningPage) -> AsyncIterator[Client]:
    async with aiohttp.ClientSession() as session:
        yield Client(session, page.url)


@asynccontextmanager
async def tiles_of(page: RunningPage, stranger: Client, *names: str) -> AsyncIterator[dict[str, Any]]:
    """These tables publish; yields their tiles; then they are retired."""
    states = [a_table(name, SITE, number, NOON) for number, name in enumerate(names)]
    for state in states:
        await page.tables.publish([online(state), as_published(state)])
    try:
        yield await shown(stranger, *names)
    finally:
        await page.tables.publish([replace(as_published(state), payload=b"") for state in states])
        await until(stranger, lambda tiles: not set(names) & set(tiles))


async def until(stranger: Client, holds: Any) -> dict[str, Any]:
    async with asyncio.timeout(60):
        while True:
            tiles = {tile["table"]: tile for tile in (await stranger.get("/api/floor"))["tiles"]}
            if holds(tiles):
                return tiles
            await asyncio.sleep(0.02)


async def shown(stranger: Client, *names: str) -> dict[str, Any]:
    return await until(stranger, lambda tiles: set(names) <= set(tiles))


async def test_a_stranger_sees_tiles_and_nothing_else(page: RunningPage, stranger: Client) -> None:
    async with tiles_of(page, stranger, "t-0", "t-9") as tiles:
        assert tiles["t-0"]["section"] == "high" and "section" not in tiles["t-9"]
        for path in ("/api/tables/t-0", "/api/marks", "/api/decks", "/api/books", "/api/books/choices"):
            refused = await stranger.get(path, 401)
            assert refused["why"] == "unauthorised"
        for path in ("/api/orders", "/api/drop", "/api/counts", "/api/marks", "/api/room-alarms"):
            assert (await stranger.post(path, {}, 401))["why"] == "unauthorised"


async def test_a_page_that_is_not_public_shows_no_tile_to_a_stranger(tmp_path: Path) -> None:
    async with floor_page(tmp_path, page=PageSettings(public=False)) as hidden, aiohttp.ClientSession() as session:
        stranger = Client(session, hidden.url)
        assert (await stranger.get("/api/floor", 401))["why"] == "unauthorised"
        assert (await (await stranger.sign_in("tom")).get("/api/floor"))["room"]["public"] is False


async def test_a_page_without_people_states_how_to_add_one(tmp_path: Path) -> None:
    async with floor_page(tmp_path) as unmanned, aiohttp.ClientSession() as session:
        (tmp_path / "staff.json").unlink()
        refused = await Client(session, unmanned.url).post("/api/login", {"name": "ann", "pin": PINS["ann"]}, 503)
        assert refused["text"] == "Nobody is on the staff yet: `cutcard floor staff add`."


async def test_one_table_has_its_live_view_and_its_rounds_step_by_step(page: RunningPage, stranger: Client) -> None:
    async with tiles_of(page, stranger, "t-0"):
        tom = await stranger.sign_in("tom")
        detail = await tom.get("/api/tables/t-0")
        assert detail["online"] and detail["state"]["dealer"]["name"] == "sam"
        last = detail["history"]["rounds"][0]
        steps = await tom.get(f"/api/tables/t-0/rounds/{last['journal']}/{last['round']}")
        assert steps[0]["lines"][0].startswith("The round begins") and len(steps) > 10
        assert [step["seq"] for step in steps] == sorted(step["seq"] for step in steps)
        assert (await tom.get("/api/tables/t-77", 404))["why"] == "no_such_table"


async def test_who_only_watches_commands_nothing(page: RunningPage, stranger: Client) -> None:
    tom = await stranger.sign_in("tom")
    order = {"command": "close", "scope": {"house": True}}
    assert (await tom.post("/api/orders", order, 403))["text"] == "A monitor may not do that: close."
    assert (await tom.post("/api/drop", {"do": "end"}, 403))["why"] == "not_allowed"
    assert (await tom.post("/api/counts", {"csv": "x"}, 403))["why"] == "not_allowed"


async def test_an_order_is_judged_by_the_table_and_answered_and_recorded(
    page: RunningPage, stranger: Client, tmp_path: Path
) -> None:
    settings = MqttSettings(host="127.0.0.1", port=page.broker.port, client_id="a table")
    async with asked_table(tmp_path, site=SITE) as table, published(table, settings):
        table.now = NOON  # the page's clock, by which its requests expire
        await shown(stranger, TABLE)
        ann = await stranger.sign_in("ann")
        closed = await ann.post("/api/orders", {"command": "close", "scope": {"tables": [TABLE]}, "reason": "late"})
        assert closed["ok"] and [each["table"] for each in closed["answers"]] == [TABLE]
        again = await ann.post("/api/orders", {"command": "close", "scope": {"tables": [TABLE]}})
        assert not again["ok"] and again["answers"][0]["why"] == "closed_already"
        event = next(each for each in table.events() if each["kind"] == "table_closed")
        assert event["by"] == "floor:ann" and event["reason"] == "late"
        await page.tables.publish([replace(as_published(a_table(TABLE, SITE, 0, NOON)), payload=b"")])
    acts = rows(page.engine, "SELECT act, \"by\", ok FROM page_acts WHERE table_name <> '' ORDER BY at")
    assert ("close", "floor:ann", True) in [(act, by, bool(ok)) for act, by, ok in acts]
    assert ("close", "floor:ann", False) in [(act, by, bool(ok)) for act, by, ok in acts]


async def test_an_order_that_no_table_needs_is_no_mistake(page: RunningPage, stranger: Client) -> None:
    async with tiles_of(page, stranger, "t-0"):
        ann = await stranger.sign_in("ann")
        assert await ann.post("/api/orders", {"command": "acknowledge", "scope": {"house": True}}) == {
            "ok": True,
            "answers": [],
        }


async def test_one_table_more_than_licensed_is_refused_with_the_reason(page: RunningPage, stranger: Client) -> None:
    async with tiles_of(page, stranger, "t-0", "t-1"):
        closed = troubled(a_table("t-2", SITE, 2, NOON), 8, NOON)
        await page.tables.publish([online(closed), as_published(closed)])
        await shown(stranger, "t-2")
        ann = await stranger.sign_in("ann")
        answer = await ann.post("/api/orders", {"command": "open", "scope": {"tables": ["t-2"]}})
        (refused,) = answer["answers"]
        assert refused["why"] == "licence"
        assert refused["text"] == "2 tables are open, and the licence is for 2. Close one first."
        await page.tables.publish([replace(as_published(closed), payload=b"")])


async def test_a_table_that_opened_by_itself_is_an_alarm_of_the_room_until_one_is_closed(
    page: RunningPage, stranger: Client
) -> None:
    async with tiles_of(page, stranger, "t-0", "t-1", "t-2"):
        ann = await stranger.sign_in("ann")
        alarm = await room_alarm(ann, "licence")
        assert alarm["text"] == "3 tables are open, and the licence is for 2"
        assert (await ann.post("/api/room-alarms", {"id": alarm["id"]}))["ok"]
        assert (await ann.post("/api/room-alarms", {"id": alarm["id"]}, 409))["why"] == "acknowledged_before"
    assert await room_alarm(stranger, "licence", is_there=False) == {}


async def room_alarm(client: Client, name: str, *, is_there: bool = True) -> dict[str, Any]:
    """Waits until this alarm of the room is shown, or until it is not."""
    async with asyncio.timeout(60):
        while True:
            alarms = {alarm["alarm"]: alarm for alarm in (await client.get("/api/floor"))["room"]["alarms"]}
            if (name in alarms) == is_there:
                return dict(alarms.get(name, {}))
            await asyncio.sleep(0.05)


async def test_a_drop_is_begun_by_two_people_and_outside_its_times_with_a_reason(
    page: RunningPage, stranger: Client
) -> None:
    ann = await stranger.sign_in("ann")
    begin = {"do": "begin", "second": {"name": "bob", "pin": PINS["bob"]}}
    alone = {"do": "begin", "second": {"name": "ann", "pin": PINS["ann"]}, "reason": "x"}
    assert (await ann.post("/api/drop", alone, 409))["why"] == "two_people"
    refused = await ann.post("/api/drop", begin, 409)
    assert refused["text"] == "Drop times are 05:00 to 06:30. State why you begin a drop now."
    assert (await ann.post("/api/drop", {**begin, "reason": "a full box"}))["ok"]
    running = (await stranger.get("/api/floor"))["room"]["drop"]
    assert (running["by"], running["second"], running["reason"]) == ("floor:ann", "floor:bob", "a full box")
    assert (await ann.post("/api/drop", {**begin, "reason": "again"}, 409))["why"] == "drop_running"
    assert (await ann.post("/api/drop", {"do": "end"}))["ok"]
    assert (await ann.post("/api/drop", {"do": "end"}, 409))["why"] == "no_drop"


async def test_what_happened_since_a_moment_counts_by_the_numbers_of_the_events(
    page: RunningPage, stranger: Client
) -> None:
    ann = await stranger.sign_in("ann")
    mark = (await ann.post("/api/marks", {"name": "evening"}))["id"]
    before = await ann.get(f"/api/marks/{mark}")
    assert all(each["events"] == 0 for each in before["tables"])
    late = FreshTable(SITE, "late", days()[2])
    await asyncio.to_thread(take, an_intake(page.engine), [*late.events, late.head()])
    after = {each["table"]: each for each in (await ann.get(f"/api/marks/{mark}"))["tables"]}
    assert after["late"]["events"] == len(late.events) and after["late"]["rounds"] > 0
    assert after["t-0"]["events"] == 0
    assert [each["name"] for each in await ann.get("/api/marks")] == ["evening"]


async def test_the_books_come_in_every_form_for_those_who_supervise(page: RunningPage, stranger: Client) -> None:
    tom = await stranger.sign_in("tom")
    choices = await tom.get("/api/books/choices")
    assert choices["today"] == "2025-11-16" and choices["sections"] == ["high"]
    of = "span=day&when=2025-11-15&section=high"
    html = (await tom.read(f"/api/books?{of}&form=html")).decode()
    assert "<h1>Books of riverside, 2025-11-15</h1>" in html and "<h2>Differences</h2>" in html
    total = next(row for row in csv.reader(io.StringIO((await tom.read(f"/api/books?{of}&form=csv")).decode())))
    assert total[0] == "table"
    assert (await tom.read(f"/api/books?{of}&form=pdf")).startswith(b"%PDF-")
    assert (await tom.get(f"/api/books?{of}&form=json"))["total"]["rounds"] == 108
    assert (await tom.get("/api/books?span=week", 400))["why"] == "malformed"
    assert "is not a day" in (await tom.get("/api/books?when=yesterday", 400))["text"]
    assert "There is no shift" in (await tom.get("/api/books?span=shift&shift=noon", 400))["text"]


async def test_a_count_is_keyed_or_taken_as_a_sheet(page: RunningPage, stranger: Client) -> None:
    ann = await stranger.sign_in("ann")
    keyed = {"table": "t-0", "box_id": "BOX-1", "amount": "12.50", "counted_by": "kim"}
    assert (await ann.post("/api/counts", keyed))["text"] == "1 box taken."
    sheet = "table,box_id,seal,counted_at,amount,counted_by\nt-1,BOX-2,S-1,2025-11-16 07:10,95,kim\n"
    assert (await ann.post("/api/counts", {"csv": sheet, "file": "sheet.csv"}))["text"] == "1 box taken."
    assert "nothing is changed" in (await ann.post("/api/counts", {"csv": sheet}))["text"]
    wrong = await ann.post("/api/counts", {**keyed, "table": "t-77"}, 409)
    assert wrong["text"] == "It was not taken: there is no table 't-77' in the store."
    found = rows(page.engine, "SELECT table_name, cents, entered_by FROM count_sheets ORDER BY table_name")
    assert found == [("t-0", 1250, "floor:ann"), ("t-1", 9500, "floor:ann")]


async def test_the_stream_brings_what_changed_and_no_more(page: RunningPage, stranger: Client) -> None:
    async with tiles_of(page, stranger, "t-0", "t-9"), stranger.news() as news:
        first = await anext(news)
        assert first["whole"] and {tile["table"] for tile in first["tiles"]} == {"t-0", "t-9"}
        await page.tables.publish([as_published(troubled(a_table("t-9", SITE, 1, NOON, seq=101), 0, NOON))])
        while not (change := await anext(news)).get("tiles"):
            continue
        assert [tile["table"] for tile in change["tiles"]] == ["t-9"]
        assert change["order"] == ["t-9", "t-0"]


async def test_a_broker_that_is_away_is_named_and_its_tables_are_not_called_connected(tmp_path: Path) -> None:
    async with floor_page(tmp_path) as page, aiohttp.ClientSession() as session:
        stranger = Client(session, page.url)
        state = a_table("t-0", SITE, 0, NOON)
        await page.tables.publish([online(state), as_published(state)])
        await until(stranger, lambda tiles: tiles.get("t-0", {}).get("online"))
        page.broker.kill()
        gone = await until(stranger, lambda tiles: not tiles["t-0"].get("online"))
        assert gone["t-0"]["attention"]["why"] == "Open, and not connected"
        assert (await stranger.get("/api/floor"))["room"]["brokers"] == {"a": False}
        page.broker.start()
        await eventually(lambda: page.broker.words != "", 60)


async def test_the_access_review_names_who_only_signed_in_at_the_page(page: RunningPage, stranger: Client) -> None:
    tom = await stranger.sign_in("tom")
    access = {line["name"]: line for line in (await tom.get("/api/books?when=2025-11-16&form=json"))["access"]}
    assert access["tom"]["roles"] == ["monitor"] and access["tom"]["acts"] > 0
    assert "is not on the staff list" in access["sam"]["findings"]
