"""The example config that an installer copies: it is read, and what is commented out in it would be too."""

from __future__ import annotations

import re
from pathlib import Path

from controller.config import read_config

EXAMPLE = Path(__file__).parent.parent / "deploy" / "cutcard.example.toml"


def test_the_example_can_be_used_once_its_port_is_filled_in() -> None:
    config = read_config(EXAMPLE)
    assert [device.kind for device in config.devices] == ["shoe"]


def test_what_is_commented_out_in_the_example_can_be_used_too(tmp_path: Path) -> None:
    text = EXAMPLE.read_text()
    head, tail = text.split("# The journal's disk", 1)
    lines = [re.sub(r"^# ", "", line) for line in tail.splitlines()[1:]]
    path = tmp_path / "cutcard.toml"
    path.write_text(head + "\n".join(line for line in lines if not line.startswith(("More devices", "and its"))))
    config = read_config(path)
    assert [device.kind for device in config.devices] == ["shoe", "drop_box", "reader_board", "key_panel"]
