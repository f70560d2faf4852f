"""`cutcard config init` at a table with its devices plugged in: it finds them, and its file can be used as it is."""

from __future__ import annotations

import io
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from controller.cli.main import main
from controller.config import parse_config, read_config
from controller.config.finding import FirstValues, Found, first_file
from sim_hw.devices.kinds import DevicePlan
from sim_hw.rig.rig import Rig
from tests.support.running.technician_tables import cutcard

SENSORS = [{"unit": 1, "box": "collection"}, {"unit": 2, "box": "jackpot"}]


@pytest_asyncio.fixture
async def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Rig]:
    plan = {
        "first": DevicePlan(kind="shoe"),
        "second": DevicePlan(kind="shoe"),
        "cup": DevicePlan(kind="dice_cup"),
        "boxes": DevicePlan(kind="drop_box", options={"sensors": SENSORS, "parity": "none"}),
        "board": DevicePlan(kind="reader_board"),
        "reader": DevicePlan(kind="card_reader"),
    }
    with Rig(tmp_path / "rig", plan) as rig:
        for name, value in rig.environment().items():
            monkeypatch.setenv(name, value)
        yield rig


async def test_the_devices_that_are_there_are_found_and_the_file_passes_the_check(rig: Rig, tmp_path: Path) -> None:
    out = tmp_path / "cutcard.toml"
    ports = [rig.url(name) for name in ("first", "second", "cup", "boxes", "board")]
    options = ("--site", "riverside", "--table", "b-7", "--ruleset", "bankers-fortune-pai-gow-poker-1-1")
    done = await cutcard("config", "init", *ports, "--config", out, *options)
    assert done.code == 0, done.err
    config = read_config(out, files=True)
    assert (config.site, config.table, config.rules.ruleset) == (
        "riverside",
        "b-7",
        "bankers-fortune-pai-gow-poker-1-1",
    )
    assert [(device.id, device.kind, device.url) for device in config.devices] == [
        ("shoe", "shoe", ports[0]),
        ("shoe-2", "shoe", ports[1]),
        ("dice-cup", "dice_cup", ports[2]),
        ("drop-box", "drop_box", ports[3]),
        ("card-reader", "card_reader", rig.url("reader")),
    ]
    boxes = config.devices[3]
    assert boxes.options["sensors"] == SENSORS
    assert f"# {ports[4]}: nothing answers. A reader board does not identify itself" in out.read_text()
    assert "with 5 devices" in done.out
    checked = await cutcard("config", "check", "--config", out)
    described = checked.out.splitlines()[0]
    assert described == f"{out}: table b-7 at riverside, bankers-fortune-pai-gow-poker-1-1, 5 devices"


async def test_a_port_that_is_not_there_is_noted_and_a_file_that_is_there_is_kept(tmp_path: Path) -> None:
    out = tmp_path / "cutcard.toml"
    nowhere = tmp_path / "nowhere"
    first = await cutcard("config", "init", nowhere, "--config", out)
    assert first.code == 0
    assert f"# {nowhere}: there is no port {nowhere}" in out.read_text()
    kept = out.read_bytes()
    refused = await cutcard("config", "init", nowhere, "--config", out, "--table", "other")
    assert refused.code == 2
    assert "--force" in refused.err
    assert out.read_bytes() == kept
    assert (await cutcard("config", "init", nowhere, "--config", out, "--table", "other", "--force")).code == 0
    assert read_config(out).table == "other"


def test_a_name_that_cannot_stand_in_a_topic_is_refused_before_anything_is_opened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for option, says in (
        (("--site", "River Side"), "small letters"),
        (("--ruleset", "go-fish"), "no ruleset 'go-fish'"),
    ):
        assert main(["config", "init", "--config", str(tmp_path / "x.toml"), *option]) == 2
        assert says in capsys.readouterr().err
    assert not (tmp_path / "x.toml").exists()


def test_at_a_terminal_it_asks_until_the_answer_can_be_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    answers = "River Side\nriverside\n\nbankers-ez-baccarat-panda-9\n\nnot a host\nbroker.riverside\n"
    monkeypatch.setattr(sys, "stdin", Terminal(answers))
    out = tmp_path / "cutcard.toml"
    assert main(["config", "init", str(tmp_path / "nowhere"), "--config", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "Did you mean bankers-ez-baccarat-panda-8?" in printed
    assert "expected a name or an address, found 'not a host'" in printed
    config = read_config(out)
    assert config.mqtt.broker[0].host == "broker.riverside"
    assert (config.site, config.table, config.rules.ruleset) == ("riverside", "table-1", "bankers-ez-baccarat-panda-8")


def test_what_a_device_calls_itself_stays_in_the_comment(tmp_path: Path) -> None:
    found = Found((), ('/dev/ttyUSB0 (evil\n[mqtt]\nhost = "elsewhere"\r, 0403:6001): nobody answers',))
    config = parse_config(tmp_path / "cutcard.toml", first_file(tmp_path / "cutcard.toml", FirstValues(), found))
    assert config.mqtt.broker[0].host == "127.0.0.1"
