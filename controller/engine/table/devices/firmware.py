"""New firmware for a device: only between rounds, and no round begins before it has ended, well or not."""

from __future__ import annotations

from collections.abc import Mapping

from controller.engine import events as ev
from controller.engine.inputs import FirmwareUpdate

_STOP = "firmware:"


def updates_in(stops: Mapping[str, str]) -> tuple[str, ...]:
    """The devices that are being given new firmware, from what prevents a round."""
    return tuple(name.removeprefix(_STOP) for name in stops if name.startswith(_STOP))


def step(stops: Mapping[str, str], body: FirmwareUpdate, *, dealing: bool) -> tuple[dict[str, str], list[ev.Event]]:
    """What prevents a round after this step, and its events. `dealing`: a round is running."""
    running = updates_in(stops)
    facts = (body.device, body.version, body.before, body.image, body.signer)
    if body.step == "started":
        if dealing:
            text = f"a round is running; {body.device} gets new firmware between rounds only"
            return dict(stops), [ev.Refused("firmware_update", "round_running", text)]
        if running:
            text = f"{running[0]} is being given new firmware; one device at a time"
            return dict(stops), [ev.Refused("firmware_update", "update_running", text)]
        text = f"{body.device} is being given firmware {body.version}"
        return {**stops, _STOP + body.device: text}, [ev.UpdateStarted(*facts)]
    if body.device not in running:
        text = f"{body.device} is not being given new firmware"
        return dict(stops), [ev.Refused("firmware_update", "no_update", text)]
    left = {name: text for name, text in stops.items() if name != _STOP + body.device}
    if body.step == "verified":
        return left, [ev.UpdateVerified(*facts)]
    return left, [ev.UpdateFailed(*facts, body.text)]
