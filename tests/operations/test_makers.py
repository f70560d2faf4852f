"""Who builds a package for which board. What a workshop builds is tested by `make board-test`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from deploy.debian.commands import CannotBuild
from deploy.debian.makers import PYTHON, ThisMachine, maker
from deploy.debian.roots import entered, own_suite

pytestmark = pytest.mark.skipif(
    shutil.which("dpkg") is None or not own_suite() or not Path(PYTHON).exists(),
    reason="NOT DEBIAN: who builds a package was not tested (it needs dpkg and /usr/bin/python3)",
)


def test_a_package_for_boards_like_this_machine_is_made_here() -> None:
    here = maker(None, None)
    assert isinstance(here, ThisMachine)
    assert type(maker(own_suite(), here.architecture)) is ThisMachine
    assert here.place(Path("/anywhere"), Path("/work")) == "/anywhere"


@pytest.mark.parametrize(("suite", "architecture"), [("sarge", None), ("trixie", "mips"), ("trixie", "armhf")])
def test_what_cannot_be_built_is_refused_before_anything_is_made(suite: str, architecture: str | None) -> None:
    with pytest.raises(CannotBuild, match=r"say bookworm or trixie on amd64 or arm64\."):
        maker(suite, architecture)


def test_a_command_in_a_root_has_its_mounts_and_its_options_in_their_places() -> None:
    command = entered(
        Path("/root-of-it"), "ls", "-l", mounts={Path("/a"): "b", Path("/c"): "d"}, options=("--userspec=ann",)
    )
    assert command[0] == "unshare"
    expected = ("/root-of-it", "/a", "b", "/c", "d", "--", "--userspec=ann", "/root-of-it", "ls", "-l")
    assert command[-len(expected) :] == expected
