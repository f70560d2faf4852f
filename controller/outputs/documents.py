"""What a table shows: to players and dealer on their screens and boards, to the broker as the retained state, to
`systemctl status` in a line.

Nothing is shown while it is being written: it may yet fail. Whoever looks is told when that is over, either way.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

from msgspec.structs import replace

from controller.config import Config
from controller.engine.alarms import JOURNAL
from controller.engine.expect.expectation import prompt
from controller.mqtt import Publisher
from controller.mqtt.documents import Documents
from controller.operator.console_view import console_document
from controller.outputs.device_commands import DeviceCommands
from controller.outputs.view import Roads, encode_state, phase_of, state, view
from controller.outputs.view_types import HeldView, encode_view
from controller.recorder.recorder import Recorder
from controller.web.feed import Feed, LazyFeed
from controller.web.table_api import FedRound, fed_round


class TableDocuments:
    """One table, as others see it."""

    def __init__(
        self,
        config: Config,
        recorder: Recorder,
        publisher: Publisher,
        commands: DeviceCommands,
        seconds_to_bet: Callable[[], int | None],
    ) -> None:
        """`seconds_to_bet`: what is left until the bets close by themselves, if they do."""
        self._recorder, self._publisher, self._commands = recorder, publisher, commands
        self._seconds_to_bet = seconds_to_bet
        self._documents = Documents(publisher, config.site, config.table)
        self._stated = b""
        self.change(config)
        self._feed = Feed(self._view())
        self.console = LazyFeed(self._console_document, lambda: self._recorder.is_writing)

    def change(self, config: Config) -> None:
        """By this configuration from now on; `tell_screens` shows what it changes."""
        self._config = config
        self._board = Roads(config.display.tail, ask_marks=config.display.ask_marks)

    def current(self) -> bytes:
        """The view document, for the screens."""
        return self._feed.current()

    def subscribe(self) -> AsyncIterator[bytes]:
        return self._feed.subscribe()

    def tell_screens(self) -> None:
        if self._recorder.is_writing:
            return
        self._feed.publish(self._view())
        self.console.change()

    def tell_publisher(self) -> None:
        self._publisher.state_changed(self.state())
        self._documents.tell(self._recorder.engine.state)

    def state(self) -> bytes:
        """The retained state document."""
        if not (self._recorder.is_writing and self._stated):
            self._stated = encode_state(state(self._recorder.engine, self._config, self._recorder.journal.head.seq))
        return self._stated

    def status_line(self) -> str | None:
        """What `systemctl status` shows: whatever is wrong, then what the table waits for."""
        if self._recorder.is_writing:
            return None
        engine = self._recorder.engine
        wrong = [f"ALARM {name}: {text}" for name, text in engine.state.alarms.items()]
        if self._recorder.trouble is not None:
            wrong.insert(0, f"ALARM {JOURNAL.of()}: {self._recorder.trouble}")
        return "; ".join([*wrong, f"{phase_of(engine)}, {prompt(engine.expectation)}"])

    def fed(self) -> FedRound:
        """What was put into the running round, or into the last one before the next begins."""
        engine = self._recorder.engine
        played = engine.played if engine.is_dealing or engine.last is None else engine.last
        return fed_round(engine.round_number, played.inputs)

    def _console_document(self) -> bytes:
        return console_document(
            self._recorder.engine,
            self._feed.current(),
            keys_cards=not self._commands.cards_are_read(),
            trouble=self._recorder.trouble,
        )

    def _view(self) -> bytes:
        shown = view(
            self._recorder.engine,
            self._config,
            self._recorder.journal.head.seq,
            self._board,
            broker_online=self._publisher.connected,
            bets_close_in=self._seconds_to_bet(),
        )
        if self._recorder.trouble is not None:
            shown = replace(shown, phase="held", held=HeldView("journal", self._recorder.trouble))
        self._commands.show(shown)
        return encode_view(shown)
