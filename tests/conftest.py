"""What holds for every test: no message leaves a table or reaches a client that the published schemas do not know.

And in which order the files come: those that take longest first, so that none of them is left to one worker in the end.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any

import aiomqtt
import pytest
import pytest_asyncio
from paho.mqtt.properties import Properties

from controller.mqtt.link import Link
from tests.support import contract_checks

if TYPE_CHECKING:
    from playwright.async_api import Browser

LONGEST_FIRST = (
    "test_scenarios.py",
    "test_compiled.py",
    "test_browser_console.py",
    "test_demo.py",
    "test_soak.py",
    "test_soak_seed.py",
    "test_bot.py",
    "test_technician_bench.py",
    "test_journal_rotation_crash.py",
    "test_rig_commands.py",
    "test_mqtt_outage.py",
    "test_browser_connection.py",
    "test_browser_display.py",
    "test_ranking_counts.py",
    "test_rig_plugin.py",
    "test_crash.py",
    "test_technician_daemon.py",
    "test_security.py",
    "test_bench.py",
    "test_ante_returns.py",
    "test_evidence_rounds.py",
    "test_worked_rounds.py",
    "test_firmware_daemon.py",
    "test_evidence_verify.py",
    "test_blackjack_world.py",
)
"""By what they cost when it was last measured, processes they start among it. The others come by their names."""

_broken: list[str] = []


def _look(topic: str, payload: bytes) -> None:
    found = contract_checks.problem(topic, payload)
    if found is not None:
        _broken.append(found)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    places = {name: place for place, name in enumerate(LONGEST_FIRST)}
    items.sort(key=lambda item: places.get(item.path.name, len(places)))


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


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    """One browser for the tests of a file; each opens screens of its own."""
    from tests.support.browsers import open_browser  # Only those tests need what drives a browser.

    async with open_browser() as opened:
        yield opened
