"""A seat decides: what it may choose, and the bounds of each choice."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from controller.engine.amounts import dollars
from controller.engine.bets.limits import UNLIMITED
from controller.engine.cards.melds import MeldRules
from controller.engine.expect.want import ELSEWHERE, Elsewhere, Refusal, Want, title
from controller.engine.inputs import Act, AnyBody, Place


class Choice(Struct, frozen=True, omit_defaults=True):
    """One thing a seat may do, with the bounds of what it must name."""

    do: str
    label: str = ""
    """What the prompt calls it, where the name of the act does not read well."""
    cents: int | None = None
    """The one amount it has, which the act need not name."""
    min_cents: int | None = None
    max_cents: int | None = None
    to: tuple[int, int] | None = None
    """Poker: least and most the act may bring the seat to."""
    to_one_of: tuple[int, ...] = ()
    """Poker: the only amounts, where not a range (fixed limit, all-in)."""
    reach: int | None = None
    """Poker: all the seat's chips; an act that names more is refused with `beyond`, whatever the other bounds."""
    count: tuple[int, int] | None = None
    """Cards to name: at least, at most."""
    miscount: str = "wrong_count"
    """The sheet's code for too few or too many of them."""
    cards: tuple[str, ...] = ()
    """Cards to choose from; empty where nobody may know them."""
    melds: MeldRules | None = None
    """Rummy: what a meld is, where the act lays one."""
    board: tuple[tuple[str, ...], ...] = ()
    """Rummy: what the seat has laid already."""
    unseen: bool = False
    """No card of this game is read: the person who reports the act names them."""
    laid: tuple[int, int] | None = None
    """Rummy: how many cards may be on the board after the act."""
    piles: int = 0
    by: tuple[str, ...] = ()
    """Who else may decide in the seat's place: `house`."""
    by_names: bool = False
    """If somebody decides in the seat's place, he names the cards too: there is no chart to look them up in."""
    below: str = "below_minimum"
    above: str = "above_maximum"
    beyond: str = "table_stakes"

    def said(self) -> str:
        """The choice as the prompt names it: "raise to $6", "call $2.50".

        >>> Choice("raise", to=(400, 20000)).said(), Choice("call", to_one_of=(250,)).said(), Choice("check").said()
        ('raise to $4-$200', 'call $2.50', 'check')
        >>> Choice("bet", to=(200, UNLIMITED)).said(), Choice("bring_in", to_one_of=(200, 400)).said()
        ('bet $2 or more', 'bring in $2 or $4')
        """
        if self.label:
            return self.label
        do = self.do.replace("_", " ")
        amounts = " or ".join(map(dollars, self.to_one_of))
        if not amounts and self.to is not None:
            least, most = self.to
            amounts = f"{dollars(least)} or more" if most >= UNLIMITED else f"{dollars(least)}-{dollars(most)}"
        if not amounts:
            return do
        return f"{_BEFORE_AMOUNTS.get(self.do, do)} {amounts}"


_BEFORE_AMOUNTS: Final = {"raise": "raise to", "complete": "complete to", "open": "open for"}
"""What the prompt puts before the amount, where not the act alone."""


class WantDecision(Want, tag="decision"):
    """One seat decides."""

    seat: Place
    choices: tuple[Choice, ...]
    hand: int = 1
    """Which of the seat's hands, where it has several."""
    asks: str = ""
    piece: str = "card"
    quiet: bool = False
    """It may be asked for, and nobody suggests it: it is offered, and in no prompt."""

    def judge(self, body: AnyBody) -> Refusal | Elsewhere | None:
        if type(body) is not Act or body.seat != self.seat:
            return ELSEWHERE
        for choice in self.choices:
            if choice.do == body.do:
                return judge_choice(choice, body)
        return ELSEWHERE

    @property
    def who(self) -> str:
        """The seat and which of its hands, as the cards for it are called."""
        return title(f"{self.seat}/{self.hand}" if self.hand > 1 else str(self.seat))

    def said(self) -> str:
        """What there is to choose from."""
        names = [choice.said() for choice in self.choices]
        said = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
        return said + (f" — {self.asks}" if self.asks else "")

    def prompt(self) -> str:
        return f"{self.who}: {self.said()}"


def judge_choice(choice: Choice, act: Act) -> Refusal | None:
    """Amounts, cards and piles of an act against the choice's bounds."""
    if choice.cents is not None and act.cents is not None and act.cents != choice.cents:
        why = choice.below if act.cents < choice.cents else choice.above
        return Refusal(why, f"{choice.said()}, not {dollars(act.cents)}", {"cents": choice.cents})
    if choice.max_cents is not None:
        if act.cents is None:
            return Refusal("needs_cents", f"{choice.do}: say how much")
        if act.cents > choice.max_cents:
            return Refusal(choice.above, f"at most {dollars(choice.max_cents)}", {"max_cents": choice.max_cents})
        if act.cents < (choice.min_cents or 0):
            return Refusal(choice.below, f"at least {dollars(choice.min_cents or 0)}", {"min_cents": choice.min_cents})
    if choice.reach is not None and act.to is not None and act.to > choice.reach:
        text = f"seat {act.seat} has {dollars(choice.reach)} in all for this round"
        return Refusal(choice.beyond, text, {"max_to": choice.reach})
    if choice.to_one_of:
        # The one amount there is need not be named.
        if act.to not in choice.to_one_of and (act.to is not None or len(choice.to_one_of) > 1):
            legal = list(choice.to_one_of)
            bounds: dict[str, Any] = {"legal_to": legal[0]} if len(legal) == 1 else {"one_of": legal}
            why = choice.above if act.to is not None and act.to > legal[-1] else choice.below
            return Refusal(why, f"{choice.said()}, not {dollars(act.to or 0)}", bounds)
    elif choice.to is not None:
        least, most = choice.to
        if act.to is None:
            return Refusal("needs_amount", f"{choice.said()}: say how much")
        if act.to < least:
            # A range of one amount is also exactly that (calgrand-betting-structures, section 8).
            bounds = {"min_to": least, "legal_to": least} if least == most else {"min_to": least}
            return Refusal(choice.below, f"{choice.do} to at least {dollars(least)}", bounds)
        if act.to > most:
            return Refusal(choice.above, f"{choice.do} to at most {dollars(most)}", {"max_to": most})
    if choice.piles and not (act.pile is not None and 1 <= act.pile <= choice.piles):
        return Refusal("no_such_pile", f"choose a pile from 1 to {choice.piles}")
    if act.by is not None:
        return None if act.by in choice.by else Refusal("not_offered", f"{choice.do} by {act.by} is not offered")
    if choice.count is not None:
        given = act.cards or act.front or ()
        least, most = choice.count
        if not least <= len(given) <= most:
            return Refusal(choice.miscount, f"{choice.do}: name {least} to {most} cards, {len(given)} given")
        if choice.cards:
            left = list(choice.cards)
            for code in given:
                if code not in left:
                    return Refusal("not_your_card", f"{code} is not among the cards to choose from")
                left.remove(code)
    return None
