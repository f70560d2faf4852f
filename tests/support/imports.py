"""What a file of the project imports, and all that it needs by that."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from tests.support.project import ROOT


@cache
def nodes(path: Path) -> list[ast.AST]:
    """The import statements and calls of a file."""
    wanted = (ast.Import, ast.ImportFrom, ast.Call)
    return [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, wanted)]


@cache
def imports(path: Path) -> set[str]:
    """Every module that a file imports, wherever in it."""
    found: set[str] = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def needed_by(start: Path) -> set[Path]:
    """The file and every file of the project that it imports, through others too."""
    found: set[Path] = set()
    left = [start]
    while left:
        path = left.pop()
        if path not in found:
            found.add(path)
            left += [file for module in imports(path) for file in _files_of(module)]
    return found


@cache
def _files_of(module: str) -> list[Path]:
    """The file of a module and those of the packages that it is in; none for what is not of the project."""
    parts = module.split(".")
    places = [ROOT.joinpath(*parts[:n], "__init__.py") for n in range(1, len(parts) + 1)]
    return [path for path in (*places, ROOT.joinpath(*parts).with_suffix(".py")) if path.is_file()]
