"""The key panel as the only thing a dealer has: its menu by itself, and a real table played from nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from controller.engine.inputs import AnyBody, BetsClosed, CardOut, Input, ShoeStarted, decode_body
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.operator.offers.offers import Ask, Offer, Pick, offers
from controller.operator.panel_menu import PanelMenu, PanelRequest
from controller.operator.roles import Right
from controller.rules import all_rulesets
from protocols.key_panel import KeyLamp
from sim_hw.devices.key_panel import SimulatedKeyPanel
from sim_hw.time.clock import SimClock
from sim_hw.wire.pty import Pty
from tests.engine.test_bot import new_table
from tests.support.running.consoles import MannedTable, manned_table

EZ = "bankers-ez-baccarat-panda-8"
PANEL = """
[[devices]]
id = "panel"
kind = "key_panel"
url = "{port}"
options = {{ keys = {keys} }}
"""
NEXT, PREVIOUS, OK, BACK, NO_MORE_BETS = 1, 2, 3, 4, 5
KEYS = '{ "1" = "next", "2" = "previous", "3" = "ok", "4" = "back", "5" = "no_more_bets", "6" = "call_floor" }'


# The menu by itself


def menu_of(*choices: Offer, prompt: str = "Place your bets", deck: tuple[str, ...] = ()) -> PanelMenu:
    menu = PanelMenu()
    menu.follow(choices, prompt, deck)
    return menu


def an_offer(*asks: Ask, label: str = "Do it", body: dict[str, Any] | None = None, sure: str = "") -> Offer:
    return Offer(label.lower(), label, Right.DEAL, {"kind": "x"} if body is None else body, asks=asks, sure=sure)


def press(menu: PanelMenu, keys: str) -> PanelRequest | None:
    """ "next next ok": the request of the last key."""
    request = None
    for key in keys.split():
        request = menu.press(key)
    return request


def test_the_first_offer_is_what_comes_next_and_the_keys_walk_round() -> None:
    menu = menu_of(an_offer(label="No more bets"), an_offer(label="Wager"))
    assert menu.lines(16) == ("PLACE YOUR BETS", ">NO MORE BETS")
    press(menu, "next")
    assert menu.lines(16)[1] == ">WAGER"
    press(menu, "next")
    assert menu.lines(16)[1] == ">NO MORE BETS"
    press(menu, "previous")
    request = press(menu, "ok")
    assert request is not None and request.offer.label == "Wager"


def test_long_words_are_cut_and_strange_characters_replaced() -> None:
    menu = menu_of(an_offer(label="Raise — ✓"), prompt="Seat 3: hit, stand, double or split")
    assert menu.lines(16) == ("SEAT 3: HIT, STA", ">RAISE - ?")


def test_a_wager_is_seat_kind_and_amount_within_the_bounds_of_its_kind() -> None:
    asks = (
        Ask("place", "pick", "Seat", picks=(Pick(1, "Seat 1"), Pick(2, "Seat 2"))),
        Ask("wager", "pick", "Which", picks=(Pick("ante", "Ante", 1000, 2000), Pick("tie", "Tie", 500, 500))),
        Ask("cents", "cents", "How much", 0),
    )
    menu = menu_of(an_offer(*asks))
    press(menu, "ok next ok ok")
    assert menu.lines(20) == ("HOW MUCH (-$20)", ">$10")
    press(menu, "next next next")
    assert menu.lines(20)[1] == ">$20", "more than the maximum"
    request = press(menu, "previous ok")
    assert request is not None and request.body == {"kind": "x", "place": 2, "wager": "ante", "cents": 1500}


def test_number_keys_type_dollars_and_an_amount_out_of_bounds_is_not_taken() -> None:
    menu = menu_of(an_offer(Ask("cents", "cents", "How much", 1000, 9900)))
    assert press(menu, "ok digit_1 digit_2 digit_0 ok") is None
    assert menu.lines(20)[1] == ">$120"
    request = press(menu, "digit_7 digit_5 ok")
    assert request is not None and request.body["cents"] == 7500


def test_back_gives_up_and_nothing_was_done() -> None:
    menu = menu_of(an_offer(Ask("pile", "pick", "Pile", picks=(Pick(1, "1"), Pick(2, "2")))))
    assert press(menu, "ok next back") is None
    assert menu.lines(16)[1] == ">DO IT"


def test_what_cannot_be_taken_back_is_asked_twice() -> None:
    menu = menu_of(an_offer(label="Void", sure="Void the round?"))
    assert press(menu, "ok") is None
    assert menu.lines(16) == ("VOID THE ROUND?", "OK: YES")
    request = press(menu, "next ok")
    assert request is not None and request.sure


def test_a_card_that_stays_face_down_is_not_on_the_panel() -> None:
    menu = menu_of(an_offer(Ask("cards", "cards", "Dealer", 1, 1, sealed=True)), deck=("As", "2s", "2h"))
    seen: list[str] = []
    request = None
    for key in ("ok", "next", "ok", "next", "ok"):
        request = menu.press(key)
        seen += menu.lines(16)
    assert request is not None and request.body["cards"] == ["2h"]
    assert not any("2" in line or "HEART" in line for line in seen)


def test_dice_seats_and_amounts_by_seat_are_keyed_one_after_the_other() -> None:
    dice = menu_of(an_offer(Ask("values", "dice", "Dice", 3, 3)))
    request = press(dice, "ok next ok ok next next ok")
    assert request is not None and request.body["values"] == [2, 1, 3]
    seats = menu_of(an_offer(Ask("seats", "seats", "Who", picks=(Pick(1, "1"), Pick(2, "2")), given=[1])))
    request = press(seats, "ok ok next ok next ok")
    assert request is not None and request.body["seats"] == [2]
    blinds = menu_of(an_offer(Ask("settings.blinds", "by_seat", "Blinds", picks=(Pick(2, "2"), Pick(3, "3")))))
    request = press(blinds, "ok digit_1 ok digit_2 ok")
    assert request is not None and request.body == {"kind": "x", "settings": {"blinds": {"2": 100, "3": 200}}}


def test_when_the_table_moves_on_a_conversation_about_the_past_ends() -> None:
    first = an_offer(Ask("pile", "pick", "Pile", picks=(Pick(1, "1"), Pick(2, "2"))))
    menu = menu_of(first)
    press(menu, "ok next")
    menu.follow((an_offer(label="Other"), first), "Something else", ())
    assert menu.lines(16) == ("PILE", ">2"), "it is still offered"
    menu.follow((an_offer(label="Other"),), "Something else", ())
    assert menu.lines(16) == ("SOMETHING ELSE", ">OTHER")


@pytest.mark.parametrize("slug", [EZ, "bankers-pure-21-5-blackjack", "bankers-ultimate-texas-holdem"])
def test_every_request_of_the_menu_is_an_input(slug: str) -> None:
    """Whatever is offered in the first steps of a round can be keyed with `ok` alone, and means something."""
    engine: TableEngine[Any] = new_table(all_rulesets()[slug], Setup(seats=(1, 2), player_dealer=8))
    steps: list[AnyBody] = [ShoeStarted(8), BetsClosed(), CardOut("9h")]
    for body in [None, *steps]:
        if body is not None:
            engine.apply(Input(0, "test", body))
        for offer in offers(engine, keys_cards=True):
            menu = menu_of(offer, deck=tuple(engine.game.deck(engine.options) or ()))
            names_seats = any(ask.kind == "seats" for ask in offer.asks)
            request = next(
                (request for _ in range(40) if (request := menu.press("next" if names_seats else "ok"))), None
            )
            if not names_seats:
                assert request is not None, offer
                decode_body(request.body)


# A real table


@asynccontextmanager
async def panel_table(folder: Path) -> AsyncIterator[tuple[MannedTable, SimulatedKeyPanel]]:
    panel = SimulatedKeyPanel(Pty(folder, "panel"), SimClock.at("max"), seed=5)
    panel.plug()
    try:
        async with manned_table(folder, EZ, more=PANEL.format(port=folder / "panel", keys=KEYS)) as table:
            async with asyncio.timeout(30):
                await panel.wait_online()
            yield table, panel
    finally:
        panel.unplug()


class Thumb:
    """Somebody who reads the panel's second line and knows four keys."""

    def __init__(self, panel: SimulatedKeyPanel) -> None:
        self.panel = panel

    async def until(self, first: str = "", second: str = "") -> None:
        async with asyncio.timeout(20):
            await self.panel.link.wait_until(
                lambda: (
                    len(self.panel.lines) == 2
                    and self.panel.lines[0].startswith(first)
                    and self.panel.lines[1].startswith(second)
                )
            )

    async def changed(self, before: tuple[str, ...]) -> None:
        async with asyncio.timeout(20):
            await self.panel.link.wait_until(lambda: self.panel.lines != before)

    async def find(self, text: str) -> None:
        """Walk until the second line begins like this."""
        seen: list[tuple[str, ...]] = []
        while not self.panel.lines[1].startswith(text):
            before = self.panel.lines
            seen.append(before)
            assert len(seen) < 60, f"{text} is not on the panel: {seen}"
            self.panel.press(NEXT)
            await self.changed(before)

    async def take(self, *texts: str) -> None:
        for text in texts:
            await self.find(text)
            before = self.panel.lines
            self.panel.press(OK)
            await self.changed(before)

    async def card(self, rank: str, suit: str) -> None:
        await self.take(">KEY THE CARD", f">{rank}", f">{suit}")


async def test_a_round_of_baccarat_from_the_panel_alone(tmp_path: Path) -> None:
    async with panel_table(tmp_path) as (table, panel):
        thumb = Thumb(panel)
        await thumb.until("SHUFFLE AND LOAD", ">NEW SHOE")
        await thumb.take(">NEW SHOE")
        await thumb.until("PLACE YOUR BETS", ">NO MORE BETS")
        assert panel.lamp(NO_MORE_BETS) is KeyLamp.ON
        await thumb.take(">WAGER", ">SEAT 2", ">PLAYER")
        await thumb.take(">$10")
        await thumb.until("PLACE YOUR BETS")
        panel.press(NO_MORE_BETS)
        await thumb.until("CARD 1 TO PLAYER")
        assert panel.lamp(NO_MORE_BETS) is KeyLamp.OFF
        for rank, suit in (("9", "HEARTS"), ("K", "DIAMONDS"), ("T", "CLUBS"), ("7", "SPADES")):
            await thumb.card(rank, suit)
        await table.until(lambda view: view.get("phase") == "settled")
        settled = table.settled()
        assert settled["hands"] == {"player": ["9h", "Tc"], "banker": ["Kd", "7s"]}
        assert [(line["place"], line["wager"], line["net"]) for line in settled["lines"]] == [(2, "player_line", 1000)]


async def test_the_floor_corrects_a_card_at_the_panel_with_number_and_pin(tmp_path: Path) -> None:
    async with panel_table(tmp_path) as (table, panel):
        thumb = Thumb(panel)
        await thumb.until("SHUFFLE AND LOAD")
        for body in ({"kind": "shoe_started"}, {"kind": "close_bets"}):
            await table.console.act(body)
        for code in ("9h", "Kd", "Tc", "7s"):
            await table.console.act({"kind": "card_out", "card": code})
        await thumb.until("PLACE YOUR BETS")
        await thumb.take(">FIX 7S BANKER 2", ">9", ">SPADES")
        await thumb.until("PLAYER > ", "OK: YES")
        panel.press(OK)
        pin = table.pins["floor"]["pin"]
        async with asyncio.timeout(20):
            await panel.wait_asked()
        assert panel.lines[0] == "STAFF NUMBER"
        panel.enter_pin("1002")
        await thumb.until("PIN")
        async with asyncio.timeout(20):
            await panel.wait_asked()
        panel.enter_pin(pin)
        await table.until(lambda view: "corrected" in table.kinds() and bool(view))
        (corrected,) = [event for event in table.journal_events() if event["kind"] == "corrected"]
        assert corrected["by"] == "floor:ann"
        assert pin.encode() not in table.journal.read_bytes()


async def test_a_wrong_pin_at_the_panel_changes_nothing(tmp_path: Path) -> None:
    async with panel_table(tmp_path) as (table, panel):
        thumb = Thumb(panel)
        await thumb.until("SHUFFLE AND LOAD")
        await thumb.find(">CLOSE THE TABLE")
        panel.press(OK)
        await thumb.until("CLOSE THE TABLE?", "OK: YES")
        panel.press(OK)
        async with asyncio.timeout(20):
            for what, digits in (("STAFF NUMBER", "1002"), ("PIN", "9753")):
                await thumb.until(what)
                await panel.wait_asked()
                panel.enter_pin(digits)
        await thumb.until("NOT DONE")
        assert "table_closed" not in table.kinds()
        panel.press(BACK)
        await thumb.until("SHUFFLE AND LOAD")
