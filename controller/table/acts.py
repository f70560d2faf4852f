"""What people do at a table, at the console or a key panel: acts, and signing in and out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from controller.engine import alarms
from controller.engine import inputs as happened
from controller.engine.actor import Actor
from controller.engine.expect.want import Refusal
from controller.engine.reading import Unreadable
from controller.journal import JournalError
from controller.operator.act_result import ActResult
from controller.operator.authenticator import Denied
from controller.operator.roles import Right, Role, may, right_for
from controller.operator.slips import Slip, judge_slip, read_slip
from controller.outputs.device_commands import DeviceCommands
from controller.recorder.board_alarms import set_alarm
from controller.recorder.recorder import Outcome, Recorder

_BY_READERS = (happened.CardOut, happened.StackOut, happened.CutCardOut)


class OperatorActions:
    """Checks an act against the person's role and submits it."""

    def __init__(self, recorder: Recorder, commands: DeviceCommands, is_ready: Callable[[], bool]) -> None:
        """`is_ready`: whether the table has started."""
        self._recorder, self._commands, self._is_ready = recorder, commands, is_ready

    async def act(self, body: bytes, who: Actor) -> ActResult:
        """One input, as JSON, from a person who has signed in."""
        if not self._is_ready():
            return ActResult("starting", "starting", "The table is starting; try again.")
        try:
            wanted = happened.decode_body(body)
        except Unreadable as error:
            return ActResult("malformed", "malformed", f"This is not an input: {error}")
        return await self.carry_out(wanted, who)

    async def slip(self, body: bytes, who: Actor) -> ActResult:
        """One or several acts as one, as JSON, from a person who has signed in: all of them, or none."""
        if not self._is_ready():
            return ActResult("starting", "starting", "The table is starting; try again.")
        try:
            slip = read_slip(body)
        except Unreadable as error:
            return ActResult("malformed", "malformed", f"This is not a slip: {error}")
        return await self.carry_out_slip(slip, who)

    async def carry_out_slip(self, slip: Slip, by: Actor) -> ActResult:
        """All acts of a slip, or none."""
        if len(slip.acts) == 1 and not slip.moment:
            return await self.carry_out(slip.acts[0], by)
        for wanted in slip.acts:
            if isinstance(wanted, happened.Amended):
                return ActResult("malformed", "malformed", "A correction is sent by itself.")
            barred = self._barred(wanted, by)
            if barred is not None:
                return barred
        try:
            outcome = await self._recorder.submit_slip(slip.acts, by, partial(judge_slip, slip))
        except JournalError as error:
            return ActResult("not_written", "journal", str(error))
        except Unreadable as error:
            return ActResult("malformed", "malformed", f"This is not a slip: {error}")
        return _result(outcome)

    async def carry_out(self, wanted: happened.AnyBody, by: Actor) -> ActResult:
        """One input from this person."""
        barred = self._barred(wanted, by)
        if barred is not None:
            return barred
        if isinstance(wanted, happened.Amended) and wanted.preview:
            return await self.preview(wanted, by)
        try:
            outcome = await self._recorder.submit(wanted, by)
        except JournalError as error:
            return ActResult("not_written", "journal", str(error))
        except Unreadable as error:
            return ActResult("malformed", "malformed", f"This is not an input: {error}")
        return _result(outcome)

    def _barred(self, wanted: happened.AnyBody, by: Actor) -> ActResult | None:
        """Why this person may not do that here, whatever the table waits for."""
        role, right = Role(by.role), right_for(wanted)
        if isinstance(wanted, happened.Happening) and self._recorder.engine.waits.phase == "held":
            right = Right.HOLD  # On a held table it is a ruling, and the floor's.
        if right is None:
            return ActResult("not_allowed", "devices_only", "Only a device can report that.")
        if not may(role, right):
            return ActResult("not_allowed", "not_your_right", f"A {role} may not do that.")
        if isinstance(wanted, _BY_READERS) and self._commands.cards_are_read():
            return ActResult("not_allowed", "devices_only", "The shoe reads the cards itself.")
        return None

    async def preview(self, wanted: happened.Amended, by: Actor) -> ActResult:
        """What a correction would change; `by` needs no right to ask that."""
        try:
            changes = await self._recorder.preview(wanted, by)
        except JournalError as error:
            return ActResult("not_written", "journal", str(error))
        if isinstance(changes, Refusal):
            return ActResult("refused", changes.why, changes.text)
        return ActResult("done", "preview", changes=changes)

    async def note_sign_in(self, seen: happened.SignInSeen, person: Actor | None, *, is_alarm: bool = False) -> None:
        """Record a sign-in, a failed one or a sign-out. Too many failures are an alarm until the floor signs in."""
        if not self._is_ready():
            raise Denied("journal", "The table is starting; try again.", is_recorded=False)
        by = "board" if person is None else person
        try:
            await self._recorder.submit(seen, by)
            if is_alarm:
                # No name: everybody can read it on the page, and would learn who is on the staff.
                text = f"wrong PINs or badges at the {seen.at}, from {seen.client}"
                await self._recorder.submit(happened.BoardSeen(alarms.SIGN_IN.of(), True, text), by)
            elif person is not None and person.role == "floor":
                for kind in (alarms.SIGN_IN, alarms.WATCHDOG):
                    await set_alarm(self._recorder, kind.of(), None, by)
            if person is not None and person.role == "dealer":
                await self._note_dealer(seen.what, person)
        except JournalError as error:
            raise Denied("journal", f"It cannot be written down: {error}", is_recorded=False) from None

    async def _note_dealer(self, what: str, person: Actor) -> None:
        """A dealer who signs in at the console deals from then on. When he signs out, nobody does."""
        deals = self._recorder.engine.state.drop.dealer
        if what == "signed_in" and deals != person.name:
            await self._recorder.submit(happened.DealerSigned(person.name), person)
        elif what == "signed_out" and deals == person.name:
            await self._recorder.submit(happened.DealerSigned(""), person)


def _result(outcome: Outcome) -> ActResult:
    refusal = outcome.refusal
    return ActResult("done") if refusal is None else ActResult("refused", refusal.why, refusal.text)
