"""The kinds of devices: one name each, and everything that differs from kind to kind.

`NAMES` is the one registration. The module or package `devices.drivers.<name>` declares its `KIND`, a `DeviceKind`; it
is imported when it is first needed, because drivers bring the serial and USB libraries with them. The same name finds
the kind elsewhere: `protocols.<name>`, `controller.table.translate.<name>`, and `sim_hw.devices.<name>` for the
simulated device. Another maker's device of a kind that we have is a kind with a `make_of`; it needs no translation of
its own. docs/development/adding-a-device.md shows both with an example.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from devices.driver import Driver
    from devices.lines import Lines
    from devices.spec import DeviceSpec
    from protocols.link.messages import Codec
    from protocols.link.session import Timings

NAMES = (
    "card_reader",
    "dice_cup",
    "drop_box",
    "example_shuffler",
    "key_panel",
    "reader_board",
    "shoe",
    "shuffler",
)

if TYPE_CHECKING:
    KindName = str
else:
    KindName = Literal[NAMES]
"""The type of `kind` in the config: msgspec checks that it is one of `NAMES`."""

Section = Mapping[str, object]
"""A [[devices]] section of the config, without its id."""


class NoOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """For a kind without options."""


class LinkKind(Struct, frozen=True):
    """How a kind of device appears on the device link."""

    device_class: int
    """The number in its HELLO."""
    codec: Codec[Any]


class DeviceKind(Struct, frozen=True, kw_only=True):
    """One kind of device. What is None here, the kind does not have."""

    name: str
    make_of: str = ""
    """Another maker's device of this kind of ours: it reports what that kind reports, and takes its commands."""
    driver: Callable[[DeviceSpec, Timings | None], Driver]
    options: type[Struct] = NoOptions
    """What the config may have under `options`."""
    link: LinkKind | None = None
    """On the device link; then it has a clock of its own, and can blink."""
    lines: Callable[[bool], Lines] | None = None
    """Decodes its wire for `cutcard devices watch`; the argument: sealed. A device on the link needs none."""
    on_usb: bool = False
    """A USB device of its own, not a serial port."""
    probe_port: Callable[[str], Awaitable[Section | None]] | None = None
    """For `cutcard config init`: asks at a serial port whether this kind is there. The link needs none."""
    find: Callable[[], list[Section]] | None = None
    """For `cutcard config init`: looks for this kind elsewhere than on serial ports."""

    @property
    def to_the_table(self) -> str:
        """The kind that the table knows it as: what its reports mean, and what it may be commanded."""
        return self.make_of or self.name

    @property
    def words(self) -> str:
        """For sentences: "dice cup"."""
        return self.name.replace("_", " ")

    @property
    def article(self) -> str:
        return "an" if self.name[0] in "aeiou" else "a"


def kind_of(name: str) -> DeviceKind:
    """The kind with this name."""
    kind: DeviceKind = import_module(f"devices.drivers.{name}").KIND
    return kind


def all_kinds() -> list[DeviceKind]:
    return [kind_of(name) for name in NAMES]


def kind_of_class(device_class: int | None) -> DeviceKind | None:
    """The kind on the device link whose HELLO has this number; None where it is not one of ours."""
    for kind in all_kinds():
        if kind.link is not None and kind.link.device_class == device_class:
            return kind
    return None


def name_of_class(device_class: int | None) -> str:
    """For sentences: "a dice cup"."""
    kind = kind_of_class(device_class)
    return f"of the unknown class {device_class}" if kind is None else f"{kind.article} {kind.words}"


def make_driver(spec: DeviceSpec, timings: Timings | None = None) -> Driver:
    """The driver for a device of the config."""
    return kind_of(spec.kind).driver(spec, timings)
