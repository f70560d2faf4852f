"""Lowball's blinds: who has less than half of one, who missed his, who moved away from it (000:223-228).

A player with less than half a blind is dealt in for what he has, and the next player takes the blind. If he has chips
again, because he won or bought in, the blind of the next hand is his. A player who missed the blind waits for the big
blind; at a table with one blind he may kill the pot instead, unless somebody objects, and at a table with several he
may post the big blind. Who moved away from the big blind waits for one hand for each seat he moved, or posts all
blinds.

The floor sets who missed and who moved (`missed_blind`, `waits`); the table counts the hands and lets them in.
Sheets: bankers-lowball-a5, bankers-lowball-27.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from controller.engine.round.felt import Table
from controller.games.poker.core.facts import facts_of
from controller.games.poker.core.hand import PokerHand
from controller.games.poker.core.options import PokerOptions, Post
from controller.games.poker.core.settings import PokerSettings

NEXT_TAKES_BLIND = "next_player_takes_blind"
OWES_BLIND = "takes_owed_blind"


def with_blinds_taken(t: Table, options: PokerOptions, settings: PokerSettings) -> PokerSettings:
    """The settings with the blinds as lowball takes them: an owed one, and the next player's for one that is short."""
    if options.blind_rules != "lowball" or not settings.blinds:
        return settings
    blinds = {seat: cents for seat, cents in settings.blinds.items() if cents}
    owes = settings.owes_blind
    if owes in t.seats and owes is not None and blinds.get(owes, 0) < max(blinds.values()):
        big = max(blinds, key=lambda seat: blinds[seat])
        cents = blinds[big]
        if options.owed_blind == "in_place":
            del blinds[big]
        blinds[owes] = cents
        t.rule(OWES_BLIND, owes)
    return replace(settings, blinds=_without_short(t, settings, blinds))


def _without_short(t: Table, settings: PokerSettings, blinds: dict[int, int]) -> dict[int, int]:
    """Each blind that its seat cannot pay half of is taken by the next player who can."""
    taken = dict(blinds)
    for seat, cents in blinds.items():
        if not _is_short(settings, seat, cents):
            continue
        able = (other for other in t.clockwise(seat) if other != seat and not _is_short(settings, other, cents))
        after = next((other for other in able if _stack(settings, other) != 0), None)
        if after is None:
            continue
        facts_of(t).blind_taken_by[seat] = after
        taken[after] = max(cents, taken.get(after, 0))
        t.rule(NEXT_TAKES_BLIND, after)
    return taken


def _stack(settings: PokerSettings, seat: int) -> int | None:
    return None if settings.stacks is None else settings.stacks.get(seat)


def _is_short(settings: PokerSettings, seat: int, cents: int) -> bool:
    """Whether the seat has chips, but less than half of this blind."""
    stack = _stack(settings, seat)
    return stack is not None and 0 < 2 * stack < cents


# Who is dealt in


def posts_of(hand: PokerHand, blinds: dict[int, int]) -> tuple[Post, ...]:
    """What those may post who missed the blind or moved away from it."""
    settings = hand.settings
    if hand.options.blind_rules != "lowball":
        return ()
    missed: tuple[Post, ...] = ("missed_big_blind",) if settings.missed_blind and len(blinds) > 1 else ()
    moved: tuple[Post, ...] = ("missed_blinds",) if _waiting(settings) else ()
    return (*missed, *moved)


def may_kill(hand: PokerHand) -> tuple[int, ...]:
    """Who missed the one blind of the table, and may kill the pot to be dealt in."""
    if hand.options.blind_rules != "lowball" or len(hand.posted_blinds) > 1:
        return ()
    return tuple(seat for seat in hand.settings.missed_blind if seat not in hand.posted_blinds)


def not_dealt_in(hand: PokerHand, posted: set[int]) -> set[int]:
    """Who must wait: not those who have posted, killed the pot or have the big blind."""
    settings = hand.settings
    if hand.options.blind_rules != "lowball":
        return set()
    blinds = hand.posted_blinds
    big = max(blinds.values(), default=0)
    in_again = posted | {seat for seat, cents in blinds.items() if cents == big}
    if hand.kill is not None:
        in_again.add(hand.kill.seat)
    return {*settings.missed_blind, *_waiting(settings)} - in_again


def _waiting(settings: PokerSettings) -> set[int]:
    return {seat for seat, hands in settings.waits.items() if hands}


def changed_by(hand: PokerHand, stacks: dict[int, int] | None) -> dict[str, Any]:
    """The settings of the next hand: who owes the blind, who still waits."""
    settings = hand.settings
    if hand.options.blind_rules != "lowball":
        return {}
    waits = {str(seat): hands - 1 for seat, hands in settings.waits.items() if seat not in hand.seats and hands > 1}
    changes: dict[str, Any] = {
        "owes_blind": None,
        "short_blind": None,
        "missed_blind": [seat for seat in settings.missed_blind if seat not in hand.seats],
        "waits": waits,
    }
    for seat in hand.facts.blind_taken_by:
        hand.facts.owes_blind_next = seat
        has_chips = stacks is not None and stacks.get(seat, 0) > 0
        changes["owes_blind" if has_chips else "short_blind"] = seat
    return {name: value for name, value in changes.items() if value or hand.t.setup.settings.get(name)}
