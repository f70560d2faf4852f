"""A received message as a value: an event, a retained document, an answer, or something that is kept apart.

Nothing here trusts the broker's other clients. An event must be of the table in whose topic it came, and of the form
that docs/mqtt/README.md gives it; whether it follows from the event before it, the store decides.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

import msgspec
from msgspec import Raw, Struct

from controller.contract import Envelope, Online, Reply
from controller.contract.messages import JournalId
from controller.contract.topics import ROOT
from controller.journal.published import LINK_KEY
from protocols.type_errors import in_words

_LARGEST = 2**53
"""Of a number in JSON that every program reads alike."""
MOST_KEPT = 65_536
"""Bytes of a message that are kept in quarantine."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
"""A site, a table. A database has an index on each: it takes no text of any length."""
_LONGEST_NAME = 200
"""Characters of a device's, an alarm's or a broker's name, and of a kind."""
_LONGEST_TEXT = 500
"""Characters of why a message is kept apart: it may quote the message."""

DocumentKind = Literal["state", "online", "head", "device", "alarm", "certificate"]


class Origin(Struct, frozen=True, gc=False):
    """Where a message came from."""

    broker: str
    topic: str
    received_at: int


class ReceivedEvent(Struct, frozen=True, gc=False):
    """An event of a table, from its topic or as a part of a replay."""

    origin: Origin
    site: str
    table: str
    envelope: Envelope
    payload: bytes
    link_at: int
    """Where in the payload its link begins."""

    @property
    def chained(self) -> bytes:
        """What the public chain covers."""
        return self.payload[: self.link_at]


class ReceivedDocument(Struct, frozen=True):
    """A retained document. An empty payload takes it away."""

    origin: Origin
    site: str
    table: str
    document: DocumentKind
    name: str
    payload: bytes
    journal: str | None
    seq: int


class ReceivedAnswer(Struct, frozen=True):
    """The answer to a request of ours."""

    origin: Origin
    site: str
    table: str
    reply: Reply
    payload: bytes


class Apart(Struct, frozen=True):
    """A message that is in no figure, and why."""

    origin: Origin
    reason: str
    text: str
    payload: bytes
    site: str | None = None
    table: str | None = None
    journal: str | None = None
    seq: int | None = None


Received = ReceivedEvent | ReceivedDocument | ReceivedAnswer | Apart


class _Head(Struct):
    """What is read of a document here."""

    document: str
    journal: JournalId
    seq: int = 0
    site: str | None = None
    table: str | None = None


class _Unchecked(Envelope, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """An envelope whose values nobody has looked at. Looking at each by itself costs four times as much as decoding."""

    seq: int
    journal: str
    round: int
    round_id: str
    at: int
    currency: str  # type: ignore[assignment]
    hash: str
    link: str


_envelope = msgspec.json.Decoder(Envelope).decode
_unchecked = msgspec.json.Decoder(_Unchecked).decode
_online = msgspec.json.Decoder(Online).decode
_head = msgspec.json.Decoder(_Head).decode
_reply = msgspec.json.Decoder(Reply).decode
_object = msgspec.json.Decoder(dict[str, Raw]).decode


def read(broker: str, topic: str, payload: bytes, received_at: int) -> Received:
    """What this message is."""
    origin = Origin(broker, topic, received_at)
    levels = _levels(topic) if len(topic) <= _LONGEST_KEPT else tuple(_split(topic))
    match levels:
        case [site, table, "event", kind]:
            return _event(origin, site, table, payload, kind)
        case [site, table, ("state" | "online" | "head") as document]:
            return _document(origin, site, table, document, payload)
        case [site, table, ("device" | "alarm" | "certificate") as document, name]:
            return _document(origin, site, table, document, payload, name=name)
        case ["reply", _, _, site, table, *_]:
            return _answer(origin, site, table, payload)
    return Apart(origin, "unknown_topic", "no table publishes on such a topic", payload)


_LONGEST_KEPT = 200
"""Letters of a topic whose levels are remembered."""


@lru_cache(maxsize=16_384)
def _levels(topic: str) -> tuple[str, ...]:
    """A room of 160 tables has some ten thousand topics."""
    return tuple(_split(topic))


def _split(topic: str) -> list[str]:
    """The levels of a topic below the root; none where a name in it is no name."""
    levels = topic.removeprefix(f"{ROOT}/").split("/")
    place = levels[3:5] if levels[0] == "reply" else levels[:2]
    if len(place) == 2 and _are_names(place[0], place[1], levels[3] if len(levels) == 4 else ""):
        return levels
    return []


def _are_names(site: str, table: str, name: str = "") -> bool:
    return bool(_NAME.fullmatch(site) and _NAME.fullmatch(table)) and len(name) <= _LONGEST_NAME


def _event(origin: Origin, site: str, table: str, payload: bytes, kind: str | None) -> ReceivedEvent | Apart:
    def apart(reason: str, text: str, envelope: Envelope | None = None) -> Apart:
        journal, seq = (None, None) if envelope is None else (envelope.journal, envelope.seq)
        return Apart(origin, reason, text[:_LONGEST_TEXT], payload, site, table, journal, seq)

    quick = quick_envelope(payload)
    try:
        envelope = quick or _envelope(payload)
    except msgspec.ValidationError as error:
        return apart("malformed", in_words(error))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return apart("malformed", "it is not JSON in UTF-8")
    if envelope.seq >= _LARGEST or envelope.round >= _LARGEST:
        return apart("malformed", "a number in it is too large")
    if (envelope.site, envelope.table) != (site, table):
        return apart("other_table", f"it calls itself an event of {envelope.site}/{envelope.table}", envelope)
    if kind is not None and envelope.kind != kind:
        return apart("other_kind", f"it calls itself {envelope.kind}", envelope)
    link_at = len(payload) - _TAIL if quick is not None else payload.rfind(LINK_KEY)
    if link_at < 0 or not payload.startswith(envelope.link.encode(), link_at + len(LINK_KEY)):
        return apart("malformed", "its link is not where the contract has it", envelope)
    return ReceivedEvent(origin, site, table, envelope, payload, link_at)


_TAIL = len(LINK_KEY) + 66
"""Bytes from the link's key to the end of an event, which is no repeat."""
_LATEST = 10**14


def quick_envelope(payload: bytes) -> Envelope | None:
    """The envelope of an event as tables publish it, found to be of the form of the contract by fewer looks than
    `Decoder(Envelope)` takes. None: take the slow way, which knows what is wrong, or that nothing is."""
    try:
        found = _unchecked(payload)
        names = found.journal + found.hash + found.link
        is_plain = (
            len(found.journal) == 32
            and len(found.hash) == len(found.link) == 64
            and bytes.fromhex(names).hex() == names
            and found.round_id == f"{found.journal}-{found.round}"
            and 1 <= found.seq < _LARGEST
            and 0 <= found.round < _LARGEST
            and 0 <= found.at <= _LATEST
            and found.currency == "USD"
            and payload.startswith(LINK_KEY, len(payload) - _TAIL)
        )
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    return found if is_plain else None


def _document(
    origin: Origin, site: str, table: str, document: DocumentKind, payload: bytes, *, name: str = ""
) -> ReceivedDocument | Apart:
    if not payload:
        return ReceivedDocument(origin, site, table, document, name, payload, None, 0)
    try:
        payload.decode()
        found = _head(payload)
        if document == "online":
            _online(payload)
    except msgspec.ValidationError as error:
        return Apart(origin, "malformed", in_words(error), payload, site, table)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return Apart(origin, "malformed", "it is not JSON in UTF-8", payload, site, table)
    if found.document != document:
        text = f"it calls itself {found.document}"[:_LONGEST_TEXT]
        return Apart(origin, "other_kind", text, payload, site, table)
    if (found.site or site, found.table or table) != (site, table):
        text = f"it calls itself the {document} of {found.site}/{found.table}"[:_LONGEST_TEXT]
        return Apart(origin, "other_table", text, payload, site, table)
    if not 0 <= found.seq < _LARGEST:
        return Apart(origin, "malformed", "a number in it is too large", payload, site, table)
    return ReceivedDocument(origin, site, table, document, name, payload, found.journal, found.seq)


def _answer(origin: Origin, site: str, table: str, payload: bytes) -> Received:
    """A replay sends the events first, then its reply."""
    try:
        fields = _object(payload)
        if "ok" not in fields:
            return _event(origin, site, table, payload, None)
        return ReceivedAnswer(origin, site, table, _reply(payload), payload)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return Apart(origin, "malformed", "it is neither an event nor a reply", payload, site, table)
