"""Where an installed table has its files."""

from __future__ import annotations

from pathlib import Path

DEFAULT_CONFIG = Path("/etc/cutcard/cutcard.toml")
