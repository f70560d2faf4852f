"""What a disk holds after a power cut at any moment: recorded with strace, rebuilt system call by system call.

A program runs under strace, which writes down every call that changes a file: created, written, cut to length, renamed,
linked, unlinked, synced. `Disk` applies them one by one and keeps two truths: what the running system sees, and what a
disk must still have when the power goes, because it was synced (a file's bytes by fsync of the file, a name by fsync
of its folder). After each call it can give the folder

    killed      as the system sees it: the process was killed, the machine runs on
    nothing     the power went and nothing unsynced was written: neither bytes nor names
    names       the power went; every name was written, of the bytes only what was synced: a rename that overtook them
    torn        the power went; a random part of the unsynced 512-byte sectors was written, and the oldest of the names

SQLite's `-shm` file is shared memory, not on the disk for anybody, and is left out.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from tests.support.project import ROOT

STRACE = shutil.which("strace")
SECTOR = 512
_CALLS = (
    "openat,open,creat,write,pwrite64,writev,pwritev,ftruncate,truncate,fallocate,rename,renameat,renameat2,"
    "link,linkat,unlink,unlinkat,fsync,fdatasync,chmod,fchmod,fchmodat,mkdir,mkdirat,sendfile,copy_file_range"
)
_UNKNOWN = {"writev", "pwritev", "fallocate", "truncate", "sendfile", "copy_file_range", "mkdir", "mkdirat"}
"""Calls that would change what this module cannot follow: met in the folder, they stop the test."""

Way = Literal["killed", "nothing", "names", "torn"]
WAYS: tuple[Way, ...] = ("killed", "nothing", "names", "torn")


class Call:
    """One finished system call, with the bytes of its strings and the paths of its descriptors."""

    def __init__(self, name: str, rest: str, result: int) -> None:
        self.name, self.result = name, result
        self.flags = rest
        self.strings = [_bytes(text) for text in re.findall(r'"((?:\\x[0-9a-f]{2})*)"', rest)]
        found = re.match(r"-?\d+<((?:\\x[0-9a-f]{2})*)>", rest)
        self.at = Path(_bytes(found[1]).decode()) if found else None
        """The file of the descriptor that the call was given first."""
        self.number = int(found[1]) if (found := re.search(r", (\d+)$", rest)) else 0
        """Its last argument: an offset or a length."""


class File:
    """The bytes of one file, and those of them that are synced."""

    def __init__(self, data: bytes = b"", mode: int = 0o600) -> None:
        self.data, self.synced = bytearray(data), bytes(data)
        self.mode = mode
        self.pending: list[tuple[int, bytes | None]] = []
        """Writes since the last sync; without bytes: cut to this length."""

    def write(self, at: int, data: bytes) -> None:
        _write(self.data, at, data)
        self.pending.append((at, data))

    def cut(self, length: int) -> None:
        _cut(self.data, length)
        self.pending.append((length, None))

    def sync(self) -> None:
        self.synced = bytes(self.data)
        self.pending.clear()

    def torn(self, chance: random.Random) -> bytes:
        """Each sector of each unsynced write is on the disk or not."""
        data = bytearray(self.synced)
        for at, new in self.pending:
            if new is None:
                if chance.random() < 0.5:
                    _cut(data, at)
                continue
            for start in range(0, len(new), SECTOR):
                if chance.random() < 0.5:
                    _write(data, at + start, new[start : start + SECTOR])
        return bytes(data)


class Disk:
    """One folder, as the recorded calls change it."""

    def __init__(self, folder: Path, before: Path) -> None:
        """`folder` is where the program ran; `before` holds what was in it, durable, when it began."""
        self._folder = folder
        self.names = {path.name: File(path.read_bytes(), path.stat().st_mode & 0o777) for path in before.iterdir()}
        self._kept = [dict(self.names)]
        """The names as they were at the last sync of the folder, and after each change since."""

    def apply(self, call: Call) -> bool:
        """Whether it changed anything that may be on the disk."""
        if call.name in _UNKNOWN and any(self._name(path) for path in self._paths(call)):
            raise AssertionError(f"{call.name} in {self._folder}: the recorder does not know it")
        changed = self._apply(call)
        if changed and self.names != self._kept[-1]:
            self._kept.append(dict(self.names))
        return changed

    def _apply(self, call: Call) -> bool:
        if call.name in ("fsync", "fdatasync") and call.at == self._folder:
            self._kept = [dict(self.names)]
            return True
        names = [name for path in self._paths(call) if (name := self._name(path))]
        if not names:
            return False
        name = names[0]
        match call.name:
            case "openat" | "open" | "creat":
                fresh = name not in self.names
                if fresh and "O_CREAT" in call.flags:
                    self.names[name] = File(mode=_mode(call.flags))
                elif "O_TRUNC" in call.flags:
                    self.names[name].cut(0)
                else:
                    return False
            case "pwrite64":
                self.names[name].write(call.number, call.strings[0][: call.result])
            case "write":  # to a file that is written from its beginning to its end
                file = self.names[name]
                file.write(0 if name.endswith(".lock") else len(file.data), call.strings[0][: call.result])
            case "ftruncate":
                self.names[name].cut(call.number)
            case "rename" | "renameat" | "renameat2":
                self.names[names[1]] = self.names.pop(name)
            case "link" | "linkat":
                self.names[names[1]] = self.names[name]
            case "unlink" | "unlinkat":
                self.names.pop(name)
            case "chmod" | "fchmod" | "fchmodat":
                self.names[name].mode = _mode(call.flags)
                return False
            case "fsync" | "fdatasync":
                self.names[name].sync()
        return True

    def state(self, way: Way, seed: str) -> dict[str, tuple[bytes, int]]:
        """What the next start finds: bytes and mode by name."""
        chance = random.Random(seed)
        names, of = self.names, _synced
        match way:
            case "killed":
                of = _seen
            case "nothing":
                names = self._kept[0]
            case "torn":
                names = chance.choice(self._kept)

                def of(file: File) -> bytes:
                    return file.torn(chance)

        return {name: (of(file), file.mode) for name, file in sorted(names.items())}

    def _paths(self, call: Call) -> list[Path]:
        if call.at is not None and call.name not in ("openat", "renameat", "renameat2", "unlinkat", "linkat"):
            return [call.at]
        named = call.strings[:1] if call.name in ("openat", "open", "creat", "chmod") else call.strings
        return [(call.at or Path()) / text.decode() for text in named]

    def _name(self, path: Path) -> str | None:
        is_ours = path.parent == self._folder and not path.name.endswith("-shm")
        return path.name if is_ours and (path.name in self.names or not str(path).endswith(" (deleted)")) else None


def record(script: str, folder: Path, *arguments: str) -> list[Call]:
    """Every call of a Python script that may change a file, in the order in which they ended."""
    assert STRACE is not None
    trace = folder.parent / f"{folder.name}.strace"
    command: Sequence[str] = (
        STRACE,
        *("-f", "-y", "-xx", "-s", "100000000", "-e", f"trace={_CALLS}", "-e", "signal=none", "-o", str(trace)),
        *(sys.executable, "-c", script, str(folder), *arguments),
    )
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    try:
        return list(_finished(trace.read_text()))
    finally:
        trace.unlink()


def lay_out(state: dict[str, tuple[bytes, int]], folder: Path) -> None:
    """Such a disk as a folder, in the place of what was there."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, (data, mode) in state.items():
        file = folder / name
        file.write_bytes(data)
        file.chmod(mode)


@contextmanager
def in_memory(needed: int, otherwise: Path) -> Iterator[Path]:
    """A folder in memory with room for this number of bytes: syncs cost nothing there, and are not counted."""
    memory = Path("/dev/shm")
    has_room = os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > needed
    with tempfile.TemporaryDirectory(dir=memory if has_room else otherwise) as folder:
        yield Path(folder)


def _finished(trace: str) -> Iterator[Call]:
    """Joins calls that another thread's interrupted in the log; leaves out those that failed."""
    begun: dict[str, str] = {}
    for line in trace.splitlines():
        thread, _, text = line.partition(" ")
        text = text.strip()
        if text.endswith("<unfinished ...>"):
            begun[thread] = text.removesuffix("<unfinished ...>").rstrip()
            continue
        if resumed := re.match(r"<\.\.\. \w+ resumed>", text):
            text = begun.pop(thread) + text[resumed.end() :]
        found = re.fullmatch(r"(\w+)\((.*)\)\s+= (-?\d+).*", text, re.DOTALL)
        if found and int(found[3]) >= 0:
            yield Call(found[1], found[2], int(found[3]))


def _bytes(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))


def _mode(flags: str) -> int:
    found = re.search(r", (0[0-7]+)$", flags)
    return int(found[1], 8) if found else 0o600


def _write(data: bytearray, at: int, new: bytes) -> None:
    if len(data) < at:
        data.extend(bytes(at - len(data)))
    data[at : at + len(new)] = new


def _cut(data: bytearray, length: int) -> None:
    del data[length:]
    data.extend(bytes(length - len(data)))


_synced: Callable[[File], bytes] = lambda file: file.synced  # noqa: E731
_seen: Callable[[File], bytes] = lambda file: bytes(file.data)  # noqa: E731
