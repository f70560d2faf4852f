"""Posts alerts to every Alertmanager that is configured, by its API (version 2), and ends those that are over.

Each alert is posted again every `resend_s`, with an end in the future: where nobody posts it any more, Alertmanager
takes it for over by itself. Several pages post the same alerts with the same labels, which are one alert there. A
problem that is over is posted with its end until every Alertmanager has taken it. One that is away is tried again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, datetime

import aiohttp
import msgspec
from msgspec import Struct

from floor.alerts.firing import Alert
from floor.page_settings import AlertSettings

log = logging.getLogger("cutcard.floor")

LOOK_EVERY_S = 1.0
_LASTS = 4
"""Posts that may be lost before Alertmanager takes an alert for over."""
_PATIENCE_S = 5.0

Key = tuple[tuple[str, str], ...]


class _Known(Struct):
    """What one Alertmanager has taken."""

    alerts: dict[Key, Alert]
    posted_at: float = 0.0
    is_away: bool = False


class Posting:
    """Posts what `alerts` returns, until it is cancelled."""

    def __init__(self, settings: AlertSettings, alerts: Callable[[], list[Alert]], clock: Callable[[], int]) -> None:
        self._settings, self._alerts, self._clock = settings, alerts, clock
        self._known = {url: _Known({}) for url in settings.urls}

    @property
    def away(self) -> list[str]:
        """Those that did not take the last post."""
        return [url for url, known in self._known.items() if known.is_away]

    async def run(self) -> None:
        if not self._known:
            return
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(_PATIENCE_S)) as session:
            while True:
                await asyncio.gather(*(self._post(session, url) for url in self._known))
                await asyncio.sleep(LOOK_EVERY_S)

    async def _post(self, session: aiohttp.ClientSession, url: str) -> None:
        """What is new or over at once; all of it again every so often."""
        known, loop = self._known[url], asyncio.get_running_loop()
        now = {tuple(sorted(alert.labels.items())): alert for alert in self._alerts()}
        over = [alert for key, alert in known.alerts.items() if key not in now]
        is_due = loop.time() - known.posted_at >= self._settings.resend_s
        new = [alert for key, alert in now.items() if is_due or known.alerts.get(key) != alert]
        if not (over or new):
            return
        body = [*(self._body(alert, is_over=True) for alert in over), *(self._body(alert) for alert in new)]
        try:
            address = f"{url.rstrip('/')}/api/v2/alerts"
            headers = {"Content-Type": "application/json"}
            async with session.post(address, data=msgspec.json.encode(body), headers=headers) as response:
                if response.status != 200:
                    raise aiohttp.ClientError(f"it answered {response.status}: {(await response.text())[:200]}")
        except (aiohttp.ClientError, TimeoutError) as error:
            if not known.is_away:
                log.error("the Alertmanager %s takes no alerts, and is tried again: %s", url, error or "no answer")
            known.is_away = True
            return
        if known.is_away:
            log.info("the Alertmanager %s takes alerts again", url)
        known.is_away, known.alerts = False, now
        if is_due:
            known.posted_at = loop.time()

    def _body(self, alert: Alert, *, is_over: bool = False) -> dict[str, object]:
        now = self._clock()
        lasts_ms = round(self._settings.resend_s * _LASTS * 1000)
        body: dict[str, object] = {
            "labels": alert.labels,
            "annotations": alert.annotations,
            "startsAt": _moment(min(alert.since, now)),
            "endsAt": _moment(now if is_over else now + lasts_ms),
        }
        if self._settings.page:
            where = f"table/{alert.table}" if alert.table else ""
            body["generatorURL"] = f"{self._settings.page.rstrip('/')}/{where}"
        return body


def _moment(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds")
