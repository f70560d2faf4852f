"""docs/development/architecture.md and the README name only what is there."""

from __future__ import annotations

import ast
import re

import pytest

from tests.support.project import ROOT

PAGES = ("docs/development/architecture.md", "docs/development/adding.md", "README.md", "docs/README.md")
PATH = re.compile(
    r"`((?:controller|protocols|devices|sim_hw|floor|tests|deploy|docs)/[\w./-]*)`(?:[,:]? \(((?:`[\w.]+`(?:, )?)+)\))?"
)
LINK = re.compile(r"\]\(([^)#\s]+)")


def symbols(path: str) -> set[str]:
    """Classes, functions, methods and constants of a module."""
    found: set[str] = set()
    for node in ast.parse((ROOT / path).read_text()).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {
                f"{node.name}.{part.name}"
                for part in node.body
                if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)
            }
        if isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return found


@pytest.mark.parametrize("page", PAGES)
def test_every_path_and_symbol_of_the_page_exists(page: str) -> None:
    text = (ROOT / page).read_text()
    for path, named in PATH.findall(re.sub(r"\s+", " ", text)):
        assert (ROOT / path).exists(), f"{page} names {path}"
        for name in re.findall(r"`([\w.]+)`", named):
            assert name in symbols(path), f"{page} names {name} in {path}"


@pytest.mark.parametrize("page", PAGES)
def test_every_link_of_the_page_leads_somewhere(page: str) -> None:
    for target in LINK.findall((ROOT / page).read_text()):
        assert ((ROOT / page).parent / target).exists(), f"{page} links to {target}"
