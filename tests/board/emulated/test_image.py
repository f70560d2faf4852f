"""The image on an emulated board: flashed, started, asked four questions, dealt at, and started again.

The kernel is Debian's own, the shoe is at a USB serial adapter that this kernel finds. An emulated minute means
nothing, so no time is looked at.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
import pytest_asyncio

from deploy.debian import roots
from sim_hw.devices.kinds import DevicePlan
from sim_hw.people.baccarat import find_console
from sim_hw.rig.board import machine
from sim_hw.rig.board.table import BoardTable, board_table
from sim_hw.rig.table.broker import Broker
from sim_hw.rig.table.daemon import hire
from sim_hw.rig.table.subscriber import Subscriber

RULESET = "bankers-ez-baccarat-panda-8"
CARDS = "9h 2c 8d 3s 5c 5d 6h 6s"
PATIENCE_S = 3600.0

LACKING = roots.why_not() or machine.why_not()
pytestmark = [
    pytest.mark.skipif(LACKING is not None, reason=LACKING or ""),
    pytest.mark.timeout(4 * PATIENCE_S),
]


@pytest_asyncio.fixture
async def broker(tmp_path: Path) -> AsyncIterator[Broker]:
    broker = Broker(tmp_path / "broker")
    await broker.start()
    yield broker
    await broker.stop()


async def test_a_flashed_board_finds_its_shoe_deals_a_round_and_goes_on_with_it_after_the_plug_was_pulled(
    tmp_path: Path, board_image: Path, broker: Broker
) -> None:
    plan = {"shoe": DevicePlan("shoe")}
    staff = await hire(tmp_path / "staff")
    async with (
        board_table(tmp_path / "board", board_image, plan, ruleset=RULESET, broker=broker, seed=7) as (board, rig),
        Subscriber(broker.port, site="rig", table="board-1").listening() as cardroom,
        aiohttp.ClientSession() as session,
    ):
        await board.start()
        data = await board.set_up(staff)
        await set_up_by_itself(board)
        await closed_to_everybody_else(board)
        console = await find_console(session, data, PATIENCE_S)
        await rig.act("shoe", "load", cards=CARDS)
        await console.act({"kind": "wager", "place": 1, "wager": "player_line", "cents": 1000})
        await console.act({"kind": "close_bets"})
        for _ in range(3):
            await rig.act("shoe", "draw")
        await cardroom.until(lambda: sum(event["kind"] == "card_dealt" for event in cardroom.events) == 3)
        published = list(cardroom.events)

        await board.power_off()
        await board.start()
        await board.running()

        console = await find_console(session, data, PATIENCE_S)
        while (await console.view())["phase"] == "dealing":
            await rig.act("shoe", "draw")
        await cardroom.until(lambda: any(event["kind"] == "round_settled" for event in cardroom.events))
        assert cardroom.events[: len(published)] == published
        assert cardroom.holes == []
        assert (
            "error" not in (await board.run("runuser -u cutcard -- cutcard verify /var/lib/cutcard/journal.db")).lower()
        )
        await found_good(board)


async def set_up_by_itself(board: BoardTable) -> None:
    """The answers were on the boot partition; the shoe is known by the number of its adapter."""
    config = await board.run("cat", "/etc/cutcard/cutcard.toml")
    assert 'table = "board-1"' in config and RULESET in config
    assert re.search(r'url = "/dev/serial/by-id/usb-QEMU_QEMU_USB_SERIAL_shoe-if00-port0"', config), config
    assert (await board.run("hostname")).strip() == "board-1"


async def closed_to_everybody_else(board: BoardTable) -> None:
    """Nothing of the system can be written, nobody has a password, and the network reaches two ports."""
    assert re.search(r"^root: .* verity .* restart_on_corruption", await board.run("dmsetup", "table"))
    assert (await board.run("cat", "/sys/block/dm-0/ro")).strip() == "1"
    root = (await board.run("findmnt", "--noheadings", "--output", "FSTYPE,OPTIONS", "/")).split()
    # A layer in memory over it: what was written there is gone at the next start.
    assert root[0] == "overlay" and "upperdir=/run/" in root[1]
    shadow = await board.run("cat", "/etc/shadow")
    assert {line.split(":")[1][:1] for line in shadow.splitlines()} <= {"*", "!"}
    rules = await board.run("nft", "list", "ruleset")
    assert "policy drop" in rules and "tcp dport { 22, 8080 } accept" in rules


async def found_good(board: BoardTable) -> None:
    """The count of its starts goes back, and it is the board that it was."""
    assert (await board.run("systemctl", "is-system-running", "--wait", check=False)).strip() == "running"
    kept = (await board.run("grub-editenv", "/site/EFI/BOOT/grubenv", "list")).split()
    assert "A_TRY=0" in kept
    assert f"MACHINE_ID={(await board.run('cat', '/etc/machine-id')).strip()}" in kept


async def test_a_board_without_answers_asks_four_questions_at_its_console(tmp_path: Path, board_image: Path) -> None:
    board = machine.Machine(tmp_path / "board", board_image)
    await board.power_on()
    try:
        for question, answer in (
            (r"Site \[cardroom\]: ", "riverside"),
            (r"Table \[table-1\]: ", "baccarat-7"),
            (r"Ruleset \[\S+\]: ", ""),
            (r"Broker \[\S+\]: ", "broker.riverside"),
        ):
            await board.console.until(question)
            await board.console.type(answer)
        await board.console.until(r"cutcard.toml is written, with 0 devices")
        await board.console.until(r"login: ")
    finally:
        await board.power_off()
