"""What the controller makes a device do or show."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from protocols.values import Value
from sim_hw.devices.drop_box.device import DropBoxes
from sim_hw.devices.kinds import Wrong
from sim_hw.devices.link_device import LinkDevice
from sim_hw.devices.reader_board.device import SimulatedReaderBoard
from sim_hw.rig.scenario.matching import differences, fits
from sim_hw.rig.scenario.sights.sight import LISTED, Sight
from sim_hw.rig.wire import LeftOut, RealDevice

if TYPE_CHECKING:
    from sim_hw.rig.scenario.stage import Stage


class SignSight(Sight):
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
        return " | ".join(self._pages) or "the sign shows nothing"


class OnDevice(Sight):
    """Something that the controller makes a device do."""

    def __init__(self, stage: Stage, device: str) -> None:
        model = stage.rig[device]
        if isinstance(model, RealDevice):
            raise LeftOut(f"the {device} is a real one: the rig cannot look into it")
        if not isinstance(model, LinkDevice | DropBoxes):
            raise Wrong(f"the {device} takes no such commands; see = 'board' shows a sign")
        self._model = model

    async def wait(self) -> None:
        if isinstance(self._model, DropBoxes):
            await self._model.bus.wait_until(self.holds)
        else:
            await self._model.link.wait_until(self.holds)


class CommandSight(OnDevice):
    """A command that reached a device: its name in small letters, its fields by name."""

    def __init__(self, stage: Stage, what: str, how: dict[str, Any]) -> None:
        device, _, self._name = what.partition(" ")
        super().__init__(stage, device)
        self._expected = how

    def _given(self) -> list[tuple[str, dict[str, Any]]]:
        commands: Iterable[object]
        if isinstance(self._model, DropBoxes):
            commands = [asked.request for asked in self._model.bus.asked]
        else:
            commands = self._model.commands
        return [(_snake(type(command).__name__), _fields(command)) for command in commands]

    def holds(self) -> bool:
        return any(name == self._name and fits(self._expected, fields) for name, fields in self._given())

    def seen(self) -> str:
        return next(
            (f"{name} {fields}" for name, fields in reversed(self._given()) if fits(self._expected, fields)), ""
        )

    def instead(self) -> str:
        return "; ".join(f"{name} {fields}" for name, fields in self._given()[-LISTED:]) or "no command at all"


class StatusSight(OnDevice):
    """What a device shows: a panel's lines, a lamp, a shuffler's phase; its fields by name."""

    def __init__(self, stage: Stage, device: str, how: dict[str, Any]) -> None:
        super().__init__(stage, device)
        self._box = how.pop("box", None)
        self._expected = how

    def _status(self) -> dict[str, Any]:
        model: object = self._model
        if isinstance(self._model, DropBoxes):
            model = self._model.sensor(self._box or "collection")
        return {name: _plain(getattr(model, name, None)) for name in self._expected}

    def holds(self) -> bool:
        return fits(self._expected, self._status())

    def seen(self) -> str:
        return str(self._status())

    def instead(self) -> str:
        return "; ".join(differences(self._expected, self._status()))


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
