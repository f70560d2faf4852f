"""The procedures in force at a table, as an approval prints them or its house chooses: docs/table/procedures.md."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

DEAD_SPREAD: Final = "dead_spread"
RELIEF: Final = "dealer_relief"
SHUFFLER_FAILURE: Final = "shuffler_failure"
DECK_CUT: Final = "deck_cut"
AWAY: Final = "player_away"
BACK: Final = "player_back"
FORFEIT: Final = "forfeit_seat"
APPROVE_HANDS: Final = "approve_hands"
GIVE_UP_HANDS: Final = "give_up_hands"
FLOOR_ACTS: Final = frozenset({FORFEIT, APPROVE_HANDS, GIVE_UP_HANDS})
"""What the floor decides about a player, each with his seat."""

Few = Annotated[int, Meta(ge=0, le=20)]
"""A number of cards or hands."""
ShufflerFailure = Literal["as_ruled", "dealer_shuffles", "reshuffle"]


class Procedures(Struct, frozen=True, forbid_unknown_fields=True):
    """What the table does beside its rounds. Each default changes nothing."""

    player_dealer_burn: Few = 0
    """Cards that the player-dealer may have burned in one shoe, before the deal only."""
    dead_spread_burn: Few = 0
    """Cards burned from the new shoe when a game breaks down with only the player-dealer left."""
    hands_each: Annotated[int, Meta(ge=1, le=20)] | None = None
    """Betting hands of one player, without approval; None: the text has no number."""
    hands_given_up: Few = 0
    """How many of them he may be made to give up on a full table."""
    away_minutes: Annotated[int, Meta(ge=1, le=1440)] | None = None
    """How long a player may be away before the floor may take his seat; None: the text has no time."""
    cut_least: Few = 0
    """Cards that a cut must leave above and below."""
    relief_burn: Few = 0
    """Cards burned when another dealer takes over, from a shoe."""
    shuffler_failure: ShufflerFailure = "as_ruled"
    """What follows when the shuffling machine does not work. as_ruled: the ruling of the game, where it has one, else
    the floor's. dealer_shuffles: the hand goes on, and the dealer shuffles by hand. reshuffle: the hand goes on, and no
    other is dealt from these cards before they are shuffled again."""

    @property
    def reports(self) -> tuple[str, ...]:
        """What people may report, as the text of this table has it."""
        return (
            RELIEF,
            *((DEAD_SPREAD,) if self.dead_spread_burn else ()),
            *((SHUFFLER_FAILURE,) if self.shuffler_failure != "as_ruled" else ()),
            *((DECK_CUT,) if self.cut_least else ()),
            *((AWAY, BACK) if self.away_minutes is not None else ()),
        )

    @property
    def floor_acts(self) -> tuple[str, ...]:
        """What the floor may decide about a player, as the text of this table has it."""
        return (
            *((FORFEIT,) if self.away_minutes is not None else ()),
            *((APPROVE_HANDS,) if self.hands_each is not None else ()),
            *((GIVE_UP_HANDS,) if self.hands_each is not None and self.hands_given_up else ()),
        )


NO_PROCEDURES: Final = Procedures()


class BuyInRules(Struct, frozen=True):
    """What a player must put in front of him, in cents."""

    full: int
    """The least buy-in, and the least re-buy that is not short."""
    short: int
    """The least short re-buy."""
    shorts: int
    """How many short re-buys one player has."""
