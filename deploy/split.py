"""Splits a module for mypyc: what it can compile stays, the rest goes into an interpreted module beside it.

mypyc drops the keywords of a class statement and the metadata of annotations, without a warning. So a msgspec Struct,
and a class that derives from a class of an interpreted module, cannot be in a compiled module. Of `options.py` with
such a class in it, `split` makes two files in the copied tree:

- `options_interpreted.py`: these classes, and what their class statements need.
- `options.py`, compiled: everything else. It imports the names of the interpreted file, so the module has all of its
  names. At its end it puts into the interpreted file the names that the methods there use.

Of a method of such a class only a call is interpreted: its body is compiled, as a function. A method stays interpreted
if its body is one statement, if it has a decorator, or if it calls `super()`.

Both files keep the line numbers of the source.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

SUFFIX = "_interpreted"


class Module:
    """A module of the tree: its top-level statements and what they define."""

    def __init__(self, root: Path, path: str) -> None:
        self.path, self.name = path, path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        self.text = (root / path).read_text()
        self.body = ast.parse(self.text).body
        self.imported: dict[str, tuple[str, str]] = {}
        """Where a name comes from: the module and its name there."""
        self.defined: dict[str, ast.stmt] = {}
        for statement in self.body:
            self.defined |= dict.fromkeys(_names_defined(statement), statement)
            for node in ast.walk(statement) if _is_import(statement) else ():
                if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    self.imported |= {alias.asname or alias.name: (node.module, alias.name) for alias in node.names}

    @property
    def classes(self) -> list[ast.ClassDef]:
        return [statement for statement in self.body if isinstance(statement, ast.ClassDef)]


class Tree:
    """The modules below a folder, and which of them are compiled."""

    def __init__(self, root: Path, compiled: Iterable[str]) -> None:
        self.root, self.compiled = root, frozenset(compiled)

    @cache  # noqa: B019 - one tree lives as long as the program
    def module(self, path: str) -> Module:
        return Module(self.root, path)

    def imported_from(self, module: Module, name: str) -> tuple[Module, str] | None:
        """The module below the folder that a name is imported from, and its name there; None: from elsewhere."""
        source, name_there = module.imported.get(name, ("", ""))
        for path in (f"{source.replace('.', '/')}.py", f"{source.replace('.', '/')}/__init__.py"):
            if source and (self.root / path).exists():
                return self.module(path), name_there
        return None

    def bases(self, module: Module, node: ast.ClassDef) -> Iterator[tuple[Module, ast.ClassDef]]:
        """The base classes that are defined below the folder."""
        for base in map(_base_name, node.bases):
            where: tuple[Module, str] | None = (module, base)
            while where is not None and where[1] not in where[0].defined:
                where = self.imported_from(*where)
            if where is not None and isinstance(found := where[0].defined[where[1]], ast.ClassDef):
                yield where[0], found

    def is_struct(self, module: Module, node: ast.ClassDef) -> bool:
        return "Struct" in map(_base_name, node.bases) or any(
            self.is_struct(*base) for base in self.bases(module, node)
        )

    def is_interpreted(self, module: Module, node: ast.ClassDef) -> bool:
        return module.path not in self.compiled or node in self.interpreted(module)

    @cache  # noqa: B019
    def interpreted(self, module: Module) -> list[ast.stmt]:
        """The statements of a compiled module that cannot be compiled: some classes, and what their statements need."""
        found: list[ast.stmt] = []
        before = -1
        while before != len(found):
            before = len(found)
            for node in module.classes:
                for where, base in self.bases(module, node):
                    if base in found or (where is not module and self.is_interpreted(where, base)):
                        self._add(module, node, found)
                if _is_own_struct(node):
                    self._add(module, node, found)
        return found

    def _add(self, module: Module, statement: ast.stmt, found: list[ast.stmt]) -> None:
        """This statement is interpreted, and so is what it needs when it is executed."""
        if statement in found:
            return
        found.append(statement)
        nodes: Iterable[ast.AST] = [statement]
        if isinstance(statement, ast.ClassDef):
            nodes = _executed(statement, annotations=self.is_struct(module, statement))
        for name in _names_used(nodes):
            if name in module.defined:
                self._add(module, module.defined[name], found)

    def wrong_subclasses(self) -> list[str]:
        """Interpreted classes that derive from a compiled one that does not allow it (controller/engine/native.py)."""
        found = []
        for path in sorted((self.root / "controller").rglob("*.py")):
            module = self.module(path.relative_to(self.root).as_posix())
            for node in module.classes:
                for where, base in self.bases(module, node) if self.is_interpreted(module, node) else ():
                    if not self.is_interpreted(where, base) and not _allows_subclasses(base):
                        found.append(f"{module.path}: {node.name} derives from {base.name}")
        return found

    def split(self, path: str) -> tuple[str, str] | None:
        """The texts of the compiled and of the interpreted file; None where all of the module can be compiled."""
        module = self.module(path)
        return _Split(self, module).texts() if self.interpreted(module) else None

    def type_variables(self, module: Module, node: ast.ClassDef) -> list[str]:
        names = [name.id for base in node.bases for name in ast.walk(base) if isinstance(name, ast.Name)]
        return [name for name in dict.fromkeys(names) if self._is_type_variable(module, name)]

    def _is_type_variable(self, module: Module, name: str) -> bool:
        if name in module.defined:
            return ast.unparse(module.defined[name]).startswith(f"{name} = TypeVar(")
        where = self.imported_from(module, name)
        return where is not None and self._is_type_variable(*where)


class _Split:
    def __init__(self, tree: Tree, module: Module) -> None:
        self.tree, self.module, self.interpreted = tree, module, tree.interpreted(module)
        self.lines = module.text.splitlines()

    def texts(self) -> tuple[str, str]:
        module, beside = self.module, f"{self.module.name}{SUFFIX}"
        compiled, interpreted = list(self.lines), list(self.lines)
        for statement, end in self._with_docstrings():
            if not _is_import(statement):
                remaining = compiled if statement in self.interpreted else interpreted
                remaining[_start(statement) : end] = [""] * (end - _start(statement))
        functions: list[str] = []
        for node in module.classes:
            for method in _compiled_methods(node) if node in self.interpreted else ():
                functions.append(self._moved_out(node, method, compiled, interpreted))
        own = sorted({name for statement in self.interpreted for name in _names_defined(statement)})
        used = _names_used(self.interpreted).intersection(module.defined).difference(own)
        late = sorted(used.union(functions))
        first = min(_start(statement) for statement in self.interpreted)
        compiled[first] += "; ".join(f"from {beside} import {name} as {name}" for name in own)
        if late:
            values = ", ".join(f"{name}={name}" for name in late)
            compiled += [f"import {beside} as _beside", f"_beside.__dict__.update({values})"]
            interpreted += ["import typing as _typing", "if _typing.TYPE_CHECKING:"]
            interpreted += [f"    from {module.name} import {name} as {name}" for name in late]
        return "\n".join([*compiled, ""]), "\n".join([*interpreted, ""])

    def _with_docstrings(self) -> Iterator[tuple[ast.stmt, int]]:
        """Every statement but strings, and the line behind it and the string that documents it."""
        for statement, after in zip(self.module.body, [*self.module.body[1:], ast.Pass()], strict=True):
            if not _is_string(statement):
                yield statement, (after if _is_string(after) else statement).end_lineno or 0

    def _moved_out(
        self, node: ast.ClassDef, method: ast.FunctionDef, compiled: list[str], interpreted: list[str]
    ) -> str:
        """Makes a function of a method, where the method was, and leaves a call of it in the class."""
        name, variables = f"_{node.name}_{method.name}", self.tree.type_variables(self.module, node)
        itself = f"self: {node.name}" + (f"[{', '.join(variables)}]" if variables else "")
        start, body, end = method.lineno - 1, method.body[0].lineno - 1, method.end_lineno or 0
        text = [line.removeprefix("    ") for line in self.lines[start:end]]
        signature = re.sub(r"\bself\b", itself, "\n".join(text[: body - start]), count=1)
        signature = signature.replace(f"def {method.name}(", f"def {name}(", 1)
        compiled[start:end] = [*signature.split("\n"), *text[body - start :]]
        given = [arg.arg for arg in (*method.args.posonlyargs, *method.args.args)]
        given += [f"{arg.arg}={arg.arg}" for arg in method.args.kwonlyargs]
        call = f"        return {name}({', '.join(given)})"
        interpreted[body:end] = [call, *[""] * (end - body - 1)]
        return name


def _compiled_methods(node: ast.ClassDef) -> Iterator[ast.FunctionDef]:
    for method in node.body:
        if isinstance(method, ast.FunctionDef) and not method.decorator_list and not method.name.startswith("__"):
            statements = [statement for statement in method.body if not _is_string(statement)]
            has_stars = method.args.vararg or method.args.kwarg
            if len(statements) > 1 and not has_stars and "super" not in _names_used(statements):
                yield method


def _executed(statement: ast.ClassDef, *, annotations: bool) -> Iterator[ast.AST]:
    """What of a class statement is executed with it: all but the bodies of its methods."""
    yield from (*statement.bases, *statement.keywords, *statement.decorator_list)
    for inside in statement.body:
        match inside:
            case ast.FunctionDef(name="__init__"):
                yield inside  # an object of this class may be made by what needs it
            case ast.FunctionDef():
                yield from (*inside.decorator_list, *inside.args.defaults, *filter(None, inside.args.kw_defaults))
            case ast.AnnAssign():
                yield from (inside.value,) if inside.value is not None else ()
                yield from (inside.annotation,) if annotations else ()
            case _:
                yield inside


def _names_used(nodes: Iterable[ast.AST]) -> set[str]:
    return {found.id for node in nodes for found in ast.walk(node) if isinstance(found, ast.Name)}


def _names_defined(statement: ast.stmt) -> list[str]:
    match statement:
        case ast.FunctionDef() | ast.ClassDef():
            return [statement.name]
        case ast.Assign():
            targets = [found for target in statement.targets for found in ast.walk(target)]
            return [found.id for found in targets if isinstance(found, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []


def _is_import(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Import | ast.ImportFrom) or (
        isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING"
    )


def _is_string(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _start(statement: ast.stmt) -> int:
    """The index of its first line, decorators included."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef) and statement.decorator_list:
        return statement.decorator_list[0].lineno - 1
    return statement.lineno - 1


def _is_own_struct(node: ast.ClassDef) -> bool:
    return "Struct" in map(_base_name, node.bases)


def _base_name(base: ast.expr) -> str:
    return ast.unparse(base).partition("[")[0].rpartition(".")[2]


def _allows_subclasses(node: ast.ClassDef) -> bool:
    return any("allow_interpreted_subclasses" in ast.unparse(decorator) for decorator in node.decorator_list)
