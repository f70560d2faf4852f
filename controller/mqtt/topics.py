"""The topics of one table.

cutcard/v1/{site}/{table}/event/{kind}     every event, QoS 1, not retained
cutcard/v1/{site}/{table}/state            retained snapshot
cutcard/v1/{site}/{table}/device/{id}      retained device state
cutcard/v1/{site}/{table}/online           retained; the last will sets it false
cutcard/v1/{site}/{table}/command/{name}   requests
"""

from __future__ import annotations

_NOT_IN_A_LEVEL = frozenset("/+#\0")


class Topics:
    """Spells the topics of one table.

    >>> Topics("bay101", "t7").event("card_dealt")
    'cutcard/v1/bay101/t7/event/card_dealt'
    """

    def __init__(self, site: str, table: str) -> None:
        self.base = f"cutcard/v1/{_level(site)}/{_level(table)}"
        self.state = f"{self.base}/state"
        self.online = f"{self.base}/online"

    def event(self, kind: str) -> str:
        return f"{self.base}/event/{_level(kind)}"

    def device(self, device_id: str) -> str:
        return f"{self.base}/device/{_level(device_id)}"

    def command(self, name: str) -> str:
        return f"{self.base}/command/{_level(name)}"


def _level(name: str) -> str:
    if not name or _NOT_IN_A_LEVEL & set(name):
        raise ValueError(f"{name!r} cannot be one level of an MQTT topic: no '/', '+', '#', and not empty")
    return name
