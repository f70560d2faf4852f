"""What is known of every device, as facts: they are in the journal with `DeviceSeen`, and are published unchanged.

Facts outlive a device's absence and the daemon's: the journal knows what was on the table last.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from controller.engine.table.state import Device
from devices.kinds import kind_of
from devices.link.authentication import DeviceVetted

_VETTED = ("bootloader", "hardware", "image", "security", "trust")


def facts_of(vetted: DeviceVetted, known: Mapping[str, str]) -> dict[str, str]:
    """The facts of a device that has just been looked over, in place of what was known of another."""
    pairs = (
        ("model", vetted.model),
        ("serial", vetted.serial),
        ("firmware", vetted.firmware),
        ("bootloader", vetted.bootloader),
        ("hardware", vetted.hardware),
        ("image", vetted.image),
        ("security", vetted.security),
        ("trust", "proved" if vetted.proved and not vetted.findings else " ".join(vetted.findings) or None),
    )
    kept = {name: fact for name, fact in known.items() if name not in _VETTED}
    return kept | {name: str(value) for name, value in pairs if value is not None}


class Item(Struct, frozen=True, omit_defaults=True):
    """One device of the inventory."""

    device: str
    kind: str
    state: str
    model: str | None = None
    serial: str | None = None
    firmware: str | None = None
    bootloader: str | None = None
    hardware: int | None = None
    image: str | None = None
    security: int | None = None
    trust: str | None = None
    detail: str | None = None

    @property
    def device_class(self) -> int | None:
        """Its class on the device link; None for a device on another."""
        link = kind_of(self.kind).link
        return None if link is None else link.device_class


def inventory(devices: Mapping[str, Device], kinds: Mapping[str, str]) -> list[Item]:
    """Every configured device, and what the journal knows of it."""
    return [item_of(name, kind, devices.get(name)) for name, kind in kinds.items()]


def item_of(name: str, kind: str, known: Device | None) -> Item:
    facts = {} if known is None else known.facts
    return Item(
        device=name,
        kind=kind,
        state="never seen" if known is None else known.state,
        model=facts.get("model"),
        serial=facts.get("serial"),
        firmware=facts.get("firmware"),
        bootloader=facts.get("bootloader"),
        hardware=_number(facts.get("hardware")),
        image=facts.get("image"),
        security=_number(facts.get("security")),
        trust=facts.get("trust"),
        detail=facts.get("detail"),
    )


def as_table(items: list[Item]) -> str:
    """For a terminal."""
    heads = ("device", "kind", "state", "model", "serial", "firmware", "bootloader", "board", "trust")
    rows = [
        (
            item.device,
            item.kind.replace("_", " "),
            item.state.replace("_", " "),
            item.model or "-",
            item.serial or "-",
            item.firmware or "-",
            item.bootloader or "-",
            "-" if item.hardware is None else str(item.hardware),
            item.trust or "-",
        )
        for item in items
    ]
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (heads, *rows)]
    return "\n".join(line.rstrip() for line in lines)


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdecimal() else None
