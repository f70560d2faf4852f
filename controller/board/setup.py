"""The first start of a board: what is needed beside the configuration to reach the broker.

With `broker-ca.crt` on the boot partition the connection is encrypted, and the table needs a certificate: its request
is put on the boot partition, where any computer can take it to the tables' authority, and `table.crt` is taken from
there at the next start. The key never leaves the board.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from controller.certificates.table import certificates_of, install, request
from controller.config import Config
from controller.durable_files import replace_file
from controller.errors import UserError

AUTHORITY, REQUEST, CERTIFICATE = "broker-ca.crt", "table.csr", "table.crt"
TABLES_AUTHORITY = "tables-ca.crt"
"""On the boot partition, where the tables' authority is not the broker's."""


def take_authority(site: Path, folder: Path) -> bool:
    """Copy the broker's authority beside the configuration; whether there is one."""
    if not (site / AUTHORITY).is_file():
        return False
    (folder / "tls").mkdir(mode=0o750, exist_ok=True)
    shutil.copystat(folder, folder / "tls")
    stat = folder.stat()
    replace_file(folder / "tls" / AUTHORITY, (site / AUTHORITY).read_bytes(), 0o644, owner=stat)
    return True


def offer_request(config: Config, folder: Path, site: Path) -> Path:
    """Make the table's key and put its signing request on the boot partition."""
    made = request(certificates_of(config, folder))
    try:
        shutil.copyfile(made, site / REQUEST)
    except OSError as error:
        raise UserError(f"The request cannot be written to the boot partition: {error.strerror}.") from None
    return site / REQUEST


def take_certificate(config: Config, folder: Path, site: Path) -> str:
    """Install the certificate of the boot partition, unless it is installed; a line for a person, or nothing."""
    returned = site / CERTIFICATE
    if not returned.is_file():
        return ""
    files = certificates_of(config, folder)
    if files.certificate.is_file() and files.certificate.read_bytes() == returned.read_bytes():
        return ""
    other = site / TABLES_AUTHORITY
    certificate = install(files, returned, other if other.is_file() else None)
    return f"{files.identity} has its certificate, good until {certificate.not_valid_after_utc:%Y-%m-%d %H:%M} UTC."
