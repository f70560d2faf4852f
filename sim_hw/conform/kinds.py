"""What each kind of device is judged by: its bench, its port, its requirements."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any

from msgspec import Struct

from protocols import dice_cup, key_panel, shoe
from protocols.link.messages import Codec
from protocols.shuffler.codec import CODEC as SHUFFLER
from protocols.shuffler.messages import DEVICE_CLASS as SHUFFLER_CLASS
from sim_hw.conform.alpha.bench import SignBench
from sim_hw.conform.hands import Hands, act
from sim_hw.conform.hid.bench import HidBench
from sim_hw.conform.hid.usb import HidLine
from sim_hw.conform.link.bench import LinkBench, Profile
from sim_hw.conform.modbus.bench import ModbusBench
from sim_hw.conform.opening import Line, Parity, open_line
from sim_hw.conform.play import Bench
from sim_hw.conform.requirement import Requirement, table


class Chosen(Struct, frozen=True, kw_only=True):
    """What the bench was given beside the port."""

    key: bytes | None = None
    """The device's own, for firmware.md, section 2."""
    signer: bytes | None = None
    """The secret seed of an image signer that the device trusts."""
    unit: int = 1
    """Of a sensor on its bus."""
    address: str = "01"
    """Of a sign on its line."""
    seven_bits: bool = False
    """The sign's line is 7E1."""


class Made(Struct, frozen=True, kw_only=True):
    """A bench on a port."""

    bench: Bench
    survey: Callable[[], Awaitable[str]]
    close: Callable[[], None]


class ConformKind(Struct, frozen=True, kw_only=True):
    """How one kind is judged."""

    name: str
    make: Callable[[Any, Hands, Chosen], Made]
    """Its bench on what `open` has opened."""
    modules: tuple[str, ...]
    """Under `sim_hw.conform`, in the order in which they are played."""
    baud: int = 115_200
    parity: Parity = "none"
    open: Callable[[str, int, Parity], Awaitable[Any]] = open_line
    """Opens its port: url, baud, parity."""

    @property
    def requirements(self) -> list[Requirement]:
        """In the order in which they are played; those of the controller are not among them."""
        found: list[Requirement] = []
        for name in self.modules:
            module = import_module(f"sim_hw.conform.{name}")
            found += [each for each in table().values() if each.home == module.__name__]
        return found


def whole_table() -> dict[str, Requirement]:
    """Every requirement of every page, the controller's included."""
    for kind in KINDS.values():
        assert kind.requirements
    import_module("sim_hw.conform.controller")
    return table()


def _on_link(profile: Profile) -> Callable[[Line, Hands, Chosen], Made]:
    def make(line: Line, hands: Hands, chosen: Chosen) -> Made:
        bench = LinkBench(line, profile, hands, key=chosen.key, signer=chosen.signer)
        return Made(bench=bench, survey=bench.survey, close=bench.close)

    return make


LINK_MODULES = ("link.framing", "link.session", "link.delivery", "link.events")
FIRMWARE_MODULES = ("link.authentication", "link.seal", "link.bootloader")


def _link_kind(profile: Profile, module: str) -> ConformKind:
    return ConformKind(name=profile.kind, make=_on_link(profile), modules=(*LINK_MODULES, module, *FIRMWARE_MODULES))


_LID = (act("open_lid", "Open the lid of the shoe."), act("close_lid", "Close the lid of the shoe."))
_DOOR = (act("open_door", "Open the door of the shuffler."), act("close_door", "Close the door of the shuffler."))
_CUP = (act("peek", "Shut the cup if it is open, and open it."),)
_KEY = (act("press", "Press key 1.", key=1),)


def _codec(codec: object) -> Codec:  # type: ignore[type-arg]
    assert isinstance(codec, Codec)
    return codec


def _drop_box(line: Line, hands: Hands, chosen: Chosen) -> Made:
    bench = ModbusBench(line, hands, chosen.unit)
    return Made(bench=bench, survey=bench.survey, close=bench.close)


def _reader_board(line: Line, hands: Hands, chosen: Chosen) -> Made:
    bench = SignBench(line, hands, chosen.address, seven_bits=chosen.seven_bits)
    return Made(bench=bench, survey=bench.survey, close=bench.close)


async def _open_usb(url: str, baud: int, parity: Parity) -> HidLine:
    """A USB device has neither speed nor parity."""
    return HidLine(url)


def _card_reader(line: HidLine, hands: Hands, chosen: Chosen) -> Made:
    bench = HidBench(line, hands)
    return Made(bench=bench, survey=bench.survey, close=bench.close)


KINDS = {
    kind.name: kind
    for kind in (
        ConformKind(name="card_reader", make=_card_reader, modules=("hid.reader",), open=_open_usb),
        ConformKind(name="drop_box", make=_drop_box, modules=("modbus.drop_box",), baud=19_200, parity="even"),
        ConformKind(name="reader_board", make=_reader_board, modules=("alpha.sign",), baud=9_600),
        _link_kind(
            Profile(kind="shoe", device_class=shoe.DEVICE_CLASS, codec=_codec(shoe.CODEC), event=_LID), "link.shoe"
        ),
        _link_kind(
            Profile(kind="shuffler", device_class=SHUFFLER_CLASS, codec=_codec(SHUFFLER), event=_DOOR), "link.shuffler"
        ),
        _link_kind(
            Profile(kind="dice_cup", device_class=dice_cup.DEVICE_CLASS, codec=_codec(dice_cup.CODEC), event=_CUP),
            "link.dice_cup",
        ),
        _link_kind(
            Profile(kind="key_panel", device_class=key_panel.DEVICE_CLASS, codec=_codec(key_panel.CODEC), event=_KEY),
            "link.key_panel",
        ),
    )
}
