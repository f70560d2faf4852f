"""Events: what a device keeps, sends again, and how it numbers it. device-link.md, sections 4 and 9."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from protocols.link.frames import FrameKind
from sim_hw.conform.hands import POWER_CYCLE
from sim_hw.conform.link.bench import EVENTS, IDENTIFY, STATUS_REQUEST, LinkBench, Said, Session
from sim_hw.conform.requirement import Broken, inspected, must
from sim_hw.conform.wrong import at_session, into, patched

PIN_ENTERED = (0x04, 0x41)
"""Device class and kind of the one event that another requirement is about."""


async def kept(bench: LinkBench, count: int = 1) -> list[bytes]:
    """At least this number of events that happened and were not taken, as the device sent them."""
    session = await bench.begin()
    session.takes = False
    mark = len(bench.seen)
    for _ in range(count):
        await bench.cause()
    found: dict[int, bytes] = {}

    def look() -> bool:
        for seen in bench.seen[mark:]:
            if seen.session == session.number and seen.kind == 3 and seen.payload[0] in EVENTS:
                found.setdefault(seen.seq, seen.payload)
        return len(found) >= count

    await bench.until(look, bench.hands.patience)
    if not look():
        raise Broken(f"{count} events to be sent", f"{len(found)}")
    return list(found.values())


async def next_session(bench: LinkBench) -> Session:
    """The session after, up to the answer to its StatusRequest, with everything that was said in it."""
    session = await bench.open()
    if bench.key is not None and "guarded" in bench.holding:
        await bench.prove(session)
    await session.ask(STATUS_REQUEST)
    await bench.pause(0.3)
    return session


def _forgets(device: Any) -> None:
    """What was in flight when the session ended is gone. (Not a PIN, which KEYS-5 is about.)"""

    def edit(body: bytes) -> Iterable[bytes]:
        if body[0] == FrameKind.RESET:
            for posted in list(device.link._outbox)[: device.link._in_link]:
                posted.keep = posted.keep and (device.DEVICE_CLASS, posted.message[0]) == PIN_ENTERED
        return (body,)

    into(edit)(device)


@must("LINK-45", "4", wrong=_forgets)
async def events_are_kept(bench: LinkBench) -> None:
    """An event that was not acknowledged is sent again in the next session, with the same bytes."""
    (event, *_) = await kept(bench)
    session = await next_session(bench)
    if event not in [said.data for said in session.said]:
        raise Broken(f"the event {event.hex(' ')} again in the next session", "another or none before the Status")


def _turned(device: Any) -> None:
    outbox = device.link._outbox
    if len(outbox) > 1:
        outbox.rotate(1)


@must("LINK-46", "4", wrong=at_session(_turned))
async def oldest_first(bench: LinkBench) -> None:
    """In a new session the unacknowledged events are sent oldest first."""
    await kept(bench, 2)
    session = await next_session(bench)
    numbers = [said.event_no for said in session.events]
    if numbers != sorted(numbers):
        raise Broken("events in the order of their numbers", f"{numbers}")


def _status_first(device: Any, right: Any) -> Any:
    """The Status overtakes the events."""

    def release() -> None:
        device.link._loop.call_later(0.05, right)

    return release


@must("LINK-47", "4", wrong=patched("link.release", _status_first))
async def events_before_status(bench: LinkBench) -> None:
    """The unacknowledged events are sent before the Status."""
    (event, *_) = await kept(bench)
    session = await next_session(bench)
    said = [each.data for each in session.said]
    status = next(n for n, data in enumerate(said) if data[0] == 0x82)
    if event in said[status:]:
        raise Broken("the kept event before the Status", "after it")


def _holds_nothing(device: Any) -> None:
    device.link._holds_events = device.link._is_held = False


@must("LINK-48", "4", wrong=_holds_nothing)
async def events_wait(bench: LinkBench) -> None:
    """A device that implements firmware.md sends no event of a new session before a StatusRequest."""
    bench.need_firmware_page()
    await kept(bench)
    session = await bench.open()
    await session.ask(IDENTIFY)
    await bench.pause(0.4)
    if session.events:
        raise Broken("no event before StatusRequest", f"event {session.events[0].event_no}")


async def _two_events(bench: LinkBench) -> tuple[Said, Said]:
    session = await bench.begin()
    await bench.cause()
    await session.event()
    mark = len(session.said)
    await bench.cause()
    await session.event(mark=mark)
    first, second, *_ = session.events
    return first, second


@must("LINK-49", "9", wrong=patched("_head", lambda device, right: lambda: _skipped(device, right)))
async def event_numbers(bench: LinkBench) -> None:
    """Event numbers of one boot follow each other without a gap."""
    first, second = await _two_events(bench)
    if second.event_no != first.event_no + 1:
        raise Broken(f"event {first.event_no + 1} after event {first.event_no}", f"event {second.event_no}")


def _skipped(device: Any, right: Any) -> dict[str, int]:
    if device._event_no > 0:
        device._event_no += 1
    head: dict[str, int] = right()
    return head


@must(
    "LINK-50", "9", wrong=patched("_head", lambda device, right: lambda: {**right(), "uptime_ms": _backwards(device)})
)
async def uptime(bench: LinkBench) -> None:
    """uptime_ms counts from power-up and never goes back."""
    first, second = await _two_events(bench)
    if second.uptime_ms < first.uptime_ms:
        raise Broken(f"at least {first.uptime_ms} ms", f"{second.uptime_ms} ms")


def _backwards(device: Any) -> int:
    return 10_000_000 - int(device._event_no)


async def _boot(bench: LinkBench) -> int:
    session = await bench.begin()
    return int.from_bytes((await session.ask(STATUS_REQUEST))[1:5])


def _one_boot(device: Any) -> None:
    boot = device.boot
    device._boot_rng.randint = lambda low, high: boot


@must("LINK-51", "9", wrong=_one_boot)
async def boot_is_random(bench: LinkBench) -> None:
    """The boot is drawn at random at each power-up."""
    before = await _boot(bench)
    await _power_cycle(bench)
    if await _boot(bench) == before:
        raise Broken("another boot after a power cycle", f"0x{before:08x} again")


async def _power_cycle(bench: LinkBench) -> None:
    bench.session = None
    await bench.hands.do(POWER_CYCLE)


@must("LINK-52", "9", wrong=patched("_boot_up", lambda device, right: lambda: _counts_on(device, right)))
async def events_from_one(bench: LinkBench) -> None:
    """Events are numbered from 1 at each power-up."""
    await _power_cycle(bench)
    session = await bench.open()
    if bench.key is not None and "guarded" in bench.holding:
        await bench.prove(session)
    await session.ask(STATUS_REQUEST)
    if not session.events:
        await bench.cause()
    event = await session.event()
    boot = int.from_bytes((await session.ask(STATUS_REQUEST))[1:5])
    own = [said for said in session.events if said.boot == boot] or [event]
    if own[0].event_no != 1:
        raise Broken("event 1 as the first after power-up", f"event {own[0].event_no}")


def _counts_on(device: Any, right: Any) -> None:
    right()
    device._event_no = 40


@must("LINK-53", "9", wrong=patched("_head", lambda device, right: lambda: {**right(), "boot": device.boot ^ 1}))
async def events_have_the_boot(bench: LinkBench) -> None:
    """Every event begins with the boot of its power-up, which Status and Identity have too."""
    session = await bench.begin()
    boot = int.from_bytes((await session.ask(IDENTIFY))[1:5])
    mark = len(session.said)
    await bench.cause()
    event = await session.event(mark=mark)
    if event.boot != boot:
        raise Broken(f"boot 0x{boot:08x}, as in Identity", f"0x{event.boot:08x}")


inspected(
    "LINK-54",
    "7",
    "A device keeps at least 64 events, and prevents what it has no room for.",
    "64 events without a controller are more than a bench can cause for every kind: count them in the firmware",
    home=__name__,
)
