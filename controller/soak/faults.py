"""What goes wrong at a soaked table: the rig's faults by their names (`sim_hw.rig.faults`), and the table's own.

An episode is one fault from its beginning to its end. Episodes come one after the other, at random moments, whatever
the people are doing; a moment after each has ended, everything must be as if it had not been.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from controller.soak.bench import KINDS, Bench
from controller.soak.broker import Way
from controller.soak.table import Board
from sim_hw.devices.drop_box.sensor import Box
from sim_hw.rig.faults import faults_of

TABLE_FAULTS = ("broker_away", "disk_full", "clock_jump", "daemon_killed", "daemon_restarted")
HANDS = ("box_swapped", "door_opened")
"""What the drop team does: no fault, and an alarm while it lasts."""
RATES: dict[str, dict[str, Any]] = {
    "bit_errors": {"rate": 2e-4},
    "lost_bytes": {"rate": 2e-3},
    "doubled_bytes": {"rate": 2e-3},
    "repeated": {"rate": 0.05},
    "garbage": {"rate": 0.05},
    "slow": {"seconds": 0.1},
}
"""Bad, and not so bad that nothing would pass."""
LASTING = frozenset({*RATES, "stuck", "unplug", "silent", "key_stuck"})
"""Those that go on until somebody ends them."""
RESTARTS_S = (1.0, 20.0)


@dataclass(frozen=True)
class Episode:
    """One thing that went wrong, by name, where, and when (simulated seconds)."""

    name: str
    device: str
    began: float
    ended: float

    def __str__(self) -> str:
        where = f" at {self.device}" if self.device else ""
        return f"{self.name}{where}, {self.began:.1f} s to {self.ended:.1f} s"


class Trouble:
    """Makes trouble for one table."""

    def __init__(
        self,
        board: Board,
        bench: Bench,
        way: Way,
        *,
        restarted: Callable[[], Awaitable[None]],
        rng: random.Random,
        names: frozenset[str] | None = None,
    ) -> None:
        """`restarted` starts the daemon and gives its console to the people; `names`: only these faults."""
        self._board, self._bench, self._way = board, bench, way
        self._restarted, self._rng = restarted, rng
        self.episodes: list[Episode] = []
        self._possible = [(name, device) for device in bench.devices for name in faults_of(KINDS[device])]
        self._possible += [(name, "") for name in TABLE_FAULTS]
        self._possible += [(name, box) for box in bench.sensors for name in HANDS]
        if names is not None:
            self._possible = [(name, where) for name, where in self._possible if name in names]
        self.now: tuple[str, str] | None = None
        """What is wrong at this moment."""

    async def strike(self) -> Episode:
        """One episode, from its beginning to its end."""
        name, device = self.now = self._rng.choice(self._possible)
        began = self._board.loop.time()
        try:
            if name in TABLE_FAULTS:
                await getattr(self, f"_{name}")()
            elif name in HANDS:
                await getattr(self, f"_{name}")(device)
            else:
                await self._apply(name, device)
        finally:
            self.now = None
        episode = Episode(name, device, began, self._board.loop.time())
        self.episodes.append(episode)
        return episode

    async def _apply(self, name: str, device: str) -> None:
        fault, model = faults_of(KINDS[device])[name], self._bench.devices[device]
        how: dict[str, Any] = dict(RATES.get(name, {}))
        if name == "misread" and device == "shoe" and self._rng.random() < 0.5:
            how["card"] = self._rng.choice(self._bench.needs.deck)
        if name in ("jam", "boxed_card"):
            how["card_no" if name == "jam" else "nth"] = self._rng.randint(1, 4)
        if name in ("drift", "silent"):
            how["box"] = self._rng.choice(list(self._bench.sensors))
        if name == "drift":
            how["grams"] = self._rng.randint(-200, 200)
        try:
            await fault.begin(model, **how)
        except ValueError:
            return  # there is nothing that could go wrong so: no card in the machine to turn over
        if name in LASTING:
            await self._lasts(2.0, 120.0)
        if fault.end is not None and name != "jam":
            await fault.end(model)
        if not model.is_plugged:
            model.plug()

    async def _lasts(self, least: float, most: float) -> None:
        await asyncio.sleep(self._rng.uniform(least, most))

    # The table's own

    async def _broker_away(self) -> None:
        self._way.cut()
        await self._lasts(5.0, 600.0)
        self._way.restore()

    async def _disk_full(self) -> None:
        journal = self._board.journal
        assert journal is not None
        await journal.set_max_bytes(1)
        await self._lasts(5.0, 60.0)
        await journal.set_max_bytes(None)

    async def _clock_jump(self) -> None:
        self._board.clock.off_ms += self._rng.randint(-3_600_000, 3_600_000)
        await self._lasts(1.0, 600.0)

    async def _daemon_killed(self) -> None:
        await self._board.kill()
        await self._lasts(*RESTARTS_S)
        await self._restarted()

    async def _daemon_restarted(self) -> None:
        await self._board.stop()
        await self._lasts(*RESTARTS_S)
        await self._restarted()

    async def _box_swapped(self, box: str) -> None:
        sensor = self._bench.sensors[box]
        full = sensor.take_box()
        await self._lasts(5.0, 60.0)
        sensor.put_box(Box(f"{full.id}+" if full.id and len(full.id) < 8 else "BOX-0"))

    async def _door_opened(self, box: str) -> None:
        self._bench.sensors[box].open_door()
        await self._lasts(2.0, 30.0)
        self._bench.sensors[box].shut_door()
