"""The inner loop of a re-run: a table is fed the entries of a journal again, and what comes out is compared.

Apart from `rerun`, which asks for it, because it is one of the modules that deploy/compile.py compiles.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import MsgspecError

from controller.engine.events import encode_events
from controller.engine.inputs import AnyBody, Configured, Started, decode_input
from controller.engine.table import TableEngine
from controller.journal.links import Parts


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
        difference: Callable[[Parts, bytes], str],
    ) -> None:
        """`rules_come` is told of each entry that may bring rules, before the table hears of it; `difference` has the
        words for events that came out otherwise."""
        self.engine = engine
        self._rules_come, self._difference = rules_come, difference
        self._last_at = 0
        self.entries = 0
        self.events = 0

    def feed(self, page: list[Parts]) -> None:
        # Looked up once, not for every entry: the compiled loop is short enough to feel it.
        decode, encode, starting, changing = decode_input, encode_events, Started, Configured
        engine, last_at, counted = self.engine, self._last_at, 0
        for parts in page:
            n, round_, input_, events, _, count, _ = parts
            try:
                value = decode(input_)
            except MsgspecError as error:
                raise Differs(n, f"its input cannot be read: {error}") from None
            kind = type(value.body)
            if kind is starting or kind is changing:
                self._rules_come(n, value.body)
            at = value.at
            if at < last_at:
                raise Differs(n, f"its time is {last_at - at} ms before that of the entry before it")
            last_at = at
            try:
                repeat = value.ref is not None and engine.is_repeat(value)
                caused = engine.apply(value)
            except Exception as error:
                # Whatever it is: the engine took this input once, so it is a finding. Its words might name a card.
                raise Differs(n, f"its input cannot be applied again ({type(error).__name__})") from None
            if repeat:
                raise Differs(n, f"{value.by} had sent this input before ({value.ref}); it was written twice")
            again = encode(caused)
            if again != events:
                raise Differs(n, self._difference(parts, again))
            if count != len(caused):
                raise Differs(n, f"it is said to hold {count} events, but holds {len(caused)}")
            if round_ != engine.round_number:
                raise Differs(n, f"it is filed under round {round_}, re-running gives {engine.round_number}")
            counted += count
        self._last_at = last_at
        self.entries += len(page)
        self.events += counted
