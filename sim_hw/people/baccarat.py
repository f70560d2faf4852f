"""A simulated dealer and players at a baccarat table.

They do what people do: bet at the console, call "no more bets", pull cards from the shoe while the table wants one,
load a new shoe after the cut card. They know the table only by what it shows everybody (the view document) and by the
shoe's lock. All their choices come from one seed and all their time is simulated, so one seed is one day.
"""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import aiohttp

from sim_hw.devices.shoe import Out, SimulatedShoe
from sim_hw.people.bank import answer_offer
from sim_hw.people.sight import Bank, Wagers, look_at
from sim_hw.time.clock import SimClock

CHIP = 500
"""Smallest bet, cents."""


class TableSaidNo(Exception):
    """The console refused what the simulated people do in every round: the rig and the table disagree."""


class Console:
    """The table's console: what it shows, and acts of people who sign in at it: docs/table/console.md."""

    def __init__(self, session: aiohttp.ClientSession, address: str, people: dict[str, dict[str, str]]) -> None:
        """`people`: name and PIN of each, by role: `{"dealer": {"name": "sam", "pin": ...}, "floor": ...}`."""
        self._session = session
        self._address = address.rstrip("/")
        self._people = people
        self._tokens: dict[str, str] = {}

    async def login(self, role: str) -> str:
        """Sign the dealer or the floor in; gives the token for acts."""
        async with self._session.post(f"{self._address}/api/login", json=self._people[role]) as response:
            answer: dict[str, Any] = await response.json()
        if not answer["ok"]:
            raise TableSaidNo(f"{role} may not sign in: {answer['why']}: {answer['text']}")
        self._tokens[role] = token = str(answer["token"])
        return token

    async def view(self) -> dict[str, Any]:
        async with self._session.get(f"{self._address}/api/view") as response:
            response.raise_for_status()
            shown: dict[str, Any] = await response.json()
            return shown

    async def state(self) -> bytes:
        """The public state document, as it is on the broker too."""
        async with self._session.get(f"{self._address}/api/state") as response:
            response.raise_for_status()
            return await response.read()

    async def round(self, by: str = "floor") -> dict[str, Any]:
        """What was put into the round, by index: what an amendment goes by."""
        for token in (self._tokens.get(by) or await self.login(by), None):
            headers = {"Authorization": f"Bearer {token or await self.login(by)}"}
            async with self._session.get(f"{self._address}/api/round", headers=headers) as response:
                if response.status != 401:
                    fed: dict[str, Any] = await response.json()
                    return fed
        raise TableSaidNo(f"{by} may not see what was put into the round")

    async def act(self, body: dict[str, Any], by: str = "dealer") -> dict[str, Any]:
        """Say that something happened; `TableSaidNo` with the table's reason where it refuses."""
        role = by.partition(":")[0]
        # Signed in at the first act and not before: in a seeded run it happens at the same moment every time.
        token = self._tokens.get(role) or await self.login(role)
        answer = await self._post(body, token)
        if answer["why"] == "unauthorised":
            answer = await self._post(body, await self.login(role))
        if not answer["ok"]:
            raise TableSaidNo(f"{body}: {answer['why']}: {answer['text']}")
        return answer

    async def _post(self, body: dict[str, Any], token: str) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {token}"}
        async with self._session.post(f"{self._address}/api/acts", json=body, headers=headers) as response:
            answer: dict[str, Any] = await response.json()
            return answer


async def find_console(session: aiohttp.ClientSession, data: Path, patience_s: float = 60.0) -> Console:
    """The console of the daemon that has its data in this folder, as soon as it answers."""
    page, notes = data / "page.url", data / "people.json"
    async with asyncio.timeout(patience_s):
        while True:
            if page.exists() and notes.exists():
                console = Console(session, page.read_text().strip(), json.loads(notes.read_text()))
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
        """Deal this number of rounds, or for ever; returns how many were dealt."""
        dealt = 0
        while rounds is None or dealt < rounds:
            view = await self._console.view()
            if view["prompt"].startswith("Shuffle and count the pack"):
                await self._console.act({"kind": "pack"})
                continue
            if view["phase"] in ("settled", "waiting") and await self._answer_offer():
                continue
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

    async def _answer_offer(self) -> bool:
        """Whether the table waited for who banks next."""
        wants = look_at(await self._console.state()).wants
        offer = next((want for want in wants if isinstance(want, Bank)), None)
        if offer is None:
            return False
        act = answer_offer(offer, self._rng)
        await self._console.act(act, by="floor" if act["kind"] == "floor" else "dealer")
        return True

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
        wants = look_at(await self._console.state()).wants
        seats = next((want.seats for want in wants if isinstance(want, Wagers)), ())
        for seat in seats:
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
