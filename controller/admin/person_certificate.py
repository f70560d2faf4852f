"""The certificate of a person or program: `cutcard enroll person`.

It is known to the broker as `{name}/{role}/{site}`. Its key is made on the machine of that person or program. Where the
key of the people's authority is on the same machine, the certificate is signed at once (`PeoplesAuthority`); else the
request goes there and the answer is installed. Both are checked in the same way before anything is replaced.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, load_pem_private_key
from cryptography.x509.oid import ExtendedKeyUsageOID
from msgspec import Struct

from controller.admin.enroll import check_client, signing_request, try_handshake
from controller.admin.key_files import KeyFiles, as_pem
from controller.config.fields import Name
from controller.errors import UserError
from controller.operator.roles import Role
from controller.private_files import NotPrivate, expect_private

MOST_DAYS = 3650
_MAY_BE_SLOW = timedelta(minutes=5)
"""By how much the clock of another machine may be behind ours."""


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


def sign_person(files: PersonFiles, authority: PeoplesAuthority, days: int, *, renew: bool = False) -> x509.Certificate:
    """Key, request and certificate at once."""
    signed = authority.sign(days, lambda: request_person(files, renew=renew))
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


class PeoplesAuthority(Struct, frozen=True):
    """The authority of the people's door, with its key."""

    file: Path
    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey

    @classmethod
    def read(cls, file: Path, key_file: Path) -> PeoplesAuthority:
        try:
            certificate = x509.load_pem_x509_certificate(file.read_bytes())
            expect_private(key_file)
            key = load_pem_private_key(key_file.read_bytes(), password=None)
        except NotPrivate as error:
            raise UserError(f"The authority's key cannot be used: {error}") from None
        except OSError as error:
            raise UserError(f"The authority's file {error.filename} cannot be read: {error.strerror}.") from None
        except (ValueError, TypeError):
            # Not the library's words: they are about the key.
            raise UserError(
                f"{file} is no certificate in PEM, or {key_file} no key in PEM without a passphrase. With another kind "
                "of key sign the request with OpenSSL: docs/operations/security.md."
            ) from None
        if not isinstance(key, ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey):
            raise UserError(f"{key_file} is neither an EC nor an RSA key. Sign the request with OpenSSL.")
        if key.public_key() != certificate.public_key():
            raise UserError(f"The key {key_file} does not belong to the certificate {file}.")
        return cls(file, certificate, key)

    def sign(self, days: int, request: Callable[[], Path]) -> x509.Certificate:
        """A certificate for what the request asks for, as [client] of deploy/tls/openssl.cnf has it. The request is
        made when it is clear that it can be signed."""
        if not 1 <= days <= MOST_DAYS:
            raise UserError(f"--days {days}: a certificate is good for 1 to {MOST_DAYS} days.")
        now = datetime.now(UTC)
        end = now + timedelta(days=days)
        if end > self.certificate.not_valid_after_utc:
            raise UserError(
                f"The authority {self.file} is good until {self.certificate.not_valid_after_utc:%Y-%m-%d} only. "
                "Choose fewer --days, or make a new authority."
            )
        asked = x509.load_pem_x509_csr(request().read_bytes())
        public = asked.public_key()
        assert isinstance(public, ec.EllipticCurvePublicKey)  # request_person made it
        return (
            x509.CertificateBuilder()
            .subject_name(asked.subject)
            .issuer_name(self.certificate.subject)
            .public_key(public)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - _MAY_BE_SLOW)
            .not_valid_after(end)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_signatures_only(), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH]), critical=False)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
            .add_extension(self._identifier(), critical=False)
            .sign(self.key, hashes.SHA256())
        )

    def _identifier(self) -> x509.AuthorityKeyIdentifier:
        try:
            own = self.certificate.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
        except x509.ExtensionNotFound:
            return x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key())
        return x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(own)


def _signatures_only() -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=False,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )
