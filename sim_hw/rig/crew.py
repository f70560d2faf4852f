"""The people of a rig: a dealer, players and the floor with their hands at its devices, `do = "people play"`."""

from __future__ import annotations

import re
from typing import TypeVar

from protocols.cards import JOKER
from sim_hw.devices.card_reader import SimulatedCardReader
from sim_hw.devices.dice_cup import SimulatedDiceCup
from sim_hw.devices.drop_box.device import DropBoxes
from sim_hw.devices.key_panel import SimulatedKeyPanel
from sim_hw.devices.kinds import Cards, cards_of
from sim_hw.devices.shoe import SimulatedShoe, new_decks
from sim_hw.devices.shuffler.device import SimulatedShuffler
from sim_hw.people.baccarat import Console
from sim_hw.people.crew import Crew, Habits, Reach, Stuck
from sim_hw.people.mistakes import Mistakes
from sim_hw.rig.rig import Rig

M = TypeVar("M")


async def play(
    rig: Rig,
    console: Console,
    seats: tuple[int, ...],
    *,
    rounds: int = 1,
    deck: Cards = None,
    decks: int | None = None,
    jokers: int = 0,
    lasts: bool = False,
    mistakes: float = 0.0,
) -> int:
    """Deal this number of rounds of whatever the table plays; returns how many were dealt.

    `deck`: its cards, where it is not the 52 (`decks` of them, each with `jokers`; without `decks` as many as the
    table says belong in its shoe, when one of them is loaded). `lasts`: the cards last many
    rounds, until the cut card. `mistakes`: the rate at which people make them.
    """

    async def dealt(number: int) -> int:
        cards = cards_of(deck) or [*new_decks(number), *[JOKER] * (jokers * number)]
        habits = Habits(cards, lasts=lasts, seats=seats)
        crew = Crew(console, _reach(rig), rig.clock, habits, seed=rig.seed, mistakes=Mistakes.at(mistakes))
        return await crew.play(rounds)

    try:
        return await dealt(decks or 1)
    except Stuck as stuck:
        belong = re.search(r"decks are in the shoe, (\d+) belong there", str(stuck))
        if decks is not None or belong is None:
            raise
        return await dealt(int(belong[1]))


def _reach(rig: Rig) -> Reach:
    boxes = _find(rig, DropBoxes)
    panel = _find(rig, SimulatedKeyPanel)
    keys: dict[str, str] = next(
        (device.options.get("keys", {}) for device in rig.plan.values() if device.kind == "key_panel"), {}
    )
    return Reach(
        shoe=_find(rig, SimulatedShoe),
        shuffler=_find(rig, SimulatedShuffler),
        dice=_find(rig, SimulatedDiceCup),
        boxes={} if boxes is None else boxes.sensors,
        panel=panel,
        keys={str(label): int(key) for key, label in keys.items()},
        reader=_find(rig, SimulatedCardReader),
    )


def _find(rig: Rig, kind: type[M]) -> M | None:
    return next((model for model in rig.models.values() if isinstance(model, kind)), None)
