"""What a ruleset of a baccarat game may choose, and what its sheet pays."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from controller.engine.bets.back_line import BackLine
from controller.engine.bets.wagers import BonusMinimum
from controller.engine.fees.schedule import Schedule
from controller.engine.money.bank import OddCents, Rounding

Decks = Annotated[int, Meta(ge=3, le=8)]
Cents = Annotated[int, Meta(ge=0)]


class BaccaratOptions(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What every baccarat ruleset lets a table choose."""

    decks: Decks
    burn: Literal["none", "first_card_value"]
    """Whether a fresh shoe's first card is turned up and burned with as many cards as it counts."""
    cut_card_in_hand: Literal["this_hand", "next_hand"]
    """Which hand is the last of the shoe when the cut card comes while one is dealt."""
    cut_card_between_hands: Literal["shoe_ends", "next_hand"]
    """The same, when it lies in the window after a hand."""
    back_line: BackLine = BackLine()
    coverage: Literal["single_use"]
    """Each cent of the player-dealer's wager pays or collects once."""
    bonus_minimum: BonusMinimum
    schedule: Schedule | None
    odd_cents: OddCents = "down"
    """What a payoff is that is no whole chip."""
    chip_unit: Annotated[int, Meta(ge=1)] = 1
    """The smallest chip, in cents."""
    table_min: Cents | None = None
    table_max: Cents | None = None
    positions: Annotated[int, Meta(ge=2, le=14)] | None = None
    most_seats: int | None = None
    """The most seats of a table, the player-dealer's among them; absent: the text states no number."""

    @property
    def rounding(self) -> Rounding:
        return Rounding(self.odd_cents, self.chip_unit)


class EzPays(Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    player_line: str
    banker_line: str
    tie: str
    dragon_7: str


class Panda8Pays(EzPays, frozen=True, cache_hash=True):
    panda_8: str


class EzOptions(BaccaratOptions, frozen=True, kw_only=True):
    """Options of EZ Baccarat; defaults and their sources are in the ruleset."""

    banker_three_card_seven: Literal["pay", "push"]
    naturals_stop: bool = True
    """A natural on either side ends the drawing; else both hands are drawn by their charts alone."""
    pays: EzPays


class EzPanda8Options(EzOptions, frozen=True, kw_only=True):
    bet_close_timer: Annotated[int, Meta(ge=0, le=600)]
    pays: Panda8Pays


class RoyalePays(Struct, frozen=True, forbid_unknown_fields=True):
    player_line: str
    dealer_line: str
    tie: str
    royale_bonus: dict[str, str]
    """By row, the highest hand first: only the first row that fits is paid (reading A5)."""


class RoyaleOptions(BaccaratOptions, frozen=True, kw_only=True):
    """Options of 21st Century Baccarat 9.0; defaults and their sources are in the ruleset."""

    option_cards: tuple[int, ...]
    """The dealer's open cards against which a five is the bettors' own choice (reading A1)."""
    royale_highest: Literal["as_listed", "best_paid"] = "as_listed"
    """Which row is the highest hand where the first four cards fill several: the first listed, or the best paid."""
    royal: str
    """The ranks of a royal flush of four cards (reading A4)."""
    pays: RoyalePays


class DragonTable(Struct, frozen=True, forbid_unknown_fields=True):
    """What both Dragon Bonus bets pay: a natural winner, or a win by a number of points."""

    natural: str
    by_4: str
    by_5: str
    by_6: str
    by_7: str
    by_8: str
    by_9: str


class DragonPays(Struct, frozen=True, forbid_unknown_fields=True):
    player_line: str
    banker_line: str
    banker_six: str
    """The banker line when the banker wins with a total of six."""
    tie: str
    dragon: DragonTable


class SpotLimit(Struct, frozen=True, forbid_unknown_fields=True):
    """What may be wagered on one betting space, in cents."""

    min: Cents = 0
    max: Cents | None = None


class SpotLimits(Struct, frozen=True, forbid_unknown_fields=True):
    """The betting spaces that have limits of their own."""

    player_line: SpotLimit | None = None
    banker_line: SpotLimit | None = None
    tie: SpotLimit | None = None
    player_dragon: SpotLimit | None = None
    banker_dragon: SpotLimit | None = None


class DragonOptions(BaccaratOptions, frozen=True, kw_only=True):
    """Options of Commission-Free Baccarat; defaults and their sources are in the ruleset."""

    decks: Annotated[int, Meta(ge=8, le=8)]
    deal_device: Literal["shoe", "shuffler"]
    dragon_natural: Literal["flat", "best"]
    """Whether a natural winner by four or more gets its own row only, or the better one (reading A1)."""
    limits: SpotLimits
    pays: DragonPays
