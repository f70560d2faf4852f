"""The key panel: key-panel.md."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from protocols import key_panel as wire
from protocols.link.frames import FrameKind
from sim_hw.conform.hands import act
from sim_hw.conform.link.bench import STATUS_REQUEST, LinkBench, Session
from sim_hw.conform.link.events import next_session
from sim_hw.conform.requirement import Broken, inspected, must
from sim_hw.conform.wrong import having, out, patched

PRESSED, ENTERED, GIVEN_UP, STUCK = range(0x40, 0x44)
PIN = "2468"
"""Typed on the bench. It is nobody's."""
PRESS = act("press", "Press key 1 and hold it down for two seconds.", key=1)
TYPE = act("enter_pin", f"Type {PIN} at the keypad and confirm it.", digits=PIN)
CANCEL = act("cancel_pin", "Cancel the PIN at the keypad.")
REQUEST = 0x51A7E001


async def asked(bench: LinkBench, session: Session, request: int = REQUEST) -> bool:
    """Whether the panel asks for a PIN."""
    question = wire.AskPin(request=request, shortest=4, longest=8, seconds=60)
    answer = wire.decode(await session.ask(wire.encode(question)))
    assert isinstance(answer, wire.PinAsked)
    if answer.request != request:
        raise Broken(f"request 0x{request:08x} in PinAsked", f"0x{answer.request:08x}")
    return answer.is_taken


async def _ended(session: Session, request: int = REQUEST) -> None:
    await session.ask(wire.encode(wire.EndPin(request=request)))


def _repeats(device: Any, right: Any) -> Any:
    def press(key: int) -> None:
        right(key)
        device.link._loop.call_later(0.4, right, key)

    return press


@must("KEYS-1", "1", wrong=patched("press", _repeats))
async def pressed_once(bench: LinkBench) -> None:
    """A press is reported once, when the key goes down; a key that is held down is not repeated."""
    session = await bench.begin()
    await bench.hands.do(PRESS)
    await session.event(PRESSED)
    await bench.pause(2.0)
    presses = [event for event in session.events if event.kind == PRESSED]
    if len(presses) != 1:
        raise Broken("one KeyPressed", f"{len(presses)}")


def _presses_on(device: Any, right: Any) -> Any:
    def press(key: int) -> None:
        question, device.question = device.question, None
        right(key)
        device.question = question

    return press


@must("KEYS-2", "1", wrong=patched("press", _presses_on))
async def no_keys_in_a_pin(bench: LinkBench) -> None:
    """While a PIN is entered, the panel sends no KeyPressed."""
    session = await bench.begin()
    if not await asked(bench, session):
        raise Broken("PinAsked with taken 1", "taken 0")
    await bench.hands.do(PRESS)
    await bench.pause(1.0)
    came = [event for event in session.events if event.kind == PRESSED]
    await _ended(session)
    if came:
        raise Broken("no KeyPressed while a PIN is entered", "one")


@must(
    "KEYS-3", "3", wrong=patched("press", lambda device, right: lambda key: right(key) if device.link.is_up else None)
)
async def late_presses(bench: LinkBench) -> None:
    """A panel without a session keeps its presses, and sends them in the next session before the Status."""
    await bench.begin()
    bench.session = None
    await bench.pause(3.5)
    await bench.hands.do(PRESS)
    await bench.pause(0.3)
    session = await next_session(bench)
    if not any(event.kind == PRESSED for event in session.events):
        raise Broken("KeyPressed before the Status of the next session", "none")


inspected(
    "KEYS-4",
    "4",
    "The panel shows the digits as stars, and overwrites them in its memory when they are not needed.",
    "what the panel shows and what its memory holds cannot be seen on the wire",
    home=__name__,
)


@must("KEYS-5", "4", wrong=patched("link._in_next_session", lambda device, right: lambda event: event))
async def pin_of_an_old_session(bench: LinkBench) -> None:
    """A PinEntered that was not acknowledged in its session becomes PinGivenUp, why 4, under the same event number."""
    session = await bench.begin()
    if not await asked(bench, session):
        raise Broken("PinAsked with taken 1", "taken 0")
    session.takes = False
    mark = len(bench.seen)
    await bench.hands.do(TYPE)
    entered = await session.offered(mark)
    number = entered[0].payload[5:9] if entered else b""
    events = (await next_session(bench)).events
    if any(event.kind == ENTERED for event in events):
        raise Broken("no PinEntered of the session before", "one")
    if not any(event.kind == GIVEN_UP and event.data[5:9] == number and event.data[-1] == 4 for event in events):
        raise Broken(f"PinGivenUp, why 4, with event number {int.from_bytes(number)}", "none")


def _goes_on_asking(device: Any) -> None:
    """The question of the session before stays."""
    having(_asked_in=0)(device)
    received = device.link._on_message

    def message(data: bytes) -> None:
        if device.question is not None:
            device._asked_in = device.link.statistics.sessions
        received(data)

    device.link._on_message = message


@must("KEYS-6", "4", wrong=_goes_on_asking)
async def half_a_pin(bench: LinkBench) -> None:
    """If the session ends while the PIN is entered, the panel erases it and keeps a PinGivenUp with why 4."""
    session = await bench.begin()
    if not await asked(bench, session):
        raise Broken("PinAsked with taken 1", "taken 0")
    session = await next_session(bench)
    events = session.events
    free = await asked(bench, session, REQUEST + 1)
    await _ended(session, REQUEST + 1)
    await _ended(session)
    if not free or not any(event.kind == GIVEN_UP and event.data[-1] == 4 for event in events):
        raise Broken("PinGivenUp with why 4 in the next session", "none")


def _wrong_show(device: Any, right: Any) -> Any:
    def answer(message: Any) -> None:
        right(wire.Shown(show_no=message.show_no ^ 1) if isinstance(message, wire.Shown) else message)

    return answer


@must("KEYS-7", "6", wrong=patched("_answer", _wrong_show))
async def shown(bench: LinkBench) -> None:
    """Shown, PinAsked and PinEnded contain the number that was requested."""
    session = await bench.begin()
    for number in (7, 8):
        show = wire.Show(show_no=number, lamps=wire.DARK, lines=("CONFORMANCE", str(number)))
        came = int.from_bytes((await session.ask(wire.encode(show)))[1:5])
        if came != number:
            raise Broken(f"Shown with {number}", f"{came}")
    came = int.from_bytes((await session.ask(wire.encode(wire.EndPin(request=REQUEST))))[1:5])
    if came != REQUEST:
        raise Broken(f"PinEnded with 0x{REQUEST:08x}", f"0x{came:08x}")


def _asks_twice(device: Any, right: Any) -> Any:
    def answer(message: Any) -> None:
        if isinstance(message, wire.PinAsked):
            message = wire.PinAsked(request=message.request, is_taken=True)
        right(message)

    return answer


@must("KEYS-8", "2", wrong=patched("_answer", _asks_twice))
async def one_pin_at_a_time(bench: LinkBench) -> None:
    """AskPin while a PIN is being entered is answered with taken 0."""
    session = await bench.begin()
    await asked(bench, session)
    second = await asked(bench, session, REQUEST + 1)
    await _ended(session)
    if second:
        raise Broken("PinAsked with taken 0 while a PIN is entered", "taken 1")


@must(
    "KEYS-9",
    "2",
    wrong=patched("_give_up", lambda device, right: lambda why: right("too late" if why == "ended" else why)),
)
async def end_pin(bench: LinkBench) -> None:
    """EndPin erases the digits: PinGivenUp with why 3."""
    session = await bench.begin()
    await asked(bench, session)
    await _ended(session)
    event = await session.event(GIVEN_UP)
    if event.data[-1] != 3:
        raise Broken("PinGivenUp with why 3", f"why {event.data[-1]}")


def _bad_inverse(body: bytes) -> Iterable[bytes]:
    if body[0] == FrameKind.DATA and body[7] == PRESSED:
        return (body[:-1] + bytes((body[-1] ^ 1,)),)
    return (body,)


@must("KEYS-10", "2", wrong=out(_bad_inverse))
async def inverted_key(bench: LinkBench) -> None:
    """KeyPressed has the key, and the key with all bits inverted."""
    session = await bench.begin()
    await bench.hands.do(PRESS)
    wire.decode((await session.event(PRESSED)).data)


@must("KEYS-11", "4", wrong=patched("enter_pin", lambda device, right: lambda digits: right(digits[::-1])))
async def pin_digits(bench: LinkBench) -> None:
    """PinEntered has the request and the digits as they were typed."""
    session = await bench.begin()
    if not await asked(bench, session):
        raise Broken("PinAsked with taken 1", "taken 0")
    await bench.hands.do(TYPE)
    entered = wire.decode((await session.event(ENTERED)).data)
    assert isinstance(entered, wire.PinEntered)
    if (entered.request, entered.digits) != (REQUEST, PIN):
        raise Broken(f"request 0x{REQUEST:08x} and the digits that were typed", "others")


@must(
    "KEYS-12",
    "2",
    wrong=patched(
        "_status",
        lambda device, right: (
            lambda: wire.Status(
                boot=device.boot, keys=(device.keys + device.commands.__len__()) % 32 or 1, lines=2, columns=16
            )
        ),
    ),
)
async def status(bench: LinkBench) -> None:
    """Status has the number of keys, lines and columns, which do not change."""
    session = await bench.begin()
    first = (await session.ask(STATUS_REQUEST))[5:]
    await session.ask(wire.encode(wire.Show(show_no=1, lamps=wire.DARK, lines=())))
    second = (await session.ask(STATUS_REQUEST))[5:]
    if first != second:
        raise Broken(f"keys, lines and columns {first.hex(' ')}", second.hex(" "))
