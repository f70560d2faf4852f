"""Everything that a table shows of itself, read at once: what screens, panel, broker, metrics and floor would see.

Looking must change nothing. The test of that applies the same inputs twice, once with `everything_public` read between
any two of them and once without, and compares what comes out.
"""

from __future__ import annotations

from typing import Any

import msgspec

from controller.config import Config
from controller.contract.messages import StateDocument
from controller.engine.expect.expectation import cards_allowed, prompt
from controller.engine.expect.want import Refusal
from controller.engine.inputs import Amended, CardOut, Change, StackOut
from controller.engine.table.engine import TableEngine
from controller.operator.console_view import console_document
from controller.operator.offers.offers import offers
from controller.operator.panel_menu import PanelMenu
from controller.outputs.reader_board import board_content
from controller.outputs.state import encode_state, state
from controller.outputs.view import Roads, view
from controller.outputs.view_types import View, encode_view
from controller.web.table_api import round_inputs

PANEL_COLUMNS = 20


class Onlooker:
    """Reads all public documents of a table, as the daemon makes them."""

    def __init__(self, site: str = "soak", table: str = "t-1") -> None:
        self._config = msgspec.convert({"site": site, "table": table, "rules": {"ruleset": "any"}}, Config)
        self._board = Roads(self._config.display.tail, ask_marks=self._config.display.ask_marks)

    def view(self, engine: TableEngine[Any]) -> View:
        """What the screens show now."""
        return view(engine, self._config, 0, self._board, broker_online=True)

    def state(self, engine: TableEngine[Any]) -> StateDocument:
        """What the broker retains now."""
        return state(engine, self._config, "0" * 32, 0)

    def everything_public(self, engine: TableEngine[Any]) -> list[bytes]:
        """Each document as it would be sent now."""
        shown = self.view(engine)
        view_document = encode_view(shown)
        played = engine.played if engine.is_dealing or engine.last is None else engine.last
        documents = [
            view_document,
            encode_state(self.state(engine)),
            console_document(engine, view_document, keys_cards=True, trouble=None),
            msgspec.json.encode(round_inputs(engine.round_number, played.inputs)),
            msgspec.json.encode([engine.waits.phase, prompt(engine.expectation), cards_allowed(engine.expectation)]),
            msgspec.json.encode([engine.next_look(), engine.state.all_fees_due, sorted(engine.state.silent_boxes)]),
            repr(board_content(shown)).encode(),
        ]
        return [*documents, self._panel(engine), self._correction(engine)]

    def _panel(self, engine: TableEngine[Any]) -> bytes:
        """A key panel's menu, each of its lines."""
        menu, lines = PanelMenu(), []
        choices = offers(engine, keys_cards=True)
        menu.follow(choices, prompt(engine.expectation), tuple(engine.game.deck(engine.options) or ()))
        for _ in choices:
            lines.append(menu.lines(PANEL_COLUMNS))
            menu.press("next")
        return msgspec.json.encode(lines)

    def _correction(self, engine: TableEngine[Any]) -> bytes:
        """What it would change if the first card or stack of the round had not come; before it, the last input."""
        played = engine.played if engine.is_dealing else engine.last
        if played is None or not played.inputs:
            return b""
        cards = (i for i, value in enumerate(played.inputs) if type(value.body) in (CardOut, StackOut))
        change = Change(next(cards, len(played.inputs) - 1), None)
        found = engine.preview(Amended(engine.round_number, (change,), "a look"))
        return f"{found.why}: {found.text}".encode() if isinstance(found, Refusal) else msgspec.json.encode(found)
