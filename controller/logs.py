"""Where the daemon's log goes: lines on standard error, or, when that is the journal of systemd, entries with fields.

systemd names the stream in JOURNAL_STREAM. An entry is one datagram to journald's own socket
(https://systemd.io/JOURNAL_NATIVE_PROTOCOL/), and has besides its text:

    PRIORITY, SYSLOG_IDENTIFIER, LOGGER, CODE_FILE, CODE_LINE, CODE_FUNC
    CUTCARD_SITE, CUTCARD_TABLE     which table
    CUTCARD_ENTRY                   the newest entry of the table's journal at that moment
    CUTCARD_DEVICE                  the device whose driver logs

so that `journalctl CUTCARD_DEVICE=shoe` is the shoe's day. Fields hold numbers and names from the configuration: there
is no place in them for a card.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import TextIO

from msgspec import Struct

from devices.current_device import DEVICE

JOURNALD = "/run/systemd/journal/socket"
LONGEST = 100_000
"""Bytes of a text; a datagram has its limits, and nobody reads a longer one."""

_PRIORITIES = ((logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6))
"""Of syslog: critical, error, warning, information; everything below is 7, debug."""


class LogContext(Struct, frozen=True):
    """Whose log it is."""

    site: str
    table: str
    entry: Callable[[], int]
    """The number of the journal's newest entry."""


TABLE: ContextVar[LogContext | None] = ContextVar("table", default=None)
"""Set where a table begins to run; whatever it starts inherits it."""


def begin(level: int, environment: Mapping[str, str] | None = None, errors: TextIO | None = None) -> None:
    """Have everything logged from this level on."""
    stream = errors or sys.stderr
    handler: logging.Handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    if is_journal(stream, os.environ if environment is None else environment):
        handler = JournalHandler(JOURNALD, otherwise=handler)
    logging.basicConfig(level=level, handlers=[handler], force=True)


def is_journal(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether what is written there is read by journald: JOURNAL_STREAM names the very pipe."""
    stream_id = environment.get("JOURNAL_STREAM", "")
    try:
        there = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False
    return bool(stream_id) and stream_id == f"{there.st_dev}:{there.st_ino}"


class JournalHandler(logging.Handler):
    """Entries for journald; what it does not take goes where it would have gone without it."""

    def __init__(self, address: str, otherwise: logging.Handler) -> None:
        super().__init__()
        # Level and logger are fields of their own.
        self.setFormatter(logging.Formatter("%(message)s"))
        self._address = address
        self._otherwise = otherwise
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        # A journald that does not read must not stop a table.
        self._socket.setblocking(False)

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._socket.sendto(entry(self._fields(record)), self._address)
        except OSError:
            self._otherwise.handle(record)
        except Exception:
            self.handleError(record)

    def close(self) -> None:
        self._socket.close()
        super().close()

    def _fields(self, record: logging.LogRecord) -> dict[str, str]:
        fields = {
            "MESSAGE": self.format(record)[:LONGEST],
            "PRIORITY": str(next((priority for level, priority in _PRIORITIES if record.levelno >= level), 7)),
            "SYSLOG_IDENTIFIER": "cutcard",
            "LOGGER": record.name,
            "CODE_FILE": record.pathname,
            "CODE_LINE": str(record.lineno),
            "CODE_FUNC": record.funcName or "",
        }
        table, device = TABLE.get(), DEVICE.get()
        if table is not None:
            fields["CUTCARD_SITE"], fields["CUTCARD_TABLE"] = table.site, table.table
            fields["CUTCARD_ENTRY"] = str(table.entry())
        if device:
            fields["CUTCARD_DEVICE"] = device
        return fields


def entry(fields: Mapping[str, str]) -> bytes:
    """One entry as journald takes it: a value with a line feed in it goes by its length.

    >>> entry({"PRIORITY": "6"})
    b'PRIORITY=6\\n'
    """
    parts = []
    for name, value in fields.items():
        data = value.encode(errors="replace")
        if b"\n" in data:
            parts.append(b"%b\n%b%b\n" % (name.encode(), len(data).to_bytes(8, "little"), data))
        else:
            parts.append(b"%b=%b\n" % (name.encode(), data))
    return b"".join(parts)
