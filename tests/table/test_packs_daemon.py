"""Shuffle control at a whole table: a shoe that is loaded stays locked until the dealer has declared its pack."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.running import tables
from tests.support.running.brokers import free_port
from tests.support.running.tables import laid_table

CONTROLLED = tables.CONFIG.replace("[seating]", "[seating]\nshuffle_control = true")
CARDS = ["9h", "2d", "Kc", "6s", "9d", "2h"]


async def test_people_declare_their_packs_and_play_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "CONFIG", CONTROLLED)
    async with laid_table(tmp_path, free_port()) as table:
        await table.people.play(2)
        assert table.kinds().count("pack_in_play") == 1
        assert "alarm_raised" not in table.kinds()


async def test_a_loaded_shoe_is_locked_until_its_pack_is_declared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "CONFIG", CONTROLLED)
    async with laid_table(tmp_path, free_port(), cards=CARDS) as table:
        view = await table.console.view()
        assert view["prompt"] == "Shuffle and count the pack of 416 cards, then declare it"
        await table.console.act({"kind": "pack", "cards": 416})
        assert (await table.console.view())["prompt"] == "Place your bets"
        (alarm,) = (event for event in table.journal_events() if event["kind"] == "alarm_raised")
        assert alarm["text"] == "416 cards were shuffled and counted, 6 were put into the shoe"
        await table.console.act({"kind": "close_bets"})
        for _ in range(4):
            await table.shoe.draw()
            await table.shoe.wait_taken()
        assert table.kinds()[-1] == "round_settled"
        by = next(event for event in table.journal_events() if event["kind"] == "pack_ready")["by"]
        assert by
        assert table.kinds().index("pack_in_play") < table.kinds().index("card_dealt")
