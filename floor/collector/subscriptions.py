"""What a collector subscribes.

Events go by a shared subscription where collectors work together: each event to one of them. Shared subscriptions
bring no retained messages, so every collector subscribes the retained topics plainly; of those only the newest counts.
"""

from __future__ import annotations

from controller.contract.topics import ROOT
from floor.config import FloorConfig

ROLE = "store"


def identity(config: FloorConfig) -> str:
    """The common name of our certificate, and our client id."""
    return f"{config.name}/{ROLE}/{config.site}"


def filters(config: FloorConfig, *, is_v5: bool) -> list[str]:
    base = f"{ROOT}/{config.site}/+"
    events = f"{base}/event/+"
    shared = f"$share/{config.group}/{events}" if config.group is not None and is_v5 else events
    retained = [
        f"{base}/{document}" for document in ("state", "online", "head", "device/+", "alarm/+", "certificate/+")
    ]
    answers = [f"{ROOT}/reply/{config.name}/{ROLE}/{config.site}/#"] if is_v5 else []
    return [shared, *retained, *answers]
