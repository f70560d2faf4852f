"""Where Prometheus finds the tables: its own form for targets in a file (`file_sd_configs`), made of the tables'
configurations. docs/operations/monitoring.md."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from controller.config import Config
from controller.errors import UserError
from controller.web.hosts import is_loopback

_EVERY_ADDRESS = ("", "0.0.0.0", "::")


class Target(Struct, frozen=True):
    """One table; `__scheme__` is how Prometheus asks it."""

    targets: tuple[str]
    labels: dict[str, str]


def target(config: Config, file: Path, *, may_be_local: bool = False) -> Target:
    """The page of the table with this configuration; `UserError` where another machine cannot reach it."""
    web = config.web
    named = (*web.allowed_hosts, web.host)
    host = next((name for name in named if name not in _EVERY_ADDRESS), "")
    if not host or (is_loopback(host) and not may_be_local):
        raise UserError(
            f"{file}: no other machine can ask {config.table} for its metrics. Put the table's address into web.host, "
            "or the name under which it is asked into web.allowed_hosts (--local: Prometheus runs on the board itself)."
        )
    if web.port == 0:
        raise UserError(f"{file}: {config.table} has another port at each start. Write web.port.")
    address = f"[{host}]" if ":" in host else host
    scheme = "http" if web.certificate is None else "https"
    return Target((f"{address}:{web.port}",), {"__scheme__": scheme, "site": config.site, "table": config.table})


def target_file(targets: Sequence[Target]) -> bytes:
    """The whole file; `UserError` where two are the same table, since their numbers would be mixed."""
    known: set[tuple[str, str]] = set()
    for each in targets:
        name = each.labels["site"], each.labels["table"]
        if name in known:
            raise UserError(f"{name[1]} at {name[0]} is named by two configurations. Leave one of them out.")
        known.add(name)
    return msgspec.json.format(msgspec.json.encode(targets), indent=1) + b"\n"
