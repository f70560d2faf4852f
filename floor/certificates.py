"""The floor's own certificates: a warning before one expires, in the log, on the page and by Alertmanager.

The files are read again every minute: one that was renewed is good at once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import NoReturn

from controller.certificate_dates import WARN_DAYS, expiring, keep_warning
from floor.config import FloorConfig

log = logging.getLogger("cutcard.floor")

LOOK_EVERY_S = 60.0


class Certificates:
    """Those of collector and page, for the brokers and for the page's own address."""

    def __init__(self, files: Sequence[Path]) -> None:
        self._files = files
        self.soon = self._look()
        """Those that expire within thirty days, or have expired: since when that is so, in milliseconds, and a
        sentence."""

    @classmethod
    def of(cls, config: FloorConfig) -> Certificates:
        tls = [broker.tls for broker in (*config.brokers, *config.page_brokers()) if broker.tls is not None]
        named = [*(each.cert for each in tls), config.page.certificate]
        return cls([Path(name) for name in dict.fromkeys(named) if name is not None])

    async def run(self) -> NoReturn:
        logging_them = asyncio.create_task(keep_warning(self._files, log.warning))
        try:
            while True:
                await asyncio.sleep(LOOK_EVERY_S)
                self.soon = self._look()
        finally:
            logging_them.cancel()

    def _look(self) -> tuple[tuple[int, str], ...]:
        begun = ((end - timedelta(days=WARN_DAYS), text) for end, text in expiring(self._files))
        return tuple((int(since.timestamp() * 1000), text) for since, text in begun)
