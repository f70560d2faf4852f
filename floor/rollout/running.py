"""Plans that are shown, started and stopped: the first table, a while of watching it, then one after the other.

    planned ─► running ─► done
                  │  ▲
          trouble ▼  │ a person lets it go on
                stopped

Trouble is a refusal, no answer, and at any table that has it already: not connected, held, or an alarm of severity stop
or urgent that was not there before. What was sent without an answer is sent again when a person lets it go on: a table
takes a signed reference once. A page that ends stops what runs.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from secrets import token_hex

import msgspec
from msgspec import Struct
from sqlalchemy.exc import SQLAlchemyError

from controller.contract import Actor
from controller.contract.requests import Vouched
from floor.answers import Answered, Refused
from floor.commands.sender import Sender
from floor.config import FloorConfig
from floor.live.live_tables import LiveTables
from floor.rollout.plan import Plan, SignedTable, read_plan
from floor.store.rollouts import Rollout, RolloutStore

log = logging.getLogger("cutcard.floor")

_LOOK_EVERY_S = 0.2
_AGAIN_S = 3.0
"""After a table answered that a round was running."""
_IN_ROUND = ("betting", "dealing")
_SEVERE = ("stop", "urgent")


class _Before(Struct, frozen=True):
    """What was wrong with a table before it was updated."""

    alarms: frozenset[str]
    is_held: bool


class Rollouts:
    """Those of one page."""

    def __init__(
        self,
        store: RolloutStore,
        config: FloorConfig,
        tables: LiveTables,
        sender: Sender,
        clock: Callable[[], int],
    ) -> None:
        self._store, self._site, self._watch_s = store, config.site, config.room.watch_s
        self._tables, self._sender, self._clock = tables, sender, clock
        self._running: dict[str, asyncio.Task[None]] = {}
        self._previews: set[asyncio.Task[None]] = set()

    async def shown(self) -> list[Rollout]:
        return await asyncio.to_thread(self._store.last)

    async def plan(self, text: str, who: Actor) -> str:
        """Takes a plan, and asks each table what it would change; returns its id."""
        plan = read_plan(text, self._site)
        number, names = token_hex(16), [each.table for each in plan.tables]
        missing = [name for name in names if self._tables.get(name) is None]
        if missing:
            raise Refused("no_such_table", f"There is no table {', '.join(missing[:10])} here.")
        await asyncio.to_thread(self._store.add, number, who.by, plan.what, text, names, at=self._clock())
        asking = asyncio.create_task(self._preview(number, plan, who), name=f"preview {number}")
        self._previews.add(asking)
        asking.add_done_callback(self._previews.discard)
        return number

    async def _preview(self, number: str, plan: Plan, who: Actor) -> None:
        """All tables at once: nothing is changed by it."""

        async def ask(each: SignedTable) -> None:
            answered = await self._send(plan, each, who, preview=True)
            changes = answered.text if answered.ok else f"It would be refused: {answered.text}"
            await asyncio.to_thread(self._store.set_table, number, each.table, changes=changes, at=self._clock())

        await asyncio.gather(*map(ask, plan.tables))

    async def start(self, number: str, who: Actor) -> None:
        """Begins it, or lets it go on where it was stopped."""
        found = await self._found(number)
        if found.state not in ("planned", "stopped"):
            raise Refused("not_now", f"It is {found.state}.")
        if any(not task.done() for task in self._running.values()):
            raise Refused("not_now", "Another update is running: one at a time.")
        text = await asyncio.to_thread(self._store.plan, number)
        plan = read_plan(text or "", self._site)
        await asyncio.to_thread(self._store.set_state, number, "running")
        self._running[number] = asyncio.create_task(self._run(number, plan, who), name=f"update {number}")

    async def stop(self, number: str, who: Actor) -> None:
        """Nothing more is sent. What a table has taken stays."""
        task = self._running.get(number)
        if task is None or task.done():
            raise Refused("not_now", "It is not running.")
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await asyncio.to_thread(self._store.set_state, number, "stopped", f"{who.by} has stopped it")

    async def run(self) -> None:
        """While the page runs."""
        while True:
            try:
                await asyncio.to_thread(self._store.interrupted, "the page ended while it ran")
                break
            except SQLAlchemyError as error:
                log.debug("the store is away: %s", error)
                await asyncio.sleep(1)
        try:
            await asyncio.Event().wait()
        finally:
            working = [*self._running.values(), *self._previews]
            for task in working:
                task.cancel()
            await asyncio.gather(*working, return_exceptions=True)

    async def _found(self, number: str) -> Rollout:
        found = next((each for each in await self.shown() if each.id == number), None)
        if found is None:
            raise Refused("no_such_update", "There is no such update.")
        return found

    async def _run(self, number: str, plan: Plan, who: Actor) -> None:
        try:
            trouble = await self._all(number, plan, who)
            state = "stopped" if trouble else "done"
            await asyncio.to_thread(self._store.set_state, number, state, trouble)
        except SQLAlchemyError as error:
            log.error("an update was stopped, the store is away: %s", error)

    async def _all(self, number: str, plan: Plan, who: Actor) -> str:
        """One table after the other; returns the trouble, or nothing."""
        states = {each.table: each.state for each in (await self._found(number)).tables}
        is_first = all(state != "done" for state in states.values())
        before: dict[str, _Before] = {}
        for each in plan.tables:
            if states[each.table] == "done":
                continue
            if trouble := self._trouble(before):
                return trouble
            before[each.table] = self._as_it_is(each.table)
            answered = await self._update(plan, each, who)
            was_unknown = states[each.table] == "unknown" and answered.why == "old_serial"
            is_done = answered.ok or was_unknown
            state = "done" if is_done else "unknown" if answered.why == "no_answer" else "refused"
            became = partial(self._store.set_table, number, each.table, state=state, text=answered.text)
            await asyncio.to_thread(became, at=self._clock())
            if not is_done:
                return f"{each.table}: {answered.text}"
            if is_first:
                is_first = False
                if trouble := await self._watch(before):
                    return trouble
        return await self._watch(before)

    async def _watch(self, before: dict[str, _Before]) -> str:
        """Looks for a while; returns the trouble, or nothing."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self._watch_s
        while loop.time() < until:
            if trouble := self._trouble(before):
                return trouble
            await asyncio.sleep(_LOOK_EVERY_S)
        return self._trouble(before)

    def _as_it_is(self, name: str) -> _Before:
        table = self._tables.get(name)
        state = None if table is None else table.state
        if state is None:
            return _Before(frozenset(), False)
        severe = (alarm for alarm, each in state.alarms.items() if each.severity in _SEVERE)
        return _Before(frozenset(severe), state.held is not None)

    def _trouble(self, before: dict[str, _Before]) -> str:
        """What is wrong with a table since it was updated."""
        for name, was in before.items():
            table = self._tables.get(name)
            if table is None or table.state is None or not table.is_online:
                return f"{name} is not connected since it was updated"
            now = self._as_it_is(name)
            if now.is_held and not was.is_held:
                return f"{name} is held since it was updated"
            if new := now.alarms - was.alarms:
                alarm = min(new)
                return f"{name} has an alarm since it was updated: {table.state.alarms[alarm].text}"
        return ""

    async def _update(self, plan: Plan, each: SignedTable, who: Actor) -> Answered:
        """Between two rounds of that table."""
        pause = 0.0
        while True:
            await asyncio.sleep(pause)
            table = self._tables.get(each.table)
            if table is not None and table.state is not None and table.state.phase in _IN_ROUND:
                pause = _LOOK_EVERY_S
                continue
            answered = await self._send(plan, each, who)
            if answered.why != "round_running":
                return answered
            pause = _AGAIN_S

    async def _send(self, plan: Plan, each: SignedTable, who: Actor, *, preview: bool = False) -> Answered:
        by = msgspec.convert({"name": who.name, "role": who.role}, Vouched)
        fields = {**each.fields, "preview": True} if preview else each.fields
        return await self._sender.send(each.table, plan.command, fields, by, patience_s=_FETCHING_S)


_FETCHING_S = 150.0
"""A table may fetch for two minutes."""
