"""How long the drivers wait for a device, as a multiple of what a healthy one needs.

1 at every real table and in the rig, where a device that hangs must be reported. Where the same seed must give the same
journal (`clock = "devices"` with a `seed`, the demo at full speed), how long a busy machine takes for an answer is
nobody's fault, and nothing about it may come into the journal: there the drivers wait `LONG` times as long before they
report a device as lost. The supervisor sets it at the beginning of a device's task, as it does `devices.randomness`.
"""

from __future__ import annotations

from contextvars import ContextVar

LONG = 1000.0
"""More than a minute also for the shortest of them, the tenth of a second of a drop box. The people of a demo give
up earlier, with an error: no journal is better than another one."""

PATIENCE: ContextVar[float] = ContextVar("patience", default=1.0)
