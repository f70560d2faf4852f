"""Defaults that the technician's commands share."""

from __future__ import annotations

USUAL_BAUD = 115_200
