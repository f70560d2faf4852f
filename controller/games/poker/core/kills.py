"""Kills: stakes that go up for one hand, and who must kill the next one.

Sheet: calgrand-betting-structures, section 6 and BS-9, BS-10. A forced kill becomes due when the hand is over: the
seat that alone won two hands in a row, or a pot of the posted size, posts a blind of the killed lower limit before the
next deal, even if it leaves. A seat may also ask for a kill before the deal where that is posted; any other player may
veto it.
"""

from __future__ import annotations

import msgspec

from controller.engine.expect.want import Refusal
from controller.games.poker.core.hand import PokerHand
from controller.games.poker.core.options import ASKED_KILLS, FORCED_KILLS, KillKind
from controller.games.poker.core.settings import Kill
from controller.games.poker.core.short_blinds import may_kill


def kill_offered(hand: PokerHand) -> KillKind | None:
    """The kind of kill that a seat may ask for; None where the house has posted none, and nobody missed his blind."""
    offered = next((kind for kind in ASKED_KILLS if kind in hand.options.kills), None)
    return "entry" if offered is None and may_kill(hand) else offered


def kill_blind(hand: PokerHand, kill: Kill) -> int:
    """The killed lower limit, limit or bring-in (BS-9)."""
    return hand.killed_structure(kill).unit(hand.action.round)


def kill_problem(hand: PokerHand, seat: int, cents: int) -> Refusal | None:
    """Why a seat may not kill although kills are offered."""
    behind = hand.purse.behind[seat]
    if behind is None or behind + hand.action.put_in[seat] >= cents:
        return None
    reach = behind + hand.action.put_in[seat]
    return Refusal(hand.options.codes.table_stakes, "the kill blind is more than the stack", {"max_to": reach})


def is_vetoable(kill: Kill) -> bool:
    return kill.kind not in FORCED_KILLS


def note_next_hand(hand: PokerHand) -> None:
    """Rule on a forced kill of the next hand, once the pots are awarded."""
    kill = hand.settings.kill
    if not hand.options.has_forced_kill and (kill is None or kill.kind not in FORCED_KILLS):
        return
    next_kill = _next_kill(hand)
    if next_kill is not None:
        hand.t.rule("must_post_kill_blind", next_kill.seat)
        hand.facts.kill_required = {"seat": next_kill.seat, "kind": next_kill.kind}
    hand.facts.next_structure = msgspec.to_builtins(hand.killed_structure(next_kill))


def _next_kill(hand: PokerHand) -> Kill | None:
    """The forced kill that is due: of who alone won the hand, or else of who alone won one of its pots."""
    pots = hand.t.result.pots
    takers = [[seat for seat, cents in pot.to.items() if cents] for pot in pots]
    winners = {seat for seats in takers for seat in seats}
    if len(winners) == 1:
        (winner,) = winners
        kind = _due(hand, winner, sum(pot.cents for pot in pots))
        return None if kind is None else Kill(winner, kind)
    for pot, seats in zip(pots, takers, strict=True):
        if len(seats) == 1 and _is_big(hand, pot.cents):
            return Kill(seats[0], "forced_pot_size")
    return None


def _in_use(hand: PokerHand) -> tuple[KillKind, ...]:
    """What the house has posted; the kill that this hand was dealt with is one of them."""
    kill = hand.settings.kill
    return hand.options.kills if kill is None else (*hand.options.kills, kill.kind)


def _due(hand: PokerHand, winner: int, pot: int) -> KillKind | None:
    """The forced kill that the sole winner of the whole pot owes."""
    kill = hand.settings.kill
    if "forced_two_wins" in _in_use(hand):
        # Who killed this hand for two wins and wins again goes on until he fails to.
        goes_on = kill is not None and kill.kind == "forced_two_wins" and kill.seat == winner
        if goes_on or hand.settings.last_winner == winner:
            return "forced_two_wins"
    return "forced_pot_size" if _is_big(hand, pot) else None


def _is_big(hand: PokerHand, pot: int) -> bool:
    """Whether it is a pot of the posted size."""
    size = hand.options.kill_pot_size
    return size is not None and pot >= size and "forced_pot_size" in _in_use(hand)
