"""A simulated dealer and players at a baccarat table.

They do what people do: bet at the console, call "no more bets", pull cards from the shoe while the table wants one,
load a new shoe after the cut card. They know the table only by what it shows everybody (the view document) and by the
shoe's lock. All their choices come from one seed and all their time is simulated, so one seed is one day.
"""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import aiohttp

from sim_hw.clock import SimClock
from sim_hw.shoe import Out, SimulatedShoe

CHIP = 500
"""Smallest bet, cents."""


class TableSaidNo(Exception):
    """The console refused what the simulated people do in every round: the rig and the table disagree."""


class Console:
    """The table's console: what it shows, and acts with its token."""

    def __init__(self, session: aiohttp.ClientSession, address: str, token: str) -> None:
        self._session = session
        self._address = address.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}"}

    async def view(self) -> dict[str, Any]:
        async with self._session.get(f"{self._address}/api/view") as response:
            response.raise_for_status()
            shown: dict[str, Any] = await response.json()
            return shown

    async def act(self, body: dict[str, Any], by: str = "dealer") -> dict[str, Any]:
        """Say that something happened; `TableSaidNo` with the table's reason where it refuses."""
        headers = {**self._headers, "Cutcard-By": by}
        async with self._session.post(f"{self._address}/api/acts", json=body, headers=headers) as response:
            answer: dict[str, Any] = await response.json()
        if not answer["ok"]:
            raise TableSaidNo(f"{body}: {answer['why']}: {answer['text']}")
        return answer


async def find_console(session: aiohttp.ClientSession, data: Path, patience_s: float = 60.0) -> Console:
    """The console of the daemon that has its data in this folder, as soon as it answers."""
    page, token = data / "page.url", data / "console.token"
    async with asyncio.timeout(patience_s):
        while True:
            if page.exists() and token.exists():
                console = Console(session, page.read_text().strip(), token.read_text().strip())
                try:
                    await console.view()
                    return console
                except (aiohttp.ClientError, OSError):
                    pass
            await asyncio.sleep(0.02)


class People:
    """A dealer and up to seven players."""

    def __init__(self, console: Console, shoe: SimulatedShoe, clock: SimClock, *, seed: int, decks: int, bets: bool):
        self._console, self._shoe, self._clock = console, shoe, clock
        self._rng = random.Random(f"{seed}/people")
        self._decks, self._bets = decks, bets

    async def play(self, rounds: int | None) -> int:
        """Deal so many rounds, or for ever; gives how many were dealt."""
        dealt = 0
        while rounds is None or dealt < rounds:
            view = await self._console.view()
            if view["phase"] == "waiting":
                await self._load()
                continue
            if view["phase"] == "held":
                raise TableSaidNo(f"the table is held: {view['held']}")
            if self._bets:
                await self._bet()
            if await self._deal(view["round"]):
                dealt += 1
            await self._clock.sleep(self._rng.uniform(2.5, 4.0))
        return dealt

    async def _load(self) -> None:
        """Shuffle, cut, load: the cut card about a deck's third from the end."""
        await self._clock.sleep(self._rng.uniform(4.0, 6.0))
        cards = 52 * self._decks
        self._shoe.move_lid(is_open=True)
        self._shoe.load(self._decks, cut_card_at=cards - self._rng.randint(14, 26))
        self._shoe.move_lid(is_open=False)
        await self._shoe.wait_taken()

    async def _bet(self) -> None:
        await self._console.act({"kind": "bank", "spots": [self._rng.randrange(2000, 8001) * CHIP]})
        for seat in range(1, 8):
            if self._rng.random() < 0.35:
                continue
            await self._clock.sleep(self._rng.uniform(0.2, 0.8))
            line = self._rng.choice(("player_line", "banker_line"))
            await self._wager(seat, line, self._rng.randint(2, 40))
            for extra, chance in (("tie", 0.15), ("panda_8", 0.2), ("dragon_7", 0.25)):
                if self._rng.random() < chance:
                    await self._wager(seat, extra, self._rng.randint(1, 5))
        await self._clock.sleep(self._rng.uniform(0.5, 1.5))
        await self._console.act({"kind": "close_bets"})

    async def _wager(self, seat: int, wager: str, chips: int) -> None:
        await self._console.act({"kind": "wager", "place": seat, "wager": wager, "cents": chips * CHIP})

    async def _deal(self, before: int) -> bool:
        """Pull cards while the table deals; False where the shoe ended before the round began."""
        while True:
            await self._clock.sleep(self._rng.uniform(0.7, 1.2))
            out = await self._shoe.draw()
            await self._shoe.wait_taken()
            if out is Out.EMPTY:
                return False
            view = await self._console.view()
            if view["phase"] == "held":
                raise TableSaidNo(f"the table is held: {view['held']}")
            if view["phase"] in ("settled", "waiting"):
                return bool(view["round"] > before or self._bets)
