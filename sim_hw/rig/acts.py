"""What people do with the devices, by name: `shoe load`, `shuffler take`, `dice throw`.

The acts of a kind are in its module (`SimulatedKind.acts`); those of all kinds are here.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, get_type_hints

import msgspec

from protocols.type_errors import in_words
from sim_hw.devices.kinds import Act, SimulatedDevice, Wrong, kind_of


async def plug_in(device: SimulatedDevice) -> None:
    device.plug()


async def pull_out(device: SimulatedDevice) -> None:
    device.unplug()


ANY: tuple[Act, ...] = (plug_in, pull_out)


def acts_of(kind: str) -> dict[str, Act]:
    """The acts on devices of this kind, by name."""
    return {act.__name__.rstrip("_"): act for act in (*ANY, *kind_of(kind).acts)}


async def act_on(device: SimulatedDevice, kind: str, do: str, arguments: Mapping[str, object]) -> object:
    """Do it; `Wrong` where there is no such act, or not with these arguments, or the device does not allow it now."""
    acts = acts_of(kind)
    if do not in acts:
        raise Wrong(f"a {kind} has no act {do!r}; it has {', '.join(sorted(acts))}")
    checked = check_arguments(acts[do], arguments, f"{kind} {do}")
    try:
        return await acts[do](device, **checked)
    except ValueError as error:
        raise Wrong(f"{kind} {do}: {error}") from None


def check_arguments(function: Callable[..., object], arguments: Mapping[str, object], name: str) -> dict[str, Any]:
    """The arguments, converted to the types of the function's keyword parameters."""
    hints = get_type_hints(function)
    parameters = [
        each for each in inspect.signature(function).parameters.values() if each.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    names = [each.name for each in parameters]
    unknown = [key for key in arguments if key not in names]
    if unknown:
        raise Wrong(f"{name}: it has no {', '.join(unknown)}; it has {', '.join(names) or 'no arguments'}")
    required = [each.name for each in parameters if each.default is inspect.Parameter.empty]
    missing = [each for each in required if each not in arguments]
    if missing:
        raise Wrong(f"{name}: {', '.join(missing)} is missing")
    try:
        return {key: _converted(key, value, hints[key]) for key, value in arguments.items()}
    except Wrong as error:
        raise Wrong(f"{name}: {error}") from None


def _converted(key: str, value: object, kind: Any) -> Any:
    try:
        return msgspec.convert(value, type=kind)
    except msgspec.ValidationError as error:
        raise Wrong(in_words(error, value, key)) from None
