"""What a poker ruleset may choose, and what its sheet fixes.

Options have the names of the sheets (calgrand-betting-structures, section 7; bankers-texas-holdem, Options). What a
table never chooses is under `[sheet]` of the ruleset: refusal codes, rulings, how hands are shown.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from controller.engine.betting.rules import BettingRules, Codes, MaxRaises, ShortAllInBars, Structure
from controller.engine.fees.posted import blinds_problem, structure_of, structure_problem
from controller.engine.fees.schedule import Schedule
from controller.engine.money.pots import OddChips

KillKind = Literal["forced_two_wins", "forced_pot_size", "voluntary", "entry", "before_third_card"]
FORCED_KILLS: tuple[KillKind, ...] = ("forced_two_wins", "forced_pot_size")
ASKED_KILLS: tuple[KillKind, ...] = ("voluntary", "entry")
"""Kills that a seat asks for before the deal; any other player may veto them (293)."""

Post = Literal[
    "live_straddle", "make_up_blinds", "missed_blinds", "missed_big_blind", "buy_button", "dead_collection_blind"
]
"""Wagers that a player may choose to post before the deal."""

MOST_STAKES = 64
"""Structures that are kept for one ruleset; a tournament has fewer levels."""

Times = Annotated[int, Meta(gt=0)] | Annotated[float, Meta(gt=0)]


class Stakes:
    """A structure with the ruleset's betting rules, and as the journal has it."""

    __slots__ = ("document", "rules")

    def __init__(self, rules: BettingRules) -> None:
        self.rules = rules
        self.document: dict[str, Any] = msgspec.to_builtins(rules.structure)


class PokerOptions(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, dict=True):
    """Defaults here mean "not offered" or the common rule; each ruleset lists its own, with the source line."""

    variant: Literal["high", "low", "high_low"] = "high"
    """Which hand wins the pot, or whether it is divided between the best high and the best low hand."""
    low_qualifier: Annotated[int, Meta(ge=5, le=13)] | None = None
    """The highest rank a low may hold: 8 is eight or better."""
    low_is_unpaired: bool = False
    """A low is five different ranks by its own definition, whatever else qualifies it."""
    high_qualifier: tuple[str, ...] = ()
    """What a high hand must reach once a low is shown, else the low takes it all: `[pair]`."""
    jokers: Annotated[int, Meta(ge=0, le=4)] = 0
    """In the deck."""
    wild_cards: tuple[str, ...] = ()

    structure: Structure | None = None
    """What is played where the table posts nothing else."""
    blinds: tuple[int, ...] = ()
    """Blinds by position from the left of the button, where the table posts none."""
    check_raise: bool = True
    max_raises: MaxRaises = None
    """In one betting round; absent: any number."""
    min_raise_basis: Literal["last_full", "to_call"] = "last_full"
    short_all_in_bars: ShortAllInBars = "bettors"
    """Who may not raise again after an all-in of less than a full raise."""

    burn: bool = True
    """One card before each street of the board."""
    pot_rounding: Annotated[int, Meta(ge=0)] = 0
    """To what a pot is rounded in pot limit, where a blind is no multiple of it; 0: never."""
    chip_unit: Annotated[int, Meta(ge=1)] = 1
    odd_chip: Literal["first_from_button", "one_each_from_button", "highest_card", "lowest_card"] = "first_from_button"
    """Who gets the chip that a pot cannot be divided by."""

    kills: tuple[KillKind, ...] = ()
    kill_factor: Times = 2
    kill_pot_size: int | None = None

    returning_after_missed_blinds: tuple[int, ...] = ()
    straddle: Annotated[int, Meta(ge=2)] = 2
    """A live straddle, in big blinds."""
    straddle_stack: Annotated[int, Meta(ge=1)] = 4
    """What a straddler must have at the start of the hand, in big blinds."""

    schedule: Schedule | None = None
    """The collection schedule posted at the table; None: no fees are reported."""

    blind_rules: Literal["", "lowball"] = ""
    """What a short, missed or moved blind costs: lowball's own rules (000:223-228)."""
    owed_blind: Literal["in_place", "besides"] = "in_place"
    """Lowball: who owes a blind takes it in place of the seat that is due, or posts it besides."""
    posts: tuple[Post, ...] = ()
    """Wagers that a player may choose to post before the deal."""
    unraised_blind: tuple[Literal["check", "call"], ...] = ("call",)
    """What a blind may do when nobody has raised."""
    button_has_small_blind: bool = False
    """Of two players the button has the small blind and acts first, also where both blinds are equal."""
    showdown: Literal["cards_speak", "show_or_muck"] = "cards_speak"
    """Every hand is turned up and counts as it is, or a player may muck it."""
    first_card: Literal["void", "redeal"] = "void"
    """What an exposed first card costs: the hand, or only the deal, which is begun again."""
    most_seats: int | None = None
    """The most seats of a table; absent: the text states no number."""
    half_bet_exception: str = ""
    """Ruling code where an early turn or river stays: the wager still uncalled is less than half the round's bet."""
    codes: Codes = Codes()
    """The sheet's words for what it refuses in the betting."""
    rulings: dict[str, str] = {}
    """The sheet's ruling code by event; an event without one holds the table."""
    unruled: str = ""
    """The sheet's code for an event that is left to the floor; empty: it has none."""

    def __post_init__(self) -> None:
        """What the ruleset or the house fixes beside the schedule must be what the schedule posts."""
        if self.schedule is None:
            return
        problem = "" if self.structure is None else structure_problem(self.schedule, self.structure)
        if not problem and self.blinds:
            problem = blinds_problem(self.schedule, self.blinds)
        if problem:
            raise ValueError(problem)

    @property
    def needs_button(self) -> bool:
        """Whether the button must be set before a hand."""
        return True

    def posted(self, structure: Structure) -> Structure:
        """The table's structure with what the ruleset adds to it."""
        return structure

    def betting(self, structure: Structure) -> BettingRules:
        return BettingRules(
            structure,
            self.codes,
            self.max_raises,
            self.check_raise,
            self.min_raise_basis,
            self.short_all_in_bars,
            self.unraised_blind,
        )

    def stakes(self, structure: Structure) -> Stakes:
        """Betting by this structure. A table posts the same stakes hand after hand, so they are kept."""
        kept = self._stakes.get(structure)
        if kept is None:
            if len(self._stakes) >= MOST_STAKES:
                self._stakes.clear()
            kept = self._stakes[structure] = Stakes(self.betting(structure))
        return kept

    @cached_property
    def _stakes(self) -> dict[Structure, Stakes]:
        return {}

    @cached_property
    def default_structure(self) -> Structure | None:
        """What is played where the table sets no structure: the posted schedule's, read as the ruleset reads it."""
        return self.structure if self.structure is not None or self.schedule is None else structure_of(self.schedule)

    @cached_property
    def default_blinds(self) -> tuple[int, ...]:
        """Blinds by position where the table sets none: those of the posted schedule, or the ruleset's."""
        return (self.schedule.blinds if self.schedule is not None else None) or self.blinds

    @cached_property
    def odd_chips(self) -> OddChips:
        return "one_each" if self.odd_chip == "one_each_from_button" else "all_to_first"

    @cached_property
    def has_forced_kill(self) -> bool:
        return any(kind in FORCED_KILLS for kind in self.kills)


def exact(factor: int | float) -> Fraction:
    """A factor as it is written: 1.5 is three halves, not the nearest float.

    >>> exact(1.5), exact(2)
    (Fraction(3, 2), Fraction(2, 1))
    """
    return Fraction(str(factor))
