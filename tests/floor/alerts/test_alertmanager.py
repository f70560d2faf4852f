"""Alerts of the floor page reach people through a real Alertmanager with the configuration of deploy/floor."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from msgspec.structs import replace

from controller.contract.messages import StateDocument
from floor.page_settings import AlertSettings
from floor.web.serving import milliseconds
from tests.support.floor_rooms import a_table, as_published, online, troubled
from tests.support.project import ROOT
from tests.support.running.brokers import eventually, needs_mosquitto
from tests.support.running.floor_pages import SITE, RunningPage, floor_page
from tests.support.running.prometheus.alertmanagers import (
    Alertmanager,
    Called,
    alertmanager,
    amtool,
    needs_alertmanager,
)

pytestmark = [pytest.mark.broker, needs_mosquitto, needs_alertmanager]
CONFIG = ROOT / "deploy" / "floor" / "alertmanager.yml"
WAITS = {
    "group_wait: 5s": "group_wait: 0s",
    "group_wait: 5m": "group_wait: 2s",
    "group_wait: 15m": "group_wait: 2s",
    "group_interval: 1m": "group_interval: 1s",
    "group_wait: 10m": "group_wait: 0s",
}


@asynccontextmanager
async def routed(folder: Path) -> AsyncIterator[tuple[RunningPage, Alertmanager, Called]]:
    async with alertmanager(folder, CONFIG.read_text(), WAITS) as (running, called):
        settings = AlertSettings(urls=(running.url,), page="https://floor.example/", resend_s=1)
        async with floor_page(folder, alerts=settings, sections={"pit": ("t-1",)}) as page:
            yield page, running, called


def short(name: str, seq: int = 101) -> StateDocument:
    """A table with an urgent alarm."""
    now = milliseconds()
    return replace(troubled(a_table(name, SITE, 1, now), 2, now), seq=seq)


def seen(state: StateDocument, seq: int) -> StateDocument:
    """The same, and somebody has acknowledged it."""
    alarms = {
        name: replace(alarm, acknowledged_by="floor:ann", acknowledged_at=milliseconds())
        for name, alarm in state.alarms.items()
    }
    return replace(state, seq=seq, alarms=alarms)


async def test_the_configuration_is_good_and_routes_by_severity_and_acknowledgement() -> None:
    assert "SUCCESS" in await asyncio.to_thread(amtool, "check-config", CONFIG)

    async def receivers(*labels: str) -> list[str]:
        arguments = "config", "routes", "test", f"--config.file={CONFIG}", *labels
        return (await asyncio.to_thread(amtool, *arguments)).strip().split(",")

    assert await receivers("severity=stop", "acknowledged=no") == ["pager", "manager"]
    assert await receivers("severity=urgent", "acknowledged=no") == ["shift", "manager"]
    assert await receivers("severity=warning", "acknowledged=no") == ["technician"]
    assert await receivers("severity=stop", "acknowledged=yes") == ["nobody"]
    assert await receivers("alertname=floor", "severity=none") == ["watchdog"]


async def test_what_nobody_acknowledges_is_escalated_and_what_is_over_is_reported_as_over(tmp_path: Path) -> None:
    async with routed(tmp_path) as (page, running, called):
        await eventually(lambda: called.alerts("/alive", alertname="floor") != [], 60)
        state = short("t-1")
        await page.tables.publish([online(state), as_published(state)])
        await eventually(lambda: any("t-1" in mail and "$5 short" in mail for mail in called.mails), 60)
        await eventually(lambda: called.alerts("/manager", table="t-1") != [], 60)
        (alert,) = called.alerts("/manager", table="t-1")[:1]
        assert alert["labels"]["section"] == "pit" and alert["labels"]["alarm"] == "short:collection"
        assert alert["generatorURL"] == "https://floor.example/table/t-1"
        well = replace(a_table("t-1", SITE, 1, milliseconds()), seq=102)
        await page.tables.publish([as_published(well)])
        await eventually(lambda: any(alert["status"] == "resolved" for alert in called.alerts("/manager")), 60)
        assert "short t-1" not in await running.alerts()


async def test_what_somebody_has_acknowledged_calls_nobody_else(tmp_path: Path) -> None:
    waits = {**WAITS, "group_wait: 15m": "group_wait: 4s"}
    async with alertmanager(tmp_path, CONFIG.read_text(), waits) as (running, called):
        settings = AlertSettings(urls=(running.url,), resend_s=1)
        async with floor_page(tmp_path, alerts=settings) as page:
            first, second = short("t-1"), short("t-2")
            await page.tables.publish([online(first), as_published(seen(first, 102))])
            await has(running, "short t-1", acknowledged="yes")
            # The manager is called about the second, which nobody has seen; by then the first would have been there.
            await page.tables.publish([online(second), as_published(second)])
            await eventually(lambda: called.alerts("/manager", table="t-2") != [], 60)
            assert called.alerts("/manager", table="t-1", acknowledged="no") == []


async def test_a_silenced_table_calls_nobody_and_is_still_there(tmp_path: Path) -> None:
    async with routed(tmp_path) as (page, running, called):
        silence = "silence", "add", f"--alertmanager.url={running.url}", "--author=ann", "--comment=repair"
        await asyncio.to_thread(amtool, *silence, "--duration=1h", "table=t-1")
        silenced, other = short("t-1"), short("t-2")
        await page.tables.publish([online(silenced), as_published(silenced)])
        alert = await has(running, "short t-1")
        assert alert["status"]["state"] == "suppressed"
        await page.tables.publish([online(other), as_published(other)])
        await eventually(lambda: called.alerts("/manager", table="t-2") != [], 60)
        assert called.alerts("/manager", table="t-1") == []


async def test_an_alertmanager_that_is_away_is_named_on_the_page_and_gets_everything_when_it_is_back(
    tmp_path: Path,
) -> None:
    async with routed(tmp_path) as (page, running, _):
        await has(running, "floor")
        running.kill()
        state = short("t-1")
        await page.tables.publish([online(state), as_published(state)])
        await eventually_shown(page, [running.url])
        await running.start()
        await has(running, "short t-1")
        await eventually_shown(page, [])


async def has(running: Alertmanager, name: str, **labels: str) -> dict[str, Any]:
    """Waits until it has this alert, with these labels."""
    async with asyncio.timeout(60):
        while True:
            found = (await running.alerts()).get(name)
            if found is not None and labels.items() <= found["labels"].items():
                return found
            await asyncio.sleep(0.05)


async def eventually_shown(page: RunningPage, away: list[str]) -> None:
    """Waits until the page names these as away."""
    async with asyncio.timeout(60), aiohttp.ClientSession() as session:
        while True:
            async with session.get(f"{page.url}api/floor") as response:
                if (await response.json())["room"]["alertmanagers_away"] == away:
                    return
            await asyncio.sleep(0.05)
