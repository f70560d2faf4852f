"""What messages and reports are made of: frozen values whose secrets stay out of every `repr`.

A value is a `msgspec.Struct` rather than a dataclass: Python writes and compiles the source of each dataclass when it
is imported, and two hundred of them were a quarter of the daemon's start.

A class names the fields that nobody may read in a log (a card that is not exposed, the digits of a PIN, a key, raw
bytes) in `HIDDEN`:

    >>> class Drawn(Value, kw_only=True):
    ...     HIDDEN = frozenset({"card"})
    ...     draw_no: int
    ...     card: str
    >>> drawn = Drawn(draw_no=7, card="9h")
    >>> print(drawn, drawn.card)
    Drawn(draw_no=7) 9h
"""

from __future__ import annotations

from typing import ClassVar, dataclass_transform

from msgspec import Struct, field


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Value(Struct, frozen=True):
    """Compared by its type and fields, never changed, as every subclass: `msgspec.structs.replace` makes another."""

    HIDDEN: ClassVar[frozenset[str]] = frozenset()
    """Fields that `repr` leaves out. A class that adds one repeats those of its base class."""

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self.__rich_repr__())
        return f"{type(self).__name__}({fields})"

    def __rich_repr__(self) -> list[tuple[str, object]]:
        return [(name, getattr(self, name)) for name in self.__struct_fields__ if name not in self.HIDDEN]
