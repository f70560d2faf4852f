"""The page's key, its signing request, and the certificate that comes back (`cutcard enroll --page`).

The certificate is for TLS servers and has the names by which screens and consoles reach the page: `web.host` and
`web.allowed_hosts`. The key never leaves the board.
"""

from __future__ import annotations

from datetime import UTC, datetime
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from controller.certificates.key_files import KeyFiles, owner_of_data
from controller.config import Config
from controller.config.broker import CREDENTIAL
from controller.errors import UserError


class PageFiles(KeyFiles, frozen=True, kw_only=True):
    """The page's key and certificate, and the names that it is for."""

    names: tuple[str, ...]
    command: str = "cutcard enroll --page"


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
    return PageFiles(
        identity=f"{config.site}/{config.table}",
        names=names,
        key=folder / web.key,
        certificate=folder / web.certificate,
        owner=owner_of_data(config, folder),
    )


def request_page(files: PageFiles, *, renew: bool = False) -> Path:
    """Make a key, unless there is one that waits for its certificate, and the request; returns the request's file."""
    key = files.key_to_sign("The page", renew=renew)
    signing = (
        x509.CertificateSigningRequestBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, files.identity)]))
        .add_extension(x509.SubjectAlternativeName([_general_name(name) for name in files.names]), critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    files.write(files.request, signing.public_bytes(Encoding.PEM))
    return files.request


def install_page(files: PageFiles, returned: Path) -> x509.Certificate:
    """Put the returned certificate to use, with its key, if a browser will accept it for these names."""
    return files.install(returned, lambda certificate, _: _check(files, certificate))


def _check(files: PageFiles, certificate: x509.Certificate) -> None:
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
