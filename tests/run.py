"""Runs the tests and ends by saying loudly what could not run.

python -m tests.run [--coverage] [pytest arguments]
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parent.parent
WORKERS = ("-n", "3", "--dist", "loadfile", "--no-loadscope-reorder")
"""A file of tests on one worker: each test has its own ports, brokers and folders. Three for two cores, since many wait
for a daemon or a browser; in the order that `conftest` gives them, or the slow files of few tests would come last and
alone."""


def main(arguments: list[str]) -> int:
    # A shell that runs this in the background has it ignore Ctrl-C; the programs under test would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    coverage = "--coverage" in arguments
    rest = [argument for argument in arguments if argument != "--coverage"]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", *(["coverage", "run", "-m"] if coverage else []), "pytest", "-q", *WORKERS]
        done = subprocess.run([*command, f"--junitxml={report}", *rest], cwd=ROOT, env=_environment(), check=False)
        skipped = _skipped(report)
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
    return done.returncode


def _environment() -> dict[str, str]:
    """With Debian's broker on the path, and with bytecode kept: hundreds of daemons are started, and each would compile
    the whole program anew; three workers would each rewrite the assertions of every test."""
    environment = {**os.environ, "PATH": os.environ.get("PATH", "") + os.pathsep + "/usr/sbin"}
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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
