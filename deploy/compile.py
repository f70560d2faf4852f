"""Compiles the engine's hot modules with mypyc: `python deploy/compile.py [--into FOLDER] [--check] [--quick]`.

Writes to build/compiled by default. `--check` builds nothing and reports by its exit code whether that is up to date.
`--quick` has the C compiler optimise nothing: mypyc's translation is the same, in a quarter of the time, for tests.

The folder gets a copy of `controller` with an extension module beside each compiled source file; Python takes the
extension. Put the folder first on PYTHONPATH, or install the copy: nothing else changes, and nothing needs it. The
journal comes out the same, byte for byte (tests/operations/test_compiled.py).

A listed module may contain what mypyc cannot compile, such as a msgspec Struct: the copy is split (split.py).

It needs mypy, setuptools, a C compiler and Python's headers. An earlier build is kept while the sources are the same.
Exit code 0: built or up to date, 1: `--check` found it missing or old, 2: these sources cannot be compiled, 3:
something that it needs is missing.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from split import SUFFIX, Tree

ROOT = Path(__file__).resolve().parent.parent
MODULES = (
    "controller/engine/bank/banking.py",
    "controller/engine/bank/people.py",
    "controller/engine/bets/action_button.py",
    "controller/engine/betting/betting_round.py",
    "controller/engine/betting/turn.py",
    "controller/engine/cards/card.py",
    "controller/engine/expect/lazy.py",
    "controller/engine/fees/round_fees.py",
    "controller/engine/money/bank.py",
    "controller/engine/money/pots.py",
    "controller/engine/ranking/rank.py",
    "controller/engine/round/cards.py",
    "controller/engine/round/fee_collection.py",
    "controller/engine/round/felt.py",
    "controller/engine/round/kernel.py",
    "controller/engine/round/result.py",
    "controller/engine/round/script.py",
    "controller/engine/round/wagers.py",
    "controller/engine/shoe/counters.py",
    "controller/engine/shoe/lifecycle.py",
    "controller/engine/shoe/shuffle_watch.py",
    "controller/engine/table/bank.py",
    "controller/engine/table/corrections.py",
    "controller/engine/table/current_round.py",
    "controller/engine/table/devices/connected.py",
    "controller/engine/table/devices/counters.py",
    "controller/engine/table/devices/drop.py",
    "controller/engine/table/devices/numbers.py",
    "controller/engine/table/devices/shoe.py",
    "controller/engine/table/engine.py",
    "controller/engine/table/fast_paths.py",
    "controller/engine/table/house.py",
    "controller/engine/table/lasting.py",
    "controller/engine/table/rounds.py",
    "controller/evidence/rerun.py",
    "controller/games/baccarat/ez_script.py",
    "controller/games/baccarat/script.py",
    "controller/games/baccarat/settlement.py",
    "controller/games/baccarat/third_card.py",
    "controller/games/poker/core/discards.py",
    "controller/games/poker/core/hand.py",
    "controller/games/poker/core/kills.py",
    "controller/games/poker/core/posting.py",
    "controller/games/poker/core/rankings.py",
    "controller/games/poker/core/script.py",
    "controller/games/poker/core/settings.py",
    "controller/games/poker/core/showdown.py",
    "controller/games/poker/core/streets.py",
    "controller/games/poker/draw/dealing.py",
    "controller/games/poker/draw/hand.py",
    "controller/games/poker/draw/kills.py",
    "controller/games/poker/draw/script.py",
    "controller/games/poker/draw/showdown.py",
    "controller/games/poker/stud/hand.py",
    "controller/games/poker/stud/script.py",
    "controller/games/poker/stud/seventh.py",
    "controller/journal/chain.py",
    "controller/journal/published.py",
)
OLD, IMPOSSIBLE, LACKING = 1, 2, 3
_STAMP = "compiled-from"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python deploy/compile.py")
    parser.add_argument("--into", type=Path, default=ROOT / "build" / "compiled", metavar="FOLDER")
    parser.add_argument("--check", action="store_true", help="build nothing; exit code 1 if it is missing or old")
    parser.add_argument("--quick", action="store_true", help="let the C compiler optimise nothing")
    chosen = parser.parse_args()
    folder: Path = chosen.into.resolve()
    if chosen.check:
        return 0 if _is_made_from(folder, fingerprint(chosen.quick)) else OLD
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f"{folder.name}.lock").open("w") as lock:
        # A second process waits here, then finds it built.
        fcntl.flock(lock, fcntl.LOCK_EX)
        return _built(folder, chosen.quick)


def _built(folder: Path, quick: bool) -> int:
    if _is_made_from(folder, fingerprint(quick)):
        return 0
    if problem := lacking():
        print(f"The engine is not compiled: {problem}. It runs uncompiled, about half as fast.", file=sys.stderr)
        return LACKING
    if wrong := wrong_subclasses():
        print(f"The engine cannot be compiled: {'; '.join(wrong)}.", file=sys.stderr)
        return IMPOSSIBLE
    new = folder.with_name(f"{folder.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    shutil.copytree(ROOT / "controller", new / "controller", ignore=shutil.ignore_patterns("__pycache__"))
    made_from = fingerprint(quick, new)
    sources = {module: (new / module).read_bytes() for module in MODULES}
    _split(new)
    subprocess.run(
        [sys.executable, "-c", _BUILD, "0" if quick else "2", *MODULES], cwd=new, check=True, env=_environment(new)
    )
    shutil.rmtree(new / "build")
    for module, source in sources.items():
        (new / module).write_bytes(source)  # as it was: for a reader, and for tracebacks
    (new / _STAMP).write_text(made_from)
    shutil.rmtree(folder, ignore_errors=True)
    new.rename(folder)
    return 0


def _is_made_from(folder: Path, sources: str) -> bool:
    stamp = folder / _STAMP
    return stamp.exists() and stamp.read_text() == sources


def lacking() -> str:
    """What is missing on this machine; empty: nothing."""
    for needed in ("mypyc", "setuptools"):
        if importlib.util.find_spec(needed) is None:
            return f"{needed} is not installed"
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        return f"there is no C compiler ({compiler})"
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        return "Python's header files are not installed"
    return ""


def wrong_subclasses() -> list[str]:
    """Interpreted classes that derive from a compiled one: Python refuses to make such an object, in the middle of a
    round. A compiled class can allow it (controller/engine/native.py)."""
    return Tree(ROOT, MODULES).wrong_subclasses()


def _split(root: Path) -> None:
    """Splits the listed modules of the copied tree that cannot be compiled as a whole."""
    tree = Tree(root, MODULES)
    for path, texts in [(path, tree.split(path)) for path in MODULES]:
        if texts is not None:
            compiled, interpreted = texts
            (root / path).write_text(compiled)
            (root / path).with_stem(Path(path).stem + SUFFIX).write_text(interpreted)


def fingerprint(quick: bool, root: Path = ROOT) -> str:
    """Of everything that goes into the folder, and of the Python and the machine it is for."""
    builder = [Path(__file__).with_name(name).read_text() for name in ("compile.py", "split.py")]
    made_for = str(sysconfig.get_config_var("EXT_SUFFIX"))
    digest = hashlib.sha256("\n".join([sys.version, made_for, str(quick), *builder]).encode())
    for path in sorted((root / "controller").rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(f"{path.relative_to(root)}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def _environment(folder: Path) -> dict[str, str]:
    # mypy finds `controller` in the copy, the other packages in the source tree.
    # No path of this machine and no random order gets into the result: two builds are the same bytes.
    places = {folder: "engine", Path(sys.prefix): "venv", Path(sysconfig.get_path("include")): "python"}
    maps = [f"-ffile-prefix-map={place}={name}" for place, name in places.items()]
    flags = " ".join([os.environ.get("CFLAGS", ""), "-g0", *maps])
    fixed = {"CFLAGS": flags.strip(), "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    return {**os.environ, **fixed, "MYPYPATH": f"{folder}{os.pathsep}{ROOT}"}


_BUILD = """
import sys
from mypyc.build import mypycify
from setuptools import setup

level, *modules = sys.argv[1:]
checks = ["--strict", "--explicit-package-bases", *modules]
setup(
    name="cutcard-compiled",
    packages=[],
    ext_modules=mypycify(checks, opt_level=level, debug_level="0", multi_file=True),
    script_args=["--quiet", "build_ext", "--inplace", "--parallel", "2"],
)
"""

if __name__ == "__main__":
    sys.exit(main())
