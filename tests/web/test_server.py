"""The page's server from outside: what a screen, a console and a stranger get."""

from __future__ import annotations

import asyncio
import re
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import pytest
from aiohttp import ClientResponse, ClientSession, web
from aiohttp.test_utils import TestClient, TestServer

import controller.web
from controller.web.pages import MAX_ACT_BYTES
from controller.web.server import create_app, serve
from controller.web.streams import Bounds
from tests.web.test_feed import BADGE, PINS, ScriptedTable, a_view, staff_file

Client = TestClient[web.Request, web.Application]

QUIET = Bounds(heartbeat_s=60)
"""No beats between the views that a test looks at."""
CLOSE_BETS = b'{"kind":"close_bets"}'


@pytest.fixture(scope="module")
def hired(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return staff_file(tmp_path_factory.mktemp("staff"))


@pytest.fixture
def staff(hired: Path, tmp_path: Path) -> Path:
    """The same people; who was wrong at the door in another test is not known here."""
    return Path(shutil.copy(hired, tmp_path))


@pytest.fixture
def table(staff: Path) -> ScriptedTable:
    return ScriptedTable(a_view(seq=1), staff)


@pytest.fixture
async def client(table: ScriptedTable) -> AsyncIterator[Client]:
    async with visit(table) as client:
        yield client


@asynccontextmanager
async def visit(
    table: ScriptedTable, bounds: Bounds = QUIET, allowed_hosts: tuple[str, ...] = ()
) -> AsyncIterator[Client]:
    app = create_app(table.page, bounds=bounds, allowed_hosts=allowed_hosts)
    async with TestClient(TestServer(app)) as client:
        yield client


class Message(msgspec.Struct):
    """One server-sent event as a browser would take it apart."""

    event: str = "message"
    id: str = ""
    data: str = ""
    comments: int = 0


async def next_message(stream: ClientResponse) -> Message:
    message = Message()
    while line := (await asyncio.wait_for(stream.content.readline(), 10)).decode().rstrip("\n"):
        field, _, value = line.partition(":")
        match field:
            case "":
                message.comments += 1
            case "data":
                message.data += value.removeprefix(" ")
            case "event":
                message.event = value.strip()
            case "id":
                message.id = value.strip()
    return message


async def next_view(stream: ClientResponse) -> Message:
    while (message := await next_message(stream)).event != "view":
        pass
    return message


# The page and its files


async def test_the_display_comes_from_this_server_alone(client: Client) -> None:
    page = await client.get("/")
    assert page.status == 200 and page.content_type == "text/html"
    text = await page.text()
    assert "http://" not in text and "https://" not in text and "<script>" not in text


async def test_every_file_of_the_page_is_served_and_names_no_other_host(client: Client) -> None:
    files = sorted((Path(controller.web.__file__).parent / "static").iterdir())
    assert {"index.html", "display.css", "display.js"} <= {file.name for file in files}
    for file in files:
        answer = await client.get(f"/static/{file.name}")
        assert await answer.read() == file.read_bytes()
        # What stands in a comment of a library is loaded by nobody.
        said = re.sub(r"^ *(?:\*|//).*$", "", file.read_text(), flags=re.MULTILINE)
        said = said.replace("http://www.w3.org/2000/svg", "")
        assert "http:" not in said and "https:" not in said and "//cdn" not in said


async def test_a_browser_that_has_a_file_already_gets_304(client: Client) -> None:
    first = await client.get("/static/display.css")
    again = await client.get("/static/display.css", headers={"If-None-Match": first.headers["ETag"]})
    assert (first.status, again.status) == (200, 304)
    stale = await client.get("/static/display.css", headers={"If-None-Match": '"something-else"'})
    assert stale.status == 200


@pytest.mark.parametrize(
    "path", ["/static/", "/static", "/static/../server.py", "/static/%2e%2e%2fserver.py", "/static/nothing.js", "/api"]
)
async def test_there_is_no_listing_and_no_way_out_of_the_folder(client: Client, path: str) -> None:
    async with client.session.get(f"{client.make_url('')}".rstrip("/") + path) as answer:
        assert answer.status == 404
        assert "display.js" not in await answer.text()


@pytest.mark.parametrize("path", ["/", "/api/view", "/static/display.js", "/nowhere", "/healthz"])
async def test_every_answer_carries_the_security_headers(client: Client, path: str) -> None:
    headers = (await client.get(path)).headers
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'self';") and "unsafe" not in policy and "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Frame-Options"] == "DENY"


# Which names are ours


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8080", "127.0.0.1:1", "[::1]:8080", "LOCALHOST", "table-7.lan"]
)
async def test_the_table_answers_to_its_own_names(table: ScriptedTable, host: str) -> None:
    async with visit(table, allowed_hosts=("Table-7.lan",)) as client:
        assert (await client.get("/api/view", headers={"Host": host})).status == 200


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "", "[::2]"),
        *("[::1].evil.example", "127.0.0.1:80.evil.example", "127.0.0.1:80:evil.example", "[127.0.0.1"),
    ],
)
async def test_a_rebound_name_is_turned_away_everywhere(client: Client, table: ScriptedTable, host: str) -> None:
    for path in ("/", "/api/view", "/api/stream", "/healthz"):
        assert (await client.get(path, headers={"Host": host})).status == 421
    act = await client.post("/api/acts", data=CLOSE_BETS, headers={"Host": host})
    assert act.status == 421 and table.acts == []


# The view and its stream


async def test_the_view_is_the_source_s_own_document(client: Client, table: ScriptedTable) -> None:
    answer = await client.get("/api/view")
    assert await answer.read() == table.current()
    assert answer.content_type == "application/json" and answer.headers["Cache-Control"] == "no-store"


async def test_a_stream_brings_the_newest_view_at_once_and_then_every_change(
    client: Client, table: ScriptedTable
) -> None:
    async with client.get("/api/stream") as stream:
        assert stream.content_type == "text/event-stream"
        first = await next_view(stream)
        assert (first.id, first.data.encode()) == ("1", table.current())
        for seq in (2, 3):
            table.show(a_view(seq=seq))
            change = await next_view(stream)
            assert (change.id, change.data.encode()) == (str(seq), table.current())


async def test_a_quiet_table_still_beats_and_promises_when_it_beats_next(table: ScriptedTable) -> None:
    async with visit(table, Bounds(heartbeat_s=0.05)) as client, client.get("/api/stream") as stream:
        await next_view(stream)
        for _ in range(3):
            beat = await next_message(stream)
            assert (beat.event, beat.comments) == ("alive", 1)
            assert msgspec.json.decode(beat.data)["next_ms"] == 50
        table.show(a_view(seq=2))
        assert (await next_view(stream)).id == "2"


async def test_a_document_of_several_lines_arrives_whole(table: ScriptedTable) -> None:
    table.publish(msgspec.json.format(table.current(), indent=2))
    async with visit(table) as client, client.get("/api/stream") as stream:
        message = await next_view(stream)
        assert msgspec.json.decode(message.data) == msgspec.json.decode(table.current())


async def test_a_screen_that_reads_slowly_skips_to_the_newest(table: ScriptedTable) -> None:
    async with visit(table) as client, client.get("/api/stream") as stream:
        await next_view(stream)
        last = 4000
        for seq in range(2, last + 1):
            table.show(a_view(seq=seq, hands_in_shoe=60))
            await asyncio.sleep(0)
        received: list[int] = []
        while not received or received[-1] != last:
            received.append(int((await next_view(stream)).id))
        assert received == sorted(received)
        assert len(received) < last - 1, "every single view was queued for a screen that did not read"


async def test_a_screen_that_stops_reading_altogether_is_dropped(table: ScriptedTable) -> None:
    async with serve(table.page, bounds=Bounds(heartbeat_s=60, stalled_s=0.1)) as url:
        _, writer = await open_deaf_connection(urlsplit(url).port or 0)
        writer.write(b"GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
        async with asyncio.timeout(20):
            await table.until_somebody_watches()
            gone = asyncio.ensure_future(table.until_nobody_watches())
            seq = 1
            while not gone.done():
                seq += 1
                table.show(a_view(seq=seq, hands_in_shoe=72))
                await asyncio.wait({gone}, timeout=0.001)
        writer.close()


async def open_deaf_connection(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection whose reader takes a few bytes and then no more."""
    deaf = socket.socket()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deaf.setblocking(False)
    await asyncio.get_running_loop().sock_connect(deaf, ("127.0.0.1", port))
    return await asyncio.open_connection(sock=deaf, limit=1)


async def test_too_many_screens_are_turned_away_until_one_leaves(table: ScriptedTable) -> None:
    async with visit(table, Bounds(max_on_board=2, heartbeat_s=60)) as client:
        async with client.get("/api/stream") as one, client.get("/api/stream") as two:
            await next_view(one)
            await next_view(two)
            turned_away = await client.get("/api/stream")
            assert turned_away.status == 503 and turned_away.headers["Retry-After"] == "5"
            assert await streams(client) == 2
        assert await streams(client, until=0) == 0
        async with client.get("/api/stream") as three:
            assert (await next_view(three)).id == "1"


async def streams(client: Client, until: int | None = None) -> int:
    """How many screens the server counts; asks until it is `until`, because leaving takes a moment."""
    async with asyncio.timeout(60):
        while True:
            count = int((await (await client.get("/healthz")).json())["streams"])
            if until in (None, count):
                return count


async def test_nobody_stays_subscribed_when_the_screens_are_gone(table: ScriptedTable) -> None:
    async with visit(table, Bounds(heartbeat_s=0.01)) as client:
        async with client.get("/api/stream") as stream:
            await next_view(stream)
            assert table.watchers == 1
        async with asyncio.timeout(60):
            await table.until_nobody_watches()


async def test_the_server_ends_at_once_though_screens_are_watching(table: ScriptedTable) -> None:
    async with ClientSession() as session:
        async with asyncio.timeout(10):
            async with serve(table.page, bounds=QUIET) as url:
                stream = await session.get(f"{url}api/stream")
                await next_view(stream)
        assert await stream.read() == b"" or stream.content.at_eof()
        await table.until_nobody_watches()


async def test_serve_names_the_address_it_really_has(table: ScriptedTable) -> None:
    async with serve(table.page) as url, ClientSession() as session, session.get(f"{url}api/view") as answer:
        assert url.startswith("http://127.0.0.1:") and answer.status == 200


async def test_health_shows_the_state_of_the_table(client: Client) -> None:
    health = await (await client.get("/healthz")).json()
    assert health == {"ok": True, "seq": 1, "phase": "betting", "streams": 0}


# Signing in and acts


async def signed_in(client: Client, **credentials: str) -> dict[str, str]:
    """Headers with the token of who this is."""
    answer = await (await client.post("/api/login", json=credentials)).json()
    assert answer["ok"], answer
    return {"Authorization": f"Bearer {answer['token']}"}


async def test_a_person_signs_in_and_acts_under_his_own_name(client: Client, table: ScriptedTable) -> None:
    login = await client.post("/api/login", json={"name": "ann", "pin": PINS["ann"]})
    session = await login.json()
    assert (session["ok"], session["name"], session["role"]) == (True, "ann", "floor")
    assert "void" in session["rights"] and session["idle_s"] == 120
    headers = {"Authorization": f"Bearer {session['token']}", "Content-Type": "application/json"}
    answer = await client.post("/api/acts", data=CLOSE_BETS, headers=headers)
    assert answer.status == 200
    assert await answer.json() == {"ok": True, "why": None, "text": "Done."}
    assert table.acts == [(CLOSE_BETS, "floor:ann")]
    assert table.noted == [("signed_in", "floor:ann")]


async def test_nobody_acts_under_another_name_whatever_he_says(client: Client, table: ScriptedTable) -> None:
    headers = {**await signed_in(client, name="1001", pin=PINS["sam"]), "Cutcard-By": "floor:ann"}
    await client.post("/api/acts", json={"kind": "close_bets"}, headers=headers)
    assert [by for _, by in table.acts] == ["dealer:sam"]


async def test_a_badge_opens_the_door_too(client: Client, table: ScriptedTable) -> None:
    headers = await signed_in(client, badge=BADGE)
    await client.post("/api/acts", json={"kind": "close_bets"}, headers=headers)
    assert [by for _, by in table.acts] == ["floor:ann"]
    stranger = await client.post("/api/login", json={"badge": "0000-0000"})
    assert stranger.status == 401 and "nobody" in (await stranger.json())["text"]


async def test_who_signed_out_or_was_idle_acts_no_more(client: Client, table: ScriptedTable) -> None:
    floor = await signed_in(client, name="ann", pin=PINS["ann"])
    await client.post("/api/logout", headers=floor)
    assert (await client.post("/api/acts", json={}, headers=floor)).status == 401
    floor = await signed_in(client, name="ann", pin=PINS["ann"])
    table.now += 100
    assert (await client.post("/api/acts", json={}, headers=floor)).status == 200
    table.now += 121
    assert (await client.post("/api/acts", json={}, headers=floor)).status == 401
    assert [what for what, _ in table.noted] == ["signed_in", "signed_out", "signed_in"]


async def test_wrong_pins_lock_a_name_and_the_lock_says_for_how_long(client: Client, table: ScriptedTable) -> None:
    for _ in range(4):
        assert (await client.post("/api/login", json={"name": "ann", "pin": "1357"})).status == 401
    last = await client.post("/api/login", json={"name": "ann", "pin": "1357"})
    assert last.status == 429 and "60 seconds" in (await last.json())["text"]
    right = await client.post("/api/login", json={"name": "ann", "pin": PINS["ann"]})
    assert right.status == 429
    assert [what for what, _ in table.noted] == ["failed"] * 4 + ["alarm"]
    await signed_in(client, name="sam", pin=PINS["sam"])
    table.now += 61
    await signed_in(client, name="ann", pin=PINS["ann"])


async def test_a_table_without_staff_says_how_to_get_some() -> None:
    async with visit(ScriptedTable(a_view(seq=1))) as client:
        answer = await client.post("/api/login", json={"name": "ann", "pin": "1357"})
        assert answer.status == 503 and "cutcard staff add" in (await answer.json())["text"]


@pytest.mark.parametrize("body", [b"", b"[]", b'{"name": 3}', b'{"user": "ann"}', b"\xff", b'{"name": "\xff"}'])
async def test_a_malformed_sign_in_is_refused(client: Client, body: bytes) -> None:
    answer = await client.post("/api/login", data=body, headers={"Content-Type": "application/json"})
    assert answer.status == 400 and (await answer.json())["ok"] is False


async def test_a_refusal_by_the_table_comes_back_with_its_reason(client: Client, table: ScriptedTable) -> None:
    table.refuses = True
    headers = await signed_in(client, name="sam", pin=PINS["sam"])
    answer = await client.post("/api/acts", json={"kind": "close_bets"}, headers=headers)
    assert answer.status == 409
    assert await answer.json() == {"ok": False, "why": "bets_closed", "text": "Bets are closed already."}


@pytest.mark.parametrize("authorization", [None, "", "Bearer", "Bearer ", "Bearer wrong", "Basic wrong", "Bearer \xe9"])
async def test_an_act_without_a_session_does_nothing(
    client: Client, table: ScriptedTable, authorization: str | None
) -> None:
    headers = {} if authorization is None else {"Authorization": authorization}
    answer = await client.post("/api/acts", json={"kind": "close_bets"}, headers=headers)
    assert answer.status == 401 and answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert (await answer.json())["why"] == "unauthorised"
    assert table.acts == []


async def test_an_act_that_is_too_long_is_refused_in_words(client: Client, table: ScriptedTable) -> None:
    headers = {**await signed_in(client, name="sam", pin=PINS["sam"]), "Content-Type": "application/json"}
    answer = await client.post("/api/acts", data=b" " * (MAX_ACT_BYTES + 1), headers=headers)
    refusal = await answer.json()
    assert answer.status == 413 and refusal["ok"] is False and str(MAX_ACT_BYTES) in refusal["text"]
    assert table.acts == []


async def test_an_act_that_is_no_json_document_is_refused(client: Client, table: ScriptedTable) -> None:
    headers = await signed_in(client, name="sam", pin=PINS["sam"])
    answer = await client.post("/api/acts", data={"kind": "close_bets"}, headers=headers)
    assert answer.status == 415 and table.acts == []


async def test_acts_are_posted_not_fetched(client: Client) -> None:
    answer = await client.get("/api/acts")
    assert answer.status == 405 and (await answer.json())["ok"] is False


async def test_the_console_is_a_page_of_its_own_with_a_stream_of_its_own(client: Client, table: ScriptedTable) -> None:
    page = await client.get("/console")
    assert page.status == 200 and "<script>" not in await page.text()
    assert (await client.get("/api/console")).status == 200
    async with client.get("/api/console/stream") as stream:
        assert (await next_view(stream)).id == "1"
        table.show(a_view(seq=2))
        assert (await next_view(stream)).id == "2"
