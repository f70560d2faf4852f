"""The page's own files, read once at start from the package.

A request names one of these files or nothing: no path is ever joined, so there is no directory to list or to climb out
of. Browsers keep them and ask whether they changed, which is what an entity tag is for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from importlib import resources

from aiohttp import web
from msgspec import Struct

_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


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


class Assets:
    """The files of static/ by name, and one digest of them all: which page this is."""

    def __init__(self) -> None:
        self.by_name: Mapping[str, Asset] = {
            file.name: _asset(file.name, file.read_bytes())
            for file in resources.files("controller.web").joinpath("static").iterdir()
            if _type_of(file.name) is not None
        }
        self.build = _digest("".join(f"{name} {self.by_name[name].tag}\n" for name in sorted(self.by_name)).encode())


def _asset(name: str, body: bytes) -> Asset:
    return Asset(body=body, content_type=_type_of(name) or "", tag=_digest(body))


def _type_of(name: str) -> str | None:
    return next((kind for ending, kind in _TYPES.items() if name.endswith(ending)), None)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]
