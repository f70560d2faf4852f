"""The result of a round: what the cases compare, what `round_settled` publishes.

A game fills it in while it settles. `document` is the whole truth, in the case format, and stays inside the
engine; the event that is published is made from exposed cards only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from controller.engine import events as ev
from controller.engine.bets.wagers import DEALER_TIP
from controller.engine.cards.card import codes
from controller.engine.inputs import Place, seat_of
from controller.engine.round.facts import NOTHING, Facts

if TYPE_CHECKING:
    from controller.engine.round.felt import Table

Arranged = list[list[str]]


class Result:
    """Filled in by the game; absent parts are empty."""

    def __init__(self) -> None:
        self.outcome: Any = None
        self.totals: dict[str, Any] = {}
        self.ranks: dict[str, Any] = {}
        self.flags: dict[str, bool] = {}
        self.sealed_flags: dict[str, Any] = {}
        """Facts of cards that stayed face down, and lists of seats: in the document, never published."""
        self.action_seat: int | None = None
        self.pots: list[ev.Pot] = []
        self.returned: dict[Place, int] = {}
        self.net: dict[int, int] | None = None
        """Poker: one number per seat, in place of the settlement's."""
        self.fees: dict[str, Any] | None = None
        self.arranged: dict[str, Arranged] = {}
        """Hands that are shown in parts: front and back, or several hands of one seat."""
        self.rulings: list[str] = []
        self.phase = ""
        """The phase of the round, as its sheet names it, where a game states it."""
        self.void = False
        self.facts: Facts = NOTHING
        """What the family of the game notes beside all this."""

    def document(self, table: Table) -> dict[str, Any]:
        """The result in the case format."""
        settled = table.settlement
        doc: dict[str, Any] = {
            "net": self.net if self.net is not None else settled.net,
            "bank_net": settled.bank_net,
            "bank_net_by_spot": settled.bank_net_by_spot,
            "outcome": self.outcome,
            "hands": {**{o: codes(h.cards) for o, h in table.hands.items() if h.is_read}, **self.arranged},
            "ranks": self.ranks,
            "totals": self.totals,
            "flags": {**self.flags, **self.sealed_flags},
            "order": [f"{p}.{w}" for p, w in settled.order],
            "action_seat": self.action_seat,
            "uncovered": settled.uncovered,
            "pots": [{"cents": p.cents, "seats": list(p.seats), "to": p.to} for p in self.pots],
            "returned": self.returned,
            "ruling": self.rulings,
            "void": self.void,
            "phase": self.phase,
            "fees": self.fees if self.fees is not None else table.fees.document(),
            "more": {
                "cover_left": settled.cover_left,
                **self._tips(table),
                **self.facts.document(),
                **table.fees.facts(),
            },
        }
        return doc

    @staticmethod
    def tips_won(table: Table) -> list[ev.DealerTipWon]:
        """What goes to the house dealer, where players have wagered for him."""
        lines = [line for line in table.settlement.lines if line.wager == DEALER_TIP and line.net > 0]
        return [ev.DealerTipWon(line.place, table.book[line.place][DEALER_TIP], line.net) for line in lines]

    def _tips(self, table: Table) -> dict[str, Any]:
        if not any(DEALER_TIP in wagers for wagers in table.book.values()):
            return {}
        return {"dealer_tips": {tip.place: tip.tip + tip.won for tip in self.tips_won(table)}}

    def event(self, table: Table) -> ev.RoundSettled:
        """What is published: exposed cards only."""
        settled = table.settlement
        return ev.RoundSettled(
            outcome=self.outcome,
            hands={owner: faces for owner, hand in table.hands.items() if (faces := hand.faces_if_exposed)},
            totals=self.totals,
            flags=self.flags,
            lines=tuple(settled.lines),
            bank_net=settled.bank_net,
            pots=tuple(self.pots),
            returned=_by_seat(self.returned),
            fees=table.fees.boxes,
        )


def _by_seat(returned: dict[Place, int]) -> dict[int, int]:
    seats: dict[int, int] = {}
    for place, cents in returned.items():
        seats[seat_of(place)] = seats.get(seat_of(place), 0) + cents
    return seats
