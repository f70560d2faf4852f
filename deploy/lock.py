"""Renews the hashes of all pinned packages: `.venv/bin/python deploy/lock.py [NAME …]`, for these packages or for all.

The versions are written by people: to upgrade a package, or to add one, write `name==version` and run this. It asks
pip's ordinary sources, as the machine's pip is configured, for every file of that release, for all machines and all
Pythons, and writes their SHA-256 digests below the version. No index and no host is written.

`pip install --require-hashes` then takes these files and no others. tests/operations/test_lock.py checks that the
files name everything that is installed.
"""

from __future__ import annotations

import argparse
import re
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

from packaging.utils import InvalidSdistFilename, InvalidWheelFilename, parse_sdist_filename, parse_wheel_filename
from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).resolve().parents[1]
FILES = (
    ROOT / "requirements" / "package.txt",
    ROOT / "requirements" / "floor.txt",
    ROOT / "requirements" / "dev.txt",
    *sorted((ROOT / "tests" / "sparkplug" / "judges").glob("*.txt")),
    ROOT / "tests" / "model" / "tla2tools.txt",
    ROOT / "tests" / "mutants" / "library.txt",
)

_PINNED = re.compile(r"(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s\\]+)")


class Sources:
    """The files that pip's sources offer. pip has no command that lists them, so this uses pip's own classes."""

    def __init__(self) -> None:
        from pip._internal.commands import create_command
        from pip._internal.index.collector import LinkCollector

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            command = create_command("download")
            options, _ = command.parse_args(["none"])
            session = command._build_session(options)  # type: ignore[attr-defined]
            self._collector = LinkCollector.create(session, options=options)

    def digests(self, name: str, version: str) -> set[str]:
        """SHA-256 of every file of this release."""
        return {digest for file, digest in self._files(name) if _version_of(file) == Version(version)}

    def _files(self, name: str) -> Iterator[tuple[str, str]]:
        from pip._internal.index.collector import parse_links
        from pip._internal.models.link import Link

        for place in self._collector.search_scope.get_index_urls_locations(name):
            if place.startswith("file:"):
                continue  # A folder of this machine: it may hold files that were built here.
            page = self._collector.fetch_response(Link(place))
            for link in parse_links(page) if page is not None else ():
                if link.hash_name == "sha256" and link.hash is not None:
                    yield link.filename, link.hash


def _version_of(file: str) -> Version | None:
    try:
        return parse_wheel_filename(file)[1] if file.endswith(".whl") else parse_sdist_filename(file)[1]
    except (InvalidWheelFilename, InvalidSdistFilename, InvalidVersion):
        return None


def renewed(text: str, names: list[str], sources: Sources) -> str:
    """The file with the digests of these packages, or of all, as the sources give them now."""
    lines = []
    for block in re.split(r"\n(?!    )", text.rstrip("\n")):
        pinned = _PINNED.match(block)
        if pinned is None or (names and pinned["name"].lower() not in names):
            lines.append(block)
            continue
        digests = sources.digests(pinned["name"], pinned["version"])
        if not digests:
            raise SystemExit(f"pip's sources have no file of {pinned[0]}. Correct the name or the version.")
        lines.append(" \\\n".join([pinned[0], *(f"    --hash=sha256:{digest}" for digest in sorted(digests))]))
        print(f"{pinned[0]}: {len(digests)} files", file=sys.stderr)
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="Renew the hashes of the pinned packages.")
    parser.add_argument("names", nargs="*", help="packages to renew (default: all)")
    chosen = parser.parse_args()
    sources = Sources()
    for file in FILES:
        file.write_text(renewed(file.read_text(), [name.lower() for name in chosen.names], sources))
    return 0


if __name__ == "__main__":
    sys.exit(main())
