"""A player watches ten rounds of a real table on the page; what it shows is what the events say."""

from __future__ import annotations

import os
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.support.running.brokers import Subscriber, mosquitto, needs_mosquitto
from tests.support.running.browsers import needs_chromium, open_screen
from tests.support.running.tables import laid_table

pytestmark = [*needs_chromium, pytest.mark.broker, needs_mosquitto]

SCREENSHOT = "CUTCARD_SCREENSHOT"
"""Name a file in this variable and the test leaves its picture there; the README's was made so."""
SETTLED = "cutcard/v2/test/t-1/event/round_settled"


async def settlement(subscriber: Subscriber, count: int) -> dict[str, Any]:
    """The event that settled the round with this number."""
    await subscriber.until(lambda _: len(subscriber.on(SETTLED)) >= count)
    event: dict[str, Any] = msgspec.json.decode(subscriber.on(SETTLED)[count - 1])
    return event


async def test_ten_rounds_on_the_page_are_the_ten_rounds_of_the_events(tmp_path: Path) -> None:
    seen: list[str] = []
    async with AsyncExitStack() as stack:
        broker = stack.enter_context(mosquitto(tmp_path))
        subscriber = await stack.enter_async_context(Subscriber.listening(broker.port, "cutcard/v2/test/t-1/event/#"))
        table = await stack.enter_async_context(laid_table(tmp_path, broker.port, seed=8))
        screen = await stack.enter_async_context(open_screen(table.page))
        for number in range(1, 11):
            await table.people.play(1)
            event = await settlement(subscriber, number)
            board = await screen.board_at(seq=event["seq"])
            body = event["body"]
            assert board.phase == "settled"
            assert board.round.endswith(str(number))
            assert {owner: list(hand.cards) for owner, hand in board.hands.items()} == body["hands"]
            assert {owner: [int(hand.total)] for owner, hand in board.hands.items()} == body["totals"]
            assert [owner for owner, hand in board.hands.items() if hand.won] == [
                owner for owner in ("player", "banker") if body["outcome"] == owner
            ]
            assert set(board.marks) == {name for name, on in body["flags"].items() if on}
            seen.append({"player": "P", "banker": "B", "tie": "T"}[body["outcome"]])
            assert [bead.winner for bead in board.beads] == seen
            assert board.counts["banker"].count == str(seen.count("B"))
            assert board.counts["player"].count == str(seen.count("P"))
            assert board.counts["tie"].count == str(seen.count("T"))
            decided = "".join(winner for winner in seen if winner != "T")
            assert "".join(cell.winner for cell in board.big_road) == decided
            assert board.test
        assert screen.complaints == []
        assert screen.strangers() == []
        picture = await screen.screenshot(Path(os.environ[SCREENSHOT]) if SCREENSHOT in os.environ else None)
        assert len(picture) > 20_000
    assert len(set(seen)) > 1
