"""`cutcard attest`: what runs on this board, as digests that an inspector can compare with a paper.

Every digest is SHA-256 of a file on the disk, so `sha256sum` confirms it by hand; the program's one digest
is that of the list which `sha256sum` prints (docs/compliance/evidence.md has the commands). No time, no host name and
no order that a file system chose: the same program prints the same lines on every board.
"""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator
from hashlib import sha256
from importlib import metadata, util
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from controller import __version__
from controller.config import Config, read_config
from controller.config.confirmed import TableReadings, table_readings
from controller.errors import UserError
from controller.evidence.rerun import current_table
from controller.journal import JournalReader
from controller.rules import load, resolve
from controller.rules.confirmations import Confirmations
from controller.rules.readings import readings_of
from controller.rules.schedules import NO_COLLECTION

PROGRAM = ("controller", "protocols", "devices")
"""The packages that run on the board; the simulated table does not."""


class File(Struct, frozen=True):
    path: str
    sha256: str


class Program(Struct, frozen=True):
    sha256: str
    """Of the list of files, as `sha256sum` prints it."""
    files: tuple[File, ...]


class Rules(Struct, frozen=True):
    """The rules that the configuration asks for."""

    ruleset: str
    file: File
    options: str
    """What the table chose, as JSON."""
    digest: str
    """What every round's first event carries: of the file, the choices and the schedule."""


class Fees(Struct, frozen=True):
    schedule: str
    file: File
    digest: str
    """Of the one schedule in the file."""


class ReadingInForce(Struct, frozen=True):
    """A reading of the rules, and who confirmed it."""

    of: str
    name: str
    letter: str
    value: Any
    digest: str
    confirmed_by: str = ""
    """Empty: not confirmed."""
    confirmed_at: str = ""
    key: str = ""


class JournalHead(Struct, frozen=True):
    path: str
    entries: int
    events: int
    hash: str
    rules: str
    """Digest of the rules that the running daemon, or the last one, deals by."""
    test: bool


class Attestation(Struct):
    version: str
    python: str
    platform: str
    packages: dict[str, str]
    """The libraries that the program uses; their files are not in its digest."""
    program: Program
    test: bool = False
    configuration: File | None = None
    rules: Rules | None = None
    schedule: Fees | None = None
    readings: tuple[ReadingInForce, ...] = ()
    journal: JournalHead | None = None
    warnings: list[str] = []


def attest(config_file: Path | None) -> Attestation:
    """Digests of what is installed and, with a configuration, of what is in force at its table."""
    found = Attestation(
        version=__version__,
        python=f"{platform.python_implementation()} {platform.python_version()}",
        platform=platform.platform(),
        packages=_packages(),
        program=program(),
    )
    if config_file is None:
        return found
    config = read_config(config_file)
    found.configuration = File(str(config_file), _digest(config_file))
    found.test = config.test
    found.rules, found.schedule = _rules(config), _fees(config)
    data = config_file.resolve().parent / config.data
    found.readings = tuple(_readings(found, config, data))
    journal = data / "journal.db"
    if journal.exists():
        _read_journal(found, journal, config, config_file)
    return found


def program() -> Program:
    """Every file of the program but Python's own caches, in the order of their names' bytes."""
    found = sorted((File(name, _digest(path)) for name, path in _files()), key=lambda file: os.fsencode(file.path))
    return Program(sha256(_listed(found).encode()).hexdigest(), tuple(found))


def as_json(found: Attestation) -> str:
    return msgspec.json.encode(found).decode()


def as_text(found: Attestation) -> str:
    rows: list[tuple[str, str]] = [
        ("cutcard", found.version),
        ("python", found.python),
        ("platform", found.platform),
        ("packages", ", ".join(f"{name} {version}" for name, version in found.packages.items()) or "not known"),
        ("test mode", "YES" if found.test or (found.journal is not None and found.journal.test) else "no"),
        ("program", f"{found.program.sha256}  ({len(found.program.files)} files, listed below)"),
    ]
    if found.configuration is None:
        rows.append(("configuration", "none: this is the program alone"))
    else:
        rows.append(("configuration", _line(found.configuration)))
    if found.rules is not None:
        rows += [("ruleset", _line(found.rules.file)), ("  options", found.rules.options)]
        rows += [("  in force as", f"{found.rules.digest}  {found.rules.ruleset}")]
        fees = found.schedule
        rows += [("schedule", "none" if fees is None else _line(fees.file))]
        rows += [] if fees is None else [("  in force as", f"{fees.digest}  {fees.schedule}")]
        rows += [("readings", _count(found.readings))]
        rows += [("", f"{reading.digest}  {_confirmed(reading)}") for reading in found.readings]
    if found.journal is not None:
        head = found.journal
        rows += [("journal", f"{head.hash}  {head.entries} entries, {head.events} events, {head.path}")]
        rows += [("  dealt under", head.rules or "no rules yet")]
    elif found.configuration is not None:
        rows.append(("journal", "none yet"))
    lines = [f"{name:<14} {value}" for name, value in rows]
    lines += [f"WARNING        {warning}" for warning in found.warnings]
    return "\n".join([*lines, "", _listed(found.program.files)])


def _read_journal(found: Attestation, path: Path, config: Config, config_file: Path) -> None:
    with JournalReader.read(path) as reader:
        head = reader.head
        if (reader.site, reader.table) != (config.site, config.table):
            found.warnings.append(
                f"The journal is that of table {reader.table} of {reader.site}, the configuration is for "
                f"{config.table} of {config.site}."
            )
        table = current_table(reader, head, resolve)
    if table is None and head.n:
        found.warnings.append("The journal cannot be re-run to its end; `cutcard verify` gives the reason.")
    digest = "" if table is None else table.state.digest
    test = table is not None and table.state.test
    found.journal = JournalHead(str(path), head.n, head.seq, head.hash.hex(), digest, test)
    if found.rules is not None and digest not in ("", found.rules.digest):
        found.warnings.append(
            f"The journal was last dealt under rules {digest}, the configuration asks for {found.rules.digest}: the "
            "daemon has not started with this configuration and program yet."
        )
    if table is not None and table.state.configuration not in ("", _digest(config_file)):
        found.warnings.append(
            f"The daemon uses another configuration ({table.state.configuration}): the file was changed since. "
            "`cutcard config apply` lets the daemon read it again."
        )
    if table is not None and test != config.test:
        found.warnings.append("Test mode differs between the configuration and the journal's last start.")


def _rules(config: Config) -> Rules:
    ruleset, chosen = load(config.rules.ruleset), config.rules.options
    return Rules(
        ruleset=ruleset.slug,
        file=File(f"controller/rules/{ruleset.file}", ruleset.digest),
        options=msgspec.json.encode(chosen, order="deterministic").decode(),
        digest=ruleset.digest_with(chosen),
    )


def _fees(config: Config) -> Fees | None:
    data = load(config.rules.ruleset).data
    default = data.options["schedule"].default if "schedule" in data.options else None
    name = config.rules.options.get("schedule", default)
    if not name:
        return None
    if name == NO_COLLECTION:
        return None
    posted = load(config.rules.ruleset).posted(name)
    if not posted.file:
        # The house's own schedule is written in the configuration, whose digest is attested too.
        return Fees(posted.schedule.id, File("configuration", posted.digest), posted.digest)
    file = Path(__file__).parent.parent / "rules" / posted.file
    return Fees(posted.schedule.id, File(f"controller/rules/{posted.file}", _digest(file)), posted.digest)


def _readings(found: Attestation, config: Config, data: Path) -> Iterator[ReadingInForce]:
    try:
        table = table_readings(config, data)
    except UserError as error:
        found.warnings.append(f"The confirmations of readings cannot be checked: {error}")
        table = TableReadings(readings_of(load(config.rules.ruleset), config.rules.options), Confirmations())
    found.warnings += table.confirmations.refused
    for reading in table.readings:
        entry = table.confirmations.of(reading)
        by = ("", "", "") if entry is None else (entry.by, entry.at, entry.key)
        yield ReadingInForce(reading.of, reading.name, reading.letter, reading.value, reading.digest, *by)


def _count(readings: tuple[ReadingInForce, ...]) -> str:
    confirmed = sum(bool(reading.confirmed_by) for reading in readings)
    return f"{len(readings)}, {confirmed} confirmed, {len(readings) - confirmed} not confirmed"


def _confirmed(reading: ReadingInForce) -> str:
    value = "none" if reading.value is None else msgspec.json.encode(reading.value).decode()
    by = f"{reading.confirmed_by}, {reading.confirmed_at}, key {reading.key}" if reading.key else "NOT CONFIRMED"
    return f"{reading.of} {reading.name} = {value}: {by}"


def _files() -> Iterator[tuple[str, Path]]:
    for package in PROGRAM:
        spec = util.find_spec(package)
        assert spec is not None
        assert spec.origin is not None
        home = Path(spec.origin).parent
        for folder, _, names in os.walk(home, followlinks=True):
            if Path(folder).name != "__pycache__":
                for path in (Path(folder, name) for name in names):
                    if path.is_file():
                        yield f"{package}/{path.relative_to(home).as_posix()}", path


def _packages() -> dict[str, str]:
    try:
        needed = metadata.requires("cutcard") or []
    except metadata.PackageNotFoundError:
        return {}
    names = sorted(re.split(r"[^\w.-]", line)[0] for line in needed if "extra ==" not in line)
    return {name: metadata.version(name) for name in names}


def _listed(files: list[File] | tuple[File, ...]) -> str:
    return "".join(f"{_line(file)}\n" for file in files)


def _line(file: File) -> str:
    return f"{file.sha256}  {file.path}"


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()
