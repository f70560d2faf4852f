"""The topics of one table.

cutcard/v2/{site}/{table}/event/{kind}                      every event, QoS 1, not retained
cutcard/v2/{site}/{table}/state                             retained snapshot
cutcard/v2/{site}/{table}/device/{id}                       retained device state
cutcard/v2/{site}/{table}/alarm/{name}                      retained, one alarm's life
cutcard/v2/{site}/{table}/online                            retained; the last will sets it false
cutcard/v2/{site}/{table}/head                              retained; the newest signed checkpoint of the journal
cutcard/v2/{site}/{table}/certificate/{broker}              retained; until when it is good, a request for the next
cutcard/v2/command/{client}/{role}/{site}/{table}/{name}    requests; the broker knows who may publish there
cutcard/v2/reply/{client}/{role}/{site}/{table}             and below: the answers to that client
cutcard/v2/receipt/{store}/store/{site}/{table}             retained, by the store: what it has durably

A table is known to the broker as `{site}/{table}`, a person or program as `{client}/{role}/{site}`. The topic of a
command has both names as they are, and they share its site. So the broker's patterns keep the people of a site to
their tables (docs/operations/security.md). No site is named `command`, `reply` or `receipt`: those
branches are beside the sites.
"""

from __future__ import annotations

import re

ROOT = "cutcard/v2"
"""Where every topic begins; the version is the contract's."""
BRANCHES = "command", "reply", "receipt"
"""What is beside the sites below the root, so that no site may have such a name."""
_NOT_IN_A_LEVEL = frozenset("/+#\0")
_BELOW_A_REPLY = re.compile(r"(/[A-Za-z0-9_.-]{1,64}){0,4}")
"""What a client may add to its reply topic, to distinguish its own requests."""


class Topics:
    """Spells the topics of one table.

    >>> Topics("bay101", "t7").event("card_dealt")
    'cutcard/v2/bay101/t7/event/card_dealt'
    """

    def __init__(self, site: str, table: str) -> None:
        self._own = f"{_level(site)}/{_level(table)}"
        self.base = f"{ROOT}/{self._own}"
        self.state = f"{self.base}/state"
        self.online = f"{self.base}/online"
        self.head = f"{self.base}/head"
        self.documents = f"{self.base}/device/", f"{self.base}/alarm/", f"{self.base}/certificate/"
        """Where the topics of devices, alarms and certificates begin."""

    def event(self, kind: str) -> str:
        return f"{self.base}/event/{_level(kind)}"

    def device(self, device_id: str) -> str:
        return f"{self.base}/device/{_level(device_id)}"

    def alarm(self, name: str) -> str:
        return f"{self.base}/alarm/{_level(name)}"

    def certificate(self, broker: str) -> str:
        return f"{self.base}/certificate/{_level(broker)}"

    def command(self, role: str, client: str, name: str) -> str:
        return f"{ROOT}/command/{_level(client)}/{_level(role)}/{self._own}/{_level(name)}"

    @property
    def commands(self) -> str:
        """What a table subscribes."""
        return f"{ROOT}/command/+/+/{self._own}/+"

    def receipt(self, store: str) -> str:
        return f"{ROOT}/receipt/{_level(store)}/store/{self._own}"

    @property
    def receipts(self) -> str:
        """What a table subscribes: the receipts of every store."""
        return f"{ROOT}/receipt/+/store/{self._own}"

    def store_of(self, receipt: str) -> str | None:
        """The store in a receipt's topic; None where it is not one for this table."""
        match receipt.removeprefix(f"{ROOT}/").split("/"):
            case ["receipt", store, "store", site, table] if f"{site}/{table}" == self._own:
                return store
        return None

    def reply(self, role: str, client: str) -> str:
        return f"{ROOT}/reply/{_level(client)}/{_level(role)}/{self._own}"

    def may_reply_to(self, topic: str, role: str, client: str) -> bool:
        """Whether a client may have its answers there: its own reply topic or one below it, and nowhere else."""
        own = self.reply(role, client)
        return topic.startswith(own) and _BELOW_A_REPLY.fullmatch(topic[len(own) :]) is not None

    def sender_of(self, command: str) -> tuple[str, str, str] | None:
        """Role, client and name in a command's topic; None where it is not one of this table's."""
        match command.removeprefix(f"{ROOT}/").split("/"):
            case ["command", client, role, site, table, name] if f"{site}/{table}" == self._own:
                return role, client, name
        return None


def _level(name: str) -> str:
    if not name or _NOT_IN_A_LEVEL & set(name):
        raise ValueError(f"{name!r} cannot be one level of an MQTT topic: no '/', '+', '#', and not empty")
    return name
