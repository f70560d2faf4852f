"""The hands that a house celebrates: only the ones it names, only shown, only once they have won."""

from __future__ import annotations

from controller.engine.inputs import AnyBody, BetsClosed, CardOut, ShoeStarted
from controller.outputs.celebration import celebrated
from tests.engine.test_bot import Evening
from tests.outputs.test_view import fed

DRAGON: list[AnyBody] = [
    ShoeStarted(8),
    BetsClosed(),
    *(CardOut(code) for code in ("2h", "Kd", "3c", "4s", "5d", "3h")),
]


def test_a_dragon_is_celebrated_by_a_house_that_names_it() -> None:
    engine = fed(*DRAGON)
    assert celebrated(engine, ("dragon_7",)) == "Dragon 7"
    assert celebrated(engine, ("panda_8", "royal_flush")) is None
    assert celebrated(engine, ()) is None, "off by default"


def test_nothing_is_celebrated_while_the_hand_is_running() -> None:
    assert celebrated(fed(*DRAGON[:5]), ("dragon_7",)) is None


def test_a_hand_is_celebrated_with_its_name_where_it_won_and_was_shown() -> None:
    evening = Evening("bankers-texas-holdem", 11)
    every = ("high_card", "pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house", "four_of_a_kind")
    found: list[str] = []
    for _ in range(600):
        evening._step()
        last = evening.engine.last
        if last is None or last.public.get("void"):
            continue
        text = celebrated(evening.engine, every)
        hands = last.public["hands"]
        winners = {str(seat) for pot in last.public["pots"] for seat, cents in pot["to"].items() if cents}
        ranks = last.document.get("ranks", {})
        shown = {str(owner) for owner, cards in hands.items() if None not in cards and ranks.get(owner)}
        assert (text is not None) is bool(winners & shown)
        if text is not None:
            found.append(text)
    assert any(text.startswith("Seat ") and ": " in text for text in found)
