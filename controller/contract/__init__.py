"""What a table publishes and accepts: the contract with every other program, made of types.

messages   the envelope of an event, and the retained documents: state, device, alarm, online, head,
           certificate
requests   commands over MQTT and their replies
topics     the topics of one table
naming     names in the schemas: for generators
schema     `python -m controller.contract.schema`: JSON Schema and (asyncapi) AsyncAPI from the same types

`events` are the engine's own event types; the `wants` of a state are its expectations. A program beside the daemon
imports this package and nothing else of the daemon. The package imports the values of `engine` and the roles of
`operator`.
docs/mqtt/README.md is the contract for those who build on it.
"""

from controller.contract.messages import (
    AlarmDocument,
    DeviceDocument,
    Envelope,
    HeadDocument,
    Online,
    StateDocument,
    encode,
)
from controller.contract.requests import REPLIES, REQUESTS, Reply, Request
from controller.contract.topics import Topics
from controller.engine import events
from controller.engine.actor import Actor
from controller.engine.events import Event, decode_event
from controller.engine.expect.at_any_time import AtAnyTime
from controller.engine.expect.wants import AnyWant

__all__ = [
    "REPLIES",
    "REQUESTS",
    "Actor",
    "AlarmDocument",
    "AnyWant",
    "AtAnyTime",
    "DeviceDocument",
    "Envelope",
    "Event",
    "HeadDocument",
    "Online",
    "Reply",
    "Request",
    "StateDocument",
    "Topics",
    "decode_event",
    "encode",
    "events",
]
