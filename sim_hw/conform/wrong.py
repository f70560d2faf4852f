"""How a simulated device is made wrong in one place.

A mutation is a function of a device that is not plugged in yet. Most wrong devices are a filter on the wire: `out`
edits the frames that the device sends, `into` those that it receives. A filter takes the body of one frame and
returns the bodies that go on instead of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from protocols.link.framing import Deframer, encode_frame
from sim_hw.conform.requirement import Mutation

Edit = Callable[[bytes], Iterable[bytes]]


def _edited(data: bytes, edit: Edit) -> bytes:
    """The stream with its good frames edited; what is no frame passes as it is."""
    *pieces, rest = data.split(b"\0")
    done = b""
    for piece in pieces:
        bodies = Deframer().feed(piece + b"\0") if piece else []
        done += b"".join(encode_frame(after) for after in edit(bodies[0])) if bodies else piece + b"\0"
    return done + rest


def raw_out(edit: Callable[[bytes], bytes]) -> Mutation:
    """What the device writes, byte by byte."""

    def mutate(device: Any) -> None:
        write = device.wire.write
        device.wire.write = lambda data: write(edit(data))

    return mutate


def raw_into(edit: Callable[[bytes], bytes]) -> Mutation:
    """What arrives at the device, byte by byte."""

    def mutate(device: Any) -> None:
        receive = device.wire._receive
        device.wire._receive = lambda data: receive(edit(data))

    return mutate


def with_memory(make: Callable[[], Callable[[bytes], bytes]]) -> Mutation:
    """What arrives is edited by something that remembers: a new one for each device."""

    def mutate(device: Any) -> None:
        raw_into(make())(device)

    return mutate


def out(edit: Edit) -> Mutation:
    return raw_out(lambda data: _edited(data, edit))


def into(edit: Edit) -> Mutation:
    return raw_into(lambda data: _edited(data, edit))


def lost_out(*kinds: int) -> Mutation:
    """The device never sends frames of these kinds. Sealed ones pass: their numbers would show that one is missing."""
    return out(lambda body: () if body[0] in kinds else (body,))


def timings(**seconds: float) -> Mutation:
    """Other times of the link."""

    def mutate(device: Any) -> None:
        peer = device.link
        peer._timings = replace(peer._timings, **seconds)
        peer._link = peer._new_link()

    return mutate


def patched(name: str, make: Callable[[Any, Callable[..., Any]], Callable[..., Any]]) -> Mutation:
    """One method, reached by its dotted name, is another. `make` gets the device and the right one."""

    def mutate(device: Any) -> None:
        owner = device
        *path, last = name.split(".")
        for part in path:
            owner = getattr(owner, part)
        setattr(owner, last, make(device, getattr(owner, last)))

    return mutate


def at_session(do: Callable[[Any], None]) -> Mutation:
    """Something more happens whenever a session begins."""

    def mutate(device: Any) -> None:
        began = device.link._on_session

        def begins() -> None:
            began()
            do(device)

        device.link._on_session = begins

    return mutate


def each(*mutations: Mutation) -> Mutation:
    """All of these together."""

    def mutate(device: Any) -> None:
        for one in mutations:
            one(device)

    return mutate


def having(**values: Any) -> Mutation:
    """Attributes of the device itself."""

    def mutate(device: Any) -> None:
        for name, value in values.items():
            setattr(device, name, value)

    return mutate


def with_property(name: str, make: Callable[[Any, Any], Any]) -> Mutation:
    """A property of the device is computed otherwise. `make` gets the device and the right value."""

    def mutate(device: Any) -> None:
        kind = type(device)
        right = getattr(kind, name).fget
        device.__class__ = type(kind.__name__, (kind,), {name: property(lambda self: make(self, right(self)))})

    return mutate
