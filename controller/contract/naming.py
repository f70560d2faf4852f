"""Names for generators: every message, enumeration and union of the schemas has one, without dots.

Generators make a class, an interface or an enumeration of each definition, and invent a name for what is inline. So an
enumeration or a union inside a message becomes a definition of its own: `StatePhase` for the field `phase` of `State`,
or the title that its type gives (`Meta(title=...)`) where several messages share it.
"""

from __future__ import annotations

import inspect
import json
from typing import Any

from controller.contract.messages import RETAINED
from controller.contract.requests import REPLIES

Schema = dict[str, Any]
"""A JSON Schema, as the JSON that it is."""
Parts = dict[str, Schema]
"""Definitions by name."""

_TYPES = {str: "string", int: "integer", bool: "boolean"}
_NULL = {"type": "null"}
_OWNERS = {type_.__name__: name for name, type_ in RETAINED.items()}
_PLACES: dict[str, str] = {
    json.dumps([{"type": "integer"}, {"type": "string"}]): "Place",
}
"""Unions of many messages, by what they are."""


def pascal(name: str) -> str:
    """
    >>> pascal("card_dealt")
    'CardDealt'
    """
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def event_name(kind: str) -> str:
    return f"Event{pascal(kind)}"


def request_name(command: str) -> str:
    return f"Request{pascal(command)}"


def reply_name(command: str) -> str:
    """Most commands have the same reply."""
    return f"Reply{pascal(command)}" if command in REPLIES else "Reply"


def named(found: Parts, place: str) -> Parts:
    """These definitions, with a definition for each enumeration and union in them."""
    naming = _Naming(place)
    made = {name: naming.part(part, _OWNERS.get(name, name)) for name, part in sorted(found.items())}
    return {**made, **dict(sorted(naming.own.items()))}


def titled(parts: Parts) -> Parts:
    """Each with its name as its title, which is what generators go by."""
    return {name: {**part, "title": name} for name, part in parts.items()}


def union(discriminator: str, names: list[str], place: str, description: str) -> Schema:
    """One of these messages; the value of `discriminator` shows which."""
    return {
        "description": description,
        "type": "object",
        "discriminator": discriminator,
        "oneOf": [{"$ref": f"{place}/{name}"} for name in names],
    }


def _without(part: Schema, key: str) -> Schema:
    return {name: value for name, value in part.items() if name != key}


class _Naming:
    """Takes enumerations and unions out of the definitions, into `own`."""

    def __init__(self, place: str) -> None:
        self._place = place
        self.own: Parts = {}

    def part(self, part: Any, name: str) -> Any:
        """This piece of a schema; `name` is for what has none."""
        match part:
            case {"properties": properties, **rest}:
                kept = {key: self.part(value, name) for key, value in rest.items()}
                fields = {field: self.part(value, name + pascal(field)) for field, value in properties.items()}
                return {**kept, "properties": fields}
            case {"enum": [only]} if "title" not in part:
                return {"type": _TYPES[type(only)], "const": only, **_without(part, "enum")}
            case {"enum": [first, *_]}:
                return self._defined({"type": _TYPES[type(first)], **part}, name)
            case {"anyOf": alternatives}:
                return self._union(alternatives, _without(part, "anyOf"), name)
            case dict():
                return self._beside({key: self.part(value, name) for key, value in part.items()})
            case list():
                return [self.part(value, name) for value in part]
            case str():
                return inspect.cleandoc(part)
        return part

    def _union(self, alternatives: list[Schema], rest: Schema, name: str) -> Schema:
        tag = rest.pop("discriminator", None)
        about = {key: self.part(value, name) for key, value in rest.items()}
        real = [each for each in alternatives if each != _NULL]
        if len(real) == 1:
            return {**about, "anyOf": [self.part(real[0], name), _NULL]}
        made: Schema = {"anyOf": [self.part(each, name) for each in real]}
        if tag is not None:
            named_tag = tag["propertyName"]
            made = {**union(named_tag, [], self._place, ""), "oneOf": made["anyOf"]}
            made.pop("description")
        title = about.pop("title", None) or _PLACES.get(json.dumps(real))
        reference = self._defined({**made, **({"title": title} if title else {})}, name)
        if len(real) < len(alternatives):
            return {**about, "anyOf": [reference, _NULL]}
        return self._beside({**about, **reference})

    def _defined(self, schema: Schema, name: str) -> Schema:
        """A reference to a definition that is this; what describes its use stays there."""
        title = schema.pop("title", None) or name
        beside: Schema = {key: schema.pop(key) for key in ("default", "description") if key in schema}
        known = self.own.setdefault(title, schema)
        if known != schema:
            raise ValueError(f"two schemas have the name {title!r}: {known} and {schema}")
        return self._beside({**beside, "$ref": f"{self._place}/{title}"})

    @staticmethod
    def _beside(schema: Schema) -> Schema:
        """What is beside a reference makes another type of it for generators; beside a union of one it does not."""
        match schema:
            case {"$ref": reference, **rest} if rest:
                return {**rest, "anyOf": [{"$ref": reference}]}
        return schema
