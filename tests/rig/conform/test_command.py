"""`cutcard rig conform` as a firmware engineer uses it: on a real pseudo-terminal, with its reports."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from sim_hw.conform.kinds import KINDS
from sim_hw.conform.play import Outcome, Result
from sim_hw.conform.report import as_html, as_junit, as_text
from sim_hw.conform.wrong import lost_out
from sim_hw.rig.command import main
from tests.support.wire.conformance import judged


class Ran(NamedTuple):
    code: int
    out: str
    err: str


Conform = Callable[..., Ran]


@pytest.fixture
def conform(capsys: pytest.CaptureFixture[str]) -> Conform:
    def run(*words: str) -> Ran:
        code = main(["conform", *words])
        return Ran(code, *capsys.readouterr())

    return run


def test_a_sensor_on_a_real_port_is_judged_and_reported_in_three_forms(tmp_path: Path, conform: Conform) -> None:
    done = conform(
        "drop_box",
        *("--text", str(tmp_path / "report.txt")),
        *("--junit", str(tmp_path / "report.xml")),
        *("--html", str(tmp_path / "report.html")),
    )
    assert done.code == 0, done.out + done.err
    assert "19 passed, 0 failed" in done.out
    suite = ElementTree.parse(tmp_path / "report.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("21", "0")
    assert "DROP-1 " in (tmp_path / "report.txt").read_text()
    assert "<table>" in (tmp_path / "report.html").read_text()


def test_a_card_reader_on_usb_is_judged(conform: Conform) -> None:
    done = conform("card_reader")
    assert done.code == 0, done.out + done.err
    assert "SIM-READER SIM-0001, on usb://1209:0001/SIM-0001: 7 requirements" in done.out
    assert "7 passed, 0 failed" in done.out


def test_a_usb_device_that_is_not_there_is_a_sentence(conform: Conform) -> None:
    done = conform("card_reader", "--port", "usb://1209:0009")
    assert done.code == 2
    assert "1209:0009 is not a device" in done.err or "libusb" in done.err
    assert "names no USB device" in conform("card_reader", "--port", "/dev/ttyUSB0").err


def test_a_part_of_the_link_on_a_real_port(conform: Conform) -> None:
    done = conform("shoe", "--only", "LINK-1", "LINK-27", "SHOE-1", "SHOE-14")
    assert done.code == 0, done.out + done.err
    assert "4 passed, 0 failed" in done.out


def test_a_port_without_a_device_is_no_success(conform: Conform) -> None:
    ours, theirs = os.openpty()
    try:
        done = conform("drop_box", "--port", os.ttyname(theirs), "--parity", "none", "--nobody", "--only", "DROP-5")
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.code == 1
    assert "came none" in done.out


def test_a_port_that_is_not_there_is_a_sentence(conform: Conform) -> None:
    done = conform("shoe", "--port", "/dev/ttyNONE")
    assert done.code == 2
    assert done.err.startswith("cutcard rig: /dev/ttyNONE cannot be opened")


def test_a_script_acts_for_a_person_and_may_say_that_it_cannot(tmp_path: Path, conform: Conform) -> None:
    robot = tmp_path / "robot"
    robot.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/acts\nexit 3\n')
    robot.chmod(robot.stat().st_mode | stat.S_IXUSR)
    done = conform("key_panel", "--robot", str(robot), "--only", "KEYS-1")
    assert "not played KEYS-1" in done.out
    assert "the script cannot do this: press key=1" in done.out
    assert (tmp_path / "acts").read_text() == "press key=1\n"


def failing() -> Outcome:
    wanted = [each for each in KINDS["shoe"].requirements if each.id == "LINK-40"]
    return judged("shoe", lost_out(5), wanted)


def test_a_failure_comes_with_its_frames_in_hex_and_in_words() -> None:
    outcome = failing()
    (result,) = outcome.results
    assert isinstance(result, Result)
    assert result.state == "failed"
    text = as_text(outcome)
    assert "expected a frame at least every 0.5 s" in text
    assert "to the device    00 06 01" in text
    assert "Reset(token=" in text
    assert "Identity(" in text or "Status(" in text
    case = ElementTree.fromstring(as_junit(outcome)).find("testcase/failure")
    assert case is not None
    assert "00 06 01" in (case.text or "")
    assert "what passed on the port" in as_html(outcome)
