"""Compiles the engine's hot modules with mypyc: `python deploy/compile.py [--into FOLDER] [--check]`.

Into build/compiled, unless told otherwise; `--check` builds nothing and says whether what is there is up to date.

The folder gets a copy of `controller` with an extension module beside each compiled source file; Python takes the
extension. Put the folder first on PYTHONPATH, or install the copy: nothing else changes, and nothing needs it. What the
journal holds comes out the same, byte for byte (tests/operations/test_compiled.py).

A module with a msgspec Struct in it cannot be compiled: mypyc drops what a class statement says besides its bases. So
values live in modules of their own, and what works on them is compiled.

It needs mypy, setuptools, a C compiler and Python's headers. What was built before is kept while the sources are the
same. Exit code 0: built or still good, 1: `--check` found it missing or old, 2: these sources cannot be compiled so, 3:
something that it needs is missing.
"""

from __future__ import annotations

import argparse
import ast
import fcntl
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULES = (
    "controller/engine/betting/betting_round.py",
    "controller/engine/bets/action_button.py",
    "controller/engine/cards/card.py",
    "controller/engine/expect/lazy.py",
    "controller/engine/fees/round_fees.py",
    "controller/engine/round/felt.py",
    "controller/engine/round/cards.py",
    "controller/engine/round/fee_collection.py",
    "controller/engine/round/script.py",
    "controller/engine/round/wagers.py",
    "controller/engine/round/kernel.py",
    "controller/engine/money/bank.py",
    "controller/engine/money/pots.py",
    "controller/engine/ranking/rank.py",
    "controller/engine/round/result.py",
    "controller/engine/shoe/lifecycle.py",
    "controller/engine/shoe/shuffle_watch.py",
    "controller/engine/table/corrections.py",
    "controller/engine/table/current_round.py",
    "controller/engine/table/device_numbers.py",
    "controller/engine/table/devices.py",
    "controller/engine/table/drop.py",
    "controller/engine/table/engine.py",
    "controller/engine/table/fast_paths.py",
    "controller/engine/table/house.py",
    "controller/engine/table/lasting.py",
    "controller/engine/table/rounds.py",
    "controller/engine/table/shoe.py",
    "controller/engine/betting/turn.py",
    "controller/evidence/refeed.py",
    "controller/games/baccarat/dealing.py",
    "controller/games/baccarat/drawing.py",
    "controller/games/baccarat/ez_scripts.py",
    "controller/games/baccarat/settlement.py",
    "controller/games/poker/draw/draw.py",
    "controller/games/poker/draw/hand.py",
    "controller/games/poker/draw/kills.py",
    "controller/games/poker/draw/showdown.py",
    "controller/games/poker/draw/drawing.py",
    "controller/games/poker/core/hand.py",
    "controller/games/poker/core/kills.py",
    "controller/games/poker/core/moves.py",
    "controller/games/poker/core/posting.py",
    "controller/games/poker/core/rankings.py",
    "controller/games/poker/core/reading.py",
    "controller/games/poker/core/sheet.py",
    "controller/games/poker/core/showdown.py",
    "controller/games/poker/core/streets.py",
    "controller/games/poker/stud/hand.py",
    "controller/games/poker/stud/moves.py",
    "controller/games/poker/stud/seventh.py",
    "controller/games/poker/core/throwing.py",
    "controller/journal/links.py",
)
OLD, IMPOSSIBLE, LACKING = 1, 2, 3
_STAMP = "compiled-from"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python deploy/compile.py")
    parser.add_argument("--into", type=Path, default=ROOT / "build" / "compiled", metavar="FOLDER")
    parser.add_argument("--check", action="store_true", help="only say whether it is up to date")
    chosen = parser.parse_args()
    folder: Path = chosen.into.resolve()
    if chosen.check:
        return 0 if _is_made_from(folder, fingerprint()) else OLD
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f"{folder.name}.lock").open("w") as lock:
        # Whoever comes second waits, and finds it built.
        fcntl.flock(lock, fcntl.LOCK_EX)
        return _built(folder)


def _built(folder: Path) -> int:
    if _is_made_from(folder, fingerprint()):
        return 0
    if problem := lacking():
        print(f"The engine is not compiled: {problem}. It runs as it is, about half as fast.", file=sys.stderr)
        return LACKING
    if heirs := interpreted_heirs():
        print(f"The engine cannot be compiled: {'; '.join(heirs)}.", file=sys.stderr)
        return IMPOSSIBLE
    new = folder.with_name(f"{folder.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    shutil.copytree(ROOT / "controller", new / "controller", ignore=shutil.ignore_patterns("__pycache__"))
    made_from = fingerprint(new)
    subprocess.run([sys.executable, "-c", _BUILD, *MODULES], cwd=new, check=True, env=_environment(new))
    shutil.rmtree(new / "build")
    (new / _STAMP).write_text(made_from)
    shutil.rmtree(folder, ignore_errors=True)
    new.rename(folder)
    return 0


def _is_made_from(folder: Path, sources: str) -> bool:
    stamp = folder / _STAMP
    return stamp.exists() and stamp.read_text() == sources


def lacking() -> str:
    """What is missing on this machine, in words; empty: nothing."""
    for needed in ("mypyc", "setuptools"):
        if importlib.util.find_spec(needed) is None:
            return f"{needed} is not installed"
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        return f"there is no C compiler ({compiler})"
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        return "Python's header files are not installed"
    return ""


def interpreted_heirs() -> list[str]:
    """Classes that derive from a compiled one and are not compiled themselves: Python refuses to make such an object,
    in the middle of a round. A class that lets them says so (controller/engine/native.py)."""
    compiled = {node.name for module in MODULES for node in _classes(ROOT / module) if not _allows_heirs(node)}
    found: list[str] = []
    for path in sorted((ROOT / "controller").rglob("*.py")):
        name = str(path.relative_to(ROOT))
        for node in _classes(path) if name not in MODULES else ():
            bases = {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases}
            found += [f"{name}: {node.name} derives from {base}" for base in sorted(bases & compiled)]
    return found


def _allows_heirs(node: ast.ClassDef) -> bool:
    return any("allow_interpreted_subclasses" in ast.unparse(decorator) for decorator in node.decorator_list)


def _classes(path: Path) -> list[ast.ClassDef]:
    return [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ClassDef)]


def fingerprint(root: Path = ROOT) -> str:
    """Of everything that goes into the folder, and of the Python it is for."""
    digest = hashlib.sha256(f"{sys.version}\n{Path(__file__).read_text()}".encode())
    for path in sorted((root / "controller").rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(f"{path.relative_to(root)}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def _environment(folder: Path) -> dict[str, str]:
    # The other packages are looked up where they are, `controller` itself in the copy.
    return {**os.environ, "MYPYPATH": f"{folder}{os.pathsep}{ROOT}", "PYTHONDONTWRITEBYTECODE": "1"}


_BUILD = """
import sys
from mypyc.build import mypycify
from setuptools import setup

checks = ["--strict", "--explicit-package-bases", *sys.argv[1:]]
setup(
    name="cutcard-compiled",
    packages=[],
    ext_modules=mypycify(checks, opt_level="2", debug_level="0", multi_file=True),
    script_args=["--quiet", "build_ext", "--inplace", "--parallel", "2"],
)
"""

if __name__ == "__main__":
    sys.exit(main())
