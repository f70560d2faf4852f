"""Images and who signed them.

An image (`protocols.firmware.image`) is signed with Ed25519. The site's configuration names the public keys whose
images it takes; each device checks for itself with the keys that were burnt into it. A private key is a PEM file (PKCS
8, as `openssl genpkey -algorithm ed25519` writes it) that only its owner can read (`controller.board_key.read_key`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from controller.errors import UserError
from protocols.errors import ProtocolError
from protocols.firmware import image as images
from protocols.firmware.image import Image, Manifest, id_of


class ImageError(UserError):
    """Why an image, or a key, cannot be used, in one paragraph."""


class SignedImage(Struct, frozen=True):
    """An image that a key of the site has signed."""

    image: Image
    signer: str
    """The key's name in the configuration."""


def check(data: bytes, signers: Mapping[str, str]) -> SignedImage:
    """The image in these bytes; `ImageError` unless it is whole and signed by one of these public keys (hex)."""
    try:
        image = images.unpack(data)
    except ProtocolError as error:
        raise ImageError(f"This is no firmware image: {error}.") from None
    for name, text in signers.items():
        key = public_key(name, text)
        if id_of(key.public_bytes_raw()) == image.manifest.key_id:
            with suppress(InvalidSignature):
                key.verify(image.signature, image.signed)
                return SignedImage(image, name)
            raise ImageError(f"The image claims to be signed by {name!r}, and is not: do not use it.")
    known = ", ".join(signers) or "none"
    raise ImageError(
        f"The image is signed with the key {image.manifest.key_id.hex()}, which is none of this site's (they are: "
        f"{known}). If its maker is to be trusted, add the public key under [firmware.signers] in the config."
    )


def sign(
    payload: bytes,
    key: Ed25519PrivateKey,
    *,
    device_class: int,
    model: str,
    version: str,
    hardware: tuple[int, int] = (0, 0xFFFF),
    security: int = 0,
) -> Image:
    """Make an image of a payload; `ImageError` where something does not fit its head."""
    manifest = Manifest(
        device_class=device_class,
        hardware_from=hardware[0],
        hardware_to=hardware[1],
        security=security,
        size=len(payload),
        model=model,
        version=version,
        sha256=sha256(payload).digest(),
        key_id=id_of(key.public_key().public_bytes_raw()),
    )
    try:
        return images.pack(manifest, key.sign(images.encode_manifest(manifest)), payload)
    except ProtocolError as error:
        raise ImageError(f"No image can be made of this: {error}.") from None


def public_key(name: str, text: str) -> Ed25519PublicKey:
    """The key that the configuration gives as 64 hex digits."""
    try:
        return Ed25519PublicKey.from_public_bytes(bytes.fromhex(text))
    except (ValueError, UnsupportedAlgorithm):
        raise ImageError(
            f"[firmware.signers] {name}: {text!r} is no Ed25519 public key; give its 32 bytes as 64 hex digits, as "
            "`cutcard firmware keygen` prints them."
        ) from None


_NUMBERED = re.compile(r"\d+(\.\d+)*")


def is_older(version: str, than: str) -> bool | None:
    """Whether a version comes before another; None where they are not both numbers with dots.

    >>> is_older("1.9.0", "1.10"), is_older("2.0", "2.0.0"), is_older("2.1-rc", "2.1")
    (True, False, None)
    """
    if not (_NUMBERED.fullmatch(version) and _NUMBERED.fullmatch(than)):
        return None
    ours, theirs = ([int(part) for part in text.split(".")] for text in (version, than))
    length = max(len(ours), len(theirs))
    return ours + [0] * (length - len(ours)) < theirs + [0] * (length - len(theirs))
