"""One class per message, one `construct` layout per class.

A message is a frozen value; its layout names the same fields in wire order, all big-endian. The first byte of a
message is its kind:

    0x01-0x3f   controller to device
    0x40-0x7f   device to controller: events, each with its boot and number
    0x81-0xbf   device to controller: the answer to kind - 0x80

A `Check` in a layout is named by the sentence that it makes sure of, which is then what the error says.
"""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

from construct import ConstructError, Struct, Terminated
from msgspec.structs import asdict

from protocols.errors import ProtocolError
from protocols.layout_errors import in_words
from protocols.values import Value

M = TypeVar("M", bound=Value)

REQUESTS = range(0x01, 0x40)


def is_request(data: bytes) -> bool:
    """Whether this message is the controller's to send."""
    return bool(data) and data[0] in REQUESTS


class Layout(Protocol):
    """What a codec needs of a `construct` declaration."""

    def parse(self, data: bytes) -> dict[str, object]: ...

    def build(self, obj: dict[str, object]) -> bytes: ...


class Codec(Generic[M]):
    """Messages of one device, to bytes and back."""

    def __init__(self, table: dict[int, tuple[type[M], list[object]]]) -> None:
        self._by_kind = {kind: (message, _layout(parts)) for kind, (message, parts) in table.items()}
        self._by_type = {message: (kind, layout) for kind, (message, layout) in self._by_kind.items()}
        self._last: tuple[M, bytes] | None = None
        """A command is encoded when it is asked for, to find what does not fit, and again when it is sent."""

    @property
    def message_types(self) -> frozenset[type[M]]:
        return frozenset(self._by_type)

    @property
    def requests(self) -> frozenset[type[M]]:
        """Those that are the controller's to send."""
        return frozenset(message for kind, (message, _) in self._by_kind.items() if kind in REQUESTS)

    def knows(self, kind: int) -> bool:
        """Whether there is a message of this kind."""
        return kind in self._by_kind

    def type_of(self, kind: int) -> type[M]:
        """The message of one kind."""
        return self._by_kind[kind][0]

    def layout_of(self, kind: int) -> Layout:
        """The declaration of one kind of message, its kind byte left out."""
        return self._by_kind[kind][1]

    def encode(self, message: M) -> bytes:
        if self._last is not None and self._last[0] is message:
            return self._last[1]
        kind, layout = self._by_type[type(message)]
        try:
            data = bytes((kind,)) + layout.build(asdict(message))
        except ConstructError as error:
            raise ProtocolError(f"this {type(message).__name__} does not fit the wire: {in_words(error)}") from error
        self._last = message, data
        return data

    def decode(self, data: bytes) -> M:
        if not data:
            raise ProtocolError("a message has at least one byte, its kind")
        try:
            message, layout = self._by_kind[data[0]]
        except KeyError:
            raise ProtocolError(f"message kind 0x{data[0]:02x} is not known here") from None
        try:
            parsed = layout.parse(data[1:])
        except ConstructError as error:
            raise ProtocolError(f"not a {message.__name__}: {in_words(error)}") from error
        return message(**{name: parsed[name] for name in message.__struct_fields__})


def _layout(parts: list[object]) -> Layout:
    layout: Layout = Struct(*parts, Terminated)
    return layout
