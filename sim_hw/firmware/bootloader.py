"""The simulated bootloader: two slots, one of them always whole, whatever the power does.

It does what docs/protocols/firmware.md asks of one. All it knows across a power cut is in its flash: the image files in
the slots, and a log whose last whole record has its state. A power cut (`flash.cut_power_after`) comes out of any
method as `PowerCut`; the owner of the device then lets it boot again.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import IntEnum
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from protocols.errors import ProtocolError
from protocols.firmware import image as images
from protocols.firmware import messages as wire
from protocols.firmware.image import HEAD_SIZE, SIGNED_SIZE, Image, Manifest, id_of
from sim_hw.firmware.flash import Flash

VERSION = "1.0.2"
CAPACITY = 64 * 1024
CHUNK = 224


class _Mark(IntEnum):
    """The state of an update, as in the log."""

    IDLE = 0
    RECEIVING = 1
    VERIFIED = 2
    ARMED = 3
    """The next start is the trial."""
    TRIED = 4
    REVERTED = 5


_PHASES: dict[_Mark, wire.Phase] = {
    _Mark.IDLE: "idle",
    _Mark.RECEIVING: "receiving",
    _Mark.VERIFIED: "verified",
    _Mark.ARMED: "verified",
    _Mark.TRIED: "trial",
    _Mark.REVERTED: "reverted",
}
_RECORD = struct.Struct(">BB8sIIII")


@dataclass(frozen=True, slots=True)
class _State:
    """One record of the log."""

    active: int
    active_size: int
    security: int
    mark: _Mark = _Mark.IDLE
    update: bytes = wire.NO_UPDATE
    size: int = 0
    have: int = 0

    def pack(self) -> bytes:
        sizes = (self.active_size, self.security, self.size, self.have)
        return _RECORD.pack(self.active, self.mark, self.update, *sizes)

    @classmethod
    def unpack(cls, record: bytes) -> _State:
        active, mark, update, active_size, security, size, have = _RECORD.unpack(record)
        return cls(active, active_size, security, _Mark(mark), update, size, have)

    def idle(self) -> _State:
        return _State(self.active, self.active_size, self.security)

    @property
    def other(self) -> int:
        return 1 - self.active


class Bootloader:
    """The bootloader of one device, with the image that it left the factory with."""

    def __init__(
        self,
        factory: bytes,
        *,
        hardware: int = 1,
        signers: Iterable[Ed25519PublicKey] = (),
        capacity: int = CAPACITY,
        chunk: int = CHUNK,
    ) -> None:
        self.flash = Flash(capacity)
        self.hardware = hardware
        self.chunk = chunk
        self._signers: dict[bytes, Ed25519PublicKey] = {}
        for signer in signers:
            self.trust(signer)
        self._fails_to_start = False
        self.flash.program(0, 0, factory)
        self._note(_State(active=0, active_size=len(factory), security=images.unpack(factory).manifest.security))
        self.boot()

    def trust(self, signer: Ed25519PublicKey) -> None:
        """Burn in a key whose images the device takes."""
        self._signers[id_of(signer.public_bytes_raw())] = signer

    def fail_next_trial(self) -> None:
        """The next new image will not come up."""
        self._fails_to_start = True

    @property
    def running(self) -> Manifest:
        return images.parse_head(self.running_file)[0]

    @property
    def running_file(self) -> bytes:
        """The image in whose program the device is."""
        now = self._state
        if self.in_trial:
            return self.flash.read(now.other, now.size)
        return self.flash.read(now.active, now.active_size)

    @property
    def in_trial(self) -> bool:
        return self._state.mark is _Mark.TRIED

    @property
    def security(self) -> int:
        return self._state.security

    def boot(self) -> None:
        """Power-up: which image runs from here on, and whether it comes up."""
        self.hangs = False
        record = self.flash.last_record()
        assert record is not None
        self._state = _State.unpack(record)
        match self._state.mark:
            case _Mark.ARMED:
                self._note(replace(self._state, mark=_Mark.TRIED))
                self.hangs, self._fails_to_start = self._fails_to_start, False
            case _Mark.TRIED:
                self._note(replace(self._state, mark=_Mark.REVERTED))

    def state(self) -> wire.FirmwareState:
        now = self._state
        return wire.FirmwareState(
            bootloader=VERSION,
            hardware=self.hardware,
            security=now.security,
            image=id_of(self.running_file),
            phase=_PHASES[now.mark],
            update=now.update,
            size=now.size,
            have=now.have,
            chunk=self.chunk,
        )

    def commanded(self, command: wire.Command, *, is_proved: bool, is_busy: bool) -> wire.Outcome:
        """Do as the controller says, or say why not."""
        update, now = command.update, self._state
        refused: wire.Refusal | None = None if is_proved else "not proved"
        if refused is None and update != now.update and not isinstance(command, wire.UpdateBegin | wire.UpdateConfirm):
            refused = "other update"
        match command:
            case wire.UpdateBegin():
                refused = refused or self._begin(command)
                return wire.UpdateBegun(update=update, have=0 if refused else self._state.have, refused=refused)
            case wire.UpdateChunk():
                refused = refused or self._take(command)
                have = self._state.have if self._state.update == update else 0
                return wire.UpdateHave(update=update, have=have, refused=refused)
            case wire.UpdateVerify():
                return wire.UpdateVerified(update=update, refused=refused or self._verify())
            case wire.UpdateActivate():
                return wire.UpdateActivating(update=update, refused=refused or self._activate(is_busy=is_busy))
            case wire.UpdateConfirm():
                return wire.UpdateConfirmed(update=update, refused=refused or self._confirm(update))

    def _begin(self, begin: wire.UpdateBegin) -> wire.Refusal | None:
        now = self._state
        if now.mark is _Mark.TRIED:
            return "in trial"
        if begin.size > self.flash.capacity:
            return "no room"
        if begin.size <= HEAD_SIZE:
            return "no image"
        if (now.update, now.size) == (begin.update, begin.size):
            return None
        self._note(now.idle())
        self.flash.erase(now.other)
        self._note(replace(now.idle(), mark=_Mark.RECEIVING, update=begin.update, size=begin.size))
        return None

    def _take(self, chunk: wire.UpdateChunk) -> wire.Refusal | None:
        now = self._state
        end = chunk.offset + len(chunk.data)
        if end <= now.have:
            return None
        if chunk.offset != now.have:
            return "gap"
        if end > now.size:
            return "no image"
        self.flash.program(now.other, chunk.offset, chunk.data)
        if now.have < HEAD_SIZE <= end:
            wrong = self._head_problem()
            if wrong is not None:
                self._note(now.idle())
                return wrong
        self._note(replace(now, have=end))
        return None

    def _verify(self) -> wire.Refusal | None:
        now = self._state
        if now.mark is not _Mark.RECEIVING:
            return None
        if now.have < now.size:
            return "gap"
        wrong = self._head_problem()
        payload = self.flash.read(now.other, now.size)[HEAD_SIZE:]
        if wrong is None and sha256(payload).digest() != self._manifest().sha256:
            wrong = "bad digest"
        self._note(now.idle() if wrong else replace(now, mark=_Mark.VERIFIED))
        return wrong

    def _activate(self, *, is_busy: bool) -> wire.Refusal | None:
        match self._state.mark:
            case _Mark.RECEIVING:
                return "not verified"
            case _Mark.TRIED:
                return "in trial"
        if is_busy:
            return "busy"
        if self._manifest().security < self._state.security:
            return "rolled back"
        self._note(replace(self._state, mark=_Mark.ARMED))
        return None

    def _confirm(self, update: bytes) -> wire.Refusal | None:
        now = self._state
        if not self.in_trial and id_of(self.running_file) == update:
            return None
        if now.update != update:
            return "other update"
        if not self.in_trial:
            return "not verified"
        security = max(now.security, self._manifest().security)
        self._note(_State(active=now.other, active_size=now.size, security=security))
        return None

    def _manifest(self) -> Manifest:
        """Of the image in the other slot, whose head was found good."""
        return images.parse_head(self.flash.read(self._state.other, HEAD_SIZE))[0]

    def _head_problem(self) -> wire.Refusal | None:
        now = self._state
        head = self.flash.read(now.other, HEAD_SIZE)
        try:
            manifest, signature = images.parse_head(head)
        except ProtocolError:
            return "no image"
        ours = self.running
        if manifest.size != now.size - HEAD_SIZE:
            return "no image"
        if (manifest.device_class, manifest.model) != (ours.device_class, ours.model):
            return "other device"
        if not manifest.hardware_from <= self.hardware <= manifest.hardware_to:
            return "other hardware"
        if manifest.key_id not in self._signers:
            return "unknown signer"
        try:
            self._signers[manifest.key_id].verify(signature, head[:SIGNED_SIZE])
        except InvalidSignature:
            return "bad signature"
        return "rolled back" if manifest.security < now.security else None

    def _note(self, state: _State) -> None:
        self.flash.note(state.pack())
        self._state = state


def factory_image(*, device_class: int, model: str, version: str) -> Image:
    """What a device comes with from the factory: put there by hand, so nobody had to sign it."""
    payload = f"{model} {version}\n".encode()
    manifest = Manifest(
        device_class=device_class,
        hardware_from=0,
        hardware_to=0xFFFF,
        security=0,
        size=len(payload),
        model=model,
        version=version,
        sha256=sha256(payload).digest(),
        key_id=bytes(images.ID_SIZE),
    )
    return images.pack(manifest, bytes(images.SIGNATURE_SIZE), payload)
