"""Whether the device on a port is the one that belongs there.

The controller keeps a register: for each device of the config the model and serial number that was enrolled, its key,
and the firmware that was accepted. At the beginning of every session the device is looked over, and what does not fit
is a finding:

    unknown    nobody enrolled a device here
    swapped    another one answers than was enrolled
    cloned     it has the right serial number and does not know the key, or another port has the same serial number
    firmware   it runs another image than was accepted, and no update of ours put it there
    restart    it was powered up again while the daemon ran, and we had not asked for it
    unsealed   it knows its key and cannot seal its frames: something on the line could alter them

The site's policy says for each what follows: nothing, a flag for people to see, or that the device is not used. A flag
stays until somebody accepts what was found, or enrolls the device.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec.structs import replace

from protocols.firmware.authentication import Exchange, Response, same
from protocols.firmware.messages import FirmwareState
from protocols.link.identity import Identity
from protocols.values import Value

Finding = Literal["unknown", "swapped", "cloned", "firmware", "restart", "unsealed"]
Reaction = Literal["any", "flag", "refuse"]
Policy = Mapping[Finding, Reaction]

FINDINGS: tuple[Finding, ...] = ("unknown", "swapped", "cloned", "firmware", "restart", "unsealed")


def policy_of(trust: Reaction, exceptions: Mapping[Finding, Reaction] | None = None) -> Policy:
    """The same for every finding, but that a restart is only flagged where everything is refused.

    A device that was refused for a power dip would keep the table closed until somebody comes; a site that wants that
    says so among the exceptions.
    """
    policy: dict[Finding, Reaction] = dict.fromkeys(FINDINGS, trust)
    if trust == "refuse":
        policy["restart"] = "flag"
    return policy | dict(exceptions or {})


class Enrolled(Value, kw_only=True):
    """The device that belongs to an entry of the config."""

    HIDDEN = frozenset({"key"})
    model: str
    serial: str
    key: bytes | None = None
    """None for a device that cannot prove anything."""
    firmware: str | None = None
    image: str | None = None
    """The accepted version, and the image's id where the device reports it; None: any."""


class Presented(Value, kw_only=True):
    """What a device said at the beginning of a session."""

    identity: Identity
    exchange: Exchange | None
    """What its answer to the challenge was made over, if it answered."""
    response: Response | None
    firmware: FirmwareState | None

    def proves(self, key: bytes) -> bool:
        if self.exchange is None or self.response is None or self.response.holding == "no key":
            return False
        return same(self.response.mac, self.exchange.device_mac(key))

    @property
    def image(self) -> str | None:
        return None if self.firmware is None else self.firmware.image.hex()

    @property
    def is_guarded(self) -> bool:
        return self.response is not None and self.response.is_guarded

    @property
    def seals(self) -> bool:
        return self.response is not None and self.response.seals


class DeviceVetted(Value, kw_only=True):
    """A report: who a device says it is, what it has proved, what does not fit. In each session, before it is online.

    With `refused` it will not be online: nothing that it says is taken.
    """

    device: str
    model: str
    serial: str
    firmware: str
    bootloader: str | None
    """None, as the two that follow: the device does not report it."""
    hardware: int | None
    image: str | None
    security: int | None
    proved: bool
    findings: tuple[Finding, ...]
    detail: str
    """The findings in sentences; empty when there are none."""
    refused: bool


class Planned(Value):
    """What an update under way explains."""

    versions: frozenset[str]
    restarts: bool


class Register:
    """Who belongs where, and who is there. One for all devices of a table."""

    def __init__(self, enrolled: Mapping[str, Enrolled] | None = None, policy: Policy | None = None) -> None:
        self._enrolled = dict(enrolled or {})
        self._policy = policy if policy is not None else policy_of("any")
        self._presented: dict[str, Presented] = {}
        self._boots: dict[str, int] = {}
        """The power-up of each device that is known and explained."""
        self._present: dict[str, tuple[str, str]] = {}

    @property
    def enrolled(self) -> Mapping[str, Enrolled]:
        return self._enrolled

    @property
    def refuses_strangers(self) -> bool:
        """Whether nothing may be taken from a device before it was looked over."""
        return any(self._policy[finding] == "refuse" for finding in FINDINGS)

    def expects_proof(self, device: str) -> bool:
        """Whether this device was enrolled with a key, so that it can prove who it is."""
        entry = self._enrolled.get(device)
        return entry is not None and entry.key is not None

    def key_of(self, presented: Presented) -> bytes | None:
        """The key that this device has proved to know: ours is shown to nobody but its owner."""
        who = (presented.identity.model, presented.identity.serial)
        for entry in self._enrolled.values():
            if (entry.model, entry.serial) == who and entry.key is not None and presented.proves(entry.key):
                return entry.key
        return None

    def judge(self, device: str, presented: Presented, planned: Planned | None = None) -> DeviceVetted:
        """Check a device that has just sent its identity."""
        self._presented[device] = presented
        identity, firmware = presented.identity, presented.firmware
        found = self._findings(device, presented, planned)
        minded = {finding: text for finding, text in found.items() if self._policy[finding] != "any"}
        refused = any(self._policy[finding] == "refuse" for finding in minded)
        if not refused:
            self._present[device] = (identity.model, identity.serial)
            if "restart" not in minded:
                self._boots[device] = identity.boot
        return DeviceVetted(
            device=device,
            model=identity.model,
            serial=identity.serial,
            firmware=identity.firmware,
            bootloader=None if firmware is None else firmware.bootloader,
            hardware=None if firmware is None else firmware.hardware,
            image=presented.image,
            security=None if firmware is None else firmware.security,
            proved=self.key_of(presented) is not None,
            findings=tuple(minded),
            detail="; ".join(minded.values()),
            refused=refused,
        )

    def left(self, device: str) -> None:
        """The session is over."""
        self._present.pop(device, None)

    def presented(self, device: str) -> Presented | None:
        """What the device said last, in whatever session."""
        return self._presented.get(device)

    def enroll(self, device: str, key: bytes | None) -> Enrolled:
        """The device that was seen last is the one that belongs here, with this key; `KeyError` if none was seen."""
        seen = self._presented[device]
        entry = Enrolled(
            model=seen.identity.model,
            serial=seen.identity.serial,
            key=key,
            firmware=seen.identity.firmware,
            image=seen.image,
        )
        self._enrolled[device] = entry
        self._boots[device] = seen.identity.boot
        return entry

    def accept(self, device: str) -> Enrolled | None:
        """The restart, and the firmware of the device that is enrolled, are as they should be."""
        seen, entry = self._presented[device], self._enrolled.get(device)
        self._boots[device] = seen.identity.boot
        if entry is None or (seen.identity.model, seen.identity.serial) != (entry.model, entry.serial):
            return entry
        self._enrolled[device] = replace(entry, firmware=seen.identity.firmware, image=seen.image)
        return self._enrolled[device]

    def _findings(self, device: str, presented: Presented, planned: Planned | None) -> dict[Finding, str]:
        entry, identity = self._enrolled.get(device), presented.identity
        name = f"{identity.model} {identity.serial}"
        found: dict[Finding, str] = {}
        twins = [other for other, who in self._present.items() if who == (identity.model, identity.serial)]
        for twin in twins:
            if twin != device:
                found["cloned"] = f"{name} answers at {device} and at {twin} at the same time"
        if entry is None:
            found["unknown"] = f"nobody has enrolled {name} as {device}"
        elif (identity.model, identity.serial) != (entry.model, entry.serial):
            belongs = self._belongs(presented)
            found["swapped"] = f"{device} should be {entry.model} {entry.serial}, but {name} answers{belongs}"
        else:
            if entry.key is not None and not presented.proves(entry.key):
                found["cloned"] = f"what answers at {device} calls itself {name} and {_failed_to_prove(presented)}"
            elif entry.key is not None and not presented.seals:
                found["unsealed"] = f"{device} cannot seal its frames: something on the line could alter them"
            runs = (identity.firmware, presented.image)
            accepted = (entry.firmware or identity.firmware, entry.image or presented.image)
            if runs != accepted and not (planned is not None and identity.firmware in planned.versions):
                found["firmware"] = f"the firmware of {device} was {_image(*accepted)} and is {_image(*runs)}"
        restarts = planned is not None and planned.restarts
        if not restarts and self._boots.get(device, identity.boot) != identity.boot:
            found["restart"] = f"{device} was powered up again, and nobody had asked for it"
        return found

    def _belongs(self, presented: Presented) -> str:
        for other, entry in self._enrolled.items():
            if (entry.model, entry.serial) == (presented.identity.model, presented.identity.serial):
                return f", which belongs at {other}"
        return ", which nobody has enrolled"


def _failed_to_prove(presented: Presented) -> str:
    if presented.response is None:
        return "cannot answer a challenge"
    return "has no key" if presented.response.holding == "no key" else "does not know its key"


def _image(version: str, image: str | None) -> str:
    return version if image is None else f"{version} (image {image})"
