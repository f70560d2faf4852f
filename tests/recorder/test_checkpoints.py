"""Checkpoints of a running table: made, kept, published; a journal that was put back is seen at the next start."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from errno import ENOENT
from os import strerror
from pathlib import Path

import aiomqtt
import pytest
from msgspec.structs import replace
from paho.mqtt.packettypes import PacketTypes

from controller.board_key import BoardKey
from controller.cli.main import main
from controller.config.broker import MqttSettings
from controller.contract.messages import AlarmDocument, DeviceDocument, encode
from controller.engine.inputs import AlarmExplained
from controller.journal import Journal, verify_journal
from controller.journal.checkpoint import file_in, own_file, read_checkpoint
from controller.mqtt import Publisher
from controller.mqtt.link import json_properties
from controller.recorder.checkpoints import Checkpoints
from controller.recorder.recorder import Recorder
from controller.rules import resolve
from tests.support import contract_checks
from tests.support.evidence_journals import PLAYER_WINS, SITE, TABLE, TIE, Play, SteadyClock, started
from tests.support.running.brokers import Mosquitto, mosquitto, needs_mosquitto

BASE = f"cutcard/v2/{SITE}/{TABLE}"
ALARM = "rolled_back"


class Board:
    """A board with its data folder and a second disk."""

    def __init__(self, tmp_path: Path) -> None:
        self.data, self.second = tmp_path / "data", tmp_path / "second"
        self.data.mkdir()
        self.second.mkdir()
        self.path = self.data / "journal.db"
        self.published: list[bytes] = []

    @asynccontextmanager
    async def running(self, *, second: bool = True, patience_s: float = 60) -> AsyncIterator[Table]:
        """One run of the daemon, as far as checkpoints are concerned."""
        with Journal.open(self.path, site=SITE, table=TABLE) as journal:
            first = started()
            recorder = Recorder(journal, resolve, SteadyClock(), first)
            await recorder.submit(first, "daemon")
            key = BoardKey.load_or_create(self.data)
            folder = str(self.second) if second else ""
            checkpoints = Checkpoints(recorder, key, lambda: folder, self.published.append, patience_s)
            recorder.listen(checkpoints.follow)
            async with checkpoints.running():
                yield Table(recorder, checkpoints)

    async def plays(self, *hands: tuple[str, ...], **how: bool) -> None:
        async with self.running(**how) as table:
            await table.deal(*hands)

    def copy(self, name: str) -> Path:
        copied = self.data.parent / name
        shutil.copy(self.path, copied)
        return copied


class Table(Play):
    def __init__(self, recorder: Recorder, checkpoints: Checkpoints) -> None:
        super().__init__(recorder)
        self.checkpoints = checkpoints

    async def deal(self, *hands: tuple[str, ...]) -> None:
        await self.shoe()
        for hand in hands:
            await self.ez_round(hand)

    @property
    def alarms(self) -> dict[str, str]:
        return self.engine.state.alarms


@pytest.fixture
def board(tmp_path: Path) -> Board:
    return Board(tmp_path)


async def test_a_stopped_table_leaves_its_end_signed_in_both_places_and_published(board: Board) -> None:
    async with board.running() as table:
        await table.deal(PLAYER_WINS)
        journal = table.recorder.journal
        second = file_in(board.second, journal)
        head, link = journal.head, journal.public_head.link
    for found in (own_file(board.path).read_bytes(), second.read_bytes(), board.published[-1]):
        said = read_checkpoint(found)
        assert (said.journal, said.entry, said.seq) == (journal.id, head.n, head.seq)
        assert (said.hash, said.link) == (head.hash.hex(), link.hex())
        assert contract_checks.problem(f"{BASE}/head", found) is None
        covered = b"cutcard checkpoint\0" + found[: found.rindex(b',"signature":')]
        signature = bytes.fromhex(json.loads(found)["signature"])
        assert verify_journal.is_signed(bytes.fromhex(said.key), covered, signature)


async def test_a_table_that_is_started_again_as_it_was_has_nothing_to_report(board: Board) -> None:
    await board.plays(PLAYER_WINS)
    async with board.running() as table:
        assert ALARM not in table.alarms


async def test_a_journal_from_yesterday_is_an_alarm_that_stops_until_the_floor_answers(board: Board) -> None:
    await board.plays(PLAYER_WINS)
    yesterday = board.copy("yesterday.db")
    await board.plays(TIE, PLAYER_WINS)
    lost = read_checkpoint(own_file(board.path).read_bytes())
    shutil.copy(yesterday, board.path)
    async with board.running() as table:
        text = table.alarms[ALARM]
        assert f"entry {lost.entry} of journal {lost.journal}" in text and "older copy" in text
        assert table.engine.round is None, "no round may begin"
        await table.do(AlarmExplained(ALARM, "restored after the disk broke"), by="floor:ann")
        assert ALARM not in table.alarms and table.engine.round is not None
    kept = board.data / f"{own_file(board.path).name}-{lost.entry}"
    assert read_checkpoint(kept.read_bytes()) == lost, "the evidence stays"
    async with board.running() as table:
        assert ALARM not in table.alarms, "it was answered"


async def test_verify_reports_a_journal_from_yesterday(board: Board, capsys: pytest.CaptureFixture[str]) -> None:
    await board.plays(PLAYER_WINS)
    yesterday = board.copy("yesterday.db")
    assert main(["verify", str(board.path)]) == 0
    await board.plays(TIE)
    second = str(next(board.second.glob("*.head")))
    assert main(["verify", str(board.path), "--checkpoint", second]) == 0
    shutil.copy(yesterday, board.path)
    capsys.readouterr()
    assert main(["verify", str(board.path)]) == 1
    assert f"NOT WHOLE: ROLLED BACK: {own_file(board.path)}: entry " in capsys.readouterr().out
    own_file(board.path).unlink()
    assert main(["verify", str(board.path)]) == 0, "the journal alone does not show it"
    assert main(["verify", str(board.path), "--checkpoint", second]) == 1
    assert main(["verify", str(board.path), "--checkpoint", "no-such-file"]) == 2


@pytest.mark.parametrize("left", ["own", "second"])
async def test_one_of_the_two_files_is_enough(board: Board, left: str) -> None:
    await board.plays(PLAYER_WINS)
    yesterday = board.copy("yesterday.db")
    await board.plays(TIE)
    gone = own_file(board.path) if left == "second" else next(board.second.glob("*.head"))
    gone.unlink()
    shutil.copy(yesterday, board.path)
    async with board.running() as table:
        assert ALARM in table.alarms


async def test_a_journal_that_was_put_back_and_played_on_is_seen(board: Board) -> None:
    """Longer than the checkpoint, with other entries: somebody dealt with the files of the board out of reach."""
    await board.plays(PLAYER_WINS)
    yesterday = board.copy("yesterday.db")
    await board.plays(TIE)
    away = board.data.parent / "own.head"
    own_file(board.path).rename(away)
    shutil.copy(yesterday, board.path)
    await board.plays(PLAYER_WINS, TIE, PLAYER_WINS, second=False)
    away.rename(own_file(board.path))
    async with board.running() as table:
        assert "it was written anew" in table.alarms[ALARM]


async def test_a_new_journal_in_the_old_ones_place_is_an_alarm(board: Board) -> None:
    await board.plays(PLAYER_WINS)
    board.path.unlink()
    async with board.running() as table:
        assert "this is another journal" in table.alarms[ALARM]


async def test_a_checkpoint_that_cannot_be_believed_is_an_alarm(board: Board) -> None:
    await board.plays(PLAYER_WINS)
    own = own_file(board.path)
    own.write_bytes(own.read_bytes().replace(b'"entry":', b'"entry":1'))
    async with board.running() as table:
        assert "its signature is wrong" in table.alarms[ALARM]


async def test_a_second_folder_that_is_away_keeps_nothing_from_working(board: Board) -> None:
    board.second.rmdir()
    async with board.running() as table:
        assert table.alarms == {"checkpoints": f"{file_in(board.second, table.recorder.journal)}: {strerror(ENOENT)}"}
        await table.deal(PLAYER_WINS)
    assert own_file(board.path).exists()
    board.second.mkdir()
    async with board.running() as table:
        assert table.alarms == {}


async def test_a_second_folder_that_never_answers_delays_nothing_and_is_compared_before_it_is_replaced(
    board: Board,
) -> None:
    """A pipe that nobody writes to hangs as a share does."""
    await board.plays(PLAYER_WINS)
    yesterday = board.copy("yesterday.db")
    await board.plays(TIE)
    own_file(board.path).unlink()
    second = next(board.second.glob("*.head"))
    newer = second.read_bytes()
    second.unlink()
    os.mkfifo(second)
    shutil.copy(yesterday, board.path)
    async with board.running(patience_s=2) as table:
        assert table.alarms == {"checkpoints": f"{board.second} does not answer"}
        await table.deal(TIE)
        await table.checkpoints.make()
        assert second.is_fifo(), "nothing is replaced that was not compared"
        second.write_bytes(b"")
        for thread in threading.enumerate():
            if thread.name.startswith("second folder"):
                thread.join(20)
        second.unlink()
        second.write_bytes(newer)
        await table.ez_round(PLAYER_WINS)
        await table.checkpoints.make()
        assert str(second) in table.alarms[ALARM]
        await table.do(AlarmExplained(ALARM, "restored after the disk broke"), by="floor:ann")


async def test_an_entry_is_covered_at_once_and_then_after_a_minute(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: asyncio.Queue[float] = asyncio.Queue()
    wake = asyncio.Event()

    async def sleep(seconds: float) -> None:
        slept.put_nowait(seconds)
        await wake.wait()
        wake.clear()

    async with board.running() as table:
        monkeypatch.setattr("controller.recorder.checkpoints.asyncio.sleep", sleep)
        working = asyncio.ensure_future(table.checkpoints.run())
        await table.shoe()
        assert await slept.get() == 60.0
        assert len(board.published) == 1
        await table.ez_round(PLAYER_WINS)
        assert len(board.published) == 1, "not one for each entry"
        wake.set()
        await slept.get()
        assert read_checkpoint(board.published[1]).entry == table.recorder.journal.head.n
        working.cancel()


# The broker


@asynccontextmanager
async def published(broker: Mosquitto, table: Table, session: str) -> AsyncIterator[Publisher]:
    settings = MqttSettings(host="127.0.0.1", port=broker.port, client_id="t7")
    publisher = Publisher(
        table.recorder.journal,
        settings,
        session=session,
        on_head=lambda head: table.checkpoints.compare_retained(head, "main"),
    )
    publisher.start()
    try:
        yield publisher
    finally:
        await publisher.stop()


async def retained(broker: Mosquitto, topic: str, wanted: int = 1) -> dict[str, bytes]:
    """What a later subscriber gets."""
    found: dict[str, bytes] = {}
    async with asyncio.timeout(20):
        while len(found) != wanted:
            found = {}
            async with aiomqtt.Client("127.0.0.1", broker.port) as client:
                await client.subscribe([(f"{BASE}/{topic}", 1), ("end", 1)])
                await client.publish("end", b"", qos=1)
                async for message in client.messages:
                    if str(message.topic) == "end":
                        break
                    found[str(message.topic)] = bytes(message.payload)
    return found


async def until_published(broker: Mosquitto, topic: str, body: bytes) -> None:
    async with asyncio.timeout(20), aiomqtt.Client("127.0.0.1", broker.port) as client:
        await client.subscribe(f"{BASE}/{topic}", 1)
        async for message in client.messages:
            if message.payload == body:
                return


@pytest.mark.broker
@needs_mosquitto
async def test_the_brokers_checkpoint_shows_a_journal_that_was_put_back_with_all_files(
    board: Board, tmp_path: Path
) -> None:
    """The whole data folder was put back, and there is no second disk."""
    with mosquitto(tmp_path) as broker:
        async with board.running(second=False) as table, published(broker, table, "first") as publisher:
            await table.deal(PLAYER_WINS)
            shutil.copytree(board.data, tmp_path / "copy", ignore=shutil.ignore_patterns("*.lock"))
            await table.ez_round(TIE)
            await table.checkpoints.make()
            publisher.head_changed(board.published[-1])
            before = await retained(broker, "head")
            assert before == {f"{BASE}/head": board.published[-1]}
        shutil.rmtree(board.data)
        (tmp_path / "copy").rename(board.data)
        board.published.clear()
        async with board.running(second=False) as table, published(broker, table, "second") as publisher:
            seen = asyncio.Event()
            table.recorder.listen(lambda _: seen.set())
            await table.checkpoints.make()
            ours = board.published[-1]
            publisher.head_changed(ours)  # it must not be sent before the broker's was compared
            async with asyncio.timeout(20):
                while ALARM not in table.alarms:
                    seen.clear()
                    await seen.wait()
            assert table.alarms[ALARM].startswith("the broker main: entry ")
            await until_published(broker, "head", ours)


@pytest.mark.broker
@needs_mosquitto
async def test_a_new_journal_clears_what_its_predecessor_left_retained(board: Board, tmp_path: Path) -> None:
    old = AlarmDocument("0d" * 16, SITE, TABLE, "disk_low", "raised", "no room", 1, None, None, None)
    trust = replace(old, alarm="trust:shoe")
    ghosts = {
        f"{BASE}/alarm/disk_low": old,
        f"{BASE}/alarm/trust:shoe": trust,
        f"{BASE}/device/old-shoe": DeviceDocument("0d" * 16, SITE, TABLE, "old-shoe", "online", {}),
    }
    with mosquitto(tmp_path) as broker:
        version = aiomqtt.ProtocolVersion.V5
        async with aiomqtt.Client("127.0.0.1", broker.port, protocol=version) as predecessor:
            for topic, document in ghosts.items():
                properties = json_properties(PacketTypes.PUBLISH)
                await predecessor.publish(topic, encode(document), qos=1, retain=True, properties=properties)
        async with board.running() as table, published(broker, table, "new") as publisher:
            ours = encode(replace(old, journal=table.recorder.journal.id, alarm="archive_missing"))
            publisher.alarm_changed("archive_missing", ours)
            assert await retained(broker, "alarm/+") == {f"{BASE}/alarm/archive_missing": ours}
            assert await retained(broker, "device/+", 0) == {}
