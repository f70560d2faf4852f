"""What holds for every test: no message leaves a table or reaches a client that the published schemas do not know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import aiomqtt
import pytest
from paho.mqtt.properties import Properties

from controller.mqtt.link import Link
from tests import contract

_broken: list[str] = []


def _look(topic: str, payload: bytes) -> None:
    found = contract.problem(topic, payload)
    if found is not None:
        _broken.append(found)


@pytest.fixture(scope="session", autouse=True)
def _listening_in() -> Iterator[None]:
    send, on_message = Link.send, aiomqtt.Client._on_message

    def sent(
        self: Link, topic: str, payload: bytes, *, retain: bool = False, properties: Properties | None = None
    ) -> int:
        _look(topic, payload)
        return send(self, topic, payload, retain=retain, properties=properties)

    def heard(self: aiomqtt.Client, client: Any, userdata: Any, message: Any) -> None:
        _look(message.topic, message.payload)
        on_message(self, client, userdata, message)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Link, "send", sent)
        patch.setattr(aiomqtt.Client, "_on_message", heard)
        yield


@pytest.fixture(autouse=True)
def _every_message_keeps_the_contract() -> Iterator[None]:
    _broken.clear()
    yield
    assert not _broken, "\n".join(["Against the schemas in docs/mqtt:", *_broken[:5]])
