"""The embedded broker of the demo: `python -m controller.demo.broker --port 1883`.

amqtt on loopback, open to anybody on this machine, nothing kept on disk. It is there so that a fresh machine needs no
broker of its own to see a table publish. It speaks MQTT 3.1.1 only (`version = "3.1.1"`), so it cannot report
a refused event, and it promises no order: a cardroom runs Mosquitto or another MQTT 5 broker.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import signal
import sys
from collections.abc import Callable

from controller.child_processes import free_port

_HOST = "127.0.0.1"
_SHUTDOWN = 3.0
"""Seconds for amqtt to end by itself; a client that does not hang up must not keep it."""


class CannotServe(Exception):
    """In words for the person who started it."""


async def serve(port: int, ready: Callable[[int], None]) -> None:
    """Runs the broker until SIGTERM or SIGINT; calls `ready` with the port when it accepts connections."""
    try:
        from amqtt.broker import Broker
        from amqtt.errors import BrokerError
    except ImportError as error:
        raise CannotServe(
            f"The embedded broker needs amqtt, which is not installed ({error}). Install Cutcard with its demo extra: "
            "pip install 'cutcard[demo]'. Or use a broker of your own and name it in the configuration."
        ) from error

    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    port = port or free_port()
    broker = Broker(
        {
            "listeners": {"default": {"type": "tcp", "bind": f"{_HOST}:{port}"}},
            "plugins": {"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}},
        }
    )
    try:
        await broker.start()
    except BrokerError as error:
        why = str(error.__cause__ or error).rstrip(".")
        raise CannotServe(
            f"The embedded broker cannot use port {port} on {_HOST}: {why}. Stop what uses that port, or choose "
            "another with --port."
        ) from error
    ready(port)
    await stop.wait()
    try:
        async with asyncio.timeout(_SHUTDOWN):
            await broker.shutdown()
    except TimeoutError:
        logging.getLogger(__name__).warning("the broker did not end by itself; its connections are cut")


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m controller.demo.broker", description="The embedded broker of the demo."
    )
    parser.add_argument("--port", type=int, default=1883, help="port on loopback; 0 takes a free one (default: 1883)")
    port: int = parser.parse_args().port
    # amqtt logs every connection and every packet; only errors are wanted here.
    logging.basicConfig(level=logging.ERROR, format="broker: %(message)s")
    logging.getLogger("amqtt").setLevel(logging.CRITICAL)
    try:
        asyncio.run(serve(port, lambda used: print(f"broker ready on {_HOST}:{used}", flush=True)))
    except CannotServe as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
