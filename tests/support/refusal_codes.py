"""Every code with which the program refuses something, read from its source: where a refusal is made, its code is."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.support.project import ROOT

_CODE_AT = {"Rejected": 0, "ReferenceRejected": 0, "Refusal": 0, "Barred": 0, "Refused": 1}
"""Which argument of each kind of refusal is its code."""
_FOLDERS = ("engine", "games", "mqtt", "runtime", "updates")


def refusal_codes() -> set[str]:
    """The codes that are written down where a refusal is made. Those that a ruleset's data gives are not among them."""
    return {code for folder in _FOLDERS for code in _in_folder(folder)}


def _in_folder(folder: str) -> Iterator[str]:
    for path in sorted((ROOT / "controller" / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and (name := _name(node.func)) in _CODE_AT:
                yield from _codes(node, _CODE_AT[name])


def _name(function: ast.expr) -> str:
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _codes(call: ast.Call, place: int) -> Iterator[str]:
    given = [keyword.value for keyword in call.keywords if keyword.arg == "why"]
    for value in call.args[place : place + 1] or given:
        match value:
            case ast.Constant(value=str(code)):
                yield code
            case ast.IfExp(body=ast.Constant(value=str(one)), orelse=ast.Constant(value=str(other))):
                yield from (one, other)
            case ast.Attribute(value=ast.Name(id="Why"), attr=member):
                yield member.lower()
