"""The device whose task is running, for the log.

The supervisor sets it at the beginning of a device's task; what the driver starts there inherits it.
"""

from __future__ import annotations

from contextvars import ContextVar

DEVICE: ContextVar[str] = ContextVar("device", default="")
"""The id of the device; empty outside of any device's task."""
