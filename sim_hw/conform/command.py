"""`cutcard rig conform`: whether a device does what its page requires. docs/protocols/conformance.md is its page."""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from contextlib import ExitStack
from pathlib import Path

import msgspec

from sim_hw.conform.hands import Hands, Nobody, Person, Robot, Simulator
from sim_hw.conform.kinds import KINDS, Chosen, ConformKind
from sim_hw.conform.play import Outcome, Result, play
from sim_hw.conform.report import as_html, as_junit, as_text, line, summary
from sim_hw.conform.requirement import NoSession, NotPlayed, Requirement
from sim_hw.devices.kinds import Making, SimulatedDevice, Wrong, kind_of
from sim_hw.time.clock import SimClock
from sim_hw.usb.backend import SimulatedBus
from sim_hw.wire.pty import Pty

SECRET_SIZE = 32


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kind", choices=sorted(KINDS), metavar="CLASS", help=f"one of {', '.join(sorted(KINDS))}")
    parser.add_argument("--port", help="a path, socket://host:port or usb://VID:PID; without it: our simulated device")
    parser.add_argument("--baud", type=int, help="where it is not that of the page")
    parser.add_argument("--parity", choices=("none", "even", "odd"), help="of a drop-box bus (default: even)")
    parser.add_argument("--unit", type=int, default=1, help="of a sensor on its bus (default: 1)")
    parser.add_argument("--address", default="01", help="of a sign on its line (default: 01)")
    parser.add_argument("--line", choices=("7E1", "8N1"), default="7E1", help="of a sign (default: 7E1)")
    parser.add_argument("--key", type=Path, metavar="FILE", help="the device's own key: 32 bytes, or 64 hex digits")
    parser.add_argument(
        "--signer", type=Path, metavar="FILE", help="secret seed of an image signer it trusts; same form"
    )
    parser.add_argument("--robot", metavar="SCRIPT", help="acts at the device: SCRIPT act key=value ...")
    parser.add_argument("--nobody", action="store_true", help="nobody is at the device: leave out what needs a hand")
    parser.add_argument("--only", nargs="+", metavar="ID", help="these requirements; LINK-3, or LINK for all of a page")
    parser.add_argument("--list", action="store_true", help="the requirements, and nothing more")
    for form in ("text", "junit", "html"):
        parser.add_argument(f"--{form}", type=Path, metavar="FILE", help=f"write the report as {form}")
    parser.set_defaults(command=run)


def run(chosen: argparse.Namespace) -> int:
    """Exit code 0 where nothing failed, 1 where something did, 2 where nothing could be judged."""
    kind = KINDS[chosen.kind]
    requirements = _wanted(kind, chosen.only)
    if chosen.list:
        for each in requirements:
            print(f"{each.id:9}{each.place:32}{each.text}")
        return 0
    options = Chosen(
        key=_secret(chosen.key, "key"),
        signer=_secret(chosen.signer, "signer"),
        unit=chosen.unit,
        address=chosen.address,
        seven_bits=chosen.line == "7E1",
    )
    outcome = asyncio.run(_judge(kind, requirements, options, chosen))
    for path, make in ((chosen.text, as_text), (chosen.junit, as_junit), (chosen.html, as_html)):
        if path is not None:
            path.write_text(make(outcome), encoding="utf-8")
    print(f"\n{summary(outcome)}")
    has_session = any(result.state == "passed" for result in outcome.results)
    return 1 if outcome.failed else 0 if has_session else 2


def _wanted(kind: ConformKind, only: list[str] | None) -> list[Requirement]:
    found = kind.requirements
    if only is None:
        return found
    unknown = [id for id in only if not any(id in (each.id, each.id.rsplit("-", 1)[0]) for each in found)]
    if unknown:
        raise Wrong(f"a {kind.name} has no requirement {unknown[0]}; `--list` shows all")
    return [each for each in found if each.id in only or each.id.rsplit("-", 1)[0] in only]


def _secret(path: Path | None, name: str) -> bytes | None:
    if path is None:
        return None
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Wrong(f"--{name} {path}: {error.strerror}") from None
    if len(data) != SECRET_SIZE:
        try:
            data = bytes.fromhex(data.decode("ascii").strip())
        except ValueError:
            data = b""
    if len(data) != SECRET_SIZE:
        raise Wrong(f"--{name} {path}: expected 32 bytes, or 64 hex digits")
    return data


async def _judge(
    kind: ConformKind, requirements: list[Requirement], options: Chosen, chosen: argparse.Namespace
) -> Outcome:
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="cutcard-conform-"))
        device: SimulatedDevice | None = None
        bus = SimulatedBus()
        if chosen.port is None:
            device = _simulated(kind.name, Path(folder), bus, options)
            device.plug()
            stack.enter_context(bus.installed())
        url = chosen.port or device.url  # type: ignore[union-attr]
        line_ = await kind.open(
            url, chosen.baud or kind.baud, chosen.parity or (kind.parity if chosen.port else "none")
        )
        made = kind.make(line_, _hands(kind.name, device, chosen), options)
        try:
            name = await _survey(made.survey, kind.name)
            print(f"{name}, on {url}: {len(requirements)} requirements", flush=True)
            return await play(made.bench, requirements, name, _show)
        finally:
            made.close()
            if device is not None:
                device.close()


async def _survey(survey: object, kind: str) -> str:
    assert callable(survey)
    try:
        name: str = await survey()
    except (NoSession, NotPlayed, AssertionError):
        name = f"a {kind.replace('_', ' ')} that does not answer"
    except Exception as error:
        name = f"a {kind.replace('_', ' ')} ({error})"
    return name


def _simulated(kind: str, folder: Path, bus: SimulatedBus, options: Chosen) -> SimulatedDevice:
    """Our own device, as the page has it."""
    simulated = kind_of(kind)
    model = msgspec.convert({}, type=simulated.model)
    making = Making(Pty(folder, kind), bus, SimClock.at("real"), "conform", simulated.bare_options, model)
    device: object = simulated.build(making)
    keyholder = getattr(device, "keyholder", None)
    if keyholder is not None:
        keyholder.key = options.key
    if options.signer is not None and (bootloader := getattr(device, "bootloader", None)) is not None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        bootloader.trust(Ed25519PrivateKey.from_private_bytes(options.signer).public_key())
    return device  # type: ignore[return-value]


def _hands(kind: str, device: SimulatedDevice | None, chosen: argparse.Namespace) -> Hands:
    if chosen.robot:
        return Robot(chosen.robot)
    if chosen.nobody:
        return Nobody()
    return Person() if device is None else Simulator(kind, device)


def _show(result: Result) -> None:
    print(line(result), flush=True)
