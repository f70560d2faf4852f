"""What all of the technician's commands share: how a refusal is told, and what is taken where nothing was said."""

from __future__ import annotations

from pathlib import Path

DEFAULT_CONFIG = Path("/etc/cutcard/cutcard.toml")
USUAL_BAUD = 115_200


class Cannot(Exception):
    """Why a command cannot do what was asked, in one paragraph."""
