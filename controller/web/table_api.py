"""What a program at the console sees of the table, beside the page for people.

    GET /api/state      the retained state document: what the table waits for, hands, alarms; the same as on the broker
    GET /api/round      for who has signed in: what was put into the running round, or the last one, by index

`/api/round` is what an amendment goes by. It tells the kind of each input and who gave it, and never a card: the floor
has the cards before it, and some of them nobody may know yet.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from aiohttp import web
from msgspec import Struct

from controller.engine.inputs import Input
from controller.web.server import bearer, refuse


class FedInput(Struct, frozen=True):
    """One input of a round: its place in it, what it was, by whom and when."""

    index: int
    kind: str
    by: str
    at: int


class FedRound(Struct, frozen=True):
    """A round as it was fed."""

    round: int
    inputs: tuple[FedInput, ...]


def fed_round(round: int, inputs: list[Input]) -> FedRound:
    told = (
        FedInput(index, str(type(value.body).__struct_config__.tag), value.by, value.at)
        for index, value in enumerate(inputs)
    )
    return FedRound(round, tuple(told))


def table_routes(
    knows: Callable[[str], bool], state: Callable[[], bytes], round: Callable[[], FedRound]
) -> Callable[[web.Application], None]:
    """What the page's server adds to itself; `knows` says whether a token is somebody's who has signed in."""

    async def tell_state(request: web.Request) -> web.Response:
        return web.Response(body=state(), content_type="application/json")

    async def round_in_words(request: web.Request) -> web.Response:
        if not knows(bearer(request)):
            return refuse(401, "unauthorised", "Sign in first: POST /api/login gives a token.")
        return web.Response(body=msgspec.json.encode(round()), content_type="application/json")

    def add(app: web.Application) -> None:
        app.router.add_get("/api/state", tell_state)
        app.router.add_get("/api/round", round_in_words)

    return add
