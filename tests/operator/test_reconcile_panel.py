"""Who deals and which box it is, from a key panel and from the offers of the console."""

from __future__ import annotations

import asyncio
from pathlib import Path

from controller.engine.inputs import DropExplained
from controller.operator.offers.offers import Ask, Offer, offers
from controller.operator.roles import Right
from tests.operator.test_panel import OK, Thumb, menu_of, panel_table, press
from tests.support.running.drops import GRACE_S, DropTable


async def test_a_dealer_signs_on_at_the_panel_with_number_and_pin(tmp_path: Path) -> None:
    async with panel_table(tmp_path) as (table, panel):
        thumb = Thumb(panel)
        await thumb.until("SHUFFLE AND LOAD")
        await thumb.find(">SIGN ON TO DEAL")
        panel.press(OK)
        async with asyncio.timeout(20):
            for what, digits in (("STAFF NUMBER", "1001"), ("PIN", table.pins["dealer"]["pin"])):
                await thumb.until(what)
                await panel.wait_asked()
                panel.enter_pin(digits)
        await thumb.until("GOOD SHIFT", "SAM")
        (changed,) = [event for event in table.journal_events() if event["kind"] == "dealer_changed"]
        assert changed["dealer"] == "sam"


def test_the_code_of_a_box_is_typed_in_digits_or_taken_as_the_tag_says() -> None:
    asks = (Ask("id", "code", "Id of the box", given="BOX-7"), Ask("seal", "code", "Its seal"))
    menu = menu_of(Offer("box", "Key the box", Right.DROP, {"kind": "box_keyed"}, asks=asks))
    press(menu, "ok")
    assert menu.lines(16) == ("ID OF THE BOX", ">BOX-7")
    request = press(menu, "ok digit_4 digit_4 digit_1 ok")
    assert request is not None and request.body == {"kind": "box_keyed", "id": "BOX-7", "seal": "441"}


def test_the_floor_is_offered_to_explain_a_drop_only_while_one_is_open() -> None:
    table = DropTable()
    table.play()
    assert "explain:collection" not in offered(table)
    table.wait(GRACE_S)
    assert offered(table)["explain:collection"].right is Right.DROP
    table.drop(2)
    assert "explain:collection" not in offered(table)


def test_a_box_that_is_out_is_offered_to_be_counted() -> None:
    table = DropTable()
    assert "box_counted" not in offered(table)
    table.sense("collection", "box_removed", times_removed=1)
    (which, _) = offered(table)["box_counted"].asks
    assert [pick.value for pick in which.picks] == ["BOX-1"]


def test_a_drop_can_be_explained_while_the_box_is_not_keyed() -> None:
    table = DropTable(seals=True)
    table.sense("collection", "box_placed", box_id="BOX-7")
    assert "explain:collection" not in offered(table)
    table.play()
    table.wait(GRACE_S)
    assert "explain:collection" in offered(table)
    table.do(DropExplained("collection", "looked up on video"), by="floor:ann")
    assert table.book().trouble == "id and seal of the box in the slot were not keyed"
    assert "explain:collection" not in offered(table)


def offered(table: DropTable) -> dict[str, Offer]:
    return {offer.id: offer for offer in offers(table.engine, keys_cards=True)}
