"""The targets of Prometheus, made of the tables' configurations. docs/operations/monitoring.md."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from controller.config import Config
from controller.config.page_address import host_for_others, is_for_others
from controller.errors import UserError
from controller.scrape_targets import Target, encode_targets, table_target


def target(config: Config, file: Path, *, may_be_local: bool = False) -> Target:
    """The page of the table with this configuration; `UserError` where another machine cannot reach it."""
    web, host = config.web, host_for_others(config.web)
    if not is_for_others(host) and not (host and may_be_local):
        raise UserError(
            f"{file}: no other machine can ask {config.table} for its metrics. Put the table's address into web.host, "
            "or the name under which it is asked into web.allowed_hosts (--local: Prometheus runs on the board itself)."
        )
    if web.port == 0:
        raise UserError(f"{file}: {config.table} has another port at each start. Write web.port.")
    return table_target(config.site, config.table, host, web.port, tls=web.certificate is not None)


def target_file(targets: Sequence[Target]) -> bytes:
    """The whole file; `UserError` where two are the same table, since their numbers would be mixed."""
    known: set[tuple[str | None, str | None]] = set()
    for each in targets:
        site, table = each.name
        if each.name in known:
            raise UserError(f"{table} at {site} is named by two configurations. Leave one of them out.")
        known.add(each.name)
    return encode_targets(targets)
