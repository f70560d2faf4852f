"""Where the project's files are."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
CASES = ROOT / "tests" / "cases"
DOCS = ROOT / "docs"
