"""Commands of the machine that builds, and the one way to say why something cannot be built."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class CannotBuild(Exception):
    """Why it cannot be built and what to do, in one paragraph."""


def tool(name: str) -> str | None:
    """Where a program is, in the folders of root too."""
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:{PATH}")


def run(*command: str, environment: dict[str, str] | None = None) -> str:
    """What the command prints; `CannotBuild` where it is missing or fails."""
    program = tool(command[0])
    if program is None:
        raise CannotBuild(f"{command[0]} is missing: a Debian package is built on Debian (or a child of it).")
    done = subprocess.run((program, *command[1:]), env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CannotBuild(f"{' '.join(command[:4])} … failed:\n{(done.stderr or done.stdout).strip()[-2000:]}")
    return done.stdout


def said(*command: str) -> str:
    return run(*command).strip()


def folder(path: Path) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    return path
