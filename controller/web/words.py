"""The words of the pages, for each language: ours, and what the house says instead.

Ours are Fluent files in `languages/<tag>/`. The house's are one file for a language in a folder of its own,
`<tag>.ftl`, with any number of messages; each is used instead of ours of that name. A file whose tag we do not have is
a language more. English is also the key: the table makes its sentences in English, and a screen finds the message that
one was made by (`static/sentences.js`).

    GET /api/words          the languages, each by its own name
    GET /api/words/{tag}    {"ours": …, "house": …}, as Fluent
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path

import msgspec
from aiohttp import web
from msgspec import Struct

from controller.web.pages import json_response

ENGLISH = "en"
OURS = ("en", "es", "zh-Hans", "zh-Hant", "vi", "tl")
MOST_BYTES = 1024 * 1024
_TAG = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}")
_NAME = re.compile(r"^page-language = (.+)$", re.MULTILINE)


class Language(Struct, frozen=True):
    tag: str
    name: str
    """In its own words."""


class Texts(Struct, frozen=True):
    ours: str
    house: str


class Words:
    """`folder`: where the house's files are now; None: it has none."""

    def __init__(self, folder: Callable[[], Path | None] = lambda: None) -> None:
        self._folder = folder

    def languages(self) -> tuple[Language, ...]:
        found = [*OURS, *sorted(set(self._of_the_house()) - set(OURS))]
        return tuple(Language(tag, self._name(tag)) for tag in found)

    def texts(self, tag: str) -> Texts | None:
        """None: nobody has words of that language."""
        house = self._of_the_house().get(tag)
        if tag not in OURS and house is None:
            return None
        return Texts(ours(tag) if tag in OURS else "", "" if house is None else _read(house))

    def add_to(self, app: web.Application) -> None:
        app.router.add_get("/api/words", self._answer_languages)
        app.router.add_get("/api/words/{tag}", self._answer_texts)

    async def _answer_languages(self, request: web.Request) -> web.Response:
        return json_response(msgspec.json.encode(self.languages()))

    async def _answer_texts(self, request: web.Request) -> web.Response:
        texts = self.texts(request.match_info["tag"])
        if texts is None:
            raise web.HTTPNotFound(text="There are no words of that language.")
        return json_response(msgspec.json.encode(texts))

    def _of_the_house(self) -> dict[str, Path]:
        folder = self._folder()
        if folder is None or not folder.is_dir():
            return {}
        return {path.stem: path for path in folder.glob("*.ftl") if _TAG.fullmatch(path.stem)}

    def _name(self, tag: str) -> str:
        texts = self.texts(tag)
        found = None if texts is None else _NAME.search(texts.house) or _NAME.search(texts.ours)
        return tag if found is None else found[1]


@cache
def ours(tag: str) -> str:
    """Our files of a language, one after the other."""
    folder = resources.files("controller.web") / "languages" / tag
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".ftl")), key=lambda file: file.name)
    return "\n".join(file.read_text("utf-8") for file in files)


def _read(path: Path) -> str:
    """A file that is not there any more, or is none of ours to read, has no words."""
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
