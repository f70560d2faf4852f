"""The documents that show a table: the view for its screens, the console's document, the retained state for the broker,
and one line for `systemctl status`.

While an input is being written, nothing changes here: the write may yet fail. The recorder calls `renew` afterwards.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from controller.config import Config
from controller.engine.alarms import JOURNAL
from controller.engine.expect.expectation import prompt
from controller.mqtt import Publishers
from controller.mqtt.device_alarm_documents import DeviceAlarmDocuments
from controller.operator.console_view import console_document
from controller.outputs.device_commands import DeviceCommands
from controller.outputs.state import encode_state, state
from controller.outputs.view import JOURNAL_LIFTS, Roads, view
from controller.outputs.view_types import HeldView, encode_view
from controller.recorder.recorder import Recorder
from controller.web.feed import Feed, LazyFeed
from controller.web.house_pictures import NONE, Pictures
from controller.web.table_api import RoundInputs, round_inputs


class TableDocuments:
    """The documents of one table, renewed after every commit."""

    def __init__(
        self,
        config: Config,
        recorder: Recorder,
        publishers: Publishers,
        commands: DeviceCommands,
        *,
        seconds_to_bet: Callable[[], int | None],
        pictures: Callable[[], Pictures] = lambda: NONE,
    ) -> None:
        """`seconds_to_bet`: the time until a timer closes the bets, if one runs. `pictures`: the house's."""
        self._recorder, self._publishers, self._commands = recorder, publishers, commands
        self._seconds_to_bet, self._pictures = seconds_to_bet, pictures
        self._devices_and_alarms = DeviceAlarmDocuments(publishers, recorder.journal)
        self._state = b""
        self._state_is_of: tuple[object, ...] = ()
        self.change(config)
        self.view = Feed(self._view())
        self.console = LazyFeed(self._console_document, lambda: self._recorder.is_writing)

    def change(self, config: Config) -> None:
        """Use this configuration from now on; the next renewal shows it."""
        self._config = config
        self._roads = Roads(config.display.tail, ask_marks=config.display.ask_marks)

    def renew(self) -> None:
        self.renew_retained()
        self.renew_screens()

    def renew_screens(self) -> None:
        if self._recorder.is_writing:
            return
        self.view.publish(self._view())
        self.console.change()

    def renew_retained(self) -> None:
        self._publishers.state_changed(self.state())
        self._devices_and_alarms.renew(self._recorder.engine.state)

    def state(self) -> bytes:
        """The retained state document."""
        if not (self._recorder.is_writing and self._state):
            engine, journal = self._recorder.engine, self._recorder.journal
            made_of = engine, journal.head, self._config
            if self._state_is_of != made_of:
                self._state = encode_state(state(engine, self._config, journal.id, journal.head.seq))
                self._state_is_of = made_of
        return self._state

    def status_line(self) -> str | None:
        """For `systemctl status`: the alarms, then what the table waits for. None while an input is being written."""
        if self._recorder.is_writing:
            return None
        engine = self._recorder.engine
        wrong = [f"ALARM {name}: {text}" for name, text in engine.state.alarms.items()]
        if self._recorder.trouble is not None:
            wrong.insert(0, f"ALARM {JOURNAL.of()}: {self._recorder.trouble}")
        return "; ".join([*wrong, f"{engine.waits.phase}, {prompt(engine.expectation)}"])

    def round_inputs(self) -> RoundInputs:
        """The inputs of the running round, or of the last one before the next begins."""
        engine = self._recorder.engine
        played = engine.played if engine.is_dealing or engine.last is None else engine.last
        return round_inputs(engine.round_number, played.inputs)

    def _console_document(self) -> bytes:
        return console_document(
            self._recorder.engine,
            self.view.current(),
            keys_cards=not self._commands.cards_are_read(),
            trouble=self._recorder.trouble,
            chips=self._config.console.chips,
        )

    def _view(self) -> bytes:
        shown = view(
            self._recorder.engine,
            self._config,
            self._recorder.journal.head.seq,
            self._roads,
            broker_online=self._publishers.connected,
            bets_close_in=self._seconds_to_bet(),
            pictures=self._pictures(),
        )
        if self._recorder.trouble is not None:
            shown = replace(shown, phase="held", held=HeldView("journal", self._recorder.trouble, JOURNAL_LIFTS))
        self._commands.show(shown)
        return encode_view(shown)
