"""The whole way: a daemon, a real Mosquitto, an HTTPS server with a certificate of the site's authority."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from controller.engine.update_inputs import What
from controller.operator.staff import read_staff
from tests.mqtt.test_table import BASE, ask, documents
from tests.support.running.brokers import Mosquitto, Subscriber, mosquitto, needs_mosquitto
from tests.support.running.bundle_servers import PACKAGE, BundleServer, Signer, bundle_server, staff_bytes
from tests.support.running.tables import LaidTable, laid_table
from tests.support.running.technician_tables import cutcard

pytestmark = [pytest.mark.broker, needs_mosquitto]

SECTION = """
[updates]
keys = {{ office = "{key}" }}
addresses = ["{base}"]
ca = "{ca}"
"""


class Floor:
    """What a floor's program needs: a table at a broker, a key, a server."""

    def __init__(self, broker: Mosquitto, table: LaidTable, server: BundleServer, signer: Signer) -> None:
        self.broker, self.table, self.server, self.signer = broker, table, server, signer
        self._serial = 0

    async def send(self, what: What, command: str, data: bytes, **more: Any) -> dict[str, Any]:
        name = sha256(data).hexdigest()
        self.server.bodies[name] = data
        self._serial += 1
        now = time.time_ns() // 1_000_000
        how: dict[str, Any] = {"issued": now, "serial": self._serial, "site": "test", "table": "t-1"}
        fields = self.signer.request(what, data, self.server.base + name, **how)
        return await ask(self.broker.port, "program", command, **fields, **more, by={"name": "ann", "role": "floor"})


@asynccontextmanager
async def floor(folder: Path) -> AsyncIterator[Floor]:
    with mosquitto(folder) as broker:
        async with bundle_server(folder) as server:
            signer = Signer()
            section = SECTION.format(key=signer.public, base=server.base, ca=server.authority.file)
            async with laid_table(folder, broker.port, more=section) as table:
                yield Floor(broker, table, server, signer)


async def test_the_floor_sends_staff_and_software_over_the_broker(tmp_path: Path) -> None:
    async with floor(tmp_path) as at, Subscriber.listening(at.broker.port, f"{BASE}/event/#") as cardroom:
        answer = await at.send("staff", "staff_update", staff_bytes())
        assert answer["ok"], answer
        assert [member.name for member in read_staff(at.table.data / "staff.json").people] == ["ann", "sam"]
        answer = await at.send("software", "software_update", PACKAGE)
        assert answer["ok"], answer
        await cardroom.until(lambda received: len(documents(received, "event/update_taken")) == 2)
        first = documents(cardroom.received, "event/update_taken")[0]
        assert (first["body"]["by"], first["by"]["at"]) == ("floor:ann", "desk")
        shown = await cutcard("reference", "show", "--config", at.table.config)
        assert "serial 2, fetched for floor:ann" in shown.out


async def test_a_configuration_takes_effect_and_is_in_the_file(tmp_path: Path) -> None:
    async with floor(tmp_path) as at:
        old = at.table.config.read_text()
        at.table.config.chmod(0o640)
        new = old.replace("min_wager = 500", "min_wager = 700").replace("[journal]\n", "[journal]\nkeep_days = 4000\n")
        shown = await at.send("configuration", "config_update", new.encode(), preview=True)
        assert shown["text"] == "seating.min_wager: 500 -> 700; journal.keep_days: 0 -> 4000.", shown
        assert at.table.config.read_text() == old
        answer = await at.send("configuration", "config_update", new.encode())
        assert answer["ok"], answer
        assert answer["text"] == "Changed: seating.min_wager, journal.keep_days."
        assert at.table.config.read_text() == new
        assert at.table.config.stat().st_mode & 0o777 == 0o640
        events = at.table.journal_events()
        kinds = [event["kind"] for event in events]
        at_ = kinds.index("update_taken")
        assert "table_configured" in kinds[:at_]
        assert kinds[at_ + 1] == "command"
        assert next(event for event in events if event["kind"] == "rules_set")["min_wager"] == 700
        unchanged = await cutcard("config", "apply", "--config", at.table.config)
        assert unchanged.out == "Nothing has changed.\n"


@pytest.mark.parametrize(
    ("old", "new", "why", "words"),
    [
        ('table = "t-1"', 'table = "t-2"', "needs_restart", "it changes table"),
        ("addresses = [", 'addresses = ["https://evil.example/", ', "needs_restart", "updates.addresses"),
        ("min_wager = 500", "min_wager = -5", "bad_bundle", "cutcard.toml:"),
        ("[rules]", "[rules", "bad_bundle", "not TOML"),
        ("[rules]", "# -----BEGIN OPENSSH PRIVATE KEY-----\n[rules]", "holds_private_key", "private key"),
    ],
)
async def test_a_configuration_that_may_not_be_changes_nothing(
    broken: Floor, old: str, new: str, why: str, words: str
) -> None:
    text = broken.table.config.read_text()
    assert old in text
    answer = await broken.send("configuration", "config_update", text.replace(old, new).encode())
    assert (answer["why"], words in answer["text"]) == (why, True), answer
    assert broken.table.config.read_text() == text
    assert not {"table_configured", "update_taken", "command"} & set(broken.table.kinds())


@pytest.fixture
async def broken(tmp_path: Path) -> AsyncIterator[Floor]:
    async with floor(tmp_path) as at:
        yield at


async def test_a_configuration_that_the_daemon_may_not_write_is_refused_in_words(tmp_path: Path) -> None:
    async with floor(tmp_path) as at:
        text = at.table.config.read_text()
        # What is beside the file is in the way, as a folder of root's would be.
        (tmp_path / ".cutcard.toml.new").mkdir()
        answer = await at.send("configuration", "config_update", text.replace("= 500", "= 700").encode())
        assert (answer["why"], "cannot be replaced" in answer["text"]) == ("cannot_write", True), answer
        assert at.table.config.read_text() == text
        (tmp_path / ".cutcard.toml.new").rmdir()


async def test_a_configuration_that_is_in_the_journal_is_put_in_place_at_the_next_start(tmp_path: Path) -> None:
    async with floor(tmp_path) as at:
        old = at.table.config.read_text()
        new = old.replace("min_wager = 500", "min_wager = 700")
        assert (await at.send("configuration", "config_update", new.encode()))["ok"]
        await at.table.stop()
        # As if the power had gone before the file had its name.
        at.table.config.write_text(old)
        (tmp_path / ".cutcard.toml.new").write_text(new)
        async with aiohttp.ClientSession() as session:
            await at.table.start(session)
        assert at.table.config.read_text() == new
        changed = [event for event in at.table.journal_events() if event["kind"] == "rules_set"]
        assert changed[-1]["min_wager"] == 700
