"""One update at a time, never during a round, from the image to the event that it is verified.

    check the image ─► keep it on disk ─► FirmwareUpdate(started), which the engine refuses while a round is running
    ─► the transfer, over as many sessions as it takes ─► FirmwareUpdate(verified or failed) ─► forget the image

From the first of these inputs to the last no round begins. The image stays on disk in between: a daemon that is killed
goes on with the update when it is back, and the device reports from where.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.durable_files import replace_file
from controller.engine.actor import Actor
from controller.engine.inputs import FirmwareUpdate
from controller.engine.table.devices import firmware
from controller.firmware.fit import misfits
from controller.firmware.inventory import item_of
from controller.firmware.signing import ImageError, SignedImage, check
from controller.journal import JournalError
from controller.recorder.recorder import Recorder
from devices.link.companion import Accompanied
from devices.link.firmware import Transfer, UpdateFailed
from devices.supervisor import Supervisor

log = logging.getLogger(__name__)

GIVE_UP_AFTER = 180.0
"""Seconds without progress. Longer than two trials of a new image."""
WRITE_AGAIN_AFTER = 5.0
"""Seconds until an outcome that the journal could not take is offered to it again."""


Step = Literal["started", "verified", "failed"]


class UpdateRefused(Exception):
    """Why an update does not begin, in one paragraph."""


class Running(Struct):
    """An update under way."""

    device: str
    signed: SignedImage
    before: str
    transfer: Transfer
    outcome: asyncio.Future[str | None]
    """Done when the outcome is in the journal: why it failed, or None."""


class _Kept(Struct, frozen=True):
    """The header of the image in its file."""

    before: str
    by: Actor


class Updates:
    """The updates of one table."""

    def __init__(
        self,
        recorder: Recorder,
        supervisor: Supervisor,
        folder: Path,
        *,
        kinds: Mapping[str, str],
        signers: Mapping[str, str],
        anti_rollback: bool,
        boot: Callable[[str], int | None],
        verified: Callable[[str], None],
    ) -> None:
        """`folder`: where images wait. `boot`: the power-up in which a device was last.

        `verified`: called when a device has reported that it runs a new image.
        """
        self._recorder, self._supervisor, self._folder = recorder, supervisor, folder
        self._kinds, self._signers, self._anti_rollback = kinds, signers, anti_rollback
        self._boot_of, self._verified = boot, verified
        self._task: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()

    async def start(self, device: str, data: bytes, by: Actor) -> Running:
        """Begin an update; `UpdateRefused` or `ImageError` where it cannot be."""
        async with self._starting:
            signed = check(data, self._signers)
            before = self._expect_fit(device, signed)
            self._folder.mkdir(mode=0o700, exist_ok=True)
            kept = self._file(device)
            replace_file(kept, msgspec.json.encode(_Kept(before, by)) + b"\n" + data)
            try:
                outcome = await self._recorder.submit(self._input("started", device, signed, before), by)
            except JournalError as error:
                kept.unlink()
                raise UpdateRefused(f"The journal cannot take the update: {error}") from None
            if outcome.refusal is not None:
                kept.unlink()
                raise UpdateRefused(f"Not now: {outcome.refusal.text}.")
            return self._run(device, signed, before, by)

    async def resume(self) -> None:
        """Go on with what was under way when the daemon ended, and forget what was not."""
        under_way = firmware.updates_in(self._recorder.engine.state.stops)
        for device in under_way:
            try:
                head, _, data = self._file(device).read_bytes().partition(b"\n")
                kept = msgspec.json.decode(head, type=_Kept)
                signed = check(data, self._signers)
                self._driver(device)
            except (OSError, msgspec.MsgspecError, ImageError, UpdateRefused) as error:
                log.warning("the update of %s cannot go on: %s", device, error)
                text = "the daemon was restarted in mid-update and could not go on"
                await self._note(FirmwareUpdate(device, "failed", "", "", text=text), "board")
            else:
                log.info("the update of %s to %s goes on", device, signed.image.manifest.version)
                self._run(device, signed, kept.before, kept.by)
        for file in self._folder.glob("*.ccfw") if self._folder.is_dir() else ():
            if file.stem not in under_way:
                file.unlink()

    async def stop(self) -> None:
        """The daemon ends; the next one goes on."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def _run(self, device: str, signed: SignedImage, before: str, by: Actor) -> Running:
        transfer = self._driver(device).update(signed.image, running=before)
        running = Running(device, signed, before, transfer, asyncio.get_running_loop().create_future())
        self._task = asyncio.create_task(self._see_through(running, by), name=f"update of {device}")
        return running

    async def _see_through(self, running: Running, by: Actor) -> None:
        device, transfer = running.device, running.transfer
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(GIVE_UP_AFTER) as patience:
                async for _ in transfer.changes():
                    patience.reschedule(loop.time() + GIVE_UP_AFTER)
        except TimeoutError:
            transfer.fail(f"{device} made no progress for {GIVE_UP_AFTER:g} s")
        try:
            transfer.result()
        except UpdateFailed as failure:
            why: str | None = str(failure)
        else:
            why = None
            self._verified(device)
        version = running.signed.image.manifest.version
        log.info("the update of %s to %s: %s", device, version, why or "verified")
        step = self._input("verified" if why is None else "failed", device, running.signed, running.before)
        await self._note(replace(step, text=why or "", boot=self._boot(device)), by)
        self._file(device).unlink(missing_ok=True)
        running.outcome.set_result(why)

    async def _note(self, step: FirmwareUpdate, by: str | Actor) -> None:
        """Into the journal, however long that takes: until then no round begins."""
        while True:
            try:
                await self._recorder.submit(step, by)
                return
            except JournalError as error:
                log.warning("the end of the update of %s waits for the journal: %s", step.device, error)
                await asyncio.sleep(WRITE_AGAIN_AFTER)

    def _expect_fit(self, device: str, signed: SignedImage) -> str:
        """The version that the device has now."""
        driver = self._driver(device)
        if not driver.is_online:
            state = self._supervisor.states[device]
            raise UpdateRefused(f"{device} is {state.state.replace('_', ' ')}: {state.detail or 'no reason given'}.")
        item = item_of(device, self._kinds[device], self._recorder.engine.state.devices.get(device))
        found = misfits(signed.image, item, anti_rollback=self._anti_rollback)
        if found:
            raise UpdateRefused(f"This image is not for {device}: {'; '.join(found)}.")
        assert item.firmware is not None
        return item.firmware

    def _driver(self, device: str) -> Accompanied:
        if device not in self._kinds:
            raise UpdateRefused(f"There is no device {device!r}; there are {', '.join(self._kinds) or 'none'}.")
        driver = self._supervisor.driver(device, object)
        if isinstance(driver, Accompanied):
            return driver
        kind = self._kinds[device].replace("_", " ")
        raise UpdateRefused(f"{device} is a {kind}, which takes no firmware over its line.")

    def _boot(self, device: str) -> str:
        boot = self._boot_of(device)
        return "" if boot is None else f"{boot:08x}"

    def _file(self, device: str) -> Path:
        return self._folder / f"{device}.ccfw"

    @staticmethod
    def _input(step: Step, device: str, signed: SignedImage, before: str) -> FirmwareUpdate:
        image = signed.image
        return FirmwareUpdate(device, step, image.manifest.version, before, image.id.hex(), signed.signer)
