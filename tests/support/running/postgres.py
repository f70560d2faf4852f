"""A PostgreSQL of the tests' own: a cluster in a temporary folder, on a Unix socket, run by an unprivileged user.

Debian's server refuses to run as root: then it runs as the user `postgres`, which its package makes.
"""

from __future__ import annotations

import os
import pwd
import select
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import pytest

_PLACES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
BINARIES = next((place for place in _PLACES if (place / "initdb").exists()), None)

needs_postgres = pytest.mark.skipif(
    BINARIES is None, reason="NO POSTGRESQL: the store was tested on SQLite alone (Debian: apt install postgresql)"
)
_STARTS_WITHIN = 60.0


class Postgres:
    """One cluster. It keeps its data through `kill` and `start`."""

    def __init__(self, folder: Path, *settings: str) -> None:
        assert BINARIES is not None
        self.folder = folder
        self._as = ["runuser", "-u", _owner(), "--"] if os.getuid() == 0 else []
        if os.getuid() == 0:
            shutil.chown(folder, _owner())
        self._data = folder / "data"
        initdb = [BINARIES / "initdb", "-D", self._data, "-U", "floor", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"]
        # The cluster's files need not survive this machine; what it writes from then on it does write through.
        self._run([*initdb, "--no-sync"])
        lines = [f"unix_socket_directories = '{folder}'", "listen_addresses = ''", "shared_buffers = 64MB", *settings]
        with (self._data / "postgresql.conf").open("a") as config:
            config.write("\n".join(lines) + "\n")
        self._process: subprocess.Popen[bytes] | None = None

    def _run(self, command: Sequence[object]) -> None:
        words = [*self._as, *map(str, command)]
        done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=self.folder)
        assert done.returncode == 0, done.stdout + done.stderr

    def start(self) -> None:
        """Returns when it accepts connections."""
        assert BINARIES is not None
        with (self.folder / "log").open("ab") as log:
            command = [*self._as, str(BINARIES / "postgres"), "-D", str(self._data)]
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder, start_new_session=True)
        until = time.monotonic() + _STARTS_WITHIN
        while True:
            try:
                psycopg.connect(self.address("postgres"), connect_timeout=5).close()
                return
            except psycopg.OperationalError:
                assert time.monotonic() < until and self._process.poll() is None, (self.folder / "log").read_text()
                time.sleep(0.05)

    def address(self, database: str) -> str:
        return f"postgresql://floor@/{database}?host={self.folder}"

    def create(self, database: str) -> str:
        """A new, empty database; returns its address."""
        self.execute(f'CREATE DATABASE "{database}"')
        return self.address(database)

    def execute(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        with psycopg.connect(self.address(database), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def kill(self) -> None:
        """SIGKILL to all of it, as when the power goes."""
        assert self._process is not None
        postmaster = int((self._data / "postmaster.pid").read_text().split()[0])
        os.kill(postmaster, signal.SIGKILL)
        self._process.wait()
        # A child that is not gone yet holds the shared memory, and the next start would refuse.
        while handles := self._left():
            for handle in handles:
                with suppress(ProcessLookupError):
                    signal.pidfd_send_signal(handle, signal.SIGKILL)
                select.select([handle], [], [], _STARTS_WITHIN)
                os.close(handle)
        (self._data / "postmaster.pid").unlink(missing_ok=True)

    def _left(self) -> list[int]:
        """Handles of the processes that work in this cluster's folder. A number alone may be another process's by the
        time it is used."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                handle = os.pidfd_open(int(process.name))
                if _folder_of(process) == self._data:
                    found.append(handle)
                else:
                    os.close(handle)
        return found

    def stop(self) -> None:
        """At once: nobody reads its data again."""
        if self._process is None or self._process.poll() is not None:
            return
        try:
            os.kill(int((self._data / "postmaster.pid").read_text().split()[0]), signal.SIGQUIT)
        except (FileNotFoundError, ProcessLookupError):
            self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()


@contextmanager
def postgres(*settings: str) -> Iterator[Postgres]:
    """A running cluster, in a folder with a short name: the path of a socket has at most 107 bytes."""
    with tempfile.TemporaryDirectory(prefix="cutcard-pg-") as name:
        Path(name).chmod(0o755)
        cluster = Postgres(Path(name), *settings)
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop()


def _folder_of(process: Path) -> Path | None:
    """Where a process works; None where it has ended."""
    try:
        return (process / "cwd").readlink()
    except OSError:
        return None


def _owner() -> str:
    try:
        return pwd.getpwnam("postgres").pw_name
    except KeyError:
        return "nobody"
