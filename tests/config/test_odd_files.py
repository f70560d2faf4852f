"""What somebody put in a file's place: it is refused in a sentence, at once, and never read to its end."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.admin.firmware import read_image
from controller.config.reading import read_config
from controller.errors import UserError
from controller.operator.staff import StaffError, read_staff
from controller.plain_files import MOST_BYTES, read_plain
from controller.rules.check import check
from controller.rules.confirmations import read_confirmations, read_file
from controller.rules.confirming import read_answers
from controller.rules.errors import RulesError

READERS: dict[str, Callable[[Path], Any]] = {
    "configuration": read_config,
    "staff": read_staff,
    "ruleset": lambda path: check(str(path)),
    "answers": read_answers,
    "confirmations": read_file,
    "firmware image": read_image,
}


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def no_end(path: Path) -> None:
    path.symlink_to("/dev/zero")


def a_terabyte(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)


def a_folder(path: Path) -> None:
    path.mkdir()


WHY = re.compile("no ordinary file|more than 32 MB|Is a directory")
ODD = [a_pipe, no_end, a_terabyte, a_folder]


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("name", READERS)
def test_no_reader_waits_for_such_a_file_or_reads_it_to_its_end(
    tmp_path: Path, name: str, odd: Callable[[Path], None]
) -> None:
    path = tmp_path / "file.toml"
    odd(path)
    with pytest.raises((UserError, StaffError, RulesError), match=WHY):
        READERS[name](path)


@pytest.mark.parametrize("odd", ODD)
def test_confirmations_in_such_a_file_do_not_count(tmp_path: Path, odd: Callable[[Path], None]) -> None:
    odd(tmp_path / "confirmations.json")
    (why,) = read_confirmations(tmp_path / "confirmations.json", "riverside", ()).refused
    assert WHY.search(why)


def test_a_file_of_the_largest_size_is_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * MOST_BYTES)
    assert len(read_plain(path)) == MOST_BYTES
