"""These tests run where somebody asks for them: `make board-test`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ASKED = "CUTCARD_BOARD"
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get(ASKED):
        return
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.skip(reason="THE BOARD WAS NOT TESTED: make board-test"))
