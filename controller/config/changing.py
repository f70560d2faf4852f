"""What differs between the configuration that a daemon runs by and the one that its file holds now.

Each key states beside its type when a change of it takes effect (`fields.key`). Here that is used:
which keys differ, and the configuration for now, in which the keys that wait for a restart keep their value.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import msgspec
from msgspec import Struct, inspect
from msgspec.structs import replace

from controller.config.fields import Config, DeviceConfig, When
from controller.config.judging import bare, metadata, shape

S = TypeVar("S", bound=Struct)


class Change(Struct, frozen=True):
    """One key that differs."""

    key: str
    when: When


def changes(old: Config, new: Config) -> tuple[Change, ...]:
    """Every key that differs. Devices are known by their id, brokers by their name: one that came or went is a change
    of its own."""
    return (*_changes(old, new, ""), *_broker_changes(old, new), *_device_changes(old, new))


def taken_now(old: Config, new: Config) -> Config:
    """The new configuration as far as a running daemon can take it."""
    return _kept(old, new)


def _changes(old: Struct, new: Struct, prefix: str) -> Iterator[Change]:
    for field in shape(type(new)).fields:
        before, after = getattr(old, field.name), getattr(new, field.name)
        when = metadata(field.type, "when")
        if isinstance(bare(field.type), inspect.StructType) and not when:
            yield from _changes(before, after, f"{prefix}{field.encode_name}.")
        elif when and before != after:
            yield Change(f"{prefix}{field.encode_name}", _when(when))


def _broker_changes(old: Config, new: Config) -> Iterator[Change]:
    before = {broker.name: broker for broker in old.mqtt.broker}
    after = {broker.name: broker for broker in new.mqtt.broker}
    for name in dict.fromkeys((*before, *after)):
        was, now = before.get(name), after.get(name)
        if was is None or now is None:
            yield Change(f"mqtt.broker.{name}", "live")
        else:
            yield from _changes(was, now, f"mqtt.broker.{name}.")


def _device_changes(old: Config, new: Config) -> Iterator[Change]:
    before = {device.id: device for device in old.devices}
    after = {device.id: device for device in new.devices}
    for name in dict.fromkeys((*before, *after)):
        was, now = before.get(name), after.get(name)
        if was is None or now is None:
            yield Change(f"devices.{name}", _when_devices())
        else:
            yield from _changes(was, now, f"devices.{name}.")


def _when_devices() -> When:
    """A device that comes or goes changes its id, as it were."""
    field = next(field for field in shape(DeviceConfig).fields if field.name == "id")
    return _when(metadata(field.type, "when"))


def _when(text: str) -> When:
    when: When = msgspec.convert(text, When)
    return when


def _kept(old: S, new: S) -> S:
    values: dict[str, object] = {}
    for field in shape(type(new)).fields:
        before, after = getattr(old, field.name), getattr(new, field.name)
        when = metadata(field.type, "when")
        if isinstance(bare(field.type), inspect.StructType) and not when:
            values[field.name] = _kept(before, after)
        elif when == "restart":
            values[field.name] = before
    return replace(new, **values)
