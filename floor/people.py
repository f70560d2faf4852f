"""Who may sign in at the page: the same staff file, checks and limits as at a table, with a file of the floor's own.

Every sign-in, failed one and sign-out is a row of `page_acts`; one that cannot be written is refused.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from controller.contract import Actor
from controller.operator.authenticator import Authenticator, Denied
from controller.operator.roles import Role
from controller.operator.sessions import Life, SignIn, SignIns, SignInSeen
from floor.config import FloorConfig
from floor.store.page_acts import PageAct, write_acts

_LONGEST_S = 12 * 3600.0
"""A shift."""


class People:
    """Signs people in."""

    def __init__(self, config: FloorConfig, engine: Engine, clock: Callable[[], int]) -> None:
        self._site, self._engine, self._clock = config.site, engine, clock
        life = Life(config.page.idle_minutes * 60.0, _LONGEST_S)
        self.authenticator = Authenticator(Path(config.page.staff))
        self.sign_ins = SignIns(
            self.authenticator, self._note, lives=dict.fromkeys(Role, life), adding="`cutcard floor staff add`"
        )

    async def _note(self, seen: SignInSeen, person: Actor | None, *, is_alarm: bool = False) -> None:
        act = PageAct(
            at=self._clock(),
            by="" if person is None else person.by,
            client=seen.client,
            act={"signed_in": "signed_in", "signed_out": "signed_out"}.get(seen.what, "sign_in_failed"),
            subject=seen.name,
            ok=seen.what != "failed",
            why="alarm" if is_alarm else "",
            text="" if not seen.others else f"and {seen.others} more that were not recorded",
        )
        await self.record([act])

    async def identify(self, sign_in: SignIn, client: str) -> Actor:
        """Who this is, without a session: the second of two people. `Denied` where it is nobody."""
        authenticator = self.authenticator
        if sign_in.badge:
            person = await authenticator.by_badge(sign_in.badge, client)
        else:
            person = await authenticator.by_pin(sign_in.name, sign_in.pin, client)
        return person.at_console(client)

    async def record(self, acts: list[PageAct]) -> None:
        """`Denied` where the store does not take it."""
        try:
            await asyncio.to_thread(write_acts, self._engine, self._site, acts)
        except SQLAlchemyError:
            text = "The store is away: what you do could not be recorded, so it is not done. Try again."
            raise Denied("journal", text, is_recorded=False) from None
