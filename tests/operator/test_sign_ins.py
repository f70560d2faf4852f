"""A running daemon's door: who may do what, and what is in the journal of those who came."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.support.running.consoles import MannedTable, manned_table

EZ = "bankers-ez-baccarat-panda-8"


class Visitor:
    """Somebody with an HTTP client."""

    def __init__(self, session: aiohttp.ClientSession, table: MannedTable) -> None:
        self._session, self._table = session, table

    async def login(self, role: str, pin: str | None = None) -> dict[str, Any]:
        person = self._table.pins[role]
        sign_in = {"name": person["name"], "pin": person["pin"] if pin is None else pin}
        async with self._session.post(f"{self._table.page}api/login", json=sign_in) as response:
            answer: dict[str, Any] = await response.json()
            return answer

    async def act(self, token: str, **body: Any) -> tuple[int, str | None]:
        headers = {"Authorization": f"Bearer {token}"}
        async with self._session.post(f"{self._table.page}api/acts", json=body, headers=headers) as response:
            return response.status, (await response.json())["why"]


def came(table: MannedTable) -> list[tuple[str, str]]:
    """What is published of people at the door."""
    kinds = ("signed_in", "signed_out", "sign_in_failed")
    return [(event["kind"], event.get("name", "")) for event in table.journal_events() if event["kind"] in kinds]


@pytest.mark.clause("NY-5317.40", "25CFR-543.16")
async def test_each_role_does_what_it_may_and_the_journal_names_everybody(tmp_path: Path) -> None:
    async with manned_table(tmp_path, EZ) as table, aiohttp.ClientSession() as session:
        visitor = Visitor(session, table)
        dealer = (await visitor.login("dealer"))["token"]
        assert await visitor.act(dealer, kind="shoe_started", decks=8) == (200, None)
        assert await visitor.act(dealer, kind="close_bets") == (200, None)
        assert await visitor.act(dealer, kind="floor", do="void") == (403, "not_your_right")
        assert await visitor.act(dealer, kind="amend", round=1, changes=[], reason="") == (403, "not_your_right")
        assert await visitor.act(dealer, kind="close_table") == (403, "not_your_right")
        assert await visitor.act(dealer, kind="cut_card") == (200, None)
        assert await visitor.act(dealer, kind="noted", device="x", what="y") == (403, "devices_only")
        assert await visitor.act(dealer, kind="nonsense") == (400, "malformed")
        assert await visitor.act(dealer, kind="happening", code="dealer_stops") == (200, None)
        ruling = await visitor.act(dealer, kind="happening", code="dealer_stops")
        assert ruling == (403, "not_your_right"), "a ruling on a held table is the floor's"
        floor = (await visitor.login("floor"))["token"]
        assert await visitor.act(floor, kind="floor", do="void", reason="test") == (200, None)
        assert "round_voided" in table.kinds()
        assert came(table) == [("signed_in", "sam"), ("signed_in", "ann")]


@pytest.mark.clause("NY-5317.40")
async def test_wrong_pins_are_an_alarm_until_the_floor_has_been_there(tmp_path: Path) -> None:
    async with manned_table(tmp_path, EZ) as table, aiohttp.ClientSession() as session:
        visitor = Visitor(session, table)
        for _ in range(5):
            await visitor.login("dealer", "1357")
        raised = [event for event in table.journal_events() if event["kind"] == "alarm_raised"]
        assert [event["alarm"] for event in raised] == ["sign_in"]
        assert "sam" not in raised[0]["text"], "the page shows it to everybody"
        for _ in range(5):
            assert (await visitor.login("dealer"))["why"] == "locked"
        assert came(table) == [("sign_in_failed", "sam")] * 5, "tries at a locked door do not fill the journal"
        assert (await visitor.login("floor"))["ok"]
        assert table.kinds()[-1] == "alarm_cleared"
        assert b"1357" not in table.journal.read_bytes()


async def test_a_restart_of_the_daemon_ends_no_wait(tmp_path: Path) -> None:
    async with manned_table(tmp_path, EZ) as table, aiohttp.ClientSession() as session:
        visitor = Visitor(session, table)
        for _ in range(5):
            await visitor.login("dealer", "1357")
        await table.stop()
        await table.start(session)
        assert (await visitor.login("dealer"))["why"] == "locked"
        assert (await visitor.login("floor"))["ok"]


async def test_sign_in_and_sign_out_are_events_with_the_person_and_the_place(tmp_path: Path) -> None:
    async with manned_table(tmp_path, EZ) as table, aiohttp.ClientSession() as session:
        visitor = Visitor(session, table)
        dealer = (await visitor.login("dealer"))["token"]
        headers = {"Authorization": f"Bearer {dealer}"}
        async with session.post(f"{table.page}api/logout", headers=headers) as response:
            assert response.status == 200
        events = {event["kind"]: event for event in table.journal_events()}
    came_in, went = events["signed_in"], events["signed_out"]
    assert [came_in[key] for key in ("name", "role", "at", "client", "means")] == [
        "sam",
        "dealer",
        "console",
        "board",
        "pin",
    ]
    assert (went["name"], went["at"]) == ("sam", "console")
