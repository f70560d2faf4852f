"""The regulator's folder, from the clauses and the marks in the tests: `make submission`.

A test that answers a clause has the mark `@pytest.mark.clause("CA-PC-337j")`. docs/submission/clauses.toml has the
clauses; docs/submission/README.md is written from both, and a test holds it to them.
"""

from __future__ import annotations

import ast
import tomllib
from collections import defaultdict
from pathlib import Path

from msgspec import Struct, convert

from tests.support.project import ROOT

FOLDER = ROOT / "docs" / "submission"
PAGE = FOLDER / "README.md"
HEAD = """# For a regulator or a laboratory: each clause, our answer, the test

Written by `make submission` from [clauses.toml](clauses.toml) and from the marks in the tests; a clause whose test is
gone fails the build. Nobody has examined Cutcard, no clause below was put to a regulator, and whether any of them binds
a controller that stands beside a table is a lawyer's question. **content**: we hold a summary of the clause, with its
address. **heading**: we know the title only; the text was not seen, so there is no answer to its clauses. The figures
of the tests are in [testing.md](../development/testing.md).
"""


class Clause(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    law: str
    source: str
    held: str
    asks: str
    answer: str
    page: str
    artefact: str = ""
    no_test: str = ""


def clauses() -> list[Clause]:
    found = tomllib.loads((FOLDER / "clauses.toml").read_text())["clause"]
    return convert(found, list[Clause])


def marks(root: Path = ROOT / "tests") -> dict[str, list[str]]:
    """The tests that answer each clause, by its id."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(root.rglob("test_*.py")):
        text = path.read_text()
        if "mark.clause(" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for decorator in node.decorator_list:
                    if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.clause":
                        name = f"{path.relative_to(root.parent)}::{node.name}"
                        for argument in decorator.args:
                            assert isinstance(argument, ast.Constant), f"{name}: write the id of the clause"
                            found[str(argument.value)].append(name)
    return dict(found)


def page() -> str:
    """The folder's page."""
    tests = marks()
    parts = [HEAD]
    for clause in clauses():
        lines = [
            f"## {clause.id}: {clause.law}",
            "",
            f"{clause.asks} ({clause.held}; {clause.source})",
            "",
            clause.answer,
            "",
            f"- page: [{clause.page.removeprefix('docs/')}](../{clause.page.removeprefix('docs/')})",
        ]
        if clause.artefact:
            lines.append(f"- artefact: {clause.artefact}")
        lines += [f"- test: `{name}`" for name in tests.get(clause.id, ())]
        if clause.no_test:
            lines.append(f"- no test: {clause.no_test}")
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page())
