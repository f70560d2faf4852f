"""Plays requirements against a device, one after another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal, Protocol

from protocols.errors import ProtocolError
from sim_hw.conform.hands import Hands
from sim_hw.conform.requirement import Broken, NoSession, NotPlayed, Requirement
from sim_hw.conform.trace import Trace

State = Literal["passed", "failed", "not played", "inspect"]
MOST_SECONDS = 600.0
GONE = "the port is gone: the device or its adapter was unplugged or switched off, and has not come back"


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one requirement."""

    requirement: Requirement
    state: State
    detail: str = ""
    seconds: float = 0.0
    trace: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of all of them."""

    device: str
    results: list[Result]

    def of(self, state: State) -> list[Result]:
        return [result for result in self.results if result.state == state]

    @property
    def failed(self) -> list[str]:
        return [result.requirement.id for result in self.of("failed")]


class Bench(Protocol):
    """What all benches have."""

    trace: Trace
    hands: Hands

    @property
    def is_gone(self) -> bool:
        """The port is not there any more."""

    async def ready(self) -> None:
        """Before each requirement: as it was at the beginning."""


async def play(
    bench: Bench, requirements: Iterable[Requirement], device: str, show: Callable[[Result], None] = lambda result: None
) -> Outcome:
    """All of them. A device that begins no session fails where that is required; the others are then not played."""
    results = []
    loop = asyncio.get_running_loop()
    for requirement in requirements:
        began = loop.time()
        bench.trace.mark(began)
        result = await _one(bench, requirement)
        if bench.is_gone and result[0] in ("failed", "not played"):
            result = (result[0], f"{result[1]}; {GONE}", result[2])
        await bench.hands.stop()
        results.append(
            Result(requirement, result[0], result[1], loop.time() - began, bench.trace.lines() if result[2] else [])
        )
        show(results[-1])
    return Outcome(device, results)


async def _one(bench: Bench, requirement: Requirement) -> tuple[State, str, bool]:
    if requirement.check is None:
        return "inspect", requirement.why_not, False
    try:
        async with asyncio.timeout(MOST_SECONDS):
            await bench.ready()
            await requirement.check(bench)
    except Broken as broken:
        return "failed", str(broken), True
    except NotPlayed as reason:
        return "not played", str(reason), False
    except NoSession as reason:
        return "not played", f"no session: {reason}", True
    except ProtocolError as error:
        return "failed", f"expected a message of the page; came one that cannot be decoded: {error}", True
    except TimeoutError:
        return "failed", f"expected an end within {MOST_SECONDS:g} s; came none", True
    return "passed", "", False
