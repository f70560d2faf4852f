"""The floor page keeps the file by which Prometheus finds the tables."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.contract.messages import PageAddress
from controller.contract.topics import Topics
from controller.scrape_targets import decode_targets, table_target
from floor.live.live_tables import LiveTables
from floor.messages import ReceivedDocument, read
from floor.page_settings import PrometheusSettings
from floor.targets import Targets
from tests.support.floor_rooms import a_table, as_published, online
from tests.support.recorded_days import Published
from tests.support.running.brokers import needs_mosquitto
from tests.support.running.floor_pages import SITE, floor_page

NOW = 1_795_000_000_000


def with_page(table: str, host: str = "t.tables.riverside", port: int = 8443) -> Published:
    state = a_table(table, SITE, 1, NOW)
    return as_published(replace(state, page=PageAddress(host, port, True)))


def retired(table: str) -> Published:
    return Published(Topics(SITE, table).state, b"", True)


def listed(file: Path) -> dict[str, str]:
    """Addresses by site and table."""
    found: list[dict[str, Any]] = msgspec.json.decode(file.read_bytes())
    return {
        "/".join(filter(None, (each["labels"].get("site"), each["labels"].get("table")))): each["targets"][0]
        for each in found
    }


class Kept:
    """The file of a page that runs, without its connections."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "targets.json"
        self.start()

    def start(self) -> None:
        self.tables = LiveTables()
        self.targets = Targets(SITE, self.file, self.tables)

    def after(self, *messages: Published) -> dict[str, str]:
        for message in messages:
            document = read("a", message.topic, message.payload, NOW)
            assert isinstance(document, ReceivedDocument)
            self.tables.take(document)
        self.targets.write()
        return listed(self.file)


def test_a_table_is_listed_when_it_says_where_its_page_is_and_stays_while_it_is_away(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    assert kept.after(as_published(a_table("t-1", SITE, 1, NOW))) == {}
    first = with_page("t-1")
    assert kept.after(first) == {f"{SITE}/t-1": "t.tables.riverside:8443"}
    assert kept.after(online(a_table("t-1", SITE, 1, NOW), is_online=False)) == {
        f"{SITE}/t-1": "t.tables.riverside:8443"
    }
    (target,) = decode_targets(kept.file.read_bytes())
    assert target == table_target(SITE, "t-1", "t.tables.riverside", 8443, tls=True)
    kept.start()
    assert kept.after() == {f"{SITE}/t-1": "t.tables.riverside:8443"}, (
        "the page was started again, and knows no table yet"
    )


def test_a_retired_table_is_taken_out_and_what_others_have_written_stays(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    others = [
        {"targets": ["broker-a:9234"], "labels": {}},
        {"targets": ["b-1.tables.bay101:8443"], "labels": {"__scheme__": "https", "site": "bay101", "table": "t-1"}},
    ]
    kept.file.write_bytes(msgspec.json.encode(others))
    both = kept.after(with_page("t-1"), with_page("t-2"))
    assert set(both) == {"", "bay101/t-1", f"{SITE}/t-1", f"{SITE}/t-2"}
    assert set(kept.after(retired("t-1"))) == {"", "bay101/t-1", f"{SITE}/t-2"}


@pytest.mark.parametrize("host", ["t.riverside/metrics?x=", "user@evil.example", "", "a b"])
def test_what_is_no_name_becomes_no_address(tmp_path: Path, host: str) -> None:
    assert Kept(tmp_path).after(with_page("t-1", host)) == {}
    assert Kept(tmp_path).after(with_page("t-1", port=70_000)) == {}


def test_a_file_that_is_no_list_of_targets_is_left_alone_and_reported_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    kept = Kept(tmp_path)
    kept.file.write_text("- targets: [yaml]\n")
    for _ in range(3):
        kept.targets.write()
    assert kept.file.read_text() == "- targets: [yaml]\n"
    (line,) = [record.message for record in caplog.records if "does not get new tables" in record.message]
    assert "targets.json is no file of targets" in line


@pytest.mark.broker
@needs_mosquitto
async def test_the_running_page_lists_what_the_tables_publish(tmp_path: Path) -> None:
    file = tmp_path / "targets.json"
    async with floor_page(tmp_path, prometheus=PrometheusSettings(targets=str(file))) as page:
        await page.tables.publish([with_page("t-1")])
        async with asyncio.timeout(60):
            while not file.exists() or listed(file) != {f"{SITE}/t-1": "t.tables.riverside:8443"}:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
