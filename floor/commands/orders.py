"""An order of a person: one command for one table, a section or the house. Each table gets a request of its own and
answers for itself; the room's rules may refuse some before anything is sent."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from controller.contract.requests import Vouched
from controller.operator.roles import Role, may_command
from floor.answers import Answered, Refused
from floor.commands.sender import Sender
from floor.live.live_tables import LiveTable, LiveTables
from floor.room.licence import Licence

Command = Literal["acknowledge", "open", "close", "dealer"]
"""What the page offers. `close` lets the running round be played to its end: it is "stop after this round" too."""
MOST_AT_ONCE = 32
"""Requests under way at a time."""


class Scope(Struct, frozen=True, forbid_unknown_fields=True):
    """For which tables: one of the three."""

    tables: tuple[str, ...] = ()
    section: str = ""
    house: bool = False


class Order(Struct, frozen=True, forbid_unknown_fields=True):
    """As the page sends it."""

    command: Command
    scope: Scope
    reason: str = ""
    """Of `close`."""
    name: str = ""
    """Of `dealer`: who deals from now on; empty: nobody."""
    alarm: str = ""
    """Of `acknowledge`; empty: every alarm that nobody has acknowledged."""


class _Request(Struct, frozen=True):
    table: str
    fields: dict[str, Any]
    subject: str = ""


decode_order = msgspec.json.Decoder(Order).decode


class Orders:
    """Carries them out."""

    def __init__(
        self, sections: Mapping[str, Sequence[str]], tables: LiveTables, sender: Sender, licence: Licence
    ) -> None:
        self._sections, self._tables, self._sender, self._licence = sections, tables, sender, licence
        self._under_way = asyncio.Semaphore(MOST_AT_ONCE)

    async def carry_out(self, order: Order, name: str, role: Role) -> list[Answered]:
        """The answers, by table. `Refused` where it is no order, or not for this role."""
        if not may_command(role, order.command):
            raise Refused("not_allowed", f"A {role.value} may not do that: {order.command}.")
        by = msgspec.convert({"name": name, "role": role.value}, Vouched)
        chosen = self._chosen(order.scope)
        requests = list(self._requests(order, chosen))
        refused: list[Answered] = []
        if order.command == "open":
            allowed, refused = self._licence.admit([request.table for request in requests])
            requests = [request for request in requests if request.table in allowed]
            try:
                return [*await self._send_all(order.command, requests, by), *refused]
            finally:
                self._licence.release(allowed)
        return await self._send_all(order.command, requests, by)

    async def _send_all(self, command: str, requests: Sequence[_Request], by: Vouched) -> list[Answered]:
        return list(await asyncio.gather(*(self._send(command, request, by) for request in requests)))

    async def _send(self, command: str, request: _Request, by: Vouched) -> Answered:
        async with self._under_way:
            answered = await self._sender.send(request.table, command, request.fields, by)
        return msgspec.structs.replace(answered, subject=request.subject)

    def _chosen(self, scope: Scope) -> list[LiveTable]:
        known = self._tables.all
        if sum((bool(scope.tables), bool(scope.section), scope.house)) != 1:
            raise Refused("malformed", "Choose tables, a section or the house.")
        if scope.house:
            return list(known.values())
        names: Iterable[str] = scope.tables or self._sections.get(scope.section, ())
        missing = [name for name in names if name not in known]
        if scope.tables and missing:
            raise Refused("no_such_table", f"There is no table {', '.join(missing)} here.")
        found = [known[name] for name in names if name in known]
        if not found:
            raise Refused("no_such_section", f"No table of the section {scope.section} is here.")
        return found

    def _requests(self, order: Order, tables: Sequence[LiveTable]) -> Iterable[_Request]:
        """One to each table that it concerns: of a section or the house, those that are open need no opening."""
        is_one = bool(order.scope.tables)
        for table in sorted(tables, key=lambda table: table.name):
            state = table.state
            assert state is not None
            match order.command:
                case "open" if is_one or not state.open:
                    yield _Request(table.name, {})
                case "close" if is_one or state.open:
                    yield _Request(table.name, {"reason": order.reason})
                case "dealer":
                    yield _Request(table.name, {"name": order.name})
                case "acknowledge" if order.alarm:
                    yield _Request(table.name, {"alarm": order.alarm}, order.alarm)
                case "acknowledge":
                    for alarm, each in sorted(state.alarms.items()):
                        if each.acknowledged_by is None:
                            yield _Request(table.name, {"alarm": alarm}, alarm)
