"""A key on the board and the certificate that an authority signs for it: the files of both, written and read.

A renewal makes a new key beside the one in use (`….next`), which stays in use until the new certificate is there.
Installing puts the key in its place, then the certificate, then removes the rest: cut short at any moment, it is
completed by installing again.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from msgspec import Struct

from controller.config import Config
from controller.durable_files import replace_file
from controller.errors import UserError
from controller.private_files import NotPrivate, expect_private

Check = Callable[[x509.Certificate, Path], None]
"""Raises `UserError` unless the certificate can be used with the key in this file."""


class KeyFiles(Struct, frozen=True):
    """A key and its certificate: whose they are and where."""

    identity: str
    """The common name: site and table, as in every topic."""
    key: Path
    certificate: Path
    owner: tuple[int, int] | None
    """User and group that the daemon runs as, where we may give files to it: the owner of its data folder."""
    command: str
    """What makes the key and the request."""

    @property
    def next_key(self) -> Path:
        """The key of a request that is not answered yet."""
        return self.key.with_name(self.key.name + ".next")

    @property
    def request(self) -> Path:
        return self.certificate.with_suffix(".csr")

    def key_to_sign(self, whose: str, *, renew: bool) -> ec.EllipticCurvePrivateKey:
        """The key that waits for its certificate, made if there is none."""
        if self.key.exists() and self.certificate.exists() and not self.next_key.exists() and not renew:
            raise UserError(
                f"{whose} has its key and certificate already ({self.certificate}). To replace them: {self.command} "
                "--renew. They stay in use until the new certificate is installed."
            )
        if renew or not self.next_key.exists():
            self.write(self.next_key, as_pem(ec.generate_private_key(ec.SECP256R1())))
        return self.read_key(self.next_key)

    def install(self, returned: Path, check: Check) -> x509.Certificate:
        """Put the returned certificate to use, with its key, if it passes the check."""
        key, pem, certificate = self.look_at(returned, check)
        if key == self.next_key:
            self.write(self.key, key.read_bytes())
        self.write(self.certificate, pem)
        for done in (self.next_key, self.request):
            done.unlink(missing_ok=True)
        return certificate

    def look_at(self, returned: Path, check: Check) -> tuple[Path, bytes, x509.Certificate]:
        """The key that the returned certificate is for, its text, and itself, if it passes the check."""
        try:
            pem = returned.read_bytes()
            certificate = x509.load_pem_x509_certificates(pem)[0]
        except OSError as error:
            raise UserError(f"The certificate {returned} cannot be read: {error.strerror}.") from None
        except ValueError:
            raise UserError(f"{returned} holds no certificate in PEM. Ask the authority for the PEM file.") from None
        key = self.next_key if self.next_key.exists() else self.key
        if certificate.public_key() != self.read_key(key).public_key():
            raise UserError(
                f"The certificate does not belong to the key {key}: it was made for another request. Send the request "
                f"{self.request} to the authority and install what it returns for that."
            )
        check(certificate, key)
        return key, pem, certificate

    def read_key(self, path: Path) -> ec.EllipticCurvePrivateKey:
        try:
            expect_private(path, owner=None if self.owner is None else self.owner[0])
            key = load_pem_private_key(path.read_bytes(), password=None)
        except FileNotFoundError:
            raise UserError(f"There is no key {path}. Make one, with its request: {self.command}.") from None
        except NotPrivate as error:
            raise UserError(f"The key cannot be used: {error}") from None
        except OSError as error:
            raise UserError(f"The key {path} cannot be read: {error.strerror}.") from None
        except (ValueError, TypeError):
            key = None
        if not isinstance(key, ec.EllipticCurvePrivateKey):
            # Not the library's words: they are about the key.
            raise UserError(f"{path} is not a key that was made here. Make another: {self.command} --renew.")
        return key

    def write(self, path: Path, data: bytes) -> None:
        try:
            self._make_folder(path.parent)
            replace_file(path, data)
            if self.owner is not None:
                os.chown(path, *self.owner)
        except OSError as error:
            raise UserError(f"{path} cannot be written: {error.strerror}. Run this as the service's user.") from None

    def _make_folder(self, folder: Path) -> None:
        """The service's, where we make it: it makes the next key there itself (docs/operations/renewal.md)."""
        if not folder.exists():
            folder.mkdir(parents=True)
            if self.owner is not None:
                os.chown(folder, *self.owner)


def as_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def owner_of_data(config: Config, folder: Path) -> tuple[int, int] | None:
    """User and group of the data folder, where we are root and there is one."""
    if os.geteuid() == 0:
        with suppress(FileNotFoundError):
            data = (folder / config.data).stat()
            return data.st_uid, data.st_gid
    return None
