"""GET /metrics, beside the page. It needs no token: there is nothing in it that a screen on the wall may not show."""

from __future__ import annotations

from collections.abc import Callable

from aiohttp import web

from controller.metrics.exposition import CONTENT_TYPE
from controller.metrics.table import TableMetrics


def metrics_route(metrics: TableMetrics) -> Callable[[web.Application], None]:
    """What the page's server adds to itself."""

    async def answer(request: web.Request) -> web.Response:
        return web.Response(body=metrics.text(), headers={"Content-Type": CONTENT_TYPE})

    def add(app: web.Application) -> None:
        app.router.add_get("/metrics", answer)

    return add
