"""What is published of an entry, byte for byte, and the public chain over it.

A subscriber cannot check the chain of entries: inputs and salts are not published. So the events have a chain of their
own. Each event is published as

    {"seq":…,"journal":…,"site":…,"table":…,"round":…,"round_id":…,"at":…,"kind":…,"currency":"USD","body":…,"hash":…
     [,"test":true][,"by":…],"link":…}

    link = SHA-256( link of the event before | the bytes of this message before `,"link":` )

and what may follow `link` is not chained. So a subscriber needs nothing but the messages, and no knowledge of JSON, to
compute it. Each entry holds the link before its first event, inside its hash: the events of any entry can be published
without reading another one. docs/mqtt/README.md has a worked example.
"""

from __future__ import annotations

from hashlib import sha256

import msgspec
from msgspec import Raw, Struct

from controller.journal.chain import Entry, JournalEvent, LinkBroken, Parts

_ONE = b'[{"kind":"'
_KIND = _ONE[1:]
LINK_KEY = b',"link":"'
"""Where the chained bytes of a message end."""


class InputBody(Struct, frozen=True):
    """The part of an input's body that the journal itself reads."""

    kind: str
    test: bool = False


class InputHead(Struct, frozen=True):
    """The part of an input that the journal itself reads."""

    at: int
    body: InputBody
    person: Raw = Raw()
    """Who caused it, where that was a person: published as `by`."""


class _Kind(Struct, frozen=True):
    kind: str


read_input = msgspec.json.Decoder(InputHead).decode
_read_bodies = msgspec.json.Decoder(list[Raw]).decode
_read_kinds = msgspec.json.Decoder(list[_Kind]).decode


class PublicHead(Struct, frozen=True):
    """The end of the public chain after some entry: its last link, and whether the table is in test mode there."""

    link: bytes
    test: bool


class Publication:
    """How the events of one journal are published."""

    def __init__(self, site: str, table: str, journal: str) -> None:
        names = f'"journal":"{journal}","site":"{site}","table":"{table}"'
        self._form = (
            b'{"seq":%d,' + names.encode() + b',"round":%d,"round_id":"' + journal.encode() + b'-%d"'
            b',"at":%d,"kind":"%b","currency":"USD","body":%b,"hash":"%b"%b'
        )
        text = f"cutcard events 1\nsite {site}\ntable {table}\njournal {journal}\n"
        self.start = PublicHead(sha256(text.encode()).digest(), False)

    def events(self, entry: Entry, *, test: bool) -> list[JournalEvent]:
        """An entry's events; `test`: whether the table was in test mode before it."""
        read = read_input(entry.input)
        test = _test_mode(read, test)
        link, found = entry.link, []
        for index, (kind, body, chained) in enumerate(self._messages(entry, read, test)):
            link = sha256(link + chained).digest()
            seq = entry.first_seq + index
            found.append(
                JournalEvent(seq, entry.round, read.at, index, kind.decode(), body, entry.hash, test, chained, link)
            )
        return found

    def after(self, entry: Entry, *, test: bool) -> PublicHead:
        """The public chain after an entry; `test`: whether the table was in test mode before it."""
        read = read_input(entry.input)
        test, link = _test_mode(read, test), entry.link
        for _, _, chained in self._messages(entry, read, test):
            link = sha256(link + chained).digest()
        return PublicHead(link, test)

    def walk(self, page: list[Parts], before: PublicHead) -> PublicHead:
        """The public chain after these entries, which follow `before`; `LinkBroken` names the first that does not.

        The same as `after` for each of them, without a value for each entry and each message in between.
        """
        link, test, form, fresh = before.link, before.test, self._form, sha256()
        for n, round_, input_, events, first_seq, count, own_hash, _, own_link in page:
            if own_link != link:
                raise LinkBroken(n, f"entry {n} does not continue the public chain of events")
            try:
                read = read_input(input_)
                test = _test_mode(read, test)
                if not count:
                    continue
                hash_, end, seq = own_hash.hex().encode(), _end(read, test), first_seq
                for kind, body in _split(events, count):
                    digest = fresh.copy()
                    digest.update(link + form % (seq, round_, round_, read.at, kind, body, hash_, end))
                    link = digest.digest()
                    seq += 1
            except (msgspec.MsgspecError, ValueError):
                raise LinkBroken(n, f"entry {n} cannot be published: its input or events are no JSON") from None
        return PublicHead(link, test)

    def _messages(self, entry: Entry, read: InputHead, test: bool) -> list[tuple[bytes, bytes, bytes]]:
        """Of each event: its kind, its body, and the chained bytes of its message."""
        if not entry.count:
            return []
        form, seq, round_, hash_ = self._form, entry.first_seq, entry.round, entry.hash.hex().encode()
        end = _end(read, test)
        events = _split(entry.events, entry.count)
        return [
            (kind, body, form % (seq + index, round_, round_, read.at, kind, body, hash_, end))
            for index, (kind, body) in enumerate(events)
        ]


def _test_mode(read: InputHead, before: bool) -> bool:
    return read.body.test if read.body.kind == "started" else before


def _end(read: InputHead, test: bool) -> bytes:
    """What is chained after the hash."""
    mode = b',"test":true' if test else b""
    person = bytes(read.person)
    return mode + b',"by":' + person if person else mode


def _split(events: bytes, count: int) -> list[tuple[bytes, bytes]]:
    """Kind and body of each event."""
    if count == 1 and events.startswith(_ONE):
        return [(events[len(_ONE) : events.index(b'"', len(_ONE))], events[1:-1])]
    return split_events(events)


def split_events(events: bytes) -> list[tuple[bytes, bytes]]:
    """The same for any array of events; most entries have one event. An event begins with its kind, as we write it."""
    found = []
    try:
        bodies = _read_bodies(events)
    except RecursionError:
        raise ValueError("events nested that deep are none of ours") from None
    for raw in bodies:
        body = bytes(raw)
        if not body.startswith(_KIND):
            return _split_slowly(events)
        kind = body[len(_KIND) : body.index(b'"', len(_KIND))]
        if b"\\" in kind:
            return _split_slowly(events)
        found.append((kind, body))
    return found


def _split_slowly(events: bytes) -> list[tuple[bytes, bytes]]:
    """The same, wherever the kind is among an event's fields, and however it is written."""
    kinds, bodies = _read_kinds(events), _read_bodies(events)
    return [(one.kind.encode(), bytes(body)) for one, body in zip(kinds, bodies, strict=True)]
