"""The messages that keep a device honest and current, the same for every device on the link.

Kinds 0x03 to 0x0f and their answers 0x83 to 0x8f are theirs alone, so they have a codec of their own beside each
device's: `is_companion` says to whom a message belongs.
"""

from __future__ import annotations

from typing import TypeGuard, get_args

from protocols.firmware import authentication, messages
from protocols.firmware.authentication import Challenge, Proof, ProofState, Response
from protocols.firmware.messages import Command, FirmwareRequest, FirmwareState, Outcome
from protocols.link import locate
from protocols.link.locate import Blink
from protocols.link.messages import Codec

Request = Challenge | Proof | FirmwareRequest | Command | Blink
Answer = Response | ProofState | FirmwareState | Outcome
Message = Request | Answer

REQUESTS = range(0x03, 0x10)
ANSWERS = range(0x83, 0x90)

CODEC: Codec[Message] = Codec({**authentication.LAYOUTS, **messages.LAYOUTS, **locate.LAYOUTS})


def is_companion(data: bytes) -> bool:
    """Whether these bytes are for this codec and not for the device's own."""
    return bool(data) and (data[0] in REQUESTS or data[0] in ANSWERS)


def is_command(message: Message) -> TypeGuard[Command]:
    """Whether it is one that changes an update's state."""
    return isinstance(message, get_args(Command))


def is_outcome(message: Message) -> TypeGuard[Outcome]:
    """Whether it answers such a command."""
    return isinstance(message, get_args(Outcome))


def encode(message: Message) -> bytes:
    return CODEC.encode(message)


def decode(data: bytes) -> Message:
    """The message in these bytes; `ProtocolError` says why there is none."""
    return CODEC.decode(data)
