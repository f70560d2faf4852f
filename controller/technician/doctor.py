"""`cutcard doctor`: one line for each thing that a table needs, with what to check where it is not well.

With the daemon running it is asked, since it holds the ports and the broker knows it; without, everything is looked at
from here. Nothing is changed: devices keep their events, the journal is only read.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from aiomqtt import MqttError, Will
from msgspec import Struct
from msgspec.structs import replace

from controller.cancellation import end_if_cancelled
from controller.config import Config, ConfigError, read_config
from controller.config.confirmed import table_readings
from controller.errors import UserError
from controller.journal import JournalError, JournalReader
from controller.journal.published import read_input
from controller.mqtt import MqttSettings
from controller.mqtt.link import Link as BrokerLink
from controller.mqtt.problems import BrokerProblem, explain
from controller.printing.colours import Paint, plain
from controller.technician.bench import HOLDS_EVENTS, data_folder, look_at, unfinished_round
from controller.technician.daemon import DaemonClient, DaemonError, find_daemon
from controller.technician.status import DeviceStatus, TableDevices

Verdict = Literal["ok", "warn", "FAIL"]

EARLIEST = datetime(2025, 1, 1, tzinfo=UTC)
"""A board without a battery wakes up in 1970; this program was not yet written then."""
MEGABYTE = 1_000_000


class Finding(Struct, frozen=True):
    """One finding."""

    topic: str
    verdict: Verdict
    text: str
    check: str = ""
    """What to look at, where it is not well."""
    more: str = ""
    evidence: tuple[str, ...] = ()
    """Bytes of a device that is nearly right."""


class Examination(Struct, frozen=True, kw_only=True):
    """All of them."""

    ok: bool
    lines: tuple[Finding, ...]
    devices: tuple[DeviceStatus, ...] = ()


async def examine(path: Path) -> Examination:
    """Look at everything that this configuration names."""
    try:
        config = read_config(path)
    except ConfigError as error:
        return _judged([Finding("config", "FAIL", str(error))])
    count = len(config.devices)
    lines = [
        Finding("config", "ok", f"{path}: table {config.table} at {config.site}, {count} device{'s' * (count != 1)}"),
        Finding("rules", "ok", f"{config.rules.ruleset} and its options"),
    ]
    data = data_folder(path, config)
    lines.append(_about_readings(config, path, data))
    try:
        daemon = await find_daemon(data)
        table = await daemon.devices() if daemon is not None else None
    except DaemonError as error:
        return _judged([*lines, Finding("daemon", "FAIL", str(error)), *_about_the_board(config, data)])
    lines.append(_about_daemon(daemon))
    lines += _about_the_board(config, data)
    lines += await _about_brokers(config, table)
    if table is not None:
        lines += [Finding("alarm", "warn", f"{name}: {text}") for name, text in table.alarms.items()]
    found = [device async for device in _devices(config, data, table)]
    lines += [_about(device) for device in found]
    return _judged(lines, found)


_COLOURS: Mapping[Verdict, str] = {"ok": "green", "warn": "yellow", "FAIL": "red"}


def as_text(examination: Examination, paint: Paint = plain) -> Iterator[str]:
    """As a person reads it."""
    width = max(len(line.topic) for line in examination.lines)
    for line in examination.lines:
        yield f"{paint(f'{line.verdict:<5}', _COLOURS[line.verdict])} {line.topic:<{width}}  {line.text}"
        for more in (*line.more.splitlines(), line.check, *line.evidence):
            if more:
                yield f"{'':5} {'':{width}}  {more}"


def _judged(lines: list[Finding], devices: list[DeviceStatus] | None = None) -> Examination:
    ok = all(line.verdict != "FAIL" for line in lines)
    return Examination(ok=ok, lines=tuple(lines), devices=tuple(devices or ()))


def _about_readings(config: Config, path: Path, data: Path) -> Finding:
    """A live table deals only by readings that its house has confirmed."""
    try:
        found = table_readings(config, data)
    except UserError as error:
        return Finding("readings", "FAIL", str(error))
    refused = " ".join(found.confirmations.refused)
    text = found.problem(path)
    if config.test:
        return Finding("readings", "ok", "test mode: none needs a confirmation", more=refused)
    if text:
        return Finding("readings", "FAIL", text, "no round begins before that", refused)
    total = f"all {len(found.readings)} confirmed"
    return Finding("readings", "warn" if refused else "ok", total, more=refused)


def _about_daemon(daemon: DaemonClient | None) -> Finding:
    if daemon is None:
        return Finding("daemon", "ok", "not running; ports and broker are looked at from here")
    return Finding("daemon", "ok", f"running, its page is at {daemon.address}")


def _about_the_board(config: Config, data: Path) -> Iterator[Finding]:
    journal = data / "journal.db"
    last_at = None
    try:
        if journal.exists():
            with JournalReader.read(journal) as reader:
                line, last_at = _about_journal(config, reader)
                yield line
        else:
            yield Finding("journal", "ok", f"{journal} will be begun at the first start")
    except JournalError as error:
        yield Finding("journal", "FAIL", str(error), "`cutcard verify` shows more")
    yield from _about_folder(config, data)
    yield _about_clock(config, last_at)


def _about_journal(config: Config, reader: JournalReader) -> tuple[Finding, int | None]:
    """And the time of its last entry."""
    head = reader.head
    last = next(reader.entries(head.n), None) if head.n else None
    at = None if last is None else read_input(last.input).at
    # A running daemon writes this after some rounds only.
    waiting = [f"{head.seq - seq:,} or fewer not yet at the broker {name}" for name, seq in reader.cursors.items()]
    text = ", ".join([f"{reader.path}: {head.seq:,} events", *waiting])
    if (reader.site, reader.table) != (config.site, config.table):
        check = "give this table a data folder of its own, or fix site and table in the config"
        return Finding("journal", "FAIL", f"{reader.path} is that of {reader.table} at {reader.site}", check), at
    repairs = reader.repairs()
    if repairs and repairs[-1].whole_n == head.n:
        return Finding(
            "journal", "warn", f"{text}; a torn tail was cut off: {repairs[-1].why}", "docs/compliance/journal.md"
        ), at
    return Finding("journal", "ok", text), at


def _about_folder(config: Config, data: Path) -> Iterator[Finding]:
    there = next(folder for folder in (data, *data.parents) if folder.exists())
    if not os.access(there, os.W_OK | os.X_OK):
        yield Finding(
            "disk", "FAIL", f"{there} cannot be written to", "its owner and mode, or run as the daemon's user"
        )
        return
    free = shutil.disk_usage(there).free // MEGABYTE
    text, limits = f"{free:,} MB free at {there}", config.journal
    if free < limits.stop_below_mb:
        yield Finding("disk", "FAIL", text, f"no round begins below {limits.stop_below_mb} MB: make room")
    elif free < limits.warn_below_mb:
        yield Finding("disk", "warn", text, f"make room: no round begins below {limits.stop_below_mb} MB")
    else:
        yield Finding("disk", "ok", text)


def _about_clock(config: Config, last_at: int | None) -> Finding:
    now = datetime.now(UTC)
    text = f"{now:%Y-%m-%d %H:%M:%S} UTC"
    if now < EARLIEST:
        return Finding("clock", "FAIL", text, "the board's clock is wrong: battery, time server")
    if config.clock == "devices":
        return Finding("clock", "warn", f"{text}; the table goes by its simulated devices", "clock in the config")
    if last_at is not None and last_at > time.time_ns() // 1_000_000:
        behind = (last_at - time.time_ns() // 1_000_000) / 1000
        check = "the clock was set back: battery, time server"
        return Finding("clock", "FAIL", f"{text}, {behind:,.0f} s behind the journal's last entry", check)
    return Finding("clock", "ok", text)


async def _about_brokers(config: Config, table: TableDevices | None) -> list[Finding]:
    problems = {name: await _broker_problem(name, settings, table) for name, settings in config.brokers.items()}
    # One is enough for the table to be seen.
    bad: Verdict = "warn" if config.mqtt.start_without_broker or None in problems.values() else "FAIL"
    check = "" if table is None else "that it runs and takes this table; the daemon's log has the reason if not"
    found = []
    for name, problem in problems.items():
        topic = "broker" if len(problems) == 1 else f"broker {name}"
        if problem is None:
            found.append(Finding(topic, "ok", config.brokers[name].address))
        else:
            found.append(Finding(topic, bad, problem, check))
    return found


async def _broker_problem(name: str, settings: MqttSettings, table: TableDevices | None) -> str | None:
    if table is None:
        return await _knock(settings)
    if table.brokers_online.get(name):
        return None
    return f"The daemon has no connection to the broker at {settings.address}."


async def _knock(settings: MqttSettings) -> str | None:
    """Connect as the daemon would, but under another name: a second client of one name throws the first out."""
    ours = replace(settings, client_id=f"{settings.client_id}-doctor")
    try:
        # The will is never sent: the connection is closed in order.
        async with BrokerLink(ours, Will("cutcard/doctor", b""), lambda *_: None):
            return None
    except BrokerProblem as problem:
        return str(problem)
    except MqttError as error:
        end_if_cancelled()
        return str(explain(settings.address, error))


async def _devices(config: Config, data: Path, table: TableDevices | None) -> AsyncIterator[DeviceStatus]:
    if table is not None:
        for device in table.devices:
            yield device
        return
    show_bytes = unfinished_round(data / "journal.db") is None
    for one in config.devices:
        yield await look_at(one.spec, show_bytes=show_bytes)


def _about(device: DeviceStatus) -> Finding:
    link = "\n".join(device.link.rows) if device.link is not None else ""
    bad: Verdict = "FAIL" if device.required else "warn"
    if device.state != "online":
        sentence, _, check = device.detail.partition(": ")
        state = device.state.replace("_", " ")
        text = f"{state}: {sentence}" if sentence else state
        return Finding(device.id, bad, text, check, link, device.evidence)
    text = f"online: {device.names}" if device.names else "online"
    if device.link is not None and device.link.trouble:
        check = "the cable (length, screen, plugs, mains beside it), then ground, then the adapter"
        return Finding(device.id, "warn", f"{text}; {device.link.trouble}", check, link)
    if device.detail:
        check = "start the daemon: it takes them" if device.detail == HOLDS_EVENTS else ""
        return Finding(device.id, "warn", f"{text}; {device.detail}", check, link)
    return Finding(device.id, "ok", text, "", link)
