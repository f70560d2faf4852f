"""What every driver on the device link does besides its own business: look the device over, give it new firmware.

One `Companion` per driver, over all its connections. The driver asks its questions first and gives it the answers
(kinds of their own, see `protocols.firmware.companion`); with the device's Identity it judges, and when the device is
in step it has commands of an update to send, one at a time like the driver's own.
"""

from __future__ import annotations

import logging
from typing import Protocol, runtime_checkable

from msgspec.structs import replace

from devices.driver import LinkTampered, WrongDevice
from devices.link.authentication import DeviceVetted, Planned, Presented, Register
from devices.link.firmware import Transfer
from devices.randomness import CHANCE
from protocols.errors import ProtocolError
from protocols.firmware import companion
from protocols.firmware.authentication import NONCE_SIZE, Challenge, Exchange, Proof, ProofState, Response
from protocols.firmware.image import Image
from protocols.firmware.messages import CHUNK_HEAD, FirmwareRequest, FirmwareState
from protocols.link.frames import MAX_PAYLOAD
from protocols.link.identity import Identity

log = logging.getLogger(__name__)


class NotTrusted(WrongDevice):
    """The device on the port is not one that this table takes anything from."""


@runtime_checkable
class Accompanied(Protocol):
    """A driver whose device can be looked over and updated: every one on the device link."""

    companion: Companion

    @property
    def is_online(self) -> bool: ...

    def update(self, image: Image, *, running: str) -> Transfer: ...

    def look_again(self) -> DeviceVetted | None: ...


class Companion:
    """One device's authentication and firmware, seen from its driver."""

    def __init__(self, device: str) -> None:
        self.register = Register()
        """Who belongs where; the same for all devices of a table."""
        self.transfer: Transfer | None = None
        """The update under way, or the last one."""
        self.is_waiting = False
        """Whether a command was sent whose answer has not come."""
        self._device = device
        self._begin()

    def _begin(self) -> None:
        self._challenge = b""
        self._response: Response | None = None
        self._firmware: FirmwareState | None = None
        self._identity: Identity | None = None
        self._has_shown = False
        self._asks_again = False
        self.is_waiting = False
        self.max_message = MAX_PAYLOAD
        """Bytes of the longest message in this session."""

    @property
    def must_judge_first(self) -> bool:
        """Whether nothing may be taken from the device yet."""
        return self._identity is None and (self.register.refuses_strangers or self.register.expects_proof(self._device))

    def questions(self) -> list[bytes]:
        """What to ask a device in a new session, before its Identity."""
        self._begin()
        self._challenge = CHANCE.get().randbytes(NONCE_SIZE)
        return [companion.encode(FirmwareRequest()), companion.encode(Challenge(nonce=self._challenge))]

    def received(self, data: bytes, now: float) -> None:
        """An answer to one of the questions, or to a command."""
        if not companion.CODEC.knows(data[0]):
            log.warning("%s sent a message of the unknown kind 0x%02x; it is ignored", self._device, data[0])
            return
        answer = companion.decode(data)
        match answer:
            case FirmwareState():
                self._expect_same_firmware(answer)
                self._firmware = answer
                if self.transfer is not None and self._identity is not None:
                    self.transfer.state_is(self._that_fits(answer), self._identity.firmware)
                self.is_waiting = False
            case Response() if self._identity is None and self._challenge:
                self._response = answer
            case ProofState(accepted=True):
                self.is_waiting = False
            case ProofState():
                raise NotTrusted(f"{self._device} does not believe that this controller knows its key")
            case _ if self.transfer is not None and self.is_waiting and companion.is_outcome(answer):
                self.transfer.answered(answer, now)
                self.is_waiting = False
            case _:
                raise ProtocolError(f"{self._device} sent a {type(answer).__name__} that nobody asked for")

    def judge(self, identity: Identity, data: bytes, device_class: int) -> DeviceVetted:
        """Who it is. `data` is the Identity as it came."""
        exchange = None
        if self._response is not None:
            exchange = Exchange(self._challenge, self._response.nonce, device_class, data, seals=self._response.seals)
        self._presented = Presented(
            identity=identity, exchange=exchange, response=self._response, firmware=self._firmware
        )
        vetted = self.register.judge(self._device, self._presented, self._planned)
        self._identity = identity
        return vetted

    def session_key(self) -> bytes | None:
        """The key with which the session is sealed; None where the device, or we, cannot."""
        if self._identity is None or not self._presented.seals:
            return None
        key, exchange = self.register.key_of(self._presented), self._presented.exchange
        return None if key is None or exchange is None else exchange.session_key(key)

    def question_again(self) -> bytes:
        """What to ask once more in a sealed session: the first answer came before, when it could still be altered."""
        self._asks_again = True
        return companion.encode(FirmwareRequest())

    def _expect_same_firmware(self, state: FirmwareState) -> None:
        if not self._asks_again:
            return
        self._asks_again = False
        before = self._presented.firmware
        if before is None or _lasting(before) != _lasting(state):
            raise LinkTampered("what the device reported of its firmware was altered before the session was sealed")

    def proof(self) -> bytes | None:
        """What to show the device before it is asked for more; `NotTrusted` if it wants one that we cannot give."""
        proof = self._proof()
        if proof is None and self._presented.is_guarded:
            raise NotTrusted(
                f"{self._device} speaks only to a controller that knows its key: `cutcard firmware enroll` gives it one"
            )
        return proof

    def in_step(self, vetted: DeviceVetted) -> None:
        """The device is judged and online: an update may go on."""
        if self.transfer is None or self._firmware is None:
            return
        strange = {"cloned", "swapped"}.intersection(vetted.findings)
        if strange:
            self.transfer.fail(vetted.detail)
        else:
            self.transfer.state_is(self._that_fits(self._firmware), vetted.firmware)

    def command(self, now: float) -> bytes | None:
        """The next command of an update, if it is time for one; it counts as sent."""
        if self.is_waiting:
            return None
        data = self._proof()
        transfer = self.transfer
        if data is None and transfer is not None and self._firmware is not None and now >= transfer.not_before:
            command = transfer.command
            data = None if command is None else companion.encode(command)
        self.is_waiting = data is not None
        return data

    @property
    def not_before(self) -> float:
        """The loop's time when there may be a command again, if none is due now."""
        return 0.0 if self.transfer is None or self.transfer.is_over else self.transfer.not_before

    @property
    def patience(self) -> float | None:
        """Seconds for the answer to the command under way, where it needs more than usual."""
        return self.transfer.patience if self.is_waiting and self.transfer is not None else None

    def gone(self) -> None:
        """The session is over."""
        self.register.left(self._device)
        if self.transfer is not None:
            self.transfer.gone()
        self._begin()

    def vetted_again(self) -> DeviceVetted | None:
        """The device checked again, after somebody enrolled or accepted something; None while it is away."""
        if self._identity is None:
            return None
        return replace(self.register.judge(self._device, self._presented, self._planned), refused=False)

    def _proof(self) -> bytes | None:
        """Once per session, as soon as we have the key."""
        if self._has_shown or self._identity is None:
            return None
        key, exchange = self.register.key_of(self._presented), self._presented.exchange
        if key is None or exchange is None:
            return None
        self._has_shown = True
        return companion.encode(Proof(mac=exchange.controller_mac(key)))

    def _that_fits(self, state: FirmwareState) -> FirmwareState:
        """The state of the device, with chunks that fit into a message of this session."""
        return replace(state, chunk=min(state.chunk, self.max_message - CHUNK_HEAD))

    @property
    def _planned(self) -> Planned | None:
        return None if self.transfer is None else self.transfer.planned


def _lasting(state: FirmwareState) -> tuple[str, int, int, bytes]:
    """What does not change within a handshake."""
    return state.bootloader, state.hardware, state.security, state.image
