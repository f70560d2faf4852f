"""What a table publishes about its certificate for a broker: until when it is good, and a request for the next one.

    {"document":"certificate","journal":…,"site":…,"table":…,"broker":…,"expires_at":…,"request":…,"key":…,"signature":…}

`signature` is the board's (Ed25519, purpose "certificate") over the bytes before `,"signature":`. So whoever can
publish as a table at a broker still gets no certificate: the request must be signed with the key of that table's
board.
"""

from __future__ import annotations

import msgspec
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from msgspec import Struct

from controller.board_key import is_signed_document

PURPOSE = "certificate"


class PublishedCertificate(Struct, frozen=True, tag_field="document", tag="certificate"):
    """What a board has signed."""

    journal: str
    site: str
    table: str
    broker: str
    """As the table's configuration names it."""
    expires_at: int
    """Milliseconds since 1970 UTC."""
    request: str | None
    """A signing request in PEM, from `renew_days` before that on; null: none is needed yet."""
    key: str
    """The board's public key."""


class BadRequest(ValueError):
    """It cannot be signed as it is."""


def read_published(data: bytes) -> PublishedCertificate:
    """Signed with the key that is in it; `BadRequest` if it is not."""
    try:
        found = msgspec.json.decode(data, type=PublishedCertificate)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise BadRequest("it is no document about a certificate") from None
    if not is_signed_document(found.key, PURPOSE, data):
        raise BadRequest("the board's signature is wrong")
    return found


def expect_request(pem: bytes) -> x509.CertificateSigningRequest:
    """A request that is what boards make: of one name, signed with the key that it is for; `BadRequest` if not."""
    try:
        request = x509.load_pem_x509_csr(pem)
        public, is_valid = request.public_key(), request.is_signature_valid
    except (ValueError, UnsupportedAlgorithm):
        raise BadRequest("it is no signing request in PEM") from None
    if not is_valid:
        raise BadRequest("it was altered: its own signature is wrong")
    if not isinstance(public, ec.EllipticCurvePublicKey) or not isinstance(public.curve, ec.SECP256R1):
        raise BadRequest("its key is not of the kind P-256, which boards make")
    if not name_in(request):
        raise BadRequest("it does not ask for one name")
    return request


def name_in(request: x509.CertificateSigningRequest | x509.Certificate) -> str:
    """The common name, where that is all of the subject; else empty."""
    attributes = list(request.subject)
    if len(attributes) != 1 or attributes[0].oid != NameOID.COMMON_NAME:
        return ""
    return str(attributes[0].value)
