"""Hands that our own bot played at our own table, written as PHH: `python -m tests.games.poker.phh.make`.

The bot plays at random from a seed, with some patience, so that more than a few hands see a river. PokerKit has the
last word on what is a hand of PHH: what it does not take (a raise that nobody could call) is dealt again.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from controller.engine.cards.card import codes, standard_deck
from controller.engine.expect import bot
from controller.engine.expect.expectation import Expectation
from controller.engine.inputs import Act, AnyBody, CardOut, Input, Place
from controller.engine.table.engine import TableEngine
from tests.games.poker.phh.convert import actions, dealt_as, table_set
from tests.games.poker.phh.history import History, write
from tests.games.poker.phh.our_table import new_table
from tests.games.poker.phh.pokerkit_table import Unplayable, finishing_stacks

FILE = Path(__file__).with_name("made-by-us.phhs")
TITLE = """Made by our own bot (python -m tests.games.poker.phh.make), for our tests: nobody ever played these hands.
In the PHH format: no-limit and fixed-limit hold'em, pot-limit Omaha, Omaha high-low; amounts in cents."""
HANDS = {"NT": 30, "FT": 10, "PO": 12, "FO/8": 12}
SEED = 1907
PATIENCE = 0.5
"""How often the bot thinks again before it folds."""
LOOSENESS = 0.6
"""How often it thinks again before it bets or raises: hands that go all-in at once show little."""
THINKS_AGAIN = {"fold": PATIENCE, "bet": LOOSENESS, "raise": LOOSENESS}


Play = Callable[[random.Random, str], History]


def hands() -> Iterator[History]:
    for variant, count in HANDS.items():
        yield from agreed(count, variant, play)


def agreed(count: int, variant: str, play: Play) -> Iterator[History]:
    """`count` hands of one game, played from the seed, that PokerKit plays as well."""
    rng = random.Random(SEED)
    while count:
        hand = play(rng, variant)
        try:
            agrees = finishing_stacks(hand) == hand.finishing_stacks
        except Unplayable:
            continue
        assert agrees, f"PokerKit comes to other stacks: {hand}"
        yield hand
        count -= 1


def play(rng: random.Random, variant: str) -> History:
    """One hand from the first card to the last chip."""
    players = rng.randrange(2, 10)
    stacks = [rng.choice((4000, 10000, 10000, 20000, 35000)) for _ in range(players)]
    blinds = [100, 200] + [0] * (players - 2)
    bets = (200, 400) if variant.startswith("F") else (0, 0)
    begun = History(variant, [0] * players, blinds, 200, stacks, [], stacks, *bets)
    engine = new_table(begun)
    inputs = [Input(0, "make", table_set(begun))]
    engine.apply(inputs[0])
    deck = codes(standard_deck())
    rng.shuffle(deck)
    while engine.last is None:
        inputs.append(Input(0, "make", _next(engine, rng, deck)))
        engine.apply(inputs[-1])
    net = engine.last.document["net"]
    ends = [stack + net[seat] for seat, stack in enumerate(stacks, start=1)]
    acts = actions(inputs, dealt_as(begun).hole)
    return replace(begun, actions=acts, finishing_stacks=ends)


def _next(engine: TableEngine[Any], rng: random.Random, deck: list[str]) -> AnyBody:
    """What the bot does; of a burn card nobody learns, so it is not read."""
    body = decide(engine.expectation, rng)
    if isinstance(body, Act):
        return body
    burns = any(getattr(want, "to", "") == "burn" for want in engine.expectation.wants)
    return CardOut(None if burns else deck.pop())


def decide(waiting: Expectation, rng: random.Random, look: Callable[[Place], Sequence[str]] | None = None) -> AnyBody:
    """What the bot does after some thought."""
    body = bot.answer(waiting, rng, lambda: "", look=look)
    while isinstance(body, Act) and rng.random() < THINKS_AGAIN.get(body.do, 0):
        body = bot.answer(waiting, rng, lambda: "", look=look)
    return body


if __name__ == "__main__":
    FILE.write_text(write(hands(), TITLE))
    print(f"{sum(HANDS.values())} hands from seed {SEED} in {FILE.name}")
