"""Events, state, devices and alarms, as a subscriber receives them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim_hw.devices.kinds import Wrong
from sim_hw.rig.scenario.matching import differences, fits
from sim_hw.rig.scenario.sights.sight import LISTED, Sight

if TYPE_CHECKING:
    from sim_hw.rig.scenario.stage import Stage


class Published(Sight):
    """Something that is published."""

    def __init__(self, stage: Stage) -> None:
        self.subscriber = stage.subscriber

    async def wait(self) -> None:
        await self.subscriber.until(self.holds)


class EventSight(Published):
    def __init__(self, stage: Stage, kind: str, how: dict[str, Any], after: int) -> None:
        super().__init__(stage)
        self._kind = kind
        self._after = 0 if how.pop("anywhere", False) else after
        self._times = int(how.pop("times", 1))
        self._expected = how
        self._found: dict[str, Any] = {}

    def holds(self) -> bool:
        left = self._times
        for index in range(self._after, len(self.subscriber.events)):
            event = self.subscriber.events[index]
            if event["kind"] == self._kind and fits(self._expected, event):
                left -= 1
                if not left:
                    self.up_to, self._found = index + 1, event
                    return True
        return False

    def seen(self) -> str:
        return _text(self._found)

    def instead(self) -> str:
        since = self.subscriber.events[self._after :]
        close = [event for event in since if event["kind"] == self._kind]
        lines = [f"    {_text(event)}" for event in since[-LISTED:]]
        text = "\n" + "\n".join(lines) if lines else "no event at all since the last step that saw one"
        if close:
            differs = "; ".join(differences(self._expected, close[-1])) or f"only {len(close)} times"
            text += f"\n  The nearest, #{close[-1]['seq']}: {differs}"
        return text


class StateSight(Published):
    def __init__(self, stage: Stage, how: dict[str, Any]) -> None:
        super().__init__(stage)
        self._expected = how

    def holds(self) -> bool:
        return fits(self._expected, self.subscriber.state)

    def seen(self) -> str:
        return f"{self.subscriber.state.get('phase')}: {self.subscriber.state.get('prompt')}"

    def instead(self) -> str:
        return "; ".join(differences(self._expected, self.subscriber.state)) + f". The table is {self.seen()}"


class DeviceSight(Published):
    def __init__(self, stage: Stage, name: str, how: dict[str, Any]) -> None:
        super().__init__(stage)
        self._name, self._expected = name, how

    def holds(self) -> bool:
        return self._name in self.subscriber.devices and fits(self._expected, self.subscriber.devices[self._name])

    def seen(self) -> str:
        return str(self.subscriber.devices[self._name])

    def instead(self) -> str:
        if self._name not in self.subscriber.devices:
            return f"nothing was published of {self._name}; only of {', '.join(self.subscriber.devices) or 'none'}"
        return "; ".join(differences(self._expected, self.subscriber.devices[self._name]))


class AlarmSight(Published):
    """Raised now, or with `cleared = true` no longer."""

    def __init__(self, stage: Stage, name: str, how: dict[str, Any]) -> None:
        super().__init__(stage)
        self._name, self._cleared, self._text = name, bool(how.pop("cleared", False)), str(how.pop("text", "*"))
        if how:
            raise Wrong(f"an alarm has text and cleared, not {', '.join(how)}")

    def holds(self) -> bool:
        alarms = self.subscriber.state.get("alarms")
        if alarms is None:
            return False
        if self._cleared:
            return self._name not in alarms
        # A part of the text is enough, with or without the ~ that says so elsewhere.
        wanted = self._text if self._text == "*" else f"~{self._text.removeprefix('~')}"
        return self._name in alarms and fits(wanted, alarms[self._name]["text"])

    def seen(self) -> str:
        return str(self.subscriber.state.get("alarms"))

    def instead(self) -> str:
        return f"the alarms are {self.seen()}"


def _text(event: dict[str, Any]) -> str:
    rest = " ".join(f"{key}={value}" for key, value in event.items() if key not in ("kind", "seq", "at", "round"))
    return f"#{event['seq']} {event['kind']} {rest}"[:200]
