"""GET /metrics: what Prometheus reads of a table, by Prometheus' own parser, and the dashboard that draws it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import msgspec
import pytest
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from controller.engine.alarms import SIGN_IN
from controller.engine.cards.card import CARDS
from controller.metrics import Family, Histogram, render
from controller.metrics.exposition import Sample
from tests.support.project import ROOT
from tests.support.running.brokers import free_port, mosquitto, needs_mosquitto
from tests.support.running.tables import LaidTable, laid_table

DASHBOARD = ROOT / "deploy/grafana/cutcard.json"
PAGE = ROOT / "docs/operations/monitoring.md"


class Scrape:
    """One answer, as Prometheus understands it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.families: dict[str, Metric] = {family.name: family for family in text_string_to_metric_families(text)}
        self.samples = {sample.name for family in self.families.values() for sample in family.samples}

    def value(self, name: str, **labels: str) -> float:
        found = [
            sample.value
            for family in self.families.values()
            for sample in family.samples
            if sample.name == name and labels.items() <= sample.labels.items()
        ]
        assert len(found) == 1, f"{name} {labels}: {found}"
        return float(found[0])


async def scrape(table: LaidTable) -> Scrape:
    async with aiohttp.ClientSession() as session, session.get(f"{table.page}metrics") as answer:
        assert answer.status == 200
        assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
        return Scrape(await answer.text())


@pytest.fixture
async def alone(tmp_path: Path) -> AsyncIterator[LaidTable]:
    """A table whose broker is away."""
    async with laid_table(tmp_path, free_port()) as table:
        yield table


async def test_a_table_counts_its_rounds_events_and_commits(alone: LaidTable) -> None:
    before = await scrape(alone)
    await alone.people.play(2)
    after = await scrape(alone)
    events = alone.journal_events()

    assert before.value("cutcard_rounds_begun_total") == 0
    assert after.value("cutcard_rounds_begun_total") == 2
    assert after.value("cutcard_rounds_ended_total", how="settled") == 2
    assert after.value("cutcard_rounds_ended_total", how="voided") == 0
    assert after.value("cutcard_rounds_per_hour") == 2
    assert after.value("cutcard_events_total", site="test", table="t-1") == len(events)
    dealt = sum(event["kind"] == "card_dealt" for event in events)
    assert after.value("cutcard_events_by_kind_total", kind="card_dealt") == dealt >= 8
    inputs = after.value("cutcard_inputs_total")
    assert after.value("cutcard_commit_seconds_count") == inputs
    assert after.value("cutcard_commit_seconds_bucket", le="+Inf") == inputs
    assert 0 < after.value("cutcard_commit_seconds_sum") < 60
    assert after.value("cutcard_journal_bytes", part="live") == alone.journal.stat().st_size
    assert after.value("cutcard_test_mode") == 1


async def test_events_that_wait_for_the_broker_are_shown_with_their_age(alone: LaidTable) -> None:
    await alone.people.play(1)
    metrics = await scrape(alone)
    assert metrics.value("cutcard_publisher_connected") == 0
    assert metrics.value("cutcard_publisher_acknowledged_total") == 0
    assert metrics.value("cutcard_publisher_lag_events") == len(alone.journal_events())
    assert metrics.value("cutcard_publisher_lag_seconds") > 0


@pytest.mark.broker
@needs_mosquitto
async def test_a_broker_that_takes_everything_leaves_no_lag(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        async with laid_table(tmp_path, broker.port) as table:
            await table.people.play(1)
            await table.until(lambda view: bool(view.get("broker_online")))
            metrics = await scrape(table)
            while metrics.value("cutcard_publisher_lag_events"):
                metrics = await scrape(table)
    assert metrics.value("cutcard_publisher_connected") == 1
    assert metrics.value("cutcard_publisher_acknowledged_total") == metrics.value("cutcard_events_total") > 0
    assert metrics.value("cutcard_publisher_lag_seconds") == 0


async def test_a_shoe_that_is_pulled_out_is_down_and_an_alarm_until_it_is_back(alone: LaidTable) -> None:
    metrics = await scrape(alone)
    assert metrics.value("cutcard_device_up", device="shoe", kind="shoe") == 1
    assert metrics.value("cutcard_device_frames_received_total", device="shoe") > 0
    assert metrics.value("cutcard_device_crc_errors_total", device="shoe") == 0
    assert metrics.value("cutcard_device_sessions_total", device="shoe") == 1

    alone.shoe.unplug()
    await alone.until(lambda view: "devices" in view and view["devices"][0]["state"] == "offline")
    metrics = await scrape(alone)
    assert metrics.value("cutcard_device_up", device="shoe") == 0
    raised = sum(sample.value for sample in metrics.families["cutcard_alarms"].samples)
    assert raised == sum(sample.value for sample in metrics.families["cutcard_alarm"].samples)


async def test_an_urgent_alarm_is_counted(alone: LaidTable) -> None:
    async with aiohttp.ClientSession() as session:
        for _ in range(5):
            async with session.post(f"{alone.page}api/login", json={"name": "sam", "pin": "1357"}) as answer:
                assert not (await answer.json())["ok"]
    metrics = await scrape(alone)
    assert metrics.value("cutcard_alarm", alarm=SIGN_IN.of(), severity="urgent") == 1
    counted = {sample.labels["severity"]: sample.value for sample in metrics.families["cutcard_alarms"].samples}
    assert counted == {"stop": 0, "urgent": 1, "warning": 0}


async def test_no_card_is_in_the_metrics(alone: LaidTable) -> None:
    await alone.people.play(1)
    text = (await scrape(alone)).text
    assert "card_dealt" in text
    labels = set(re.findall(r'="([^"]*)"', text))
    assert not labels & set(CARDS)


async def test_the_page_names_every_metric_and_no_other(alone: LaidTable) -> None:
    await alone.people.play(1)
    metrics = await scrape(alone)
    types = dict(re.findall(r"^# TYPE (\S+) (\S+)$", metrics.text, re.MULTILINE))
    rows = re.findall(r"^\| `([a-z_]+)` \| (counter|gauge|histogram) \|", PAGE.read_text(), re.MULTILINE)
    assert dict(rows) == types


async def test_the_dashboard_and_the_page_ask_only_for_metrics_that_there_are(alone: LaidTable) -> None:
    await alone.people.play(1)
    metrics = await scrape(alone)
    known = set(re.findall(r"^# TYPE (\S+)", metrics.text, re.MULTILINE)) | metrics.samples
    dashboard = msgspec.json.decode(DASHBOARD.read_bytes())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    asked += [variable["query"]["query"] for variable in dashboard["templating"]["list"] if "datasource" in variable]
    asked += re.findall(r"^\| `([^`]*[=(<>][^`]*)` \|", PAGE.read_text(), re.MULTILINE)
    names = {name for expression in asked for name in re.findall(r"\b(?:cutcard|process)_\w+", expression)}
    assert len(asked) > 20
    assert len(names) > 15
    assert names <= known
    # Every label that a dashboard chooses by is one that its metric carries.
    for expression in asked:
        for name, chosen in re.findall(r"\b(cutcard_\w+)\{([^}]*)\}", expression):
            given = re.findall(rf"^{name}\{{([^}}]*)\}}", metrics.text, re.MULTILINE)
            for label in re.findall(r"(\w+)=", chosen):
                assert all(f'{label}="' in labels for labels in given), f"{name} has no label {label}"


def test_labels_and_help_survive_any_text() -> None:
    nasty = 'a "jam"\\at\nthe mouth'
    text = render([Family("x", "gauge", nasty, (Sample(1.5, {"what": nasty}),))], {"site": "s"}).decode()
    (family,) = text_string_to_metric_families(text)
    assert family.documentation == nasty
    assert family.samples[0].labels == {"site": "s", "what": nasty}
    assert family.samples[0].value == 1.5


def test_a_histogram_counts_each_observation_once_and_a_bound_in_its_bucket() -> None:
    histogram = Histogram((0.001, 0.01))
    for value in (0.0005, 0.001, 0.005, 7):
        histogram.observe(value)
    text = render([Family("t", "histogram", "x", histogram.samples())], {}).decode()
    (family,) = text_string_to_metric_families(text)
    assert [(sample.labels.get("le"), sample.value) for sample in family.samples if sample.name == "t_bucket"] == [
        ("0.001", 2),
        ("0.01", 3),
        ("+Inf", 4),
    ]
    assert [sample.value for sample in family.samples if sample.name in ("t_sum", "t_count")] == [7.0065, 4]
