"""The register of devices on disk: who belongs where, and with which key.

One JSON file in the data folder, apart from the configuration, because it holds the devices' keys: mode 0600, and not
read at all where others could. The daemon is the only one that writes it, when a technician enrolls a device, accepts
what was found, or an update is verified.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from controller.durable_files import replace_file
from controller.errors import UserError
from controller.private_files import NotPrivate, expect_private
from devices.link.authentication import Enrolled
from protocols.type_errors import in_words

FILE = "device-keys.json"


class TrustError(UserError):
    """Why the register cannot be used, in one paragraph."""


class _Entry(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    model: str
    serial: str
    key: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")] | None = None
    firmware: str | None = None
    image: str | None = None


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    format: Annotated[int, Meta(ge=1, le=1)]
    devices: dict[str, _Entry]


def load(path: Path) -> dict[str, Enrolled]:
    """What is enrolled; nothing where there is no file."""
    try:
        expect_private(path)
        read = msgspec.json.decode(path.read_bytes(), type=_File)
    except FileNotFoundError:
        return {}
    except NotPrivate as error:
        raise TrustError(f"The register of devices is not used: {error}") from None
    except OSError as error:
        raise TrustError(f"The register of devices {path} cannot be read: {error.strerror}.") from None
    except msgspec.MsgspecError as error:
        # The place and the rule, never the value: no key gets into a log.
        raise TrustError(f"{path} is no register of devices: {in_words(error)} Or enroll the devices anew.") from None
    _expect_no_twins(path, read.devices)
    return {
        device: Enrolled(
            model=entry.model,
            serial=entry.serial,
            key=None if entry.key is None else bytes.fromhex(entry.key),
            firmware=entry.firmware,
            image=entry.image,
        )
        for device, entry in read.devices.items()
    }


def save(path: Path, enrolled: Mapping[str, Enrolled]) -> None:
    devices = {
        device: _Entry(
            entry.model, entry.serial, None if entry.key is None else entry.key.hex(), entry.firmware, entry.image
        )
        for device, entry in sorted(enrolled.items())
    }
    try:
        replace_file(path, msgspec.json.format(msgspec.json.encode(_File(1, devices)), indent=2) + b"\n")
    except OSError as error:
        raise TrustError(f"The register of devices {path} cannot be written: {error.strerror}.") from None


def _expect_no_twins(path: Path, devices: Mapping[str, _Entry]) -> None:
    owners: dict[tuple[str, str], str] = {}
    for device, entry in devices.items():
        other = owners.setdefault((entry.model, entry.serial), device)
        if other != device:
            twins = f"{other!r} and {device!r}"
            raise TrustError(f"{path} has {entry.model} {entry.serial} as {twins}; a device is in one place.")
