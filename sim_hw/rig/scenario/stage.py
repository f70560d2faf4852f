"""Plays a scenario, step after step: a rig, a broker, a daemon and a subscriber.

Every wait is bounded. What was expected and not seen is a `NotSeen`: which step, in which line of the file, and what
was seen instead. What goes wrong with the table rather than with a device is done here: broker away, disk full, daemon
killed, clock jump.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import msgspec

from sim_hw.conform.hands import Hands
from sim_hw.devices.kinds import DevicePlan, Wrong
from sim_hw.people.baccarat import TableSaidNo
from sim_hw.people.crew import Stuck
from sim_hw.rig import crew
from sim_hw.rig.acts import check_arguments
from sim_hw.rig.faults import TABLE_FAULTS
from sim_hw.rig.rig import Rig
from sim_hw.rig.scenario.file import Scenario, Step
from sim_hw.rig.scenario.sights.find import sight_of
from sim_hw.rig.scenario.sights.sight import Sight
from sim_hw.rig.story import Done
from sim_hw.rig.table.broker import Broker
from sim_hw.rig.table.config import table_config
from sim_hw.rig.table.daemon import DaemonProcess, hire
from sim_hw.rig.table.process import START_S, TableError
from sim_hw.rig.table.subscriber import Subscriber
from sim_hw.rig.wire import LeftOut, RealDevice
from sim_hw.time.clock import SimClock

WITHIN_S = 30.0
"""Real seconds that a step may take, unless it says otherwise: a busy machine, not a slow table."""
LONGEST_ACT_S = 120.0
"""The table's seconds of the longest act: a shuffler shuffles, and somebody waits for it."""
PACE_S = 1.0
"""The table's seconds before each thing that is done: at real speed a person can follow the story."""

FLOOR = ("floor", "amend")
"""Kinds of acts that only the floor does."""


class NotSeen(AssertionError):
    """An expectation of a scenario failed."""


Show = Callable[[Step, str], None]


class Stage:
    """A scenario being played."""

    def __init__(
        self, scenario: Scenario, rig: Rig, daemon: DaemonProcess, broker: Broker, subscriber: Subscriber
    ) -> None:
        self.scenario, self.rig, self.broker = scenario, rig, broker
        self.daemon, self.subscriber = daemon, subscriber
        rig.last_seq = daemon.last_seq
        self._rates: dict[str, float] = {}
        """Of the table's own faults."""
        self._rng = random.Random(f"{scenario.seed}/table")
        self._seen_up_to = 0
        """The number of events that a `see` has used already."""

    async def play(self, show: Show | None = None) -> None:
        """All steps; `NotSeen` with the first expectation that failed."""
        for step in self.scenario.steps:
            came = await self.take(step)
            if show is not None:
                show(step, came)
        await self._nothing_lost()

    async def take(self, step: Step) -> str:
        """One step; returns its result in a few words."""
        usual = (START_S if self._starts_daemon(step) else WITHIN_S) + self.rig.clock.takes(LONGEST_ACT_S)
        within = float(step.how.get("within", usual))
        how = {key: value for key, value in step.how.items() if key != "within"}
        try:
            async with asyncio.timeout(within):
                return await self._take(step, how)
        except LeftOut as reason:
            return f"left out: {reason}"
        except TimeoutError:
            raise NotSeen(f"{self._where(step)}\n  {await self._instead(step, how, within)}") from None
        except (Wrong, TableError, TableSaidNo, Stuck, aiohttp.ClientError) as error:
            raise NotSeen(f"{self._where(step)}\n  {error}") from error
        except NotSeen as error:
            raise NotSeen(f"{self._where(step)}\n  {error}") from None

    async def _take(self, step: Step, how: dict[str, Any]) -> str:
        match step.verb:
            case "pause":
                await self.rig.clock.sleep(float(step.what))
                return ""
            case "do":
                await self.rig.clock.sleep(PACE_S)
                for name in self._due():
                    await self._begin(name, {})
                    await self._end(name)
                device, _, act = step.what.partition(" ")
                return await self._do(device, act, how)
            case "fault":
                await self._fault(step.what, how)
                return ""
            case "fix":
                await self._mend(step.what, how.get("on"))
                return ""
            case "see":
                looked = self._sight(step.what, how)
                await looked.wait()
                self._seen_up_to = max(self._seen_up_to, looked.up_to)
                return looked.seen()
            case "never":
                looked = self._sight(step.what, how)
                if looked.holds():
                    raise NotSeen(f"it was seen: {looked.seen()}")
                return ""

    def _starts_daemon(self, step: Step) -> bool:
        return step.what in ("daemon start", "daemon restart", "daemon_killed") or "daemon_killed" in self._rates

    # Doing

    async def _do(self, device: str, act: str, how: dict[str, Any]) -> str:
        match device:
            case "console":
                return await self._at_console(act, how)
            case "daemon":
                await self._daemon(act)
                return ""
            case "people":
                if act != "play":
                    raise Wrong(f"people play; they do not {act!r}")
                known = check_arguments(crew.play, how, "people play")
                done = self.rig.noted(Done("do", "people", act, how))
                dealt = await crew.play(self.rig, self.daemon.console, self.scenario.table.seats, **known)
                done.until_seq = (await self.daemon.screen())["seq"]
                return f"{dealt} rounds"
            case _ if device not in self.rig.plan:
                names = ", ".join(["console", "people", "daemon", *self.rig.plan])
                raise Wrong(f"there is no {device!r} here; there is {names}")
        gave = how.pop("gives", None)
        out = await self.rig.act(device, act, **how)
        if gave is not None and out != gave and not isinstance(self.rig[device], RealDevice):
            raise NotSeen(f"it gave {out!r}, not {gave!r}")
        return "" if out is None else str(out)

    async def _at_console(self, what: str, how: dict[str, Any]) -> str:
        # "floor void" and "act hit": the third word is what the act does, which the file cannot say by its own name.
        kind, _, do = what.partition(" ")
        if do:
            how["do"] = do
        refused = how.pop("refused", None)
        said = {key: how[key] for key in ("as",) if key in how}
        by = how.pop("as", "floor:ann" if kind in FLOOR else "dealer")
        self.rig.noted(Done("do", "console", what, {**how, **said, **({"refused": refused} if refused else {})}))
        try:
            await self.daemon.console.act({"kind": kind, **how}, by=by)
        except TableSaidNo as error:
            if refused is not None and f"{refused}:" in str(error):
                return str(error)
            raise
        if refused is not None:
            raise NotSeen(f"the table took it; it should have refused it with {refused!r}")
        return ""

    async def _daemon(self, act: str) -> None:
        match act:
            case "start":
                await self.daemon.start()
            case "stop":
                await self.daemon.stop()
            case "restart":
                await self.daemon.stop()
                await self.daemon.start()
            case _:
                raise Wrong(f"nobody can {act!r} the daemon; one can start, stop, restart")

    async def _fault(self, name: str, how: dict[str, Any]) -> None:
        on, seconds, rate = how.pop("on", None), how.pop("for", None), how.get("rate")
        if name in TABLE_FAULTS:
            self.rig.noted(Done("fault", "table", name, dict(how)))
            if rate is not None:
                self._rates[name] = float(rate)
                return
            await self._begin(name, how)
        else:
            await self.rig.fault(name, self._on(name, on), **how)
        if seconds is not None:
            await self.rig.clock.sleep(float(seconds))
            await self._mend(name, on)

    async def _mend(self, name: str, on: str | None) -> None:
        if name not in TABLE_FAULTS:
            await self.rig.fix(name, self._on(name, on))
            return
        self.rig.noted(Done("fix", "table", name, {}))
        if self._rates.pop(name, None) is None:
            await self._end(name)

    def _on(self, name: str, on: str | None) -> str:
        if on is None:
            raise Wrong(f"{name}: say on which device (on = ...)")
        return on

    def _due(self) -> list[str]:
        """The table's faults that happen now, by their rates."""
        return [name for name, rate in self._rates.items() if self._rng.random() < rate]

    async def _begin(self, name: str, how: dict[str, Any]) -> None:
        match name:
            case "broker_away":
                await self.broker.stop()
            case "disk_full":
                self.daemon.disk_full()
            case "daemon_killed":
                await self.daemon.daemon_killed()
            case "clock_jump":
                self.rig.clock.jump(float(how.get("seconds", 3600)))

    async def _end(self, name: str) -> None:
        match name:
            case "broker_away":
                await self.broker.start()
            case "disk_full":
                self.daemon.disk_free()
            case "daemon_killed":
                await self.daemon.start()

    # Seeing

    def _sight(self, what: str, how: Mapping[str, Any]) -> Sight:
        return sight_of(
            self, what, {"do" if key == "act" else key: value for key, value in how.items()}, self._seen_up_to
        )

    async def _instead(self, step: Step, how: dict[str, Any], within: float) -> str:
        if step.verb not in ("see", "never"):
            state = self.subscriber.state
            return (
                f"it was not done within {within:g} s. The table is {state.get('phase', 'silent')}: "
                f"{state.get('prompt', 'nothing was published')}"
            )
        looked = self._sight(step.what, how)
        return f"not seen within {within:g} s. Seen instead: {looked.instead()}"

    def _where(self, step: Step) -> str:
        return f"{self.scenario.path.name}:{step.line}: {step.words}"

    async def _nothing_lost(self) -> None:
        """In every scenario: the subscriber received every event, once, in order."""
        if self.subscriber.holes:
            raise NotSeen(f"{self.scenario.path.name}: the subscriber missed events: {self.subscriber.holes}")


@asynccontextmanager
async def staged(
    scenario: Scenario,
    folder: Path,
    *,
    speed: str = "max",
    broker: Broker | None = None,
    staff: Path | None = None,
    ports: Mapping[str, str] | None = None,
    hands: Hands | None = None,
) -> AsyncIterator[Stage]:
    """A scenario ready to be played: devices plugged in, daemon up, everything online.

    `broker`: a running one to share. `ports`: real ports in place of simulated devices; `hands`: who
    acts at these.
    """
    async with AsyncExitStack() as stack:
        if broker is None or scenario.own_broker:
            broker = Broker(folder / "broker")
            stack.push_async_callback(broker.stop)
            await broker.start()
        plan = with_ports(scenario.devices, ports or {})
        rig = Rig(folder / "rig", plan, seed=scenario.seed, clock=SimClock.at(speed), hands=hands)
        site, table = "rig", table_name(scenario.name)
        stack.enter_context(rig)
        config = table_config(
            scenario.table,
            site=site,
            table=table,
            broker=broker,
            devices=rig.devices_config(),
            system_clock=scenario.clock == "system",
        )
        daemon = DaemonProcess(
            folder, config, staff=staff or await hire(folder / "staff"), environment=rig.environment()
        )
        subscriber = Subscriber(broker.port, site=site, table=table, version=broker.version)
        await stack.enter_async_context(subscriber.listening())
        stack.push_async_callback(daemon.close)
        await daemon.start()
        async with asyncio.timeout(30):
            await rig.wait_online()
        yield Stage(scenario, rig, daemon, broker, subscriber)


def table_name(name: str) -> str:
    """A scenario's name as a table's: short, small letters."""
    return "".join(letter if letter.isalnum() or letter == "-" else "-" for letter in name.lower())[:32].strip("-")


def with_ports(plan: Mapping[str, DevicePlan], ports: Mapping[str, str]) -> dict[str, DevicePlan]:
    """The plan with real devices, on these ports, in the place of simulated ones."""
    unknown = [name for name in ports if name not in plan]
    if unknown:
        raise Wrong(f"there is no device {', '.join(unknown)} on this table; there is {', '.join(plan)}")
    return {
        name: msgspec.structs.replace(device, port=ports[name]) if name in ports else device
        for name, device in plan.items()
    }
