"""What holds for every test: no message leaves a table or reaches a client that the published schemas do not know.

And the order of the files: those that took longest come first, so that none of them is left to one worker at the end.
CONTRIBUTING.md has how their durations are measured and renewed.
"""

from __future__ import annotations

import gc
import json
import math
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiomqtt
import hypothesis
import paho.mqtt.client as paho
import pytest
import pytest_asyncio

from controller.mqtt.link import Link
from tests.support import contract_checks

if TYPE_CHECKING:
    from playwright.async_api import Browser

SEED = Path(__file__).with_name("durations.json")
"""Seconds by file, for a machine that has not run the tests before."""
MEASURED = "cutcard/durations"
"""The same in pytest's cache, from the last whole run on this machine."""

# The pace of an example says more about the machine's other work than about the code.
hypothesis.settings.register_profile("cutcard", deadline=None)
hypothesis.settings.load_profile("cutcard")

_broken: list[str] = []


def _look(topic: str, payload: bytes) -> None:
    found = contract_checks.problem(topic, payload)
    if found is not None:
        _broken.append(found)


def _look_at_properties(message: paho.MQTTMessage) -> None:
    found = contract_checks.property_problem(message.topic, message.payload, message.properties)
    if found is not None:
        _broken.append(found)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # Everything that is collected stays: nothing of it is garbage.
    is_whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.keyword
    if is_whole and not hasattr(config, "workerinput") and config.cache is not None:
        config.pluginmanager.register(_Stopwatch(config.cache))


class _Stopwatch:
    """Measures every file in a run of all tests."""

    def __init__(self, cache: pytest.Cache) -> None:
        self._cache = cache
        self._seconds: dict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[report.nodeid.partition("::")[0]] += report.duration

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        if exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            self._cache.set(MEASURED, {file: round(seconds, 1) for file, seconds in self._seconds.items()})


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    cache = getattr(config, "cache", None)  # none with `-p no:cacheprovider`
    measured = None if cache is None else cache.get(MEASURED, None)
    seconds: dict[str, float] = measured or json.loads(SEED.read_text())
    # A file that nobody has measured comes first: it may be a long one.
    items.sort(key=lambda item: -seconds.get(item.nodeid.partition("::")[0], math.inf))


def pytest_collection_finish() -> None:
    """Fifteen thousand tests are no garbage either: the collector is not to look at them again and again."""
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _listening_in() -> Iterator[None]:
    send, on_message = Link.send, aiomqtt.Client._on_message

    def sent(self: Link, topic: str, payload: bytes, *, retain: bool = False, correlation: bytes | None = None) -> int:
        _look(topic, payload)
        return send(self, topic, payload, retain=retain, correlation=correlation)

    def received(self: aiomqtt.Client, client: Any, userdata: Any, message: Any) -> None:
        _look(message.topic, message.payload)
        _look_at_properties(message)
        on_message(self, client, userdata, message)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Link, "send", sent)
        patch.setattr(aiomqtt.Client, "_on_message", received)
        yield


@pytest.fixture(autouse=True)
def _every_message_keeps_the_contract() -> Iterator[None]:
    _broken.clear()
    yield
    assert not _broken, "\n".join(["Against the schemas in docs/mqtt:", *_broken[:5]])


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    """One browser for the tests of a file; each opens screens of its own."""
    from tests.support.running.browsers import open_browser  # Only those tests need what drives a browser.

    async with open_browser() as opened:
        yield opened
