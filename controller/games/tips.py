"""Dealer tips as wagers: a player bets for the house dealer beside his own base wager.

Only where the posted schedule counts them in total table action (turlock, 002: 4772-4773, 5158-5159, 5241-5242). How
such a wager is settled is not printed: it wins, loses and pushes with the base wager of its place (reading DT1). What
it wins is the dealer's, the tip with it; a tip that pushes or finds no cover goes back to the player.
"""

from __future__ import annotations

from typing import Literal

from controller.engine.bets.back_line import NOT_ALLOWED, BackLine
from controller.engine.bets.wagers import DEALER_TIP, WagerRule
from controller.engine.fees.schedule import Schedule

__all__ = ["DEALER_TIP", "DealerTips", "tip_rules"]

DealerTips = Literal["with_base_wager", "refused"]


def tip_rules(
    tips: DealerTips, schedule: Schedule | None, base_wager: str, back_line: BackLine
) -> tuple[WagerRule, ...]:
    """The tip as a wager, where the posted schedule counts it: within the table's maximum, with no minimum."""
    if tips == "refused" or schedule is None or DEALER_TIP not in schedule.action_includes:
        return ()
    refused = NOT_ALLOWED if back_line.wagers == "none" else None
    return (
        WagerRule(
            DEALER_TIP,
            "Dealer tip",
            needs=(base_wager,),
            counts_as=DEALER_TIP,
            any_minimum=True,
            first_spot_only=refused,
        ),
    )
