"""Until when certificates are good, and a sentence for people before one expires."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NoReturn

from cryptography import x509

LOOK_EVERY_S = 86_400.0
WARN_DAYS = 30
"""Time before one expires at which it is reported, where no setting states another."""


def end_of(file: Path) -> datetime | None:
    """Until when it is good; of a chain, the first to end counts. None where it cannot be read."""
    try:
        return min(one.not_valid_after_utc for one in x509.load_pem_x509_certificates(file.read_bytes()))
    except (OSError, ValueError):
        return None


def expires_text(file: Path, end: datetime, now: datetime) -> str:
    verb = "expires" if now < end else "expired"
    return f"the certificate {file.name} {verb} on {end:%Y-%m-%d at %H:%M} UTC"


def expiring(files: Iterable[Path], now: datetime | None = None, days: int = WARN_DAYS) -> list[tuple[datetime, str]]:
    """Those that expire within this number of days, or have expired: when, and the sentence. What cannot be read is
    left out: its user reports that."""
    now = now or datetime.now(UTC)
    ends = [(end, file) for file in dict.fromkeys(files) if (end := end_of(file)) is not None]
    return [(end, expires_text(file, end, now)) for end, file in ends if end - now <= timedelta(days=days)]


async def keep_warning(files: Sequence[Path], warn: Callable[[str], None]) -> NoReturn:
    """Of a program that runs for months: at once, then daily."""
    while True:
        for _, text in expiring(files):
            warn(f"{text}; renew it: cutcard enroll person NAME --role ROLE --site SITE --renew")
        await asyncio.sleep(LOOK_EVERY_S)
