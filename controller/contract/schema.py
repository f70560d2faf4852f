"""The contract in two files, made from the types that encode the messages: JSON Schema 2020-12 and AsyncAPI 3.1.

    python -m controller.contract.schema [docs/mqtt]

`schema.json` holds one definition for each message: `State`, `EventCardDealt`, `RequestVoid`, `Reply`. `AnyEvent` and
`AnyState` are unions with a discriminator at the root of the message. `naming` gives every enumeration and every union
a name, for generators. `asyncapi.json` has the same with channels and operations, seen from the table: it sends events
and receives requests. A test fails when the files are not what this makes.
"""

from __future__ import annotations

import ast
import inspect
import sys
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from controller.contract.asyncapi import asyncapi
from controller.contract.messages import RETAINED, Envelope
from controller.contract.naming import Parts, Schema, event_name, named, reply_name, request_name, titled, union
from controller.contract.requests import REPLIES, REQUESTS, Reply
from controller.engine import events as ev

FOLDER = Path("docs/mqtt")
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema() -> Schema:
    """The whole of `schema.json`."""
    place = "#/$defs"
    parts = definitions(place)
    requests = [request_name(command) for command in REQUESTS]
    replies = dict.fromkeys(reply_name(command) for command in REQUESTS)
    messages = ["AnyEvent", "AnyState", *requests, *replies]
    return {
        "$schema": _DIALECT,
        "$id": "urn:cutcard:mqtt:v2",
        "title": "AnyMessage",
        "description": "What a Cutcard table publishes and receives over MQTT, version 2. README.md beside this file "
        "has the topics: they show which message it is.",
        "anyOf": [{"$ref": f"{place}/{name}"} for name in messages],
        "$defs": {name: {**part, **_discriminator(part)} for name, part in parts.items()},
    }


def _discriminator(part: Schema) -> Schema:
    """AsyncAPI names only the property; OpenAPI, and with it the tools that read JSON Schema, want an object."""
    return {"discriminator": {"propertyName": part["discriminator"]}} if "discriminator" in part else {}


def definitions(place: str) -> Parts:
    """Every message and every part of one, by name, referring to each other below `place` ("#/$defs")."""
    replies: tuple[type[Reply], ...] = (Reply, *REPLIES.values())
    types: list[type[Struct]] = [*RETAINED.values(), Envelope, *ev.KINDS.values(), *REQUESTS.values(), *replies]
    _, found = msgspec.json.schema_components(types, ref_template=f"{place}/{{name}}")
    for type_ in _structs(types):
        if type_.__name__ in found:
            _describe(found[type_.__name__], type_)
    parts = named(found, place)
    messages: Parts = {name: parts.pop(type_.__name__) for name, type_ in RETAINED.items()}
    envelope = parts.pop(Envelope.__name__)
    for kind in sorted(ev.KINDS):
        messages[event_name(kind)] = _event(envelope, kind, parts[ev.KINDS[kind].__name__], place)
    for command, request in REQUESTS.items():
        messages[request_name(command)] = parts.pop(request.__name__)
    by_type = {reply: parts.pop(reply.__name__) for reply in replies}
    for command in REQUESTS:
        messages[reply_name(command)] = by_type[REPLIES.get(command, Reply)]
    events = [event_name(kind) for kind in sorted(ev.KINDS)]
    unions = {
        "AnyEvent": union("kind", events, place, "Every event: `kind` states which."),
        "AnyState": union("document", list(RETAINED), place, "Every retained document: `document` states which."),
    }
    return titled({**unions, **messages, **parts})


def files() -> dict[str, bytes]:
    """The generated files by name."""
    made = {"schema.json": json_schema(), "asyncapi.json": asyncapi(definitions("#/components/schemas"))}
    return {name: msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n" for name, content in made.items()}


def _event(envelope: Schema, kind: str, body: Schema, place: str) -> Schema:
    """The envelope with this kind of event in it."""
    properties = {
        **envelope["properties"],
        "kind": {"type": "string", "const": kind},
        "body": {"$ref": f"{place}/{ev.KINDS[kind].__name__}"},
    }
    return {**envelope, "description": body.get("description", kind), "properties": properties}


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
