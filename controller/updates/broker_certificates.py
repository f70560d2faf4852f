"""A certificate that came by reference: for which of the table's brokers it is, and putting it in place.

The table looks for the key that waits for it. So a certificate can only be one that this board has asked for, and no
request has to say which broker it is about.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from controller.certificate_dates import end_of
from controller.certificates.table import TableCertificates, certificates_of, install, look_at
from controller.config import Config
from controller.contract.why import Why
from controller.errors import UserError
from controller.updates.bundles import expect_certificate
from controller.updates.rejection import ReferenceRejected


class BrokerCertificates:
    """Those of one table."""

    def __init__(self, config: Callable[[], Config]) -> None:
        self._config = config

    def judge(self, returned: Path) -> tuple[TableCertificates, str]:
        """The files that it belongs to, and what would change, for people; `ReferenceRejected` where it is not one that
        the broker will take."""
        public = expect_certificate(returned.read_bytes()).public_key()
        for files in self._all():
            try:
                waiting = files.read_key(files.next_key if files.next_key.exists() else files.key).public_key()
            except UserError:
                continue
            if waiting != public:
                continue
            try:
                certificate = look_at(files, returned)
            except UserError as error:
                raise ReferenceRejected(Why.BAD_BUNDLE, str(error)) from None
            if not os.access(files.certificate.parent, os.W_OK):
                text = f"the daemon may not write to {files.certificate.parent}"
                raise ReferenceRejected(Why.CANNOT_WRITE, text)
            until, before = certificate.not_valid_after_utc, end_of(files.certificate)
            was = "" if before is None else f"; the present one is good until {_date(before)}"
            return files, f"The table's certificate for the broker is good until {_date(until)}{was}."
        raise ReferenceRejected(
            Why.BAD_BUNDLE,
            "it belongs to no key of this table: sign the newest request that the table has published",
        )

    def install(self, returned: Path) -> None:
        """In place of the one in use. Done twice, it is done once."""
        files, _ = self.judge(returned)
        install(files, returned)

    def _all(self) -> list[TableCertificates]:
        config = self._config()
        found: dict[Path, TableCertificates] = {}
        for broker in config.mqtt.broker:
            try:
                files = certificates_of(config, Path(), broker.name)
            except UserError:
                continue  # a broker without certificates
            found.setdefault(files.certificate, files)
        return list(found.values())


def _date(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"
