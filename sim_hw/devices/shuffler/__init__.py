"""The simulated shuffler.

device   the controller's commands and the people's hands
machine  motor and sensors
deck     a deck with its mistakes
acts     what people do with it and what goes wrong, by name

May import `protocols` and, of `sim_hw`, what is below `devices`.
"""

from __future__ import annotations

from protocols.cards import RANKS
from protocols.shuffler.messages import DEVICE_CLASS, Mode
from sim_hw.devices.kinds import CommonModel, Fault, Making, SimulatedKind
from sim_hw.devices.shuffler.acts import ACTS, boxed_card, clear, jam, misread, wrong_count
from sim_hw.devices.shuffler.device import SimulatedShuffler


class ShufflerModel(CommonModel):
    reads_cards: bool = True
    mode: str = ""
    """Set at its panel before the daemon comes, where not by the daemon's options."""
    stack: int = 0
    packet: int = 0
    jokers: int = 0


def _build(making: Making) -> SimulatedShuffler:
    model: ShufflerModel = making.model
    options = making.options
    mode = Mode(
        kind=options.get("mode", model.mode or "batch"),
        stack=options.get("stack", model.stack),
        packet=options.get("packet", model.packet),
        ranks=options.get("ranks", RANKS),
        jokers=options.get("jokers", model.jokers),
        decks=options.get("decks", 1),
    )
    return SimulatedShuffler(
        making.port,
        making.clock,
        seed=making.seed,
        reads_cards=model.reads_cards,
        mode=mode,
        serial=model.serial or "SIM-0002",
        firmware=model.firmware,
    )


KIND = SimulatedKind(
    name="shuffler",
    build=_build,
    model=ShufflerModel,
    device_class=DEVICE_CLASS,
    bare_options={"mode": "stacks", "stack": 2, "packet": 5},
    acts=ACTS,
    faults=(Fault(jam, clear), Fault(misread), Fault(wrong_count), Fault(boxed_card)),
)
