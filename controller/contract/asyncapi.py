"""The AsyncAPI 3.1 document: channels and operations around the messages, seen from the table.

`send` is what a table publishes, `receive` what it listens to. Where the document ends (who may publish where, what a
subscriber does about repeats and holes), docs/mqtt/README.md continues.
"""

from __future__ import annotations

from typing import Any

from controller.contract.messages import CONTENT_TYPE, RETAINED
from controller.contract.naming import event_name, pascal, reply_name, request_name
from controller.contract.topics import ROOT, Topics
from controller.engine import events as ev
from controller.operator.roles import COMMANDS, Role, may_command

_BASE = ROOT + "/{site}/{table}"
_BINDING = "0.2.0"
_PARAMETERS: dict[str, dict[str, Any]] = {
    "site": {"description": "The cardroom, as its tables' configuration names it."},
    "table": {"description": "The table."},
    "kind": {"description": "The kind of event, as in the message."},
    "device": {"description": "The device, as the table's configuration names it; a drop box as device.box."},
    "alarm": {"description": "The alarm's name, as in the message."},
    "broker": {"description": "The broker, as the table's configuration names it."},
    "role": {"description": "What the sender is to the table.", "enum": [str(role) for role in Role]},
    "store": {"description": "The name under which the broker knows the store."},
    "client": {"description": "The name under which the broker knows the sender."},
}

Document = dict[str, Any]


def asyncapi(schemas: Document) -> Document:
    """The whole document; `schemas` go to its components."""
    events = [event_name(kind) for kind in sorted(ev.KINDS)]
    publications: Document = {
        "event": _channel("event/{kind}", events, "site", "table", "kind"),
        "state": _channel("state", ["State"], "site", "table"),
        "device": _channel("device/{device}", ["Device"], "site", "table", "device"),
        "alarm": _channel("alarm/{alarm}", ["Alarm"], "site", "table", "alarm"),
        "online": _channel("online", ["Online"], "site", "table"),
        "head": _channel("head", ["Head"], "site", "table"),
        "certificate": _channel("certificate/{broker}", ["Certificate"], "site", "table", "broker"),
    }
    asked: Document = {
        f"command{pascal(name)}": _asked_channel("command", f"/{name}", [request_name(name)]) for name in COMMANDS
    }
    receipt = _channel("", ["Receipt"], "store", "site", "table")
    asked["receipt"] = {**receipt, "address": f"{ROOT}/receipt/{{store}}/store/{{site}}/{{table}}"}
    replies = list(dict.fromkeys(reply_name(name) for name in COMMANDS))
    requests = [request_name(name) for name in COMMANDS]
    messages = [*RETAINED, *events, *requests, *replies]
    return {
        "asyncapi": "3.1.0",
        "info": {
            "title": "Cutcard: one card table over MQTT",
            "version": "2.0.0",
            "description": "What a table publishes and the commands that it takes. README.md beside this file explains "
            "the rest: order, repeats, holes, retained topics, roles, versions.",
        },
        "defaultContentType": CONTENT_TYPE,
        "servers": {
            "broker": {
                "host": "broker.example:8883",
                "protocol": "secure-mqtt",
                "protocolVersion": "5",
                "description": "The cardroom's broker. Each table is a client of it, known by its certificate.",
                "bindings": {
                    "mqtt": {
                        "clientId": "cutcard-bay101-t7",
                        "cleanSession": True,
                        "lastWill": {
                            "topic": Topics("bay101", "t7").online,
                            "qos": 1,
                            "retain": True,
                            "message": '{"document":"online","online":false,"session":"4e2f9c0d1b7a6358",'
                            '"journal":"0d9f3c1e5b7a48269f1e2d3c4b5a6978"}',
                        },
                        "keepAlive": 15,
                        "bindingVersion": _BINDING,
                    }
                },
            }
        },
        "channels": {**publications, **asked, "reply": _asked_channel("reply", "", [*replies, *events])},
        "operations": {
            **{f"send{pascal(name)}": _sent(name) for name in publications},
            **{f"receive{pascal(name)}": _received(name) for name in COMMANDS},
            "receiveReceipt": {
                "action": "receive",
                "channel": {"$ref": "#/channels/receipt"},
                "summary": "From a store; receipts.md beside this file.",
                "bindings": {"mqtt": {"qos": 1, "retain": True, "bindingVersion": _BINDING}},
            },
        },
        "components": {"messages": {name: _message(name, schemas[name]) for name in messages}, "schemas": schemas},
    }


def _asked_channel(branch: str, below: str, messages: list[str]) -> Document:
    """Of requests or answers: who asks comes first, then the table."""
    address = f"{ROOT}/{branch}/{{client}}/{{role}}/{{site}}/{{table}}{below}"
    return {**_channel("", messages, "client", "role", "site", "table"), "address": address}


def _channel(address: str, messages: list[str], *parameters: str) -> Document:
    return {
        "address": f"{_BASE}/{address}",
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
        "parameters": {name: _PARAMETERS[name] for name in parameters},
    }


def _message(name: str, schema: Document) -> Document:
    message: Document = {
        "name": name,
        "title": name,
        "summary": schema.get("description", name).split("\n\n")[0],
        "contentType": CONTENT_TYPE,
        "payload": {"$ref": f"#/components/schemas/{name}"},
    }
    if name.startswith("Request"):
        message["correlationId"] = {
            "description": "MQTT 5 correlation data, returned with the answer; at most 128 bytes.",
            "location": "$message.header#/correlationData",
        }
        message["bindings"] = {"mqtt": {"responseTopic": {"type": "string"}, "bindingVersion": _BINDING}}
    return message


def _sent(channel: str) -> Document:
    return {
        "action": "send",
        "channel": {"$ref": f"#/channels/{channel}"},
        "bindings": {"mqtt": {"qos": 1, "retain": channel != "event", "bindingVersion": _BINDING}},
    }


def _received(command: str) -> Document:
    roles = ", ".join(role for role in Role if may_command(role, command))
    return {
        "action": "receive",
        "channel": {"$ref": f"#/channels/command{pascal(command)}"},
        "summary": f"Allowed to: {roles}.",
        "bindings": {"mqtt": {"qos": 1, "retain": False, "bindingVersion": _BINDING}},
        "reply": {
            "address": {
                "description": "The request's response topic, which is the reply topic of its sender or is below it.",
                "location": "$message.header#/responseTopic",
            },
            "channel": {"$ref": "#/channels/reply"},
            "messages": [{"$ref": f"#/channels/reply/messages/{reply_name(command)}"}],
        },
    }
