"""The sight for a name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim_hw.devices.kinds import Wrong
from sim_hw.rig.scenario.sights.daemon import LogSight, ScreenSight, VerifySight
from sim_hw.rig.scenario.sights.devices import CommandSight, SignSight, StatusSight
from sim_hw.rig.scenario.sights.published import AlarmSight, DeviceSight, EventSight, StateSight
from sim_hw.rig.scenario.sights.sight import Sight

if TYPE_CHECKING:
    from sim_hw.rig.scenario.stage import Stage


def sight_of(stage: Stage, what: str, how: dict[str, Any], after: int) -> Sight:
    """The sight of this name; `Wrong` where there is none."""
    kind, _, name = what.partition(" ")
    match kind:
        case "event":
            return EventSight(stage, name, how, after)
        case "state":
            return StateSight(stage, how)
        case "device":
            return DeviceSight(stage, name, how)
        case "alarm":
            return AlarmSight(stage, name, how)
        case "screen":
            return ScreenSight(stage, how)
        case "board":
            return SignSight(stage, how)
        case "command":
            return CommandSight(stage, name, how)
        case "log":
            return LogSight(stage, how)
        case "panel" | "boxes" | "shows":
            return StatusSight(stage, name or kind, how)
        case "verify":
            return VerifySight(stage)
    raise Wrong(
        f"{what!r} cannot be seen; what can is event KIND, state, device NAME, alarm NAME, screen, board, "
        "command DEVICE NAME, shows DEVICE, log, verify"
    )
