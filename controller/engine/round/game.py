"""What a game module provides to the kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, Literal, TypeVar

from msgspec import Struct

from controller.engine.cards.card import Hand
from controller.engine.expect.choices import WantDecision
from controller.engine.fees.posted import not_posted, schedule_of
from controller.engine.fees.schedule import Moment
from controller.engine.inputs import Happening
from controller.engine.procedures.rules import BuyInRules
from controller.engine.round.felt import Script, Setup, Table
from controller.engine.round.middle import Middle
from controller.engine.round.result import Result

OptionsT = TypeVar("OptionsT", bound=Struct)
Ruling = Callable[[Table, Happening], "Script | None"]
"""Decides an irregularity: changes what is on the table, voids the round, or returns a script to run first."""
Posting = Literal[
    "button_moves",
    "button",
    "structure",
    "forced",
    "blinds",
    "kill",
    "antes",
    "carried",
    "stacks",
    "first_player",
    "deal_from",
    "missed_blind",
    "waits",
]
"""One thing that the floor sets for the next round, beside seats and player-dealer."""


class HistoryEntry(Struct, frozen=True, omit_defaults=True, gc=False):
    """One settled round in the history of a shoe."""

    outcome: str
    flags: tuple[str, ...] = ()
    points: tuple[int, ...] = ()


class Game(Generic[OptionsT]):
    """What a game module provides to the kernel: its options, its deck, its script, its rulings."""

    slug: ClassVar[str]
    title: ClassVar[str]
    options_type: type[OptionsT]
    uses_shoe: ClassVar[bool] = False
    """Cards come from a shoe that lasts many rounds; else each round has a fresh deck."""
    marks: ClassVar[Mapping[str, str]] = {}
    """Flags of a result that boards count and mark beside the winner, such as a side bet's, with their titles."""
    fee_moments: ClassVar[tuple[Moment, ...]] = ("before_deal",)
    """The moments at which the script collects fees; a schedule that is taken at another cannot be posted."""
    opens_with: ClassVar[tuple[Posting, ...]] = ()
    """What brings in the first money where players play against each other: blinds, or antes."""
    known: ClassVar[tuple[str, ...]] = ()
    """Irregularities that the game rules in every room, or that any floor has a name for: `happenings`."""
    miscounted_stack: ClassVar[str] = ""
    """Which irregularity of the sheet a machine's stack of the wrong size is; empty: none, the floor decides."""
    has_player_dealer: ClassVar[bool] = False
    """One of the players banks the hand; how the position rotates is in the ruleset."""
    back_line_decisions: ClassVar[tuple[str, ...]] = ()
    """What may be decided by bettors behind a seat: points of `BackLine`, which the ruleset answers."""

    def deck(self, options: OptionsT) -> dict[str, int] | None:
        """How often each card code is in the shoe or deck; None where that is not known."""
        raise NotImplementedError

    def decks(self, options: OptionsT) -> int | None:
        """How many decks belong into a shoe; None where the rules do not state it."""
        decks = getattr(options, "decks", None)
        return decks if isinstance(decks, int) else None

    def decks_in_rotation(self, options: OptionsT) -> int:
        """2: two decks of different back colours take turns, one in play while the other is shuffled."""
        decks = getattr(options, "decks_in_rotation", None)
        return decks if isinstance(decks, int) else 1

    def most_seats(self, options: OptionsT) -> int | None:
        """The most seats that the approval allows, the player-dealer's among them; None: it states no number."""
        most = getattr(options, "most_seats", None)
        return most if isinstance(most, int) else None

    def too_many_seats(self, setup: Setup, options: OptionsT) -> str:
        """Why this table is larger than the approval allows; empty where it is not."""
        most, banked = self.most_seats(options), self.has_player_dealer and setup.player_dealer is not None
        taken = {*setup.seats, setup.player_dealer} if banked else setup.seats
        positions = setup.settings.get("positions")
        count = max(len(taken), positions if isinstance(positions, int) else 0)
        if most is None or count <= most:
            return ""
        among = ", the player-dealer among them" if banked else ""
        return f"this room seats {most} players at a table{among}, and {count} are set"

    def not_posted(self, setup: Setup, options: OptionsT) -> str:
        """Why this table is not set as its posted schedule has it; empty where it is, or where none is posted."""
        schedule = schedule_of(options)
        if schedule is None:
            return ""
        return not_posted(schedule, setup.settings, self.opens_with, (setup.min_wager, setup.max_wager))

    def hands_after_cut_card(self, options: OptionsT) -> tuple[int, int]:
        """How many hands a shoe still serves after the one that is being dealt when the cut card comes, and how many
        when it comes between two hands."""
        return 0, 0

    def play(self, t: Table, options: OptionsT) -> Script:
        raise NotImplementedError

    def next_setup(self, table: Table) -> Setup:
        """The setup of the next round after this one was settled; the same, where nothing moves by itself.

        `table.script_state` is still there to look at.
        """
        return table.setup

    def floor_sets(self) -> tuple[Posting, ...]:
        """What the floor sets between two rounds of a game that players play against each other."""
        return ()

    def buy_ins(self, options: OptionsT) -> BuyInRules | None:
        """What a player must put in front of him; None where the text has no amount."""
        return None

    def kills(self, setup: Setup, options: OptionsT) -> tuple[tuple[str, dict[str, Any]], ...]:
        """Kills of the next hand that the floor may set: each in words, with the settings that post it."""
        return ()

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        """The sheet's irregularities by code. What is not named here holds the table."""
        return {}

    def happenings(self, options: OptionsT) -> tuple[str, ...]:
        """What may be reported to have gone wrong: what the room's sheet rules, and what every room knows."""
        room = getattr(options, "rulings", None)
        if not isinstance(room, dict):
            return tuple(sorted(self.rulings))
        return tuple(sorted(code for code in self.rulings if room.get(code, False) is not False or code in self.known))

    def unruled(self, options: OptionsT) -> str:
        """The sheet's name for a happening that its text does not rule; empty: it has none."""
        code = getattr(options, "unruled", "")
        return code if isinstance(code, str) else ""

    def count(self, hand: Hand) -> str | None:
        """What an exposed hand counts, for the screens; None where hands have no count."""
        return None

    def counted(self, hand: Hand, options: OptionsT) -> str | None:
        """The same under the options in force, which few games ask for."""
        return self.count(hand)

    def middle(self, t: Table) -> Middle:
        """What is in the middle while a round runs: pots, whose button. Everybody may know it."""
        return Middle()

    def standings(self, t: Table) -> Mapping[str, str]:
        """What has become of hands while a round runs, by owner: "folded", "all in". Everybody may know it."""
        return {}

    def chips(self, t: Table) -> Mapping[int, tuple[int, int | None]]:
        """Where players play against each other: each seat's bet in this betting round, and what it has left; None
        where nobody knows it. Everybody may know it."""
        return {}

    def summary(self, result: Mapping[str, Any]) -> str | None:
        """The public result of a settled round in one line, for the screens."""
        return None

    def history_entry(self, result: Result) -> HistoryEntry | None:
        """What the shoe's history keeps of a settled round."""
        return HistoryEntry("settled")

    def to_call(self, t: Table, seat: int) -> int | None:
        """What a seat that is asked must put in to stay; None where a game knows no bets of this kind."""
        return None

    def unasked(self, t: Table) -> WantDecision | None:
        """What a seat that is not asked, because nobody is left to bet against, could do all the same: it would put no
        money in, or a forced bet that comes straight back. None where there is no such seat."""
        return None

    def board(self, history: Sequence[HistoryEntry]) -> dict[str, Any]:
        """What the reader board shows of a shoe."""
        return {"hands_in_shoe": len(history)}
