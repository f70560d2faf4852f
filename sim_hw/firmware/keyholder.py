"""The device's end of the authentication: docs/protocols/firmware.md, section 2."""

from __future__ import annotations

import random

from protocols.firmware import authentication as wire


class Keyholder:
    """What a device knows of a key. Without one at first: give it a `key`."""

    def __init__(self, rng: random.Random) -> None:
        """`rng`: the nonces."""
        self._rng = rng
        self.key: bytes | None = None
        self.seals = True
        """Whether its firmware can seal a session; what was made before that could not."""
        self.is_guarded = False
        """Outlives the power."""
        self.is_proved = False
        self._exchange: wire.Exchange | None = None

    @property
    def is_closed(self) -> bool:
        """Whether the device has nothing to say to this controller yet."""
        return self.is_guarded and not self.is_proved

    @property
    def takes_updates(self) -> bool:
        return self.key is None or self.is_proved

    def session_began(self) -> None:
        self.is_proved = False
        self._exchange = None

    def challenged(self, challenge: wire.Challenge, device_class: int, identity: bytes) -> wire.Response:
        if self.key is None:
            return wire.Response(holding="no key", nonce=bytes(wire.NONCE_SIZE), mac=bytes(wire.MAC_SIZE))
        nonce = self._rng.randbytes(wire.NONCE_SIZE)
        self._exchange = wire.Exchange(challenge.nonce, nonce, device_class, identity, seals=self.seals)
        holding: wire.Holding = "guarded" if self.is_guarded else "key"
        if self.seals:
            holding = "guarded and seal" if self.is_guarded else "key and seal"
        return wire.Response(holding=holding, nonce=self._exchange.nonce, mac=self._exchange.device_mac(self.key))

    @property
    def session_key(self) -> bytes | None:
        """With which the controller may seal this session, after a Response that offered it."""
        if self.key is None or self._exchange is None or not self.seals:
            return None
        return self._exchange.session_key(self.key)

    def shown(self, proof: wire.Proof, *, is_sealed: bool = False) -> wire.ProofState:
        """Where sealing was offered, only a sealed Proof counts."""
        exchange, self._exchange = self._exchange, None
        if exchange is not None and exchange.seals and not is_sealed:
            return wire.ProofState(accepted=False)
        if self.key is None or exchange is None or not wire.same(proof.mac, exchange.controller_mac(self.key)):
            return wire.ProofState(accepted=False)
        self.is_proved = self.is_guarded = True
        return wire.ProofState(accepted=True)

    def switch_inside(self) -> None:
        """Somebody has opened the housing and pressed the switch."""
        self.is_guarded = False
