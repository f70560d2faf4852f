"""A device that is wrong in one place is named as such by `devices list`, `devices watch` and `doctor`: what it is,
what came in hex, what was expected, and the paragraph of the page. docs/protocols/bring-up.md."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

import pytest
import pytest_asyncio
from msgspec import Struct

from controller.technician.bench import look_at
from controller.technician.listing import list_ports
from controller.technician.status import DeviceStatus
from controller.technician.table import Chosen, ServedTable
from controller.technician.watching import watch
from devices.driver import DriverFailure
from devices.lines import TraceLine
from devices.ports.discovery import SerialPort
from devices.spec import USUAL_BAUD, DeviceSpec
from tests.support.wire.nearly_right import NAMES, SLOW_S, nearly_right

BENCH = ServedTable(None, None, None)
"""No configuration, no daemon: no round is unfinished."""

SAYS = {
    "another_crc": "its frames have CRC-16/CCITT-FALSE, the link has CRC-16/GENIBUS (device-link.md, section 2)",
    "crc_reversed": "its CRC has the least significant byte first (device-link.md, section 2)",
    "little_endian": "its numbers have the least significant byte first (device-link.md, section 1)",
    "session_0": "its HELLO has session 0 (device-link.md, section 4, rule 2)",
    "another_token": "its HELLO has another token than the RESET (device-link.md, section 4, rule 1)",
    "parity": "every byte has even parity: the device sends 7 data bits and a parity bit, the link 8 and none",
    "payload_too_long": "DATA carries 1 to 240 bytes, this one has 245 (device-link.md, section 3)",
    "no_end": "a run of more than 255 bytes without a zero came: a payload that is too long, or no byte stuffing",
    "two_devices": "two devices answer on this line, or one that begins a new session at each repeated RESET",
    "mute_after_hello": "it answers the RESET and nothing after it (device-link.md, section 9)",
    "echo": "everything that was sent came back, and nothing else: an echo (device-link.md, section 1)",
}


class Seen(Struct):
    """What the three commands show of one device."""

    listed: str
    watched: str
    status: DeviceStatus


def _extend(rows: list[str], line: TraceLine) -> None:
    rows.extend(line.rows())


async def _seen(folder: Path, name: str) -> Seen:
    listed: list[str] = []
    watched: list[str] = []
    with nearly_right(folder, name) as url:
        await list_ports(BENCH, [SerialPort(path=url)], listed.append, baud=USUAL_BAUD, quiet=False)
        spec = DeviceSpec(id="shoe", kind="shoe", url=url)
        chosen = Chosen(spec=spec, in_config=False)
        try:
            show = partial(_extend, watched)
            await watch(BENCH, chosen, show, seconds=6, sealed=False, take_events=False)
        except DriverFailure as failure:
            watched.append(str(failure))
        status = await look_at(spec, show_bytes=True)
    return Seen("\n".join(listed), "\n".join(watched), status)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Seen]:
    """All of them side by side, each on a port of its own: together they take as long as the slowest."""
    folder = tmp_path_factory.mktemp("ports")
    found = await asyncio.gather(*(_seen(folder, name) for name in NAMES))
    return dict(zip(NAMES, found, strict=True))


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("name", SAYS)
async def test_it_is_named_by_all_three(seen: dict[str, Seen], name: str) -> None:
    assert SAYS[name] in seen[name].listed
    assert SAYS[name] in seen[name].watched
    assert SAYS[name] in seen[name].status.detail
    assert seen[name].status.state == "offline"


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("name", SAYS)
async def test_what_came_and_what_was_expected_are_shown(seen: dict[str, Seen], name: str) -> None:
    for shown in (seen[name].listed, "\n".join(seen[name].status.evidence)):
        assert "came      " in shown or name == "mute_after_hello", "nothing came that shows it"
        assert "expected  " in shown
    assert "expected" in seen[name].watched


@pytest.mark.asyncio(loop_scope="module")
async def test_the_speed_that_answers_is_named(seen: dict[str, Seen]) -> None:
    assert "at 9600 baud" in seen["another_speed"].listed
    assert "another speed or parity" in seen["another_speed"].status.detail


@pytest.mark.asyncio(loop_scope="module")
async def test_another_class_of_device_is_named(seen: dict[str, Seen]) -> None:
    assert "a dice cup: SIM-CUP" in seen["another_class"].listed
    status = seen["another_class"].status
    assert (status.state, "is a dice cup, not a shoe" in status.detail) == ("wrong_device", True)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_slow_answer_is_as_slow_as_it_is(seen: dict[str, Seen]) -> None:
    link = seen["slow"].status.link
    assert link is not None
    assert link.slowest_answer_ms is not None
    assert link.slowest_answer_ms >= 1000 * SLOW_S
    assert link.trouble.startswith("an answer took 1")
    assert "slowest answer" in "".join(link.rows)


@pytest.mark.asyncio(loop_scope="module")
async def test_no_words_of_a_library_reach_a_person(seen: dict[str, Seen]) -> None:
    for each in seen.values():
        text = each.listed + each.watched + each.status.detail
        assert not [word for word in ("construct", "Error in path", "Traceback", "Errno") if word in text]
