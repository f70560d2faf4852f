"""The page's key, its signing request, and the certificate that comes back (`cutcard enroll --page`).

The certificate is for TLS servers and has the names by which screens and consoles reach the page: `web.host` and
`web.allowed_hosts`. The key never leaves the board. As with the broker's certificate, a renewal makes a new key beside
the one in use (`….next`), which goes on working until the new certificate is there.
"""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import UTC, datetime
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from msgspec import Struct

from controller.config import Config
from controller.config.broker import CREDENTIAL
from controller.errors import UserError
from controller.private_files import NotPrivate, expect_private, write_private


class PageFiles(Struct, frozen=True):
    """The files of the page's certificate, and the names that it is for."""

    identity: str
    names: tuple[str, ...]
    key: Path
    certificate: Path
    owner: tuple[int, int] | None
    """User and group that the daemon runs as, where we may give files to it."""

    @property
    def next_key(self) -> Path:
        return self.key.with_name(self.key.name + ".next")

    @property
    def request(self) -> Path:
        return self.certificate.with_suffix(".csr")


def page_files(config: Config, folder: Path) -> PageFiles:
    """Where they are, by the configuration."""
    web = config.web
    if web.certificate is None or web.key is None or web.key.startswith(CREDENTIAL):
        raise UserError(
            "The configuration does not name the files of the page's certificate. Name them, as in\n"
            '  [web]\n  certificate = "tls/page.crt"\n  key = "tls/page.key"'
        )
    names = tuple(dict.fromkeys(name for name in (web.host, *web.allowed_hosts) if name not in ("", "0.0.0.0", "::")))
    if not names:
        raise UserError(
            "The page has no name that a certificate could have. Add the names or addresses by which tablets reach it "
            "to web.allowed_hosts."
        )
    owner: tuple[int, int] | None = None
    if os.geteuid() == 0:
        with suppress(FileNotFoundError):
            data = (folder / config.data).stat()
            owner = (data.st_uid, data.st_gid)
    return PageFiles(f"{config.site}/{config.table}", names, folder / web.key, folder / web.certificate, owner)


def request_page(files: PageFiles, *, renew: bool = False) -> Path:
    """Make a key, unless there is one that waits for its certificate, and the request; returns the request's file."""
    if files.key.exists() and files.certificate.exists() and not files.next_key.exists() and not renew:
        raise UserError(
            f"The page has its key and certificate already ({files.certificate}). To replace them: cutcard enroll "
            "--page --renew. They stay in use until the new certificate is installed."
        )
    if renew or not files.next_key.exists():
        fresh = ec.generate_private_key(ec.SECP256R1())
        _write(files, files.next_key, fresh.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    signing = (
        x509.CertificateSigningRequestBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, files.identity)]))
        .add_extension(x509.SubjectAlternativeName([_general_name(name) for name in files.names]), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(_read_key(files, files.next_key), hashes.SHA256())
    )
    _write(files, files.request, signing.public_bytes(Encoding.PEM))
    return files.request


def install_page(files: PageFiles, returned: Path) -> x509.Certificate:
    """Put the returned certificate to use, with its key, if a browser will accept it for these names."""
    try:
        pem = returned.read_bytes()
        certificate = x509.load_pem_x509_certificates(pem)[0]
    except OSError as error:
        raise UserError(f"The certificate {returned} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise UserError(f"{returned} holds no certificate in PEM. Ask the authority for the PEM file.") from None
    key = files.next_key if files.next_key.exists() else files.key
    _check(files, certificate, _read_key(files, key))
    if key == files.next_key:
        _write(files, files.key, key.read_bytes())
    _write(files, files.certificate, pem)
    for done in (files.next_key, files.request):
        done.unlink(missing_ok=True)
    return certificate


def _check(files: PageFiles, certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey) -> None:
    if certificate.public_key() != key.public_key():
        raise UserError(
            "The certificate does not belong to the page's key: it was made for another request. Send the request "
            f"{files.request} to the authority and install what it returns for that."
        )
    if not certificate.not_valid_before_utc <= datetime.now(UTC) < certificate.not_valid_after_utc:
        raise UserError(
            f"The certificate is good from {certificate.not_valid_before_utc:%Y-%m-%d} to "
            f"{certificate.not_valid_after_utc:%Y-%m-%d}, and not now. Check this board's clock, or ask for another."
        )
    try:
        uses = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
        named = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        raise UserError(
            "The certificate lacks its names (subjectAltName) or its use (extendedKeyUsage): no browser would accept "
            "it. The authority must copy them from the request."
        ) from None
    if list(uses) != [ExtendedKeyUsageOID.SERVER_AUTH]:
        raise UserError(
            "The certificate is not for TLS servers alone. Have it signed with extendedKeyUsage = serverAuth."
        )
    missing = [name for name in files.names if _general_name(name) not in list(named)]
    if missing:
        raise UserError(
            f"The certificate is not for {', '.join(missing)}, by which the page is reached. The authority must copy "
            "the names of the request; after a change of web.host or web.allowed_hosts: cutcard enroll --page --renew."
        )


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name.lower())


def _read_key(files: PageFiles, path: Path) -> ec.EllipticCurvePrivateKey:
    try:
        expect_private(path, owner=None if files.owner is None else files.owner[0])
        key = load_pem_private_key(path.read_bytes(), password=None)
    except FileNotFoundError:
        raise UserError(f"There is no key {path}. Make one, with its request: cutcard enroll --page.") from None
    except NotPrivate as error:
        raise UserError(f"The key cannot be used: {error}") from None
    except OSError as error:
        raise UserError(f"The key {path} cannot be read: {error.strerror}.") from None
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        # Not the library's words: they are about the key.
        raise UserError(f"{path} is not a key that was made here. Make another: cutcard enroll --page --renew.")
    return key


def _write(files: PageFiles, path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_private(path, data)
        if files.owner is not None:
            os.chown(path, *files.owner)
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}. Run this as the service's user.") from None
