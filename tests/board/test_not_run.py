"""What is too long for every run of the tests is not passed over in silence."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.support.project import ROOT


def test_the_list_at_the_end_says_that_the_board_was_not_tested_and_a_run_of_nothing_else_has_failed() -> None:
    inherited = ("CUTCARD_BOARD", "PYTEST_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(inherited)}
    command = [sys.executable, "-m", "tests.run", "--must-run", "-n", "0", "tests/board/emulated"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "COULD NOT RUN HERE:" in done.stdout and "THE BOARD WAS NOT TESTED: make board-test" in done.stdout
    assert done.stdout.rstrip().endswith("FAILED: no test was executed.")
