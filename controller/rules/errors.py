"""What goes wrong with rules."""


class RulesError(Exception):
    """A ruleset that contradicts itself or an option that does not fit; names file, key and reason."""
