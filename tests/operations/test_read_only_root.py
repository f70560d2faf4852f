"""A table whose board can write nothing but its data folder: what a read-only root leaves to the daemon.

The daemon runs in a mount namespace of its own in which every file system is read-only and only the data folder is not:
no byte code beside the modules, no temporary file, nothing in anybody's home.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import aiohttp
import pytest

from controller.evidence.verify import verify
from controller.rules import resolve
from tests.support.running.brokers import free_port
from tests.support.running.tables import laid_table

READ_ONLY = """
mount --bind "$1" "$1"
cut -d' ' -f2 /proc/self/mounts | sort -ru | while read -r mount; do
  [ "$mount" = "$1" ] || mount -o remount,bind,ro "$mount" 2>/dev/null
done
for folder in / /tmp /dev/shm "$HOME" "$(dirname "$1")" "$PWD"; do
  if ( : > "$folder/cutcard-may-write-here" ) 2>/dev/null; then
    echo "$folder is writable: this is no read-only root" >&2
    exit 99
  fi
done
: > "$1/cutcard-may-write-here" && rm "$1/cutcard-may-write-here" || exit 98
shift
exec env -u PYTHONDONTWRITEBYTECODE -u PYTHONPYCACHEPREFIX "$@"
"""


STAFF_FILES = {"staff.json", "people.json"}
"""Of the simulated people, whom the test hires."""


def read_only(data: Path) -> list[str]:
    """Put before a command: it then runs with everything read-only but this folder."""
    return ["unshare", "--mount", "--propagation", "private", "sh", "-c", READ_ONLY, "sh", str(data)]


def _why_not() -> str | None:
    if os.getuid() != 0 or shutil.which("unshare") is None:
        return "a read-only root needs root and unshare"
    may = subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode == 0
    return None if may else "this machine lets nobody unshare its mounts"


pytestmark = pytest.mark.skipif(_why_not() is not None, reason=str(_why_not()))


async def test_a_table_deals_restarts_and_verifies_with_only_its_data_folder_writable(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    async with laid_table(tmp_path, free_port(), before=read_only(tmp_path / "data")) as table:
        await table.people.play(2)
        table.kill()
        await table.stop()
        async with aiohttp.ClientSession() as session:
            await table.start(session)
            table.seat_people()
            await table.people.play(1)
            assert await table.stop() == 0
        assert table.kinds().count("round_settled") == 3
        log = (tmp_path / "daemon.log").read_text()
        assert "Read-only file system" not in log and "Traceback" not in log, log
    found = {path.name for path in (tmp_path / "data").iterdir()}
    journal = {f"journal.db{suffix}" for suffix in ("", ".lock", "-wal", "-shm", ".head")}
    assert found <= {*journal, "board.key", "console.token", "sign-in-tries.json"} | STAFF_FILES
    assert verify(tmp_path / "data" / "journal.db", resolve).is_whole
