"""The drop from afar: who deals, which box, what was counted, what became of it; commands over MQTT, for the floor."""

from __future__ import annotations

from pathlib import Path

from controller.engine.inputs import SensorSeen
from tests.support.running.askers import asked_table


async def test_the_pit_says_who_deals_which_box_is_in_and_what_was_counted(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        mark = {"box_id": "BOX-1", "box_present": True}
        await table.recorder.submit(SensorSeen("boxes.collection", "collection", "met", mark=mark), "device:boxes")
        assert (await table.ask("floor", "dealer", name="sam"))["ok"]
        assert (await table.ask("floor", "box", box="collection", box_id="BOX-1", seal="S-4411"))["ok"]
        await table.recorder.submit(SensorSeen("boxes.collection", "collection", "box_removed"), "device:boxes")
        assert (await table.ask("floor", "counted", box_id="BOX-1", cents=0))["ok"]
        drop = table.recorder.engine.state.drop
        assert (drop.dealer, drop.books["collection"].seal, drop.gone) == ("sam", "S-4411", {})


async def test_what_cannot_be_done_is_answered_with_the_reason(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        assert (await table.ask("floor", "box", box="collection", box_id="BOX-1"))["why"] == "no_such_box"
        assert (await table.ask("floor", "counted", box_id="BOX-1", cents=100))["why"] == "no_such_box"
        assert (await table.ask("floor", "explain", box="collection", reason="x"))["why"] == "nothing_open"
        assert (await table.ask("floor", "dealer", name="nobody"))["why"] == "not_on_staff"
        assert (await table.ask("floor", "dealer", name="Not A Name"))["why"] == "malformed"
        assert (await table.ask("dealer", "counted", box_id="BOX-1", cents=100))["why"] == "not_allowed"
