"""What a ruleset asks of the table that it is dealt on: its cards, in which stacks, dice, fees.

Nothing here knows a game by name. The ruleset defines the deck and whether it lasts many rounds. A few rounds
played by the engine's own bot show in which stacks it deals and whether it throws dice.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from controller.engine.betting.rules import FixedLimit, NoLimit, Structure
from controller.engine.expect.bot import NoAnswer, answer
from controller.engine.expect.wants import WantCard, WantDice, WantFloor
from controller.engine.fees.posted import schedule_of
from controller.engine.fees.schedule import Schedule
from controller.engine.inputs import CardOut, Input, StackOut
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.errors import UserError
from controller.games.poker.core.options import PokerOptions
from controller.rules import load
from protocols.cards import CARD_BYTES, RANKS, SUITS

SEATS = (1, 2, 3, 4, 5, 6)
PLAYER_DEALER = 7
LOW = 400
"""The lower limit where neither ruleset nor schedule has one."""
WHOLE_ANTE = 100
_PROBED = 400
"""Inputs of the bot: enough for a few rounds of any game."""


class NotDealt(UserError):
    """A sheet that answers questions only: no round can be played of it."""


class Stakes(Struct, frozen=True):
    """What the floor of an ordinary table posts where players play against each other, in cents."""

    posts: tuple[str, ...] = ()
    """What there is to set (`Game.floor_sets`); empty: nothing, the house banks or a player-dealer does."""
    structure: dict[str, Any] | None = None
    blinds: tuple[int, ...] = ()
    """From the left of the button."""
    ante: int = 0
    unit: int = 400
    """What stacks are counted in."""
    buy_in: tuple[int, int | None] = (0, None)
    """The least and the most that the posted schedule prints; no top: None."""
    fewest: int = 2
    most: int | None = None


class Needs(Struct, frozen=True):
    """What a ruleset asks of a table."""

    deck: tuple[str, ...]
    lasts: bool
    stacks: tuple[int, ...]
    """In which sizes it deals, where always in stacks; empty: card by card."""
    dice: bool
    pots: bool
    """Players bet against each other: the floor sets button, blinds and stacks."""
    schedules: tuple[str, ...] = ()
    """Fees that its cardroom has approved for it."""
    by_hand: bool = False
    """No machine gives or reads them: tiles."""


def seats_of(slug: str) -> tuple[int, ...]:
    """The players' seats of a demonstration table, no more than the approval allows."""
    ruleset = load(slug)
    most = ruleset.game.most_seats(ruleset.options())
    return SEATS if most is None else SEATS[: most - ruleset.game.has_player_dealer]


@cache
def needs_of(slug: str) -> Needs:
    """What this ruleset needs; `NotDealt` where nothing can be dealt of it."""
    ruleset = load(slug)
    options = ruleset.options()
    deck = ruleset.game.deck(options) or {rank + suit: 1 for suit in SUITS for rank in RANKS}
    cards = tuple(code for code, count in deck.items() for _ in range(count))
    rng = random.Random(slug)
    seats = seats_of(slug)
    bare = TableEngine(ruleset.game, options, TableState(Setup(seats, PLAYER_DEALER)), slug)
    pots = any(isinstance(want, WantFloor) and not want.choices for want in bare.expectation.wants)
    settings: dict[str, Any] = {
        "structure": {"kind": "fixed_limit", "low": 400, "high": 800},
        "blinds": {2: 200, 3: 400},
        "stacks": dict.fromkeys(seats, 40_000),
    }
    setup = Setup(seats, PLAYER_DEALER, 1, settings, bank=(10_000_000,))
    engine = TableEngine(ruleset.game, options, TableState(setup), slug)
    left: list[str] = []
    sizes: set[int] = set()
    dice = False
    for n in range(_PROBED):
        wants = engine.expectation.wants
        if all(isinstance(want, WantFloor) and not want.choices for want in wants):
            raise NotDealt(f"{slug} answers questions only; no round can be dealt of it.")
        sizes |= {want.count for want in wants if isinstance(want, WantCard) and want.to != "burn"}
        dice = dice or any(isinstance(want, WantDice) for want in wants)
        if not engine.is_dealing:
            left = list(cards)
            rng.shuffle(left)
        try:
            body = answer(engine.expectation, rng, left.pop, name_card=left.pop, look=lambda _: ())
        except (NoAnswer, IndexError, ValueError):
            engine = TableEngine(ruleset.game, options, TableState(setup), slug)
            continue
        whole = next((want.count for want in wants if isinstance(want, WantCard)), 1)
        if isinstance(body, CardOut) and whole > 1:
            # The bot gives half a stack as often as a whole one; a machine gives whole ones.
            body = StackOut((body.card, *(left.pop() for _ in range(whole - 1))))
        engine.apply(Input(n, "bot", body))
    in_stacks = tuple(sorted(sizes)) if 1 not in sizes and len(sizes) <= 2 and not ruleset.game.uses_shoe else ()
    fees = ruleset.printed_schedules
    by_hand = any(code not in CARD_BYTES for code in deck)
    return Needs(cards, ruleset.game.uses_shoe, () if by_hand else in_stacks, dice, pots, fees, by_hand=by_hand)


def choose_fees(slug: str, needs: Needs, rng: random.Random) -> dict[str, Any]:
    """One of the approved schedules, as the table's options name it; none where the documents print none."""
    ruleset = load(slug)
    for name in rng.sample(needs.schedules, len(needs.schedules)):
        chosen = ruleset.postable(name)
        if chosen is not None:
            return {"schedule": chosen}
    return {}


def stakes_of(slug: str, chosen: dict[str, Any]) -> Stakes:
    """The stakes of a table with these options: the ruleset's and its schedule's; where they are silent, usual ones."""
    ruleset = load(slug)
    game, options = ruleset.game, ruleset.options(chosen)
    posts = game.floor_sets()
    if not isinstance(options, PokerOptions):
        chip = getattr(options, "chip", None) or getattr(options, "cents_per_point", None) or LOW // 4
        buy_in = buy_in_of(schedule_of(options))
        return Stakes(posts, ante=chip if "antes" in game.opens_with else 0, unit=4 * chip, buy_in=buy_in)
    schedule = options.schedule
    structure = msgspec.to_builtins(_structure(options, "blinds" in game.opens_with))
    blinds = options.default_blinds if "blinds" in game.opens_with else ()
    low = structure.get("low") or max(options.default_blinds, default=structure.get("bring_in") or LOW)
    if "blinds" in game.opens_with and not blinds:
        blinds = (low // 2, low)
    if "forced" in posts:
        # The bet that the lowest or highest door card must make.
        structure = {"kind": "fixed_limit", "low": low, "high": 2 * low, "forced": low // 2}
    return Stakes(
        posts,
        structure,
        tuple(blinds),
        ante=max(WHOLE_ANTE, low // 8 // WHOLE_ANTE * WHOLE_ANTE) if "antes" in game.opens_with else 0,
        unit=low,
        buy_in=buy_in_of(schedule),
        fewest=getattr(options, "fewest_seats", 2),
        most=options.most_seats,
    )


def buy_in_of(schedule: Schedule | None) -> tuple[int, int | None]:
    """The least and the most that a player may buy in for."""
    return (0, None) if schedule is None else (schedule.buy_in_min or 0, schedule.buy_in_max)


def _structure(options: PokerOptions, has_blinds: bool) -> Structure:
    """What is posted, or of a posted range the lowest; where nothing is, the usual limit."""
    schedule = options.schedule
    if options.default_structure is not None:
        return options.default_structure
    if schedule is not None and schedule.structure not in (None, "limit"):
        return NoLimit() if has_blinds else NoLimit(max(schedule.blinds or (LOW,)))
    low = LOW
    if schedule is not None and schedule.stakes_from is not None:
        low = schedule.stakes_from[0]
    elif schedule is not None and schedule.min_bet is not None:
        low = schedule.min_bet
    return FixedLimit(low, 2 * low)
