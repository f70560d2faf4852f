"""One reference from the request to its effect, at a table.

    request ─► may it be? ─► fetch ─► check hash ─► read ─► one journal entry with the answer ─► effect

Nothing is parsed before its signature and its hash are right, and nothing has an effect that is not in the journal.
What was read waits in the data folder until it is there. If the power goes between the entry and the effect, the next
start finds the file and the journal's hash of it, and finishes; a file that the journal does not know is removed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from controller import __version__
from controller.config import Config
from controller.contract.requests import UpdateRequest
from controller.contract.why import Why
from controller.durable_files import sync_folder
from controller.engine.actor import Actor
from controller.engine.inputs import Asked
from controller.engine.update_inputs import Reference, UpdateTaken, What
from controller.errors import UserError
from controller.journal import JournalError
from controller.operator.staff import FILE as STAFF
from controller.operator.staff import read_staff, write_staff
from controller.recorder.recorder import Outcome, Recorder
from controller.updates.broker_certificates import BrokerCertificates
from controller.updates.bundles import (
    MOST_TEXT,
    expect_config_text,
    expect_package,
    read_staff_bundle,
    staff_changes,
)
from controller.updates.fetching import Fetcher
from controller.updates.rejection import ReferenceRejected
from controller.updates.software import FOLDER, Paper, WaitingSoftware
from controller.updates.statement import allowed, expect_signed

log = logging.getLogger("cutcard.updates")

_MB = 2**20
_AHEAD_MS = 600_000
"""By how much the signer's clock may be ahead of ours."""
_FETCHED, _STAFF, _CERTIFICATE = "fetched", "staff.json.new", "certificate.new"


class ConfigTaker(Protocol):
    """Takes a configuration in place of the one in force."""

    async def take(self, text: str, reference: Reference, by: Actor, asked: Asked) -> Outcome: ...

    async def weigh(self, text: str) -> str:
        """What it would change, for people."""
        ...


class SignedUpdates:
    """The updates of one table."""

    def __init__(
        self,
        recorder: Recorder,
        data: Path,
        config: Callable[[], Config],
        configuration: ConfigTaker | None,
    ) -> None:
        """`configuration`: None for a table without a configuration file."""
        self._recorder, self._config, self._configuration = recorder, config, configuration
        self._folder, self._staff_file = data / FOLDER, data / STAFF
        self._fetched, self._new_staff = self._folder / _FETCHED, self._folder / _STAFF
        self._software = WaitingSoftware(data)
        self._certificates, self._new_certificate = BrokerCertificates(config), self._folder / _CERTIFICATE
        self._fetcher = Fetcher()

    async def take(self, what: What, request: UpdateRequest, by: Actor, asked: Asked) -> Outcome:
        """Fetch what a request names and use it. `ReferenceRejected`, `JournalError`: nothing was changed."""
        reference = _reference(what, request)
        signer = self._expect_lawful(reference, request.signature, asked.at)
        self._expect_between_rounds(what)
        log.info("%s, serial %d, signed by %s, is fetched for %s", what, reference.serial, signer, by.by)
        try:
            await self._fetch(reference)
            match what:
                case "staff":
                    return await self._take_staff(reference, by, asked)
                case "configuration":
                    return await self._take_configuration(reference, by, asked)
                case "software":
                    return await self._take_software(reference, request.signature, by, asked)
                case "certificate":
                    return await self._take_certificate(reference, by, asked)
        except OSError as error:
            raise self._cannot_keep(error) from None
        finally:
            self._fetched.unlink(missing_ok=True)

    async def preview(self, what: What, request: UpdateRequest, now: int) -> str:
        """What this would change, for people; it is checked like one that is taken. A round may be running."""
        reference = _reference(what, request)
        self._expect_lawful(reference, request.signature, now)
        try:
            await self._fetch(reference)
            match what:
                case "staff":
                    new = read_staff_bundle(await asyncio.to_thread(self._read, reference))
                    return staff_changes(read_staff(self._staff_file), new)
                case "configuration":
                    text = expect_config_text(await asyncio.to_thread(self._read, reference))
                    return await self._expect_configuration().weigh(text)
                case "software":
                    expect_package(self._fetched)
                    return f"A package of {reference.size:,} bytes would wait for a technician; {__version__} runs now."
                case "certificate":
                    await asyncio.to_thread(self._read, reference)
                    return (await asyncio.to_thread(self._certificates.judge, self._fetched))[1]
        except OSError as error:
            raise self._cannot_keep(error) from None
        finally:
            self._fetched.unlink(missing_ok=True)

    async def _fetch(self, reference: Reference) -> None:
        config = self._config()
        self._folder.mkdir(mode=0o700, exist_ok=True)
        spare = config.journal.stop_below_mb * _MB
        await self._fetcher.fetch(reference, config.updates, self._fetched, spare=spare)

    def _cannot_keep(self, error: OSError) -> ReferenceRejected:
        return ReferenceRejected(Why.CANNOT_WRITE, f"it cannot be kept in {self._folder}: {error.strerror}")

    async def finish(self) -> None:
        """At a start: use what is in the journal and was not used before the power went; remove the rest."""
        if self._new_staff.exists():
            data = await asyncio.to_thread(self._new_staff.read_bytes)
            if self._is_last("staff", sha256(data).hexdigest()):
                log.warning("the staff that came by reference is put in place now: the last run did not come to it")
                await asyncio.to_thread(self._use_staff, data)
            self._new_staff.unlink()
        if self._new_certificate.exists():
            digest = sha256(await asyncio.to_thread(self._new_certificate.read_bytes)).hexdigest()
            if self._is_last("certificate", digest):
                log.warning(
                    "the certificate that came by reference is put in place now: the last run did not come to it"
                )
                await self._use_certificate()
            self._new_certificate.unlink()
        try:
            paper = self._software.put_aside_before()
        except UserError:
            paper = None
        if paper is not None and self._is_last("software", paper.reference.sha256):
            self._software.offer()
        self._software.drop()
        self._fetched.unlink(missing_ok=True)

    def _is_last(self, what: What, digest: str) -> bool:
        last = self._recorder.engine.state.updates.get(what)
        return last is not None and last.sha256 == digest

    def _expect_lawful(self, reference: Reference, signature: str, now: int) -> str:
        """Who signed it; `ReferenceRejected` if it may not even be fetched."""
        config, state = self._config(), self._recorder.engine.state
        updates = config.updates
        if not (updates.keys and updates.addresses):
            raise ReferenceRejected(
                Why.NO_UPDATES, "this table takes no updates: its configuration has no keys and addresses in [updates]"
            )
        allowed(reference.address, updates.addresses)
        most = updates.max_mb * _MB if reference.what == "software" else MOST_TEXT
        if reference.size > most:
            raise ReferenceRejected(Why.WRONG_SIZE, f"{reference.what} may have at most {most} bytes here")
        signer = expect_signed(reference, signature, updates.keys, config.site, config.table)
        if not now - updates.max_age_hours * 3_600_000 <= reference.issued <= now + _AHEAD_MS:
            hours = f"{updates.max_age_hours} hours"
            text = (
                f"it was signed at {reference.issued}, and it is {now} here: a reference is good for {hours}. Sign anew"
            )
            raise ReferenceRejected(Why.NOT_RECENT, text)
        # The engine asks the same again when it is fetched.
        last = state.updates.get(reference.what)
        if last is not None and reference.serial <= last.serial:
            text = f"its serial number is {reference.serial}, and {last.serial} was taken before: it must be higher"
            raise ReferenceRejected(Why.OLD_SERIAL, text)
        return signer

    def _expect_between_rounds(self, what: What) -> None:
        if self._recorder.engine.is_dealing and what not in ("software", "certificate"):
            number = self._recorder.engine.state.rounds
            text = f"round {number} is running, and it may change between rounds only; send it again then"
            raise ReferenceRejected(Why.ROUND_RUNNING, text)

    def _read(self, reference: Reference) -> bytes:
        """The bytes that are used, which are those that were signed: hashed once more, as they are here."""
        data = self._fetched.read_bytes()
        if sha256(data).hexdigest() != reference.sha256:
            raise ReferenceRejected(Why.WRONG_HASH, "it changed on the board's own disk")
        return data

    async def _take_staff(self, reference: Reference, by: Actor, asked: Asked) -> Outcome:
        data = await asyncio.to_thread(self._read, reference)
        new = read_staff_bundle(data)
        text = staff_changes(read_staff(self._staff_file), new)
        self._fetched.replace(self._new_staff)
        sync_folder(self._folder)
        try:
            outcome = await self._recorder.submit(UpdateTaken(reference, text), by, asked=asked)
        except JournalError:
            self._new_staff.unlink()
            raise
        if outcome.refusal is None:
            await asyncio.to_thread(self._use_staff, data)
        self._new_staff.unlink()
        return outcome

    def _use_staff(self, data: bytes) -> None:
        write_staff(self._staff_file, read_staff_bundle(data))

    async def _take_configuration(self, reference: Reference, by: Actor, asked: Asked) -> Outcome:
        configuration = self._expect_configuration()
        text = expect_config_text(await asyncio.to_thread(self._read, reference))
        return await configuration.take(text, reference, by, asked)

    def _expect_configuration(self) -> ConfigTaker:
        if self._configuration is None:
            raise ReferenceRejected(Why.NO_UPDATES, "this table was started without a configuration file")
        return self._configuration

    async def _take_software(self, reference: Reference, signature: str, by: Actor, asked: Asked) -> Outcome:
        expect_package(self._fetched)
        self._software.put_aside(self._fetched, Paper(reference, signature, by.by))
        text = f"The package waits in {self._software.package}; `cutcard reference install` installs it, as root."
        try:
            outcome = await self._recorder.submit(UpdateTaken(reference, text), by, asked=asked)
        except JournalError:
            self._software.drop()
            raise
        if outcome.refusal is None:
            self._software.offer()
        else:
            self._software.drop()
        return outcome

    async def _take_certificate(self, reference: Reference, by: Actor, asked: Asked) -> Outcome:
        await asyncio.to_thread(self._read, reference)
        text = (await asyncio.to_thread(self._certificates.judge, self._fetched))[1]
        self._fetched.replace(self._new_certificate)
        sync_folder(self._folder)
        try:
            outcome = await self._recorder.submit(UpdateTaken(reference, text), by, asked=asked)
        except JournalError:
            self._new_certificate.unlink()
            raise
        if outcome.refusal is None:
            await self._use_certificate()
        self._new_certificate.unlink()
        return outcome

    async def _use_certificate(self) -> None:
        """What the journal has is put in place; where that fails now, the alarm before the old one expires remains."""
        try:
            await asyncio.to_thread(self._certificates.install, self._new_certificate)
        except (ReferenceRejected, UserError) as error:
            log.error("the certificate that came by reference cannot be put in place: %s", error)


def _reference(what: What, request: UpdateRequest) -> Reference:
    return Reference(what, request.address, request.size, request.sha256, request.issued, request.serial, request.key)
