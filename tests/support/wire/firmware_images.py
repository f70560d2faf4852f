"""Signed images for tests, and keys that exist only while they run."""

from __future__ import annotations

import random

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.firmware.signing import sign
from protocols import shoe
from protocols.firmware.image import Image

VENDOR = Ed25519PrivateKey.generate()
STRANGER = Ed25519PrivateKey.generate()
DEVICE_KEY = bytes(range(32))


def public_hex(key: Ed25519PrivateKey = VENDOR) -> str:
    return key.public_key().public_bytes_raw().hex()


def an_image(
    version: str = "1.1.0",
    *,
    size: int = 2000,
    model: str = "SIM-SHOE",
    device_class: int = shoe.DEVICE_CLASS,
    hardware: tuple[int, int] = (1, 3),
    security: int = 0,
    key: Ed25519PrivateKey = VENDOR,
) -> Image:
    """Firmware whose payload is noise from its version."""
    payload = random.Random(version).randbytes(size)
    return sign(
        payload, key, device_class=device_class, model=model, version=version, hardware=hardware, security=security
    )
