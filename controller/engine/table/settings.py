"""What the floor sets at a table for its game, each setting with its type: the one list for all games.

`TableSet.settings` is checked against it before it becomes part of the table's setup; each game then takes the
settings that it knows. Null takes a setting back.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from controller.engine.bets.limits import Structure
from controller.engine.bounds import MOST_SEATS, Amounts, Code, Seat, Seats, Stakes, Wager
from controller.engine.expect.want import Refusal
from controller.engine.reading import Unreadable, read_plain


class KillSetting(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand that is played killed; the game knows which kinds there are, and the factors."""

    seat: Seat
    kind: Code
    factor: Annotated[int, Meta(gt=0, le=100)] | Annotated[float, Meta(gt=0, le=100)] | None = None


class TableSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """All that can be set."""

    structure: Structure | None = None
    blinds: Stakes | None = None
    blind_sizes: Annotated[tuple[Wager, ...], Meta(max_length=14)] | None = None
    antes: Stakes | None = None
    carried: Amounts | None = None
    stacks: Amounts | None = None
    kill: KillSetting | None = None
    button_moves: bool | None = None
    last_winner: Seat | None = None
    owes_blind: Seat | None = None
    short_blind: Seat | None = None
    missed_blind: Seats | None = None
    waits: Annotated[dict[Seat, Annotated[int, Meta(ge=0, le=MOST_SEATS)]], Meta(max_length=MOST_SEATS)] | None = None
    first_player: Seat | None = None
    deal_from: Seat | None = None
    positions: Annotated[int, Meta(ge=2, le=14)] | None = None
    action_button: Seat | None = None


def settings_refusal(settings: dict[str, Any]) -> Refusal | None:
    """Why these settings cannot be set; None where they can."""
    try:
        read_plain(settings, TableSettings, str_keys=True)
    except Unreadable as error:
        return Refusal("bad_settings", f"settings.{error}")
    return None
