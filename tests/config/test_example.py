"""The example that an installer copies and the reference that he reads: made of the types, and they say so."""

from __future__ import annotations

import re

import pytest

from controller.cli.main import main
from controller.config import parse_config, read_config
from controller.config.describing import reference, sections
from controller.config.example import example
from tests.support.project import ROOT

EXAMPLE = ROOT / "deploy" / "cutcard.example.toml"
PAGE = ROOT / "docs" / "operations" / "configuration.md"


def test_the_shipped_example_is_the_one_that_the_types_make(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "example"]) == 0
    assert capsys.readouterr().out == EXAMPLE.read_text() == example(), "make config-example"


def test_the_example_can_be_used_once_its_port_is_filled_in() -> None:
    config = read_config(EXAMPLE)
    assert [device.kind for device in config.devices] == ["shoe"]


def test_the_example_proposes_trust_and_gives_the_reason() -> None:
    assert read_config(EXAMPLE).firmware.trust == "flag"
    head, _, _ = EXAMPLE.read_text().partition('trust = "flag"')
    assert "firmware enroll`" in head and "nobody would notice" in head


def test_what_is_commented_out_in_the_example_can_be_used_too() -> None:
    lines = [re.sub(r"^# (?=\[|[a-z_]+ = )", "", line) for line in EXAMPLE.read_text().splitlines()]
    config = parse_config(EXAMPLE, "\n".join(lines))
    assert [device.kind for device in config.devices] == ["shoe", "drop_box", "reader_board", "key_panel"]
    assert config.mqtt.broker[0].tls is not None
    assert [prize.name for prize in config.jackpots[0].prizes] == ["quads", "aces-full"]
    assert config.firmware.trust == "flag"


def test_every_key_stands_in_the_example() -> None:
    text = EXAMPLE.read_text()
    for section in sections():
        for key in section.keys:
            table = re.escape(f"[[{f'{section.name}.' if section.name else ''}{key.name}]]")
            found = re.search(rf"(^|# |[{{,] )({key.name} = |{table})", text, re.MULTILINE)
            assert found, f"{section.name}.{key.name}"


def test_the_page_lists_every_key_as_the_types_have_it() -> None:
    page = PAGE.read_text()
    assert page.partition("<!-- reference -->\n")[2].partition("<!-- end -->")[0] == reference(), "make config-example"


def test_every_key_says_what_it_means() -> None:
    for section in sections():
        assert section.meaning
        for key in section.keys:
            assert key.meaning.endswith(("...", ".")), f"{section.name}.{key.name}"
