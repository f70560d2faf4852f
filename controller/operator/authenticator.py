"""Checks PINs and badges against the staff file.

Nobody learns from the answer, nor from the time it takes, whether there is such a person: a name that nobody has costs
the same work and is counted in the same way (`sign_in_limits`). One PIN is checked at a time, and few strangers may
wait for their turn: the table's own consoles do not stand behind a crowd.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from controller.operator import sign_in_limits
from controller.operator.sign_in_limits import BOARD, SignInLimits
from controller.operator.staff import NO_PIN, NOBODY, Member, Person, Staff, StaffError, read_staff

MOST_AT_ONCE = 4
"""Sign-ins of one client under way."""
MOST_STRANGERS = 16
"""Sign-ins under way from clients where nobody has signed in before."""


class Denied(Exception):
    """Why a sign-in failed: a code for programs and a sentence that does not reveal which half was wrong."""

    def __init__(
        self, why: str, text: str, *, name: str = "", wait_s: int = 0, is_alarm: bool = False, is_recorded: bool = True
    ) -> None:
        super().__init__(text)
        self.why, self.text = why, text
        self.name = name
        """The name, if it is on the staff: what a stranger typed is not kept, it may be half a PIN."""
        self.wait_s = wait_s
        self.is_alarm = is_alarm
        """Enough wrong tries that a wait has begun."""
        self.is_recorded = is_recorded
        """Whether it is worth an entry in the journal: tries during a wait are not, they could fill it."""


class Authenticator:
    """Who somebody is, by the staff file."""

    def __init__(self, path: Path, now: Callable[[], float] = time.monotonic) -> None:
        """`path`: the staff file. The counts of wrong tries are beside it."""
        self._path = path
        self._read: tuple[tuple[int, int], Staff] | None = None
        self._limits = SignInLimits(path.with_name(sign_in_limits.FILE), now)
        self._one_at_a_time = asyncio.Lock()
        self._under_way: Counter[str] = Counter()

    async def by_pin(self, who: str, pin: str, client: str = BOARD) -> Person:
        """The person of this name or number, whose PIN it is; `Denied` where not."""
        async with self._turn(client):
            limits = self._limits
            _expect_no_wait(limits.pin_wait(client, who))
            member = self._staff().member(who)
            is_right = await asyncio.to_thread((NO_PIN if member is None else member.pin).is_of, pin)
            if member is not None and is_right and not limits.withholds_pin(client, member.name):
                return await self._signed_in(client, member, who)
            name = None if member is None else member.name
            # The right PIN at a place that must wait: it is answered as a wrong one, but makes nobody wait longer.
            wait, is_alarm = limits.wrong_pin(client, who, None if is_right else name)
            await self._save()
            raise _denied("Name and PIN do not fit.", name or "", wait, is_alarm=is_alarm)

    def is_familiar(self, client: str) -> bool:
        """Whether anybody has signed in there before."""
        return self._limits.is_familiar(client)

    async def by_badge(self, code: str, client: str = BOARD) -> Person:
        """Whose badge it is; `Denied` where nobody's. Wrong PINs have no effect on it."""
        async with self._turn(client):
            limits = self._limits
            _expect_no_wait(limits.badge_wait(client))
            member = await asyncio.to_thread(self._staff().badge_holder, code)
            if member is not None and not limits.withholds_badge(client, member.name):
                return await self._signed_in(client, member, None)
            wait, is_alarm = limits.wrong_badge(client)
            await self._save()
            raise _denied("This badge is nobody's here.", "", wait, is_alarm=is_alarm)

    def still_is(self, person: Person) -> bool:
        """Whether the file has that person in that role now."""
        with contextlib.suppress(StaffError):
            return any(member.person == person for member in self._staff().people)
        return False

    def is_on_staff(self, name: str) -> bool:
        """Whether the file has somebody of that name now."""
        with contextlib.suppress(StaffError):
            return any(member.name == name for member in self._staff().people)
        return False

    @property
    def knows_somebody(self) -> bool:
        with contextlib.suppress(StaffError):
            return bool(self._staff().people)
        return False

    @contextlib.asynccontextmanager
    async def _turn(self, client: str) -> AsyncIterator[None]:
        """One after the other. A client that sends many at once, and too many strangers, are refused."""
        under_way, limits = self._under_way, self._limits
        strangers = sum(under_way[other] for other in under_way if not limits.is_familiar(other))
        is_full = strangers >= MOST_STRANGERS and not limits.is_familiar(client)
        if under_way[client] >= MOST_AT_ONCE or is_full:
            text = "Too many people sign in at once; try again in a moment."
            raise Denied("busy", text, wait_s=1, is_recorded=False)
        under_way[client] += 1
        try:
            async with self._one_at_a_time:
                yield
        finally:
            under_way[client] -= 1
            if not under_way[client]:
                del under_way[client]

    async def _signed_in(self, client: str, member: Member, typed: str | None) -> Person:
        if self._limits.right(client, member.name, typed):
            await self._save()
        return member.person

    async def _save(self) -> None:
        snapshot = self._limits.snapshot({member.name for member in self._staff().people})
        await asyncio.to_thread(self._limits.write, snapshot)

    def _staff(self) -> Staff:
        """The file as it is now; `cutcard staff` replaces it under a running daemon."""
        with contextlib.suppress(FileNotFoundError):
            stat = self._path.stat()
            stamp = (stat.st_mtime_ns, stat.st_ino)
            if self._read is None or self._read[0] != stamp:
                self._read = stamp, read_staff(self._path)
            return self._read[1]
        self._read = None
        return NOBODY


def _expect_no_wait(left: float) -> None:
    if left > 0:
        seconds = max(1, round(left))
        text = f"Too many wrong tries here; wait {seconds} seconds."
        raise Denied("locked", text, wait_s=seconds, is_recorded=False)


def _denied(text: str, name: str, wait: float, *, is_alarm: bool) -> Denied:
    if not wait:
        return Denied("denied", text, name=name, is_alarm=is_alarm)
    seconds = round(wait)
    text = f"{text} That was one try too many; wait {seconds} seconds."
    return Denied("locked", text, name=name, wait_s=seconds, is_alarm=is_alarm)
