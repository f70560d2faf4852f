"""The rig: a table's simulated devices, side by side in one folder.

    plan = {"shoe": DevicePlan("shoe"), "boxes": DevicePlan("drop_box", options={"sensors": [...]})}
    with Rig(folder, plan, seed=7) as rig:
        await rig.act("shoe", "load", cards="9h 2c 8d 3s")
        await rig.act("shoe", "draw")
        await rig.fault("unplug", "shoe")

A plan lists the devices of a table. Each device appears where its plan puts it: on a pseudo-terminal with the device's
name in the rig's folder, on a network socket, or on the rig's USB bus, which another process reaches over the socket
`usb` in the folder (`environment`). What people do with devices is an act by name (`sim_hw.rig.acts`), what goes wrong
a fault by name (`sim_hw.rig.faults`); both are recorded in `story`, with their results.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from sim_hw.conform.hands import Hands
from sim_hw.devices.kinds import DevicePlan, SimulatedDevice, Wrong, build, kind_of
from sim_hw.rig.acts import act_on, acts_of, check_arguments
from sim_hw.rig.faults import Faults, find
from sim_hw.rig.story import Done
from sim_hw.rig.wire import LeftOut, RealDevice
from sim_hw.time.clock import SimClock
from sim_hw.usb.backend import SimulatedBus
from sim_hw.usb.server import UsbServer

USB_SOCKET = "CUTCARD_USB"
"""The environment variable that names the rig's USB bus to a daemon."""

LINK_BAUD = 115_200

T = TypeVar("T")


class Rig:
    """All devices of a plan. Unplugged at first: `plug` it, or use it as a context."""

    def __init__(
        self,
        folder: Path,
        plan: Mapping[str, DevicePlan],
        *,
        seed: int | str = 0,
        clock: SimClock | None = None,
        hands: Hands | None = None,
    ) -> None:
        """`hands`: who acts at the real devices of the plan, which are then behind a wire with faults."""
        self.folder, self.plan, self.seed = folder, dict(plan), seed
        self.clock = clock or SimClock.at("max")
        self.usb = SimulatedBus()
        self.models: dict[str, SimulatedDevice] = {}
        for name, device in self.plan.items():
            if not device.port:
                self.models[name] = build(name, device, folder, self.usb, clock=self.clock, seed=seed)
            elif hands is not None:
                kind = kind_of(device.kind)
                baud, parity = kind.baud or LINK_BAUD, device.options.get("parity", kind.parity)
                self.models[name] = RealDevice(
                    folder, name, device.port, baud=baud, parity=parity, seed=seed, hands=hands
                )
        self.faults = Faults(random.Random(f"{seed}/faults"))
        self.story: list[Done] = []
        self.last_seq: Callable[[], int] = lambda: 0
        """The number of the table's last event, where there is a daemon beside the rig."""
        self._usb_server: UsbServer | None = None

    def __getitem__(self, name: str) -> SimulatedDevice:
        """The simulated device of this name."""
        if name in self.plan and name not in self.models:
            raise Wrong(f"the {name} of this table is a real one, on {self.plan[name].port}: the rig cannot move it")
        if name not in self.models:
            raise Wrong(f"there is no device {name!r} on this table; there is {', '.join(self.plan) or 'none at all'}")
        return self.models[name]

    def of(self, kind: type[T], name: str) -> T:
        """The same, by its type."""
        model = self[name]
        if isinstance(model, RealDevice):
            raise LeftOut(f"the {name} is a real one: the rig cannot look into it")
        if not isinstance(model, kind):
            raise Wrong(f"the {name} is a {type(model).__name__}, not a {kind.__name__}")
        return model

    def first(self, kind: str) -> str | None:
        """The name of the first device of a kind."""
        return next((name for name, device in self.plan.items() if device.kind == kind), None)

    @property
    def _has_usb(self) -> bool:
        return any(kind_of(device.kind).on_usb for device in self.plan.values())

    def plug(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        for model in self.models.values():
            model.plug()
        if self._usb_server is None and self._has_usb:
            self._usb_server = UsbServer(self.usb, self.folder / "usb")
            self._usb_server.start()

    def unplug(self) -> None:
        """Unplug everything and stop whatever moves."""
        for model in self.models.values():
            model.close()
        if self._usb_server is not None:
            self._usb_server.stop()
            self._usb_server = None

    def __enter__(self) -> Self:
        self.plug()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.unplug()

    async def wait_online(self) -> None:
        """Until a controller has found every simulated device."""
        for model in self.models.values():
            await model.wait_online()

    async def act(self, device: str, do: str, /, **how: object) -> object:
        """What a person does with a device; returns what they then hold or see. `Wrong` where that cannot be."""
        model = self[device]
        for name in self.faults.due(device):
            await self.fault(name, device)
        done = self.noted(Done("do", device, do, how))
        try:
            if isinstance(model, RealDevice):
                acts = acts_of(self.plan[device].kind)
                if do not in acts:
                    raise Wrong(f"a {self.plan[device].kind} has no act {do!r}; it has {', '.join(sorted(acts))}")
                check_arguments(acts[do], how, f"{device} {do}")
                await model.do(do, how)
            else:
                done.gave = await act_on(model, self.plan[device].kind, do, how)
        except Wrong:
            self.story.remove(done)
            raise
        return done.gave

    async def fault(self, name: str, device: str, /, **how: object) -> None:
        """A fault of a device begins, now, or from now on at a rate (`rate`)."""
        model = self[device]
        fault = find(name, self.plan[device].kind)
        if isinstance(model, RealDevice) and not (fault.by_wire or name in ("unplug", "stuck")):
            await model.do(name, how)
            return
        self.noted(Done("fault", device, name, how))
        await self.faults.begin(name, device, model, self.plan[device].kind, how)

    async def fix(self, name: str, device: str, /) -> None:
        """The fault ends."""
        self.noted(Done("fix", device, name, {}))
        await self.faults.end(name, device, self[device], self.plan[device].kind)

    def noted(self, done: Done) -> Done:
        """Add something to the story, with its time."""
        done.at_ms, done.before_seq = self.clock.now_ms(), self.last_seq()
        self.story.append(done)
        return done

    # What the daemon beside it needs

    def url(self, name: str) -> str:
        device = self.plan[name]
        if device.port and name not in self.models:
            return device.port
        return self[name].url

    def environment(self) -> dict[str, str]:
        """What the environment of a process must say so that it sees the rig's USB bus in place of the machine's."""
        return {USB_SOCKET: str(self.folder / "usb")} if self._has_usb else {}

    def _options(self, name: str, device: DevicePlan) -> Mapping[str, Any]:
        if name not in self.models:
            return device.options
        options = {**kind_of(device.kind).patient_options, **device.options}
        if device.on == "tcp" or kind_of(device.kind).parity == "none":
            return options
        return {**options, "parity": "none"}

    def devices_config(self) -> list[dict[str, Any]]:
        """The `[[devices]]` of the daemon's config."""
        return [
            {
                "id": name,
                "kind": device.kind,
                "url": self.url(name),
                **({} if (baud := kind_of(device.kind).baud) is None else {"baud": baud}),
                "required": device.required,
                "options": self._options(name, device),
            }
            for name, device in self.plan.items()
        ]
