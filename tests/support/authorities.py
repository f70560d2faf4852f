"""Throwaway certificate authorities, made when a test needs one: no key of anybody is kept in the project."""

from __future__ import annotations

import ipaddress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID, ObjectIdentifier

CLIENT, SERVER = ExtendedKeyUsageOID.CLIENT_AUTH, ExtendedKeyUsageOID.SERVER_AUTH
DAY = timedelta(days=1)


class Files:
    """A certificate and its key, on the disk."""

    def __init__(self, certificate: Path, key: Path) -> None:
        self.certificate, self.key = certificate, key


class Authority:
    """Signs whatever it is given, as RFC 5280 wants it: Python 3.13 and newer refuse anything less."""

    def __init__(self, folder: Path, name: str, lasts: timedelta = DAY) -> None:
        self._folder, self._name = folder, _named(name)
        self._key = ec.generate_private_key(ec.SECP256R1())
        self.file, self._key_file = folder / f"{name}.crt", folder / f"{name}.key"
        self.file.write_bytes(self._signed(self._name, self._key.public_key(), None, lasts).public_bytes(Encoding.PEM))

    def key_file(self) -> Path:
        """Its key, as an authority has it on its own machine."""
        _write_key(self._key_file, self._key)
        return self._key_file

    def issue(
        self,
        common_name: str,
        *uses: ObjectIdentifier,
        host: str | None = None,
        lasts: timedelta = DAY,
        file: str | None = None,
    ) -> Files:
        """A new key with a certificate; `lasts` may lie in the past."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = file or common_name.replace("/", "-")
        made = Files(self._folder / f"{name}.crt", self._folder / f"{name}.key")
        certificate = self._signed(_named(common_name), key.public_key(), uses or (CLIENT,), lasts, host)
        made.certificate.write_bytes(certificate.public_bytes(Encoding.PEM))
        _write_key(made.key, key)
        return made

    def sign(
        self,
        request: Path,
        to: Path,
        *,
        common_name: str | None = None,
        uses: tuple[ObjectIdentifier, ...] = (CLIENT,),
        lasts: timedelta = DAY,
    ) -> Path:
        """What a careful authority does with a signing request; the arguments are for careless ones."""
        asked = x509.load_pem_x509_csr(request.read_bytes())
        assert asked.is_signature_valid
        name = asked.subject if common_name is None else _named(common_name)
        public = asked.public_key()
        assert isinstance(public, ec.EllipticCurvePublicKey)
        to.write_bytes(self._signed(name, public, uses, lasts).public_bytes(Encoding.PEM))
        return to

    def _signed(
        self,
        subject: x509.Name,
        public: ec.EllipticCurvePublicKey,
        uses: tuple[ObjectIdentifier, ...] | None,
        lasts: timedelta,
        host: str | None = None,
    ) -> x509.Certificate:
        now = datetime.now(UTC)
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(public)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - 10 * DAY)
            .not_valid_after(now + lasts)
        )
        is_authority = uses is None
        builder = (
            builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False)
            .add_extension(x509.BasicConstraints(is_authority, 0 if is_authority else None), critical=True)
            .add_extension(_key_usage(is_authority), critical=True)
        )
        if uses:
            builder = builder.add_extension(x509.ExtendedKeyUsage(uses), critical=False)
        if host is not None:
            builder = builder.add_extension(x509.SubjectAlternativeName([_host(host)]), critical=False)
        return builder.sign(self._key, hashes.SHA256())


def _write_key(file: Path, key: ec.EllipticCurvePrivateKey) -> None:
    file.touch(mode=0o600)
    file.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


def _key_usage(is_authority: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not is_authority,
        key_cert_sign=is_authority,
        crl_sign=is_authority,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _host(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _named(common_name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])
