"""Signing in: a person proves who he is once, and acts with the token that he gets until he leaves or is idle.

The floor's token is short-lived: a supervisor walks from table to table and does not sign out. A dealer's lasts a
shift, with its breaks. Tokens live in memory only; after a restart everybody signs in again.

Every sign-in, failed one and sign-out is passed to `note`, which records it; a sign-in that cannot be recorded is
refused. Who fails over and over cannot fill the journal: after a burst, failures are counted and recorded together.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Literal, Protocol

from msgspec import Struct

from controller.engine.actor import Actor
from controller.engine.inputs import SignInSeen
from controller.operator.authenticator import Authenticator, Denied
from controller.operator.roles import RIGHTS, Right, Role
from controller.operator.sign_in_limits import BOARD, PANEL
from controller.operator.staff import Person

__all__ = ["LIVES", "Life", "Note", "Session", "SignIn", "SignInSeen", "SignIns"]

MOST_SESSIONS = 64
FAILURES_AT_ONCE = 60
"""Entries for failed sign-ins in a short time."""
FAILURE_EVERY_S = 60.0
"""After those, one entry in this time."""


class Life(Struct, frozen=True):
    """How long a token lasts without an act, and at most."""

    idle_s: float
    longest_s: float


LIVES = {
    Role.DEALER: Life(4 * 3600, 12 * 3600),
    Role.FLOOR: Life(120, 900),
    Role.TECHNICIAN: Life(900, 4 * 3600),
    Role.MONITOR: Life(900, 12 * 3600),
}


class SignIn(Struct, frozen=True, forbid_unknown_fields=True):
    """What a person presents: a name or staff number with a PIN, or a badge."""

    name: str = ""
    pin: str = ""
    badge: str = ""


class Session(Struct, frozen=True):
    """The answer to a sign-in."""

    token: str
    name: str
    role: Role
    rights: tuple[Right, ...]
    """What the role may do: a console asks for another person where this is not enough."""
    idle_s: float
    """It ends after this time without an act."""
    longest_s: float
    """And after this time in any case."""


class _Open(Struct):
    person: Person
    client: str
    life: Life
    until: float
    last: float


class Note(Protocol):
    """Records a sign-in, a sign-out or a failure; `is_alarm`: enough failures that a wait has begun."""

    def __call__(self, seen: SignInSeen, person: Actor | None, *, is_alarm: bool = False) -> Awaitable[None]: ...


class SignIns:
    """Who is signed in at this table."""

    def __init__(
        self,
        authenticator: Authenticator,
        note: Note,
        now: Callable[[], float] = time.monotonic,
        lives: Mapping[Role, Life] = LIVES,
        adding: str = "`cutcard staff add` on the board",
    ) -> None:
        """`adding`: how somebody is added to the staff, for the sentence that nobody is."""
        self._adding = adding
        self._authenticator = authenticator
        self._lives = lives
        self._note = note
        self._now = now
        self._open: dict[str, _Open] = {}
        self._unrecorded = 0
        """Failures since the last one that was recorded."""
        self._entries = float(FAILURES_AT_ONCE)
        self._counted_at = now()

    async def sign_in(self, sign_in: SignIn, client: str = BOARD) -> Session:
        """A session for who this is; `Denied` where it is nobody, or where it cannot be recorded."""
        person = await self._identify(sign_in, "console", client)
        life, now = self._lives[person.role], self._now()
        token = secrets.token_urlsafe(24)
        self._forget_the_idle(now)
        if len(self._open) >= MOST_SESSIONS:
            del self._open[min(self._open, key=lambda key: self._open[key].until)]
        self._open[_key(token)] = _Open(person, client, life, now + life.idle_s, now + life.longest_s)
        return Session(token, person.name, person.role, tuple(sorted(RIGHTS[person.role])), life.idle_s, life.longest_s)

    async def identify(self, sign_in: SignIn, panel: str) -> Person:
        """Who this is at a key panel, recorded, without a session."""
        return await self._identify(sign_in, panel, f"{PANEL}{panel}")

    async def _identify(self, sign_in: SignIn, at: str, client: str) -> Person:
        if not self._authenticator.knows_somebody:
            raise Denied("nobody", f"Nobody is on the staff yet: {self._adding}.", is_recorded=False)
        means: Literal["pin", "badge"] = "badge" if sign_in.badge else "pin"
        try:
            if sign_in.badge:
                person = await self._authenticator.by_badge(sign_in.badge, client)
            else:
                person = await self._authenticator.by_pin(sign_in.name, sign_in.pin, client)
        except Denied as denied:
            if denied.is_recorded:
                await self._note_failure(denied, at, client, means)
            raise
        seen = SignInSeen("signed_in", at, client, means, person.name, person.role, others=self._unrecorded)
        self._unrecorded = 0
        await self._note(seen, person.at_console(client) if at == "console" else person.at_panel(at))
        return person

    async def _note_failure(self, denied: Denied, at: str, client: str, means: Literal["pin", "badge"]) -> None:
        now = self._now()
        self._entries = min(FAILURES_AT_ONCE, self._entries + (now - self._counted_at) / FAILURE_EVERY_S)
        self._counted_at = now
        if self._entries < 1:
            self._unrecorded += 1
            return
        self._entries -= 1
        seen = SignInSeen("failed", at, client, means, denied.name, wait_s=denied.wait_s, others=self._unrecorded)
        self._unrecorded = 0
        await self._note(seen, None, is_alarm=denied.is_alarm)

    def who(self, token: str) -> Actor | None:
        """Whose token this is, and at which console; asking counts as being there."""
        now, key = self._now(), _key(token)
        session = self._open.get(key)
        if session is None:
            return None
        if now >= min(session.until, session.last) or not self._authenticator.still_is(session.person):
            del self._open[key]
            return None
        session.until = now + session.life.idle_s
        return session.person.at_console(session.client)

    def is_open(self, token: str) -> bool:
        """Whether somebody is signed in with this token. Asking does not count as being there."""
        session = self._open.get(_key(token))
        return session is not None and self._now() < min(session.until, session.last)

    def is_familiar(self, client: str) -> bool:
        """Whether anybody has signed in there before."""
        return self._authenticator.is_familiar(client)

    async def sign_out(self, token: str) -> None:
        session = self._open.pop(_key(token), None)
        if session is not None:
            seen = SignInSeen(
                "signed_out", "console", session.client, name=session.person.name, role=session.person.role
            )
            await self._note(seen, session.person.at_console(session.client))

    def _forget_the_idle(self, now: float) -> None:
        for key in [key for key, session in self._open.items() if now >= min(session.until, session.last)]:
            del self._open[key]


def _key(token: str) -> str:
    """Tokens are looked up by their hash, so that timing reveals nothing about them."""
    return hashlib.sha256(token.encode(errors="surrogateescape")).hexdigest()  # a header may hold any byte
