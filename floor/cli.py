"""`cutcard floor`: the arguments. What runs is loaded when it is asked for. Exit codes: 0, 1 something is wrong with
what is stored, 2 it could not run."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from controller.operator.staff_commands import add_staff_commands

_CONFIG = Path("/etc/cutcard-floor/floor.toml")


def add_commands(add: Callable[..., argparse.ArgumentParser]) -> None:
    run = add("run", help="collect until it is ended")
    run.set_defaults(command=_run)
    migrate = add("migrate", help="bring the store's tables to this version")
    migrate.set_defaults(command=_migrate)
    show = add("show", help="what the store has")
    show.set_defaults(command=_show)
    rebuild = add("rebuild", help="work everything out again from the events")
    rebuild.add_argument("--check", action="store_true", help="change nothing, only compare")
    rebuild.set_defaults(command=_rebuild)
    keep = add("keep", help="delete what is older than the configuration's retention")
    keep.set_defaults(command=_keep)
    page = add("page", help="serve the floor page until it is ended")
    page.set_defaults(command=_page)
    staff = add("staff", help="the people who may sign in at the page: add, list, remove")
    add_staff_commands(staff, _CONFIG, _staff_file, "cutcard floor staff")
    for command in (run, migrate, show, rebuild, keep, page):
        command.add_argument("--config", type=Path, default=_CONFIG, help="default: %(default)s")
    from floor.books.command import add_commands as add_books

    add_books(add, _CONFIG)
    from floor.company import add_commands as add_company

    add_company(add, _CONFIG)
    from floor.renewal import add_commands as add_renewal

    add_renewal(add, _CONFIG)
    demo = add("demo", help="simulated tables, their broker, a collector, a store and the page")
    demo.add_argument("--tables", type=int, default=12, help="default: %(default)s")
    demo.add_argument("--folder", type=Path, help="where the store is kept; else a temporary folder")
    demo.add_argument("--store", help="else a SQLite file in that folder; or postgresql://USER@HOST/DATABASE")
    demo.add_argument("--seconds", type=float, help="end after this time; else on Ctrl-C")
    demo.add_argument("--port", type=int, default=8480, help="of the page, if it is free (default: %(default)s)")
    demo.set_defaults(command=_demo)


def _run(chosen: argparse.Namespace) -> int:
    from floor import run

    return run.collect(chosen.config)


def _page(chosen: argparse.Namespace) -> int:
    from floor.web import serving

    return serving.page(chosen.config)


def _staff_file(config: Path) -> Path:
    from floor.config import read_config

    return Path(read_config(config).page.staff)


def _migrate(chosen: argparse.Namespace) -> int:
    from floor.config import read_config
    from floor.store.database import migrate

    migrate(read_config(chosen.config).store)
    return 0


def _show(chosen: argparse.Namespace) -> int:
    from floor import run

    return run.show(chosen.config)


def _rebuild(chosen: argparse.Namespace) -> int:
    from floor import run

    return run.rebuild(chosen.config, check=chosen.check)


def _keep(chosen: argparse.Namespace) -> int:
    from floor import run

    return run.keep(chosen.config)


def _demo(chosen: argparse.Namespace) -> int:
    from floor import demo

    return demo.main(demo.DemoOptions(chosen.tables, chosen.folder, chosen.seconds, chosen.store, chosen.port))
