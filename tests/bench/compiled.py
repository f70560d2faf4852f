"""The compiled engine, in a process of its own: there it verifies journals, in turns with what it is measured beside.

`make compiled` builds it. One process cannot hold both engines, since they have the same names.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "build" / "compiled"


def environment(folder: Path) -> dict[str, str]:
    """For a Python that takes the compiled modules: to be started in the folder, since where it starts comes first."""
    return {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}


def is_built() -> bool:
    """The compiled engine is there, and of the sources as they are."""
    check = [sys.executable, str(ROOT / "deploy" / "compile.py"), "--check"]
    return subprocess.run(check, check=False).returncode == 0


class CompiledTable:
    """A process that verifies journals."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.spent = 0.0
        """Seconds of processor time that it has taken to verify."""

    @classmethod
    @contextmanager
    def where_built(cls) -> Iterator[CompiledTable | None]:
        """None where nobody has built it from these sources."""
        if not is_built():
            print("The compiled engine is not measured: `make compiled` has not built it from these sources.")
            yield None
            return
        with cls.of(FOLDER) as table:
            yield table

    @classmethod
    @contextmanager
    def of(cls, folder: Path) -> Iterator[CompiledTable]:
        """With the engine that is built in this folder."""
        command = [sys.executable, "-m", "tests.bench.compiled"]
        with subprocess.Popen(
            command, cwd=folder, env=environment(folder), text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process:
            yield cls(process)
            assert process.stdin is not None
            process.stdin.close()

    def verify(self, journal: Path, rounds: int) -> int:
        """Gives `rounds`, once the process has found the journal whole."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(journal, file=self._process.stdin, flush=True)
        answer, _, spent = self._process.stdout.readline().strip().rpartition(" ")
        assert answer == "whole", answer or "the compiled engine fell over"
        self.spent += float(spent)
        return rounds


def main() -> None:
    from controller.engine.round import kernel
    from controller.evidence.verify import verify
    from controller.rules import resolve

    assert not kernel.__file__.endswith(".py"), f"{kernel.__file__} is not compiled"
    for line in sys.stdin:
        began = time.process_time()
        verdict = verify(Path(line.strip()), resolve)
        print("whole" if verdict.is_whole else verdict.findings, time.process_time() - began, flush=True)


if __name__ == "__main__":
    main()
