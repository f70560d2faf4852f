"""The kinds of simulated devices: one name each, and everything that differs from kind to kind.

A module or package of this folder is a kind of device and declares its `KIND`, a `SimulatedKind`: how a device is
built from a rig's plan, what people can do with it (acts), and what can go wrong with it (faults). The registration is
that of the drivers, in `devices.kinds`; a test checks that both sides have the same kinds.

An act is an async function on the device, named after what the person does. Its keyword arguments are what a scenario,
the control socket or a test may give; they are checked against the function's types. An act waits as a person would
(for the shoe's lock, for a stack in the tray) until the device has done its part, and returns what the person then
holds or sees. Cards are written as one text, "9h 2c Td", or as a list.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

import msgspec
from msgspec import Struct, field

from protocols.type_errors import in_words
from sim_hw.time.clock import SimClock
from sim_hw.usb.backend import SimulatedBus
from sim_hw.wire.line import NoisyLine, Port
from sim_hw.wire.pty import Pty
from sim_hw.wire.tcp import TcpPort

_NO_KINDS = frozenset({"kinds", "link_device", "link_peer"})
"""Modules of this folder that are no device."""
NAMES = tuple(sorted({module.name for module in iter_modules([str(Path(__file__).parent)])} - _NO_KINDS))

if TYPE_CHECKING:
    KindName = str
else:
    KindName = Literal[NAMES]
"""The type of `kind` in a plan: msgspec checks that it is one of `NAMES`."""

Act = Callable[..., Awaitable[object]]
Cards = str | list[str] | None
S = TypeVar("S", bound=Struct)


class Wrong(Exception):
    """A plan, an act or a fault asks for something that cannot be; the text is a sentence for its author."""


class SimulatedDevice(Protocol):
    """What every simulated device can do. It is unplugged at first."""

    @property
    def url(self) -> str:
        """What a config has to reach it."""

    @property
    def wire(self) -> NoisyLine | None:
        """None for a device on USB, which has checksums and retries of its own."""

    @property
    def is_plugged(self) -> bool: ...

    def plug(self) -> None: ...

    def unplug(self) -> None: ...

    def close(self) -> None:
        """Unplug it, and stop whatever moves."""

    def power_cycle(self, *, keep_events: bool = False) -> None: ...

    def hang(self) -> None:
        """Its firmware hangs: the port is there, nothing is received and nothing answered."""

    def restart(self) -> None:
        """It runs again after it hung."""

    async def wait_online(self) -> None:
        """Until a controller has found it."""

    async def wait_taken(self) -> None:
        """Until the controller has all that happened at it, as far as the device can know."""


class OnWire:
    """The parts of a simulated device that follow from its wire."""

    wire: NoisyLine

    @property
    def url(self) -> str:
        return self.wire.port.url

    @property
    def is_plugged(self) -> bool:
        return self.wire.is_plugged

    def hang(self) -> None:
        self.wire.is_dead = True

    def restart(self) -> None:
        self.wire.is_dead = False


class DevicePlan(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One device of a table, as a rig's plan has it."""

    kind: KindName
    on: Literal["pty", "tcp"] = "pty"
    """Where it appears. A card reader is on the USB bus in any case."""
    required: bool = True
    """For the daemon: whether its port must be there at the start."""
    options: dict[str, Any] = field(default_factory=dict)
    """As in the daemon's config; the simulated device takes what concerns it (a shuffler's mode, a bus's sensors)."""
    model: dict[str, Any] = field(default_factory=dict)
    """What only the simulated device needs: the fields of `SimulatedKind.model`; see docs/protocols/rig.md."""
    port: str = ""
    """A real port: nothing is simulated, the daemon uses this port."""


class CommonModel(Struct, forbid_unknown_fields=True):
    """What a plan may have under `model` for a device on the link."""

    serial: str = ""
    firmware: str = "1.0.0"


class Making(Struct, frozen=True):
    """What a simulated device is made from."""

    port: Port
    usb: SimulatedBus
    clock: SimClock
    seed: str
    options: Mapping[str, Any]
    model: Any
    """Of the type `SimulatedKind.model`."""


class Fault(Struct, frozen=True):
    """One thing that can go wrong with a device: an async function on it, and how it ends."""

    begin: Callable[..., Awaitable[None]]
    end: Callable[[Any], Awaitable[None]] | None = None
    by_wire: bool = False
    """Its `rate` is the wire's, per bit, byte or write."""

    @property
    def name(self) -> str:
        return self.begin.__name__.rstrip("_")

    @property
    def text(self) -> str:
        return (self.begin.__doc__ or "").split("\n")[0]


class SimulatedKind(Struct, frozen=True, kw_only=True):
    """One kind of simulated device."""

    name: str
    build: Callable[[Making], SimulatedDevice]
    model: type[Struct] = CommonModel
    """What a plan may have under `model`."""
    device_class: int | None = None
    """Its number on the device link."""
    on_usb: bool = False
    """On the rig's USB bus, without a wire of its own."""
    baud: int | None = None
    """Where it is not the device link's."""
    parity: Literal["none", "even", "odd"] = "none"
    """Of its line, where its options give none. A pseudo-terminal has no parity."""
    bare_options: Mapping[str, Any] = {}
    """Options without which the kind is of no use to a test."""
    patient_options: Mapping[str, Any] = {}
    """Options for a daemon beside the rig that give a busy machine time; those of a plan go before them."""
    acts: tuple[Act, ...] = ()
    faults: tuple[Fault, ...] = ()


def kind_of(name: str) -> SimulatedKind:
    """The kind with this name."""
    kind: SimulatedKind = import_module(f"sim_hw.devices.{name}").KIND
    return kind


def build(
    name: str, plan: DevicePlan, folder: Path, usb: SimulatedBus, *, clock: SimClock, seed: object
) -> SimulatedDevice:
    """A device, unplugged. Its seed is the rig's with its own name: two shoes of one rig hold different cards."""
    kind = kind_of(plan.kind)
    try:
        model = msgspec.convert(plan.model, type=kind.model)
    except msgspec.ValidationError as error:
        raise Wrong(f"the device {name!r}: {in_words(error, plan.model, 'model')}") from None
    port: Port = TcpPort() if plan.on == "tcp" else Pty(folder, name)
    return kind.build(Making(port, usb, clock, f"{seed}/{name}", plan.options, model))


def cards_of(cards: Cards) -> list[str]:
    return cards.split() if isinstance(cards, str) else list(cards or ())
