"""The certificate of a person or program: `cutcard enroll person`.

It is known to the broker as `{name}/{role}/{site}`. Its key is made on the machine of that person or program. Where the
key of the people's authority is on the same machine, the certificate is signed at once (`Authority`); else the
request goes there and the answer is installed. Both are checked in the same way before anything is replaced.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding

from controller.certificates.authority import Authority
from controller.certificates.key_files import KeyFiles, as_pem
from controller.certificates.table import check_client, signing_request, try_handshake
from controller.config.fields import Name
from controller.errors import UserError
from controller.operator.roles import Role


class PersonFiles(KeyFiles, frozen=True, kw_only=True):
    """The key and certificate of a person or program."""


def person_files(name: str, role: Role, site: str, folder: Path) -> PersonFiles:
    """Where they are; a name that could pass for another is refused."""
    for what, value in (("name", name), ("site", site)):
        try:
            msgspec.convert(value, type=Name)
        except msgspec.ValidationError:
            raise UserError(
                f"The {what} {value!r} cannot be in a certificate: use small letters, digits, - and _, at most 32 of "
                "them, beginning with a letter or digit."
            ) from None
    place = "" if folder == Path() else f" --to {folder}"
    return PersonFiles(
        identity=f"{name}/{role}/{site}",
        key=folder / f"{name}.key",
        certificate=folder / f"{name}.crt",
        owner=None,
        command=f"cutcard enroll person {name} --role {role} --site {site}{place}",
    )


def request_person(files: PersonFiles, *, renew: bool = False) -> Path:
    """Make a key and the request; returns the request's file.

    The first key is put in its place: nothing is in use yet. One that replaces another waits beside it. Asked twice, it
    makes the same request of the same key.
    """
    if renew:
        key = files.key_to_sign(files.identity, renew=True)
    elif not files.key.exists():
        key = ec.generate_private_key(ec.SECP256R1())
        files.write(files.key, as_pem(key))
    elif files.certificate.exists() or _requested(files.request) != files.identity:
        raise UserError(
            f"{files.key} is there already. To replace the certificate of {files.identity}: {files.command} --renew. "
            "For somebody else of this name, name another folder: --to."
        )
    else:
        key = files.read_key(files.key)
    files.write(files.request, signing_request(files.identity, key))
    return files.request


def _requested(request: Path) -> str | None:
    """The common name that a request asks for."""
    try:
        (name,) = x509.load_pem_x509_csr(request.read_bytes()).subject
    except (OSError, ValueError):
        return None
    return str(name.value)


def sign_person(files: PersonFiles, authority: Authority, days: int, *, renew: bool = False) -> x509.Certificate:
    """Key, request and certificate at once."""
    authority.expect_days(days)  # before a key is made
    request = x509.load_pem_x509_csr(request_person(files, renew=renew).read_bytes())
    signed = authority.sign(request, days)
    returned = files.certificate.with_suffix(".signed")
    files.write(returned, signed.public_bytes(Encoding.PEM))
    try:
        return install_person(files, returned, authority.file)
    finally:
        returned.unlink(missing_ok=True)


def install_person(files: PersonFiles, returned: Path, authority: Path | None = None) -> x509.Certificate:
    """Put the returned certificate to use, with its key, if the broker will take it."""

    def check(certificate: x509.Certificate, key: Path) -> None:
        check_client(files.identity, certificate)
        if not certificate.not_valid_before_utc <= datetime.now(UTC) < certificate.not_valid_after_utc:
            raise UserError(
                f"The certificate is good from {certificate.not_valid_before_utc:%Y-%m-%d} to "
                f"{certificate.not_valid_after_utc:%Y-%m-%d}, and not now. Check this machine's clock, or ask for "
                "another."
            )
        if authority is not None:
            try_handshake(returned, key, authority)

    return files.install(returned, check)
