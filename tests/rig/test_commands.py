"""`cutcard rig` as a person uses it: list, run, up, do, record."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.demo.staff import hire
from sim_hw.rig.scenario.file import find, read
from sim_hw.rig.scenario.recording import recorded
from sim_hw.rig.scenario.stage import staged

RIG = [sys.executable, "-m", "controller.cli", "rig"]

SHOE_ALONE = """
title = "A hand for the commands"
steps = [
  {steps}
]
[table]
ruleset = "bankers-ez-baccarat-panda-8"
seats = [1]
[devices.shoe]
kind = "shoe"
"""


def rig(*words: str, within: float = 170) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*RIG, *words], capture_output=True, text=True, timeout=within, check=False)


def story(path: Path, *steps: str) -> str:
    path.write_text(SHOE_ALONE.replace("{steps}", "\n  ".join(f"{step}," for step in steps)))
    return str(path)


@contextmanager
def up(*words: str) -> Iterator[list[str]]:
    """A rig that is up; what it said. Ends with Ctrl-C, and without a trace."""
    process = subprocess.Popen([*RIG, "up", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    said = []
    try:
        assert process.stdout is not None and process.stderr is not None
        for line in process.stdout:
            said.append(line)
            if "Ctrl-C" in line:
                break
        else:
            raise AssertionError(process.stderr.read())
        yield said
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors
        assert "Traceback" not in errors
    finally:
        process.kill()
        process.wait()


def test_the_library_is_listed_with_its_words() -> None:
    listed = rig("list")
    assert "baccarat-killed-in-mid-round" in listed.stdout
    words = rig("list", "--acts", "--faults").stdout
    assert re.search(r"shoe +pull_hard", words)
    assert re.search(r"jam +This card of the next movement sticks.*\[example_shuffler, shuffler\]", words)
    assert "daemon_killed" in words


def test_an_expectation_that_fails_is_printed_with_what_was_seen_instead(tmp_path: Path) -> None:
    path = story(
        tmp_path / "wrong.toml",
        '{ do = "shoe load", cards = "9h 2c Td 6s" }',
        '{ do = "console bank", spots = [100000] }',
        '{ see = "event bank_posted", spots = [5], within = 1 }',
    )
    done = rig("run", path)
    assert done.returncode == 1
    assert "wrong.toml:6: see event bank_posted spots=[5]" in done.stdout
    assert "The nearest, #" in done.stdout
    assert "spots[0] is 100000, not 5" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_what_cannot_be_a_scenario_is_a_sentence(tmp_path: Path) -> None:
    for path, words in (
        ("no-such-story", "there is no scenario 'no-such-story'"),
        (
            story(tmp_path / "two.toml", '{ do = "shoe draw", fault = "jam" }'),
            "two.toml:4: a step has one of do, fault",
        ),
        (str(tmp_path / "none.toml"), "cannot be read"),
    ):
        done = rig("run", path)
        assert done.returncode == 2, done.stdout
        assert words in done.stderr
        assert "Traceback" not in done.stderr
    assert rig("do", "shoe", "draw", "--folder", str(tmp_path)).stderr.startswith("cutcard rig: no rig is up in")


def test_a_rig_is_driven_by_hand_and_its_recording_runs_again(tmp_path: Path) -> None:
    like, bench = story(tmp_path / "like.toml"), str(tmp_path / "b")
    recording = tmp_path / "recorded.toml"

    def tell(*words: str) -> str:
        done = rig(*words, "--folder", bench)
        assert done.returncode == 0, done.stderr
        return done.stdout

    with up(like, "--folder", bench, "--speed", "max") as said:
        assert any("http://127.0.0.1:" in line for line in said)
        assert any(line.split()[:2] == ["shoe", "shoe"] for line in said)
        tell("do", "shoe", "load", "cards=9h 2c Td 6s 4d 4h")
        steps = [
            {"do": "console bank", "spots": [100000]},
            {"do": "console wager", "place": 1, "wager": "player_line", "cents": 1000},
            {"do": "console close_bets"},
            {"do": "shoe draw", "times": 4},
            {"see": "event round_settled", "outcome": "player"},
            {"fault": "unplug", "on": "shoe"},
            {"see": "alarm device_away:shoe"},
        ]
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(os.path.relpath(Path(bench) / "control"))
            with line.makefile("rwb") as stream:
                for step in steps:
                    stream.write(json.dumps(step).encode() + b"\n")
                    stream.flush()
                    assert "came" in json.loads(stream.readline()), step
        refused = rig("do", "shoe", "peel", "--folder", bench)
        assert refused.returncode == 2
        assert "a shoe has no act 'peel'" in refused.stderr
        assert "run it again with" in tell("record", str(recording))
    text = recording.read_text()
    assert '{ do = "shoe draw", times = 4 },' in text
    assert '{ see = "event card_dealt", to = "player", nth = 1, card = "9h" },' in text
    assert "peel" not in text
    again = rig("run", str(recording))
    assert again.returncode == 0, again.stdout
    assert "  ok, " in again.stdout


async def test_what_others_did_at_the_console_is_in_the_recording(tmp_path: Path) -> None:
    hire(tmp_path / "staff")
    scenario = read(find("baccarat-dragon-7"))
    async with staged(scenario, tmp_path / "table", staff=tmp_path / "staff") as stage:
        await stage.take(scenario.steps[0])
        await stage.daemon.console.act({"kind": "bank", "spots": [500000]})
        for step in scenario.steps[2:]:
            await stage.take(step)
        text = recorded(stage, "With a guest")
    lines = [line.strip() for line in text.split("\n") if line.startswith("  { do")]
    assert lines[1] == '{ do = "console bank", spots = [500000], as = "dealer" },'
    assert [line.split(",")[0] for line in lines] == [
        '{ do = "shoe load"',
        '{ do = "console bank"',
        '{ do = "console wager"',
        '{ do = "console wager"',
        '{ do = "console close_bets" }',
        '{ do = "shoe draw"',
    ]


def test_devices_alone_wait_for_a_daemon_of_your_own(tmp_path: Path) -> None:
    bench = tmp_path / "b"
    with up("uth-unread-hands-scanned", "--folder", str(bench), "--devices-only") as said:
        assert any("CUTCARD_USB=" in line for line in said)
        config = (bench / "devices.toml").read_text()
        assert f'url = "{bench / "rig" / "shuffler"}"' in config
        assert rig("fault", "unplug", "on=shuffler", "--folder", str(bench)).returncode == 0
        assert not (bench / "rig" / "shuffler").exists()
        assert "do, fault and fix" in rig("see", "state", "--folder", str(bench)).stderr


def test_a_table_that_is_not_in_test_mode_takes_no_usb_from_a_rig(tmp_path: Path) -> None:
    config = tmp_path / "cutcard.toml"
    config.write_text(
        'site = "a"\ntable = "b"\n[rules]\nruleset = "bankers-ez-baccarat-panda-8"\n'
        '[rules.options]\nschedule = "ca-2/ez-baccarat/1"\n[web]\nport = 0\n'
    )
    done = subprocess.run(
        [sys.executable, "-m", "controller.cli", "run", "--config", str(config)],
        env={**os.environ, "CUTCARD_USB": str(tmp_path / "usb")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "not in test mode" in done.stderr
