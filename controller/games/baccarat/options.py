"""What a ruleset of a baccarat game lets a table choose, and what it prints as paid."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from controller.engine.fees import Schedule

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
    coverage: Literal["single_use"]
    """Each cent of the player-dealer's wager pays or collects once."""
    schedule: Schedule | None
    table_min: Cents | None = None
    table_max: Cents | None = None
    positions: Annotated[int, Meta(ge=2, le=14)] | None = None


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
    pays: EzPays


class EzPanda8Options(EzOptions, frozen=True, kw_only=True):
    bet_close_timer: Annotated[int, Meta(ge=0, le=600)]
    pays: Panda8Pays
