"""Key panels at the table: the menu on each, and PINs for what a dealer may not do.

A panel is in front of the dealer: what a dealer may do is done in the panel's own name. For anything else it asks for a
staff number and then a PIN on its keypad, and the act is that person's. The digits go to the sign-in and nowhere else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any

import msgspec

from controller.engine.actor import Actor, dealer_at
from controller.engine.expect.expectation import prompt
from controller.engine.inputs import Amended, decode_body
from controller.engine.table.engine import TableEngine
from controller.operator.act_result import ActResult
from controller.operator.authenticator import Denied
from controller.operator.console_view import put_in
from controller.operator.offers.offers import Ask, Offer, offers
from controller.operator.panel_menu import KEYS, MENU_KEYS, REASON, PanelMenu, PanelRequest
from controller.operator.roles import Right, Role, may
from controller.operator.sessions import SignIn, SignIns
from controller.operator.settling import pay_and_take
from controller.operator.slips import Slip
from controller.operator.staff import LONGEST_PIN, SHORTEST_PIN
from devices.drivers.key_panel import KeyPanelDriver, NamedKeyPressed, Pin, PinNotGiven
from devices.supervisor import Supervisor
from protocols.key_panel import KeyLamp

COLUMNS = 16
"""Of a panel that has not reported its size."""
FUNCTIONS = {
    "no_more_bets": "close_bets",
    "call_floor": "call_floor",
    "stop": "stop",
    "new_shoe": "new_shoe",
    "cut_card": "cut_card",
}
"""Keys that do one thing (`controller/table/translate.py`), and the offer that lights them."""


Send = Callable[[Slip, Actor], Awaitable[ActResult]]
Preview = Callable[[Amended, Actor], Awaitable[ActResult]]


class Panels:
    """The menus of a table's key panels."""

    def __init__(
        self,
        supervisor: Supervisor,
        labels: Mapping[str, frozenset[str]],
        sign_ins: SignIns,
        send: Send,
        preview: Preview,
    ) -> None:
        """`labels`: the names of each panel's keys; `preview` returns what a correction would change."""
        self._supervisor = supervisor
        self._labels = labels
        self._sign_ins = sign_ins
        self._send = send
        self._preview = preview
        self._menus = {device: PanelMenu() for device in labels}
        self._asking: dict[str, asyncio.Task[None]] = {}
        self._renewing: asyncio.Handle | None = None
        self._deck_of: object = None
        self._deck: tuple[str, ...] = ()
        """The cards of the game with these options."""

    def change(self, labels: Mapping[str, frozenset[str]], let_go: Collection[str]) -> None:
        """These panels from now on. One that was `let_go` no longer waits for a PIN, whether it comes back or not."""
        for device in self._asking.keys() & set(let_go):
            self._asking[device].cancel()
        self._labels = labels
        self._menus = {device: self._menus.get(device) or PanelMenu() for device in labels}

    def follow(self, table: Callable[[], tuple[TableEngine[Any], bool]]) -> None:
        """The table moved on; `table` returns its engine and whether cards are keyed by hand.

        The menus are made a moment later: a device whose report moved it does not wait for them.
        """
        if self._menus and self._renewing is None:
            self._table = table
            self._renewing = asyncio.get_running_loop().call_soon(self._renew)

    def _renew(self) -> None:
        if self._renewing is None:
            return
        self._renewing.cancel()
        self._renewing = None
        engine, keys_cards = self._table()
        # Naming the cards needs a re-run of the round: only where a panel has the keys to choose one.
        has_menu = any(keys & KEYS for keys in self._labels.values())
        # A jackpot is stated in words, for which a panel has no keys.
        # The dialog for a whole table has its parts as offers of their own.
        stated = (
            one for one in offers(engine, keys_cards=keys_cards) if one.right is not Right.JACKPOT and not one.form
        )
        menu_offers = (*stated, SIGN_ON, *(_corrections(engine) if has_menu else ()))
        if self._deck_of is not engine.options:
            self._deck_of, self._deck = engine.options, tuple(engine.game.deck(engine.options) or ())
        settling = pay_and_take(engine) if has_menu else None
        said = () if settling is None else settling.said
        for device, menu in self._menus.items():
            menu.follow(menu_offers, prompt(engine.expectation), self._deck, said)
            self._show(device)

    async def pressed(self, device: str, pressed: NamedKeyPressed) -> None:
        """A key of a panel, once it is in the journal. One that was pressed before a restart is ignored."""
        menu, key = self._menus[device], pressed.label
        if key is None or key not in KEYS or pressed.is_late or device in self._asking:
            return
        self._renew()
        request = menu.press(key)
        if request is None:
            self._show(device)
        else:
            await self._do(device, request)

    def end(self) -> None:
        for task in self._asking.values():
            task.cancel()

    async def _do(self, device: str, request: PanelRequest) -> None:
        if may(Role.DEALER, request.offer.right):
            await self._carry_out(device, request, dealer_at(device))
            return
        if request.body.get("kind") == "amend" and not request.sure:
            preview = await self._preview(_decoded(request, Amended), dealer_at(device))
            self._menus[device].ask_again(request, _preview_line(preview))
            self._show(device)
            return
        # Not here: the panel reports the PIN in an event, and takes its next one only when this one is done with.
        task = asyncio.create_task(self._as_somebody(device, request), name=f"PIN at {device}")
        self._asking[device] = task
        task.add_done_callback(lambda _: self._asking.pop(device, None))

    async def _as_somebody(self, device: str, request: PanelRequest) -> None:
        menu = self._menus[device]
        try:
            number = await self._digits(device, "Staff number", 4, 8)
            pin = await self._digits(device, "PIN", SHORTEST_PIN, LONGEST_PIN)
            person = await self._sign_ins.identify(SignIn(name=number.digits, pin=pin.digits), device)
        except (PinNotGiven, Denied) as error:
            menu.show_message("Not done", str(error))
            self._show(device)
            return
        if request.offer is SIGN_ON:
            if person.role is Role.DEALER:
                # The sign-in has recorded who came, and with it who deals.
                menu.show_message("Good shift", person.name)
                self._show(device)
                return
            request = PanelRequest(SIGN_ON, {**SIGN_ON.body, "name": person.name})
        if not may(person.role, request.offer.right):
            menu.show_message("Not done", f"A {person.role} may not")
            self._show(device)
            return
        await self._carry_out(device, request, person.at_panel(device))

    async def _digits(self, device: str, what: str, shortest: int, longest: int) -> Pin:
        self._menus[device].show_message(what, "")
        self._show(device)
        return await self._driver(device).ask_pin(shortest=shortest, longest=longest)

    async def _carry_out(self, device: str, request: PanelRequest, who: Actor) -> None:
        """Do it, and show what the table waits for then: nothing in between, keys come quickly."""
        acts = tuple(map(decode_body, request.offer.acts(request.body)))
        answer = await self._send(Slip(acts, request.offer.moment), who)
        self._renew()
        if not answer.ok:
            self._menus[device].show_message("No", answer.text)
        else:
            self._menus[device].clear()
        self._show(device)

    def _show(self, device: str) -> None:
        menu, driver, keys = self._menus[device], self._driver(device), self._labels[device]
        status = driver.status
        columns = COLUMNS if status is None or not status.columns else status.columns
        lamps = {key: KeyLamp.ON for key, offer in FUNCTIONS.items() if key in keys and menu.offers(offer)}
        if not keys >= MENU_KEYS:
            driver.show(lamps, menu.bare_lines(columns))
            return
        lamps |= dict.fromkeys(MENU_KEYS, KeyLamp.ON if menu.wants_ok else KeyLamp.OFF)
        driver.show(lamps, menu.lines(columns))

    def _driver(self, device: str) -> KeyPanelDriver:
        return self._supervisor.driver(device, KeyPanelDriver)


SIGN_ON = Offer("sign_on", "Sign on to deal", Right.DROP, {"kind": "dealer"}, "table")
"""The person who enters number and PIN here deals from then on."""


def _preview_line(preview: ActResult) -> str:
    if preview.changes is None:
        return preview.text
    before, after = preview.changes.get("outcome", ["", ""])
    return f"{before} > {after}" if before != after else ", ".join(preview.changes) or "no change"


def _decoded(request: PanelRequest, kind: type[Amended]) -> Amended:
    body = decode_body(request.body)
    assert isinstance(body, kind)
    return body


def _corrections(engine: TableEngine[Any]) -> tuple[Offer, ...]:
    """A correction for each face-up card of the round."""
    ask = Ask("changes.0.body.card", "card", "It was")
    return tuple(
        Offer(
            f"amend:{entry.index}",
            # The card first: a short line is cut at its end.
            f"Fix {entry.body.get('card') or 'unread'} {entry.label.partition(':')[0].replace(', card', '')}",
            Right.AMEND,
            {
                "kind": "amend",
                "round": engine.round_number,
                "changes": [{"index": entry.index, "body": msgspec.to_builtins(entry.body)}],
                "reason": REASON,
            },
            "floor",
            asks=(ask,),
        )
        for entry in put_in(engine)
        if entry.body["kind"] == "card_out" and not entry.hidden
    )
