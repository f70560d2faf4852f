"""The dashboard before Grafana's own types: a Grafana to open it in is in no package registry."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.contract.test_judges import INSTALLED, needs_judges
from tests.support.project import ROOT

DASHBOARD = ROOT / "deploy" / "grafana" / "cutcard.json"
TYPES = "./node_modules/@grafana/schema/dist/types/raw"
PLAIN = """
type Plain<T> = T extends string ? `${T}`
  : T extends number | boolean | null | undefined ? T
  : T extends (infer U)[] ? Plain<U>[]
  : T extends object ? { [K in keyof T]: Plain<T[K]> }
  : T;
"""
"""A type with its enumerations as the texts that JSON has."""


def program(dashboard: dict[str, Any]) -> str:
    """A program that compiles if the dashboard and each panel's options are of Grafana's types."""
    lines = [PLAIN, f'import type {{ Dashboard }} from "{TYPES}/dashboard/x/types.gen";']
    for kind in sorted({panel["type"] for panel in dashboard["panels"] if panel["type"] != "row"}):
        lines.append(f'import type {{ Options as {kind} }} from "{TYPES}/composable/{kind}/panelcfg/x/types.gen";')
    lines.append(f"export const dashboard: Plain<Dashboard> = {json.dumps(dashboard)};")
    for number, panel in enumerate(dashboard["panels"]):
        if "options" in panel:
            lines.append(f"export const p{number}: Plain<Partial<{panel['type']}>> = {json.dumps(panel['options'])};")
    return "\n".join(lines)


def compiled(folder: Path, dashboard: dict[str, Any]) -> str:
    """What the TypeScript compiler says of it."""
    (folder / "node_modules").symlink_to(INSTALLED / "node_modules")
    (folder / "dashboard.ts").write_text(program(dashboard))
    options = ["--strict", "--noEmit", "--skipLibCheck", "--module", "nodenext", "--target", "es2022"]
    done = subprocess.run(
        [str(INSTALLED / "node_modules/.bin/tsc"), *options, str(folder / "dashboard.ts")],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


@needs_judges
def test_the_dashboard_is_of_grafanas_types(tmp_path: Path) -> None:
    assert compiled(tmp_path, json.loads(DASHBOARD.read_text())) == ""


@needs_judges
def test_the_types_find_a_mistake(tmp_path: Path) -> None:
    dashboard = json.loads(DASHBOARD.read_text())
    dashboard["panels"][0]["gridPos"] = {"x": "left"}
    said = compiled(tmp_path, dashboard)
    assert "Type 'string' is not assignable to type 'number'" in said
