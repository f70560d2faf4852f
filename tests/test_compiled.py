"""The compiled engine deals as the sources do: the same evenings come to the same journals, byte for byte.

`make compiled` builds it, a minute of C compiler; where it was not built from these sources, nothing can be compared.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.bench.compiled import ENVIRONMENT, FOLDER, ROOT, CompiledTable, is_built
from tests.evidence import forge, play_at_random, play_ez

EVENINGS = (
    "bankers-ez-baccarat-panda-8",
    "village-21st-century-baccarat-9-0",
    "bankers-pure-21-5-blackjack",
    "turlock-pai-gow-poker",
    "bankers-ultimate-texas-holdem",
    "bankers-texas-holdem",
    "bankers-razz",
    "bankers-draw-jacks-or-better",
    "calgrand-draw-poker",
    "village-badugi-triple-draw",
    "turlock-mexican-poker",
)
ROUNDS = 6

needs_build = pytest.mark.skipif(
    not is_built(), reason="the compiled engine is not built from these sources (`make compiled`)"
)

DEAL = """
import sys
from pathlib import Path
from controller.engine import kernel
from tests.evidence import play_at_random
assert not kernel.__file__.endswith(".py"), kernel.__file__
for seed, ruleset in enumerate(sys.argv[3:]):
    head = play_at_random(Path(sys.argv[1]) / f"{ruleset}.db", ruleset, seed, int(sys.argv[2]))
    print(ruleset, head.n, head.hash.hex())
"""


def test_no_class_of_a_game_derives_from_a_compiled_one() -> None:
    """It could not be made by the compiled engine, and nobody would know before a hand is split."""
    found = importlib.util.spec_from_file_location("compiling", ROOT / "deploy" / "compile.py")
    assert found is not None
    assert found.loader is not None
    compiling = importlib.util.module_from_spec(found)
    found.loader.exec_module(compiling)
    assert all((ROOT / module).exists() for module in compiling.MODULES)
    assert compiling.interpreted_heirs() == []


@needs_build
def test_every_evening_has_the_same_hashes_from_the_compiled_engine(tmp_path: Path) -> None:
    ours = [
        (ruleset, play_at_random(tmp_path / f"{ruleset}.db", ruleset, seed, ROUNDS))
        for seed, ruleset in enumerate(EVENINGS)
    ]
    theirs = tmp_path / "compiled"
    theirs.mkdir()
    command = [sys.executable, "-c", DEAL, str(theirs), str(ROUNDS), *EVENINGS]
    done = subprocess.run(command, cwd=FOLDER, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:-1] == [f"{ruleset} {head.n} {head.hash.hex()}" for ruleset, head in ours]


@needs_build
def test_the_compiled_engine_finds_a_journal_whole_and_a_forged_one_not(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    play_ez(path, ["5h", "Kd", "4s", "2c", "9d"])
    with CompiledTable.where_built() as table:
        assert table is not None
        assert table.verify(path, 1) == 1
        forge(path, lambda entry: replace(entry, events=entry.events.replace(b'"bank_net":', b'"bank_net":1')))
        with pytest.raises(AssertionError, match="does not come out the same"):
            table.verify(path, 1)
