"""The simulated shuffler of the example vendor.

machine  cards, motor and tray; what people do with it
device   the machine on its line: requests, answers, records

May import `protocols` and, of `sim_hw`, what is below `devices`.
"""

from __future__ import annotations

from msgspec import Struct

from sim_hw.devices.example_shuffler.device import ExampleShuffler
from sim_hw.devices.kinds import Cards, Fault, Making, SimulatedKind, cards_of

# What people do with it


async def put_in(
    shuffler: ExampleShuffler, *, top: Cards = None, without: Cards = None, extra: Cards = None, turned: Cards = None
) -> None:
    """Put a deck in. `top`: the cards that the shuffle will bring to the top, in their order."""
    shuffler.put_in(top=cards_of(top), without=cards_of(without), extra=cards_of(extra), turned=cards_of(turned))
    await shuffler.settled()


async def press_shuffle(shuffler: ExampleShuffler) -> None:
    """The button on the machine."""
    shuffler.press_shuffle()
    await shuffler.settled()


async def wait_ready(shuffler: ExampleShuffler) -> None:
    """Until a deck may be dealt."""
    await shuffler.wait_phase("ready")
    await shuffler.settled()


async def wait_stopped(shuffler: ExampleShuffler) -> None:
    """Until it has stopped, for good or bad."""
    await shuffler.wait_phase("ready", "rejected", "jammed", "held", "empty")
    await shuffler.settled()


async def take(shuffler: ExampleShuffler, *, hands: int = 1) -> list[list[str]]:
    """Take hand after hand from the tray."""
    taken = []
    for _ in range(hands):
        await shuffler.wait_tray()
        taken.append(shuffler.take())
        await shuffler.settled()
    return taken


async def clear_jam(shuffler: ExampleShuffler) -> None:
    """Pull the card out; the hand goes back onto the deck, which is held."""
    shuffler.clear_jam()
    await shuffler.settled()


async def open_door(shuffler: ExampleShuffler) -> None:
    shuffler.move_door(is_open=True)
    await shuffler.settled()


async def close_door(shuffler: ExampleShuffler) -> None:
    shuffler.move_door(is_open=False)
    await shuffler.settled()


async def empty(shuffler: ExampleShuffler) -> list[str]:
    """Open the door, take the deck out by hand, close it again."""
    shuffler.move_door(is_open=True)
    taken = shuffler.take_out()
    shuffler.move_door(is_open=False)
    await shuffler.settled()
    return taken


# What goes wrong


async def jam(shuffler: ExampleShuffler, *, card_no: int = 1) -> None:
    """This card of the next movement sticks; fixing it pulls the card out."""
    shuffler.jam_at(card_no)


async def _clear(shuffler: ExampleShuffler) -> None:
    if shuffler.phase == "jammed":
        shuffler.clear_jam()


async def misread(shuffler: ExampleShuffler) -> None:
    """The next card is not read."""
    shuffler.fail_reads(1)


async def wrong_count(shuffler: ExampleShuffler, *, by: int = 1) -> None:
    """The next hand comes with this number of cards more, or fewer."""
    shuffler.misfeed(by)


class ExampleModel(Struct, forbid_unknown_fields=True):
    """What is set at the machine."""

    size: int = 3
    jokers: int = 0
    serial: str = "0042"
    firmware: str = "3.07"


def _build(making: Making) -> ExampleShuffler:
    model: ExampleModel = making.model
    return ExampleShuffler(
        making.port,
        making.clock,
        seed=making.seed,
        size=model.size,
        jokers=model.jokers,
        serial=model.serial,
        firmware=model.firmware,
    )


KIND = SimulatedKind(
    name="example_shuffler",
    build=_build,
    model=ExampleModel,
    baud=19_200,
    acts=(put_in, press_shuffle, wait_ready, wait_stopped, take, clear_jam, open_door, close_door, empty),
    faults=(Fault(jam, _clear), Fault(misread), Fault(wrong_count)),
)
