"""TOML with bounds: what would end recursion or memory is an error of the file, with its line."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from controller.config import ConfigError
from controller.config.reading import parse_config
from controller.rules.check import problems
from controller.toml_text import loads

HEAD = 'site = "a"\ntable = "b"\n'

HOSTILE = {
    "nested lists": ("x = " + "[" * 100_000, "expected at most 16 levels"),
    "nested lists that end": ("x = " + "[" * 200 + "]" * 200, "expected at most 16 levels"),
    "nested tables": ("x = " + "{a = " * 100_000, "expected at most 16 levels"),
    "a key of many parts": (".".join("a" * 100_000) + " = 1", "expected a key of at most 32 parts"),
    "a key of 33 parts": (" . ".join("a" * 33) + " = 1", "expected a key of at most 32 parts"),
    "a header of many parts": ("[" + ".".join("a" * 100_000) + "]", "expected a key of at most 32 parts"),
    "quoted parts": (".".join(['"a"'] * 1000) + " = 1", "expected a key of at most 32 parts"),
    "a number of many digits": ("x = " + "9" * 5000, "expected a shorter number"),
    "a long file": ("# " + "x" * 1_000_001, "expected at most 1000000 characters"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_toml_is_an_error_of_the_file_with_its_line(name: str) -> None:
    text, sentence = HOSTILE[name]
    with pytest.raises(tomllib.TOMLDecodeError, match=sentence):
        loads(HEAD + text)
    with pytest.raises(ConfigError, match=sentence):
        parse_config(Path("cutcard.toml"), HEAD + text)
    (found,) = problems((HEAD + text).encode(), "draft.toml")
    assert sentence in found


def test_the_line_of_the_error_is_named() -> None:
    with pytest.raises(ConfigError, match=r"^cutcard.toml:3: this is not TOML at column 204: expected"):
        parse_config(Path("cutcard.toml"), HEAD + "x = " + "[" * 200 + "]" * 200)


def test_ordinary_toml_is_read() -> None:
    assert loads('a.b.c = [[1], [2]]\n# 1.2.3.4\n[d]\ne = "x.y.z"\n') == {
        "a": {"b": {"c": [[1], [2]]}},
        "d": {"e": "x.y.z"},
    }


def test_a_configuration_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    from controller.config.reading import read_text

    (tmp_path / "cutcard.toml").write_bytes(b"site = '\xff'")
    with pytest.raises(ConfigError, match="is not in UTF-8"):
        read_text(tmp_path / "cutcard.toml")
