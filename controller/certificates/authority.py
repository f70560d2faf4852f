"""An authority of the site, on the machine where its key is: what it signs, and what it does not.

That of the people signs what `cutcard enroll person` asks for. That of the tables signs the requests of boards
(`cutcard enroll sign`): a request that asks for the name of a person, or of a table of another site, is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, load_pem_private_key
from cryptography.x509.oid import ExtendedKeyUsageOID
from msgspec import Struct

from controller.certificates.published import BadRequest, expect_request, name_in
from controller.durable_files import replace_file
from controller.errors import UserError
from controller.private_files import NotPrivate, expect_private

MOST_DAYS = 3650
_MAY_BE_SLOW = timedelta(minutes=5)
"""By how much the clock of another machine may be behind ours."""


class Authority(Struct, frozen=True):
    """An authority of the site, with its key."""

    file: Path
    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey

    @classmethod
    def read(cls, file: Path, key_file: Path) -> Authority:
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

    def expect_days(self, days: int) -> datetime:
        """Until when a certificate is good that is signed now; `UserError` where it cannot be."""
        if not 1 <= days <= MOST_DAYS:
            raise UserError(f"--days {days}: a certificate is good for 1 to {MOST_DAYS} days.")
        end = datetime.now(UTC) + timedelta(days=days)
        if end > self.certificate.not_valid_after_utc:
            raise UserError(
                f"The authority {self.file} is good until {self.certificate.not_valid_after_utc:%Y-%m-%d} only. "
                "Choose fewer --days, or make a new authority."
            )
        return end

    def sign_tables(self, site: str, requests: Sequence[Path], days: int, folder: Path) -> list[Path]:
        """The certificates of boards of this site, beside each other in a folder. None is signed unless all can be."""
        asked = [(file, _read_request(file, site)) for file in requests]
        self.expect_days(days)
        signed = []
        for file, request in asked:
            signed.append(folder / f"{file.stem}.crt")
            try:
                folder.mkdir(parents=True, exist_ok=True)
                replace_file(signed[-1], self.sign(request, days).public_bytes(Encoding.PEM))
            except OSError as error:
                raise UserError(f"{signed[-1]} cannot be written: {error.strerror}.") from None
        return signed

    def sign(self, asked: x509.CertificateSigningRequest, days: int) -> x509.Certificate:
        """A certificate for what the request asks for, as [client] of deploy/tls/openssl.cnf has it."""
        end = self.expect_days(days)
        public = asked.public_key()
        assert isinstance(public, ec.EllipticCurvePublicKey)  # `expect_request` has seen it, or we made it
        return (
            x509.CertificateBuilder()
            .subject_name(asked.subject)
            .issuer_name(self.certificate.subject)
            .public_key(public)
            .serial_number(x509.random_serial_number())
            .not_valid_before(datetime.now(UTC) - _MAY_BE_SLOW)
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


def _read_request(file: Path, site: str) -> x509.CertificateSigningRequest:
    """A request of a board of this site."""
    try:
        request = expect_request(file.read_bytes())
    except OSError as error:
        raise UserError(f"The request {file} cannot be read: {error.strerror}.") from None
    except BadRequest as error:
        raise UserError(f"{file} is not signed: {error}.") from None
    name = name_in(request)
    if name.partition("/")[0] != site or name.count("/") != 1:
        raise UserError(
            f"{file} is not signed: it asks for the name {name}, which is no table of {site}. The tables' authority "
            "signs the names SITE/TABLE alone."
        )
    return request


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
