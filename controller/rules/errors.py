from __future__ import annotations

from controller.errors import UserError

"""What goes wrong with rules."""


class RulesError(UserError):
    """A ruleset that contradicts itself or an option that does not fit; names file, key and reason."""
