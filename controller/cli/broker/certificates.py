"""`cutcard certificates`: until when certificates are good, for people and for a daily job.

cutcard certificates /etc/cutcard/*.crt people/*.crt
"""

from __future__ import annotations

import argparse
from datetime import UTC, datetime, timedelta
from pathlib import Path

from controller.certificate_dates import WARN_DAYS, end_of
from controller.cli.arguments import AddParser


def add_command(add: AddParser) -> None:
    certificates = add("certificates", help="until when certificates are good")
    certificates.add_argument(
        "file", type=Path, nargs="+", help="in PEM: of tables, people, programs, brokers, authorities"
    )
    certificates.add_argument(
        "--days", type=int, default=WARN_DAYS, help=f"exit code 1 if one expires within this time (default {WARN_DAYS})"
    )
    certificates.set_defaults(command=_certificates)


def _certificates(chosen: argparse.Namespace) -> int:
    now, soon = datetime.now(UTC), False
    dated = [(end_of(file), file) for file in chosen.file]
    for end, file in sorted(dated, key=lambda found: (found[0] is not None, found[0] or now, str(found[1]))):
        if end is None:
            print(f"{file}  CANNOT BE READ: it is there, in PEM, and may be read by you?")
            soon = True
            continue
        is_soon = end - now <= timedelta(days=chosen.days)
        soon = soon or is_soon
        state = "EXPIRED" if end <= now else f"{(end - now).days} days left{': RENEW IT' if is_soon else ''}"
        print(f"{file}  {end:%Y-%m-%d %H:%M} UTC  {state}")
    return 1 if soon else 0
