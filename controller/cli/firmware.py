"""`cutcard firmware`: the inventory, images, updates, and who the devices are.

    list      what is known of every device, from the journal
    check     is this image whole, who signed it, and for which of the devices is it
    update    give it to a device: through the daemon, between rounds
    enroll    the device on the port is the one that belongs there, with this key
    accept    a restart, or other firmware, is as it should be
    keygen    a new pair of keys to sign images with
    sign      make an image

Exit codes: 0 done, 1 it was tried or looked at and is not well, 2 it could not be (the reason is on standard error).
"""

from __future__ import annotations

import argparse
import asyncio
import getpass
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec

from controller.config import Config, read_config
from controller.errors import UserError
from controller.evidence.rerun import standing
from controller.firmware import control, signing
from controller.firmware.fit import misfits
from controller.firmware.inventory import Item, as_table, inventory
from controller.journal import JournalReader
from controller.paths import DEFAULT_CONFIG
from controller.rules import resolve
from devices.kinds import NAMES, kind_of
from protocols.firmware.image import MAX_FILE


def add_firmware_command(add: Callable[..., argparse.ArgumentParser]) -> None:
    """Put the command beside the others; `add` is `add_parser` of the program's sub-commands."""
    firmware = add("firmware", help="the devices' firmware and identity: list, check, update, enroll, accept, sign")
    parts = firmware.add_subparsers(title="commands", metavar="", required=True)

    listed = parts.add_parser("list", help="what is known of every device, from the journal")
    _add_config(listed)
    listed.add_argument("--json", action="store_true")
    listed.set_defaults(command=_list)

    check = parts.add_parser("check", help="is an image whole, who signed it, and for which devices is it")
    check.add_argument("image", type=Path)
    _add_config(check)
    check.set_defaults(command=_check)

    update = parts.add_parser("update", help="give an image to a device, between rounds")
    update.add_argument("device", help="its id in the configuration")
    update.add_argument("image", type=Path)
    _add_config(update)
    update.set_defaults(command=_update)

    enroll = parts.add_parser("enroll", help="the device on the port is the one that belongs there")
    enroll.add_argument("device")
    key = enroll.add_mutually_exclusive_group()
    key.add_argument("--key-file", type=Path, help="its key, 64 hex digits; else it is asked for, or read from a pipe")
    key.add_argument("--without-key", action="store_true", help="for a device that has none")
    _add_config(enroll)
    enroll.set_defaults(command=_enroll)

    accept = parts.add_parser("accept", help="a device's restart, or its other firmware, is as it should be")
    accept.add_argument("device")
    _add_config(accept)
    accept.set_defaults(command=_accept)

    keygen = parts.add_parser("keygen", help="a new pair of keys to sign images with")
    keygen.add_argument("key", type=Path, help="where the private key goes")
    keygen.set_defaults(command=_keygen)

    sign = parts.add_parser("sign", help="make an image")
    sign.add_argument("payload", type=Path, help="what the device's compiler made")
    sign.add_argument("image", type=Path, help="where the image goes")
    sign.add_argument("--key", type=Path, required=True, help="the private key")
    sign.add_argument("--kind", choices=NAMES, required=True)
    sign.add_argument("--model", required=True)
    sign.add_argument("--version", required=True)
    sign.add_argument("--hardware", default="0-65535", metavar="FROM-TO", help="board revisions (default: all)")
    sign.add_argument("--security", type=int, default=0, help="anti-rollback number (default: %(default)s)")
    sign.set_defaults(command=_sign)


def _list(chosen: argparse.Namespace) -> int:
    items = _inventory(chosen.config, read_config(chosen.config))
    if chosen.json:
        print(msgspec.json.encode(items).decode())
    else:
        print(as_table(items))
        for item in items:
            if item.detail:
                print(f"{item.device}: {item.detail}")
    return 0


def _check(chosen: argparse.Namespace) -> int:
    config = read_config(chosen.config)
    try:
        signed = signing.check(_image(chosen.image), config.firmware.signers)
    except signing.ImageError as error:
        print(error)
        return 1
    manifest = signed.image.manifest
    print(f"{manifest.model} {manifest.version}, image {signed.image.id.hex()}, {manifest.size} bytes")
    print(f"boards {manifest.hardware_from} to {manifest.hardware_to}, security number {manifest.security}")
    print(f"whole, and signed by {signed.signer}")
    for item in _inventory(chosen.config, config):
        found = misfits(signed.image, item, anti_rollback=config.firmware.anti_rollback)
        print(f"{item.device}: {'no: ' + '; '.join(found) if found else 'yes, in place of ' + str(item.firmware)}")
    return 0


def _update(chosen: argparse.Namespace) -> int:
    data = _image(chosen.image)
    return asyncio.run(_ask(chosen, control.Update(chosen.device, len(data)), data))


def _enroll(chosen: argparse.Namespace) -> int:
    key = None if chosen.without_key else _key(chosen.key_file)
    return asyncio.run(_ask(chosen, control.Enroll(chosen.device, key)))


def _accept(chosen: argparse.Namespace) -> int:
    return asyncio.run(_ask(chosen, control.Accept(chosen.device)))


def _keygen(chosen: argparse.Namespace) -> int:
    key = signing.new_private_key(chosen.key)
    print(f"The private key is in {chosen.key}: keep it off the tables. The public one, for [firmware.signers]:")
    print(key.public_key().public_bytes_raw().hex())
    return 0


def _sign(chosen: argparse.Namespace) -> int:
    low, _, high = chosen.hardware.partition("-")
    if not (low.isdecimal() and (high or low).isdecimal()):
        raise UserError(f"--hardware {chosen.hardware} names no board revisions; write them as in 1-3.")
    link = kind_of(chosen.kind).link
    if link is None:
        raise UserError(f"--kind {chosen.kind}: such a device is not on the device link and takes no images from us.")
    image = signing.sign(
        _image(chosen.payload),
        signing.read_private_key(chosen.key),
        device_class=link.device_class,
        model=chosen.model,
        version=chosen.version,
        hardware=(int(low), int(high or low)),
        security=chosen.security,
    )
    try:
        chosen.image.write_bytes(image.data)
    except OSError as error:
        raise UserError(f"The image cannot be written to {chosen.image}: {error.strerror}.") from None
    print(f"{chosen.image}: {chosen.model} {chosen.version}, image {image.id.hex()}")
    return 0


async def _ask(chosen: argparse.Namespace, request: control.AnyRequest, image: bytes = b"") -> int:
    """Put it to the daemon, show how far it is, and say how it ended."""
    said: control.Said | None = None
    shows = sys.stderr.isatty()
    async for said in control.ask(_data(chosen.config, read_config(chosen.config)), request, image):
        if isinstance(said, control.Progress) and shows:
            print(f"\r{said.stage:<11} {said.have * 100 // said.size:>3} %", end="", file=sys.stderr, flush=True)
    if shows and image:
        print(file=sys.stderr)
    if not isinstance(said, control.Done):
        print("The daemon has ended in the middle. What was begun goes on when it is back: `cutcard firmware list`.")
        return 1
    print(said.text)
    return 0 if said.ok else 1


def _inventory(path: Path, config: Config) -> list[Item]:
    kinds = {device.id: str(device.kind) for device in config.devices}
    journal = _data(path, config) / "journal.db"
    if not journal.exists():
        return inventory({}, kinds)
    with JournalReader.read(journal) as reader:
        table = standing(reader, reader.head, resolve)
    if table is None:
        raise UserError(f"The journal {journal} cannot be re-run to its end; `cutcard verify` says why.")
    return inventory(table.state.devices, kinds)


def _data(path: Path, config: Config) -> Path:
    return path.resolve().parent / config.data


def _image(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE + 1)
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from None
    if not 0 < len(data) <= MAX_FILE:
        raise UserError(f"{path} is no image: it must have 1 to {MAX_FILE} bytes.")
    return data


def _key(file: Path | None) -> str:
    """From a file, a pipe or the keyboard; never from the command line, which every user of the machine can read."""
    if file is not None:
        try:
            return file.read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            raise UserError(f"{file} cannot be read, or is no key in hex.") from None
    if sys.stdin.isatty():
        return getpass.getpass("The device's key (64 hex digits, not shown): ").strip()
    return sys.stdin.readline().strip()


def _add_config(command: argparse.ArgumentParser) -> None:
    command.add_argument("--config", type=Path, default=DEFAULT_CONFIG, help="default: %(default)s")
