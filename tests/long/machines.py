"""The README's two commands on clean machines, as root: `make machines [SUITES=trixie] [WITH="--users ann"]`.

Each suite is a Debian of its own: mmdebstrap makes a bare root with python3, make and git, from the mirror of this
machine's apt, and a copy of it is entered with chroot, in mount and process namespaces of its own. There the last
commit is cloned, and `make demo` and `make test` run, first as root, who may install what the tests need, then as an
ordinary user. The demo must come to the same journal everywhere.

It can be stopped and goes on where it was: the tests run folder by folder, and what passed is not run again as long as
the files of the commit are the same (lines of tests/ledger do not count). A newer commit is cloned anew into the same
root, unless what is installed there has changed; `--parts` then runs again what the commit was made for, and what else
it touches. Each run adds a line for each suite and user to tests/ledger/machines.csv: which parts have passed at that
commit, and which of them only when they were run again. Bare roots, downloaded packages, results and a log for each
part are in /var/cache/cutcard-machines. The network is this machine's.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import os
import re
import shutil
import ssl
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from deploy.debian.commands import PATH
from deploy.debian.roots import SUITES, apt_options, entered, make_root, why_not
from tests.long.soak_all import commit
from tests.support.project import ROOT

KEPT = Path("/var/cache/cutcard-machines")
LEDGER = ROOT / "tests" / "ledger" / "machines.csv"
COLUMNS = (
    *("date", "commit", "suite", "python", "user", "parts", "of", "passed", "failed", "could_not_run", "minutes"),
    *("which", "passed_when_run_again"),
)
INCLUDE = ("ca-certificates", "git", "make", "python3")
INSTALLED_BY = "deploy/setup-machine.sh"
USERS = {"root": "/root", "ann": "/home/ann"}
DEMO = "demo"
DEMO_OPTIONS = "--headless --json --rounds 5 --seed 7 --speed max"
CERTIFICATES = "etc/ssl/certs/ca-certificates.crt"
SHOWN = 10
"""Failed tests of a part, and reasons why tests could not run, that are printed; the logs have all."""


class PartResult(msgspec.Struct, frozen=True):
    """What came of one part on one machine as one user."""

    tree: str
    part: str
    code: int
    last: str
    """The line that sums it up; of the demo, its journal."""
    seconds: float

    def count(self, *words: str) -> int:
        """Tests that passed, failed or were skipped, as pytest's last line counts them."""
        return sum(int(n) for word in words for n in re.findall(rf"(\d+) {word}", self.last))


class Results:
    """What is known of one suite and user: the newest result of each part of this tree."""

    def __init__(self, suite: str, user: str, tree: str) -> None:
        self._file, self._tree = KEPT / f"{suite}-{user}.jsonl", tree
        lines = self._file.read_text().splitlines() if self._file.exists() else []
        known = (msgspec.json.decode(line, type=PartResult) for line in lines)
        self.of_part: dict[str, PartResult] = {}
        self.again: set[str] = set()
        """Parts that failed before."""
        for result in known:
            if result.tree == tree:
                self._note(result)

    def keep(self, part: str, code: int, last: str, seconds: float) -> PartResult:
        result = PartResult(self._tree, part, code, last, round(seconds, 1))
        self._note(result)
        with self._file.open("a") as file:
            file.write(msgspec.json.encode(result).decode() + "\n")
        return result

    def _note(self, result: PartResult) -> None:
        self.of_part[result.part] = result
        if result.code:
            self.again.add(result.part)

    def passed(self, part: str) -> bool:
        return part in self.of_part and self.of_part[part].code == 0

    def which(self, all_parts: Sequence[str]) -> str:
        """The parts that passed, in the shorter way."""
        passed = [part for part in all_parts if self.passed(part)]
        others = [part for part in all_parts if not self.passed(part)]
        if len(passed) <= len(others):
            return " ".join(_short(passed))
        return " ".join(["all", *(["but"] if others else []), *_short(others)])

    def passed_again(self) -> str:
        return " ".join(_short(sorted(part for part in self.again if self.passed(part))))


class Machine:
    """A clean Debian under a folder, with the last commit in the home of each user. The clones are kept while the
    commit is, the root as long as the same is installed in it."""

    def __init__(self, suite: str, tree: str) -> None:
        self.suite, self.root, self._packages = suite, KEPT / suite, KEPT / f"{suite}-packages"
        stamp, installed = KEPT / f"{suite}.tree", KEPT / f"{suite}.installed"
        if stamp.exists() and stamp.read_text() == tree:
            return
        stamp.unlink(missing_ok=True)
        installs = _git("rev-parse", f"HEAD:{INSTALLED_BY}")
        if not installed.exists() or installed.read_text() != installs:
            installed.unlink(missing_ok=True)
            self._unpack(_base_root(suite))
        for user, home in USERS.items():
            place = self.root / home.lstrip("/") / "cutcard"
            shutil.rmtree(place, ignore_errors=True)
            clone = ("git", "clone", "--quiet", "--no-hardlinks", "--single-branch")
            subprocess.run((*clone, str(ROOT), str(place)), check=True)
            self.run("root", "chown", "-R", f"{user}:{user}", f"{home}/cutcard", log=KEPT / f"{suite}.log")
        # What root's `make test` installs of the machine, the ordinary user finds there.
        self.make("root", "venv", "system", log=KEPT / f"{suite}.log")
        installed.write_text(installs)
        stamp.write_text(tree)

    def _unpack(self, base: Path) -> None:
        shutil.rmtree(self.root, ignore_errors=True)
        self.root.mkdir()
        (self._packages / "partial").mkdir(parents=True, exist_ok=True)
        subprocess.run(("tar", "-C", str(self.root), "-xf", str(base)), check=True)
        for file in ("etc/resolv.conf", "etc/hosts"):
            shutil.copy(Path("/", file), self.root / file)
        if trusted := os.environ.get("SSL_CERT_FILE") or ssl.get_default_verify_paths().cafile:
            shutil.copy(trusted, self.root / CERTIFICATES)
        (self.root / "etc/apt/apt.conf.d/90machine").write_text("".join(f"{line}\n" for line in apt_options()))
        self.run("root", "useradd", "--create-home", "--shell", "/bin/sh", "ann", log=KEPT / f"{self.suite}.log")

    def python(self) -> str:
        log = KEPT / f"{self.suite}-python.log"
        self.run("root", "python3", "--version", log=log)
        return log.read_text().split()[-1]

    def make(self, user: str, *arguments: str, log: Path) -> int:
        return self.run(user, "make", "--directory=cutcard", "--no-print-directory", *arguments, log=log)

    def run(self, user: str, *command: str, log: Path) -> int:
        """A command in this machine, with nothing of our own environment; its output is the log."""
        home = USERS[user]
        trust = (f"PIP_CERT=/{CERTIFICATES}", f"NODE_EXTRA_CA_CERTS=/{CERTIFICATES}")
        environment = (f"PATH={PATH}", f"HOME={home}", "LANG=C.UTF-8", *trust)
        inside = ("env", "-i", f"--chdir={home}", *environment, *command)
        mounts, options = {self._packages: "var/cache/apt/archives"}, (f"--userspec={user}",)
        with log.open("wb") as output:
            return subprocess.run(
                entered(self.root, *inside, mounts=mounts, options=options),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                check=False,
            ).returncode


class Run:
    """One call of the command: which parts run where, until when."""

    def __init__(self, chosen: argparse.Namespace) -> None:
        self.tree = tree_of_files()
        self.all_parts = parts()
        self.parts = [part for part in self.all_parts if not chosen.parts or part in chosen.parts]
        self.workers: int | None = chosen.workers
        self.end = time.monotonic() + 60 * chosen.minutes

    def suite(self, suite: str, users: Iterable[str]) -> list[Results]:
        machine = Machine(suite, self.tree)
        found = []
        for user in users:
            results = Results(suite, user, self.tree)
            left = [part for part in self.parts if not results.passed(part)]
            print(
                f"{suite} (Python {machine.python()}), {user}: {len(left)} of {len(self.parts)} parts to run",
                flush=True,
            )
            began = time.monotonic()
            ran = [self._part(machine, user, part, results) for part in left if time.monotonic() < self.end]
            if ran:
                self._write_down(machine, user, results, time.monotonic() - began)
            found.append(results)
        return found

    def _part(self, machine: Machine, user: str, part: str, results: Results) -> PartResult:
        log, began = KEPT / f"{machine.suite}-{user}-{part.replace('/', '-')}.log", time.monotonic()
        arguments = f"TESTS={part}" + (f" -n {self.workers}" if self.workers else "")
        command = (DEMO, f"DEMO={DEMO_OPTIONS}") if part == DEMO else ("test", arguments)
        code = machine.make(user, *command, log=log)
        lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip()] or [""]
        counts = [line for line in lines if re.search(r"\d+ (passed|failed|skipped|error)", line)]
        result = results.keep(part, code, (counts or lines)[-1].strip("= "), time.monotonic() - began)
        print(f"  {part}: {'passed' if code == 0 else 'FAILED'}: {result.last}", flush=True)
        if code:
            failed = [line for line in lines if line.startswith(("FAILED ", "ERROR "))]
            for line in failed[:SHOWN]:
                print(f"    {line[:200]}")
            print(f"    {log}", flush=True)
        elif part != DEMO and "COULD NOT RUN HERE:" in lines:
            reasons = [line for line in lines[lines.index("COULD NOT RUN HERE:") + 1 :] if re.match(r"  \S", line)]
            for line in reasons[:SHOWN]:
                print(f"    could not run: {line.strip()[:200]}", flush=True)
        return result

    def _write_down(self, machine: Machine, user: str, results: Results, seconds: float) -> None:
        known = results.of_part.values()
        row = (
            time.strftime("%Y-%m-%d"),
            commit().rstrip("+"),
            machine.suite,
            machine.python(),
            user,
            sum(result.code == 0 for result in known),
            len(self.all_parts),
            sum(result.count("passed") for result in known),
            sum(result.count("failed", "errors?") for result in known),
            sum(result.count("skipped") for result in known),
            round(seconds / 60),
            results.which(self.all_parts),
            results.passed_again(),
        )
        is_new = not LEDGER.exists()
        with LEDGER.open("a", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            if is_new:
                writer.writerow(COLUMNS)
            writer.writerow(row)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.machines", description="make machines")
    parser.add_argument("suites", nargs="*", default=SUITES, help="of Debian; default: %(default)s")
    parser.add_argument("--users", nargs="+", choices=USERS, default=list(USERS), help="default: %(default)s")
    parser.add_argument("--parts", nargs="+", metavar="PART", help=f"{DEMO}, or folders of tests; default: all")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="after which no other part is begun")
    parser.add_argument("--workers", type=int, help="of pytest; default: what `make test` takes")
    chosen = parser.parse_args()
    if problem := why_not():
        print(f"make machines: {problem}", file=sys.stderr)
        return 2
    if commit().endswith("+"):
        print("make machines: what is not committed is not in the clones", file=sys.stderr)
    KEPT.mkdir(parents=True, exist_ok=True)
    run = Run(chosen)
    found = [results for suite in chosen.suites for results in run.suite(suite, chosen.users)]
    journals = {results.of_part[DEMO].last for results in found if results.passed(DEMO)}
    if len(journals) > 1:
        print("FAILED: the demo's journal is not the same everywhere")
    unfinished = sum(not results.passed(part) for results in found for part in run.parts)
    if unfinished:
        print(f"{unfinished} parts failed or are left; run again for these alone")
    return 1 if unfinished or len(journals) > 1 else 0


def parts() -> list[str]:
    """The demo, and each folder directly below tests/ that has tests."""
    files = [Path(line) for line in _git("ls-tree", "-r", "--name-only", "HEAD", "tests/").splitlines()]
    return [DEMO, *sorted({"/".join(file.parts[:2]) for file in files if file.name.startswith("test_")})]


def _short(parts: Iterable[str]) -> list[str]:
    return [part.removeprefix("tests/") for part in parts]


def tree_of_files() -> str:
    """A digest of the files of the last commit, without the ledger."""
    files = [line for line in _git("ls-tree", "-r", "HEAD").splitlines() if "\ttests/ledger/" not in line]
    return hashlib.sha256("\n".join(files).encode()).hexdigest()[:16]


def _base_root(suite: str) -> Path:
    """A tar of the bare root; made where it is not there."""
    ready = KEPT / f"{suite}.tar"
    if not ready.exists():
        make_root(ready, suite, INCLUDE)
    return ready


def _git(*arguments: str) -> str:
    return subprocess.run(("git", *arguments), cwd=ROOT, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    sys.exit(main())
