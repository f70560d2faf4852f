"""Who is on the line: challenge and response with a key that one device and its controller share.

Both ends draw a nonce, and each proves with HMAC-SHA256 over both nonces and the device's identity that it knows the
key; the key itself never travels. The labels differ by direction, so that neither end's proof can be sent back as the
other's.

    >>> said = Exchange(challenge=bytes(16), nonce=bytes(16), device_class=1, identity=b"\\x81...")
    >>> said.device_mac(bytes(32)) == said.controller_mac(bytes(32))
    False
"""

from __future__ import annotations

import hmac
from typing import Literal

from construct import Bytes, Check, Int8ub, Mapping

from protocols.values import Value

KEY_SIZE = 32
NONCE_SIZE = 16
MAC_SIZE = 32

Holding = Literal["no key", "key", "guarded", "key and seal", "guarded and seal"]
"""What a device has of a key. Guarded: somebody has proved to know it once, so that now everybody must. Seal: it can
seal the session."""

HOLDING_BYTES: dict[Holding, int] = {
    "no key": 0,
    "key": 1,
    "guarded": 2,
    "key and seal": 3,
    "guarded and seal": 4,
}


class Challenge(Value, kw_only=True):
    """Controller: prove who you are."""

    nonce: bytes


class Response(Value, kw_only=True):
    """Device: I know the key. Without one `nonce` and `mac` are zeros."""

    holding: Holding
    nonce: bytes
    mac: bytes

    @property
    def is_guarded(self) -> bool:
        return self.holding in ("guarded", "guarded and seal")

    @property
    def seals(self) -> bool:
        return self.holding in ("key and seal", "guarded and seal")


class Proof(Value, kw_only=True):
    """Controller: so do I."""

    mac: bytes


class ProofState(Value, kw_only=True):
    """Device: whether it believes that, for the rest of the session."""

    accepted: bool


class Exchange(Value):
    """What both proofs are made over."""

    challenge: bytes
    """The controller's nonce."""
    nonce: bytes
    """The device's."""
    device_class: int
    identity: bytes
    """The device's Identity message, kind included."""
    seals: bool = False
    """The device has offered to seal the session. That is a part of what is proved: nobody on the line can take it
    back."""

    def device_mac(self, key: bytes) -> bytes:
        return self._mac(key, b"CCAUTH2D" if self.seals else b"CCAUTH1D")

    def controller_mac(self, key: bytes) -> bytes:
        return self._mac(key, b"CCAUTH2C" if self.seals else b"CCAUTH1C")

    def session_key(self, key: bytes) -> bytes:
        """What the frames of a sealed session are sealed with."""
        return self._mac(key, b"CCAUTH2S")

    def _mac(self, key: bytes, label: bytes) -> bytes:
        said = label + self.challenge + self.nonce + bytes((self.device_class,)) + self.identity
        return hmac.digest(key, said, "sha256")


def same(mac: bytes, other: bytes) -> bool:
    """Compares in constant time."""
    return hmac.compare_digest(mac, other)


_NOTHING = (bytes(NONCE_SIZE), bytes(MAC_SIZE))

LAYOUTS: dict[int, tuple[type[Challenge | Response | Proof | ProofState], list[object]]] = {
    0x03: (Challenge, ["nonce" / Bytes(NONCE_SIZE)]),
    0x83: (
        Response,
        [
            "holding" / Mapping(Int8ub, HOLDING_BYTES),
            "nonce" / Bytes(NONCE_SIZE),
            "mac" / Bytes(MAC_SIZE),
            "without a key there is nothing to prove"
            / Check(lambda this: this.holding != "no key" or (this.nonce, this.mac) == _NOTHING),
        ],
    ),
    0x04: (Proof, ["mac" / Bytes(MAC_SIZE)]),
    0x84: (ProofState, ["accepted" / Mapping(Int8ub, {False: 0, True: 1})]),
}
