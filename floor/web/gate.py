"""Who may read and act at the page, and what is answered where something is wrong: one way for every handler."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import Any

import msgspec
from aiohttp import web
from sqlalchemy.exc import SQLAlchemyError

from controller.contract import Actor
from controller.errors import UserError
from controller.operator.authenticator import Denied
from controller.web.pages import bearer, json_body, json_response, refuse, refuse_denied
from floor.answers import Refused
from floor.people import People
from floor.store.page_acts import PageAct

PATIENCE_S = 15.0
"""For the body of a request, and for a screen that takes no data."""
WATCHERS = frozenset({"floor", "technician", "monitor"})
"""Roles that may look at a table's money and people."""
SUPERVISORS = frozenset({"floor", "monitor"})
"""Roles that may read the books: they name dealers with what is missing in their rounds."""
FLOOR = frozenset({"floor"})

Work = Callable[[Actor, bytes], Awaitable[web.Response]]
encode = msgspec.json.Encoder().encode


class Gate:
    """What handlers have in common."""

    def __init__(self, people: People, clock: Callable[[], int]) -> None:
        self._people, self._clock = people, clock

    def refusal(self, request: web.Request, roles: Collection[str] = WATCHERS) -> web.Response | None:
        """Why this request may not look; None: it may."""
        who = self._people.sign_ins.who(bearer(request))
        if who is None:
            return sign_in_first()
        if who.role not in roles:
            return refuse(403, "not_allowed", f"A {who.role} may not look at that.")
        return None

    async def read(self, read: Callable[..., Any], *arguments: object) -> web.Response:
        """Something of the store, as JSON."""
        try:
            return json_response(encode(await asyncio.to_thread(read, *arguments)))
        except SQLAlchemyError:
            return store_away()

    async def record(self, who: Actor, act: str, *, table: str = "", subject: str = "", text: str = "") -> None:
        """One act of a person; `Denied` where the store does not take it."""
        row = PageAct(at=self._clock(), by=who.by, client=who.at, act=act, table=table, subject=subject, text=text)
        await self._people.record([row])

    async def carry_out(self, request: web.Request, work: Work) -> web.Response:
        """An act of somebody who has signed in; what is wrong with it, as an answer."""
        who = self._people.sign_ins.who(bearer(request))
        if who is None:
            return sign_in_first()
        body = await json_body(request, PATIENCE_S)
        if isinstance(body, web.Response):
            return body
        try:
            return await work(who, body)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            return refuse(400, "malformed", f"That is not as it should be: {error}.")
        except Refused as refused:
            return refuse(403 if refused.why == "not_allowed" else 409, refused.why, refused.text)
        except Denied as denied:
            # Of the second person, or a store that does not take the act: who asks is signed in all the same.
            status = 503 if denied.why == "journal" else 409
            return refuse(status, denied.why, denied.text) if denied.why != "locked" else refuse_denied(denied)
        except UserError as error:
            return refuse(400, "malformed", str(error))
        except SQLAlchemyError:
            return store_away()


def expect_role(who: Actor, roles: Collection[str], what: str) -> None:
    """`Refused` where this role may not do it.

    >>> expect_role(Actor("monitor", "tom", "program", "pit"), FLOOR, "key a count")
    Traceback (most recent call last):
    floor.answers.Refused: A monitor may not key a count.
    """
    if who.role not in roles:
        raise Refused("not_allowed", f"A {who.role} may not {what}.")


def done(text: str) -> web.Response:
    return json_response(encode({"ok": True, "why": None, "text": text}))


def sign_in_first() -> web.Response:
    return refuse(401, "unauthorised", "Sign in first: POST /api/login returns a token.")


def store_away() -> web.Response:
    return refuse(503, "store_away", "The store is away. Nothing was done; try again.")
