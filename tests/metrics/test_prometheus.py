"""Alerts, targets and dashboard, judged by Prometheus itself: promtool, and a real one that scrapes a real table."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest
import yaml

from controller.cli.main import main
from controller.config import read_config
from controller.contract.messages import PageAddress
from controller.metrics.targets import target
from controller.outputs.state import state
from controller.scrape_targets import table_target
from tests.support.project import ROOT
from tests.support.running.alarms.alarmed_tables import alarmed_table
from tests.support.running.brokers import free_port
from tests.support.running.prometheus.scrapers import needs_prometheus, prometheus, promtool
from tests.support.running.tables import laid_table

FOLDER = ROOT / "deploy/prometheus"
ALERTS = FOLDER / "alerts.yml"
GRAFANA = ROOT / "deploy/grafana"
TABLE = 'site = "riverside"\ntable = "{table}"\ntest = true\n[rules]\nruleset = "bankers-ez-baccarat-panda-8"\n[web]\n'
TLS = 'certificate = "page.crt"\nkey = "page.key"\n'


def rules() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load(ALERTS.read_text())["groups"]
    return list(group["rules"])


@needs_prometheus
def test_promtool_takes_the_alerts_the_configuration_and_the_cases(tmp_path: Path) -> None:
    assert promtool("check", "rules", ALERTS) == ""
    assert promtool("test", "rules", FOLDER / "alerts_test.yml") == ""
    (tmp_path / "cutcard").mkdir()
    (tmp_path / "cutcard/alerts.yml").write_text(ALERTS.read_text())
    (tmp_path / "cutcard/pages-ca.crt").write_text("")
    (tmp_path / "cutcard/targets.json").write_text("[]")
    (tmp_path / "prometheus.yml").write_text((FOLDER / "prometheus.yml").read_text())
    assert promtool("check", "config", tmp_path / "prometheus.yml") == ""


@needs_prometheus
def test_promtool_finds_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "bad.yml").write_text(ALERTS.read_text().replace("== 0", "== == 0"))
    assert "could not parse expression" in promtool("check", "rules", tmp_path / "bad.yml")


def test_every_alert_names_its_table_and_says_what_to_do() -> None:
    for rule in rules():
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert "{{ $labels.table }} at {{ $labels.site }}" in rule["annotations"]["summary"], rule["alert"]
        assert len(rule["annotations"]["runbook"]) > 30, rule["alert"]
        for page, heading in re.findall(r"docs/([\w/-]+\.md)(?:#([\w-]+))?", rule["annotations"]["runbook"]):
            text = (ROOT / "docs" / page).read_text()
            assert not heading or re.search(rf"^#+ {heading}$", text, re.MULTILINE | re.IGNORECASE)
    page = (ROOT / "docs/operations/monitoring.md").read_text()
    assert {rule["alert"] for rule in rules()} == set(re.findall(r"^\| `([A-Z]\w+)` \|", page, re.MULTILINE))


def test_no_sum_over_tables_forgets_the_site() -> None:
    dashboard = msgspec.json.decode((GRAFANA / "cutcard.json").read_bytes())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    for expression in [*asked, *(rule["expr"] for rule in rules())]:
        for names in re.findall(r"(?:by|on) \(([^)]*)\)", expression):
            assert {"site", "table"} <= {name.strip() for name in names.split(",")}, expression
    legends = [target.get("legendFormat", "") for panel in dashboard["panels"] for target in panel["targets"]]
    assert all("{{site}}" in legend for legend in legends if "{{table}}" in legend)


def test_the_provisioning_names_the_dashboard_and_a_data_source() -> None:
    (source,) = yaml.safe_load((GRAFANA / "provisioning/datasources/cutcard.yaml").read_text())["datasources"]
    (provider,) = yaml.safe_load((GRAFANA / "provisioning/dashboards/cutcard.yaml").read_text())["providers"]
    assert (source["type"], provider["type"]) == ("prometheus", "file")
    assert provider["options"]["path"] in (ROOT / "docs/operations/monitoring.md").read_text()


def test_panels_have_ids_of_their_own_and_do_not_overlap() -> None:
    panels = msgspec.json.decode((GRAFANA / "cutcard.json").read_bytes())["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert max(x for x, _ in cells) < 24
        assert not cells & taken, panel["title"]
        taken |= cells


def test_targets_are_written_for_tables_with_and_without_tls(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain, secured = tmp_path / "plain.toml", tmp_path / "secured.toml"
    plain.write_text(TABLE.format(table="b-1") + 'allowed_hosts = ["b-1.tables.riverside"]\nport = 8081\n')
    secured.write_text(TABLE.format(table="b-2") + 'host = "10.20.0.17"\nport = 8443\n' + TLS)
    assert main(["targets", str(plain), str(secured), "--to", str(tmp_path / "targets.json")]) == 0
    assert capsys.readouterr().out == f"2 tables in {tmp_path / 'targets.json'}\n"
    assert msgspec.json.decode((tmp_path / "targets.json").read_bytes()) == [
        {
            "targets": ["b-1.tables.riverside:8081"],
            "labels": {"__scheme__": "http", "site": "riverside", "table": "b-1"},
        },
        {"targets": ["10.20.0.17:8443"], "labels": {"__scheme__": "https", "site": "riverside", "table": "b-2"}},
    ]


@pytest.mark.parametrize(
    ("web", "says"),
    [
        ("port = 8080", "no other machine can ask b-1"),
        ('allowed_hosts = ["b-1"]\nport = 0', "another port at each start"),
    ],
)
def test_a_table_that_cannot_be_asked_is_no_target(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], web: str, says: str
) -> None:
    (tmp_path / "table.toml").write_text(TABLE.format(table="b-1") + web)
    assert main(["targets", str(tmp_path / "table.toml")]) == 2
    assert says in capsys.readouterr().err


def test_two_configurations_of_one_table_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "table.toml").write_text(TABLE.format(table="b-1") + 'allowed_hosts = ["b-1"]\n')
    assert main(["targets", str(tmp_path / "table.toml"), str(tmp_path / "table.toml")]) == 2
    assert "b-1 at riverside is named by two configurations" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("web", "page"),
    [
        ('allowed_hosts = ["b-1.tables.riverside"]\nport = 8081\n', PageAddress("b-1.tables.riverside", 8081, False)),
        ('host = "10.20.0.17"\nport = 8443\n' + TLS, PageAddress("10.20.0.17", 8443, True)),
        ("port = 8080\n", None),
        ('allowed_hosts = ["b-1"]\nport = 0\n', None),
    ],
)
async def test_a_table_publishes_the_address_that_its_configuration_gives_to_prometheus(
    tmp_path: Path, web: str, page: PageAddress | None
) -> None:
    file = tmp_path / "table.toml"
    file.write_text(TABLE.format(table="b-1") + web)
    config = read_config(file)
    async with alarmed_table(tmp_path) as table:
        published = state(table.recorder.engine, config, table.journal.id, 0).page
    assert published == page
    if page is not None:
        assert target(config, file) == table_target("riverside", "b-1", page.host, page.port, tls=page.tls)


@needs_prometheus
async def test_a_real_prometheus_finds_a_real_table_and_its_alerts_fire(tmp_path: Path) -> None:
    """Its broker is away and it is in test mode; then its daemon ends. The waits of the alerts are left out."""
    async with laid_table(tmp_path, free_port()) as table:
        await table.people.play(1)
        folder = tmp_path / "prometheus"
        (folder / "cutcard").mkdir(parents=True)
        port = table.page.rstrip("/").rpartition(":")[2]
        config = folder / "table.toml"
        config.write_text(re.sub(r"(?m)(?<=^\[web\]\n)port = 0$", f"port = {port}", table.config.read_text()))
        targets = folder / "cutcard/targets.json"
        assert main(["targets", "--local", str(config), "--to", str(targets)]) == 0
        alerts = re.sub(r"(?m)^ +for: .*\n", "", ALERTS.read_text())
        (folder / "cutcard/alerts.yml").write_text(alerts)
        settings = (FOLDER / "prometheus.yml").read_text().replace("interval: 10s", "interval: 1s")
        (folder / "prometheus.yml").write_text(re.sub(r"(?m)^ +tls_config:\n +ca_file:.*\n", "", settings))

        with prometheus(folder, folder / "prometheus.yml") as address:
            fired = await alerts_at(address, lambda names: {"NoBroker", "BrokerDown", "TableInTestMode"} <= names)
            assert all((each["labels"]["site"], each["labels"]["table"]) == ("test", "t-1") for each in fired)
            names = {each["labels"]["alertname"] for each in fired}
            assert "TableDown" not in names and "DeviceDown" not in names
            await table.stop()
            fired = await alerts_at(address, lambda names: "TableDown" in names)
            (down,) = (each for each in fired if each["labels"]["alertname"] == "TableDown")
            assert down["annotations"]["summary"] == "t-1 at test does not answer"


async def alerts_at(address: str, holds: Callable[[set[str]], bool]) -> list[dict[str, Any]]:
    """The alerts that fire, once `holds` is true of their names."""
    async with asyncio.timeout(90), aiohttp.ClientSession() as session:
        while True:
            try:
                async with session.get(f"{address}/api/v1/alerts") as answer:
                    found = (await answer.json())["data"]["alerts"] if answer.status == 200 else []
            except aiohttp.ClientConnectionError:
                found = []  # it is starting
            fired = [each for each in found if each["state"] == "firing"]
            if holds({each["labels"]["alertname"] for each in fired}):
                return fired
            await asyncio.sleep(0.1)
