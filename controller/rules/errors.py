"""What goes wrong with rules."""

from __future__ import annotations

from controller.engine.table.state import NoSuchRules
from controller.errors import UserError


class RulesError(UserError, NoSuchRules):
    """A ruleset that contradicts itself or an option that does not fit; names file, key and reason."""
