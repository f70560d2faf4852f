"""axe-core, the judge of what a page is to people who do not see or touch it as others do."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Page

from tests.support.project import ROOT

AXE = ROOT / "build" / "judges" / "node_modules" / "axe-core" / "axe.min.js"

needs_axe = pytest.mark.skipif(
    not AXE.exists(), reason="NO AXE: nobody judged the pages' accessibility. Run: deploy/setup-machine.sh tests"
)

_RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")


async def violations(page: Page) -> list[str]:
    """What axe-core finds wrong with the page as it is now: the rule, and the first elements that break it."""
    if not await page.evaluate("() => 'axe' in window"):
        await page.evaluate(AXE.read_text())
    found: list[dict[str, Any]] = await page.evaluate(
        "async (rules) => (await axe.run(document, { runOnly: rules, resultTypes: ['violations'] })).violations",
        list(_RULES),
    )
    return [f"{rule['id']}: {[' '.join(node['target']) for node in rule['nodes']][:5]}" for rule in found]
