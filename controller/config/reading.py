"""From the file to the configuration, or to everything that is wrong with it."""

from __future__ import annotations

import re
import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from controller.config.broker import CREDENTIAL
from controller.config.checks import Draft, across
from controller.config.fields import BrokerConfig, Config, DeviceConfig
from controller.config.judging import Sifted, sift
from controller.config.problems import ConfigError, refusal
from controller.plain_files import read_plain
from controller.toml_text import loads
from protocols.type_errors import in_words


def read_config(path: Path, *, files: bool = False) -> Config:
    """The configuration in this file; `ConfigError` lists everything that is wrong with it.

    `files`: look at the files that it names as well.
    """
    return parse_config(path, read_text(path), files=files)


def read_source(path: Path, *, files: bool = False) -> tuple[Config, str]:
    """The configuration and the SHA-256 of its file."""
    text = read_text(path)
    return parse_config(path, text, files=files), sha256(text.encode()).hexdigest()


def read_text(path: Path) -> str:
    """The text byte for byte, so that its digest is the file's."""
    try:
        return read_plain(path).decode()
    except FileNotFoundError:
        raise ConfigError(
            f"There is no configuration file {path}. Name one with --config, or make one with `cutcard config init`."
        ) from None
    except UnicodeDecodeError:
        raise ConfigError(
            f"The configuration file {path} is not in UTF-8. Open it in an editor and save it as UTF-8."
        ) from None
    except OSError as error:
        raise ConfigError(f"The configuration file {path} cannot be read: {error.strerror}.") from None


def parse_config(path: Path, text: str, *, files: bool = False) -> Config:
    """The configuration in this text of that file."""
    try:
        raw = loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(*_no_toml(path, text, error)) from None
    folder = path.resolve().parent
    sifted = sift(raw, Config)
    draft = _draft(sifted)
    problems = [*sifted.problems, *across(draft)]
    if files and draft.sound("mqtt") and draft.sound("web") and draft.sound("data"):
        # Imported only here: checking a file alone must not wait for this import.
        from controller.config.files import named_files

        problems += named_files(draft.config, folder)
    if problems:
        raise refusal(path, text, problems)
    try:
        config = msgspec.convert(raw, Config)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path}: {in_words(error, raw)}") from None
    web = replace(config.web, certificate=_place(config.web.certificate, folder), key=_place(config.web.key, folder))
    brokers = tuple(_from_folder(broker, folder) for broker in config.mqtt.broker)
    updates = replace(config.updates, ca=_place(config.updates.ca, folder))
    own = replace(config.certificates, authority=_place(config.certificates.authority, folder))
    mqtt = replace(config.mqtt, broker=brokers)
    return replace(config, mqtt=mqtt, web=web, updates=updates, certificates=own)


def _no_toml(path: Path, text: str, error: tomllib.TOMLDecodeError) -> tuple[str, tuple[str, ...]]:
    """Where the file stops being TOML; nothing after it can be checked."""
    message = str(error)
    place = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", message)
    line = max(1, text.count("\n")) if place is None or place[1] is None else int(place[1])
    what = message if place is None else message[: place.start()]
    column = "" if place is None or place[2] is None else f" at column {place[2]}"
    problem = f"{path}:{line}: this is not TOML{column}: {what}. Fix that line first; the rest is checked then."
    return problem, (problem,)


def _draft(sifted: Sifted) -> Draft:
    """What can be judged together: whole devices and chips, and defaults for what is missing or wrong."""
    kept = dict(sifted.kept)
    devices = []
    for index, device in enumerate(kept.pop("devices", ())):
        if {"id", "kind", "url"} <= device.keys():
            devices.append((index, msgspec.convert(device, DeviceConfig)))
    rules: dict[str, Any] = kept.get("rules", {})
    names_rules = "ruleset" in rules
    filled = {"site": "site", "table": "table", **kept, "rules": {"ruleset": "", **rules}}
    if "drop" in filled:
        drop = filled["drop"]
        filled["drop"] = {**drop, "chips": [chip for chip in drop.get("chips", ()) if "cents" in chip]}
    wrong = frozenset(problem.place for problem in sifted.problems)
    if any(place[:1] == ("jackpots",) for place in wrong):
        filled["jackpots"] = ()
    return Draft(msgspec.convert(filled, Config), tuple(devices), wrong, names_rules)


def _from_folder(broker: BrokerConfig, folder: Path) -> BrokerConfig:
    """Its files, relative to the folder of the configuration wherever the daemon was started."""
    tls = broker.tls
    if tls is not None:
        tls = replace(tls, ca=_place(tls.ca, folder), cert=_place(tls.cert, folder), key=_place(tls.key, folder))
    return replace(broker, password_file=_place(broker.password_file, folder), tls=tls)


def _place(name: str | None, folder: Path) -> str | None:
    return name if name is None or name.startswith(CREDENTIAL) else str(folder / name)
