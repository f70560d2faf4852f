"""docs/mqtt/README.md: a table of the rig at a broker of one's own, by the commands of the page."""

from __future__ import annotations

import re
import subprocess
import textwrap
from pathlib import Path

import aiohttp
import pytest

from tests.rig.test_commands import up
from tests.support.project import ROOT
from tests.support.running.brokers import Subscriber, bytes_of, mosquitto, needs_mosquitto
from tests.support.running.tables import RunningDaemon

pytestmark = [pytest.mark.broker, needs_mosquitto]


def recipe() -> str:
    """The commands of the page between the first, which starts the rig, and the last, which starts the daemon."""
    page = (ROOT / "docs" / "mqtt" / "README.md").read_text().split("## Your own broker")[1].split("\n## ")[0]
    (block,) = re.findall(r"(?:^ {4}.*\n)+", page, re.MULTILINE)
    lines = textwrap.dedent(block).splitlines()
    assert lines[0].startswith("cutcard rig up baccarat-a-natural --devices-only --folder bench")
    assert lines[-1] == "cutcard run --config table.toml"
    return "\n".join(lines[1:-1])


def written(folder: Path, port: int) -> RunningDaemon:
    """A daemon with the configuration that the page has one write, for this broker; not started yet."""
    script = recipe().replace("port = 1883", f"port = {port}\n[web]\nport = 0")
    subprocess.run(["bash", "-euc", script], cwd=folder, check=True)
    daemon = RunningDaemon(folder)
    (folder / "table.toml").rename(daemon.config)
    return daemon


async def test_a_table_of_the_rig_publishes_at_a_broker_of_ones_own(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker, up("baccarat-a-natural", "--devices-only", "--folder", str(tmp_path / "bench")):
        daemon = written(tmp_path, broker.port)
        async with Subscriber.listening(broker.port, "cutcard/v2/rig/baccarat-1/event/device") as cardroom:
            async with aiohttp.ClientSession() as session:
                await daemon.start(session)
            try:
                await cardroom.until(lambda received: any(b'"shoe"' in bytes_of(each) for each in received))
            finally:
                await daemon.stop()
