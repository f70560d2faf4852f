"""`cutcard sparkplug` from the table's messages to a host application, with real brokers and foreign hosts."""

from __future__ import annotations

import asyncio
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import aiomqtt
import pytest

from tests.support.running.brokers import Mosquitto, mosquitto, needs_mosquitto
from tests.support.running.sparkplug.foreign_hosts import (
    LIBRARIES,
    OTHER_JOURNAL,
    bridge_process,
    feeding,
    foreign_host,
    needs_library,
)
from tests.support.running.tables import laid_table

pytestmark = [pytest.mark.broker, needs_mosquitto]

each_library = pytest.mark.parametrize("library", [pytest.param(name, marks=needs_library(name)) for name in LIBRARIES])
BOTH_VERSIONS = pytest.mark.parametrize("version", ["5", "3.1.1"])


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    folder = tmp_path / "broker"
    folder.mkdir()
    with mosquitto(folder, "allow_anonymous true", "persistence true", f"persistence_location {folder}/") as running:
        yield running


def arguments(source: Mosquitto, target: Mosquitto, tmp_path: Path, *more: str) -> list[str]:
    state = str(tmp_path / "state" / "births.json")
    return ["--port", str(source.port), "--to-port", str(target.port), "--state", state, *more]


@each_library
@BOTH_VERSIONS
async def test_a_foreign_host_sees_the_table_as_it_is(
    broker: Mosquitto, tmp_path: Path, library: str, version: str
) -> None:
    async with (
        feeding(broker.port) as table,
        foreign_host(library, broker.port) as host,
        bridge_process(*arguments(broker, broker, tmp_path, "--to-mqtt", version)),
    ):
        await table.online()
        await table.device("shoe", "online", firmware="1.4")
        await table.device("sign", "offline")
        await table.alarm("drop", "raised")
        await table.state(open=True, round=7, phase="dealing", fees_due={"main": 1250}, seq=40)
        birth = await host.until_kind("NBIRTH")
        assert birth["values"]["state/open"] is True and birth["values"]["state/round"] == 7
        assert birth["values"]["state/fees_due/main"] == 1250 and birth["values"]["state/phase"] == "dealing"
        assert birth["values"]["alarm/drop/raised"] is True and birth["values"]["bdSeq"] == 0
        assert birth["values"]["Node Control/Rebirth"] is False
        device = await host.until_kind("DBIRTH")
        assert (device["device"], device["values"]["facts/firmware"]) == ("shoe", "1.4")

        await table.state(open=True, round=8, phase="dealing", fees_due={"main": 1250}, seq=41)
        data = await host.until(lambda seen: seen["kind"] == "NDATA")
        assert data["values"] == {"state/round": 8, "state/seq": 41}
        await table.device("shoe", "offline", firmware="1.4")
        assert (await host.until(lambda seen: seen["kind"] == "DDEATH"))["device"] == "shoe"
        await table.device("shoe", "online", firmware="1.5")
        assert (await host.until_kind("DBIRTH"))["values"]["facts/firmware"] == "1.5"

        await host.write("Node Control/Rebirth", True)
        again = await host.until_kind("NBIRTH")
        assert again["values"]["state/round"] == 8 and again["values"]["bdSeq"] == 0 and again["seq"] == 0
        assert (await host.until_kind("DBIRTH"))["seq"] == 1
        await table.online(False)
        await host.until_kind("NDEATH")


@needs_library("pysparkplug")
async def test_a_round_at_a_real_table_reaches_the_host(broker: Mosquitto, tmp_path: Path) -> None:
    async with (
        foreign_host("pysparkplug", broker.port, "test") as host,
        bridge_process(*arguments(broker, broker, tmp_path)) as bridge,
        laid_table(tmp_path, broker.port) as table,
    ):
        birth = await host.until_kind("NBIRTH")
        assert birth["node"] == "t-1" and birth["values"]["state/ruleset"]
        await table.people.play(1)
        last = len(table.journal_events())
        await host.until(lambda seen: seen["values"].get("event/seq") == last)
        await host.write("Node Control/Rebirth", True)
        again = await host.until_kind("NBIRTH", **{"state/seq": last})
        assert again["values"]["state/round"] == 1 and again["values"]["event/seq"] == last
        bridge.send_signal(signal.SIGTERM)
        await host.until_kind("NDEATH")
    numbers = [seen["values"].get("event/seq") for seen in host.seen if seen["kind"] == "NDATA"]
    received = [seq for seq in numbers if seq is not None]
    assert received == sorted(set(received)), "each event once, in order"


@needs_library("pysparkplug")
async def test_births_wait_for_the_primary_host(broker: Mosquitto, tmp_path: Path) -> None:
    async with (
        feeding(broker.port) as table,
        foreign_host("pysparkplug", broker.port) as host,
        bridge_process(*arguments(broker, broker, tmp_path, "--primary-host", "scada")) as process,
    ):
        await table.online()
        await table.state()
        await host.do(do="state", host="other", online=True, timestamp=1000)
        await host.do(do="state", host="scada", online=True, timestamp=2000)
        birth = await host.until_kind("NBIRTH")
        first = birth["values"]["bdSeq"]
        await host.do(do="state", host="scada", online=False, timestamp=1999)  # a late will
        await table.state(round=9)
        await host.until_kind("NDATA", **{"state/round": 9})
        await host.do(do="state", host="scada", online=False, timestamp=3000)
        assert (await host.until_kind("NDEATH"))["values"]["bdSeq"] == first
        await host.do(do="state", host="scada", online=True, timestamp=4000)
        assert (await host.until_kind("NBIRTH"))["values"]["bdSeq"] == first + 1
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 0
        assert (await host.until_kind("NDEATH"))["values"]["bdSeq"] == first + 1


@needs_library("pysparkplug")
async def test_what_is_nested_without_end_does_not_end_the_bridge(broker: Mosquitto, tmp_path: Path) -> None:
    """Retained, so that it would end the next bridge too."""
    deep = b'{"document":"online","x":' + b"[" * 50_000
    async with aiomqtt.Client("127.0.0.1", broker.port, timeout=60) as stranger:
        for topic in ("cutcard/v2/bay101/t-9/online", "cutcard/v2/bay101/t-1/event/x", "spBv1.0/STATE/scada"):
            await stranger.publish(topic, deep, qos=1, retain=True)
    async with (
        feeding(broker.port) as table,
        foreign_host("pysparkplug", broker.port) as host,
        bridge_process(*arguments(broker, broker, tmp_path, "--primary-host", "scada")),
    ):
        await table.online()
        await table.state(round=3)
        await host.do(do="state", host="scada", online=True, timestamp=2000)
        assert (await host.until_kind("NBIRTH"))["values"]["state/round"] == 3


@needs_library("pysparkplug")
async def test_a_killed_bridge_leaves_a_death_and_comes_back_with_the_next_number(
    broker: Mosquitto, tmp_path: Path
) -> None:
    async with feeding(broker.port) as table, foreign_host("pysparkplug", broker.port) as host:
        await table.online()
        await table.state()
        for number in range(3):
            async with bridge_process(*arguments(broker, broker, tmp_path)) as process:
                assert (await host.until_kind("NBIRTH"))["values"]["bdSeq"] == number
                process.kill()
                assert (await host.until_kind("NDEATH"))["values"]["bdSeq"] == number


@needs_library("pysparkplug")
async def test_a_killed_broker_of_the_tables_ends_the_sessions_until_it_is_back(
    broker: Mosquitto, tmp_path: Path
) -> None:
    folder = tmp_path / "scada"
    folder.mkdir()
    with mosquitto(folder) as scada:
        async with (
            foreign_host("pysparkplug", scada.port) as host,
            bridge_process(*arguments(broker, scada, tmp_path)),
        ):
            async with feeding(broker.port) as table:
                await table.online()
                await table.state(round=1)
                await host.until_kind("NBIRTH")
                broker.save()
                broker.kill()
                await host.until_kind("NDEATH")
            broker.start()
            async with feeding(broker.port) as table:
                await table.online()
                await table.state(round=2)
                birth = await host.until_kind("NBIRTH")
                assert birth["values"]["bdSeq"] == 1


@needs_library("pysparkplug")
async def test_a_killed_sparkplug_broker_is_reached_again_and_late_events_are_historical(
    broker: Mosquitto, tmp_path: Path
) -> None:
    folder = tmp_path / "scada"
    folder.mkdir()
    with mosquitto(folder) as scada:
        async with feeding(broker.port) as table, bridge_process(*arguments(broker, scada, tmp_path)) as bridge:
            async with foreign_host("pysparkplug", scada.port) as host:
                await table.online()
                await table.state()
                await host.until_kind("NBIRTH")
                scada.kill()
            assert bridge.stderr is not None
            async with asyncio.timeout(20):
                while b"no connection to the Sparkplug broker" not in await bridge.stderr.readline():
                    pass
            missed = [await table.event("round_settled"), await table.event("card_dealt")]
            scada.start()
            async with foreign_host("pysparkplug", scada.port) as host:
                # The births may have been before this host was there.
                await host.write("Node Control/Rebirth", True)
                birth = await host.until(
                    lambda seen: seen["kind"] == "NBIRTH" and seen["values"]["event/seq"] == missed[-1]
                )
                assert birth["values"]["bdSeq"] >= 1 and birth["values"]["event/kind"] == "card_dealt"


@needs_library("pysparkplug")
async def test_events_come_once_and_history_changes_no_live_value(broker: Mosquitto, tmp_path: Path) -> None:
    async with (
        feeding(broker.port) as table,
        foreign_host("pysparkplug", broker.port) as host,
        bridge_process(*arguments(broker, broker, tmp_path)),
    ):
        await table.online()
        await table.state()
        await host.until_kind("NBIRTH")
        one = await table.event("round_settled")
        await host.until_kind("NDATA", **{"event/seq": one})
        two = await table.event("card_dealt", historical=True)
        past = await host.until_kind("NDATA", **{"event/seq": two})
        assert past["historical"] and past["values"]["event/kind"] == "card_dealt"
        await table.repeat(one)
        await table.repeat(two)
        await table.garbage("event/card_dealt", b"{")
        await table.garbage("state", b'{"document":"state"}')
        before = len(host.seen)
        await host.write("Node Control/Rebirth", True)
        birth = await host.until_kind("NBIRTH")
        assert len(host.seen) == before + 2 and host.seen[before]["kind"] == "NCMD"  # repeats were dropped
        assert birth["values"]["event/seq"] == one and birth["values"]["event/kind"] == "round_settled"
        three = await table.event("card_dealt")
        live = await host.until_kind("NDATA", **{"event/seq": three})
        assert not live["historical"] and live["values"]["event/body"] == '{"kind":"card_dealt"}'


@needs_library("pysparkplug")
async def test_another_journal_is_another_session_and_its_old_alarms_are_not_shown(
    broker: Mosquitto, tmp_path: Path
) -> None:
    async with (
        feeding(broker.port) as table,
        foreign_host("pysparkplug", broker.port) as host,
        bridge_process(*arguments(broker, broker, tmp_path)),
    ):
        await table.online()
        await table.alarm("drop", "raised")
        await table.state(round=5)
        assert (await host.until_kind("NBIRTH"))["values"]["alarm/drop/raised"] is True
        await table.state(journal=OTHER_JOURNAL, round=1)
        await table.online(journal=OTHER_JOURNAL)
        await host.until_kind("NDEATH")
        birth = await host.until_kind("NBIRTH", **{"state/round": 1})
        assert "alarm/drop/raised" not in birth["values"]


@needs_library("pysparkplug")
async def test_other_commands_are_ignored_with_a_log_line(broker: Mosquitto, tmp_path: Path) -> None:
    async with (
        feeding(broker.port) as table,
        foreign_host("pysparkplug", broker.port) as host,
        bridge_process(*arguments(broker, broker, tmp_path)) as bridge,
    ):
        await table.online()
        await table.state()
        await host.until_kind("NBIRTH")
        await host.write("state/round", 99)
        await host.write("Node Control/Rebirth", False)
        assert bridge.stderr is not None
        async with asyncio.timeout(20):
            while not re.search(rb"ignored a command to write 'state/round'", await bridge.stderr.readline()):
                pass
        await table.state(round=4)
        assert (await host.until(lambda seen: seen["kind"] != "NCMD"))["values"] == {"state/round": 4}


async def test_two_bridges_do_not_share_a_state_file(broker: Mosquitto, tmp_path: Path) -> None:
    async with bridge_process(*arguments(broker, broker, tmp_path)) as first:
        assert first.stderr is not None
        assert b"following the tables" in await first.stderr.readline()
        async with bridge_process(*arguments(broker, broker, tmp_path)) as second:
            assert second.stderr is not None
            assert b"Another bridge uses the state file" in await second.stderr.read()
            assert await second.wait() == 2
