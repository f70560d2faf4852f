"""Where each key of a TOML file is: every key that tomllib finds is found, on the line that holds it."""

from __future__ import annotations

import json
import tomllib
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.config.positions import Place, positions


def places(value: Any, place: Place = ()) -> list[Place]:
    """Every key and list item of a document."""
    found: list[Place] = [] if not place else [place]
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for part, one in items:
        found += places(one, (*place, part))
    return found


def check(text: str) -> dict[Place, int]:
    where = positions(text)
    assert sorted(map(repr, where)) == sorted(map(repr, places(tomllib.loads(text))))
    return where


def test_keys_stand_where_they_are_written_in_every_form_that_toml_has() -> None:
    where = check(
        "a = 1 # [not.a.table]\n"
        + 'b.c."d.e" = """\nx = 1\n""\\"""" \n'
        + "f = [ # one\n  1,\n  [2,\n   3],\n  { g = '''\n]''', h = 4 },\n]\n"
        + "[i.j]\nk = 1979-05-27 07:32:00\n"
        + "[[l]]\nm = 1\n[l.n]\no = '#'\n[[l]]\nm = 2\n[[l.p]]\nq = 1\n[[l.p]]\n"
        + "'' = { r.s = 1 }\r\n\n[i]\nt = \"\\u0041\"\n"
    )
    expected: dict[Place, int] = {
        ("a",): 1,
        ("b", "c", "d.e"): 2,
        ("f",): 5,
        ("f", 0): 6,
        ("f", 1, 0): 7,
        ("f", 1, 1): 8,
        ("f", 2, "g"): 9,
        ("f", 2, "h"): 10,
        ("i", "j", "k"): 13,
        ("l",): 14,
        ("l", 0, "n", "o"): 17,
        ("l", 1): 18,
        ("l", 1, "m"): 19,
        ("l", 1, "p", 0, "q"): 21,
        ("l", 1, "p", 1, "", "r", "s"): 23,
        ("i",): 25,
        ("i", "t"): 26,
    }
    assert {place: where[place] for place in expected} == expected


PLAIN = st.characters(exclude_categories=["Cs", "Cc"])
KEYS = st.one_of(st.sampled_from(["a", "b", "key", "x-1", "7", "a.b", ""]), st.text(PLAIN, max_size=3))
TEXTS = st.text(st.sampled_from("ab#[]{}=,.'\"\\\n "), max_size=10)
SCALARS = st.one_of(st.integers(-99, 99), st.booleans(), st.floats(allow_nan=False, allow_infinity=False), TEXTS)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=12
)


class Writer:
    """Writes a document as a person might, now in this form and now in that, and notes where it wrote what."""

    def __init__(self, choose: st.DataObject) -> None:
        self._choose = choose
        self.text = ""
        self.lines: dict[Place, int] = {}

    def table(self, table: dict[str, Any], place: Place, path: str) -> None:
        """Pairs first: what comes after a header belongs to it."""
        below = [key for key, value in table.items() if _could_have_header(value) and self._coin()]
        for key, value in table.items():
            if key not in below:
                self._pair(key, value, place)
                self.text += self._choose.draw(st.sampled_from(["\n", " # x = 1\n", "\n\n# [y]\n", "\r\n"]))
        for key in below:
            value, header = table[key], f"{path}.{self._key(key)}" if path else self._key(key)
            if isinstance(value, dict):
                self.lines[*place, key] = self._line
                self.text += f"[ {header} ]\n" if self._coin() else f"[{header}]\n"
                self.table(value, (*place, key), header)
                continue
            self.lines[*place, key] = self._line
            for number, one in enumerate(value):
                self.lines[*place, key, number] = self._line
                self.text += f"[[{header}]]\n"
                self.table(one, (*place, key, number), header)

    def _pair(self, key: str, value: Any, place: Place) -> None:
        self.lines[*place, key] = self._line
        self.text += self._key(key)
        while isinstance(value, dict) and len(value) == 1 and self._coin():
            # a.b = 1 is a = { b = 1 }
            ((inner, value),) = value.items()
            place, key = (*place, key), inner
            self.lines[*place, key] = self._line
            self.text += f".{self._key(key)}"
        self.text += " = "
        self._value(value, (*place, key))

    def _value(self, value: Any, place: Place) -> None:
        match value:
            case dict():
                self.text += "{ "
                for number, (key, one) in enumerate(value.items()):
                    self.text += ", " if number else ""
                    self._pair(key, one, place)
                self.text += " }"
            case list():
                self.text += "["
                for number, one in enumerate(value):
                    self.text += self._choose.draw(st.sampled_from(["", "\n", " # ]\n  "]))
                    self.lines[*place, number] = self._line
                    self._value(one, (*place, number))
                    self.text += ","
                self.text += "]"
            case str():
                self.text += self._choose.draw(st.sampled_from(_ways_to_write(value)))
            case bool():
                self.text += str(value).lower()
            case _:
                self.text += repr(value)

    def _key(self, key: str) -> str:
        is_bare = key.isascii() and key.replace("-", "").isalnum()
        return key if is_bare and self._coin() else json.dumps(key, ensure_ascii=False)

    def _coin(self) -> bool:
        return self._choose.draw(st.booleans())

    @property
    def _line(self) -> int:
        return self.text.count("\n") + 1


def _could_have_header(value: object) -> bool:
    is_list = isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)
    return isinstance(value, dict) or is_list


def _ways_to_write(text: str) -> list[str]:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    ways = [json.dumps(text), f'"""\n{escaped}"""']
    if "'" not in text:
        ways.append(f"'''\n{text}'''")
        ways += [] if "\n" in text else [f"'{text}'"]
    return ways


@settings(max_examples=150, deadline=None)
@given(document=st.dictionaries(KEYS, VALUES, max_size=4), choose=st.data())
def test_every_key_of_any_document_is_found_on_the_line_that_holds_it(
    document: dict[str, Any], choose: st.DataObject
) -> None:
    writer = Writer(choose)
    writer.table(document, (), "")
    assert tomllib.loads(writer.text) == document
    assert check(writer.text) == writer.lines
