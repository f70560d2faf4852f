"""The room's cards: which packs and shoes are at which table now, as the tables publish it.

A pack has no number of its own that the whole room knows: a table counts its packs. So the ledger is by table, and what
it answers is where cards are, who shuffled them, and which may not be dealt.
"""

from __future__ import annotations

from msgspec import Struct

from floor.live.documents import LivePack
from floor.live.live_tables import LiveTables


class DeckLine(Struct, frozen=True):
    """Cards at one table."""

    table: str
    where: str
    """in play, ready, shoe."""
    number: int
    back: str = ""
    cards: int | None = None
    device: str = ""
    """The machine that shuffled it; empty: by hand, or not known."""
    out: int = 0
    """Of a shoe: cards that have left it."""
    rounds: int = 0
    unfit: str = ""
    """Why no round may begin from it."""


def deck_ledger(tables: LiveTables) -> list[DeckLine]:
    """By table."""
    lines: list[DeckLine] = []
    for name, table in sorted(tables.all.items()):
        state = table.state
        assert state is not None
        if state.shoe is not None:
            shoe = state.shoe
            cards = None if shoe.decks is None else 52 * shoe.decks
            lines.append(DeckLine(name, "shoe", shoe.number, "", cards, "", shoe.cards_out, shoe.rounds, shoe.unfit))
        for where, pack in (("in play", state.packs.in_play), ("ready", state.packs.ready)):
            if pack is not None:
                unfit = "the last round was void, and the pack was not replaced" if state.packs.withdrawn else ""
                lines.append(_line(name, where, pack, unfit if where == "in play" else ""))
    return lines


def _line(table: str, where: str, pack: LivePack, unfit: str) -> DeckLine:
    return DeckLine(table, where, pack.number, pack.back, pack.cards, pack.device, unfit=unfit)
