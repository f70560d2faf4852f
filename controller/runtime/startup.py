"""Whether a table may start: its ports, its folder, its rules; and why not, for the person who has to fix it."""

from __future__ import annotations

import contextlib
import logging
import secrets
import shutil
from pathlib import Path
from urllib.parse import urlsplit

from controller.config import Config, WebConfig
from controller.config.broker import CREDENTIAL, credential_file
from controller.config.confirmed import engine_digests, table_readings
from controller.errors import UserError
from controller.paths import RESTORING
from controller.recorder.recorder import Recorder
from controller.web.tls import PageCertificate
from devices.kinds import kind_of
from devices.ports import usb_remote
from devices.ports.discovery import PortError, find, serial_ports

log = logging.getLogger("cutcard.start")


class StartError(UserError):
    """Why the daemon cannot start and what to do, in one paragraph."""


class TableRetired(StartError):
    """The table is out of use, and every broker has the end of its journal. systemd does not start it again
    (`RestartPreventExitStatus` of cutcard.service)."""

    exit_code = 3


def check_ports(config: Config) -> None:
    """A required device's port must be there; whether a device answers on it is found out later."""
    if usb_remote.socket_named() is not None and not config.test:
        raise StartError(
            f"{usb_remote.SOCKET} is set in the environment: the USB devices would be a rig's, at a table that is not "
            "in test mode. Take it out of the environment, or set test = true in the config."
        )
    for device in config.devices:
        if device.required and device.url.startswith("usb://") and not kind_of(device.kind).on_usb:
            try:
                find(device.url, serial_ports())
            except PortError as error:
                raise StartError(
                    f"The {device.kind} {device.id!r} cannot be found: {error}. With required = false the daemon "
                    "starts without it."
                ) from None
        elif device.required and not urlsplit(device.url).scheme and not Path(device.url).exists():
            raise StartError(
                f"The {device.kind} {device.id!r} should be on {device.url}, but there is no such port. Plug it in, or "
                "fix its url under [[devices]] in the config; with required = false the daemon starts without it."
            )


def data_folder(config: Config, folder: Path) -> Path:
    """Where the journal is, made where it is missing; `folder` is the configuration's."""
    data = folder / config.data
    try:
        data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StartError(
            f"The data folder {data} cannot be made: {error.strerror}. Fix `data` in the config."
        ) from None
    if (data / RESTORING).exists():
        if not (data / "journal.db").exists():
            raise StartError(
                f"A restore was interrupted: {data / RESTORING} is there. Give the same `cutcard restore` again: it "
                "completes the work and removes that folder."
            )
        # The journal gets its name last: only the removal of this folder was interrupted.
        shutil.rmtree(data / RESTORING, ignore_errors=True)
    return data


def page_certificate(web: WebConfig) -> PageCertificate | None:
    """The page's certificate; None on loopback, where there is no network between the page and its reader."""
    if web.certificate is None or web.key is None:
        return None
    key = credential_file(web.key) if web.key.startswith(CREDENTIAL) else Path(web.key)
    if key is None:
        raise StartError(f"The page's key {web.key} is handed over by systemd, and this was not started by it.")
    return PageCertificate(Path(web.certificate), key, is_guarded=web.key.startswith(CREDENTIAL))


def check_rules(recorder: Recorder, config: Config) -> None:
    """A round is judged by the rules it began with; new ones wait until it is over."""
    engine = recorder.engine
    chosen = engine.state.chosen
    terms = (engine.ruleset, engine.state.options)
    if chosen is not None:
        # The configuration may be the same as when somebody chose other rules at the table.
        terms = (chosen.instead_of.ruleset, chosen.instead_of.options)
    if engine.is_dealing and terms != (config.rules.ruleset, config.rules.options):
        raise StartError(
            f"Round {engine.round_number} is running under {engine.ruleset} and the config asks for "
            f"{config.rules.ruleset} or other options. Start with the old rules, finish or void the round, then change."
        )


def confirmed_readings(config: Config, data: Path) -> tuple[str, ...] | None:
    """What the house has confirmed, as the engine takes it; None in test mode, where nothing is asked for."""
    if config.test:
        return None
    found = table_readings(config, data)
    for line in found.confirmations.refused:
        log.warning("%s", line)
    if found.unconfirmed:
        log.warning("the readings of the rules: %s", found.problem())
    return engine_digests(found.confirmations)


def bearer_token(path: Path) -> str:
    """The table's bearer token: made at the first start, readable by the service only."""
    with contextlib.suppress(FileNotFoundError):
        token = path.read_text().strip()
        if token:
            return token
    token = secrets.token_urlsafe(24)
    path.touch(mode=0o600)
    path.write_text(token + "\n")
    return token
