"""A TPM 2.0 in software (swtpm) on loopback, for Debian's tpm2-tools.

with software_tpm(tmp_path) as tpm:
    await Tpm(tpm.tcti).define()
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

SWTPM = shutil.which("swtpm")
MISSING = [tool for tool in ("swtpm", "tpm2_nvdefine", "tpm2_nvincrement", "tpm2_nvread") if shutil.which(tool) is None]
needs_swtpm = pytest.mark.skipif(
    bool(MISSING),
    reason=f"NO TPM: {', '.join(MISSING)} not on PATH, so the TPM counter was not tested (Debian: apt install swtpm "
    "tpm2-tools)",
)


class SoftwareTpm:
    """One TPM, whose memory is a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self._port = _two_free_ports()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def tcti(self) -> str:
        return f"swtpm:host=127.0.0.1,port={self._port}"

    def start(self) -> None:
        """Returns when it accepts connections."""
        assert SWTPM is not None
        self._process = subprocess.Popen(
            [
                *(SWTPM, "socket", "--tpm2", "--tpmstate", f"dir={self.folder}"),
                *("--server", f"type=tcp,port={self._port},bindaddr=127.0.0.1"),
                *("--ctrl", f"type=tcp,port={self._port + 1},bindaddr=127.0.0.1"),
                *("--flags", "not-need-init,startup-clear"),
            ]
        )
        until = time.monotonic() + 20
        while not all(map(_is_open, (self._port, self._port + 1))):
            assert self._process.poll() is None and time.monotonic() < until, "swtpm does not start"
            time.sleep(0.01)

    def freeze(self) -> None:
        """It takes connections and answers nothing; returns when it is frozen."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        os.waitpid(self._process.pid, os.WUNTRACED)

    def thaw(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def replace(self) -> None:
        """Another TPM in its place, which knows nothing."""
        self.kill()
        shutil.rmtree(self.folder)
        self.folder.mkdir()
        self.start()

    def tool(self, *command: str) -> None:
        """Run one of tpm2-tools, as somebody with access to the board would."""
        subprocess.run([command[0], "-T", self.tcti, *command[1:]], check=True, timeout=30, capture_output=True)


@contextmanager
def software_tpm(folder: Path) -> Iterator[SoftwareTpm]:
    tpm = SoftwareTpm(folder / "tpm")
    tpm.start()
    try:
        yield tpm
    finally:
        tpm.kill()


def _two_free_ports() -> int:
    """The first of two that follow each other: tpm2-tools look for the control channel on the second."""
    for _ in range(100):
        with socket.socket() as one, socket.socket() as other:
            one.bind(("127.0.0.1", 0))
            port: int = one.getsockname()[1]
            try:
                other.bind(("127.0.0.1", port + 1))
            except (OSError, OverflowError):
                continue
            return port
    raise AssertionError("no two free ports follow each other")


def _is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
