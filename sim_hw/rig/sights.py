"""What a scenario can wait to see, by name: `event round_settled`, `state`, `board`, `command shuffler dispense`.

A `Sight` knows whether it is there now, waits until it is, and can say what is there instead.
"""

from __future__ import annotations

import asyncio
import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from protocols.values import Value
from sim_hw.devices.models import DropBoxes, LinkModel, Wrong
from sim_hw.devices.reader_board.device import SimulatedReaderBoard
from sim_hw.rig.matching import differences, fits

if TYPE_CHECKING:
    from sim_hw.rig.stage import Stage

LISTED = 12
"""Things that were seen instead, the last of them."""


class Sight(ABC):
    """One thing to be seen."""

    up_to = 0
    """Events up to here are passed, once it was seen."""

    @abstractmethod
    def holds(self) -> bool: ...

    @abstractmethod
    async def wait(self) -> None: ...

    @abstractmethod
    def seen(self) -> str:
        """What it was."""

    @abstractmethod
    def instead(self) -> str: ...


def sight(stage: Stage, what: str, how: dict[str, Any], after: int) -> Sight:
    """The sight of this name; `Wrong` where there is none."""
    kind, _, name = what.partition(" ")
    match kind:
        case "event":
            return _Event(stage, name, how, after)
        case "state":
            return _State(stage, how)
        case "device":
            return _Device(stage, name, how)
        case "alarm":
            return _Alarm(stage, name, how)
        case "screen":
            return _Screen(stage, how)
        case "board":
            return _Board(stage, how)
        case "command":
            return _Command(stage, name, how)
        case "log":
            return _Log(stage, how)
        case "panel" | "boxes" | "shows":
            return _Shown(stage, name or kind, how)
        case "verify":
            return _Verify(stage)
    raise Wrong(
        f"nobody can see {what!r}; one can see event KIND, state, device NAME, alarm NAME, screen, board, "
        "command DEVICE NAME, shows DEVICE, log, verify"
    )


class _Heard(Sight):
    """Something that the broker tells."""

    def __init__(self, stage: Stage) -> None:
        self.watch = stage.watch

    async def wait(self) -> None:
        await self.watch.until(self.holds)


class _Event(_Heard):
    def __init__(self, stage: Stage, kind: str, how: dict[str, Any], after: int) -> None:
        super().__init__(stage)
        self._kind = kind
        self._after = 0 if how.pop("anywhere", False) else after
        self._times = int(how.pop("times", 1))
        self._expected = how
        self._found: dict[str, Any] = {}

    def holds(self) -> bool:
        left = self._times
        for index in range(self._after, len(self.watch.events)):
            event = self.watch.events[index]
            if event["kind"] == self._kind and fits(self._expected, event):
                left -= 1
                if not left:
                    self.up_to, self._found = index + 1, event
                    return True
        return False

    def seen(self) -> str:
        return _told(self._found)

    def instead(self) -> str:
        since = self.watch.events[self._after :]
        close = [event for event in since if event["kind"] == self._kind]
        lines = [f"    {_told(event)}" for event in since[-LISTED:]]
        text = "\n" + "\n".join(lines) if lines else "no event at all since the last step that saw one"
        if close:
            differs = "; ".join(differences(self._expected, close[-1])) or f"only {len(close)} times"
            text += f"\n  The nearest, #{close[-1]['seq']}: {differs}"
        return text


class _State(_Heard):
    def __init__(self, stage: Stage, how: dict[str, Any]) -> None:
        super().__init__(stage)
        self._expected = how

    def holds(self) -> bool:
        return fits(self._expected, self.watch.state)

    def seen(self) -> str:
        return f"{self.watch.state.get('phase')}: {self.watch.state.get('prompt')}"

    def instead(self) -> str:
        return "; ".join(differences(self._expected, self.watch.state)) + f". The table is {self.seen()}"


class _Device(_Heard):
    def __init__(self, stage: Stage, name: str, how: dict[str, Any]) -> None:
        super().__init__(stage)
        self._name, self._expected = name, how

    def holds(self) -> bool:
        return self._name in self.watch.devices and fits(self._expected, self.watch.devices[self._name])

    def seen(self) -> str:
        return str(self.watch.devices[self._name])

    def instead(self) -> str:
        if self._name not in self.watch.devices:
            return f"nothing was heard of {self._name}; only of {', '.join(self.watch.devices) or 'none'}"
        return "; ".join(differences(self._expected, self.watch.devices[self._name]))


class _Alarm(_Heard):
    """Raised now, or with `cleared = true` no longer."""

    def __init__(self, stage: Stage, name: str, how: dict[str, Any]) -> None:
        super().__init__(stage)
        self._name, self._cleared, self._text = name, bool(how.pop("cleared", False)), how.pop("text", "")
        if how:
            raise Wrong(f"an alarm has text and cleared, not {', '.join(how)}")

    def holds(self) -> bool:
        alarms = self.watch.state.get("alarms")
        if alarms is None:
            return False
        if self._cleared:
            return self._name not in alarms
        return self._name in alarms and self._text in alarms[self._name]

    def seen(self) -> str:
        return str(self.watch.state.get("alarms"))

    def instead(self) -> str:
        return f"the alarms are {self.seen()}"


class _Screen(Sight):
    def __init__(self, stage: Stage, how: dict[str, Any]) -> None:
        self._board, self._expected = stage.board, how
        self._last: dict[str, Any] = {}

    def holds(self) -> bool:
        return fits(self._expected, self._last)

    def _look(self, shown: dict[str, Any]) -> bool:
        self._last = shown
        return self.holds()

    async def wait(self) -> None:
        await self._board.screens(self._look)

    def seen(self) -> str:
        return f"{self._last.get('phase')}: {self._last.get('prompt')}"

    def instead(self) -> str:
        return "; ".join(differences(self._expected, self._last)) + f". The page shows {self.seen()}"


class _Board(Sight):
    """A text on any page of any sign of a reader board."""

    def __init__(self, stage: Stage, how: dict[str, Any]) -> None:
        name = how.get("on") or stage.rig.first("reader_board")
        if name is None:
            raise Wrong("there is no reader board on this table")
        self._text = str(how.get("text", ""))
        self._model = stage.rig.of(SimulatedReaderBoard, name)

    @property
    def _pages(self) -> list[str]:
        return [" / ".join(row.strip() for row in page) for sign in self._model.signs for page in sign.pages]

    def holds(self) -> bool:
        return any(self._text in page for page in self._pages)

    async def wait(self) -> None:
        await self._model.until(self.holds)

    def seen(self) -> str:
        return next((page for page in self._pages if self._text in page), "")

    def instead(self) -> str:
        return " | ".join(self._pages) or "the board shows nothing"


class _OnDevice(Sight):
    """Something that the controller makes a device do."""

    def __init__(self, stage: Stage, device: str) -> None:
        model = stage.rig[device]
        if not isinstance(model, LinkModel | DropBoxes):
            raise Wrong(f"the {device} takes no such commands; look at the board")
        self._model = model

    async def wait(self) -> None:
        if isinstance(self._model, DropBoxes):
            await self._model.bus.wait_until(self.holds)
        else:
            await self._model.link.wait_until(self.holds)


class _Command(_OnDevice):
    """A command that reached a device: its name in small letters, its fields by name."""

    def __init__(self, stage: Stage, what: str, how: dict[str, Any]) -> None:
        device, _, self._name = what.partition(" ")
        super().__init__(stage, device)
        self._expected = how

    def _given(self) -> list[tuple[str, dict[str, Any]]]:
        told: Iterable[object]
        if isinstance(self._model, DropBoxes):
            told = [asked.request for asked in self._model.bus.asked]
        else:
            told = self._model.commands
        return [(_snake(type(command).__name__), _fields(command)) for command in told]

    def holds(self) -> bool:
        return any(name == self._name and fits(self._expected, fields) for name, fields in self._given())

    def seen(self) -> str:
        return next(
            (f"{name} {fields}" for name, fields in reversed(self._given()) if fits(self._expected, fields)), ""
        )

    def instead(self) -> str:
        return "; ".join(f"{name} {fields}" for name, fields in self._given()[-LISTED:]) or "no command at all"


class _Shown(_OnDevice):
    """How a device stands that shows something: a panel's lines, a lamp, a shuffler's phase; its fields by name."""

    def __init__(self, stage: Stage, device: str, how: dict[str, Any]) -> None:
        super().__init__(stage, device)
        self._box = how.pop("box", None)
        self._expected = how

    def _standing(self) -> dict[str, Any]:
        model: object = self._model
        if isinstance(self._model, DropBoxes):
            model = self._model.sensor(self._box or "collection")
        return {name: _plain(getattr(model, name, None)) for name in self._expected}

    def holds(self) -> bool:
        return fits(self._expected, self._standing())

    def seen(self) -> str:
        return str(self._standing())

    def instead(self) -> str:
        return "; ".join(differences(self._expected, self._standing()))


class _Log(Sight):
    """A text in the daemon's log."""

    def __init__(self, stage: Stage, how: dict[str, Any]) -> None:
        self._log, self._text = stage.board.log, str(how.get("text", ""))

    def holds(self) -> bool:
        return self._text in self._log.read_text(errors="replace")

    async def wait(self) -> None:
        while not self.holds():  # noqa: ASYNC110  # a file has no event to wait for
            await asyncio.sleep(0.02)

    def seen(self) -> str:
        return next(line for line in self._log.read_text(errors="replace").split("\n") if self._text in line)

    def instead(self) -> str:
        return "\n    ".join(self._log.read_text(errors="replace").split("\n")[-LISTED:])


class _Verify(Sight):
    """`cutcard verify` on the journal passes."""

    def __init__(self, stage: Stage) -> None:
        self._board = stage.board
        self._said = ""

    def holds(self) -> bool:
        return bool(self._said)

    async def wait(self) -> None:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "controller.cli", "verify", str(self._board.data / "journal.db")),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        out, _ = await process.communicate()
        self._said = out.decode(errors="replace").strip()
        if process.returncode:
            raise Wrong(f"the journal does not verify: {self._said}")

    def seen(self) -> str:
        return self._said.split("\n")[-1]

    def instead(self) -> str:
        return self._said


def _told(event: dict[str, Any]) -> str:
    rest = " ".join(f"{key}={value}" for key, value in event.items() if key not in ("kind", "seq", "at", "round"))
    return f"#{event['seq']} {event['kind']} {rest}"[:200]


def _fields(command: object) -> dict[str, Any]:
    if isinstance(command, Value):
        return {name: _plain(value) for name, value in asdict(command).items()}
    return {}


def _plain(value: object) -> object:
    """As a scenario's file can write it."""
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
