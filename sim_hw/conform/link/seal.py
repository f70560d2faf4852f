"""Sealed sessions: device-link.md, section 11."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from protocols.link.frames import Data, FrameKind, KeepAlive
from protocols.link.framing import Deframer, encode_frame
from protocols.link.seal import Seal, stripped
from sim_hw.conform.link.authentication import need_key
from sim_hw.conform.link.bench import IDENTIFY, LinkBench, Session
from sim_hw.conform.requirement import Broken, Mutation, NotPlayed, inspected, must
from sim_hw.conform.wrong import patched

SEALED = range(0x13, 0x18)


async def sealed(bench: LinkBench) -> Session:
    """A session that is sealed and proved."""
    need_key(bench)
    session = await bench.open()
    if not await bench.prove(session):
        raise NotPlayed("the device accepts no proof")
    if session.seal is None:
        raise NotPlayed("the device does not offer to seal its sessions")
    return session


async def ends(bench: LinkBench, session: Session, why: str) -> None:
    """The session ends: the device sends no more of it, and answers what comes after with DOWN or not at all."""
    mark = len(bench.seen)
    session.data(IDENTIFY)
    await bench.pause(1.0)
    more = [seen for seen in bench.since(mark) if seen.session == session.number and seen.kind != FrameKind.DOWN]
    if more:
        raise Broken(f"the session to end {why}", f"{len(more)} more frames of it")


def _offers(change: Callable[[Any], None]) -> Mutation:
    """Each seal that the device offers is changed."""

    def make(device: Any, right: Any) -> Any:
        def seal(key: bytes) -> None:
            right(key)
            change(device.link._link._offered)

        return seal

    return patched("link.seal", make)


def _lenient(takes: Callable[[Seal, bytes], bool]) -> Mutation:
    """A device that takes sealed frames which it should not take."""

    def change(offered: Any) -> None:
        opened = offered.open
        offered.open = lambda body: stripped(body) if takes(offered, body) else opened(body)

    return _offers(change)


def _in_every_link(name: str, make: Callable[[Any, Any, Callable[[bytes], Any]], Callable[[bytes], Any]]) -> Mutation:
    """A method of each session's link is another. `make` gets the device, the link and the right one."""

    def mutate(device: Any) -> None:
        began = device.link._new_link

        def new_link() -> Any:
            link = began()
            setattr(link, name, make(device, link, getattr(link, name)))
            return link

        device.link._new_link = new_link
        device.link._link = new_link()

    return mutate


def _only_tag_is_wrong(seal: Seal, body: bytes) -> bool:
    return body[-8:] == bytes(8)


@must("LINK-60", "11", wrong=_lenient(_only_tag_is_wrong))
async def wrong_tag(bench: LinkBench) -> None:
    """A sealed frame with a wrong tag ends the session."""
    session = await sealed(bench)
    (body,) = Deframer().feed(session.wire(KeepAlive(session.number, session.expected)))
    bench.write(encode_frame(body[:-8] + bytes(8)))
    await ends(bench, session, "after a frame with a wrong tag")


def _is_old(seal: Seal, body: bytes) -> bool:
    return int.from_bytes(body[-12:-8]) <= seal._received


@must("LINK-61", "11", wrong=_lenient(_is_old))
async def old_number(bench: LinkBench) -> None:
    """A sealed frame whose number is not above that of the last one ends the session."""
    session = await sealed(bench)
    again = session.wire(KeepAlive(session.number, session.expected))
    bench.write(again)
    await bench.pause(0.1)
    bench.write(again)
    await ends(bench, session, "after a sealed frame that came twice")


def _takes_unsealed(device: Any, link: Any, opened: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    return lambda body: opened(body) if body[0] in SEALED or not link.is_sealed else body


@must("LINK-62", "11", wrong=_in_every_link("_opened", _takes_unsealed))
async def unsealed_frame(bench: LinkBench) -> None:
    """A frame without a seal ends a sealed session."""
    session = await sealed(bench)
    bench.send(Data(session.number, session.next_seq, session.expected, IDENTIFY))
    session.next_seq += 1
    await ends(bench, session, "after a frame without a seal")


def _seals_data_only(device: Any, link: Any, closed: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    return lambda body: body if body[0] == FrameKind.KEEPALIVE else closed(body)


@must("LINK-63", "11", wrong=_in_every_link("_sealed", _seals_data_only))
async def seals_everything(bench: LinkBench) -> None:
    """After the first sealed frame the device seals every frame it sends."""
    session = await sealed(bench)
    await bench.pause(0.6)
    mark = len(bench.seen)
    await session.ask(IDENTIFY)
    await bench.pause(1.5)
    bare = [seen for seen in bench.since(mark) if seen.session == session.number and not seen.sealed]
    if bare:
        raise Broken("sealed frames only", f"a frame of kind 0x{bare[0].kind:02x} without a seal")


def _numbers_by_two(offered: Any) -> None:
    close = offered.close

    def skipping(body: bytes) -> bytes:
        offered._sent += 1
        closed: bytes = close(body)
        return closed

    offered.close = skipping


@must("LINK-64", "11", wrong=_offers(_numbers_by_two))
async def numbers(bench: LinkBench) -> None:
    """Sealed frames are numbered 1, 2, 3 and so on, also those that are sent again."""
    session = await sealed(bench)
    mark = 0
    session.takes = False
    session.data(IDENTIFY)
    await bench.pause(1.0)
    sent = [seen.number for seen in bench.since(mark) if seen.session == session.number and seen.sealed]
    if sent != list(range(1, len(sent) + 1)):
        raise Broken(f"numbers 1 to {len(sent)}", " ".join(map(str, sent[:12])))


def _mute_to_seals(device: Any, link: Any, opened: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    return lambda body: None if body[0] in SEALED and not device.link.is_up else opened(body)


@must("LINK-65", "11", wrong=_in_every_link("_opened", _mute_to_seals))
async def listening_answers_seals(bench: LinkBench) -> None:
    """A device in LISTENING answers sealed frames with DOWN."""
    session = await sealed(bench)
    bench.keeps_alive = False
    await bench.pause(4.0)
    mark = len(bench.seen)
    bench.send(KeepAlive(session.number ^ 0x3C3C3C3C, 0))
    await bench.pause(0.5)
    if not bench.since(mark, FrameKind.DOWN):
        raise NotPlayed("the device answers no frame in LISTENING: LINK-19 and LINK-21")
    mark = len(bench.seen)
    session.send(KeepAlive(session.number, session.expected))
    await bench.pause(0.5)
    if not any(seen.session == session.number for seen in bench.since(mark, FrameKind.DOWN)):
        raise Broken(f"DOWN with session 0x{session.number:08x}", "none")


inspected(
    "LINK-71",
    "11",
    "The number of sealed frames does not wrap: an end that has used them all ends the session.",
    "four thousand million frames are more than a bench can send: look at the firmware",
    home=__name__,
)
