"""The page's own files, read once at start from its package.

A request names one of these files or nothing: no path is ever joined, so there is no directory to list or to climb out
of. Browsers keep them and ask whether they changed, which is what an entity tag is for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from importlib import resources
from importlib.resources.abc import Traversable

from aiohttp import web
from msgspec import Struct

_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}


class Asset(Struct, frozen=True):
    body: bytes
    content_type: str
    tag: str

    def response(self, request: web.Request) -> web.Response:
        if any(tag.value in (self.tag, "*") for tag in request.if_none_match or ()):
            response = web.Response(status=304)
        else:
            response = web.Response(body=self.body, content_type=self.content_type, charset="utf-8")
        response.etag = self.tag
        response.headers["Cache-Control"] = "no-cache"
        return response


SHARED = frozenset({"base.css", "dom.js", "icon.svg", "paper.js", "report.css", "session.js", "stream.js"})
"""Files of the table's page that the floor's has too."""


class Assets:
    """The files of a package's static/ by name, and one digest of them all: which page this is."""

    def __init__(self, package: str = "controller.web") -> None:
        self.by_name: Mapping[str, Asset] = {
            file.name: _asset(file.name, file.read_bytes())
            for file in _files(package)
            if _type_of(file.name) is not None
        }
        self.build = _digest("".join(f"{name} {self.by_name[name].tag}\n" for name in sorted(self.by_name)).encode())


def _files(package: str) -> Iterator[Traversable]:
    """Those of the package, and of the table's page those that every page has."""
    yield from resources.files(package).joinpath("static").iterdir()
    for file in resources.files("controller.web").joinpath("static").iterdir():
        if file.name in SHARED:
            yield file


def _asset(name: str, body: bytes) -> Asset:
    return Asset(body=body, content_type=_type_of(name) or "", tag=_digest(body))


def _type_of(name: str) -> str | None:
    return next((kind for ending, kind in _TYPES.items() if name.endswith(ending)), None)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]
