"""The words of the pages: every language has every message, with the same arguments, and the house may correct one."""

from __future__ import annotations

import ast as pyast
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

import aiohttp
import pytest
from fluent.syntax import FluentParser, ast
from fluent.syntax.visitor import Visitor

from controller.web.glossary import glossary
from controller.web.server import serve
from controller.web.words import ENGLISH, OURS, Words, ours
from tests.support.project import ROOT
from tests.web.test_feed import ScriptedTable, a_view

STATIC = ROOT / "controller" / "web" / "static"
PAGES = ("index.html", "console.html")
OF_PAGES = "page-"
TRANSLATED = [tag for tag in OURS if tag != ENGLISH]


class Arguments(Visitor):
    """The arguments that a pattern shows. What only chooses between one and many is none: not every language does."""

    def __init__(self) -> None:
        self.shown: set[str] = set()

    def visit_VariableReference(self, node: ast.VariableReference) -> None:  # noqa: N802
        self.shown.add(node.id.name)

    def visit_SelectExpression(self, node: ast.SelectExpression) -> None:  # noqa: N802
        for variant in node.variants:
            self.visit(variant)


def parsed(tag: str) -> ast.Resource:
    return FluentParser().parse(ours(tag))


def messages(tag: str) -> dict[str, ast.Message]:
    return {entry.id.name: entry for entry in parsed(tag).body if isinstance(entry, ast.Message)}


def arguments(message: ast.Message) -> set[str]:
    found = Arguments()
    found.visit(message)
    return found.shown


def text_of(pattern: ast.Pattern | None) -> str | None:
    """A pattern that is plain text."""
    return None if pattern is None else "".join(e.value for e in pattern.elements if isinstance(e, ast.TextElement))


@pytest.mark.parametrize("tag", OURS)
def test_a_file_can_be_read_whole_and_has_each_message_once(tag: str) -> None:
    resource = parsed(tag)
    junk = [entry.content for entry in resource.body if isinstance(entry, ast.Junk)]
    ids = [entry.id.name for entry in resource.body if isinstance(entry, ast.Message)]
    assert junk == []
    assert sorted(ids) == sorted(set(ids))


@pytest.mark.parametrize("tag", TRANSLATED)
def test_no_message_is_missing_in_a_language_and_none_is_left_over(tag: str) -> None:
    english, here = messages(ENGLISH), messages(tag)
    assert sorted(english.keys() - here.keys()) == []
    assert sorted(here.keys() - english.keys()) == []
    for name, message in english.items():
        attributes = [attribute.id.name for attribute in message.attributes]
        assert [attribute.id.name for attribute in here[name].attributes] == attributes, name
        assert (message.value is None) == (here[name].value is None), name


@pytest.mark.parametrize("tag", TRANSLATED)
def test_a_message_has_the_same_arguments_in_every_language(tag: str) -> None:
    here = messages(tag)
    assert {n: arguments(m) for n, m in messages(ENGLISH).items()} == {n: arguments(m) for n, m in here.items()}


def test_the_library_of_the_pages_is_the_one_that_was_published() -> None:
    """@fluent/bundle 0.19.1, index.js of the package: docs/development/dependencies.md."""
    digest = hashlib.sha256((STATIC / "fluent-bundle.js").read_bytes()).hexdigest()
    assert digest == "08fc26d9b0d7e43c8c96eeb4757a94cc48ce2b4c36b5547ebc415dc7dc94f39c"


class Labelled(HTMLParser):
    """What a page says in English where its words are put in, by message."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str], str]] = []
        self._open: tuple[str, dict[str, str]] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self._end("")
        if "data-l10n-id" in attributes:
            self._open = attributes["data-l10n-id"], attributes

    def handle_data(self, data: str) -> None:
        self._end(data.strip())

    def handle_endtag(self, tag: str) -> None:
        self._end("")

    def _end(self, text: str) -> None:
        if self._open is not None:
            self.found.append((*self._open, text))
            self._open = None


@pytest.mark.parametrize("page", PAGES)
def test_a_page_says_the_same_before_its_words_are_loaded(page: str) -> None:
    labelled = Labelled()
    labelled.feed((STATIC / page).read_text())
    english = messages(ENGLISH)
    for name, attributes, text in labelled.found:
        message = english[name]
        if message.value is not None:
            assert text_of(message.value) == text, name
        for attribute in message.attributes:
            assert attributes.get(attribute.id.name) == text_of(attribute.value), name


def test_every_text_of_a_page_is_used_and_every_used_one_is_there() -> None:
    used: set[str] = set()
    stems: set[str] = set()
    for file in [*STATIC.glob("*.js"), *(STATIC / page for page in PAGES)]:
        if file.name == "fluent-bundle.js":
            continue
        found = re.findall(r"\bpage-[a-z0-9-]*[A-Za-z0-9](?![\w-]*\$\{)|page-[a-z-]+-(?=\$\{)", file.read_text())
        used |= {name for name in found if not name.endswith("-")}
        stems |= {name for name in found if name.endswith("-")}
    have = {name for name in messages(ENGLISH) if name.startswith(OF_PAGES)}
    assert sorted(used - have) == []
    left_over = {name for name in have - used if not any(name.startswith(stem) for stem in stems)}
    # The server reads this one: a language's own name.
    assert sorted(left_over - {"page-language"}) == []


def test_a_sentence_of_the_table_has_no_argument_that_a_screen_cannot_read() -> None:
    """The name of an argument tells what it stands for: static/sentences.js."""
    names = messages(ENGLISH)
    groups = {name.partition("-")[0] for name in names if not name.startswith(OF_PAGES)}
    kinds = groups | {"n", "money", "seat", "card", "cards", "run", "total", "name", "said"}
    for name, message in names.items():
        if name.startswith(OF_PAGES):
            continue
        for argument in arguments(message):
            kind = argument.rstrip("0123456789")
            assert kind in kinds or kind.removesuffix("s") in kinds, f"{name}: ${argument}"


def said_by_the_program() -> str:
    """All texts in the program, one after the other."""
    found: list[str] = []
    for file in (ROOT / "controller").rglob("*.py"):
        nodes = pyast.walk(pyast.parse(file.read_text("utf-8")))
        found += [node.value for node in nodes if isinstance(node, pyast.Constant) and isinstance(node.value, str)]
    return "\n".join(found)


PUT_TOGETHER = (" plays 1 hand already", "the board's clock was set ", "A dealer may", "A floor may", " readings are")
"""Beginnings of texts that the program puts together of parts which are nowhere whole."""


def test_refusals_and_alarms_are_sentences_that_the_program_makes() -> None:
    """What is worded anew there must be worded anew here: nobody would see it but who reads another language."""
    made = said_by_the_program()
    strange = [
        (name, clause)
        for name, message in messages(ENGLISH).items()
        if name.startswith(("why-", "alarm-", "end-")) and message.value is not None
        for part in message.value.elements
        if isinstance(part, ast.TextElement) and not part.value.startswith(PUT_TOGETHER)
        for clause in re.split(r"[,;:.]", part.value)
        if len(clause) > 22 and clause.strip(" '") not in made
    ]
    assert strange == []


def test_the_glossary_is_made_of_the_words_of_the_screens() -> None:
    assert (ROOT / "docs" / "table" / "glossary.md").read_text("utf-8") == glossary(), "make glossary"


# The house's own words


def test_the_house_has_its_own_words_and_a_language_more(tmp_path: Path) -> None:
    (tmp_path / "es.ftl").write_text("page-bets = Límites\n")
    (tmp_path / "ko.ftl").write_text("page-language = 한국어\n")
    (tmp_path / "notes.txt").write_text("not a language")
    words = Words(lambda: tmp_path)
    names = {language.tag: language.name for language in words.languages()}
    assert names["es"] == "Español" and names["ko"] == "한국어" and list(names)[:6] == list(OURS)
    spanish = words.texts("es")
    assert spanish is not None and spanish.house == "page-bets = Límites\n" and "page-bets" in spanish.ours
    assert words.texts("fr") is None


@pytest.mark.parametrize("tag", ["fr", "..", "..%2f..%2fetc%2fpasswd", "en%00", "x" * 300])
async def test_there_are_no_words_of_what_is_no_language_here(tag: str, tmp_path: Path) -> None:
    async with serve(ScriptedTable(a_view(seq=1)).page) as url, aiohttp.ClientSession() as session:
        async with session.get(f"{url}api/words/{tag}") as response:
            assert response.status == 404
        async with session.get(f"{url}api/words/vi") as response:
            texts = await response.json()
            assert texts["house"] == "" and "page-language = Tiếng Việt" in texts["ours"]
