"""The options of a reader board, as docs/protocols/reader-board.md lists them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from devices.drivers.reader_board.content import MAX_COLUMNS, PanelName
from protocols.alpha.packets import EVERY_ADDRESS


class SignOptions(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One sign of the line."""

    address: Annotated[str, Meta(pattern=r"^[0-9A-F]{2}$")] = EVERY_ADDRESS
    type_code: Annotated[str, Meta(pattern=r"^[ -~]$")] = "Z"
    rows: Annotated[int, Meta(ge=1, le=8)] = 2
    columns: Annotated[int, Meta(ge=10, le=MAX_COLUMNS)] = 24
    panels: Annotated[tuple[PanelName, ...], Meta(min_length=1, max_length=4)] = ("results", "table", "statistics")
    answers: bool = True
    """Whether it can be asked: the sign can, and the cable has a way back."""

    def __post_init__(self) -> None:
        if len(set(self.panels)) != len(self.panels):
            raise ValueError(f"a sign shows each panel once; these are {', '.join(self.panels)}")


class ReaderBoardOptions(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All signs of the line, and its timing."""

    signs: Annotated[tuple[SignOptions, ...], Meta(min_length=1, max_length=16)] = (SignOptions(),)
    line: Literal["7E1", "8N1"] = "7E1"
    gap_ms: Annotated[int, Meta(ge=10, le=5000)] = 120
    """Writes get lost below 100; with more the board is not right within a second of its power."""
    poll_ms: Annotated[int, Meta(ge=100, le=60_000)] = 400
    refresh_s: Annotated[float, Meta(ge=1, le=3600)] = 30.0
    clear_first: bool = False
    settle_ms: Annotated[int, Meta(ge=0, le=20_000)] = 2000

    def __post_init__(self) -> None:
        addresses = [sign.address for sign in self.signs]
        if len(addresses) > 1 and (EVERY_ADDRESS in addresses or len(set(addresses)) != len(addresses)):
            raise ValueError(
                f"several signs on one line need each its own address from 01 to FF; these are {', '.join(addresses)}"
            )
