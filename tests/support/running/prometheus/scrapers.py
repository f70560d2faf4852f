"""A real Prometheus for tests, and promtool, its judge of rules. Debian: `apt install prometheus`."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.running.brokers import free_port

_PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"])
PROMETHEUS, PROMTOOL = (shutil.which(name, path=_PATH) for name in ("prometheus", "promtool"))

needs_prometheus = pytest.mark.skipif(
    PROMETHEUS is None or PROMTOOL is None,
    reason="NO PROMETHEUS: alerts and targets were judged by nobody (Debian: apt install prometheus)",
)


def promtool(*arguments: str | Path) -> str:
    """What it finds wrong; empty if nothing."""
    assert PROMTOOL is not None
    done = subprocess.run([PROMTOOL, *map(str, arguments)], check=False, capture_output=True, text=True, timeout=60)
    return "" if done.returncode == 0 else done.stdout + done.stderr


@contextmanager
def prometheus(folder: Path, config: Path) -> Iterator[str]:
    """The address of one that runs with this configuration."""
    assert PROMETHEUS is not None
    address = f"127.0.0.1:{free_port()}"
    with (folder / "prometheus.log").open("wb") as log:
        process = subprocess.Popen(
            [
                PROMETHEUS,
                f"--config.file={config}",
                f"--storage.tsdb.path={folder / 'tsdb'}",
                f"--web.listen-address={address}",
            ],
            stdout=log,
            stderr=log,
        )
        try:
            yield f"http://{address}"
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
