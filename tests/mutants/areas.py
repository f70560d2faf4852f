"""The parts of the program that are mutated, and the tests that must notice it, the quickest first."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from tests.support.project import ROOT

WORKED_ROUNDS = "tests/worked_cases/test_worked_rounds.py"
ORACLES = "tests/oracles/test_differential.py"


class Area(NamedTuple):
    files: tuple[str, ...]
    """Files or folders of the program."""
    tests: tuple[str, ...]

    @property
    def modules(self) -> list[Path]:
        found: list[Path] = []
        for name in self.files:
            path = ROOT / name
            found += sorted(path.rglob("*.py")) if path.is_dir() else [path]
        return [path for path in found if path.name != "__init__.py"]


AREAS: dict[str, Area] = {
    "money": Area(("controller/engine/money",), ("tests/engine/money", ORACLES, WORKED_ROUNDS)),
    "fees": Area(("controller/engine/fees",), ("tests/engine/fees", WORKED_ROUNDS)),
    "drop": Area(("controller/engine/drop",), ("tests/engine/drop",)),
    "expectation": Area(
        ("controller/engine/expect/expectation.py", "controller/engine/expect/choices.py"),
        ("tests/engine/test_kernel.py", "tests/engine/test_betting.py", "tests/engine/test_bot.py", WORKED_ROUNDS),
    ),
    "kernel": Area(
        ("controller/engine/round/kernel.py", "controller/engine/round/cards.py"),
        ("tests/engine/test_kernel.py", "tests/engine/test_table.py", "tests/engine/test_bot.py", WORKED_ROUNDS),
    ),
    "settlement": Area(
        (
            "controller/games/baccarat/settlement.py",
            "controller/games/baccarat/third_card.py",
            "controller/games/ante",
            "controller/games/blackjack",
        ),
        (ORACLES, "tests/games/baccarat", "tests/games/ante", "tests/games/blackjack", WORKED_ROUNDS),
    ),
    "journal": Area(("controller/journal/chain.py", "controller/journal/writer.py"), ("tests/journal",)),
    "link": Area(("protocols/link",), ("tests/protocols/link", "tests/devices")),
    "codecs": Area(
        ("protocols/shoe.py", "protocols/shuffler", "protocols/firmware", "protocols/modbus"), ("tests/protocols",)
    ),
    "gate": Area(
        ("controller/mqtt/command_gate.py", "controller/mqtt/rate_limit.py"), ("tests/mqtt/test_commands.py",)
    ),
    "roles": Area(("controller/operator/roles.py",), ("tests/operator", "tests/mqtt/test_commands.py")),
}
