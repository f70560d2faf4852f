"""Prometheus' own form for targets in a file (`file_sd_configs`): where it asks tables for their metrics.

docs/operations/monitoring.md is its page. `cutcard targets` makes the file of configurations, the floor of what tables
publish.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Struct


class Target(Struct, frozen=True):
    """One table; `__scheme__` is how Prometheus asks it."""

    targets: tuple[str, ...]
    labels: dict[str, str]

    @property
    def name(self) -> tuple[str | None, str | None]:
        """Site and table; a target that somebody wrote by hand may have none."""
        return self.labels.get("site"), self.labels.get("table")


def table_target(site: str, table: str, host: str, port: int, *, tls: bool) -> Target:
    address = f"[{host}]" if ":" in host else host
    scheme = "https" if tls else "http"
    return Target((f"{address}:{port}",), {"__scheme__": scheme, "site": site, "table": table})


def encode_targets(targets: Iterable[Target]) -> bytes:
    """The whole file."""
    return msgspec.json.format(msgspec.json.encode(list(targets)), indent=1) + b"\n"


def decode_targets(file: bytes) -> list[Target]:
    """`msgspec.MsgspecError` where it is no such file."""
    return msgspec.json.decode(file, type=list[Target])
