"""What is signed of a bundle, and by which key.

The statement is text, so that any program can make it and a person can read it:

>>> reference = Reference("staff", "https://files.example/s.json", 812, "ab" * 32, 1763260000000, 7, "00" * 8)
>>> print(statement(reference, "riverside", "baccarat-1").decode(), end="")
cutcard reference 1
what staff
site riverside
table baccarat-1
sha256 abababababababababababababababababababababababababababababababab
size 812
issued 1763260000000
serial 7

Each line ends with one line feed. No value can hold a space or a line feed, so there is one way to read it. The address
is not in it: the files may be moved, to another address that the table allows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from controller.contract.why import Why
from controller.engine.update_inputs import Reference
from controller.updates.rejection import ReferenceRejected
from protocols.firmware.image import id_of

_ADDRESS = re.compile(
    r"(https://[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?|file://)(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+"
)
"""No user, query, fragment or escape, and no part that begins with a dot: what begins as an allowed one is below it."""


def statement(reference: Reference, site: str, table: str) -> bytes:
    lines = {
        "what": reference.what,
        "site": site,
        "table": table,
        "sha256": reference.sha256,
        "size": reference.size,
        "issued": reference.issued,
        "serial": reference.serial,
    }
    return "".join(["cutcard reference 1\n", *(f"{name} {value}\n" for name, value in lines.items())]).encode()


def key_id(key: Ed25519PublicKey) -> str:
    """The first 16 hex digits of the SHA-256 of the public key."""
    return id_of(key.public_bytes_raw()).hex()


def sign(reference: Reference, site: str, table: str, key: Ed25519PrivateKey) -> str:
    """The signature, as 128 hex digits."""
    return key.sign(statement(reference, site, table)).hex()


def expect_signed(reference: Reference, signature: str, keys: Mapping[str, str], site: str, table: str) -> str:
    """The name of the trusted key that signed it for this table; `ReferenceRejected` if none did."""
    for name, text in keys.items():
        try:
            key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(text))
        except (ValueError, UnsupportedAlgorithm):
            continue
        if key_id(key) != reference.key:
            continue
        with suppress(InvalidSignature):
            key.verify(bytes.fromhex(signature), statement(reference, site, table))
            return name
        raise ReferenceRejected(
            Why.BAD_SIGNATURE,
            f"the signature is not that of the key {name!r} for this: {reference.what} of table {table} at {site} with "
            "this hash, size, time and serial number",
        )
    raise ReferenceRejected(
        Why.UNKNOWN_KEY,
        f"the key {reference.key} is not one that this table trusts ({', '.join(keys) or 'it trusts none'}); the keys "
        "are in [updates] of its configuration",
    )


def allowed(address: str, prefixes: tuple[str, ...]) -> str:
    """The prefix that allows the address; `ReferenceRejected` if none does."""
    if _ADDRESS.fullmatch(address):
        for prefix in prefixes:
            if address.startswith(prefix):
                return prefix
    raise ReferenceRejected(
        Why.ADDRESS_NOT_ALLOWED, f"this table fetches only below {', '.join(prefixes) or 'no address'}"
    )
