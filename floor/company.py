"""`cutcard floor company`: a room publishes its store, the company subscribes to its rooms."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Engine

from floor.config import read_config
from floor.store.company import add_site, make, publish, sites_there
from floor.store.database import current_revision, reading, with_store


def add_commands(add: Callable[..., argparse.ArgumentParser], config: Path) -> None:
    parts = add("company", help="all rooms of a company in one database").add_subparsers(required=True)
    publishing = parts.add_parser("publish", help="at a room: let the company subscribe to its store")
    publishing.set_defaults(command=_publish)
    making = parts.add_parser("make", help="at the company: the tables, in an empty database")
    making.set_defaults(command=_make)
    adding = parts.add_parser("add", help="at the company: subscribe to one more room")
    adding.add_argument("site", help="as in the configuration of the room")
    adding.add_argument("--from", required=True, dest="source", metavar="ADDRESS", help="'host=… dbname=… user=…'")
    adding.set_defaults(command=_add)
    showing = parts.add_parser("show", help="at the company: how far each room has come")
    showing.set_defaults(command=_show)
    for one in (publishing, making, adding, showing):
        one.add_argument("--config", type=Path, default=config, help="default: %(default)s")


def _publish(chosen: argparse.Namespace) -> int:
    config = read_config(chosen.config)
    publish(config.store, config.site)
    print(f"The store of {config.site} is published.")
    return 0


def _make(chosen: argparse.Namespace) -> int:
    make(read_config(chosen.config).store, current_revision())
    print("The company's tables are made: add its rooms.")
    return 0


def _add(chosen: argparse.Namespace) -> int:
    add_site(read_config(chosen.config).store, chosen.site, chosen.source)
    print(f"{chosen.site} is subscribed to; what it has is being copied.")
    return 0


def _show(chosen: argparse.Namespace) -> int:
    def work(engine: Engine) -> int:
        with reading(engine) as connection:
            found = sites_there(connection)
        for site in found:
            state = "running" if site.is_running else "NOT RUNNING"
            print(f"{site.site:<24} {state:<12} {site.behind_bytes or 0:>10,} bytes behind  last message {site.last}")
        return 0 if found and all(site.is_running for site in found) else 1

    return with_store(read_config(chosen.config).store, work)
