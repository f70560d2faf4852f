"""One edge node: a table, as Sparkplug has it. No I/O: documents in, Sparkplug messages out.

    connect ──> (will: NDEATH bdSeq) ──> births ──> NDATA, DDATA, DBIRTH, DDEATH … ──> death
                                           ^                  │
                                           └── rebirth, or a metric that no birth has named

A birth names every metric with its alias, type and value; data that follow have the alias alone, and only values that
have changed. A new metric (an alarm that was never raised before, a new box) therefore begins the births again, with
the same bdSeq. A device is born while its table can use it: `offline` and `wrong_device` are its death.

An event that is historical is sent as such and changes no value that a birth would name.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable

from msgspec import Struct

from controller.contract.messages import AlarmDocument, DeviceDocument, Envelope, StateDocument
from controller.sparkplug.payload import DataType, Metric, NotAPayload, commands, encode
from controller.sparkplug.samples import Sample, Samples, no_event, of_alarm, of_device, of_event, of_state

log = logging.getLogger(__name__)

NAMESPACE = "spBv1.0"
REBIRTH = "Node Control/Rebirth"
BD_SEQ = "bdSeq"
_DEAD = frozenset({"offline", "wrong_device"})
_SEQUENCE = 256
_MOST_METRICS = 2_000
"""Of one node and of one device. A table has a tenth of these."""
_MOST_DEVICES = 100
_MOST_ALARMS = 500
_MOST_WAITING = 1_000
"""Events kept while there is no session; the oldest are dropped, because the contract has them."""


class Message(Struct, frozen=True):
    """To be published with QoS 0, not retained."""

    topic: str
    payload: bytes


class EdgeNode:
    """A table; `now` is milliseconds since 1970."""

    def __init__(self, group: str, node: str, now: Callable[[], int]) -> None:
        self.group, self.node = group, node
        self._now = now
        self._state: Samples = {}
        self._alarms: dict[str, Samples] = {}
        self._event = no_event()
        self._devices: dict[str, DeviceDocument] = {}
        self._aliases: dict[tuple[str, str], int] = {}
        """By device (empty: the node itself) and metric, from one NBIRTH to the next."""
        self._sent: dict[str, Samples] = {}
        """What the host has, by device (empty: the node itself); nothing before the birth."""
        self._waiting: deque[Envelope] = deque(maxlen=_MOST_WAITING)
        self._bd_seq = 0
        self._seq = 0

    # The documents of the table. Each returns what there is to publish; nothing where there is no session.

    def take_state(self, document: StateDocument) -> list[Message]:
        self._state = of_state(document)
        return self._node_changed()

    def take_alarm(self, document: AlarmDocument) -> list[Message]:
        if document.alarm not in self._alarms and len(self._alarms) >= _MOST_ALARMS:
            log.warning("%s has more than %d alarms: %s is left out", self.node, _MOST_ALARMS, document.alarm)
            return []
        self._alarms[document.alarm] = of_alarm(document)
        return self._node_changed()

    def take_device(self, document: DeviceDocument) -> list[Message]:
        if document.device not in self._devices and len(self._devices) >= _MOST_DEVICES:
            log.warning("%s has more than %d devices: %s is left out", self.node, _MOST_DEVICES, document.device)
            return []
        self._devices[document.device] = document
        return self._device_changed(document.device)

    def forget_alarm(self, alarm: str) -> list[Message]:
        """Its document was taken away."""
        self._alarms.pop(alarm, None)
        return self._node_changed()

    def forget_device(self, device: str) -> list[Message]:
        """Its document was taken away."""
        self._devices.pop(device, None)
        return self._device_changed(device)

    def forget_documents(self) -> None:
        """The table has another journal, or its broker was lost: what is known of it is no longer certain."""
        self._state, self._alarms, self._devices = {}, {}, {}

    def forget_events(self) -> None:
        """Another journal: its events have nothing to do with those before."""
        self._event = no_event()
        self._waiting.clear()

    def take_event(self, event: Envelope) -> list[Message]:
        if not self.is_born:
            self._waiting.append(event)
            return []
        if event.historical:
            return [self._historical(event)]
        self._event = of_event(event)
        return self._node_changed(at=event.at)

    @property
    def is_known(self) -> bool:
        """Whether there is enough for a birth."""
        return bool(self._state)

    @property
    def is_born(self) -> bool:
        return "" in self._sent

    # The session.

    def connect(self, bd_seq: int) -> Message:
        """A connection is about to be made; returns its will."""
        self._bd_seq = bd_seq
        self._sent = {}
        return self._death()

    def births(self) -> list[Message]:
        """NBIRTH, a DBIRTH for each device that works, then what happened while there was no session."""
        self._seq = 0
        self._sent, self._aliases = {}, {}
        if self._waiting and not self._waiting[-1].historical:
            self._event = of_event(self._waiting.pop())
        messages = [self._node_birth()]
        messages += [message for device in sorted(self._devices) for message in self._device_changed(device)]
        messages += [self._historical(event) for event in self._waiting]
        self._waiting.clear()
        return messages

    def death(self) -> Message:
        """The end of a session that we end ourselves."""
        self._sent = {}
        return self._death()

    def lost(self) -> None:
        """The connection is gone: the broker publishes the will."""
        self._sent = {}

    def command(self, data: bytes) -> list[Message]:
        """An NCMD: a rebirth is answered with all births, everything else is ignored."""
        try:
            written = commands(data)
        except NotAPayload:
            log.warning("%s/%s: ignored a command that is no Sparkplug payload", self.group, self.node)
            return []
        others = [each for each in written if each.name != REBIRTH]
        if others:
            # One line, however many: a command may have a hundred thousand.
            log.warning(
                "%s/%s: ignored a command to write %r and %d more: a table takes commands by the contract alone",
                self.group,
                self.node,
                (others[0].name or f"alias {others[0].alias}")[:200],
                len(others) - 1,
            )
        wants_birth = any(each.name == REBIRTH and each.value is True for each in written)
        return self.births() if wants_birth and self.is_born else []

    # How messages are made.

    def topic(self, kind: str, device: str = "") -> str:
        return "/".join([NAMESPACE, self.group, kind, self.node, *([device] if device else [])])

    def _death(self) -> Message:
        at = self._now()
        metric = Metric(name=BD_SEQ, value=self._bd_seq, datatype=DataType.INT64, at=at)
        return Message(self.topic("NDEATH"), encode([metric], at=at, seq=None, births=True))

    def _node_samples(self) -> Samples:
        merged = {**self._state, **self._event}
        for name in sorted(self._alarms):
            merged |= self._alarms[name]
        return _bounded(merged)

    def _node_birth(self) -> Message:
        samples = self._node_samples()
        at = self._now()
        fixed = [
            Metric(name=BD_SEQ, alias=self._alias("", BD_SEQ), value=self._bd_seq, datatype=DataType.INT64, at=at),
            # Without an alias, so that a host that has no birth of ours can ask for one.
            Metric(name=REBIRTH, value=False, datatype=DataType.BOOLEAN, at=at),
        ]
        self._sent[""] = samples
        payload = encode([*fixed, *self._named("", samples, at)], at=at, seq=self._next_seq(), births=True)
        return Message(self.topic("NBIRTH"), payload)

    def _node_changed(self, at: int | None = None) -> list[Message]:
        if not self.is_born:
            return []
        samples = self._node_samples()
        if samples.keys() - self._sent[""].keys():
            return self.births()
        return self._data("NDATA", "", samples, at)

    def _device_changed(self, device: str) -> list[Message]:
        if not self.is_born:
            return []
        document = self._devices.get(device)
        at = self._now()
        if document is None or document.state in _DEAD:
            if self._sent.pop(device, None) is None:
                return []
            return [Message(self.topic("DDEATH", device), encode([], at=at, seq=self._next_seq()))]
        samples = _bounded(of_device(document))
        if device in self._sent and not samples.keys() - self._sent[device].keys():
            return self._data("DDATA", device, samples, None)
        self._sent[device] = samples
        payload = encode(self._named(device, samples, at), at=at, seq=self._next_seq(), births=True)
        return [Message(self.topic("DBIRTH", device), payload)]

    def _data(self, kind: str, device: str, samples: Samples, at: int | None) -> list[Message]:
        """What has changed. A metric that a birth named and that is not there now is null."""
        now = self._now()
        sent = self._sent[device]
        current = {name: samples.get(name, Sample(old.datatype, None)) for name, old in sent.items()}
        changed = [
            Metric(
                alias=self._alias(device, name), value=new.value, datatype=new.datatype, at=now if at is None else at
            )
            for name, new in current.items()
            if new != sent[name]
        ]
        if not changed:
            return []
        self._sent[device] = current
        return [Message(self.topic(kind, device), encode(changed, at=now, seq=self._next_seq()))]

    def _historical(self, event: Envelope) -> Message:
        metrics = [
            Metric(alias=self._alias("", name), value=each.value, datatype=each.datatype, at=event.at, historical=True)
            for name, each in of_event(event).items()
        ]
        return Message(self.topic("NDATA"), encode(metrics, at=self._now(), seq=self._next_seq()))

    def _named(self, device: str, samples: Samples, at: int) -> list[Metric]:
        return [
            Metric(name=name, alias=self._alias(device, name), value=each.value, datatype=each.datatype, at=at)
            for name, each in samples.items()
        ]

    def _alias(self, device: str, name: str) -> int:
        return self._aliases.setdefault((device, name), len(self._aliases) + 1)

    def _next_seq(self) -> int:
        seq = self._seq
        self._seq = (seq + 1) % _SEQUENCE
        return seq


def _bounded(samples: Samples) -> Samples:
    """At most _MOST_METRICS, and no two names that differ in capitals only."""
    names: dict[str, str] = {}
    for name in list(samples)[:_MOST_METRICS]:
        names.setdefault(name.lower(), name)
    return {name: samples[name] for name in names.values()}
