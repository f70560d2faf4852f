"""Where an installed table has its files."""

from __future__ import annotations

from pathlib import Path

DEFAULT_CONFIG = Path("/etc/cutcard/cutcard.toml")

RESTORING = "restoring"
"""A folder in the data folder: a backup that `cutcard restore` is putting in place. No table starts beside it
without a journal."""
