"""The examples beside the rules of hand ranking are true."""

from __future__ import annotations

import doctest
from importlib import import_module
from pkgutil import iter_modules

import pytest

from controller.engine import ranking

MODULES = [ranking.__name__, *(f"{ranking.__name__}.{module.name}" for module in iter_modules(ranking.__path__))]


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_in_the_docstrings_hold(module: str) -> None:
    results = doctest.testmod(import_module(module))
    assert results.failed == 0
    assert results.attempted > 0
