"""These tests run where somebody asks for them: `make board-test`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from deploy.board.image import image
from deploy.debian.build import BUILD

ASKED, BUILT = "CUTCARD_BOARD", "CUTCARD_IMAGE"
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get(ASKED):
        return
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.skip(reason="THE BOARD WAS NOT TESTED: make board-test"))


@pytest.fixture(scope="session")
def board_image() -> Path:
    """The image of this tree, or one that was built before."""
    if built := os.environ.get(BUILT):
        return Path(built)
    return image("amd64", None, BUILD / "board" / "amd64").file
