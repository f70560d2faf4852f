"""The examples in docstrings are true, in every module."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

from tests.support.project import ROOT


def modules_with_examples() -> list[str]:
    files = [file for top in ("controller", "devices", "protocols", "sim_hw") for file in (ROOT / top).rglob("*.py")]
    return sorted(_module(file) for file in files if "    >>> " in file.read_text())


def _module(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize("name", modules_with_examples())
def test_the_examples_of_a_module_are_true(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0
    assert result.failed == 0
