"""Packs: which cards may be dealt, where they came from, and how many came back out.

A pack is what is shuffled and dealt as one: the decks of a shoe, or the one deck of a poker hand. It is *ready* when a
machine reports it shuffled and counted, or the dealer who shuffled and counted by hand declares it. A table under
shuffle control deals from no other. One that is reported unfit, or whose machine was opened over it, is ready no more.

The ledger adds up by the colour of the backs: packs, cards that went in, cards that came out.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.inputs import PackReported

DISTURBED = frozenset({"door_open", "jammed", "fault", "wrong_device"})
"""States of a shuffler after which the deck inside it has to be shuffled anew."""


class Pack(Struct, frozen=True, omit_defaults=True):
    """Cards that were shuffled and counted as one."""

    number: int
    by: str
    """Who reported it: "device:shuffler", or the dealer."""
    back: str = ""
    cards: int | None = None
    """As counted; None where the dealer declared it without a number."""
    device: str = ""
    """The machine that shuffled it; empty: by hand."""


class Account(Struct, frozen=True, omit_defaults=True):
    """What has gone through a table in packs of one colour."""

    packs: int = 0
    cards_in: int = 0
    cards_out: int = 0


class Packs(Struct, frozen=True, omit_defaults=True):
    """The packs of a table, between two rounds."""

    count: int = 0
    """Packs reported so far."""
    ready: Pack | None = None
    """Shuffled, counted, and not in play yet."""
    in_play: Pack | None = None
    last_back: str = ""
    """Colour of the pack of the last settled round, where it was known."""
    withdrawn: bool = False
    """The last round was void, and no other pack has come yet: what its machine still gives is out of play."""

    @property
    def comes_again(self) -> str:
        """The colour in play, where it was in play in the last round too."""
        back = "" if self.in_play is None else self.in_play.back
        return back if back == self.last_back else ""


def reported(packs: Packs, body: PackReported, by: str, belong: int | None) -> tuple[Packs, list[ev.Event]]:
    """A machine or the dealer reports a pack; `belong` cards belong into one."""
    problem = body.problem
    if not problem and None not in (body.cards, belong) and body.cards != belong:
        problem = f"{body.cards} cards were counted, {belong} belong into the pack"
    if problem:
        return replace(packs, ready=None, withdrawn=False), [ev.PackUnfit(problem, by, body.back)]
    pack = Pack(packs.count + 1, by, body.back, body.cards, body.device)
    event = ev.PackReady(pack.number, by, body.device, body.back, body.cards)
    return replace(packs, count=pack.number, ready=pack, withdrawn=False), [event]


def disturbed(packs: Packs, device: str, state: str) -> tuple[Packs, list[ev.Event]]:
    """A machine was opened or failed: what it had ready is not known to be whole any more."""
    ready = packs.ready
    if ready is None or ready.device != device or state not in DISTURBED:
        return packs, []
    text = f"{device} is {state.replace('_', ' ')} over a pack that was ready"
    return replace(packs, ready=None), [ev.PackUnfit(text, f"device:{device}", ready.back)]


def taken(packs: Packs) -> tuple[Packs, list[ev.Event]]:
    """The pack that is ready comes into play, if there is one."""
    pack = packs.ready
    if pack is None:
        return replace(packs, in_play=None), []
    return replace(packs, ready=None, in_play=pack), [ev.PackInPlay(pack.number, pack.back, pack.cards)]


def ended(
    packs: Packs, ledger: dict[str, Account], out: int, belong: int | None, *, void: bool = False
) -> tuple[Packs, dict[str, Account], list[ev.Event]]:
    """The pack in play is out of play after `out` cards have left it. A void round gives it back to be shuffled again:
    where two packs take turns, it has not had its own."""
    pack = packs.in_play
    if pack is None:
        return packs, ledger, []
    cards = belong if pack.cards is None else pack.cards
    account = ledger.get(pack.back, Account())
    account = Account(account.packs + 1, account.cards_in + (cards or 0), account.cards_out + out)
    event = ev.PackEnded(pack.number, pack.back, cards, out)
    last = packs.last_back if void else pack.back
    return replace(packs, in_play=None, last_back=last, withdrawn=void), {**ledger, pack.back: account}, [event]
