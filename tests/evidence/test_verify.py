"""`cutcard verify`: what it proves, what it finds, and that it changes nothing."""

from __future__ import annotations

import asyncio
import io
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.cli.main import main
from controller.engine.expect.expectation import prompt
from controller.engine.inputs import CardOut, Input, encode_input
from controller.evidence.progress import Bar
from controller.evidence.verify import is_written
from controller.evidence.verify import verify as verify_journal
from controller.journal import Entry, Journal, JournalReader
from controller.journal.reader import pack_state
from controller.recorder.recorder import Recorder
from controller.rules import all_rulesets, resolve
from tests.engine.test_bot import is_dealt
from tests.support.evidence_journals import (
    DRAGON_7,
    PANDA_8,
    PLAYER_WINS,
    SITE,
    TABLE,
    TIE,
    Play,
    SteadyClock,
    entries,
    forge,
    play,
    play_at_random,
    play_ez,
    started,
)
from tests.support.journals import change

Printed = pytest.CaptureFixture[str]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def verify(path: Path, printed: Printed, *more: str) -> tuple[int, str]:
    code = main(["verify", str(path), *more])
    return code, printed.readouterr().out


def altered(n: int, **fields: Any) -> Callable[[Entry], Entry]:
    """Changes one entry, leaves the others."""
    return lambda entry: replace(entry, **fields) if entry.n == n else entry


def edited(n: int, old: bytes, new: bytes, column: str = "events") -> Callable[[Entry], Entry]:
    """Changes some bytes of one entry."""

    def alter(entry: Entry) -> Entry:
        if entry.n != n:
            return entry
        value: bytes = getattr(entry, column)
        assert old in value
        return replace(entry, **{column: value.replace(old, new)})

    return alter


def test_a_whole_journal_is_reported_with_its_figures(path: Path, capsys: Printed) -> None:
    head = play_ez(path, PLAYER_WINS, TIE, DRAGON_7, PANDA_8)
    code, text = verify(path, capsys)
    assert code == 0
    assert "WHOLE" in text
    assert "NOT WHOLE" not in text
    figures = dict(re.findall(r"^  (\w+) +(\w+)$", text, re.MULTILINE))
    assert figures == {"entries": str(head.n), "rounds": "4", "events": str(head.seq), "head": head.hash.hex()}


def test_an_empty_journal_is_whole(path: Path, capsys: Printed) -> None:
    Journal.open(path, site=SITE, table=TABLE).close()
    assert verify(path, capsys)[0] == 0


@pytest.mark.parametrize("slug", [slug for slug, ruleset in all_rulesets().items() if is_dealt(ruleset)])
@pytest.mark.clause("25CFR-547.8")
def test_any_game_played_at_random_re_runs_to_the_same_events(slug: str, path: Path, capsys: Printed) -> None:
    play_at_random(path, slug, seed=11)
    code, text = verify(path, capsys)
    assert code == 0, text


def test_a_snapshot_that_was_changed_is_found(path: Path, capsys: Printed) -> None:
    play_ez(path, PLAYER_WINS, TIE)
    with JournalReader.read(path) as reader:
        stored = reader.last_snapshot()
    assert stored is not None
    change(path, "UPDATE snapshot SET state = ?", pack_state(stored[1].replace(b"rounds", b"bounds")))
    code, text = verify(path, capsys)
    assert code == 1
    assert "The snapshot that was kept with entry 20 is not what was written" in text


def test_a_snapshot_forged_with_its_hash_is_not_how_the_table_stood(path: Path, capsys: Printed) -> None:
    play_ez(path, PLAYER_WINS, TIE)
    with JournalReader.read(path) as reader:
        stored = reader.last_snapshot()
        assert stored is not None
        (entry,) = reader.entries(stored[0], stored[0] + 1)
    forged = stored[1].replace(b'"seats":[1,2,3]', b'"seats":[1,2]')
    digest = sha256(entry.hash + forged).digest()
    change(path, "UPDATE snapshot SET state = ?, hash = ? WHERE n = ?", pack_state(forged), digest, entry.n)
    code, text = verify(path, capsys)
    assert code == 1
    assert f"Entry {entry.n}, re-run, does not come out the same: the snapshot that was kept with it" in text
    assert "setup is another" in text


def test_entries_taken_off_the_end_are_missed_by_a_snapshot_that_was_taken_after_them(
    path: Path, capsys: Printed
) -> None:
    play_ez(path, PLAYER_WINS, TIE)
    change(path, "DELETE FROM entry WHERE n > 19")
    code, text = verify(path, capsys)
    assert code == 1
    assert "A snapshot was taken after entry 20, which is not here" in text


def test_a_corrected_round_re_runs_too(path: Path, capsys: Printed) -> None:
    async def script(table: Play) -> None:
        await table.corrected_round("misread")

    play(path, script)
    assert verify(path, capsys)[0] == 0


@pytest.mark.parametrize("column", ["input", "events", "hash"])
@pytest.mark.clause("VA-11VAC20-20-380")
def test_a_changed_byte_breaks_the_chain_at_its_entry(column: str, path: Path, capsys: Printed) -> None:
    play_ez(path, PLAYER_WINS)
    value: bytes = getattr(entries(path)[6], column)
    change(path, f"UPDATE entries SET {column} = ? WHERE n = 7", value[:-2] + bytes([value[-2] ^ 1]) + value[-1:])
    code, text = verify(path, capsys)
    assert code == 1
    assert "entry 7 is not what was written" in text
    assert "Entries 1 to 6 are whole" in text


def test_no_byte_of_the_file_can_change_what_it_says_unseen(tmp_path: Path, path: Path, capsys: Printed) -> None:
    """A flipped byte is found, or it lies where nothing is kept and every entry reads as before."""
    play_ez(path, PLAYER_WINS)
    original, before, found = path.read_bytes(), entries(path), 0
    copy = tmp_path / "copy.db"
    for at in [*range(0, 100), *range(100, len(original), 97)]:
        copy.write_bytes(original[:at] + bytes([original[at] ^ 0x10]) + original[at + 1 :])
        code, _ = verify(copy, capsys)
        found += code != 0
        assert code != 0 or entries(copy) == before, at
    assert found > 20


@pytest.mark.parametrize(
    ("alter", "says"),
    [
        (edited(11, b'"bank_net":1500', b'"bank_net":1400'), "bank_net is 1400 in the journal, re-running gives 1500"),
        (edited(8, b'"card":"9h"', b'"card":"8h"'), '(card_dealt): card is "8h" in the journal, re-running gives "9h"'),
        (altered(8, events=b"[]", count=0), "the journal lacks an event that re-running gives"),
        (edited(8, b"}]", b'},{"kind":"cut_card"}]'), "an event that re-running does not give"),
        (edited(8, b'"card_dealt"', b'"card_named"'), 'is {"kind":"card_named"'),
        (edited(8, b"[{", b"[ {"), "not in the bytes that the engine writes"),
        (altered(8, round=4), "filed under round 4, re-running gives 1"),
        (altered(8, count=2), "said to hold 2 events, but holds 1"),
        (edited(8, b'"9h"', b'"8h"', "input"), 'card is "9h" in the journal, re-running gives "8h"'),
        (edited(8, b'"9h"', b'"Jo"', "input"), "re-running gives"),
        (edited(8, b'"card_out"', b'"card_in"', "input"), "its input cannot be read"),
        (edited(5, b'"by":', b'"ref":":x","by":', "input"), "its input cannot be applied again"),
        (edited(8, b'"at":1763', b'"at":1762', "input"), "before that of the entry before it"),
    ],
)
def test_a_forgery_whose_hashes_all_fit_is_found_by_running_it_again(
    alter: Callable[[Entry], Entry], says: str, path: Path, capsys: Printed
) -> None:
    play_ez(path, PLAYER_WINS, TIE)
    forge(path, alter)
    code, text = verify(path, capsys)
    assert code == 1
    assert re.search(r"NOT WHOLE: Entry \d+, re-run", text)
    assert says in text


def test_a_forged_entry_that_could_not_have_been_published_is_found(path: Path, capsys: Printed) -> None:
    play_ez(path, PLAYER_WINS, TIE)
    forge(path, altered(8, events=b"nonsense"))
    code, text = verify(path, capsys)
    assert code == 1
    assert "entry 8 cannot be published: its input or events are no JSON" in text


def test_a_journal_that_does_not_begin_with_a_start_is_found(path: Path, capsys: Printed) -> None:
    play_ez(path, PLAYER_WINS)
    second = entries(path)[1]
    forge(path, altered(1, input=second.input, events=second.events))
    code, text = verify(path, capsys)
    assert code == 1
    assert "Entry 1, re-run" in text


def test_of_two_forgeries_the_first_is_reported(path: Path, capsys: Printed) -> None:
    play_ez(path, PLAYER_WINS, TIE)
    forge(path, edited(8, b'"9h"', b'"8h"', "input"))
    forge(path, edited(9, b'"by":', b'"ref":":x","by":', "input"))
    _, text = verify(path, capsys)
    assert "Entry 8, re-run" in text
    assert "Entry 9" not in text


def test_an_input_that_a_device_sent_once_and_the_journal_has_twice_is_found(path: Path, capsys: Printed) -> None:
    async def script(table: Play) -> None:
        await table.shoe()
        await table.ez_round()
        await table.recorder.submit(CardOut("2h"), "device:shoe", "0:41")

    play(path, script)
    with Journal.open(path, site=SITE, table=TABLE) as journal:
        again = Input(2_000_000_000_000, "device:shoe", CardOut("2h"), "0:41")
        journal.append_now(1, encode_input(again), [])
        held = prompt(Recorder(journal, resolve, SteadyClock(), started()).engine.expectation)
        assert "its input cannot be applied again (SentBefore)" in held
    code, text = verify(path, capsys)
    assert code == 1
    assert "device:shoe had sent this input before (0:41)" in text


def test_what_nobody_can_see_from_the_journal_alone_shows_against_a_hash_kept_elsewhere(
    path: Path, capsys: Printed
) -> None:
    """Who placed a wager is in no event: forged with all hashes, only a published hash proves it."""
    head = play_ez(path, PLAYER_WINS, TIE)
    middle = entries(path)[9].hash.hex()
    assert verify(path, capsys, "--known", middle)[0] == 0
    forge(path, edited(4, b'"by":"dealer"', b'"by":"mallet"', "input"))
    change(path, "DELETE FROM snapshot")
    assert verify(path, capsys)[0] == 0
    for known in (middle, head.hash.hex()):
        code, text = verify(path, capsys, "--known", known)
        assert code == 1
        assert f"No entry has the hash {known}" in text


def test_entries_cut_off_at_the_end_show_against_a_hash_kept_elsewhere(path: Path, capsys: Printed) -> None:
    head = play_ez(path, PLAYER_WINS, TIE)
    change(path, "DELETE FROM entry WHERE n > 12")
    change(path, "DELETE FROM snapshot WHERE n > 12")
    assert verify(path, capsys)[0] == 0
    assert verify(path, capsys, "--known", head.hash.hex())[0] == 1


async def test_it_verifies_while_the_daemon_writes_and_leaves_every_file_as_it_is(path: Path, capsys: Printed) -> None:
    first = started()
    with Journal.open(path, site=SITE, table=TABLE) as journal:
        recorder = Recorder(journal, resolve, SteadyClock(), first)
        await recorder.submit(first, "daemon")
        table = Play(recorder)
        await table.shoe()
        for _ in range(3):
            await table.ez_round()
            before = {file.name: file.read_bytes() for file in path.parent.iterdir() if not file.name.endswith("-shm")}
            code, text = verify(path, capsys)
            assert code == 0
            assert journal.head.hash.hex() in text
            after = {file.name: file.read_bytes() for file in path.parent.iterdir() if not file.name.endswith("-shm")}
            assert after == before
        assert is_written(path)
    assert not is_written(path)


def as_left_by_a_power_cut(path: Path, torn_bytes: int) -> Path:
    """A journal with its newest entries still in the log, the log cut short."""
    cut = path.with_name("cut.db")
    first = started()

    async def run() -> None:
        with Journal.open(path, site=SITE, table=TABLE) as journal:
            recorder = Recorder(journal, resolve, SteadyClock(), first)
            await recorder.submit(first, "daemon")
            await Play(recorder).shoe()
            await Play(recorder).ez_round()
            shutil.copy(path, cut)
            log = path.with_name(path.name + "-wal").read_bytes()
            cut.with_name(cut.name + "-wal").write_bytes(log[: len(log) - torn_bytes])

    asyncio.run(run())
    return cut


def test_a_torn_end_is_reported_and_not_repaired(path: Path, capsys: Printed) -> None:
    cut = as_left_by_a_power_cut(path, torn_bytes=100)
    log = cut.with_name(cut.name + "-wal")
    before = cut.read_bytes(), log.read_bytes()
    code, text = verify(cut, capsys)
    assert code == 1
    assert "The end is torn" in text
    assert "entries  10" in text  # what is whole is counted all the same
    assert (cut.read_bytes(), log.read_bytes()) == before


def test_a_log_that_ends_with_a_whole_commit_is_not_torn(path: Path, capsys: Printed) -> None:
    cut = as_left_by_a_power_cut(path, torn_bytes=0)
    assert verify(cut, capsys)[0] == 0


def test_an_earlier_repair_is_reported(path: Path, capsys: Printed) -> None:
    play_ez(path, PLAYER_WINS)
    change(path, "UPDATE entries SET hash = zeroblob(32) WHERE n = 11")
    Journal.open(path, site=SITE, table=TABLE).close()
    code, text = verify(path, capsys)
    assert code == 0
    assert "once cut back to entry 10" in text
    assert "journal.db.cut-11" in text


def test_rules_that_this_program_words_otherwise_are_named(path: Path, capsys: Printed) -> None:
    async def script(table: Play) -> None:
        await table.shoe()
        await table.ez_round()

    play(path, script, replace(started(), digest="0123456789abcdef", version="0.0.9"))
    code, text = verify(path, capsys)
    assert code == 0
    assert "was in force with digest 0123456789abcdef" in text
    forge(path, edited(11, b'"bank_net":1500', b'"bank_net":1400'))
    code, text = verify(path, capsys)
    assert code == 1
    assert "verify with that program" in text


def test_rules_that_this_program_does_not_have_cannot_be_verified(path: Path, capsys: Printed) -> None:
    play_ez(path, PLAYER_WINS)
    forge(path, edited(1, b"bankers-ez-baccarat-panda-8", b"bankers-ez-baccarat-panda-9", "input"))
    assert main(["verify", str(path)]) == 2
    assert "this program does not have these rules" in capsys.readouterr().err


def test_test_mode_is_reported(path: Path, capsys: Printed) -> None:
    play_ez(path, PLAYER_WINS, test=True)
    assert "TEST MODE" in verify(path, capsys)[1]


def test_the_configuration_names_the_journal(tmp_path: Path, capsys: Printed) -> None:
    (tmp_path / "data").mkdir()
    head = play_ez(tmp_path / "data" / "journal.db", PLAYER_WINS)
    config = tmp_path / "cutcard.toml"
    config.write_text('site = "bay101"\ntable = "t7"\ntest = true\n[rules]\nruleset = "bankers-ez-baccarat-panda-8"\n')
    assert main(["verify", "--config", str(config)]) == 0
    assert head.hash.hex() in capsys.readouterr().out
    assert main(["verify", "--config", str(config), "other.db"]) == 2
    assert "not both" in capsys.readouterr().err


def test_a_journal_that_is_not_there_is_no_verdict(tmp_path: Path, capsys: Printed) -> None:
    assert main(["verify", str(tmp_path / "none.db")]) == 2
    assert "There is no journal at" in capsys.readouterr().err
    for known in ("xyz", "fecbe563"):
        assert main(["verify", str(tmp_path / "none.db"), "--known", known]) == 2
        assert f"--known {known} is no hash" in capsys.readouterr().err


def test_a_file_that_is_no_journal_is_not_whole(tmp_path: Path, capsys: Printed) -> None:
    notes = tmp_path / "notes.db"
    notes.write_text("Dealer's notes. " * 100)
    code, text = verify(notes, capsys)
    assert code == 1
    assert "is not a journal" in text


def test_the_command_ends_with_its_exit_code_and_draws_no_bar_into_a_pipe(path: Path) -> None:
    play_ez(path, PLAYER_WINS)
    forge(path, edited(11, b'"bank_net":1500', b'"bank_net":1400'))
    ran = subprocess.run(
        [sys.executable, "-m", "controller.cli", "verify", str(path)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert "Entry 11" in ran.stdout
    assert ran.stderr == ""


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_appears_after_a_second_and_is_wiped_away() -> None:
    now = 0.0
    screen = Terminal()
    with Bar("re-running", screen, clock=lambda: now) as bar:
        bar(10, 100)
        now = 0.9
        bar(40, 100)
        assert screen.getvalue() == ""
        now = 1.1
        bar(50, 100)
        assert " 50 %  50 of 100" in screen.getvalue()
        drawn = len(screen.getvalue())
        now = 1.15
        bar(51, 100)
        assert len(screen.getvalue()) == drawn
    assert screen.getvalue().endswith("\r\x1b[K")


def test_no_bar_where_nobody_looks() -> None:
    times = iter(range(100))
    file = io.StringIO()
    with Bar("hashes", file, clock=lambda: float(next(times))) as bar:
        bar(50, 100)
        bar(99, 100)
    assert file.getvalue() == ""


def test_a_slow_verification_moves_the_bar_over_hashes_and_re_run(path: Path) -> None:
    play_ez(path, *[PLAYER_WINS] * 60)
    hashing: list[int] = []
    rerunning: list[int] = []
    verdict = verify_journal(
        path,
        resolve,
        hashing=lambda done, total: hashing.append(done),
        rerunning=lambda done, total: rerunning.append(done),
    )
    assert verdict.is_whole
    assert hashing[0] == rerunning[0] == 512


def test_a_finding_names_no_card_of_an_input(path: Path, capsys: Printed) -> None:
    """A face-down card must not come to light through an error."""
    play_at_random(path, "bankers-ultimate-texas-holdem", seed=5)
    stacks = [entry for entry in entries(path) if b'"stack_out"' in entry.input or b'"card_out"' in entry.input]
    target = next(entry for entry in stacks if b'"card":' not in entry.events)
    forge(path, edited(target.n, b'"by":', b'"ref":":x","by":', "input"))
    code, text = verify(path, capsys)
    assert code == 1
    cards = msgspec.json.decode(target.input)["body"]
    named = cards.get("cards") or [cards["card"]]
    words = re.split(r"[^A-Za-z0-9*-]+", text)
    assert not any(card in words for card in named if card)
