"""What a program at the console sees of the table, beside the page for people.

    GET /api/state      the retained state document: what the table waits for, hands, alarms; the same as on the broker
    GET /api/round      for who has signed in: what was put into the running round, or the last one, by index

A correction uses `/api/round`. It has the kind of each input and who gave it, never a card: the floor sees the cards on
the table, and some of them nobody may know yet.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from aiohttp import web
from msgspec import Struct

from controller.engine.inputs import Input
from controller.web.pages import bearer, json_response, refuse


class RoundInput(Struct, frozen=True):
    """One input of a round: its place in it, what it was, by whom and when."""

    index: int
    kind: str
    by: str
    at: int


class RoundInputs(Struct, frozen=True):
    """The inputs of a round."""

    round: int
    inputs: tuple[RoundInput, ...]


def round_inputs(round: int, inputs: list[Input]) -> RoundInputs:
    listed = (
        RoundInput(index, str(type(value.body).__struct_config__.tag), value.by, value.at)
        for index, value in enumerate(inputs)
    )
    return RoundInputs(round, tuple(listed))


def table_routes(
    knows: Callable[[str], bool], state: Callable[[], bytes], round: Callable[[], RoundInputs]
) -> Callable[[web.Application], None]:
    """Routes for the page's server; `knows`: whether a token belongs to somebody who has signed in."""

    async def get_state(request: web.Request) -> web.Response:
        return json_response(state())

    async def get_round(request: web.Request) -> web.Response:
        if not knows(bearer(request)):
            return refuse(401, "unauthorised", "Sign in first: POST /api/login returns a token.")
        return json_response(msgspec.json.encode(round()))

    def add(app: web.Application) -> None:
        app.router.add_get("/api/state", get_state)
        app.router.add_get("/api/round", get_round)

    return add
