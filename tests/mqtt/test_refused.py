"""Real brokers that will not have us: passwords, access lists, certificates. And the embedded broker of the demo."""

from __future__ import annotations

import asyncio
import shutil
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
from tests.support.brokers import Subscriber, bytes_of, eventually, free_port, mosquitto, needs_mosquitto
from tests.support.journals import SITE, TABLE, a_state, open_journal, write
from tests.support.paths import ROOT

BASE = f"cutcard/v1/{SITE}/{TABLE}"
needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="NO OPENSSL: TLS was not tested")


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
        assert "mqtt.password_file" in str(problem)
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
            await cardroom.until(lambda heard: len(heard) >= journal.head.seq)
            assert [msgspec.json.decode(bytes_of(message))["seq"] for message in cardroom.heard] == list(
                range(1, journal.head.seq + 1)
            )
            await publisher.stop()


@pytest.mark.broker
@needs_mosquitto
@needs_openssl
async def test_tls_needs_the_right_authority_name_and_certificate(journal: Journal, tmp_path: Path) -> None:
    make_authority(tmp_path, "house")
    make_authority(tmp_path, "stranger")
    make_certificate(tmp_path, "house", "broker", "subjectAltName=IP:127.0.0.1")
    make_certificate(tmp_path, "house", "elsewhere", "subjectAltName=DNS:elsewhere.invalid")
    make_certificate(tmp_path, "house", "t7", "subjectAltName=DNS:t7")
    house, stranger = str(tmp_path / "house.crt"), str(tmp_path / "stranger.crt")
    ours = Tls(ca=house, cert=str(tmp_path / "t7.crt"), key=str(tmp_path / "t7.key"))

    def at(port: int, tls: Tls | None) -> MqttSettings:
        return MqttSettings(host="127.0.0.1", port=port, client_id="t7", tls=tls)

    with mosquitto(tmp_path, *tls_listener(tmp_path, "broker")) as broker:
        assert await first_attempt(journal, at(broker.port, ours)) is None
        problem = await first_attempt(journal, at(broker.port, Tls(ca=stranger, cert=ours.cert, key=ours.key)))
        assert isinstance(problem, BrokerRefused)
        assert "certificate verify failed" in str(problem)
        problem = await first_attempt(journal, at(broker.port, Tls(ca=house)))
        assert isinstance(problem, BrokerRefused)
        assert "certificate required" in str(problem)
        problem = await first_attempt(journal, at(broker.port, Tls(ca=str(tmp_path / "none.crt"))))
        assert isinstance(problem, BrokerRefused)
        assert "mqtt.tls.ca" in str(problem)
    with mosquitto(tmp_path, *tls_listener(tmp_path, "elsewhere")) as broker:
        problem = await first_attempt(journal, at(broker.port, ours))
        assert isinstance(problem, BrokerRefused)
        assert "mqtt.host" in str(problem)


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
            heard: dict[str, list[bytes]] = {}
            async with asyncio.timeout(20):
                async for message in page.messages:
                    heard.setdefault(str(message.topic), []).append(bytes_of(message))
                    if sum(map(len, heard.values())) == journal.head.seq + 2:
                        break
            await publisher.stop()
        assert heard[f"{BASE}/state"] == [a_state("deal")]
        events = [
            msgspec.json.decode(said) for topic, all_said in heard.items() if "/event/" in topic for said in all_said
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


def tls_listener(folder: Path, name: str) -> tuple[str, ...]:
    return (
        "allow_anonymous true",
        f"cafile {folder}/house.crt",
        f"certfile {folder}/{name}.crt",
        f"keyfile {folder}/{name}.key",
        "require_certificate true",
    )


def make_authority(folder: Path, name: str) -> None:
    openssl(folder, f"req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={name} -keyout {name}.key -out {name}.crt")


def make_certificate(folder: Path, authority: str, name: str, extension: str) -> None:
    (folder / f"{name}.ext").write_text(extension)
    openssl(folder, f"req -newkey rsa:2048 -nodes -subj /CN={name} -keyout {name}.key -out {name}.csr")
    openssl(
        folder,
        f"x509 -req -in {name}.csr -CA {authority}.crt -CAkey {authority}.key -CAcreateserial -days 2 "
        f"-extfile {name}.ext -out {name}.crt",
    )


def openssl(folder: Path, arguments: str) -> None:
    subprocess.run(["openssl", *arguments.split()], cwd=folder, check=True, capture_output=True)
