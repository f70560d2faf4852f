"""What all of the technician's commands share: how a refusal is told, and what is taken where nothing was said."""

from __future__ import annotations

USUAL_BAUD = 115_200
