"""The cardroom's broker: a Mosquitto with the files of deploy/mosquitto, and the two authorities that its doors trust.

The files are used as they are, but for two substitutions that a test cannot do without: the folder of the certificates
and lists (/etc/mosquitto/cutcard) and the two ports. They lie in a folder that a main file includes, as on Debian.
"""

from __future__ import annotations

import asyncio
import os
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import aiomqtt
from paho.mqtt.reasoncodes import ReasonCode

from tests.support.authorities import SERVER, Authority, Files
from tests.support.project import ROOT
from tests.support.running.brokers import Mosquitto, free_port

DEPLOY = ROOT / "deploy/mosquitto"
HOME = "/etc/mosquitto/cutcard"
SUCCESS = 0x00


class Cardroom(Mosquitto):
    """The cardroom's broker, and the two authorities that its doors trust."""

    def __init__(self, folder: Path) -> None:
        self.tables, self.people = Authority(folder, "tables-ca"), Authority(folder, "people-ca")
        self.tables.issue("the broker", SERVER, host="127.0.0.1", file="broker")
        self.tables_port, self.people_port = free_port(), free_port()
        (folder / "conf.d").mkdir()
        for name in ("tables.acl", "people.acl"):
            (folder / name).write_bytes((DEPLOY / name).read_bytes())
        config = (DEPLOY / "cutcard.conf").read_text()
        assert config.count(f" {HOME}/") == 8
        for ours, theirs in (
            (f" {HOME}/", f" {folder}/"),
            ("listener 8883\n", f"listener {self.tables_port} 127.0.0.1\n"),
            ("listener 8884\n", f"listener {self.people_port} 127.0.0.1\n"),
        ):
            assert ours in config
            config = config.replace(ours, theirs)
        (folder / "conf.d" / "cutcard.conf").write_text(config)
        self._config = folder / "mosquitto.conf"
        user = "user root\n" if os.getuid() == 0 else ""
        self._config.write_text(f"{user}log_dest stderr\ninclude_dir {folder / 'conf.d'}\n")
        self._process = None
        self._words = []
        self._issued: dict[str, Files] = {}

    def papers(self, name: str) -> Files:
        """The certificate of a table (riverside/one) or of a person (ann/floor/riverside)."""
        if name not in self._issued:
            authority = self.people if is_person(name) else self.tables
            self._issued[name] = authority.issue(name)
        return self._issued[name]

    def client(self, name: str, **more: Any) -> Client:
        port = self.people_port if is_person(name) else self.tables_port
        return Client(port, self.context(self.papers(name)), **more)

    def context(self, papers: Files | None) -> ssl.SSLContext:
        context = ssl.create_default_context(cafile=self.tables.file)
        if papers is not None:
            context.load_cert_chain(papers.certificate, papers.key)
        return context


def is_person(name: str) -> bool:
    return name.count("/") == 2


class Client(aiomqtt.Client):
    """An MQTT 5 client that returns the broker's answer to each message."""

    def __init__(self, port: int, context: ssl.SSLContext | None, **more: Any) -> None:
        arguments = {"timeout": 30, **more}
        super().__init__("127.0.0.1", port, tls_context=context, protocol=aiomqtt.ProtocolVersion.V5, **arguments)
        self._answers: list[ReasonCode] = []

    def _on_publish(
        self, client: Any, userdata: Any, mid: int, reason_code: ReasonCode, properties: Any = None
    ) -> None:
        self._answers.append(reason_code)
        super()._on_publish(client, userdata, mid, reason_code, properties)

    async def says(self, topic: str, *, retain: bool = False) -> int:
        """Publish; returns the broker's reason code, where "no matching subscribers" is a success."""
        await self.publish(topic, topic.encode(), qos=1, retain=retain)
        return self._answers[-1].value if self._answers[-1].is_failure else SUCCESS

    async def topics_until(self, last: str) -> list[str]:
        """The topics of what arrives, up to and with this one."""
        topics: list[str] = []
        async with asyncio.timeout(60):
            async for message in self.messages:
                topics.append(str(message.topic))
                if topics[-1] == last:
                    break
        return topics

    def cut(self) -> None:
        """As if the power went: no goodbye."""
        wire = self._client.socket()
        assert isinstance(wire, ssl.SSLSocket)
        wire.shutdown(2)


@contextmanager
def running_cardroom(folder: Path) -> Iterator[Cardroom]:
    room = Cardroom(folder)
    room.start()
    try:
        yield room
    finally:
        room.stop()
