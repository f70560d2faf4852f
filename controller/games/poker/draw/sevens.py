"""The rules on a seven or better after the draw, in ace-to-five lowball.

Who holds one must bet it. Nobody can see that until hands are shown, so the engine judges it then: a seat that checked
one has no part in money bet after the draw. What it would win of that goes back to its owners (`sevens_void`); what
another hand wins, that hand wins. What was in before the draw is not touched.

| `sevens` | who must bet |
|---|---|
| `must_bet_unless_last` | every seat in limit games, but the last to act where nobody bet (000:254-260) |
| `first_must_bet` | the first seat, in order of action, that holds one (001:423) |

| `sevens_void` | what goes back |
|---|---|
| `pots_won` | the pots of money bet after the draw that the seven would win |
| `all_action` | the same, and where the seven wins the main pot everything bet after the draw (000:255, LB-1) |

Sheets: bankers-lowball-a5, calgrand-lowball-ace-to-five (LB-1, LB-2).
"""

from __future__ import annotations

from controller.engine.betting.rules import NoLimit, PotLimit
from controller.engine.money.pots import SidePot
from controller.engine.ranking import ACE_TO_FIVE, Low, or_better
from controller.games.poker.core.showdown import Claims
from controller.games.poker.draw.hand import DrawHand

SEVEN_LOW = Low(ACE_TO_FIVE, jokers="low")
CHECKED_SEVEN, CHECK_ALLOWED, OVERCALL_RETURNED = "checked_seven_or_better", "check_allowed", "overcall_returned"


def judge_sevens(hand: DrawHand, claims: Claims) -> None:
    """Before the pots are awarded: who did not bet a seven, and what goes back for it."""
    match hand.sevens:
        case "must_bet_unless_last" if not isinstance(hand.structure, NoLimit | PotLimit):
            _every_seven(hand, claims)
        case "first_must_bet":
            _first_seven(hand, claims)


def is_seven_or_better(hand: DrawHand, seat: int) -> bool:
    """No pair and nothing above a seven, jokers and wild cards counted; of a hand nobody has read it is not known."""
    hole = hand.hole(seat)
    if not hole.is_read or len(hole) != ACE_TO_FIVE.size:
        return False
    return or_better(SEVEN_LOW.rank(hand.rankings.seen(hole.cards)), "7") is not None


def _every_seven(hand: DrawHand, claims: Claims) -> None:
    best = _best(hand, claims)
    offenders = {seat for seat, last in hand.checks if not last and is_seven_or_better(hand, seat)}
    for seat, last in hand.checks:
        if last and seat in _claimants(claims) and is_seven_or_better(hand, seat):
            hand.rule_on(seat, CHECK_ALLOWED)
    offending = [seat for seat in _would_win(hand, claims) if seat in offenders]
    if not offending:
        _return_overcalls(hand, best)
        return
    for seat in offending:
        hand.rule_on(seat, CHECKED_SEVEN)
    _void_action(hand, claims, set(offending))


def _first_seven(hand: DrawHand, claims: Claims) -> None:
    offender = next((seat for seat, _ in hand.checks if is_seven_or_better(hand, seat)), None)
    if offender is None:
        return
    hand.facts.sevens_offender = offender
    _void_action(hand, claims, {offender})


def _best(hand: DrawHand, claims: Claims) -> list[int]:
    """Who wins the main pot, or a part of it."""
    high, low = claims.winners(hand.purse.pots()[0])
    return [*high, *low]


def _claimants(claims: Claims) -> set[int]:
    return {*claims.high, *claims.low}


def _would_win(hand: DrawHand, claims: Claims) -> list[int]:
    """Who wins a part of the main pot, or of a pot of money bet after the draw."""
    seats = _best(hand, claims)
    for pot, _ in _pots_after_draw(hand):
        high, low = claims.winners(pot)
        seats += [seat for seat in (*high, *low) if seat not in seats]
    return seats


def _void_action(hand: DrawHand, claims: Claims, offenders: set[int]) -> None:
    """Money bet after the draw that these seats would win goes back to who bet it."""
    wins_main = not offenders.isdisjoint(_best(hand, claims))
    everything = wins_main and hand.room.sevens_void == "all_action"
    back: dict[int, int] = {}
    for pot, put in _pots_after_draw(hand):
        high, low = claims.winners(pot)
        if everything or not offenders.isdisjoint((*high, *low)):
            for seat, cents in put.items():
                back[seat] = back.get(seat, 0) + cents
    hand.give_back(back)


def _pots_after_draw(hand: DrawHand) -> list[tuple[SidePot, dict[int, int]]]:
    """The pots of the money bet after the draw, each with what every seat put into it."""
    after = {seat: cents - hand.before_draw[seat] for seat, cents in hand.purse.live.items()}
    contenders = [seat for seat in after if seat not in hand.purse.folded]
    levels = sorted({after[seat] for seat in contenders if after[seat]})
    pots, floor = [], 0
    for level in levels:
        top = max(after.values()) if level == levels[-1] else level
        put = {seat: min(cents, top) - min(cents, floor) for seat, cents in after.items()}
        pots.append((SidePot(sum(put.values()), tuple(seat for seat in contenders if after[seat] >= level)), put))
        floor = level
    return pots


def _return_overcalls(hand: DrawHand, best: list[int]) -> None:
    """Behind a seven that only calls an all-in of less than half a bet, a later caller who loses gets his call back,
    no matter who wins (000:259)."""
    action = hand.action
    short = action.current and 2 * action.current < action.rules.structure.unit(action.round)
    bettor = hand.last_bettor
    if not short or bettor is None or hand.purse.behind[bettor] != 0:
        return
    for at, seat in enumerate(hand.calls):
        if is_seven_or_better(hand, seat):
            for other in hand.calls[at + 1 :]:
                if other not in best and other not in hand.purse.folded:
                    hand.rule_on(other, OVERCALL_RETURNED)
                    hand.give_back({other: action.put_in[other]})
                    hand.overcalled[other] = action.put_in[other]
            return
