"""Every small mistake that can be put into a module, by the operators of cosmic-ray.

cosmic-ray itself changes the file on the disk and starts the tests anew for each mutant. Here only its operators are
used: a mutant is a text, and `run` gives it to one process.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from tests.support.project import ROOT

LIBRARY = ROOT / "build" / "mutants" / "library"
BINARY = ("Add_Sub", "Sub_Add", "Mul_FloorDiv", "FloorDiv_Mul", "Mod_FloorDiv", "BitAnd_BitOr", "RShift_LShift")
"""Of all exchanges of two operators: those that still mean something. An `|` in a type is left alone."""
COMPARISONS = (
    "Eq_NotEq",
    "NotEq_Eq",
    "Lt_LtE",
    "LtE_Lt",
    "Gt_GtE",
    "GtE_Gt",
    "Is_IsNot",
    "IsNot_Is",
    "In_NotIn",
    "NotIn_In",
)
UNARY = ("Delete_Not", "USub_UAdd")
OTHERS = (
    "AddNot",
    "ReplaceTrueWithFalse",
    "ReplaceFalseWithTrue",
    "ReplaceAndWithOr",
    "ReplaceOrWithAnd",
    "ReplaceBreakWithContinue",
    "ReplaceContinueWithBreak",
    "NumberReplacer",
    "ZeroIterationForLoop",
)


class Mutant(NamedTuple):
    module: str
    """The file, from the project's root."""
    line: int
    operator: str
    nth: int
    """Which of its changes of this place."""
    was: str
    now: str

    def __str__(self) -> str:
        return f"{self.module}:{self.line}: {self.operator}: {self.was} -> {self.now}"


def fetched() -> None:
    """The library, from PyPI by its hashes, into build/."""
    if not LIBRARY.exists():
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps"]
        wanted = Path(__file__).parent / "library.txt"
        hashes = ["--require-hashes", "--target", str(LIBRARY), "--requirement", str(wanted)]
        subprocess.run([*pip, *hashes], check=True)
    if str(LIBRARY) not in sys.path:
        sys.path.insert(0, str(LIBRARY))


def _operators() -> Iterator[tuple[str, Any]]:
    provider = import_module("cosmic_ray.operators.provider").OperatorProvider()
    for name in provider:
        kind, _, which = name.partition("Operator_")
        exchanges = {"ReplaceBinary": BINARY, "ReplaceComparison": COMPARISONS, "ReplaceUnary": UNARY}
        if name in OTHERS or which in exchanges.get(kind, ()):
            yield name, provider[name]()


def mutants(path: Path) -> Iterator[tuple[Mutant, str]]:
    """Each mutant of a module, with its whole text; those that do not compile are left out."""
    library = import_module("cosmic_ray.ast")
    ast_nodes, get_ast = library.ast_nodes, library.get_ast
    source, module = path.read_text(), str(path.relative_to(ROOT))
    for name, operator in _operators():
        places = [
            (node.start_pos, at)
            for node in ast_nodes(get_ast(source))
            for at, _ in enumerate(operator.mutation_positions(node))
        ]
        for nth in range(len(places)):
            found = _mutated(source, operator, nth)
            if found is None:
                continue
            line, was, now, text = found
            if not was.lstrip().startswith(("def ", "class ", "@", '"""', ">>>")):
                yield Mutant(module, line, name, nth, was.strip(), now.strip()), text


def _mutated(source: str, operator: Any, wanted: int) -> tuple[int, str, str, str] | None:
    """The nth change of this operator: the first line that differs, before and after, and the text."""
    library = import_module("cosmic_ray.ast")
    ast_nodes, get_ast = library.ast_nodes, library.get_ast
    tree, nth = get_ast(source), 0
    for node in list(ast_nodes(tree)):
        for at, _ in enumerate(list(operator.mutation_positions(node))):
            if nth == wanted:
                put = operator.mutate(node, at)
                if put is not node and node.parent is not None:
                    children = node.parent.children
                    children[children.index(node)] = put
                text = str(tree.get_code())
                try:
                    compile(text, "mutant", "exec", dont_inherit=True)
                except SyntaxError:
                    return None
                pairs = zip(source.splitlines(), text.splitlines(), strict=False)
                for number, (was, now) in enumerate(pairs, 1):
                    if was != now:
                        return number, was, now, text
                return None
            nth += 1
    return None
