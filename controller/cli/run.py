"""`cutcard run`: the daemon of one table."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import logging
from collections.abc import Callable, Iterator
from pathlib import Path

from controller.paths import DEFAULT_CONFIG


def add_command(add: Callable[..., argparse.ArgumentParser]) -> None:
    command = add("run", help="run the daemon of one table")
    command.add_argument("--config", type=Path, default=DEFAULT_CONFIG, help="default: %(default)s")
    command.add_argument("--verbose", action="store_true")
    command.set_defaults(command=_run)


def _run(chosen: argparse.Namespace) -> int:
    with _all_modules_kept():
        from controller import app, logs
        from controller.config.reading import read_source

        logs.begin(logging.DEBUG if chosen.verbose else logging.INFO)
        config, digest = read_source(chosen.config)
    asyncio.run(app.run(config, chosen.config.resolve().parent, chosen.config, digest))
    return 0


@contextlib.contextmanager
def _all_modules_kept() -> Iterator[None]:
    """Without the garbage collector: modules stay loaded, and walking through them only makes the start longer.

    The garbage of loading them (0.7 MB) is kept too.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
