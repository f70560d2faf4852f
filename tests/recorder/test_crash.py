"""Kill -9 at any instant, start again: the table is where it was."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.timeout(600)
@pytest.mark.clause("NY-5319.54")
def test_two_hundred_kills_lose_nothing_and_do_nothing_twice() -> None:
    """Forty for each of five games; `make soak` kills three thousand times."""
    command = [sys.executable, "-m", "tests.long.crash", "--times", "200", "--seed", "20261116"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=590, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "200 kills, 5 games" in done.stdout
