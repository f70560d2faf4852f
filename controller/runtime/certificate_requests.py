"""What the table publishes about its certificates for the brokers, and the request for the next one in good time.

`certificates.renew_days` before one expires the next key is made here, beside the one in use, and never leaves the
board. Its request is published, signed by the board, until the certificate for it has come (`updates/`) or is installed
by hand. docs/operations/renewal.md is the page.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NoReturn, Protocol

from controller.board_key import BoardKey
from controller.certificate_dates import end_of
from controller.certificates.published import PURPOSE, PublishedCertificate
from controller.certificates.table import certificates_of, waiting_request
from controller.clock import Clock
from controller.config import Config
from controller.config.broker import CREDENTIAL
from controller.errors import UserError

log = logging.getLogger("cutcard.certificates")

LOOK_EVERY_S = 60.0


class Journaled(Protocol):
    """The journal, as far as a document names it."""

    @property
    def id(self) -> str: ...

    @property
    def site(self) -> str: ...

    @property
    def table(self) -> str: ...


class CertificateRequests:
    """Those of one table."""

    def __init__(
        self,
        journal: Journaled,
        board: BoardKey,
        clock: Clock,
        config: Callable[[], Config],
        publish: Callable[[str, bytes], None],
    ) -> None:
        """`config`: as it is in force now; `publish` takes a broker's name and the document."""
        self._journal, self._board, self._clock, self._config = journal, board, clock, config
        self._publish = publish
        self._problem = ""

    async def run(self) -> NoReturn:
        while True:
            await self.look()
            await asyncio.sleep(LOOK_EVERY_S)

    async def look(self) -> None:
        """Publish what there is, and make what is missing."""
        for document in await asyncio.to_thread(self._documents):
            self._publish(document.broker, self._board.signed_document(PURPOSE, document))

    def _documents(self) -> list[PublishedCertificate]:
        config, found = self._config(), []
        for broker in config.mqtt.broker:
            cert = None if broker.tls is None else broker.tls.cert
            end = None if cert is None else end_of(Path(cert))
            if end is not None:
                request = self._request(config, broker.name, end)
                journal, expires_at = self._journal, int(end.timestamp() * 1000)
                place = journal.id, journal.site, journal.table, broker.name
                found.append(PublishedCertificate(*place, expires_at, request, self._board.public))
        return found

    def _request(self, config: Config, broker: str, end: datetime) -> str | None:
        """The request for the next one; None where none is due, or none can be made here."""
        days = config.certificates.renew_days
        if not days or end - datetime.fromtimestamp(self._clock.now_ms() / 1000, UTC) > timedelta(days=days):
            return None
        try:
            files = certificates_of(config, Path(), broker)
            if str(files.key).startswith(CREDENTIAL):
                return None  # who gave it to systemd renews it
            return waiting_request(files).decode()
        except UserError as error:
            if str(error) != self._problem:
                log.warning(
                    "the certificate for the broker %s expires on %s, and no request for the next one can be made: %s",
                    broker,
                    f"{end:%Y-%m-%d}",
                    error,
                )
            self._problem = str(error)
            return None
