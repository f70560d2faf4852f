"""`cutcard firmware`: the inventory, images, updates, and who the devices are.

    list      what is known of every device, from the journal
    check     is this image whole, who signed it, and for which of the devices is it
    update    install it on a device: through the daemon, between rounds
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
from pathlib import Path

import msgspec

from controller.admin.firmware import ask_daemon, fits, inventory_of, read_image
from controller.board_key import new_key, read_key
from controller.cli.arguments import AddParser, add_config
from controller.config import read_config
from controller.errors import UserError
from controller.firmware import control, signing
from controller.firmware.inventory import as_table
from devices.kinds import NAMES, kind_of


def add_command(add: AddParser) -> None:
    firmware = add("firmware", help="the devices' firmware and identity: list, check, update, enroll, accept, sign")
    parts = firmware.add_subparsers(title="commands", metavar="", required=True)

    listed = parts.add_parser("list", help="what is known of every device, from the journal")
    add_config(listed)
    listed.add_argument("--json", action="store_true")
    listed.set_defaults(command=_list)

    check = parts.add_parser("check", help="is an image whole, who signed it, and for which devices is it")
    check.add_argument("image", type=Path)
    add_config(check)
    check.set_defaults(command=_check)

    update = parts.add_parser("update", help="install an image on a device, between rounds")
    update.add_argument("device", help="its id in the configuration")
    update.add_argument("image", type=Path)
    add_config(update)
    update.set_defaults(command=_update)

    enroll = parts.add_parser("enroll", help="the device on the port is the one that belongs there")
    enroll.add_argument("device")
    key = enroll.add_mutually_exclusive_group()
    key.add_argument("--key-file", type=Path, help="its key, 64 hex digits; else it is asked for, or read from a pipe")
    key.add_argument("--without-key", action="store_true", help="for a device that has none")
    add_config(enroll)
    enroll.set_defaults(command=_enroll)

    accept = parts.add_parser("accept", help="a device's restart, or its other firmware, is as it should be")
    accept.add_argument("device")
    add_config(accept)
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
    items = inventory_of(chosen.config, read_config(chosen.config))
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
        signed = signing.check(read_image(chosen.image), config.firmware.signers)
    except signing.ImageError as error:
        print(error)
        return 1
    manifest = signed.image.manifest
    print(f"{manifest.model} {manifest.version}, image {signed.image.id.hex()}, {manifest.size} bytes")
    print(f"boards {manifest.hardware_from} to {manifest.hardware_to}, security number {manifest.security}")
    print(f"whole, and signed by {signed.signer}")
    for line in fits(signed, chosen.config, config):
        print(line)
    return 0


def _update(chosen: argparse.Namespace) -> int:
    data = read_image(chosen.image)
    return asyncio.run(ask_daemon(chosen.config, control.Update(chosen.device, len(data)), data))


def _enroll(chosen: argparse.Namespace) -> int:
    key = None if chosen.without_key else _key(chosen.key_file)
    return asyncio.run(ask_daemon(chosen.config, control.Enroll(chosen.device, key)))


def _accept(chosen: argparse.Namespace) -> int:
    return asyncio.run(ask_daemon(chosen.config, control.Accept(chosen.device)))


def _keygen(chosen: argparse.Namespace) -> int:
    key = new_key(chosen.key)
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
        read_image(chosen.payload),
        read_key(chosen.key),
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
