"""Holds what goes over MQTT against the published schemas, to the letter: a field they do not name is a fault too.

A stranger's classes, which datamodel-code-generator makes of the same schemas, must parse it as well.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import jsonschema_rs
from paho.mqtt.properties import Properties

from controller.contract.messages import CONTENT_TYPE
from controller.contract.naming import event_name, pascal, reply_name, request_name
from controller.contract.requests import REQUESTS
from controller.contract.schema import json_schema
from controller.contract.topics import ROOT
from tests.support import generated_models

_PREFIX = f"{ROOT}/"


RETAINED_BRANCHES = ("alarm", "device", "state", "online", "head")
"""Whose topics an empty message empties."""


def problem(topic: str, payload: bytes) -> str | None:
    """What is wrong with a message of a table or a receipt, or None. Requests are the clients' own, and may be as wrong
    as a test wants them."""
    if not topic.startswith(_PREFIX):
        return None
    _, _, first, _, fifth, *rest = topic.split("/")
    branch = first if first in ("command", "reply", "receipt") else fifth
    if branch == "command" or (branch in RETAINED_BRANCHES and not payload):
        return None
    try:
        said = json.loads(payload)
    except ValueError:
        return f"{topic}: not JSON: {payload[:200]!r}"
    name = _name(branch, said, rest)
    if name not in _definitions():
        return f"{topic}: there is no schema {name!r}"
    error = next(_validator(name).iter_errors(said), None)
    if error is not None:
        return f"{topic}: {error.message} at {error.instance_path} in {payload[:400]!r}"
    strange = generated_models.problem(name, payload)
    return None if strange is None else f"{topic}: the generated classes do not parse it: {strange}"


def _name(branch: str, said: dict[str, Any], rest: list[str]) -> str:
    """The definition of this message."""
    match branch:
        case "event":
            return event_name(rest[0])
        case "reply":
            return event_name(said["kind"]) if "seq" in said and "kind" in said else "AnyReply"
    return pascal(branch)


def property_problem(topic: str, payload: bytes | bytearray, properties: Properties | None) -> str | None:
    """What is wrong with the MQTT 5 properties of a table's message, or None; with MQTT 3.1.1 there are none."""
    if properties is None or not topic.startswith(_PREFIX) or topic.startswith(f"{_PREFIX}command/") or not payload:
        return None
    stated = getattr(properties, "ContentType", None), getattr(properties, "PayloadFormatIndicator", None)
    return None if stated == (CONTENT_TYPE, 1) else f"{topic}: content type and payload format are {stated}"


def accepts_request(command: str, request: dict[str, Any]) -> bool:
    """Whether the schema of this command's request takes it."""
    return _validator(request_name(command)).is_valid(request)


@cache
def _definitions() -> dict[str, Any]:
    defs: dict[str, Any] = _strict(json_schema()["$defs"])
    return {**defs, "AnyReply": {"anyOf": [{"$ref": f"#/$defs/{reply_name(command)}"} for command in REQUESTS]}}


@cache
def _validator(name: str) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for({"$ref": f"#/$defs/{name}", "$defs": _definitions()})


def _strict(part: Any) -> Any:
    match part:
        case {"properties": properties, **rest}:
            kept = {name: _strict(value) for name, value in rest.items()}
            closed = {"additionalProperties": False, **kept}
            return {**closed, "properties": {name: _strict(value) for name, value in properties.items()}}
        case dict():
            return {name: _strict(value) for name, value in part.items()}
        case list():
            return [_strict(value) for value in part]
    return part
