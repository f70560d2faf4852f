"""The firmware companion of one daemon: the register, the inventory, updates and the technician's socket."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from controller.config import FirmwareConfig
from controller.engine.actor import Actor
from controller.engine.alarms import TRUST
from controller.engine.inputs import DeviceSeen
from controller.firmware import control, trust
from controller.firmware.inventory import facts_of
from controller.firmware.signing import ImageError, public_key
from controller.firmware.trust import TrustError
from controller.firmware.updates import UpdateRefused, Updates
from controller.journal import JournalError
from controller.recorder.board_alarms import set_alarm
from controller.recorder.recorder import Recorder
from devices.link.authentication import DeviceVetted, Register, policy_of
from devices.link.companion import Accompanied
from devices.supervisor import Supervisor
from protocols.firmware.authentication import KEY_SIZE

log = logging.getLogger(__name__)


class FirmwareService:
    """What the daemon has to do with its devices' identity and firmware."""

    def __init__(
        self, config: FirmwareConfig, recorder: Recorder, supervisor: Supervisor, folder: Path, kinds: Mapping[str, str]
    ) -> None:
        """`folder`: the daemon's data. `TrustError`, `ImageError`: what is wrong with the register or the signers."""
        self._recorder, self._supervisor, self._folder, self._kinds = recorder, supervisor, folder, kinds
        self._keys = folder / trust.FILE
        self._vetted: dict[str, DeviceVetted] = {}
        for name, text in config.signers.items():
            public_key(name, text)
        self._register = Register(trust.load(self._keys), policy_of(config.trust, config.reactions))
        self.accompany(kinds)
        self._updates = Updates(
            recorder,
            supervisor,
            folder / "firmware",
            kinds=kinds,
            signers=config.signers,
            anti_rollback=config.anti_rollback,
            boot=self._boot_of,
            verified=self._accept_update,
        )

    def accompany(self, devices: Iterable[str]) -> None:
        """The drivers of these check their devices against our register."""
        for device in devices:
            driver = self._accompanied(device)
            if driver is not None:
                driver.companion.register = self._register

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Go on with what was under way, and take the technician's requests, while the block runs."""
        await self._updates.resume()
        try:
            async with control.listening(self._folder, self.answer):
                yield
        finally:
            await self._updates.stop()

    async def vetted(self, report: DeviceVetted) -> None:
        """A device was looked over: keep who it is for its next `DeviceSeen`, and flag what was found."""
        if not report.refused:
            self._vetted[report.device] = report
        text = f"{report.detail}; it is not used" if report.refused else report.detail
        await set_alarm(self._recorder, TRUST.of(report.device), text or None)

    def facts(self, device: str, known: Mapping[str, str]) -> dict[str, str]:
        """What is known of a device, with its own report from the last check."""
        vetted = self._vetted.get(device)
        return dict(known) if vetted is None else facts_of(vetted, known)

    async def answer(self, request: control.AnyRequest, image: bytes, by: Actor) -> AsyncIterator[control.Said]:
        """Carry out a technician's request."""
        try:
            match request:
                case control.Update():
                    running = await self._updates.start(request.device, image, by)
                    async for progress in running.transfer.changes():
                        yield control.Progress(progress.stage, progress.have, progress.size)
                    why = await running.outcome
                    version = running.signed.image.manifest.version
                    if why is None:
                        yield control.Done(True, f"{request.device} runs {version}; it was {running.before}.")
                    else:
                        text = f"{request.device} was not updated to {version}: {why}."
                        yield control.Done(False, text)
                case control.Enroll():
                    yield control.Done(True, await self._enroll(request.device, request.key, by))
                case control.Accept():
                    yield control.Done(True, await self._accept(request.device, by))
        except (UpdateRefused, ImageError, TrustError, JournalError) as refusal:
            yield control.Done(False, str(refusal))

    async def _enroll(self, device: str, key_hex: str | None, by: Actor) -> str:
        driver = self._expect_seen(device)
        seen = self._register.presented(device)
        assert seen is not None
        name = f"{seen.identity.model} {seen.identity.serial}"
        key = None
        if key_hex is not None:
            key = _key(key_hex)
            if not seen.proves(key):
                raise TrustError(
                    f"{name} on {device} does not know this key; nothing was changed. Is it another's card?"
                )
        for other, entry in self._register.enrolled.items():
            if other != device and (entry.model, entry.serial) == (seen.identity.model, seen.identity.serial):
                raise TrustError(f"{name} is enrolled as {other}; a device is in one place.")
        self._register.enroll(device, key)
        trust.save(self._keys, self._register.enrolled)
        await self._look_again(device, driver, by)
        how = "it has proved that it knows its key" if key is not None else "without a key: anybody can call itself so"
        return f"{name} is enrolled as {device}; {how}."

    async def _accept(self, device: str, by: Actor) -> str:
        driver = self._expect_seen(device)
        entry = self._register.accept(device)
        if entry is not None:
            trust.save(self._keys, self._register.enrolled)
        await self._look_again(device, driver, by)
        accepted = "its restart is" if entry is None else f"its restart and its firmware {entry.firmware} are"
        return f"{device}: {accepted} accepted."

    async def _look_again(self, device: str, driver: Accompanied, by: Actor) -> None:
        """Report at once what a technician changed; a device that is away reports when it is back."""
        vetted = driver.look_again()
        if vetted is None:
            return
        await self.vetted(vetted)
        known = self._recorder.engine.state.devices.get(device)
        if known is not None and (facts := self.facts(device, known.facts)) != known.facts:
            await self._recorder.submit(DeviceSeen(device, known.state, facts), by)

    def _boot_of(self, device: str) -> int | None:
        seen = self._register.presented(device)
        return None if seen is None else seen.identity.boot

    def _accept_update(self, device: str) -> None:
        entry = self._register.accept(device)
        if entry is not None:
            try:
                trust.save(self._keys, self._register.enrolled)
            except TrustError as error:
                # The device runs the new image all the same; after a restart it is a finding that somebody accepts.
                log.error("%s", error)

    def _expect_seen(self, device: str) -> Accompanied:
        if device not in self._kinds:
            raise TrustError(f"There is no device {device!r}; there are {', '.join(self._kinds) or 'none'}.")
        driver = self._accompanied(device)
        if driver is None:
            raise TrustError(f"{device} is a {self._kinds[device].replace('_', ' ')}, which cannot prove who it is.")
        if self._register.presented(device) is None:
            raise TrustError(f"{device} has not been seen since the daemon started. Plug it in and ask again.")
        return driver

    def _accompanied(self, device: str) -> Accompanied | None:
        driver = self._supervisor.driver(device, object)
        return driver if isinstance(driver, Accompanied) else None


def _key(text: str) -> bytes:
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != KEY_SIZE:
        raise TrustError(f"A device's key has {KEY_SIZE} bytes, given as {2 * KEY_SIZE} hex digits; this is none.")
    return key
