"""A bad day for a process: Python loads this at its start where this folder is on PYTHONPATH (`tests.long.seeds`).

Another thread of the process works whenever it likes and for as long as it likes, Python changes between the threads a
hundred times more often than usual, its collector has another threshold each time, and the programs that the process
has started (its broker) are stopped for a moment again and again. Nothing of it may show in a simulated day.
"""

from __future__ import annotations

import contextlib
import gc
import os
import random
import signal
import subprocess
import sys
import threading
import time
from typing import Any

_children: list[int] = []


class _Noted(subprocess.Popen[Any]):
    """Every program that is started here."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        _children.append(self.pid)


def _disturb() -> None:
    chance = random.Random()
    while True:
        time.sleep(chance.uniform(0, 0.02))
        until = time.perf_counter() + chance.expovariate(1 / 0.002)
        while time.perf_counter() < until:
            pass
        for child in list(_children):
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGSTOP)
                time.sleep(chance.uniform(0, 0.003))
                os.kill(child, signal.SIGCONT)


def _begin() -> None:
    sys.setswitchinterval(5e-5)
    gc.set_threshold(random.randint(50, 5000))
    subprocess.Popen = _Noted  # type: ignore[misc]
    threading.Thread(target=_disturb, daemon=True).start()


if "controller.soak.command" in sys.orig_argv:
    _begin()
