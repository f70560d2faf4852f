"""A software package that was fetched and waits: in the data folder, with its signed reference, until root installs it.

The daemon cannot install anything: its user may write to the data folder only, and must not become root. So it puts the
package aside, and `cutcard reference install` does the rest. Root believes nothing that is in that folder: the package
is copied to a place that only root can change, and the copy is checked against the signature, with the keys in the
configuration or with one that root names.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from hashlib import file_digest
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from controller.config.fields import Config
from controller.durable_files import replace_file, sync_folder
from controller.engine.update_inputs import Reference
from controller.errors import UserError
from controller.updates.bundles import expect_package
from controller.updates.rejection import ReferenceRejected
from controller.updates.statement import expect_signed

FOLDER = "updates"
"""In the data folder."""
_PACKAGE, _PAPER = "cutcard.deb", "cutcard.json"
_NEW = ".new"
_MOST_PAPER = 4096


class Paper(Struct, frozen=True, forbid_unknown_fields=True):
    """What is known of a package that waits."""

    reference: Reference
    signature: Annotated[str, Meta(pattern="^[0-9a-f]{128}$")]
    by: str
    """Who had it fetched."""


class WaitingSoftware:
    """The package of one table that waits for a technician."""

    def __init__(self, data: Path) -> None:
        self.folder = data / FOLDER
        self.package, self._paper = self.folder / _PACKAGE, self.folder / _PAPER
        self._new_package, self._new_paper = (self.folder / (name + _NEW) for name in (_PACKAGE, _PAPER))

    def put_aside(self, fetched: Path, paper: Paper) -> None:
        """Keep it until it is in the journal."""
        replace_file(self._new_paper, msgspec.json.encode(paper))
        fetched.replace(self._new_package)
        sync_folder(self.folder)

    def offer(self) -> None:
        """It is in the journal: this is the package that waits."""
        if self._new_package.exists():
            self._new_package.replace(self.package)
        self._new_paper.replace(self._paper)
        sync_folder(self.folder)

    def drop(self) -> None:
        self._new_package.unlink(missing_ok=True)
        self._new_paper.unlink(missing_ok=True)

    def put_aside_before(self) -> Paper | None:
        """What an earlier run put aside and neither offered nor dropped."""
        return _read_paper(self._new_paper) if self._new_paper.exists() else None

    def paper(self) -> Paper:
        if not (self._paper.exists() and self.package.exists()):
            raise UserError(f"No package waits in {self.folder}: the floor has sent none, or it was installed.")
        return _read_paper(self._paper)

    def checked(self, config: Config, to: Path) -> Paper:
        """Copy the package to this new file, in a folder that only we can write, and check the copy."""
        paper = self.paper()
        reference = paper.reference
        try:
            handle = os.open(self.package, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
            with os.fdopen(handle, "rb") as source, to.open("xb") as copy:
                if os.fstat(handle).st_size != reference.size:
                    raise UserError(f"{self.package} has another size than was signed: do not install it.")
                shutil.copyfileobj(source, copy)
            with to.open("rb") as copied:
                is_signed_one = file_digest(copied, "sha256").hexdigest() == reference.sha256
        except OSError as error:
            raise UserError(f"{self.package} cannot be read: {error.strerror}.") from None
        if reference.what != "software" or not is_signed_one:
            raise UserError(f"{self.package} is not the package that was signed: do not install it.")
        try:
            expect_signed(reference, paper.signature, config.updates.keys, config.site, config.table)
            expect_package(to)
        except ReferenceRejected as error:
            raise UserError(f"{self.package}: {error}. Do not install it.") from None
        return paper

    def clear(self) -> None:
        """It was installed."""
        self._paper.unlink(missing_ok=True)
        self.package.unlink(missing_ok=True)


def install(waiting: WaitingSoftware, config: Config) -> Paper:
    """Install the package that waits, as root. `UserError` where it is not as it was signed, or dpkg refuses it."""
    with tempfile.TemporaryDirectory(prefix="cutcard-", dir="/var/tmp") as name:
        copy = Path(name) / _PACKAGE
        paper = waiting.checked(config, copy)
        field = subprocess.run(
            ("dpkg-deb", "--field", str(copy), "Package"), capture_output=True, text=True, check=False
        )
        if field.returncode or field.stdout.strip() != "cutcard":
            raise UserError("The package was signed, but it is not the package `cutcard`: it is not installed.")
        done = subprocess.run(("dpkg", "--install", str(copy)), check=False)
        if done.returncode:
            raise UserError("dpkg has not installed it; its reason is above. The package still waits.")
    waiting.clear()
    return paper


def _read_paper(file: Path) -> Paper:
    try:
        with file.open("rb") as opened:
            return msgspec.json.decode(opened.read(_MOST_PAPER), type=Paper)
    except (OSError, msgspec.MsgspecError):
        raise UserError(f"{file} is damaged: let the floor send the package again.") from None
