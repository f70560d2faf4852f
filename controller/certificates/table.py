"""Enrolling a table with the broker: its key, its signing request, and the certificate that comes back.

A table is known to the broker by a certificate whose common name is `{site}/{table}`. Its key is made here and never
leaves the board: it is written for the service's user alone, and no message or log has any of it. What leaves is the
signing request; what comes back is looked at before anything is replaced, by the same OpenSSL that will show it to the
broker. A running daemon takes the new files at its next connection.

Before it expires the daemon makes the next key by itself and publishes the request (`published.py`); the certificate
comes back by signed reference. docs/operations/renewal.md is the page.

A person or program is known as `{name}/{role}/{site}`: `person.py`.
"""

from __future__ import annotations

import ssl
from contextlib import suppress
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from controller.certificates.key_files import Check, KeyFiles, owner_of_data
from controller.certificates.published import BadRequest, expect_request
from controller.config import Config
from controller.errors import UserError


class TableCertificates(KeyFiles, frozen=True, kw_only=True):
    """A table's key and certificate for the broker."""

    authority: Path
    """Who signs them: `certificates.authority`, else the authority of the broker."""
    command: str = "cutcard enroll"


def request(files: TableCertificates, *, renew: bool = False) -> Path:
    """Make the key, unless there is one that waits for its certificate, and the request; returns the request's file."""
    signing = signing_request(files.identity, files.key_to_sign("This table", renew=renew))
    files.write(files.request, signing)
    return files.request


def waiting_request(files: TableCertificates) -> bytes:
    """The request of the key that waits for its certificate; both are made where they are missing. Asked again, it is
    the same one until its certificate is installed."""
    with suppress(OSError, BadRequest):
        pem = files.request.read_bytes()
        waiting = expect_request(pem)
        if files.next_key.exists() and waiting.public_key() == files.read_key(files.next_key).public_key():
            return pem
    return request(files, renew=not files.next_key.exists()).read_bytes()


def signing_request(common_name: str, key: ec.EllipticCurvePrivateKey) -> bytes:
    return (
        x509.CertificateSigningRequestBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)]))
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CLIENT_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
        .public_bytes(Encoding.PEM)
    )


def install(files: TableCertificates, returned: Path, authority: Path | None = None) -> x509.Certificate:
    """Put the returned certificate to use, with its key, if they are what the broker will take."""
    return files.install(returned, _what_the_broker_takes(files, returned, authority))


def look_at(files: TableCertificates, returned: Path) -> x509.Certificate:
    """The returned certificate, if it could be installed; nothing is changed."""
    return files.look_at(returned, _what_the_broker_takes(files, returned, None))[2]


def _what_the_broker_takes(files: TableCertificates, returned: Path, authority: Path | None) -> Check:
    def check(certificate: x509.Certificate, key: Path) -> None:
        check_client(files.identity, certificate)
        try_handshake(returned, key, authority or files.authority)

    return check


def certificates_of(config: Config, folder: Path, broker: str | None = None) -> TableCertificates:
    """Where this table's files are, by its configuration: those for this broker, or for the first."""
    named = [each for each in config.mqtt.broker if broker in (None, each.name)]
    if not named:
        raise UserError(f"The configuration names no broker {broker!r}.")
    tls = named[0].tls
    if tls is None or not (tls.ca and tls.cert and tls.key):
        raise UserError(
            "The configuration does not name the table's key and certificates. Name them, as in\n"
            '  [mqtt.broker.tls]\n  ca = "tls/broker-ca.crt"\n  cert = "tls/table.crt"\n  key = "tls/table.key"'
        )
    return TableCertificates(
        identity=f"{config.site}/{config.table}",
        key=folder / tls.key,
        certificate=folder / tls.cert,
        authority=folder / (config.certificates.authority or tls.ca),
        owner=owner_of_data(config, folder),
    )


def check_client(identity: str, certificate: x509.Certificate) -> None:
    """What the broker would not notice, or would report less clearly."""
    names = [str(name.value) for name in certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)]
    if names != [identity]:
        raise UserError(
            f"The certificate is for {' and '.join(names) or 'nobody'}, and the request was for {identity}. The "
            "authority must keep the common name of the request."
        )
    try:
        uses = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    except x509.ExtensionNotFound:
        uses = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.ANY_EXTENDED_KEY_USAGE])
    if list(uses) != [ExtendedKeyUsageOID.CLIENT_AUTH]:
        raise UserError(
            "The certificate is not for client authentication alone: with it a thief could pass for a broker. "
            "Have it signed with extendedKeyUsage = clientAuth."
        )


def try_handshake(certificate: Path, key: Path, authority: Path) -> None:
    """Show the certificate to a TLS server of our own, in memory, that trusts the authority as the broker does.

    It verifies by the letter of RFC 5280, as Python 3.13 and newer do: mostly the same authority signs the broker's
    certificate, and the table could not connect to that."""
    try:
        server, client = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        client.check_hostname, client.verify_mode = False, ssl.CERT_NONE
        server.verify_mode = ssl.CERT_REQUIRED
        server.verify_flags |= ssl.VERIFY_X509_STRICT
        server.load_verify_locations(authority)
        for side in (server, client):
            side.minimum_version = ssl.TLSVersion.TLSv1_2
            side.load_cert_chain(certificate, key)
    except (OSError, ssl.SSLError) as error:
        raise UserError(f"The certificate cannot be tried with the authority {authority}: {error}.") from None
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = [
        client.wrap_bio(to_client, to_server),
        server.wrap_bio(to_server, to_client, server_side=True),
    ]
    for end in ends * 3:
        try:
            end.do_handshake()
        except ssl.SSLWantReadError:
            continue
        except ssl.SSLCertVerificationError as error:
            raise UserError(
                f"With the authority {authority} the certificate is not valid: {error.verify_message}. Check who "
                "signed it, its dates and this board's clock, and that it and its authority's certificate hold what "
                "docs/operations/security.md asks for."
            ) from None
        except ssl.SSLError as error:
            raise UserError(f"The certificate cannot be used for TLS: {error}.") from None
