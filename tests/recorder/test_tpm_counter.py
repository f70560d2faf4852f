"""The counter in the board's TPM against the journal: what a copy of the whole disk cannot put back.

The TPM is swtpm, asked by Debian's tpm2-tools as on a board.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from controller.cli.main import main
from controller.engine.inputs import AlarmExplained, Amended, CardOut, Change, TpmCounted, decode_input
from controller.engine.table.state import TpmCount
from controller.evidence import words
from controller.journal import Journal, JournalError, JournalReader
from controller.recorder.tpm_counter import TpmCounter, contradiction
from controller.tpm import NoCounter, Tpm, TpmError
from tests.recorder.test_checkpoints import Board, Table
from tests.support.evidence_journals import PLAYER_WINS, SITE, TABLE, TIE
from tests.support.running.brokers import free_port
from tests.support.running.tpms import SoftwareTpm, needs_swtpm, software_tpm

ROLLED_BACK, NO_ANSWER = "rolled_back", "tpm"


@pytest.fixture
def chip(tmp_path: Path) -> Iterator[SoftwareTpm]:
    with software_tpm(tmp_path) as chip:
        yield chip


@pytest.fixture
async def tpm(chip: SoftwareTpm) -> Tpm:
    """With its counter made."""
    tpm = Tpm(chip.tcti)
    await tpm.define()
    return tpm


@pytest.fixture
def board(tmp_path: Path) -> Board:
    return Board(tmp_path)


@asynccontextmanager
async def started(board: Board, tpm: Tpm | None) -> AsyncIterator[Table]:
    """A run of the daemon that has counted, with checkpoints beside the journal only."""
    async with board.running(second=False) as table:
        await TpmCounter(table.recorder, tpm).count()
        yield table


def counts(board: Board) -> list[tuple[str, int]]:
    """Every step in the journal."""
    with Journal.open(board.path, site=SITE, table=TABLE) as journal:
        bodies = (decode_input(entry.input).body for entry in journal.entries(1))
        return [(body.step, body.value) for body in bodies if isinstance(body, TpmCounted)]


class Disk:
    """A copy of everything on the board's disk, to be put back later."""

    def __init__(self, board: Board) -> None:
        self._board, self._copy = board, board.data.with_name("copy")
        shutil.copytree(board.data, self._copy, ignore=shutil.ignore_patterns("*.lock"))

    def put_back(self) -> None:
        shutil.rmtree(self._board.data)
        shutil.copytree(self._copy, self._board.data)


class PowerCut(BaseException):
    """Nothing after it happens."""


class CutTpm(Tpm):
    """The power is cut when it counts."""

    def __init__(self, chip: SoftwareTpm, *, has_counted: bool) -> None:
        super().__init__(chip.tcti)
        self._has_counted = has_counted

    async def increment(self) -> None:
        if self._has_counted:
            await super().increment()
        raise PowerCut


async def power_is_cut(board: Board, tpm: CutTpm) -> None:
    with pytest.raises(PowerCut):
        async with started(board, tpm):
            pass


# The TPM


@needs_swtpm
async def test_the_counter_is_made_once_counts_and_cannot_be_set_back(chip: SoftwareTpm) -> None:
    tpm = Tpm(chip.tcti)
    with pytest.raises(NoCounter, match="cutcard enroll --tpm"):
        await tpm.read()
    assert await tpm.define()
    assert await tpm.read() == 0
    assert not await tpm.define(), "it is there"
    for value in (1, 2, 3):
        await tpm.increment()
        assert await tpm.read() == value
    chip.kill()
    chip.start()
    assert await tpm.read() == 3, "it outlives a power cut"
    chip.tool("tpm2_clear")
    assert await tpm.define()
    await tpm.increment()
    assert await tpm.read() == 4, "made anew it goes on"


@needs_swtpm
async def test_an_index_that_another_program_uses_is_left_alone(chip: SoftwareTpm) -> None:
    chip.tool("tpm2_nvdefine", "-C", "o", "-s", "8", "-a", "authread|authwrite", "0x0180cc01")
    with pytest.raises(TpmError, match="no counter"):
        await Tpm(chip.tcti).define()


@needs_swtpm
def test_the_command_makes_the_counter(chip: SoftwareTpm, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "cutcard.toml"
    rules = 'site = "test"\ntable = "t-1"\ntest = true\n[rules]\nruleset = "bankers-ez-baccarat-panda-8"\n'
    config.write_text(rules)
    command = ["enroll", "--tpm", "--config", str(config)]
    assert main(command) == 2
    assert 'Set tpm = "device:/dev/tpmrm0" under [journal]' in capsys.readouterr().err
    config.write_text(f'{rules}[journal]\ntpm = "{chip.tcti}"\n')
    assert main(command) == 0
    assert "The TPM has a counter now" in capsys.readouterr().out
    assert main(command) == 0
    assert "already" in capsys.readouterr().out
    chip.kill()
    assert main(command) == 2
    assert "The counter cannot be made: tpm2_nvread" in capsys.readouterr().err


# A table with it


@needs_swtpm
async def test_each_start_counts_and_each_count_is_in_the_journal(board: Board, tpm: Tpm) -> None:
    for _ in range(2):
        async with started(board, tpm) as table:
            assert table.alarms == {}
            await table.deal(PLAYER_WINS)
    assert counts(board) == [("counting", 0), ("counted", 1), ("counting", 1), ("counted", 2)]
    assert main(["verify", str(board.path)]) == 0, "a replay comes to the same"


@needs_swtpm
async def test_a_correction_of_the_round_before_a_count_does_not_undo_it(board: Board, tpm: Tpm) -> None:
    async with board.running(second=False) as table:
        await table.deal(PLAYER_WINS)
        await TpmCounter(table.recorder, tpm).count()
        played = table.engine.last
        assert played is not None
        card = next(n for n, value in enumerate(played.inputs) if isinstance(value.body, CardOut))
        change = Change(card, {"kind": "card_out", "card": "8h"})
        outcome = await table.do(Amended(table.engine.state.rounds, (change,), "misread"), by="floor:ann")
        assert outcome.refusal is None
        assert table.engine.state.tpm == TpmCount(1)


@needs_swtpm
async def test_a_disk_that_was_put_back_is_an_alarm_that_stops_until_the_floor_answers(board: Board, tpm: Tpm) -> None:
    """Journal and checkpoints are those of yesterday: only the TPM knows more."""
    async with started(board, tpm) as table:
        await table.deal(PLAYER_WINS)
    yesterday = Disk(board)
    for hand in (TIE, PLAYER_WINS):
        async with started(board, tpm) as table:
            await table.deal(hand)
    yesterday.put_back()
    async with board.running(second=False) as table:
        assert ROLLED_BACK not in table.alarms, "the checkpoints do not know it"
        await TpmCounter(table.recorder, tpm).count()
        text = "the board's TPM has counted to 3, the journal to 1: it is an older copy, or was cut"
        assert table.alarms == {ROLLED_BACK: text}
        assert table.engine.round is None, "no round may begin"
        await table.do(AlarmExplained(ROLLED_BACK, "restored after the disk broke"), by="floor:ann")
        assert table.alarms == {} and table.engine.round is not None
        await table.deal(TIE)
    assert counts(board)[-3:] == [("found", 3), ("counting", 3), ("counted", 4)]
    async with started(board, tpm) as table:
        assert table.alarms == {}, "it was answered"


@needs_swtpm
async def test_a_copy_that_is_only_one_count_old_is_an_alarm_too(board: Board, tpm: Tpm) -> None:
    async with started(board, tpm) as table:
        await table.deal(PLAYER_WINS)
    copy = Disk(board)
    async with started(board, tpm) as table:
        await table.deal(TIE)
    copy.put_back()
    async with started(board, tpm) as table:
        assert "counted to 2, the journal to 1" in table.alarms[ROLLED_BACK]


@needs_swtpm
@pytest.mark.parametrize("has_counted", [True, False], ids=["after the count", "before the count"])
async def test_a_power_cut_in_the_middle_of_a_count_is_no_alarm(
    board: Board, chip: SoftwareTpm, tpm: Tpm, has_counted: bool
) -> None:
    async with started(board, tpm):
        pass
    await power_is_cut(board, CutTpm(chip, has_counted=has_counted))
    assert counts(board)[-1] == ("counting", 1)
    async with started(board, tpm) as table:
        assert table.alarms == {}
        await table.deal(PLAYER_WINS)
    rest = [("counted", 2), ("counting", 2), ("counted", 3)] if has_counted else [("counting", 1), ("counted", 2)]
    assert counts(board)[3:] == rest


@needs_swtpm
async def test_a_power_cut_excuses_one_count_only(board: Board, chip: SoftwareTpm, tpm: Tpm) -> None:
    async with started(board, tpm):
        pass
    await power_is_cut(board, CutTpm(chip, has_counted=True))
    await tpm.increment()
    async with started(board, tpm) as table:
        assert "counted to 3, the journal to 1" in table.alarms[ROLLED_BACK]


@needs_swtpm
@pytest.mark.parametrize("how", ["cleared", "replaced", "made anew"])
async def test_another_tpm_or_one_that_was_cleared_is_an_alarm(
    board: Board, chip: SoftwareTpm, tpm: Tpm, how: str
) -> None:
    async with started(board, tpm):
        pass
    if how == "replaced":
        chip.replace()
    else:
        chip.tool("tpm2_clear")
    if how != "cleared":
        await tpm.define()
    async with started(board, tpm) as table:
        assert "it was cleared, or is another one" in table.alarms[ROLLED_BACK]
        assert (NO_ANSWER in table.alarms) is (how == "cleared")
        await table.do(AlarmExplained(ROLLED_BACK, "the board was repaired"), by="floor:ann")
    await tpm.define()
    async with started(board, tpm) as table:
        assert table.alarms == {}, "it was answered, and the counter is there again"


@needs_swtpm
async def test_a_new_journal_beside_a_tpm_that_has_counted_is_an_alarm(board: Board, tpm: Tpm) -> None:
    async with started(board, tpm):
        pass
    for file in board.data.glob("journal.db*"):
        file.unlink()
    async with started(board, tpm) as table:
        assert "another journal" in table.alarms[ROLLED_BACK]


# A TPM that is not there


@needs_swtpm
async def test_a_tpm_that_hangs_delays_no_card_and_is_compared_when_it_answers(
    board: Board, chip: SoftwareTpm, tpm: Tpm, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with started(board, tpm):
        pass
    await tpm.increment()
    chip.freeze()
    async with board.running(second=False) as table:
        counter = TpmCounter(table.recorder, tpm)
        counting = asyncio.ensure_future(counter.count())
        await table.deal(PLAYER_WINS)
        assert not counting.done() and table.engine.state.rounds > 0, "the hand was dealt meanwhile"
        counting.cancel()
        await asyncio.wait([counting])
        monkeypatch.setattr("controller.tpm.STEP_S", 0.2)
        assert not await counter.count()
        assert "did not answer tpm2_nvread within 0.2 seconds" in table.alarms[NO_ANSWER]
        assert ROLLED_BACK not in table.alarms
        chip.thaw()
        monkeypatch.undo()
        assert await counter.count()
        assert table.alarms.keys() == {ROLLED_BACK}


async def test_a_tpm_that_is_away_is_an_alarm_with_what_to_do_and_no_more(board: Board) -> None:
    tpm = Tpm(f"swtpm:host=127.0.0.1,port={free_port()}")
    async with started(board, tpm) as table:
        assert table.alarms.keys() == {NO_ANSWER}
        entries = table.recorder.journal.head.n
        assert not await TpmCounter(table.recorder, tpm).count()
        assert table.recorder.journal.head.n == entries, "not an entry for each try"
        await table.deal(PLAYER_WINS)
        assert table.engine.state.rounds > 0
    async with started(board, None) as table:
        assert table.alarms == {}, "it was taken out of the configuration"


async def test_tools_that_are_not_installed_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(TpmError, match="apt install tpm2-tools"):
        await Tpm("device:/dev/tpmrm0").read()


@needs_swtpm
async def test_a_counter_that_nobody_has_made_is_no_rollback(board: Board, chip: SoftwareTpm) -> None:
    async with started(board, Tpm(chip.tcti)) as table:
        assert table.alarms.keys() == {NO_ANSWER}
        assert "cutcard enroll --tpm" in table.alarms[NO_ANSWER]


async def test_a_table_without_a_tpm_writes_nothing_for_it(board: Board) -> None:
    async with board.running(second=False) as table:
        before = table.recorder.journal.head
        assert await TpmCounter(table.recorder, None).count()
        assert table.recorder.journal.head == before and table.engine.state.tpm is None


# When it counts


class WatchedTpm(Tpm):
    """Notes how long the journal was each time that it was read."""

    def __init__(self, chip: SoftwareTpm, journal: Journal) -> None:
        super().__init__(chip.tcti)
        self._journal = journal
        self.read_at: list[int] = []

    async def read(self) -> int:
        self.read_at.append(self._journal.head.n)
        return await super().read()


@needs_swtpm
async def test_it_counts_at_most_once_an_hour_and_only_if_something_was_written(
    board: Board, chip: SoftwareTpm, tpm: Tpm, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: asyncio.Queue[float] = asyncio.Queue()
    awake: asyncio.Queue[None] = asyncio.Queue()
    hour_is_over = asyncio.Event()

    async def sleep(seconds: float) -> None:
        slept.put_nowait(seconds)
        await hour_is_over.wait()
        awake.put_nowait(None)

    async with asyncio.timeout(30), board.running(second=False) as table:
        watched = WatchedTpm(chip, table.recorder.journal)
        counter = TpmCounter(table.recorder, watched)
        table.recorder.listen(counter.follow)
        monkeypatch.setattr("controller.recorder.tpm_counter.asyncio.sleep", sleep)
        working = asyncio.ensure_future(counter.run())
        assert await slept.get() == 3600.0
        await table.deal(PLAYER_WINS)
        assert table.engine.state.tpm == TpmCount(1), "not within the hour"
        hour_is_over.set()
        assert await slept.get() == 3600.0
        assert table.engine.state.tpm == TpmCount(2)
        for _ in range(2):
            await awake.get()
        quiet = table.recorder.journal.head.n
        hour_is_over.clear()
        await table.deal(TIE)
        assert await slept.get() == 3600.0
        assert table.engine.state.tpm == TpmCount(3)
        assert watched.read_at[4] > quiet, "in a quiet hour it waits for an entry that is not its own"
        working.cancel()


@needs_swtpm
def counted(path: Path) -> list[tuple[str, TpmCounted]]:
    """What a running daemon noted, and by whom; nothing while there is no journal."""
    try:
        with JournalReader.read(path) as journal:
            values = [decode_input(entry.input) for entry in journal.entries(1)]
    except JournalError:
        return []
    return [(value.by, value.body) for value in values if isinstance(value.body, TpmCounted)]


async def test_the_daemon_counts_at_its_start(chip: SoftwareTpm, tpm: Tpm, tmp_path: Path) -> None:
    """As it is installed: by its configuration, in its own process."""
    config = tmp_path / "cutcard.toml"
    config.write_text(
        'site = "test"\ntable = "t-1"\ntest = true\n[rules]\nruleset = "bankers-ez-baccarat-panda-8"\n'
        f"[mqtt]\nstart_without_broker = true\n[[mqtt.broker]]\nport = {free_port()}\n[web]\nport = 0\n"
        f'[journal]\ntpm = "{chip.tcti}"\n'
    )
    command = (sys.executable, "-m", "controller.cli", "run", "--config", str(config))
    daemon = await asyncio.create_subprocess_exec(*command)
    try:
        # Seen in the journal, not asked of the chip: swtpm serves one client at a time.
        async with asyncio.timeout(60):
            while len(found := counted(tmp_path / "data" / "journal.db")) < 2:
                assert daemon.returncode is None
                await asyncio.sleep(0.05)
    finally:
        daemon.terminate()
        await daemon.wait()
    assert await tpm.read() > 0
    assert found[0] == ("board", TpmCounted("counting", 0))


# The rules of comparing


@pytest.mark.parametrize(
    ("known", "value", "is_well"),
    [
        (None, None, True),
        (None, 0, True),
        (None, 5, False),
        (TpmCount(0, is_counting=True), 0, True),
        (TpmCount(0, is_counting=True), 5, False),
        (TpmCount(0), None, True),
        (TpmCount(5), 5, True),
        (TpmCount(5), 6, False),
        (TpmCount(5), 4, False),
        (TpmCount(5), 0, False),
        (TpmCount(5), None, False),
        (TpmCount(5, is_counting=True), 5, True),
        (TpmCount(5, is_counting=True), 6, True),
        (TpmCount(5, is_counting=True), 7, False),
        (TpmCount(5, is_counting=True), 4, False),
        (TpmCount(5, is_counting=True), None, False),
    ],
)
def test_what_fits_together(known: TpmCount | None, value: int | None, is_well: bool) -> None:
    assert (contradiction(known, value) is None) is is_well


def test_a_count_is_bounded_and_has_words() -> None:
    assert words.of_input(TpmCounted("counted", 7)) == "the board's TPM has counted to 7"
    with pytest.raises(msgspec.ValidationError):
        decode_input(b'{"at":1,"by":"board","body":{"kind":"tpm","step":"counted","value":9223372036854775808}}')
