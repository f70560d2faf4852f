"""The round: how it began, what was bet and decided, where it went wrong, how it ended."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from controller.engine.events.event import Event
from controller.engine.inputs import Place


class RoundStarted(Event, tag="round_started"):
    ruleset: str
    digest: str
    """Digest of the rules this round is judged by, for ever."""
    player_dealer: int | None = None
    button: int | None = None
    dealer: str = ""
    """Who deals, where somebody is signed on."""
    bank_hand: int = 0
    """Which hand of this player-dealer it is: 1 or 2; 0 where the position does not rotate."""
    banker: str = ""
    """The player-dealer's name or badge, where it is known."""
    firm: str = ""
    """The third-party bank he acts for."""


class BankSet(Event, tag="bank_posted"):
    spots: tuple[int, ...]


class WagerSet(Event, tag="wager_placed"):
    place: Place
    wager: str
    cents: int


class BettingClosed(Event, tag="bets_closed"):
    action: int
    """Sum of all wagers down."""


class ActionButton(Event, tag="action_button"):
    """The action button is here: settlement begins with this seat."""

    seat: int


class Decided(Event, tag="decision"):
    seat: Place
    do: str
    cents: int | None = None
    to: int | None = None


class ChipsPaid(Event, tag="chips_paid"):
    """Panguingue: `chips` from each payer to one seat (`paid` has the cents), or the tops (`cents`)."""

    what: str
    to: int
    chips: int = 0
    paid: dict[int, int] = {}
    cents: int = 0


class StreetDealt(Event, tag="street"):
    """A named stage of the round began: flop, turn, showdown."""

    name: str


class Refused(Event, tag="refused"):
    """A person's input that changes nothing, and why."""

    what: str
    why: str
    text: str
    bounds: dict[str, Any] = {}


class Irregularity(Event, tag="irregularity"):
    code: str
    text: str
    facts: dict[str, Any] = {}


class Ruled(Event, tag="ruling"):
    code: str
    seat: Place | None = None


class Held(Event, tag="held"):
    """The table waits until the floor decides."""

    code: str
    text: str


class Resumed(Event, tag="resumed"):
    do: str
    reason: str = ""


class Line(Struct, frozen=True, omit_defaults=True, gc=False):
    """One wager settled: what was at stake, what moved (+ to the place), what found no cover."""

    place: Place
    wager: str
    net: int
    uncovered: int = 0


class Pot(Struct, frozen=True, gc=False):
    cents: int
    seats: tuple[int, ...]
    to: dict[int, int]


class DealerTipWon(Event, tag="dealer_tip_won"):
    """A tip that a player had wagered for the house dealer won: tip and winnings are the dealer's."""

    place: Place
    tip: int
    won: int


class RoundSettled(Event, tag="round_settled", omit_defaults=False):
    outcome: Any = None
    hands: dict[str, Any] = {}
    totals: dict[str, Any] = {}
    flags: dict[str, bool] = {}
    lines: tuple[Line, ...] = ()
    bank_net: int = 0
    pots: tuple[Pot, ...] = ()
    returned: dict[int, int] = {}
    fees: dict[str, int] = {}
    """Cents for this round into each drop box; neither `lines` nor `pots` have them taken off."""


class RoundVoided(Event, tag="round_voided"):
    ruling: str
    reason: str
    returned: dict[str, int] = {}
    """Cents handed back, by place."""
    fees: str = "returned"
    """What becomes of the fee: returned, kept, floor_decides, or not_known where the round cannot be re-run."""
    kept: dict[str, int] = {}
    """Cents of fees that stay in each box; they count for the next hand where the schedule has it so."""


class CorrectionWeighed(Event, tag="correction_weighed"):
    """Somebody looked at what an amendment would change. Published, since the answer may hint at a card that is face
    down."""

    round: int
    inputs: tuple[int, ...]
    """Which inputs of the round would be amended."""
    by: str


class Corrected(Event, tag="corrected"):
    """A round was re-run from amended inputs. Nothing is edited in place: the first version stays in the journal."""

    round: int
    reason: str
    by: str
    changes: dict[str, Any]
    """Field by field: [before, after]."""
