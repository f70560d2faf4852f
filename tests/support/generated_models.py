"""A stranger's classes for our messages: what datamodel-code-generator makes of docs/mqtt/schema.json.

They are generated once for each state of the schema, into build/, and every message of the tests is parsed by them.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from functools import cache
from hashlib import sha256
from types import ModuleType

from pydantic import TypeAdapter, ValidationError

from controller.contract.schema import files
from tests.support.project import ROOT


def problem(name: str, payload: bytes) -> str | None:
    """Why the generated classes do not parse this message, or None."""
    try:
        _adapter(name).validate_json(payload)
    except ValidationError as error:
        return str(error)
    return None


@cache
def _adapter(name: str) -> TypeAdapter[object]:
    made = models()
    if name == "AnyReply":
        replies = [each for each in vars(made) if each.startswith("Reply")]
        union = made.Reply
        for each in replies:
            union = union | getattr(made, each)
        return TypeAdapter(union)
    # By the union, as a stranger does: the discriminator finds the class.
    return TypeAdapter(made.AnyEvent if name.startswith("Event") else made.AnyState)


@cache
def models() -> ModuleType:
    """The generated module."""
    schema = files()["schema.json"]
    folder = ROOT / "build" / "judges"
    file = folder / f"models_{sha256(schema).hexdigest()[:16]}.py"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        own = folder / f"{file.stem}-{os.getpid()}"
        source, draft = own.with_suffix(".json"), own.with_suffix(".draft.py")
        source.write_bytes(schema)
        options = ("--input-file-type", "jsonschema", "--output-model-type", "pydantic_v2.BaseModel")
        command = [sys.executable, "-m", "datamodel_code_generator", "--input", str(source), "--output", str(draft)]
        done = subprocess.run(
            [*command, *options, "--formatters", "builtin", "--disable-timestamp"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        source.unlink()
        draft.replace(file)
    spec = importlib.util.spec_from_file_location("generated_models_of_the_contract", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
