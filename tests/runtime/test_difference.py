"""A daemon whose journal does not come out the same: its table is held and not dark, and the floor can go on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest

from controller.cli import main
from controller.engine.inputs import Input, WagerPlaced, encode_input
from controller.journal import Journal
from tests.support.running.brokers import free_port
from tests.support.running.tables import LaidTable, laid_table

BY_ANOTHER_PROGRAM = [b'{"kind":"round_started"}']
"""What this program does not make of the input, and a round that runs after it."""


def add_what_differs(path: Path) -> int:
    """An entry of another program at the end; its number."""
    with Journal.open(path, site="test", table="t-1") as journal:
        value = Input(2_000_000_000_000, "dealer:sam", WagerPlaced(1, "tie", 1000))
        return journal.append_now(2, encode_input(value), BY_ANOTHER_PROGRAM).n


async def console_of(table: LaidTable) -> dict[str, Any]:
    async with aiohttp.ClientSession() as session:
        headers = {"Authorization": f"Bearer {await table.console.login('floor')}"}
        async with session.get(f"{table.page}api/console", headers=headers) as answer:
            document: dict[str, Any] = msgspec.json.decode(await answer.read())
            return document


async def test_the_floor_voids_the_round_at_the_console_and_the_table_deals_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with laid_table(tmp_path, free_port()) as table, aiohttp.ClientSession() as session:
        await table.people.play(1)
        await table.stop()
        entry = add_what_differs(table.journal)

        await table.start(session)
        view = await table.console.view()
        assert view["phase"] == "held"
        assert f"entry {entry} of the journal does not come out the same" in view["prompt"]
        assert f"entry {entry} of the journal" in (table.folder / "daemon.log").read_text()
        offers = (await console_of(table))["offers"]
        (way_out,) = (offer for offer in offers if "replay_differs" in offer.get("clears", ()))
        assert way_out["body"] == {"kind": "floor", "do": "void"}
        assert "are not known" in way_out["sure"], "nobody may read there that all wagers go back"

        await table.console.act({**way_out["body"], "reason": "looked up on video"}, by="floor")
        table.seat_people()
        await table.people.play(1)
        kinds = table.kinds()
        found = kinds.index("replay_differed")
        assert kinds[found : found + 2] == ["replay_differed", "alarm_raised"]
        assert "round_settled" in kinds[kinds.index("difference_accepted") :]

    assert main.main(["verify", str(table.journal)]) == 1
    verdict = capsys.readouterr().out
    assert f"Entry {entry}, re-run, does not come out the same" in verdict
    assert "held for it" in verdict
