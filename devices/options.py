"""A device's own options, from the config's mapping to the driver's type.

A driver declares its options as a frozen `msgspec.Struct` with `forbid_unknown_fields=True`; what is wrong with the
config is then one sentence that names the device, the key and what was expected.
"""

from __future__ import annotations

from typing import TypeVar

import msgspec

from devices.spec import DeviceSpec
from protocols.type_errors import in_words

T = TypeVar("T", bound=msgspec.Struct)


class OptionsError(ValueError):
    """The options of a device are wrong: which device, which key, what was expected. Trying again does not help."""


def options_of(spec: DeviceSpec, kind: type[T]) -> T:
    """The options of this device. A `ValueError` of the struct's own `__post_init__` is reported the same way."""
    try:
        return msgspec.convert(dict(spec.options), type=kind)
    except msgspec.ValidationError as error:
        wrong = in_words(error, spec.options, "options")
        known = ", ".join(field.encode_name for field in msgspec.structs.fields(kind)) or "none"
        raise OptionsError(f"the {spec.kind} {spec.id!r}: {wrong} A {spec.kind} has the options {known}") from None
