"""A running table reads its configuration again: what counts at once, what waits, what is refused and published."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from controller.evidence.verify import verify
from controller.rules import resolve
from sim_hw.devices.dice_cup import SimulatedDiceCup
from sim_hw.time.clock import SimClock
from sim_hw.wire.pty import Pty
from tests.support.running.brokers import free_port, mosquitto, needs_mosquitto
from tests.support.running.tables import LaidTable, laid_table
from tests.support.running.technician_tables import Done, cutcard

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def table(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[LaidTable]:
    """One for all: each test leaves it with a configuration that is right, and between two rounds."""
    async with laid_table(tmp_path_factory.mktemp("table"), free_port()) as laid:
        await laid.until(lambda view: any(device["state"] == "online" for device in view.get("devices", ())))
        yield laid


def rewrite(table: LaidTable, old: str, new: str) -> None:
    text = table.config.read_text()
    assert old in text
    table.config.write_text(text.replace(old, new))


async def apply(table: LaidTable) -> Done:
    return await cutcard("config", "apply", "--config", table.config)


def events_of(table: LaidTable, kind: str) -> list[dict[str, Any]]:
    return [event for event in table.journal_events() if event["kind"] == kind]


def file_digest(table: LaidTable) -> str:
    return sha256(table.config.read_bytes()).hexdigest()


async def test_a_file_that_has_not_changed_changes_nothing(table: LaidTable) -> None:
    before = len(table.journal_events())
    assert await apply(table) == Done(0, "Nothing has changed.\n", "")
    assert len(table.journal_events()) == before


async def test_limits_change_between_rounds_and_the_journal_says_so(table: LaidTable) -> None:
    rewrite(table, "min_wager = 500", "min_wager = 700")
    assert await apply(table) == Done(0, "Changed: seating.min_wager.\n", "")
    (event,) = events_of(table, "table_configured")
    assert event["changed"] == ["seating.min_wager"]
    assert event["by"].startswith("technician:")
    assert event["file"] == file_digest(table)
    assert events_of(table, "rules_set")[-1]["min_wager"] == 700
    attested = await cutcard("attest", "--config", table.config)
    assert "WARNING" not in attested.out


async def test_in_mid_round_what_the_round_is_judged_by_is_refused_and_what_it_does_not_see_is_not(
    table: LaidTable,
) -> None:
    await begin_a_round(table)
    rewrite(table, "min_wager = 700", "min_wager = 500")
    rewrite(table, "[journal]\n", "[journal]\nkeep_days = 4000\n")
    events = len(table.journal_events())
    refused = await apply(table)
    assert refused.code == 2
    assert "is running, and seating.min_wager may change between rounds only. Nothing was changed" in refused.err
    assert len(table.journal_events()) == events
    os.kill(table.pid, signal.SIGHUP)  # a signal gets no answer
    await table.until(lambda _: "seating.min_wager may change between rounds only" in alarms(table).get("config", ""))
    rewrite(table, "min_wager = 500", "min_wager = 700")
    assert await apply(table) == Done(0, "Changed: journal.keep_days.\n", "")
    assert "config" not in alarms(table)
    await table.console.act({"kind": "floor", "do": "void", "reason": "test"}, by="floor")


async def begin_a_round(table: LaidTable, decks: int = 8) -> None:
    """The first wager of a round lies."""
    if (await table.console.view())["phase"] == "waiting":
        table.shoe.load(decks=decks)
        await table.shoe.wait_taken()
        await table.until(lambda view: view.get("phase", "waiting") != "waiting")
    await table.console.act({"kind": "bank", "spots": [1_000_000]})
    await table.console.act({"kind": "wager", "place": 1, "wager": "player_line", "cents": 1000})


async def test_a_file_with_errors_leaves_the_old_configuration_and_raises_an_alarm(table: LaidTable) -> None:
    good = table.config.read_text()
    table.config.write_text(good.replace("max_wager = 50000", 'max_wager = "a lot"').replace("port = 0", "prot = 0"))
    refused = await apply(table)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.count("cutcard.toml:") == 2
    os.kill(table.pid, signal.SIGHUP)
    await table.until(lambda _: "config" in alarms(table))
    assert re.search(r"cutcard.toml:\d+: seating.max_wager: .* \(and 1 more\)", alarms(table)["config"])
    table.config.write_text(good)
    os.kill(table.pid, signal.SIGHUP)
    await table.until(lambda _: "config" not in alarms(table))


def alarms(table: LaidTable) -> dict[str, str]:
    """Those that stand, by name."""
    raised: dict[str, str] = {}
    for event in table.journal_events():
        if event["kind"] == "alarm_raised":
            raised[event["alarm"]] = event["text"]
        elif event["kind"] == "alarm_cleared":
            del raised[event["alarm"]]
    return raised


async def test_what_needs_a_restart_is_said_and_waits(table: LaidTable) -> None:
    rewrite(table, 'table = "t-1"', 'table = "t-9"')
    rewrite(table, "[web]\n", '[web]\nallowed_hosts = ["pit-3.example"]\n')
    done = await apply(table)
    assert done.out == "Changed: web.allowed_hosts.\nWaits for a restart: table.\n"
    assert (await table.console.view())["table"] == "t-1"
    rewrite(table, 'table = "t-9"', 'table = "t-1"')
    assert (await apply(table)).out == "Nothing has changed.\n"


async def test_screens_reach_the_page_under_a_name_that_was_added(table: LaidTable) -> None:
    for name, status in (("pit-3.example", 200), ("pit-4.example", 421)):
        async with (
            aiohttp.ClientSession(headers={"Host": name}) as session,
            session.get(f"{table.page}api/view") as response,
        ):
            assert response.status == status


async def test_a_device_comes_moves_and_goes_while_the_table_plays_on(table: LaidTable) -> None:
    cup = SimulatedDiceCup(Pty(table.folder, "cup"), SimClock.at("max"), seed=1)
    cup.plug()
    try:
        good = table.config.read_text()
        device = '[[devices]]\nid = "cup"\nkind = "dice_cup"\nurl = "{}"\n'
        table.config.write_text(good + device.format(table.folder / "cup"))
        assert (await apply(table)).out == "Changed: devices.cup.\n"
        await table.until(lambda view: states(view).get("cup") == "online")
        listed = await cutcard("doctor", "--config", table.config)
        assert "ok    cup" in listed.out
        table.config.write_text(good + device.format(table.folder / "elsewhere"))
        assert (await apply(table)).out == "Changed: devices.cup.url.\n"
        await table.until(lambda view: states(view).get("cup") == "offline")
        assert "device_away:cup" in alarms(table)
        table.config.write_text(good)
        assert (await apply(table)).out == "Changed: devices.cup.\n"
        view = await table.until(lambda view: "devices" in view and "cup" not in states(view))
        assert events_of(table, "device")[-1]["state"] == "removed"
        assert "device_away:cup" not in alarms(table)
        assert states(view)["shoe"] == "online"
    finally:
        cup.unplug()


def states(view: dict[str, Any]) -> dict[str, str]:
    return {device["id"]: device["state"] for device in view.get("devices", ())}


@pytest.mark.broker
@needs_mosquitto
async def test_the_table_goes_to_another_broker_and_no_event_is_lost(table: LaidTable, tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        text = table.config.read_text()
        old = next(line for line in text.splitlines() if line.startswith("port = ") and line != "port = 0")
        rewrite(table, old, f"port = {broker.port}")
        assert (await apply(table)).out == "Changed: mqtt.broker.main.port.\n"
        await table.until(lambda view: bool(view.get("broker_online")))
        rewrite(table, f"port = {broker.port}", old)
        await apply(table)
    await table.until(lambda view: view.get("broker_online") is False)


async def test_other_rules_are_dealt_and_the_journal_re_runs_to_the_same_table(table: LaidTable) -> None:
    rewrite(
        table,
        'ruleset = "bankers-ez-baccarat-panda-8"',
        'ruleset = "bankers-ez-baccarat-panda-8"\noptions = { decks = 6 }',
    )
    assert (await apply(table)).out == "Changed: rules.options.\n"
    digest = events_of(table, "rules_set")[-1]["digest"]
    await begin_a_round(table, decks=6)
    assert events_of(table, "round_started")[-1]["digest"] == digest
    verdict = verify(table.journal, resolve)
    assert verdict.findings == []


async def test_a_device_that_was_taken_out_while_the_daemon_was_down_is_gone_when_it_is_back(table: LaidTable) -> None:
    good = table.config.read_text()
    ghost = f'[[devices]]\nid = "ghost"\nkind = "dice_cup"\nurl = "{table.folder / "ghost"}"\n'
    table.config.write_text(good + ghost)
    await apply(table)
    await table.until(lambda _: "device_away:ghost" in alarms(table))
    assert await table.stop() == 0
    table.config.write_text(good)
    async with aiohttp.ClientSession() as session:
        await table.start(session)
    await table.until(lambda _: "device_away:ghost" not in alarms(table))
    ghosts = [event["state"] for event in events_of(table, "device") if event["device"] == "ghost"]
    assert ghosts[-1] == "removed"


async def test_a_daemon_that_does_not_run_cannot_reload(tmp_path: Path) -> None:
    file = tmp_path / "cutcard.toml"
    file.write_text('site = "a"\ntable = "b"\ntest = true\n[rules]\nruleset = "bankers-ez-baccarat-panda-8"\n')
    done = await cutcard("config", "apply", "--config", file)
    assert done.code == 2
    assert "No daemon runs" in done.err
