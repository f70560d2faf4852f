"""What a room prints about Panguingue, and what is posted on the table."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from controller.engine.bounds import Cents
from controller.engine.fees.schedule import Schedule
from controller.engine.procedures.rules import BuyInRules
from controller.engine.round.felt import Setup
from controller.games.panguingue.melds import Conditions
from protocols.type_errors import in_words


class PanOptions(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Both rooms' options."""

    chip: Annotated[int, Meta(ge=1)]
    """Cents of one chip: the unit of every payment."""
    decks: Annotated[int, Meta(ge=1)]
    conditions: Conditions
    """What each condition is worth, in chips from each active player."""
    out_chips: int
    """From each active player for going out, beside the board."""
    buy_in: Cents | None = None
    """The full buy-in; None: any chips are taken."""
    short_buy_ins: int = 0
    """Short ones that a player has after a full one."""
    schedule: Schedule | None = None

    @property
    def buy_ins(self) -> BuyInRules | None:
        """A full buy-in on being seated, then the short ones of the text; anything less than full is short."""
        return None if self.buy_in is None else BuyInRules(self.buy_in, 1, self.short_buy_ins)

    def __post_init__(self) -> None:
        posted = self.schedule
        if posted is not None and posted.kondition is not None and self.chip != posted.kondition:
            raise ValueError(
                f"chip = {self.chip}: the posted schedule {posted.id} has a kondition of {posted.kondition} cents"
            )


class DealtPanOptions(PanOptions, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A room whose cards the table follows one by one."""

    short_spades: int
    """Whole sets of spades taken out of the pack."""
    out_cap: Literal["per_payer", "in_total"]
    fouled_pays: bool
    set_off_losses: bool
    meld_without_drawn_card: bool


class PanSettings(Struct, frozen=True):
    """What the floor sets for a hand, as the cases write it; a poker table's other settings mean nothing here."""

    first_player: int | None = None
    """Last hand's winner; absent on the first deal of a session."""
    deal_from: int | None = None
    """Who is dealt first on the first deal of a session (PAN-6)."""
    antes: dict[int, int] = {}
    stacks: dict[int, int] | None = None


class NotReady(Exception):
    """The table cannot be played as it is set; the text names what is missing."""


FEWEST_PLAYERS = 2


def read_settings(setup: Setup) -> PanSettings:
    try:
        settings = msgspec.convert(setup.settings, PanSettings, str_keys=True)
    except msgspec.ValidationError as error:
        raise NotReady(f"what is set at this table cannot be read: {in_words(error)}") from None
    if len(setup.seats) < FEWEST_PLAYERS:
        raise NotReady("Panguingue needs two players: seat another")
    for who, seat in (("plays first", settings.first_player), ("is dealt to first", settings.deal_from)):
        if seat is not None and seat not in setup.seats:
            raise NotReady(f"seat {seat} {who}, but is not in the game")
    return settings


def counterclockwise(seats: tuple[int, ...], first: int | None) -> list[int]:
    """Seats in the order of deal and play: seats are numbered clockwise, Pan runs the other way."""
    order = sorted(seats, reverse=True)
    start = 0 if first is None else order.index(first)
    return order[start:] + order[:start]
