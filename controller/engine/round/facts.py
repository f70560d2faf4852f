"""What one game notes of a round beside the parts that every result has."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Facts(Struct):
    """The subclass of a family of games names what it may note. Every field has a default: `None`, or an empty
    collection where facts are added one by one. A field that still has it was not noted."""

    def document(self) -> dict[str, Any]:
        """What was noted, by name."""
        fields = zip(self.__struct_fields__, self.__struct_defaults__, strict=True)
        noted = ((name, getattr(self, name), default is not None) for name, default in fields)
        return {name: value for name, value, is_collected in noted if (value if is_collected else value is not None)}


NOTHING = Facts()
