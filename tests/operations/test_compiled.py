"""The compiled engine deals as the sources do: the same evenings end in the same journals, byte for byte.

It is what a cardroom installs. Here it is built without the C compiler's optimisation, in a quarter of a minute, once
for the same sources; `make compiled` and `make whole` run these tests on the one that is installed.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.bench import compiled
from tests.bench.compiled import ROOT, CompiledTable, environment
from tests.support.evidence_journals import forge, play_at_random, play_ez
from tests.support.turns import is_whole

QUICK = () if is_whole() else ("--quick",)
FOLDER = compiled.FOLDER if is_whole() else compiled.FOLDER.with_name("compiled-quick")

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

COMPILE = ROOT / "deploy" / "compile.py"
LACKING = 3
"""Exit code of deploy/compile.py where something it needs is missing."""

DEAL = """
import sys
from pathlib import Path
from controller.engine.round import kernel
from tests.support.evidence_journals import play_at_random
assert not kernel.__file__.endswith(".py"), kernel.__file__
for seed, ruleset in enumerate(sys.argv[3:]):
    head = play_at_random(Path(sys.argv[1]) / f"{ruleset}.db", ruleset, seed, int(sys.argv[2]))
    print(ruleset, head.n, head.hash.hex())
"""


@pytest.fixture(scope="module")
def built() -> None:
    """The compiled engine of these sources; built if it is missing."""
    command = [sys.executable, str(COMPILE), "--into", str(FOLDER), *QUICK]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == LACKING:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr


def test_the_machine_code_names_no_place_of_the_machine_that_built_it(built: None) -> None:
    """Or the same sources would give another package elsewhere."""
    modules = [module.read_bytes() for module in FOLDER.rglob("*.so")]
    assert modules
    for place in (ROOT, Path(sys.prefix), FOLDER):
        assert not [module for module in modules if str(place).encode() in module], place


@pytest.fixture
def deploy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The modules of deploy/ can be imported."""
    monkeypatch.syspath_prepend(str(COMPILE.parent))


@pytest.mark.usefixtures("deploy")
def test_no_interpreted_class_derives_from_a_compiled_one() -> None:
    """The compiled engine could not make an object of it, and nobody would know before a hand is split."""
    compiling = importlib.import_module("compile")
    assert all((ROOT / module).exists() for module in compiling.MODULES)
    assert compiling.wrong_subclasses() == []


MODULE = '''"""A module with a Struct in it."""

from __future__ import annotations

from msgspec import Struct

LEAST = 3
"""Used by the Struct's statement."""
MOST = 9


class Options(Struct, frozen=True):
    seats: int = LEAST

    def spread(self) -> list[int]:
        seats = doubled(self)
        return [seats, MOST]


def doubled(options: Options) -> int:
    return 2 * options.seats
'''


@pytest.mark.usefixtures("deploy")
def test_a_module_with_a_struct_is_split_and_has_all_of_its_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    splitting = importlib.import_module("split")
    tmp_path.joinpath("halved.py").write_text(MODULE)
    compiled, interpreted = splitting.Tree(tmp_path, ["halved.py"]).split("halved.py")
    assert "class Options" not in compiled and "def doubled" not in interpreted
    assert compiled.split("\n").index("def doubled(options: Options) -> int:") == MODULE.split("\n").index(
        "def doubled(options: Options) -> int:"
    )
    tmp_path.joinpath("halved.py").write_text(compiled)
    tmp_path.joinpath("halved_interpreted.py").write_text(interpreted)
    monkeypatch.syspath_prepend(str(tmp_path))
    halved = importlib.import_module("halved")
    assert halved.Options(4).spread() == [8, 9]
    assert (halved.LEAST, halved.MOST, halved.Options().seats) == (3, 9, 3)
    with pytest.raises(AttributeError):
        halved.Options().seats = 5


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize("cases", ["cases", "cases/own"])
def test_every_worked_round_comes_out_the_same_from_the_compiled_engine(cases: str) -> None:
    command = [sys.executable, "-m", "controller.cases", str(ROOT / "tests" / cases)]
    done = subprocess.run(command, cwd=FOLDER, env=environment(FOLDER), capture_output=True, text=True, check=False)
    assert done.stdout.endswith(" passed, 0 failed\n"), done.stdout[-2000:] + done.stderr


@pytest.mark.usefixtures("built")
def test_every_evening_has_the_same_hashes_from_the_compiled_engine(tmp_path: Path) -> None:
    ours = [
        (ruleset, play_at_random(tmp_path / f"{ruleset}.db", ruleset, seed, ROUNDS))
        for seed, ruleset in enumerate(EVENINGS)
    ]
    theirs = tmp_path / "compiled"
    theirs.mkdir()
    command = [sys.executable, "-c", DEAL, str(theirs), str(ROUNDS), *EVENINGS]
    done = subprocess.run(command, cwd=FOLDER, env=environment(FOLDER), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:-1] == [f"{ruleset} {head.n} {head.hash.hex()}" for ruleset, head in ours]


@pytest.mark.usefixtures("built")
def test_the_compiled_engine_finds_a_journal_whole_and_a_forged_one_not(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    play_ez(path, ["5h", "Kd", "4s", "2c", "9d"])
    with CompiledTable.of(FOLDER) as table:
        assert table.verify(path, 1) == 1
        forge(path, lambda entry: replace(entry, events=entry.events.replace(b'"bank_net":', b'"bank_net":1')))
        with pytest.raises(AssertionError, match="does not come out the same"):
            table.verify(path, 1)
