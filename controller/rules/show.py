"""The list of rulesets as text; one of them is shown by its packet (controller/packet)."""

from __future__ import annotations

from controller.rules import all_rulesets


def listed() -> str:
    """One line per ruleset."""
    rows = [(r.slug, r.data.title, r.data.approval or "no approval id printed") for r in all_rulesets().values()]
    width = max(len(slug) for slug, _, _ in rows)
    return "\n".join(f"{slug:<{width}}  {title} ({approval})" for slug, title, approval in rows)
