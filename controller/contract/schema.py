"""The contract in two files, made from the types that encode the messages: JSON Schema 2020-12 and AsyncAPI 3.

    python -m controller.contract.schema [docs/mqtt]

`schema.json` holds one definition for each message, named after its topic: `state`, `event.card_dealt`, `request.void`,
`reply.void`. `asyncapi.json` has the same with channels and operations, seen from the table: it sends events and
receives requests. A test fails when the files are not what this makes.
"""

from __future__ import annotations

import ast
import inspect
import sys
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from controller.contract.asyncapi import asyncapi
from controller.contract.messages import AlarmDocument, DeviceDocument, Envelope, HeadDocument, Online, StateDocument
from controller.contract.requests import REPLIES, REQUESTS, Reply
from controller.engine import events as ev

Schema = dict[str, Any]
"""A JSON Schema, as the JSON that it is."""

FOLDER = Path("docs/mqtt")
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
RETAINED: dict[str, type[Struct]] = {
    "state": StateDocument,
    "device": DeviceDocument,
    "alarm": AlarmDocument,
    "online": Online,
    "head": HeadDocument,
}


def json_schema() -> Schema:
    """The whole of `schema.json`."""
    return {
        "$schema": _DIALECT,
        "$id": "urn:cutcard:mqtt:v2",
        "title": "What a Cutcard table publishes and receives over MQTT, version 2",
        "description": "Each definition with a dot in its name, and state, device, alarm, online, head: one message.",
        "$defs": definitions("#/$defs"),
    }


def definitions(place: str) -> Schema:
    """Every message and every part of one, by name, referring to each other below `place` ("#/$defs")."""
    replies: tuple[type[Reply], ...] = (Reply, *REPLIES.values())
    types: list[type[Struct]] = [*RETAINED.values(), Envelope, *ev.KINDS.values(), *REQUESTS.values(), *replies]
    _, found = msgspec.json.schema_components(types, ref_template=f"{place}/{{name}}")
    parts: Schema = {name: _tidied(part) for name, part in sorted(found.items())}
    for type_ in _structs(types):
        if type_.__name__ in parts:
            _describe(parts[type_.__name__], type_)
    messages: Schema = {name: parts.pop(type_.__name__) for name, type_ in RETAINED.items()}
    envelope = parts.pop(Envelope.__name__)
    for kind in sorted(ev.KINDS):
        messages[f"event.{kind}"] = _event(envelope, kind, parts[ev.KINDS[kind].__name__], place)
    by_type = {reply: parts.pop(reply.__name__) for reply in replies}
    for command, request in REQUESTS.items():
        messages[f"request.{command}"] = parts.pop(request.__name__)
        messages[f"reply.{command}"] = by_type[REPLIES.get(command, Reply)]
    return {**messages, **parts}


def files() -> dict[str, bytes]:
    """The generated files by name."""
    made = {"schema.json": json_schema(), "asyncapi.json": asyncapi(definitions("#/components/schemas"))}
    return {name: msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n" for name, content in made.items()}


def _event(envelope: Schema, kind: str, body: Schema, place: str) -> Schema:
    """The envelope with this kind of event in it."""
    properties = {
        **envelope["properties"],
        "kind": {"const": kind},
        "body": {"$ref": f"{place}/{ev.KINDS[kind].__name__}"},
    }
    text = body.get("description", kind)
    return {**envelope, "title": f"event {kind}", "description": text, "properties": properties}


def _tidied(part: Any) -> Any:
    """Without OpenAPI's discriminator, which is neither JSON Schema's nor AsyncAPI's, and without a margin in texts."""
    match part:
        case {"properties": properties, **rest}:
            kept = {name: _tidied(value) for name, value in rest.items()}
            return {**kept, "properties": {name: _tidied(value) for name, value in properties.items()}}
        case dict():
            return {name: _tidied(value) for name, value in part.items() if name != "discriminator"}
        case list():
            return [_tidied(value) for value in part]
        case str():
            return inspect.cleandoc(part)
    return part


def _structs(types: list[type[Struct]]) -> list[type[Struct]]:
    """These types and all that they are made of."""
    found: dict[type[Struct], None] = {}
    infos = list(msgspec.inspect.multi_type_info(types))
    while infos:
        info = infos.pop()
        if isinstance(info, msgspec.inspect.StructType):
            if info.cls in found:
                continue
            found[info.cls] = None
            infos += [field.type for field in info.fields]
        for name in ("types", "item_types"):
            infos += getattr(info, name, ())
        for name in ("type", "item_type", "value_type"):
            inner = getattr(info, name, None)
            if isinstance(inner, msgspec.inspect.Type):
                infos.append(inner)
    return list(found)


def _describe(schema: Schema, type_: type[Struct]) -> None:
    """The docstrings of fields, for those who read the schema without the code."""
    for base in reversed(type_.__mro__):
        if base is not Struct and issubclass(base, Struct):
            for field, text in field_docs(base).items():
                described = schema["properties"].get(field)
                if described is not None:
                    schema["properties"][field] = {**described, "description": text}


def field_docs(type_: type[Struct]) -> dict[str, str]:
    """The texts below the fields of a class of ours, by field."""
    if not type_.__module__.startswith("controller."):
        return {}
    return _module_docs(type_.__module__).get(type_.__name__, {})


@cache
def _module_docs(module: str) -> dict[str, dict[str, str]]:
    """By class and field: the text below it."""
    found: dict[str, dict[str, str]] = {}
    for type_ in ast.parse(inspect.getsource(sys.modules[module])).body:
        if isinstance(type_, ast.ClassDef):
            found[type_.name] = fields = {}
            for field, text in zip(type_.body, type_.body[1:], strict=False):
                match field, text:
                    case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(docstring))):
                        fields[name] = inspect.cleandoc(docstring)
    return found


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0]) if arguments else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files().items():
        (folder / name).write_bytes(content)
        print(folder / name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
