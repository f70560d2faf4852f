"""How a part of the daemon raises and clears an alarm of the board: one entry of the journal each, and no repeat."""

from __future__ import annotations

from controller.engine.actor import Actor
from controller.engine.alarms import AlarmName, kind_of
from controller.engine.inputs import BoardSeen
from controller.recorder.recorder import Recorder


async def set_alarm(recorder: Recorder, alarm: AlarmName, text: str | None, by: str | Actor = "board") -> None:
    """Raise the alarm with this text, or clear it with None, unless the table is in that state already.

    `JournalError`: it could not be written, and nothing was changed.
    """
    state = recorder.engine.state
    if text is None:
        is_done = alarm not in state.alarms and alarm not in state.accepted
    else:
        is_done = text in (state.alarms.get(alarm), state.accepted.get(alarm))
    if is_done:
        return
    kind = kind_of(alarm)
    stops = text is not None and kind is not None and kind.stops
    await recorder.submit(BoardSeen(alarm, text is not None, text or "", stops), by)
