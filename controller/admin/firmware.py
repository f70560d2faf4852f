"""Firmware images and the devices that they are for, from a technician's terminal."""

from __future__ import annotations

import sys
from pathlib import Path

from controller.config import Config, read_config
from controller.errors import UserError
from controller.evidence.rerun import current_table
from controller.firmware import control, signing
from controller.firmware.fit import misfits
from controller.firmware.inventory import Item, inventory
from controller.journal import JournalReader
from controller.plain_files import read_plain
from controller.rules import resolve
from protocols.firmware.image import MAX_FILE


def inventory_of(path: Path, config: Config) -> list[Item]:
    kinds = {device.id: str(device.kind) for device in config.devices}
    journal = _data(path, config) / "journal.db"
    if not journal.exists():
        return inventory({}, kinds)
    with JournalReader.read(journal) as reader:
        table = current_table(reader, reader.head, resolve)
    if table is None:
        raise UserError(f"The journal {journal} cannot be re-run to its end; `cutcard verify` says why.")
    return inventory(table.state.devices, kinds)


def fits(signed: signing.SignedImage, path: Path, config: Config) -> list[str]:
    """One line for each device: whether the image is for it, and why not."""
    lines = []
    for item in inventory_of(path, config):
        found = misfits(signed.image, item, anti_rollback=config.firmware.anti_rollback)
        lines.append(
            f"{item.device}: {'no: ' + '; '.join(found) if found else 'yes, in place of ' + str(item.firmware)}"
        )
    return lines


async def ask_daemon(path: Path, request: control.AnyRequest, image: bytes = b"") -> int:
    """Send a request to the daemon of this configuration, print its progress and its result. Returns an exit code."""
    answer: control.Said | None = None
    is_terminal = sys.stderr.isatty()
    async for answer in control.ask(_data(path, read_config(path)), request, image):
        if isinstance(answer, control.Progress) and is_terminal:
            print(f"\r{answer.stage:<11} {answer.have * 100 // answer.size:>3} %", end="", file=sys.stderr, flush=True)
    if is_terminal and image:
        print(file=sys.stderr)
    if not isinstance(answer, control.Done):
        print("The daemon has ended in the middle. What was begun goes on when it is back: `cutcard firmware list`.")
        return 1
    print(answer.text)
    return 0 if answer.ok else 1


def read_image(path: Path) -> bytes:
    try:
        data = read_plain(path)
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from None
    if not 0 < len(data) <= MAX_FILE:
        raise UserError(f"{path} is no image: it must have 1 to {MAX_FILE} bytes.")
    return data


def _data(path: Path, config: Config) -> Path:
    return path.resolve().parent / config.data
