"""Random numbers that nobody may know beforehand: of a session, of a question, of a challenge.

From the system, not from a seed: a daemon that is started twice must not open the same session twice, and an answer
that was received once must not be valid again. Only where time is simulated (docs/development/soak.md) they come from a
seed. The supervisor sets it at the beginning of a device's task, as it does `devices.current_device`.
"""

from __future__ import annotations

import random
from contextvars import ContextVar

_SYSTEM = random.SystemRandom()

CHANCE: ContextVar[random.Random] = ContextVar("chance", default=_SYSTEM)
