"""`cutcard rig`: up, do, record, run, list; docs/protocols/rig.md is its page."""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import json
import logging
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from inspect import Parameter, signature
from pathlib import Path

from sim_hw.conform import command as conform
from sim_hw.conform.hands import Hands, Nobody, Person, Robot
from sim_hw.devices.kinds import NAMES, Wrong, kind_of
from sim_hw.rig.acts import acts_of
from sim_hw.rig.control import acts_only, ask, controlled, default_folder
from sim_hw.rig.faults import TABLE_FAULTS, all_faults, faults_of
from sim_hw.rig.rig import Rig
from sim_hw.rig.scenario.file import Scenario, Step, find, library, read
from sim_hw.rig.scenario.recording import recorded
from sim_hw.rig.scenario.stage import NotSeen, staged, table_name, with_ports
from sim_hw.rig.table.broker import Broker
from sim_hw.rig.table.daemon import hire
from sim_hw.rig.table.process import TableError
from sim_hw.rig.toml import as_toml
from sim_hw.rig.wire import FAULTS, RealDevice, noise_of
from sim_hw.time.clock import SimClock


def main(arguments: Sequence[str] | None = None) -> int:
    chosen = _parser().parse_args(arguments)
    # A broker that is away is part of many scenarios; the client need not log it on the terminal.
    logging.getLogger("mqtt").setLevel(logging.CRITICAL)
    try:
        code: int = chosen.command(chosen)
    except (Wrong, TableError) as error:
        print(f"cutcard rig: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        return 1
    except KeyboardInterrupt:
        return 130
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cutcard rig", description="A simulated table: devices, faults, scenarios.")
    commands = parser.add_subparsers(title="commands", metavar="", required=True)

    listing = commands.add_parser("list", help="the scenarios of the library; --acts, --faults: their names")
    listing.add_argument("--acts", action="store_true", help="what people can do with devices")
    listing.add_argument("--faults", action="store_true", help="what can go wrong")
    listing.set_defaults(command=_list)

    run = commands.add_parser("run", help="play scenarios; exit code 1 where an expectation failed")
    run.add_argument("scenarios", nargs="*", help="names or files; none: the whole library")
    run.add_argument("--speed", default="max", help="real, max or a factor such as x5 (default: max)")
    run.add_argument("--port", action="append", default=[], metavar="DEVICE=PORT", help="a real device in its place")
    run.add_argument("--robot", metavar="SCRIPT", help="acts at the real devices: SCRIPT act key=value ...")
    run.add_argument("--keep", type=Path, help="keep config, journal and logs in this folder")
    run.add_argument("--quiet", action="store_true", help="one line for each scenario")
    run.set_defaults(command=_run)

    up = commands.add_parser("up", help="devices, broker and daemon, until Ctrl-C")
    up.add_argument("like", nargs="?", default="baccarat-a-natural", help="a scenario whose table and devices to take")
    up.add_argument("--folder", type=Path, default=None, help="ports, control socket, config, journal (default: ./rig)")
    up.add_argument("--speed", default="real", help="real, max or a factor such as x5 (default: real)")
    up.add_argument("--seed", type=int, default=None, help="of cards, dice and faults")
    up.add_argument("--port", action="append", default=[], metavar="DEVICE=PORT", help="a real device in its place")
    up.add_argument("--devices-only", action="store_true", help="no broker and no daemon: bring your own")
    up.set_defaults(command=_up)

    wire = commands.add_parser("wire", help="a real device behind a wire with faults, as a pseudo-terminal")
    wire.add_argument("--port", required=True, help="of the device: a path or socket://host:port")
    wire.add_argument("--baud", type=int, default=115_200, help="of the real port (default: 115200)")
    wire.add_argument("--parity", choices=("none", "even", "odd"), default="none", help="of the real port")
    wire.add_argument("--faults", default="", metavar="LIST", help=f"such as noise=0.0001,drop; of {', '.join(FAULTS)}")
    wire.add_argument("--seed", type=int, default=0, help="of the faults")
    wire.add_argument("--folder", type=Path, default=None, help="where the terminal `wire` appears (default: ./rig)")
    wire.set_defaults(command=_wire)

    for verb, text in (
        ("do", "what a person does at a device or at the console"),
        ("fault", "something goes wrong"),
        ("fix", "a fault ends"),
        ("see", "wait until it is so"),
    ):
        step = commands.add_parser(verb, help=f"for a rig that is up: {text}")
        step.add_argument("words", nargs="+", metavar="WORD", help="as in a scenario; key=value for the rest")
        step.add_argument("--folder", type=Path, default=None, help="of the rig (default: ./rig)")
        step.set_defaults(command=_send_step, verb=verb)

    conform.add_arguments(
        commands.add_parser(
            "conform", help="play every requirement of its page against a device; exit code 1: it failed"
        )
    )

    record = commands.add_parser("record", help="what a rig did and saw since it is up, as a scenario")
    record.add_argument("file", type=Path, help="where the scenario goes")
    record.add_argument("--folder", type=Path, default=None, help="of the rig (default: ./rig)")
    record.set_defaults(command=_record)
    return parser


def _list(chosen: argparse.Namespace) -> int:
    if chosen.acts:
        for kind in NAMES:
            for name, act in acts_of(kind).items():
                print(f"{kind:18}{name:16}{(act.__doc__ or '').split(chr(10))[0]}")
    if chosen.faults:
        for name, kinds in all_faults().items():
            print(f"{name:16}{faults_of(kinds[0])[name].text}  [{', '.join(kinds)}]")
        print(f"of the table: {', '.join(TABLE_FAULTS)}")
    if not chosen.acts and not chosen.faults:
        for path in library():
            print(f"{path.stem:40}{read(path).title}")
    return 0


def _run(chosen: argparse.Namespace) -> int:
    paths = [find(name) for name in chosen.scenarios] or library()
    ports = _ports(chosen.port)
    scenarios = [read(path) for path in paths]
    return asyncio.run(_run_all(scenarios, chosen, ports))


async def _run_all(scenarios: list[Scenario], chosen: argparse.Namespace, ports: dict[str, str]) -> int:
    failed = 0
    hands: Hands | None = None
    if ports:
        hands = Robot(chosen.robot) if chosen.robot else Person() if sys.stdin.isatty() else Nobody()
    async with AsyncExitStack() as stack:
        name = stack.enter_context(tempfile.TemporaryDirectory(prefix="cutcard-rig-"))
        folder = chosen.keep or Path(name)
        staff = await hire(Path(name) / "staff")
        broker = Broker(Path(name) / "broker")
        await broker.start()
        stack.push_async_callback(broker.stop)
        for scenario in scenarios:
            began = time.monotonic()
            print(f"{scenario.name}: {scenario.title}", flush=True)
            try:
                async with staged(
                    scenario,
                    folder / scenario.name,
                    speed=chosen.speed,
                    broker=broker,
                    staff=staff,
                    ports=ports,
                    hands=hands,
                ) as stage:
                    await stage.play(None if chosen.quiet else _show)
            except (NotSeen, TableError, TimeoutError) as error:
                failed += 1
                print(f"  FAILED {error}", flush=True)
            else:
                print(f"  ok, {time.monotonic() - began:.1f} s", flush=True)
    if len(scenarios) > 1:
        print(f"{len(scenarios) - failed} of {len(scenarios)} scenarios passed")
    return 1 if failed else 0


def _up(chosen: argparse.Namespace) -> int:
    like = read(find(chosen.like))
    ports = _ports(chosen.port)
    folder = (chosen.folder or default_folder()).resolve()
    seed = like.seed if chosen.seed is None else chosen.seed
    scenario = dataclasses.replace(like, seed=seed, steps=(), clock="devices" if chosen.speed == "max" else "system")
    if chosen.devices_only:
        return asyncio.run(_devices_up(scenario, folder, chosen.speed, ports))
    return asyncio.run(_table_up(scenario, folder, chosen.speed, ports))


async def _table_up(scenario: Scenario, folder: Path, speed: str, ports: dict[str, str]) -> int:
    stop = _until_signal()
    async with staged(scenario, folder, speed=speed, ports=ports) as stage:

        def tell(what: str) -> str:
            if what == "scenario":
                return recorded(stage, f"Recorded from {scenario.name}")
            raise Wrong(f"a rig can return its scenario, not {what!r}")

        # The rig's own folder is below; who looks for a rig looks in the one that was named.
        async with controlled(stage, tell, folder):
            print(f"{scenario.table.ruleset} at {stage.daemon.page}")
            print(f"MQTT on 127.0.0.1:{stage.broker.port}, topics cutcard/v2/rig/{table_name(scenario.name)}/#")
            _say_devices(stage.rig)
            print(f"Try: cutcard rig do {_first_act(stage.rig)} --folder {folder}   (Ctrl-C ends it)", flush=True)
            await stop.wait()
    return 0


async def _devices_up(scenario: Scenario, folder: Path, speed: str, ports: dict[str, str]) -> int:
    stop = _until_signal()
    with Rig(folder / "rig", with_ports(scenario.devices, ports), seed=scenario.seed, clock=SimClock.at(speed)) as rig:
        async with acts_only(rig, folder):
            _say_devices(rig)
            for name, value in rig.environment().items():
                print(f"A daemon sees the card reader with {name}={value} in its environment")
            (folder / "devices.toml").write_text(as_toml({"devices": rig.devices_config()}))
            print(f"The daemon's [[devices]] are in {folder / 'devices.toml'}   (Ctrl-C ends it)", flush=True)
            await stop.wait()
    return 0


def _wire(chosen: argparse.Namespace) -> int:
    return asyncio.run(_wire_up(chosen))


async def _wire_up(chosen: argparse.Namespace) -> int:
    stop = _until_signal()
    folder = (chosen.folder or default_folder()).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    noise = noise_of(chosen.faults)
    device = RealDevice(
        folder, "wire", chosen.port, baud=chosen.baud, parity=chosen.parity, seed=chosen.seed, noise=noise
    )
    await device.open()
    device.plug()
    try:
        print(f"{chosen.port} is at {device.url}, {chosen.faults or 'without faults'}   (Ctrl-C ends it)", flush=True)
        await stop.wait()
    finally:
        device.close()
    print(f"{device.bytes_to_device} bytes went to the device, {device.bytes_from_device} came from it")
    return 0


def _first_act(rig: Rig) -> str:
    """Something that a person can do at this table without saying more, as `shoe draw`."""
    for name, device in rig.plan.items():
        for act in kind_of(device.kind).acts:
            keywords = (each for each in signature(act).parameters.values() if each.kind is Parameter.KEYWORD_ONLY)
            if not device.port and all(each.default is not Parameter.empty for each in keywords):
                return f"{name} {act.__name__.rstrip('_')}"
    return "console close_bets"


def _say_devices(rig: Rig) -> None:
    for name, device in rig.plan.items():
        print(f"  {name:12}{device.kind:18}{rig.url(name)}{'   (real)' if device.port else ''}")


def _until_signal() -> asyncio.Event:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


def _send_step(chosen: argparse.Namespace) -> int:
    words = [word for word in chosen.words if "=" not in word]
    step: dict[str, object] = {chosen.verb: " ".join(words)}
    for pair in chosen.words:
        key, equals, value = pair.partition("=")
        if equals:
            step[key] = _value(value)
    came = ask(chosen.folder or default_folder(), step)
    if came:
        print(came)
    return 0


def _value(text: str) -> object:
    """A number, true or false, a list; anything else is text."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def _record(chosen: argparse.Namespace) -> int:
    chosen.file.write_text(ask(chosen.folder or default_folder(), {"tell": "scenario"}), encoding="utf-8")
    steps = len(read(chosen.file).steps)
    print(f"{chosen.file}: {steps} steps; run it again with: cutcard rig run {chosen.file}")
    return 0


def _show(step: Step, came: str) -> None:
    print(f"  {step.words[:100]}{'  -> ' + came[:120] if came else ''}", flush=True)


def _ports(said: Sequence[str]) -> dict[str, str]:
    found = {}
    for text in said:
        device, equals, port = text.partition("=")
        if not equals or not device or not port:
            raise Wrong(f"--port {text}: write it as device=port, for example shoe=/dev/ttyUSB0")
        found[device] = port
    return found


if __name__ == "__main__":
    sys.exit(main())
