"""The daemon's log as journald takes it: an entry with fields, and lines where there is no journald."""

from __future__ import annotations

import io
import logging
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.logs import TABLE, JournalHandler, LogContext, begin, entry, is_journal
from devices.current_device import DEVICE


def parsed(datagram: bytes) -> dict[str, str]:
    """As https://systemd.io/JOURNAL_NATIVE_PROTOCOL/ has it."""
    fields: dict[str, str] = {}
    while datagram:
        head, _, rest = datagram.partition(b"\n")
        if b"=" in head:
            name, _, value = head.partition(b"=")
            datagram = rest
        else:
            name, size = head, int.from_bytes(rest[:8], "little")
            value, datagram = rest[8 : 8 + size], rest[9 + size :]
        fields[name.decode()] = value.decode()
    return fields


@pytest.fixture
def journald(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "socket"))
        listening.settimeout(10)
        yield listening


@pytest.fixture
def plain() -> io.StringIO:
    """Standard error, where there is no journald."""
    return io.StringIO()


@pytest.fixture
def log(journald: socket.socket, plain: io.StringIO) -> Iterator[logging.Logger]:
    """A logger of the program whose entries go to that journald."""
    handler = JournalHandler(journald.getsockname(), otherwise=logging.StreamHandler(plain))
    logger = logging.getLogger("devices.test_logs")
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    yield logger
    logger.removeHandler(handler)
    handler.close()


def test_an_entry_says_which_table_which_device_and_how_far_the_journal_was(
    log: logging.Logger, journald: socket.socket
) -> None:
    table = TABLE.set(LogContext("riverside", "baccarat-1", lambda: 48211))
    device = DEVICE.set("shoe")
    try:
        log.warning("%s is %s", "shoe", "offline")
    finally:
        TABLE.reset(table)
        DEVICE.reset(device)
    fields = parsed(journald.recv(65536))
    assert fields.pop("CODE_FILE") == __file__
    assert int(fields.pop("CODE_LINE")) > 0
    assert fields == {
        "MESSAGE": "shoe is offline",
        "PRIORITY": "4",
        "SYSLOG_IDENTIFIER": "cutcard",
        "LOGGER": "devices.test_logs",
        "CODE_FUNC": "test_an_entry_says_which_table_which_device_and_how_far_the_journal_was",
        "CUTCARD_SITE": "riverside",
        "CUTCARD_TABLE": "baccarat-1",
        "CUTCARD_ENTRY": "48211",
        "CUTCARD_DEVICE": "shoe",
    }


def test_a_text_of_several_lines_stays_one_entry_and_makes_no_field_of_its_own(
    log: logging.Logger, journald: socket.socket
) -> None:
    log.error("refused:\nPRIORITY=0\n%s", "CUTCARD_TABLE=another")
    fields = parsed(journald.recv(65536))
    assert fields["MESSAGE"] == "refused:\nPRIORITY=0\nCUTCARD_TABLE=another"
    assert fields["PRIORITY"] == "3"
    assert "CUTCARD_TABLE" not in fields


def test_a_traceback_is_in_the_entry(log: logging.Logger, journald: socket.socket) -> None:
    try:
        raise ValueError("no such card")
    except ValueError:
        log.exception("the driver of %s failed", "shoe")
    message = parsed(journald.recv(65536))["MESSAGE"]
    assert message.startswith("the driver of shoe failed\nTraceback")
    assert message.endswith("ValueError: no such card")


def test_without_journald_the_line_goes_where_it_went_before(
    log: logging.Logger, journald: socket.socket, plain: io.StringIO
) -> None:
    Path(journald.getsockname()).unlink()
    log.info("the page is at %s", "http://127.0.0.1:8080/")
    assert plain.getvalue() == "the page is at http://127.0.0.1:8080/\n"


def test_only_the_pipe_that_systemd_names_is_the_journal(tmp_path: Path) -> None:
    with (tmp_path / "errors").open("w") as errors:
        there = os.fstat(errors.fileno())
        assert is_journal(errors, {"JOURNAL_STREAM": f"{there.st_dev}:{there.st_ino}"})
        assert not is_journal(errors, {"JOURNAL_STREAM": f"{there.st_dev}:{there.st_ino + 1}"})
        assert not is_journal(errors, {})
    assert not is_journal(io.StringIO(), {"JOURNAL_STREAM": "8:1"})


def test_the_daemon_begins_its_log_where_systemd_reads_it(
    tmp_path: Path, journald: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = logging.getLogger()
    monkeypatch.setattr("controller.logs.JOURNALD", journald.getsockname())
    before, level = root.handlers[:], root.level
    root.handlers.clear()
    try:
        with (tmp_path / "errors").open("w") as errors:
            there = os.fstat(errors.fileno())
            begin(logging.INFO, {"JOURNAL_STREAM": f"{there.st_dev}:{there.st_ino}"}, errors)
            logging.getLogger("controller.app").info("stopped")
    finally:
        for handler in root.handlers:
            handler.close()
        root.handlers[:] = before
        root.setLevel(level)
    assert parsed(journald.recv(65536))["MESSAGE"] == "stopped"
    assert (tmp_path / "errors").read_text() == ""


def test_an_entry_is_bytes_as_the_protocol_has_them() -> None:
    assert entry({"MESSAGE": "a\nb", "PRIORITY": "6"}) == b"MESSAGE\n\x03\0\0\0\0\0\0\0a\nb\nPRIORITY=6\n"
