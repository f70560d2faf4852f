"""The table's own certificates, for the broker and for the page: an alarm in the journal before one expires.

Nobody looks at a certificate that works. A table whose certificate has expired plays on, but the broker takes no new
connection of it, and a tablet shows a warning instead of the console. So the alarm comes days before
(`certificates.warn_days`), once, with the date in it, and once more when the date has passed.

Before that the next certificate is requested: `certificate_requests.py`.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NoReturn

from controller.certificate_dates import end_of, expires_text
from controller.clock import Clock
from controller.config import Config
from controller.engine import alarms
from controller.engine.alarms import AlarmKind
from controller.journal import JournalError
from controller.recorder.board_alarms import set_alarm
from controller.recorder.recorder import Recorder

LOOK_EVERY_S = 60.0


class CertificateWatch:
    """The alarms about the certificates that the configuration names."""

    def __init__(self, recorder: Recorder, clock: Clock, config: Callable[[], Config]) -> None:
        """`config`: as it is in force now."""
        self._recorder, self._clock, self._config = recorder, clock, config

    async def watch(self) -> NoReturn:
        while True:
            with contextlib.suppress(JournalError):
                await self.look()
            await asyncio.sleep(LOOK_EVERY_S)

    async def look(self) -> None:
        """Raise an alarm for a certificate that expires soon; clear it for one that was renewed or is used no more.

        A file that cannot be read changes nothing: its user reports that, and it proves no renewal.
        """
        config = self._config()
        for kind, files in certificates_of(config).items():
            ends = [end_of(file) for file in files]
            if None not in ends:
                soon = self._soon([(end, file) for end, file in zip(ends, files, strict=True) if end is not None])
                await set_alarm(self._recorder, kind.of(), soon)

    def _soon(self, ends: list[tuple[datetime, Path]]) -> str | None:
        """What the alarm states about the first to expire; None: all are good for long enough."""
        now = datetime.fromtimestamp(self._clock.now_ms() / 1000, UTC)
        end, file = min(ends, default=(None, None))
        if end is None or file is None or end - now > timedelta(days=self._config().certificates.warn_days):
            return None
        return expires_text(file, end, now)


def certificates_of(config: Config) -> dict[AlarmKind, list[Path]]:
    """The files of this table's own certificates, by the alarm that is about them."""
    brokers = [broker.tls.cert for broker in config.mqtt.broker if broker.tls is not None and broker.tls.cert]
    return {
        alarms.BROKER_CERTIFICATE: [Path(cert) for cert in dict.fromkeys(brokers)],
        alarms.PAGE_CERTIFICATE: [Path(config.web.certificate)] if config.web.certificate else [],
    }
