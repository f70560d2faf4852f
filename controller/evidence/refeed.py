"""The inner loop of a re-run: a table is fed the rows of a journal again, and what comes out is compared.

Apart from `rerun`, which asks for it, because it is one of the modules that deploy/compile.py compiles.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import MsgspecError

from controller.engine.events import encode_events
from controller.engine.inputs import AnyBody, Configured, Started, decode_input
from controller.engine.table import TableEngine
from controller.journal.links import Row


class Differs(Exception):
    """An entry is not what re-running the journal gives: its number and what differed."""

    def __init__(self, n: int, text: str) -> None:
        super().__init__(f"entry {n}: {text}")
        self.n, self.text = n, text


class Refed:
    """A table that is fed what a journal holds; `Differs` at the first entry that comes out otherwise."""

    def __init__(
        self,
        engine: TableEngine[Any],
        rules_come: Callable[[int, AnyBody], None],
        difference: Callable[[Row, bytes], str],
    ) -> None:
        """`rules_come` is told of each entry that may bring rules, before the table hears of it; `difference` has the
        words for events that came out otherwise."""
        self.engine = engine
        self._rules_come, self._difference = rules_come, difference
        self._last_at = 0
        self.entries = 0
        self.events = 0

    def feed(self, rows: list[Row]) -> None:
        engine, last_at = self.engine, self._last_at
        for row in rows:
            n, round_, input_, events, _, count, _ = row
            try:
                value = decode_input(input_)
            except MsgspecError as error:
                raise Differs(n, f"its input cannot be read: {error}") from None
            kind = type(value.body)
            if kind is Started or kind is Configured:
                self._rules_come(n, value.body)
            if value.at < last_at:
                raise Differs(n, f"its time is {last_at - value.at} ms before that of the entry before it")
            last_at = value.at
            try:
                repeat = value.ref is not None and engine.is_repeat(value)
                caused = engine.apply(value)
            except Exception as error:
                # Whatever it is: the engine took this input once, so it is a finding. Its words might name a card.
                raise Differs(n, f"its input cannot be applied again ({type(error).__name__})") from None
            if repeat:
                raise Differs(n, f"{value.by} had sent this input before ({value.ref}); it was written twice")
            again = encode_events(caused)
            if again != events:
                raise Differs(n, self._difference(row, again))
            if count != len(caused):
                raise Differs(n, f"it is said to hold {count} events, but holds {len(caused)}")
            if round_ != engine.round_number:
                raise Differs(n, f"it is filed under round {round_}, re-running gives {engine.round_number}")
            self.entries += 1
            self.events += count
        self._last_at = last_at
