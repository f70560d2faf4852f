"""Real brokers that will not have us: passwords, access lists, certificates. And the embedded broker of the demo."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import aiomqtt
import msgspec
import pytest

from controller.journal import Journal
from controller.mqtt import BrokerProblem, BrokerRefused, MqttSettings, Publisher, Tls
from tests.support.authorities import SERVER, Authority
from tests.support.journals import SITE, TABLE, a_state, open_journal, write
from tests.support.project import ROOT
from tests.support.running.brokers import Subscriber, bytes_of, eventually, free_port, mosquitto, needs_mosquitto

BASE = f"cutcard/v2/{SITE}/{TABLE}"


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with open_journal(tmp_path / "journal.db") as journal:
        write(journal, range(9))
        yield journal


async def first_attempt(journal: Journal, settings: MqttSettings) -> BrokerProblem | None:
    """What a daemon that starts with these settings learns."""
    publisher = Publisher(journal, settings, session="run-1")
    publisher.start()
    try:
        problem = await publisher.first_attempt()
        assert problem is None or isinstance(problem, BrokerProblem)
        return problem
    finally:
        await publisher.stop(drain=0)


@pytest.mark.broker
@needs_mosquitto
async def test_a_wrong_password_is_refused_and_the_right_one_works_without_a_restart(
    journal: Journal, tmp_path: Path
) -> None:
    passwords, mine = tmp_path / "passwords", tmp_path / "mine"
    make_passwords(passwords, "t7", "right")
    mine.touch(mode=0o600)
    mine.write_text("wrong\n")
    with mosquitto(tmp_path, "allow_anonymous false", f"password_file {passwords}") as broker:
        settings = MqttSettings(
            host="127.0.0.1", port=broker.port, client_id="t7", username="t7", password_file=str(mine)
        )
        publisher = Publisher(journal, settings, session="run-1")
        publisher.start()
        problem = await publisher.first_attempt()
        assert isinstance(problem, BrokerRefused)
        assert "Not authorized" in str(problem)
        assert "password_file" in str(problem)
        assert "wrong" not in str(problem)
        assert "\n" not in str(problem)
        mine.write_text("right\n")
        await publisher.published(journal.head.seq)
        assert publisher.last_error is None
        await publisher.stop()


@pytest.mark.broker
@needs_mosquitto
async def test_events_that_the_access_list_forbids_wait_until_it_allows_them(journal: Journal, tmp_path: Path) -> None:
    """Mosquitto answers a forbidden publish with an acknowledgement that says no."""
    rules = tmp_path / "acl"
    rules.write_text(f"topic write {BASE}/online\ntopic read #\n")
    rules.chmod(0o700)
    with mosquitto(tmp_path, "allow_anonymous true", f"acl_file {rules}") as broker:
        async with Subscriber.listening(broker.port, f"{BASE}/event/#") as cardroom:
            publisher = Publisher(
                journal, MqttSettings(host="127.0.0.1", port=broker.port, client_id="t7"), session="run-1"
            )
            publisher.start()
            assert await publisher.first_attempt() is None
            await eventually(lambda: isinstance(publisher.last_error, BrokerRefused))
            assert f"{BASE}/event/" in str(publisher.last_error)
            assert publisher.acknowledged_seq == 0
            rules.write_text(f"topic readwrite {BASE}/#\ntopic read #\n")
            broker.signal(signal.SIGHUP)
            await publisher.published(journal.head.seq)
            await cardroom.until(lambda received: len(received) >= journal.head.seq)
            assert [msgspec.json.decode(bytes_of(message))["seq"] for message in cardroom.received] == list(
                range(1, journal.head.seq + 1)
            )
            await publisher.stop()


@pytest.mark.broker
@needs_mosquitto
async def test_tls_needs_the_right_authority_name_and_certificate(journal: Journal, tmp_path: Path) -> None:
    house, stranger = Authority(tmp_path, "house"), Authority(tmp_path, "stranger")
    table = house.issue("t7")
    ours = Tls(ca=str(house.file), cert=str(table.certificate), key=str(table.key))

    def at(port: int, tls: Tls | None) -> MqttSettings:
        return MqttSettings(host="127.0.0.1", port=port, client_id="t7", tls=tls)

    with mosquitto(tmp_path, *tls_listener(house, "127.0.0.1")) as broker:
        assert await first_attempt(journal, at(broker.port, ours)) is None
        problem = await first_attempt(
            journal, at(broker.port, Tls(ca=str(stranger.file), cert=ours.cert, key=ours.key))
        )
        assert isinstance(problem, BrokerRefused)
        assert "certificate verify failed" in str(problem)
        problem = await first_attempt(journal, at(broker.port, Tls(ca=str(house.file))))
        assert isinstance(problem, BrokerRefused)
        assert "certificate required" in str(problem)
        problem = await first_attempt(journal, at(broker.port, Tls(ca=str(tmp_path / "none.crt"))))
        assert isinstance(problem, BrokerRefused)
        assert "mqtt.broker.tls.ca" in str(problem)
    with mosquitto(tmp_path, *tls_listener(house, "elsewhere.invalid")) as broker:
        problem = await first_attempt(journal, at(broker.port, ours))
        assert isinstance(problem, BrokerRefused)
        assert "mqtt.broker.host" in str(problem)


async def test_the_embedded_broker_carries_a_table_and_ends_on_sigterm(journal: Journal) -> None:
    with embedded_broker() as (process, port):
        settings = MqttSettings(host="127.0.0.1", port=port, client_id="t7", version="3.1.1")
        async with aiomqtt.Client("127.0.0.1", port, identifier="page") as page:
            await page.subscribe(f"{BASE}/#", qos=1)
            publisher = Publisher(journal, settings, session="run-1")
            publisher.state_changed(a_state("deal"))
            publisher.start()
            assert await publisher.first_attempt() is None
            await publisher.published(journal.head.seq)
            received: dict[str, list[bytes]] = {}
            async with asyncio.timeout(20):
                async for message in page.messages:
                    received.setdefault(str(message.topic), []).append(bytes_of(message))
                    if sum(map(len, received.values())) == journal.head.seq + 2:
                        break
            await publisher.stop()
        assert received[f"{BASE}/state"] == [a_state("deal")]
        events = [
            msgspec.json.decode(said) for topic, all_said in received.items() if "/event/" in topic for said in all_said
        ]
        assert sorted(event["seq"] for event in events) == list(range(1, journal.head.seq + 1))
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0


def test_an_embedded_broker_on_a_taken_port_says_so() -> None:
    with embedded_broker() as (process, port):
        second = run_broker("--port", str(port))
        assert second.returncode == 2
        assert f"cannot use port {port}" in second.stderr
        assert "Traceback" not in second.stderr
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 0


def test_without_the_demo_extra_the_embedded_broker_says_how_to_get_it() -> None:
    without = (
        "import sys, runpy; sys.modules['amqtt'] = None; "
        "runpy.run_module('controller.demo.broker', run_name='__main__')"
    )
    run = subprocess.run([sys.executable, "-c", without], capture_output=True, text=True, check=False, cwd=ROOT)
    assert run.returncode == 2
    assert "cutcard[demo]" in run.stderr
    assert "Traceback" not in run.stderr


@contextmanager
def embedded_broker() -> Iterator[tuple[subprocess.Popen[str], int]]:
    port = free_port()
    with subprocess.Popen(
        [sys.executable, "-m", "controller.demo.broker", "--port", str(port)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == f"broker ready on 127.0.0.1:{port}\n"
            yield process, port
        finally:
            process.kill()


def run_broker(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "controller.demo.broker", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=30)


def make_passwords(path: Path, user: str, password: str) -> None:
    path.touch(0o600)
    subprocess.run(["mosquitto_passwd", "-b", path, user, password], check=True, capture_output=True)


def tls_listener(authority: Authority, host: str) -> tuple[str, ...]:
    papers = authority.issue("broker", SERVER, host=host)
    return (
        "allow_anonymous true",
        f"cafile {authority.file}",
        f"certfile {papers.certificate}",
        f"keyfile {papers.key}",
        "require_certificate true",
    )
