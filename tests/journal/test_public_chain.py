"""The public chain: a subscriber checks everything that a table has published with nothing but the messages."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import astuple

from controller.contract.messages import CURRENCY, Envelope, encode
from controller.journal import Entry, Journal, JournalBroken, JournalReader, published
from controller.journal.chain import seal
from controller.mqtt.envelope import payload
from tests.support.evidence_journals import entries, forge
from tests.support.journals import SITE, TABLE, card_out, change, dealt, open_journal, started, write
from tests.support.project import ROOT


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def messages(journal: JournalReader, first: int = 1, *, historical: bool = False) -> list[bytes]:
    return [payload(event, historical=historical) for event in journal.events_from(first, 1000)]


def first_wrong(payloads: list[bytes], journal: str, start: bytes | None = None) -> int | None:
    """As docs/mqtt/README.md says: the index of the first message whose link does not fit."""
    text = f"cutcard events 1\nsite {SITE}\ntable {TABLE}\njournal {journal}\n"
    before = start or sha256(text.encode()).digest()
    for index, message in enumerate(payloads):
        before = sha256(before + message[: message.rindex(b',"link":')]).digest()
        if json.loads(message)["link"] != before.hex():
            return index
    return None


def test_a_subscriber_checks_all_events_of_a_journal(path: Path) -> None:
    with open_journal(path) as journal:
        journal.append_now(0, started(test=True), [b'{"kind":"street","name":"1"}'])
        write(journal, range(30))
        journal.append_now(4, started(test=False), [])
        write(journal, range(30, 40))
        sent = messages(journal)
        assert first_wrong(sent, journal.id) is None and len(sent) == journal.head.seq
        assert json.loads(sent[-1])["link"] == journal.public_head.link.hex()
        assert first_wrong(sent[5:], journal.id, bytes.fromhex(json.loads(sent[4])["link"])) is None


def test_the_walk_over_many_entries_ends_where_one_entry_after_the_other_does(path: Path) -> None:
    with open_journal(path) as journal:
        journal.append_now(0, started(test=True), [b'{"kind":"street","name":"1"}', b'{"kind":"street","name":"2"}'])
        write(journal, range(30))
        journal.append_now(4, started(test=False), [])
        write(journal, range(30, 40))
        found, publication = list(journal.entries()), journal.whose.publication
        head = publication.start
        for n, entry in enumerate(found):
            head = publication.after(entry, test=head.test)
            assert publication.walk([astuple(kept) for kept in found[: n + 1]], publication.start) == head
        assert head == journal.public_head


@pytest.mark.parametrize("wrong", ["changed", "left out", "invented"])
def test_a_subscriber_sees_an_event_that_was_changed_left_out_or_invented(path: Path, wrong: str) -> None:
    with open_journal(path) as journal:
        write(journal, range(30))
        sent = messages(journal)
    match wrong:
        case "changed":
            sent[7] = sent[7].replace(b'"9h"', b'"8h"') if b"9h" in sent[7] else sent[7].replace(b"street", b"strait")
        case "left out":
            del sent[7]
        case "invented":
            sent.insert(7, sent[6])
    assert first_wrong(sent, journal.id) == 7


def test_a_repeat_and_a_replay_have_the_same_link_also_from_an_archive_or_after_a_restart(path: Path) -> None:
    with open_journal(path) as journal:
        write(journal, range(30))
        first = messages(journal)
    with open_journal(path) as journal:
        again = messages(journal, 9, historical=True)
        assert [json.loads(one)["link"] for one in again] == [json.loads(one)["link"] for one in first[8:]]
        write(journal, range(30, 33))
        assert first_wrong(messages(journal), journal.id) is None


def test_a_message_is_exactly_the_documented_envelope(path: Path) -> None:
    with open_journal(path) as journal:
        journal.append_now(0, started(test=True), [b'{"kind":"street","name":"\xc3\xa9 \\"quoted\\""}'])
        write(journal, range(10))
        for historical in (False, True):
            for message in messages(journal, historical=historical):
                decoded = msgspec.json.decode(message, type=Envelope)
                assert encode(decoded) == message and decoded.currency == CURRENCY


def test_a_body_that_has_a_link_of_its_own_does_not_confuse_the_chain(path: Path) -> None:
    with open_journal(path) as journal:
        journal.append_now(1, card_out(1), [b'{"kind":"street","link":"x","hash":"y"}', *dealt(1)])
        assert first_wrong(messages(journal), journal.id) is None


def test_an_entry_that_leaves_the_public_chain_is_named(path: Path) -> None:
    """Somebody computed all hashes again, and did not know of the second chain."""
    with open_journal(path) as journal:
        write(journal, range(20))
    with JournalReader.read(path) as reader:
        head = reader.start
    for entry in entries(path):
        events = entry.events.replace(b'"nth":10', b'"nth":11')
        new = seal(head, entry.round, entry.count, entry.input, events, salt=entry.salt, link=entry.link)
        head = new.head
        change(path, "UPDATE entry SET sealed = ? WHERE n = ?", new.row[1], new.n)
    with JournalReader.read(path) as reader, pytest.raises(JournalBroken, match="entry 12 does not continue the"):
        reader.verify_chain()


def test_a_forger_who_computes_both_chains_again_gets_other_links(path: Path) -> None:
    with open_journal(path) as journal:
        write(journal, range(20))
        published = messages(journal)

    def other(entry: Entry) -> Entry:
        return msgspec.structs.replace(entry, events=entry.events.replace(b'"9h"', b'"8h"'))

    forge(path, other)
    with JournalReader.read(path) as reader:
        reader.verify_chain()
        links = {json.loads(one)["link"] for one in messages(reader)}
    assert not links & {json.loads(one)["link"] for one in published}


def test_the_worked_example_of_the_page_is_right() -> None:
    page = (ROOT / "docs" / "mqtt" / "README.md").read_text()
    part = page.split("## The public chain")[1].split("\n## ")[0]
    lines = re.findall(r"```text\n(.*?)```", part, re.DOTALL)[0].encode().splitlines()
    code = re.findall(r"```python\n(.*?)```", part, re.DOTALL)[0]
    assert len(lines) == 2
    exec(code, {"payloads": lines})
    with pytest.raises(AssertionError):
        exec(code, {"payloads": [lines[0].replace(b"9h", b"8h"), lines[1]]})


def test_a_journal_has_an_identity_of_its_own_that_stays(path: Path, tmp_path: Path) -> None:
    def begun(file: Path) -> Journal:
        return Journal.open(file, site=SITE, table=TABLE)

    with begun(path) as journal, begun(tmp_path / "other.db") as other:
        first, write_n = journal.id, dealt(1)
        journal.append_now(1, card_out(1), write_n)
        other.append_now(1, card_out(1), write_n)
        assert re.fullmatch("[0-9a-f]{32}", first) and other.id != first
        assert json.loads(messages(journal)[0])["journal"] == first
        assert journal.head.hash != other.head.hash and journal.public_head != other.public_head
    with begun(path) as journal:
        assert journal.id == first


def test_a_journal_whose_identity_was_exchanged_is_broken(path: Path) -> None:
    with open_journal(path) as journal:
        write(journal, range(5))
    change(path, "UPDATE meta SET value = ? WHERE name = 'journal'", "ab" * 16)
    with JournalReader.read(path) as reader, pytest.raises(JournalBroken, match="entry 1 is not what was written"):
        reader.verify_chain()
    change(path, "UPDATE meta SET value = 'new' WHERE name = 'journal'")
    with pytest.raises(JournalBroken, match="its identity is damaged"):
        JournalReader.read(path)


@pytest.mark.parametrize(
    "events",
    [
        b"[]",
        b'[{"kind":"a","x":1},{"kind":"b"}]',
        b'[{"kind":"a"}, {"x": 1, "kind": "b"}]',
        b'[{"kind":"\\u0061"},{"kind":"b","kind_":"c"}]',
        b'[{"kind":"caf\xc3\xa9"},{"kind":""}]',
    ],
)
def test_events_are_split_the_short_way_as_the_long_way_does(events: bytes) -> None:
    assert published.split_events(events) == published._split_slowly(events)
