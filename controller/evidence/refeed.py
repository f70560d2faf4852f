"""The inner loop of a re-run: a table is fed the entries of a journal again, and what comes out is compared.

Apart from `rerun`, which asks for it, because it is one of the modules that deploy/compile.py compiles.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import MsgspecError

from controller.engine.events import Event, encode_events, encode_lines
from controller.engine.inputs import AnyBody, Configured, Started, decode_input
from controller.engine.table.device_numbers import SentBefore
from controller.engine.table.engine import TableEngine
from controller.journal.links import Parts

_AT_ONCE: Final = 32
"""Entries that are compared together. With more, what they caused lies about until Python's collector looks at it."""


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
        for start in range(0, len(page), _AT_ONCE):
            self._feed(page[start : start + _AT_ONCE])

    def _feed(self, page: list[Parts]) -> None:
        caused: list[list[Event]] = []
        rounds: list[int] = []
        try:
            self._apply(page, caused, rounds)
        except Differs:
            # One before it may have come out otherwise too, and the first is the one to tell.
            self._compare(page[: len(caused)], caused, rounds)
            raise
        self._compare(page, caused, rounds)
        self.entries += len(page)
        for events in caused:
            self.events += len(events)

    def _apply(self, page: list[Parts], caused: list[list[Event]], rounds: list[int]) -> None:
        """Feeds these entries; what each caused, and the round it belongs to, go into the two lists."""
        # Looked up once, not for every entry: the compiled loop is short enough to feel it.
        decode, starting, changing = decode_input, Started, Configured
        engine, last_at = self.engine, self._last_at
        for parts in page:
            try:
                value = decode(parts[2])
            except MsgspecError as error:
                raise Differs(parts[0], f"its input cannot be read: {error}") from None
            kind = type(value.body)
            if kind is starting or kind is changing:
                self._rules_come(parts[0], value.body)
            at = value.at
            if at < last_at:
                raise Differs(parts[0], f"its time is {last_at - at} ms before that of the entry before it")
            last_at = at
            try:
                caused.append(engine.apply(value))
            except SentBefore:
                raise Differs(
                    parts[0], f"{value.by} had sent this input before ({value.ref}); it was written twice"
                ) from None
            except Exception as error:
                # Whatever it is: the engine took this input once, so it is a finding. Its words might name a card.
                raise Differs(parts[0], f"its input cannot be applied again ({type(error).__name__})") from None
            rounds.append(engine.state.rounds)
        self._last_at = last_at

    def _compare(self, page: list[Parts], caused: list[list[Event]], rounds: list[int]) -> None:
        """What came out against what the journal holds: all at once, then one by one where that is not the same.

        A line of JSON has no line feed in it, so texts of as many lines are the same if and only if every line is.
        """
        held = [parts[3] for parts in page]
        is_same = encode_lines(caused) == b"\n".join([*held, b""]) and rounds == [parts[1] for parts in page]
        if is_same and [len(events) for events in caused] == [parts[5] for parts in page]:
            return
        for parts, events, round_ in zip(page, caused, rounds, strict=True):
            again = encode_events(events)
            if again != parts[3]:
                raise Differs(parts[0], self._difference(parts, again))
            if len(events) != parts[5]:
                raise Differs(parts[0], f"it is said to hold {parts[5]} events, but holds {len(events)}")
            if round_ != parts[1]:
                raise Differs(parts[0], f"it is filed under round {parts[1]}, re-running gives {round_}")
