"""The whole table: bytes on a PTY, the daemon as its own process, events on a real broker."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest

from controller.evidence.rerun import rerun
from controller.journal import JournalReader
from controller.rules import resolve
from sim_hw.people.baccarat import TableSaidNo
from sim_hw.wire.noise import Noise
from tests.support.running.brokers import Subscriber, free_port, mosquitto, needs_mosquitto
from tests.support.running.tables import LaidTable, laid_table

EVENTS = "cutcard/v2/test/t-1/event/+"


def whole(table: LaidTable) -> None:
    """The chain holds and every input re-runs to the same events."""
    with JournalReader.read(table.journal) as reader:
        reader.verify_chain()
        rerun(reader, reader.head, resolve)


@pytest.mark.broker
@needs_mosquitto
async def test_a_subscriber_has_exactly_the_journal_although_the_broker_is_killed_twice(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        # The broker's duty, not ours: to know its subscriber again after a kill; else what comes first is nobody's.
        remembering = ("persistence true", "autosave_on_changes true", "autosave_interval 1")
        where = f"persistence_location {tmp_path}/"
        broker = stack.enter_context(mosquitto(tmp_path, "allow_anonymous true", *remembering, where))
        subscriber = await stack.enter_async_context(Subscriber.listening(broker.port, EVENTS))
        table = await stack.enter_async_context(laid_table(tmp_path, broker.port, seed=5))

        def has_all(_: object) -> bool:
            return {message["seq"] for message in events(subscriber)} >= set(range(1, len(table.journal_events()) + 1))

        for _ in range(2):
            await table.people.play(3)
            await subscriber.until(has_all)  # what the broker has taken and not yet handed on would die with it
            broker.kill()
            await table.people.play(3)
            broker.start()
        await table.people.play(2)
        await subscriber.until(has_all)
        by_seq = {message["seq"]: message for message in events(subscriber)}
        journal = table.journal_events()
        assert sorted(by_seq) == [event["seq"] for event in journal] == list(range(1, len(journal) + 1))
        for event in journal:
            message = by_seq[event["seq"]]
            assert message["body"] == {key: value for key, value in event.items() if key not in ("seq", "hash")}
            assert message["hash"] == event["hash"]
            assert message["test"] is True
        async with Subscriber.listening(broker.port, "cutcard/v2/test/t-1/#", client_id="late") as late:
            await late.until(lambda _: bool(late.on("+/+/+/+/state")) and bool(late.on("+/+/+/+/online")))
            state = msgspec.json.decode(late.on("+/+/+/+/state")[0])
            assert (state["round"], state["seq"]) == (14, len(journal))
            assert msgspec.json.decode(late.on("+/+/+/+/online")[0])["online"] is True
        whole(table)


def events(subscriber: Subscriber) -> list[dict[str, Any]]:
    return [msgspec.json.decode(payload) for payload in subscriber.on(EVENTS)]


async def test_noise_on_the_wire_costs_retransmissions_never_a_card(tmp_path: Path) -> None:
    noise = Noise(bit_errors=2e-4, lost_bytes=2e-4, repeated=0.01, garbage=0.01)
    async with laid_table(tmp_path, free_port(), seed=11, noise=noise) as table:
        async with asyncio.timeout(120):
            await table.people.play(20)
        assert table.shoe.link.statistics.retransmissions > 0
        noisy = [event for event in table.journal_events() if event["kind"] in ("card_dealt", "round_settled")]
    quiet_folder = tmp_path / "quiet"
    quiet_folder.mkdir()
    async with laid_table(quiet_folder, free_port(), seed=11) as table:
        await table.people.play(20)
        quiet = [event for event in table.journal_events() if event["kind"] in ("card_dealt", "round_settled")]
    assert [without_number(event) for event in noisy] == [without_number(event) for event in quiet]


def without_number(event: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in event.items() if key not in ("seq", "hash")}


async def test_a_power_cut_in_mid_round_leaves_the_table_where_it_stood(tmp_path: Path) -> None:
    async with laid_table(tmp_path, free_port(), cards=["2h", "Kd", "Kc", "3c", "8s", "4d"]) as table:
        await table.console.act({"kind": "wager", "place": 4, "wager": "banker_line", "cents": 3000})
        await table.console.act({"kind": "close_bets"})
        for _ in range(3):
            await table.shoe.draw()
            await table.shoe.wait_taken()
        before = await table.console.view()
        table.kill()
        await table.stop()
        async with aiohttp.ClientSession() as session:
            await table.start(session)
            after = await table.console.view()
            assert [hand["cards"] for hand in after["hands"]] == [hand["cards"] for hand in before["hands"]]
            assert (after["prompt"], after["round"]) == (before["prompt"], before["round"])
            while (await table.console.view())["phase"] == "dealing":
                await table.shoe.draw()
                await table.shoe.wait_taken()
        settled = [event for event in table.journal_events() if event["kind"] == "round_settled"]
        assert [event["hands"] for event in settled] == [{"player": ["2h", "Kc", "8s"], "banker": ["Kd", "3c"]}]
        assert settled[0]["lines"] == [{"place": 4, "wager": "banker_line", "net": 3000}]
        whole(table)


async def test_cards_drawn_while_the_daemon_is_down_arrive_once_when_it_is_back(tmp_path: Path) -> None:
    async with laid_table(tmp_path, free_port(), cards=["2h", "Kd", "Kc", "3c", "8s", "4d"]) as table:
        await table.console.act({"kind": "close_bets"})
        await table.shoe.draw()
        await table.shoe.wait_taken()
        table.kill()
        await table.stop()
        table.shoe.force_draw()  # the last unlock is still in force: the dealer pulls on in the dark
        async with aiohttp.ClientSession() as session:
            await table.start(session)
            await table.shoe.wait_taken()
            view = await table.console.view()
            assert [hand["cards"] for hand in view["hands"]] == [["2h"], ["Kd"]]


async def test_an_overdraw_holds_the_table_and_the_floor_resumes_it(tmp_path: Path) -> None:
    async with laid_table(tmp_path, free_port(), cards=["2h", "Kd", "Kc", "3c", "8s", "4d", "9c", "9d"]) as table:
        table.shoe.force_draw()
        await table.shoe.wait_taken()
        view = await table.console.view()
        assert view["phase"] == "held"
        assert view["held"]["code"] == "overdraw"
        with pytest.raises(TableSaidNo, match="not_your_right"):
            await table.console.act({"kind": "floor", "do": "resume"})
        await table.console.act({"kind": "floor", "do": "use_next", "reason": "goes to the player"}, by="floor:ann")
        await table.console.act({"kind": "close_bets"})
        assert (await table.console.view())["hands"][0]["cards"] == ["2h"]


async def test_an_unplugged_shoe_holds_the_round_and_the_dealer_keys_the_cards(tmp_path: Path) -> None:
    async with laid_table(tmp_path, free_port(), cards=["9h", "Kd", "Tc", "7s"]) as table:
        await table.console.act({"kind": "close_bets"})
        await table.shoe.draw()
        await table.shoe.wait_taken()
        with pytest.raises(TableSaidNo, match="devices_only"):
            await table.console.act({"kind": "card_out", "card": "Kd"})
        table.shoe.unplug()
        await table.until(lambda view: view.get("phase") == "held")
        assert "alarm_raised" in table.kinds()
        await table.console.act({"kind": "floor", "do": "resume", "reason": "keyed by hand"}, by="floor:ann")
        for card in ("Kd", "Tc", "7s"):
            await table.console.act({"kind": "card_out", "card": card})
        assert (await table.console.view())["outcome"] == "player"


async def test_a_misread_card_is_corrected_before_the_next_round(tmp_path: Path) -> None:
    async with laid_table(tmp_path, free_port(), cards=["9h", "Kd", "Tc", "7s", "2c"]) as table:
        await table.console.act({"kind": "close_bets"})
        table.shoe.misread_next("8h")
        while (await table.console.view())["phase"] != "settled":
            await table.shoe.draw()
            await table.shoe.wait_taken()
        assert (await table.console.view())["hands"][0]["total"] == "8"
        change = [{"index": 1, "body": {"kind": "card_out", "card": "9h"}}]
        amend = {"kind": "amend", "round": 1, "changes": change, "reason": "the nine was read as an eight"}
        answer = await table.console.act({**amend, "preview": True}, by="floor:ann")
        assert msgspec.json.decode(answer["text"])["totals"][1]["player"] == [9]
        assert table.kinds()[-1] == "correction_weighed"
        assert (await table.console.view())["hands"][0]["total"] == "8"
        await table.console.act(amend, by="floor:ann")
        assert (await table.console.view())["hands"][0]["total"] == "9"
        assert table.kinds()[-1] == "corrected"
        whole(table)


async def test_a_disk_that_is_nearly_full_lets_no_new_round_begin(tmp_path: Path) -> None:
    async with laid_table(tmp_path, free_port(), cards=["9h"], stop_below=10**9) as table:
        view = await table.until(lambda view: str(view.get("prompt", "")).startswith("No new round"))
        assert "MB are free on the journal's disk" in view["prompt"]
        assert table.kinds().count("alarm_raised") == 2
        with pytest.raises(TableSaidNo, match="not_expected"):
            await table.console.act({"kind": "close_bets"})
        assert table.shoe.is_locked


async def test_sigterm_ends_the_daemon_cleanly(tmp_path: Path) -> None:
    async with laid_table(tmp_path, free_port(), seed=2) as table:
        await table.people.play(1)
        assert await table.stop() == 0
    log = (tmp_path / "daemon.log").read_text()
    assert "Traceback" not in log
    assert "stopped" in log
