"""Runs the tests and ends by saying loudly what could not run.

python -m tests.run [--coverage] [--must-run] [pytest arguments]

With `--must-run` a run in which no test was executed has failed.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parent.parent
WORKERS = ("-n", "4", "--dist", "loadfile", "--no-loadscope-reorder")
"""A file of tests on one worker: each test has its own ports, brokers and folders. Four for two cores, since many wait
for a daemon or a browser; in the order that `conftest` gives them, or the slow files of few tests would come last and
alone."""

KEEP = ("-o", "tmp_path_retention_policy=failed")
"""A test's folder goes with the test: they may be in memory."""
MEMORY = Path("/dev/shm")
LEAST_FREE = 6 << 30


def main(arguments: list[str]) -> int:
    # A shell that runs this in the background has it ignore Ctrl-C; the programs under test would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    coverage, must_run = "--coverage" in arguments, "--must-run" in arguments
    rest = [argument for argument in arguments if argument not in ("--coverage", "--must-run")]
    with tempfile.TemporaryDirectory(prefix="cutcard-", dir=_memory()) as name:
        folder = Path(name)
        folder.chmod(0o1777)  # As /tmp has it: a database server among the tests' programs runs as a user of its own.
        report = folder / "report.xml"
        command = [sys.executable, "-m", *(["coverage", "run", "-m"] if coverage else []), "pytest", "-q", *WORKERS]
        command += [f"--junitxml={report}", f"--basetemp={folder / 't'}", *KEEP]
        done = subprocess.run([*command, *rest], cwd=ROOT, env=_environment(folder), check=False)
        skipped, executed = _skipped(report), _executed(report)
    if coverage:
        subprocess.run([sys.executable, "-m", "coverage", "combine", "-q"], cwd=ROOT, check=False)
        subprocess.run([sys.executable, "-m", "coverage", "report", "--skip-covered"], cwd=ROOT, check=False)
    if skipped:
        print("\nCOULD NOT RUN HERE:")
        for reason, tests in skipped.items():
            print(f"  {reason}")
            for test in tests:
                print(f"    {test}")
    else:
        print("\nEverything ran.")
    if must_run and not executed:
        print("FAILED: no test was executed.")
        return done.returncode or 1
    return done.returncode


def _memory() -> Path | None:
    """Where files are in memory, if this machine has enough of it and programs may be run from there: every input of
    every journal is written through to the disk, and thousands of tests wait for that. None: the usual place."""
    try:
        files, text = os.statvfs(MEMORY), Path("/proc/meminfo").read_text()
    except OSError:
        return None
    has_room = files.f_bavail * files.f_frsize >= LEAST_FREE
    found = re.search(r"^MemAvailable: +(\d+) kB$", text, re.MULTILINE)
    is_free = found is not None and int(found[1]) * 1024 >= LEAST_FREE
    is_plain = not files.f_flag & (os.ST_NOEXEC | os.ST_NODEV | os.ST_NOSUID)
    return MEMORY if has_room and is_free and is_plain and os.access(MEMORY, os.W_OK) else None


def _environment(folder: Path) -> dict[str, str]:
    """With Debian's broker on the path, and with bytecode kept: hundreds of daemons are started, and each would compile
    the whole program anew; four workers would each rewrite the assertions of every test."""
    environment = {**os.environ, "PATH": os.environ.get("PATH", "") + os.pathsep + "/usr/sbin", "TMPDIR": str(folder)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def _skipped(report: Path) -> dict[str, list[str]]:
    """Skipped tests by their reason."""
    found: dict[str, list[str]] = {}
    if report.exists():
        for case in ElementTree.parse(report).iter("testcase"):
            for skip in case.iter("skipped"):
                name = f"{case.get('classname', '')}::{case.get('name', '')}"
                found.setdefault(skip.get("message", "no reason given"), []).append(name)
    return found


def _executed(report: Path) -> int:
    """How many tests passed or failed."""
    if not report.exists():
        return 0
    return sum(case.find("skipped") is None for case in ElementTree.parse(report).iter("testcase"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
