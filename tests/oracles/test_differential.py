"""Rounds of the bot, settled twice: by the engine and by the oracle of the family."""

from __future__ import annotations

import sys

import pytest

from tests.oracles import baccarat, registry
from tests.oracles.poker import SHEETS, settle
from tests.oracles.registry import FAMILIES
from tests.support.games.differential import PlayedRound, differences
from tests.support.imports import imports
from tests.support.project import ROOT
from tests.support.turns import is_whole, turn

ROUNDS = 40
PARTS = 25
"""A commit plays one part of this many, each of other rounds; `make differential` plays any number."""

each_sheet = pytest.mark.parametrize(
    ("family", "sheet"), [(family, sheet) for family, (_, sheets) in FAMILIES.items() for sheet in sheets]
)


@each_sheet
def test_engine_and_oracle_settle_every_round_alike(family: str, sheet: str) -> None:
    part = turn() % PARTS
    seeds = range(part * ROUNDS, (part + (10 if is_whole() else 1)) * ROUNDS)
    found = {seed: text for seed in seeds if (text := differences(family, sheet, seed))}
    assert not found


def test_an_oracle_shares_no_code_with_the_program() -> None:
    """A mistake that both make the same way would be found by neither."""
    modules = [path for path in (ROOT / "tests" / "oracles").glob("*.py") if not path.name.startswith("test_")]
    assert len(modules) > len(FAMILIES)
    for path in modules:
        foreign = {name for name in imports(path) if name.split(".")[0] not in sys.stdlib_module_names}
        assert {name for name in foreign if not name.startswith("tests.oracles")} == set(), path


def test_a_wrong_cell_of_a_chart_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(baccarat.CHART, 5, "HHHHHHHHHH")
    assert any(differences("baccarat", "village-ez-baccarat", seed) for seed in range(400))


@pytest.mark.parametrize(
    ("module", "table", "row", "pays"),
    [
        ("three_card", "PAIR_PLUS", "pair", 2),
        ("ultimate", "BLIND", "straight", "2:1"),
        ("caribbean", "TABLE_1", "two_pair", 1),
    ],
)
def test_a_wrong_row_of_a_pay_table_is_found(
    monkeypatch: pytest.MonkeyPatch, module: str, table: str, row: str, pays: object
) -> None:
    sheet = {"three_card": "calgrand-three-card-poker", "ultimate": "bankers-ultimate-texas-holdem"}.get(
        module, "village-caribbean-stud"
    )
    family = {"three_card": "three-card"}.get(module, module)
    monkeypatch.setitem(getattr(getattr(registry, module), table), row, pays)
    assert any(differences(family, sheet, seed) for seed in range(200))


def test_a_wrong_odd_chip_is_found() -> None:
    """Turlock's odd chips go one to each winner; by the rule of another room the same rounds come out otherwise."""
    wrong = SHEETS["turlock-texas-holdem"].__class__(odd="each", chip=1)
    found = 0
    for seed in range(100):
        played = PlayedRound("turlock-texas-holdem", {}, f"turlock-texas-holdem/{seed}", alone=True).as_played()
        right = settle(played).seats
        SHEETS["as if"] = wrong
        try:
            played.sheet = "as if"
            found += settle(played).seats != right
        finally:
            del SHEETS["as if"]
    assert found
