"""What people do with the devices, by name: `shoe load`, `shuffler take`, `dice throw`.

An act is a function below, named after what the hand does. Its keyword arguments are what a scenario, the control
socket or a test may say besides; they are checked against the function's types, so a slip of the pen is a sentence and
not a traceback. Cards are written as one text, "9h 2c Td", or as a list. Acts wait as a hand would (for the shoe's
lock, for a stack in the tray) until the device's own side of it is done, and give what the hand then holds or sees.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, get_type_hints

import msgspec

from protocols.dice_cup import CupFault
from protocols.shoe import Why
from protocols.shuffler.messages import Back, Part
from sim_hw.devices.card_reader import SimulatedCardReader
from sim_hw.devices.dice_cup import SimulatedDiceCup
from sim_hw.devices.drop_box import Box
from sim_hw.devices.key_panel import SimulatedKeyPanel
from sim_hw.devices.models import DropBoxes, Kind, Model, Wrong, is_plugged, plug, taken, unplug
from sim_hw.devices.reader_board.device import SimulatedReaderBoard
from sim_hw.devices.shoe import Out, SimulatedShoe
from sim_hw.devices.shuffler.device import SimulatedShuffler

Cards = str | list[str] | None
Act = Callable[..., Awaitable[object]]

ACTS: dict[str, dict[str, Act]] = {}
"""By the device's kind, "any" for all of them, then by the act's name."""


def hand(*kinds: Kind | str) -> Callable[[Act], Act]:
    """Register a function as an act on devices of these kinds."""

    def register(act: Act) -> Act:
        for kind in kinds:
            ACTS.setdefault(kind, {})[act.__name__.rstrip("_")] = act
        return act

    return register


async def act_on(model: Model, kind: Kind, do: str, how: Mapping[str, object]) -> object:
    """Do it; `Wrong` where there is no such act, or not like that, or the device does not let it happen now."""
    acts = {**ACTS["any"], **ACTS[kind]}
    if do not in acts:
        raise Wrong(f"nobody can {do!r} a {kind}; one can {', '.join(sorted(acts))}")
    known = checked(acts[do], how, f"{kind} {do}")
    try:
        return await acts[do](model, **known)
    except ValueError as error:
        raise Wrong(f"{kind} {do}: {error}") from None


def checked(function: Callable[..., object], how: Mapping[str, object], name: str) -> dict[str, Any]:
    """The arguments as the function wants them: everything behind its first parameters that has a keyword."""
    hints = get_type_hints(function)
    parameters = [
        each for each in inspect.signature(function).parameters.values() if each.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    names = [each.name for each in parameters]
    unknown = [key for key in how if key not in names]
    if unknown:
        raise Wrong(f"{name}: it has no {', '.join(unknown)}; it has {', '.join(names) or 'nothing to say'}")
    missing = [each.name for each in parameters if each.default is inspect.Parameter.empty and each.name not in how]
    if missing:
        raise Wrong(f"{name}: say {', '.join(missing)}")
    try:
        return {key: msgspec.convert(value, type=hints[key]) for key, value in how.items()}
    except msgspec.ValidationError as error:
        raise Wrong(f"{name}: {error}") from None


def cards_of(cards: Cards) -> list[str]:
    return cards.split() if isinstance(cards, str) else list(cards or ())


# Any device


@hand("any")
async def plug_in(model: Model) -> None:
    plug(model)


@hand("any")
async def pull_out(model: Model) -> None:
    unplug(model)


# The shoe


@hand("shoe")
async def load(
    shoe: SimulatedShoe, *, decks: int = 8, cards: Cards = None, cut_card_at: int | None = None
) -> list[str]:
    """Open the lid, fill the shoe (shuffled decks, or these cards in this order), close it."""
    shoe.move_lid(is_open=True)
    shoe.load(decks, cards=cards_of(cards) or None, cut_card_at=cut_card_at)
    shoe.move_lid(is_open=False)
    await _taken(shoe)
    return shoe.order


@hand("shoe")
async def draw(shoe: SimulatedShoe, *, times: int = 1) -> list[str]:
    """Pull at the mouth, as soon as the lock allows."""
    out = []
    for _ in range(times):
        came = await shoe.draw()
        out.append(came.value if isinstance(came, Out) else came)
        await _taken(shoe)
    return out


@hand("shoe")
async def burn(shoe: SimulatedShoe, *, count: int | None = None) -> list[str]:
    """A first card, and as many more as it counts (tens and faces ten), or `count` in all, at a game that burns so."""
    first = _texts(await draw(shoe))
    more = count - 1 if count is not None else "A23456789".find(first[0][0]) + 1 or 10
    return [*first, *_texts(await draw(shoe, times=more))]


@hand("shoe")
async def pull_hard(shoe: SimulatedShoe) -> str:
    """Tear the next card out, lock or not."""
    came = shoe.force_draw()
    await _taken(shoe)
    return came.value if isinstance(came, Out) else came


@hand("shoe")
async def pull(shoe: SimulatedShoe) -> str:
    """Pull at the mouth as soon as the lock allows, and do not wait until the controller has taken it."""
    came = await shoe.draw()
    return came.value if isinstance(came, Out) else came


@hand("shoe")
async def push_back(shoe: SimulatedShoe) -> None:
    shoe.push_back()
    await _taken(shoe)


@hand("shoe")
async def open_lid(shoe: SimulatedShoe) -> None:
    shoe.move_lid(is_open=True)
    await _taken(shoe)


@hand("shoe")
async def close_lid(shoe: SimulatedShoe) -> None:
    shoe.move_lid(is_open=False)
    await _taken(shoe)


@hand("shoe")
async def misread_next(shoe: SimulatedShoe, *, card: str | None = None, why: Why = "not seen") -> None:
    """The reader takes the next card for `card`, or does not know it."""
    if card is None:
        shoe.fail_next_read(why)
    else:
        shoe.misread_next(card)


# The shuffler


@hand("shuffler")
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
        back,
        cards=cards_of(cards) or None,
        without=cards_of(without),
        extra=cards_of(extra),
        face_up=cards_of(face_up),
    )
    await _taken(shuffler)


@hand("shuffler")
async def wait_ready(shuffler: SimulatedShuffler) -> None:
    await shuffler.wait_phase("ready")
    await _taken(shuffler)


@hand("shuffler")
async def wait_stopped(shuffler: SimulatedShuffler) -> None:
    """Until it stands, for good or bad."""
    await shuffler.wait_phase("ready", "sorted", "rejected", "jammed", "held", "out of order", "empty")
    await _taken(shuffler)


@hand("shuffler")
async def take(shuffler: SimulatedShuffler, *, stacks: int = 1) -> list[list[str]]:
    """Take stack after stack from the tray."""
    out = []
    for _ in range(stacks):
        await shuffler.wait_tray()
        out.append(shuffler.take())
        await _taken(shuffler)
    return out


@hand("shuffler")
async def press_shuffle(shuffler: SimulatedShuffler) -> None:
    shuffler.press_shuffle()


@hand("shuffler")
async def clear_jam(shuffler: SimulatedShuffler) -> None:
    shuffler.clear_jam()
    await _taken(shuffler)


@hand("shuffler")
async def open_door(shuffler: SimulatedShuffler) -> None:
    shuffler.move_door(is_open=True)
    await _taken(shuffler)


@hand("shuffler")
async def close_door(shuffler: SimulatedShuffler) -> None:
    shuffler.move_door(is_open=False)
    await _taken(shuffler)


@hand("shuffler")
async def empty(shuffler: SimulatedShuffler) -> list[str]:
    """Open the door, take the deck out by hand, close it again."""
    shuffler.move_door(is_open=True)
    taken_out = shuffler.take_out_by_hand() if shuffler.phase != "empty" else []
    shuffler.move_door(is_open=False)
    await _taken(shuffler)
    return taken_out


@hand("shuffler")
async def break_(shuffler: SimulatedShuffler, *, part: Part) -> None:
    shuffler.break_part(part)
    await _taken(shuffler)


@hand("shuffler")
async def turn_card(shuffler: SimulatedShuffler, *, nth: int = 1) -> None:
    shuffler.turn_card(nth)


@hand("shuffler")
async def misfeed(shuffler: SimulatedShuffler, *, by: int = 1) -> None:
    """The next stack comes with so many cards more, or fewer."""
    shuffler.misfeed(by)


# The dice cup


@hand("dice_cup")
async def throw(cup: SimulatedDiceCup, *, shows: list[int] | None = None, strokes: int = 4) -> list[int]:
    """Shut, shake, open. `shows`: how the dice fall, where the story needs it."""
    if shows is not None:
        cup.fall_next_as(shows)
    fell = cup.throw(strokes)
    await _taken(cup)
    return list(fell)


@hand("dice_cup")
async def peek(cup: SimulatedDiceCup) -> list[int]:
    """Open it without having shaken."""
    if cup.is_open:
        cup.shut()
    seen = cup.open()
    await _taken(cup)
    return list(seen)


@hand("dice_cup")
async def lose_die(cup: SimulatedDiceCup) -> None:
    cup.lose_die()


@hand("dice_cup")
async def fail_part(cup: SimulatedDiceCup, *, part: CupFault) -> None:
    cup.fail(part)
    await _taken(cup)


@hand("dice_cup")
async def mend_part(cup: SimulatedDiceCup, *, part: CupFault) -> None:
    cup.mend(part)
    await _taken(cup)


# The key panel


@hand("key_panel")
async def press(panel: SimulatedKeyPanel, *, key: int) -> None:
    panel.press(key)
    await _taken(panel)


@hand("key_panel")
async def stick(panel: SimulatedKeyPanel, *, key: int) -> None:
    """A mug stands on it."""
    panel.stick(key)
    await _taken(panel)


@hand("key_panel")
async def unstick(panel: SimulatedKeyPanel, *, key: int) -> None:
    panel.unstick(key)
    await _taken(panel)


@hand("key_panel")
async def enter_pin(panel: SimulatedKeyPanel, *, digits: str) -> None:
    await panel.wait_asked()
    panel.enter_pin(digits)
    await _taken(panel)


# The drop boxes


@hand("drop_box")
async def drop(boxes: DropBoxes, *, box: str = "collection", pieces: int = 1, cents: int | None = None) -> int:
    """Pieces through the slot; gives what is then in the box. `cents`: their worth, where the sensor reads it."""
    sensor = boxes.sensor(box)
    sensor.drop(pieces, cents)
    return sensor.box.pieces if sensor.box is not None else 0


@hand("drop_box")
async def take_box(boxes: DropBoxes, *, box: str = "collection") -> int:
    return boxes.sensor(box).take_box().pieces


@hand("drop_box")
async def put_box(boxes: DropBoxes, *, box: str = "collection", id: str = "BOX-9", capacity: int = 3000) -> None:
    boxes.sensor(box).put_box(Box(id, capacity=capacity))


@hand("drop_box")
async def open_box_door(boxes: DropBoxes, *, box: str = "collection") -> None:
    boxes.sensor(box).open_door()


@hand("drop_box")
async def shut_box_door(boxes: DropBoxes, *, box: str = "collection") -> None:
    boxes.sensor(box).shut_door()


# The card reader


@hand("card_reader")
async def scan(reader: SimulatedCardReader, *, cards: Cards = None, text: str | None = None) -> None:
    """Draw cards past the window one by one, or anything with this code on it."""
    for card in cards_of(cards):
        reader.scan(card)
        await taken(reader)
    if text is not None:
        reader.scan_text(text)
        await taken(reader)


# The reader board


@hand("reader_board")
async def look(board: SimulatedReaderBoard) -> list[list[list[str]]]:
    """Every page of every sign, as text."""
    return [sign.pages for sign in board.signs]


@hand("reader_board")
async def picture(board: SimulatedReaderBoard, *, to: str, sign: int = 1, page: int = 1) -> None:
    """A PNG of a page, as the sign shows it."""
    Path(to).write_bytes(board.signs[sign - 1].png(page - 1))  # noqa: ASYNC240


def _texts(cards: object) -> list[str]:
    return [str(card) for card in cards] if isinstance(cards, list) else []


async def _taken(model: Model) -> None:
    """A hand goes on when the controller has it, if there is one: a device on its own keeps what happened."""
    if not isinstance(model, SimulatedShoe | SimulatedShuffler | SimulatedDiceCup | SimulatedKeyPanel):
        await taken(model)
    elif is_plugged(model) and model.link.is_up and not model.link.line.is_dead:
        await model.link.wait_until(lambda: model.link.kept == 0 or not model.link.is_up)
