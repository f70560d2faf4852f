"""A warning before the certificate of a person or program expires, to its user and to who keeps them."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from controller.certificate_dates import keep_warning
from controller.cli.main import main
from floor.alerts.firing import Around, firing
from floor.certificates import Certificates
from floor.config import Broker, FloorConfig, Tls
from floor.page_settings import PageSettings
from tests.support.authorities import DAY, Authority

HOUR = DAY / 24


@pytest.fixture
def people(tmp_path: Path) -> Authority:
    return Authority(tmp_path, "people-ca", lasts=400 * DAY)


def test_the_command_lists_the_first_to_expire_first_and_its_exit_code_is_for_a_daily_job(
    people: Authority, capsys: pytest.CaptureFixture[str]
) -> None:
    good = people.issue("ann/floor/riverside", lasts=200 * DAY + HOUR).certificate
    soon = people.issue("wall/monitor/riverside", lasts=20 * DAY + HOUR).certificate
    assert main(["certificates", str(good), str(people.file)]) == 0
    assert main(["certificates", str(good), str(soon)]) == 1
    listed = capsys.readouterr().out.splitlines()[-2:]
    assert [line.split()[0] for line in listed] == [str(soon), str(good)]
    assert listed[0].endswith("20 days left: RENEW IT") and listed[1].endswith("200 days left")
    assert main(["certificates", "--days", "14", str(good), str(soon)]) == 0
    assert main(["certificates", "--days", "300", str(good)]) == 1


def test_a_certificate_that_has_expired_or_cannot_be_read_is_named(
    people: Authority, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    over = people.issue("over/monitor/riverside", lasts=-HOUR).certificate
    assert main(["certificates", str(over)]) == 1
    assert capsys.readouterr().out.endswith("EXPIRED\n")
    assert main(["certificates", str(tmp_path / "none.crt")]) == 1
    assert "none.crt  CANNOT BE READ" in capsys.readouterr().out


async def test_a_program_that_runs_for_months_is_warned_at_once_and_one_with_a_good_certificate_is_not(
    people: Authority,
) -> None:
    good = people.issue("ann/floor/riverside", lasts=31 * DAY).certificate
    soon = people.issue("wall/monitor/riverside", lasts=29 * DAY).certificate
    warned: asyncio.Queue[str] = asyncio.Queue()
    task = asyncio.create_task(keep_warning([good, soon], warned.put_nowait))
    first = await asyncio.wait_for(warned.get(), 30)
    task.cancel()
    assert first.startswith("the certificate wall-monitor-riverside.crt expires on 20") and warned.empty()


def test_the_floor_posts_an_alert_for_its_own_until_they_are_renewed(people: Authority) -> None:
    books = people.issue("books/store/riverside", lasts=5 * DAY)
    page = people.issue("floor.riverside", lasts=90 * DAY)
    config = FloorConfig(
        site="riverside",
        store="floor.db",
        brokers=(Broker(tls=Tls(cert=str(books.certificate), key=str(books.key))),),
        page=PageSettings(certificate=str(page.certificate), key=str(page.key)),
    )
    ((since, text),) = Certificates.of(config).soon
    around = Around("riverside", 1, {"a": True}, 1, None, (), ((since, text),))
    (alert,) = [each for each in firing((), None, (), around, lambda _: "") if each.name == "certificate"]
    assert (alert.severity, alert.since) == ("warning", since) and "books-store-riverside.crt expires" in alert.text
    people.issue("books/store/riverside", lasts=365 * DAY)
    assert Certificates.of(config).soon == ()


async def test_tail_says_so_when_it_starts(people: Authority) -> None:
    soon = people.issue("wall/monitor/riverside", lasts=3 * DAY)
    tail = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "controller.cli", "tail", "--port", "1", "--ca", str(people.file)),
        *("--cert", str(soon.certificate), "--key", str(soon.key)),
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        assert tail.stderr is not None
        first = await asyncio.wait_for(tail.stderr.readline(), 60)
        assert first.decode().startswith("cutcard: the certificate wall-monitor-riverside.crt expires on 20")
    finally:
        tail.kill()
        await tail.wait()
