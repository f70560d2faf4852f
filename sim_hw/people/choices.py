"""What players choose: wagers and decisions from what the table offers, at random, from one seed.

They know no game. Whatever a want offers, they pick something that its bounds allow; what only the game can judge (a
front hand higher than the back one) the table refuses with a reason, and they choose again.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from sim_hw.people.melds import decide_rummy
from sim_hw.people.sight import Choice, Decision, Place, Rule, Wagers

CHIP = 500
"""What players count in, cents."""
MOST_CHIPS = 20
GIVES_UP = ("drop", "fold", "muck", "surrender")
"""Thought over twice, since more of a game is seen by who stays in it."""
SITS_OUT = 0.3
SIDE_BET = 0.3
BEHIND = 0.15
"""A player of another seat bets on this one's hand too, where the game takes it."""

Act = dict[str, Any]
"""An input, as the console takes it."""


def wagers(want: Wagers, rng: random.Random) -> Iterator[Act]:
    """What the players put down before "no more bets": each seat its base wager and, sometimes, more."""
    behind = [replace(rule, needs=()) if rule.needs_on_first_spot else rule for rule in want.rules if _is_behind(rule)]
    for seat in want.seats:
        if rng.random() < SITS_OUT:
            continue
        yield from _of_bettor(seat, want, want.rules, rng)
        if want.bank and behind and rng.random() < BEHIND:
            yield from _of_bettor(f"{seat}.2", want, behind, rng)


def _of_bettor(place: Place, want: Wagers, rules: Sequence[Rule], rng: random.Random) -> Iterator[Act]:
    """The base wager of one bettor, and sometimes more."""
    seat = int(str(place).partition(".")[0])
    standing: dict[str, int] = dict(want.book.get(str(place), {}))
    offered = [rule for rule in rules if rule.seats is None or seat in rule.seats]
    base = [rule for rule in offered if not rule.needs and rule.equals is None]
    if base and not standing:
        chosen = rng.choice(base)
        standing[chosen.id] = amount(chosen, rng)
        yield _wager(place, chosen, standing)
    for rule in offered:
        if rule.id in standing or not _is_open(rule, standing):
            continue
        # What must match a wager that stands is no choice: without it the place would not be dealt in.
        if rule.equals is not None or rng.random() < SIDE_BET:
            standing[rule.id] = standing[rule.equals] if rule.equals is not None else amount(rule, rng)
            yield _wager(place, rule, standing)


def amount(rule: Rule, rng: random.Random) -> int:
    """Whole chips where the bounds allow them."""
    least = max(rule.min, 1)
    most = rule.max if rule.max is not None else max(least, CHIP * MOST_CHIPS)
    return between(rng, least, min(most, max(least, CHIP * MOST_CHIPS)), rule.step)


def decide(want: Decision, rng: random.Random, own: Sequence[str] | None) -> Act | None:
    """One of the choices; `own` are the cards that the player sees in the hand, None where that is not known.

    None where no choice can be made without seeing cards.
    """
    if any(choice.melds is not None for choice in want.choices):
        return decide_rummy(want, rng, own or ())
    playable = [choice for choice in want.choices if choice.by or not _needs_cards(choice) or own]
    if not playable:
        return None
    choice = rng.choice(playable)
    for _ in range(2):
        if choice.do in GIVES_UP:
            choice = rng.choice(playable)
    act: Act = {"kind": "act", "seat": want.seat, "do": choice.do}
    if choice.max_cents is not None:
        act["cents"] = between(rng, choice.min_cents or 0, choice.max_cents)
    if choice.to_one_of:
        act["to"] = rng.choice(choice.to_one_of)
    elif choice.to is not None:
        # Mostly the least: a table on which everybody is all in is over soon.
        least, most = choice.to
        act["to"] = least if rng.random() < 0.7 else between(rng, least, min(most, 4 * least))
    if choice.piles:
        act["pile"] = rng.randint(1, choice.piles)
    # The dealer sets a hand only where he sees it, unless a chart does it for him.
    asks_house = bool(choice.by) and (bool(own) or not choice.by_names) and rng.random() < 0.7
    if choice.by and (asks_house or (_needs_cards(choice) and not own)):
        act["by"] = rng.choice(choice.by)
    if choice.count is not None and ("by" not in act or (choice.by_names and own)):
        seen = list(choice.cards or own or ())
        least, most = choice.count
        named = rng.sample(seen, rng.randint(min(least, len(seen)), min(most, len(seen))))
        act["front" if choice.do == "set" else "cards"] = named
    return act


def between(rng: random.Random, least: int, most: int, step: int = 1) -> int:
    """Often an end or a whole number of chips, since that is where rules change."""
    low, high = -(-least // step), most // step
    if high <= low:
        return low * step
    match rng.randrange(4):
        case 0:
            return low * step
        case 1:
            return high * step
    whole = rng.randint(low, high) * step // CHIP * CHIP
    return whole if low * step <= whole and whole % step == 0 else low * step


def _is_behind(rule: Rule) -> bool:
    """Whether a back-line bettor may place it."""
    return rule.first_spot_only is None and (rule.spots is None or rule.spots > 1)


def _wager(place: Place, rule: Rule, standing: dict[str, int]) -> Act:
    return {"kind": "wager", "place": place, "wager": rule.id, "cents": standing[rule.id]}


def _is_open(rule: Rule, standing: dict[str, int]) -> bool:
    if rule.equals is not None and rule.equals not in standing:
        return False
    if not rule.needs:
        return rule.equals is not None or bool(standing)
    return (all if rule.needs_all else any)(other in standing for other in rule.needs)


def _needs_cards(choice: Choice) -> bool:
    return choice.count is not None and choice.count[0] > 0 and not choice.cards
