"""What a person who watches tables reads of an event.

The words are those of `cutcard replay`, except where these are for an inspector of a journal: a device's serial
number and firmware, digests, request numbers. An alarm has what to do about it.
"""

from __future__ import annotations

from controller.engine import events as ev
from controller.engine.alarms import advice
from controller.engine.amounts import money
from controller.evidence.names import person
from controller.evidence.words import EventOrUnknown, Stakes, Words

_DEVICE_STATES = {
    "connecting": "is being looked for",
    "online": "works",
    "offline": "DOES NOT ANSWER",
    "wrong_device": "IS ANOTHER DEVICE than the configuration names",
}


class WatcherWords:
    """Events as lines."""

    def __init__(self, words: Words) -> None:
        self._words = words

    def of_event(self, event: EventOrUnknown, stakes: Stakes) -> list[str]:
        match event:
            case ev.AlarmRaised():
                return [*self._words.of_event(event, stakes), *to_do(advice(event.alarm).to_do)]
            case ev.DeviceChanged():
                state = _DEVICE_STATES.get(event.state, f"is {event.state.replace('_', ' ')}")
                return [f"The {event.device.replace('_', ' ')} {state}"]
            case ev.TableStarted():
                mode = ", TEST MODE" if event.test else ""
                return [f"The table's computer has started; it deals {event.ruleset}{mode}"]
            case ev.TableConfigured():
                return [f"New settings, by {person(event.by)}: {', '.join(event.changed)}"]
            case ev.RulesSet():
                most = "no limit" if event.max_wager is None else money(event.max_wager)
                return [f"It deals {event.ruleset} now, wagers from {money(event.min_wager)} to {most}"]
            case ev.UpdateStarted():
                return [f"The {event.device} gets new firmware, {event.version} instead of {event.before}"]
            case ev.Commanded():
                done = "done" if event.ok else f"REFUSED ({event.why.replace('_', ' ')})"
                return [f"{person(event.by)} asked for {event.command!r} from outside: {done}"]
        return self._words.of_event(event, stakes)


def to_do(text: str) -> list[str]:
    """A line below an alarm, where it is known what to do."""
    return [f"  To do: {text}"] if text else []
