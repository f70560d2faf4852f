"""Pay and take: what the dealer does when a hand is over, in the order in which the approval settles.

Everything comes from the settlement of the round: the lines of `round_settled` in order, its pots and fees. Nothing
is worked out again here, and a hand is named only where all its cards lie face up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from controller.engine.amounts import dollars
from controller.engine.expect.bank import WantBank
from controller.engine.expect.want import title
from controller.engine.inputs import Place
from controller.engine.table.current_round import Played
from controller.engine.table.engine import TableEngine
from controller.hand_names import hand_names
from controller.operator.in_chips import ChipCount, in_chips

Do = Literal["take", "pay", "push", "back", "fee"]


class Step(Struct, frozen=True, omit_defaults=True):
    """One thing that the dealer does. back: chips go back to who put them in; push: the wager stays his."""

    do: Do
    place: str
    """A seat or spot; the box of a fee."""
    title: str
    cents: int = 0
    what: str = ""
    """The wager, or which pot."""
    hand: str = ""
    """What the seat has, where it was shown."""
    short: int = 0
    """What found no cover: of a winner it is not paid, of a loser it goes back."""
    chips: tuple[ChipCount, ...] = ()
    """What is paid, in the house's chips; empty where the house lists none, or they cannot make it."""

    @property
    def said(self) -> str:
        """The step in a line.

        >>> Step("pay", "3", "Seat 3", 2500, "Trips", "Flush, king high", short=500).said
        'Pay Seat 3 $25, Trips (Flush, king high); $5 has no cover'
        """
        amount = f" {dollars(self.cents)}" if self.cents else ""
        what = f", {self.what}" if self.what else ""
        hand = f" ({self.hand})" if self.hand else ""
        short = ""
        if self.short:
            short = f"; {dollars(self.short)} {'goes back' if self.do == 'take' else 'has no cover'}"
        return f"{_SAID[self.do]} {self.title}{amount}{what}{hand}{short}"


_SAID: Mapping[Do, str] = {"take": "Take from", "pay": "Pay", "push": "Push,", "back": "Back to", "fee": "Drop"}


class PayAndTake(Struct, frozen=True, omit_defaults=True):
    """The end of a hand, for the dealer."""

    steps: tuple[Step, ...]
    begins: int | None = None
    """Where the action button lay."""
    bank_net: int | None = None
    """What the player-dealer has won or lost."""
    next: str = ""
    """Who banks next, or where the button goes."""

    @property
    def said(self) -> tuple[str, ...]:
        """All of it, line by line."""
        begins = () if self.begins is None else (f"Begin at seat {self.begins}",)
        return (*begins, *(step.said for step in self.steps), *((self.next,) if self.next else ()))


def pay_and_take(engine: TableEngine[Any], chips: tuple[int, ...] = ()) -> PayAndTake | None:
    """What is to be done after the last hand; None while one is running, or before the first. `chips`: what each of the
    table's chips is worth, where the house wants to be told in which ones to pay."""
    last = engine.last
    if last is None or engine.is_dealing:
        return None
    public, document = last.public, last.document
    steps = (*_settled(public, document), *_fees(last))
    if not steps:
        return None
    if chips:
        steps = tuple(replace(step, chips=in_chips(step.cents, chips)) for step in steps)
    is_banked = bool(public.get("lines"))
    net = int(public.get("bank_net", 0)) if is_banked else None
    return PayAndTake(steps, document.get("action_seat"), net, _next(engine))


def _settled(public: Mapping[str, Any], document: Mapping[str, Any]) -> Iterator[Step]:
    hands = _names(public, document)
    for line in public.get("lines", ()):
        yield _line(line, hands)
    pots = public.get("pots", ())
    for number, pot in enumerate(pots):
        name = "the pot" if len(pots) == 1 else "the main pot" if not number else f"side pot {number}"
        for seat, cents in pot["to"].items():
            yield Step("pay", str(seat), title(str(seat)), cents, name, hands.get(str(seat), ""))
    if pots or public.get("void"):
        for seat, cents in public.get("returned", {}).items():
            yield Step("back", str(seat), title(str(seat)), cents, "the wagers" if public.get("void") else "not called")
    net = document.get("net", {})
    if not public.get("lines") and not pots and all(isinstance(cents, int) for cents in net.values()):
        for seat, cents in sorted(net.items(), key=lambda moved: moved[1]):
            if cents:
                yield Step("pay" if cents > 0 else "take", str(seat), title(str(seat)), abs(cents))


def _line(line: Mapping[str, Any], hands: Mapping[str, str]) -> Step:
    place, net, short = str(line["place"]), line["net"], line.get("uncovered", 0)
    do: Do = "pay" if net > 0 else "take" if net < 0 else "back" if short else "push"
    wager = str(line["wager"]).replace("_", " ")
    cents = abs(net) or short
    return Step(do, place, title(place), cents, wager, hands.get(place, ""), short if net else 0)


def _names(public: Mapping[str, Any], document: Mapping[str, Any]) -> dict[str, str]:
    """What each hand is called of which every card was shown."""
    shown = {str(owner) for owner, cards in public.get("hands", {}).items() if None not in cards}
    names = {
        str(owner): " / ".join(hand_names(rank))
        for owner, rank in document.get("ranks", {}).items()
        if str(owner) in shown
    }
    for owner, total in public.get("totals", {}).items():
        if str(owner) in shown and total:
            names[str(owner)] = " / ".join(map(str, total))
    # Who bets behind a seat plays its cards.
    behind = {str(line["place"]) for line in public.get("lines", ())}
    return names | {place: names[seat] for place in behind if (seat := place.split(".")[0]) in names}


def _fees(last: Played) -> Iterator[Step]:
    owed: dict[tuple[str, Place | None, str], int] = {}
    for charge in last.charges:
        key = (charge.box, charge.place, charge.payer)
        owed[key] = owed.get(key, 0) + charge.cents
    for (box, place, payer), cents in owed.items():
        who = f"seat {place}" if payer == "player" and place is not None else f"the {payer.replace('_', '-')}"
        yield Step("fee", box, f"into the {box.replace('_', ' ')} box", cents, f"from {who}")


def _next(engine: TableEngine[Any]) -> str:
    want = next((want for want in engine.expectation.wants if isinstance(want, WantBank)), None)
    if want is not None:
        return want.prompt()
    banker = engine.bank.banker
    if banker is not None:
        name = f" ({banker.name})" if banker.name else ""
        hand = {1: "first", 2: "second"}.get(banker.hand, f"{banker.hand}.")
        return f"Seat {banker.place}{name} banks next, {hand} hand"
    setup = engine.state.setup
    if engine.game.has_player_dealer:
        return "" if setup.player_dealer is None else f"Seat {setup.player_dealer} banks next"
    has_button = "button" in engine.game.floor_sets()
    return f"Button: seat {setup.button}" if has_button and setup.button is not None else ""
