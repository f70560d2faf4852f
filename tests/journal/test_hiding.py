"""A published hash does not name a face-down card: brute force over all cards, with and without the salt."""

from __future__ import annotations

from hashlib import sha256
from itertools import product
from pathlib import Path

import pytest

from controller.journal import Entry, Journal
from controller.journal.chain import FIELDS
from tests.support.journals import AT, SITE, TABLE

CARDS = ["".join(card) for card in product("23456789TJQKA", "shdc")]
HIDDEN = "7d"
EVENTS = b'[{"kind":"card_dealt","to":"dealer","nth":2,"card":null}]'


def begin(path: Path) -> Journal:
    """As the daemon of a real table does: not seeded."""
    return Journal.open(path, site=SITE, table=TABLE)


def keyed(card: str) -> bytes:
    """A hole card that the dealer keyed in. Everything but the card can be guessed by somebody who watches."""
    return b'{"at":%d,"by":"dealer","body":{"kind":"card_out","card":"%b"}}' % (AT, card.encode())


def fitting(published: bytes, before: bytes, entry: Entry, salt: bytes = b"") -> list[str]:
    """The cards with which the entry would have the published hash."""

    def rest(card: str) -> bytes:
        numbers = FIELDS.pack(entry.n, entry.first_seq, entry.round, entry.count, len(keyed(card)))
        return numbers + salt + entry.link + keyed(card) + EVENTS

    return [card for card in CARDS if sha256(before + rest(card)).digest() == published]


def test_without_a_salt_the_published_hash_names_the_hidden_card() -> None:
    entry = Entry(2, 1, keyed(HIDDEN), EVENTS, 2, 1, b"", b"", b"")
    before = sha256(b"the hash of the event before, which is published").digest()
    published = sha256(before + entry.row[1]).digest()
    assert fitting(published, before, entry) == [HIDDEN]


@pytest.mark.clause("WA-230-16-152")
def test_with_the_salt_no_card_fits_the_published_hash(tmp_path: Path) -> None:
    with begin(tmp_path / "journal.db") as journal:
        first = journal.append_now(1, keyed("9h"), [b'{"kind":"round_started"}'])
        entry = journal.append_now(1, keyed(HIDDEN), [EVENTS[1:-1]])
    for salt in (b"", bytes(16), first.salt):
        assert fitting(entry.hash, first.hash, entry, salt) == []
    assert fitting(entry.hash, first.hash, entry, entry.salt) == [HIDDEN]  # the search would find it


def test_the_same_card_at_the_same_time_has_another_hash_in_another_journal(tmp_path: Path) -> None:
    with begin(tmp_path / "one.db") as one, begin(tmp_path / "other.db") as other:
        hashes = {journal.append_now(1, keyed(HIDDEN), [EVENTS[1:-1]]).hash for journal in (one, other)}
    assert len(hashes) == 2 and (one.site, one.table) == (SITE, TABLE)
