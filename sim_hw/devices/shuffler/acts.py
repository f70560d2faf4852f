"""What people do with a shuffler, and what goes wrong with it."""

from __future__ import annotations

from protocols.shuffler.messages import Back, Part, Where
from sim_hw.devices.kinds import Cards, cards_of
from sim_hw.devices.shuffler.device import SimulatedShuffler

# What people do with it


async def put_in(
    shuffler: SimulatedShuffler,
    *,
    back: Back = "red",
    top: Cards = None,
    without: Cards = None,
    extra: Cards = None,
    face_up: Cards = None,
    cards: Cards = None,
) -> None:
    """Put a deck in. `top`: the cards that the shuffle will bring to the top, in their order."""
    shuffler.arrange(cards_of(top))
    shuffler.load(
        back, cards=cards_of(cards) or None, without=cards_of(without), extra=cards_of(extra), face_up=cards_of(face_up)
    )
    await shuffler.settled()


async def wait_ready(shuffler: SimulatedShuffler) -> None:
    await shuffler.wait_phase("ready")
    await shuffler.settled()


async def wait_stopped(shuffler: SimulatedShuffler) -> None:
    """Until it has stopped, for good or bad."""
    await shuffler.wait_phase("ready", "sorted", "rejected", "jammed", "held", "out of order", "empty")
    await shuffler.settled()


async def take(shuffler: SimulatedShuffler, *, stacks: int = 1) -> list[list[str]]:
    """Take stack after stack from the tray."""
    out = []
    for _ in range(stacks):
        await shuffler.wait_tray()
        out.append(shuffler.take())
        await shuffler.settled()
    return out


async def press_shuffle(shuffler: SimulatedShuffler) -> None:
    shuffler.press_shuffle()


async def clear_jam(shuffler: SimulatedShuffler) -> None:
    shuffler.clear_jam()
    await shuffler.settled()


async def open_door(shuffler: SimulatedShuffler) -> None:
    shuffler.move_door(is_open=True)
    await shuffler.settled()


async def close_door(shuffler: SimulatedShuffler) -> None:
    shuffler.move_door(is_open=False)
    await shuffler.settled()


async def empty(shuffler: SimulatedShuffler) -> list[str]:
    """Open the door, take the deck out by hand, close it again."""
    shuffler.move_door(is_open=True)
    taken_out = shuffler.take_out_by_hand() if shuffler.phase != "empty" else []
    shuffler.move_door(is_open=False)
    await shuffler.settled()
    return taken_out


async def break_(shuffler: SimulatedShuffler, *, part: Part) -> None:
    shuffler.break_part(part)
    await shuffler.settled()


async def turn_card(shuffler: SimulatedShuffler, *, nth: int = 1) -> None:
    shuffler.turn_card(nth)


async def misfeed(shuffler: SimulatedShuffler, *, by: int = 1) -> None:
    """The next stack comes with this number of cards more, or fewer."""
    shuffler.misfeed(by)


# What goes wrong


async def jam(shuffler: SimulatedShuffler, *, card_no: int = 1, where: Where = "rack") -> None:
    """This card of the next movement sticks, or of the one that goes on; fixing it pulls the card out."""
    shuffler.jam_at(card_no, where)


async def clear(shuffler: SimulatedShuffler) -> None:
    if shuffler.phase == "jammed":
        shuffler.clear_jam()


async def misread(shuffler: SimulatedShuffler) -> None:
    """The next card is not read."""
    shuffler.fail_reads(1)


async def wrong_count(shuffler: SimulatedShuffler, *, by: int = -1) -> None:
    """The counter is wrong by this number at the next shuffle."""
    shuffler.miscount(by)


async def boxed_card(shuffler: SimulatedShuffler, *, nth: int = 1) -> None:
    """The nth card that is to come out lies face up."""
    if len(shuffler.cards_inside) < nth:
        raise ValueError(f"the machine holds {len(shuffler.cards_inside)} cards, there is no card {nth} to turn")
    shuffler.turn_card(nth)


ACTS = (
    put_in,
    wait_ready,
    wait_stopped,
    take,
    press_shuffle,
    clear_jam,
    open_door,
    close_door,
    empty,
    break_,
    turn_card,
    misfeed,
)
