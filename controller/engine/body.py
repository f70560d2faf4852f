"""What every kind of input is: a value with its kind in it."""

from __future__ import annotations

from typing import dataclass_transform

from msgspec import Struct, field


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Body(Struct, frozen=True, tag_field="kind", omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """What happened. Each subclass is one kind.

    `gc=False`, here and at other values: they hold values alone, never something that holds them, so the collector has
    nothing to look for.
    """
