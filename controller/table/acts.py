"""What people do at a table: acts at the console or a key panel, and coming and going at the door."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from controller.engine import alarms
from controller.engine import inputs as happened
from controller.engine.expect.expectation import Refusal
from controller.journal import JournalError
from controller.operator.roles import Right, Role, may, right_for
from controller.operator.staff import Denied, Person
from controller.outputs.device_commands import DeviceCommands
from controller.outputs.view import phase_of
from controller.recorder.board_alarms import set_alarm
from controller.recorder.recorder import Outcome, Recorder
from controller.web.server import ActAnswer, act_answer

_BY_READERS = (happened.CardOut, happened.StackOut, happened.CutCardOut)


class OperatorActions:
    """What they do, each according to his role."""

    def __init__(self, recorder: Recorder, commands: DeviceCommands, is_ready: Callable[[], bool]) -> None:
        """`is_ready`: whether the table has started."""
        self._recorder, self._commands, self._is_ready = recorder, commands, is_ready

    async def act(self, body: bytes, who: Person) -> ActAnswer:
        """One input from a person who has signed in."""
        if not self._is_ready():
            return act_answer(ok=False, status=503, why="starting", text="The table is starting; try again.")
        try:
            wanted = happened.decode_body(body)
        except msgspec.MsgspecError as error:
            return act_answer(ok=False, status=400, why="malformed", text=f"This is not an input: {error}")
        return await self.carry_out(wanted, who.role, who.by)

    async def carry_out(self, wanted: happened.AnyBody, role: Role, by: str) -> ActAnswer:
        """One input from somebody in this role."""
        right = right_for(wanted)
        if isinstance(wanted, happened.Happening) and phase_of(self._recorder.engine) == "held":
            right = Right.HOLD  # On a held table it is a ruling, and the floor's.
        if right is None:
            return act_answer(ok=False, status=403, why="devices_only", text="Only a device can say that.")
        if not may(role, right):
            return act_answer(ok=False, status=403, why="not_your_right", text=f"A {role} may not do that.")
        if isinstance(wanted, _BY_READERS) and self._commands.cards_are_read():
            return act_answer(ok=False, status=403, why="devices_only", text="The shoe reads the cards itself.")
        if isinstance(wanted, happened.Amended) and wanted.preview:
            return await self._preview(wanted, by)
        try:
            outcome: Outcome = await self._recorder.submit(wanted, by)
        except JournalError as error:
            return act_answer(ok=False, status=503, why="journal", text=str(error))
        if outcome.refusal is not None:
            return act_answer(ok=False, status=409, why=outcome.refusal.why, text=outcome.refusal.text)
        return act_answer(ok=True, status=200, why=None, text="done")

    async def _preview(self, wanted: happened.Amended, by: str) -> ActAnswer:
        try:
            changes = await self._weighed(wanted, by)
        except JournalError as error:
            return act_answer(ok=False, status=503, why="journal", text=str(error))
        if isinstance(changes, Refusal):
            return act_answer(ok=False, status=409, why=changes.why, text=changes.text)
        return act_answer(ok=True, status=200, why="preview", text=msgspec.json.encode(changes).decode())

    async def _weighed(self, wanted: happened.Amended, by: str) -> dict[str, Any] | Refusal:
        """What an amendment would change; that it was asked is in the journal before it is answered."""
        await self._recorder.submit(replace(wanted, preview=True), by)
        return self._recorder.engine.preview(wanted)

    async def preview_line(self, wanted: happened.Amended, by: str) -> str:
        """What an amendment would change, for a panel's short line."""
        try:
            changes = await self._weighed(wanted, by)
        except JournalError as error:
            return str(error)
        if isinstance(changes, Refusal):
            return changes.text
        before, after = changes.get("outcome", ["", ""])
        return f"{before} > {after}" if before != after else ", ".join(changes) or "no change"

    async def note_sign_in(self, what: str, person: Person | None, facts: dict[str, str]) -> None:
        """Who came, who was turned away; a name that was locked is an alarm until the floor has been here."""
        if not self._is_ready():
            raise Denied("journal", "The table is starting; try again.", told=False)
        by = "board" if person is None else person.by
        try:
            await self._recorder.submit(happened.Noted(facts.get("at", "console"), what, facts), by)
            if what == "sign_in_locked":
                text = f"wrong PINs or badges at the {facts['at']}, the last for {facts['name']}"
                await self._recorder.submit(happened.BoardSeen(alarms.SIGN_IN.of(), True, text), by)
            elif person is not None and person.role == "floor":
                for kind in (alarms.SIGN_IN, alarms.WATCHDOG):
                    await set_alarm(self._recorder, kind.of(), None, by)
            if person is not None and person.role == "dealer":
                await self._note_dealer(what, person)
        except JournalError as error:
            raise Denied("journal", f"It cannot be written down: {error}", told=False) from None

    async def _note_dealer(self, what: str, person: Person) -> None:
        """A dealer who signs in at the console deals from then on; when he signs out, nobody does."""
        deals = self._recorder.engine.state.drop.dealer
        if what == "signed_in" and deals != person.name:
            await self._recorder.submit(happened.DealerSigned(person.name), person.by)
        elif what == "signed_out" and deals == person.name:
            await self._recorder.submit(happened.DealerSigned(""), person.by)
