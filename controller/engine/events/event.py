"""What every event is: a value with its kind in it."""

from __future__ import annotations

from typing import dataclass_transform

from msgspec import Struct, field


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Event(Struct, frozen=True, tag_field="kind", omit_defaults=True, gc=False):
    """Something that happened at the table. Each subclass is one kind."""
