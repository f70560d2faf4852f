"""What a program at the console sees: the state document, and what was put into a round."""

from __future__ import annotations

from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from controller.engine.inputs import CardOut, Input, WagerPlaced
from controller.web.table_api import round_inputs, table_routes

FED = round_inputs(7, [Input(10, "dealer:sam", WagerPlaced(3, "ante", 500)), Input(20, "device:shoe", CardOut("As"))])


def page() -> TestClient[web.Request, web.Application]:
    app = web.Application()
    table_routes(lambda token: token == "signed-in", lambda: b'{"seq":4}', lambda: FED)(app)
    return TestClient(TestServer(app))


async def test_anybody_sees_the_state() -> None:
    async with page() as client:
        assert await (await client.get("/api/state")).json() == {"seq": 4}


async def test_who_has_signed_in_sees_what_was_put_into_the_round_and_no_card() -> None:
    async with page() as client:
        answer = await client.get("/api/round", headers={"Authorization": "Bearer signed-in"})
        assert await answer.json() == {
            "round": 7,
            "inputs": [
                {"index": 0, "kind": "wager", "by": "dealer:sam", "at": 10},
                {"index": 1, "kind": "card_out", "by": "device:shoe", "at": 20},
            ],
        }


async def test_a_stranger_does_not() -> None:
    async with page() as client:
        assert (await client.get("/api/round")).status == 401
