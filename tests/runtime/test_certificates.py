"""The alarm before a certificate of the table expires: when, how often, and what clears it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from controller.config import Config
from controller.config.broker import Tls
from controller.config.fields import BrokerConfig, CertificatesConfig, MqttConfig, RulesConfig, WebConfig
from controller.runtime.certificates import CertificateWatch
from tests.support.authorities import DAY, Authority
from tests.support.evidence_journals import SteadyClock
from tests.support.running.alarms.alarmed_tables import DAY_MS, EZ, AlarmedTable, alarmed_table


def watched(
    table: AlarmedTable, broker: Path | None, page: Path | None = None, warn_days: int = 30
) -> CertificateWatch:
    """A table with these certificates, and a clock that a test may set."""
    config = Config(
        site="bay101",
        table="t7",
        rules=RulesConfig(ruleset=EZ),
        mqtt=MqttConfig(broker=(BrokerConfig(tls=Tls(cert=str(broker)) if broker else None),)),
        web=WebConfig(certificate=str(page) if page else None),
        certificates=CertificatesConfig(warn_days=warn_days),
    )
    return CertificateWatch(table.recorder, table.clock, lambda: config)


def set_clock(clock: SteadyClock) -> None:
    clock.now = int(datetime.now(UTC).timestamp() * 1000)


async def test_an_alarm_is_raised_once_thirty_days_before_and_once_more_when_it_has_expired(tmp_path: Path) -> None:
    async with alarmed_table(tmp_path) as table:
        set_clock(table.clock)
        mine = Authority(tmp_path, "ca").issue("bay101/t7", lasts=100 * DAY).certificate
        watch = watched(table, mine)
        raised = []
        for _ in range(104):
            await watch.look()
            raised.append(table.raised.get("broker_certificate"))
            table.clock.now += DAY_MS
        before, soon, expired = raised[:70], raised[70:100], raised[100:]
        assert set(before) == {None}
        (text,) = set(soon)
        assert text is not None and "bay101-t7.crt expires on 20" in text and text.endswith("UTC")
        assert {said and said.split(" on ")[0] for said in expired} == {"the certificate bay101-t7.crt expired"}
        assert table.story_of("broker_certificate") == ["alarm_raised", "alarm_cleared", "alarm_raised"]


async def test_the_days_are_a_setting(tmp_path: Path) -> None:
    async with alarmed_table(tmp_path) as table:
        set_clock(table.clock)
        mine = Authority(tmp_path, "ca").issue("bay101/t7", lasts=10 * DAY).certificate
        await watched(table, mine, warn_days=7).look()
        assert not table.raised
        await watched(table, mine, warn_days=14).look()
        assert "broker_certificate" in table.raised


async def test_only_a_certificate_that_can_be_read_clears_the_alarm(tmp_path: Path) -> None:
    async with alarmed_table(tmp_path) as table:
        set_clock(table.clock)
        authority = Authority(tmp_path, "ca")
        page = authority.issue("page", lasts=DAY).certificate
        watch = watched(table, None, page)
        await watch.look()
        assert set(table.raised) == {"page_certificate"}
        page.write_text("half a file")
        await watch.look()
        page.unlink()
        await watch.look()
        assert set(table.raised) == {"page_certificate"}, "nothing proves that it was renewed"
        authority.issue("page", lasts=365 * DAY)
        await watch.look()
        assert not table.raised


async def test_of_a_chain_the_first_to_expire_counts(tmp_path: Path) -> None:
    async with alarmed_table(tmp_path) as table:
        set_clock(table.clock)
        authority = Authority(tmp_path, "ca")  # good for a day
        page = authority.issue("page", lasts=365 * DAY).certificate
        await watched(table, None, page).look()
        assert not table.raised
        page.write_bytes(page.read_bytes() + authority.file.read_bytes())
        await watched(table, None, page).look()
        assert set(table.raised) == {"page_certificate"}


async def test_a_certificate_that_is_used_no_more_has_no_alarm(tmp_path: Path) -> None:
    async with alarmed_table(tmp_path) as table:
        set_clock(table.clock)
        mine = Authority(tmp_path, "ca").issue("bay101/t7", lasts=DAY).certificate
        await watched(table, mine).look()
        assert "broker_certificate" in table.raised
        await watched(table, None).look()
        assert not table.raised
