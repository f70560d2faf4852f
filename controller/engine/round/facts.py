"""What one game notes of a round beside the parts that every result has."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Facts(Struct):
    """The subclass of a family of games names what it may note. Every field has a default: `None`, or an empty
    collection where facts are added one by one. A field that still has it was not noted, unless it is in
    `shown_empty`."""

    shown_empty: set[str] = set()
    """Names that the document has although nothing is noted under them."""

    def document(self) -> dict[str, Any]:
        """What was noted, by name."""
        document: dict[str, Any] = {}
        for name, default in zip(self.__struct_fields__[1:], self.__struct_defaults__[1:], strict=True):
            value = getattr(self, name)
            if (value is not None if default is None else value) or name in self.shown_empty:
                document[name] = value
        return document


NOTHING = Facts()
