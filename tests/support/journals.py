"""Sample inputs and events for journal and MQTT tests, and a journal with some of them in it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from controller.contract.messages import CURRENCY, DeviceDocument, Limits, PacksDocument, StateDocument
from controller.engine.expect.at_any_time import AtAnyTime
from controller.engine.table.waiting import Phase
from controller.journal import Entry, Journal, Seeded
from controller.journal.chain import INPUT, LINK, SALT

SITE, TABLE = "bay101", "t7"
AT = 1763260000000
SEED = Seeded("journals")
JOURNAL_ID = SEED.journal_id()


def card_out(n: int) -> bytes:
    """The n-th input of a run: a card leaves the shoe, a second after the one before."""
    return b'{"at":%d,"by":"device:shoe","body":{"kind":"card_out","card":"9h"}}' % (AT + 1000 * n)


def started(*, test: bool) -> bytes:
    body = b'"version":"0.1.0","ruleset":"r","digest":"d","test":%b' % (b"true" if test else b"false")
    return b'{"at":%d,"by":"timer","body":{"kind":"started",%b}}' % (AT, body)


def dealt(n: int) -> list[bytes]:
    """The events of the n-th input: none, one or two, as at a real table."""
    events = [b'{"kind":"card_dealt","to":"player","nth":%d,"card":"9h"}' % n, b'{"kind":"street","name":"%d"}' % n]
    return events[: n % 3]


def open_journal(path: Path, max_bytes: int | None = None) -> Journal:
    """Seeded: the same entries, written again, have the same hashes."""
    return Journal.open(path, site=SITE, table=TABLE, max_bytes=max_bytes, chance=SEED)


def write(journal: Journal, numbers: Sequence[int]) -> list[Entry]:
    return [journal.append_now(1 + n // 10, card_out(n), dealt(n)) for n in numbers]


def events_of(entry: Entry) -> list[bytes]:
    """An entry's events, one by one."""
    return [bytes(body) for body in msgspec.json.decode(entry.events, type=list[msgspec.Raw])]


def change(path: Path, statement: str, *values: object) -> None:
    """What somebody with access to the board could do to the file.

    Here the view `entries` can be updated too: a part of an entry is put into its place, and nothing is sealed anew.
    """
    path.chmod(0o600)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA synchronous = OFF")  # who does this does not wait for the disk either
        db.create_function("put_together", 8, _put_together)
        db.execute(
            "CREATE TEMP TRIGGER change INSTEAD OF UPDATE ON entries BEGIN UPDATE entry SET sealed = put_together("
            "sealed, new.n, new.round, new.input, new.events, new.first_seq, new.count, new.hash) WHERE n = old.n; END"
        )
        db.execute(statement, values)
        db.commit()


def _put_together(sealed: bytes, *shown: int | str | bytes) -> bytes:
    unseen = sealed[INPUT - LINK - SALT : INPUT - LINK], sealed[INPUT - LINK : INPUT]
    parts = [*(part.encode() if isinstance(part, str) else part for part in shown), *unseen]
    return Entry(*parts).row[1]  # type: ignore[arg-type]


def a_state(
    prompt: str,
    *,
    seq: int = 1,
    journal: str = JOURNAL_ID,
    table: str = TABLE,
    site: str = SITE,
    phase: Phase = "dealing",
) -> bytes:
    """A state document that says this, after this event."""
    return msgspec.json.encode(
        StateDocument(
            journal=journal,
            site=site,
            table=table,
            at=0,
            version="0",
            currency=CURRENCY,
            open=True,
            ruleset="r",
            title="R",
            digest="d",
            schedule=None,
            readings=None,
            options={},
            limits=Limits(500, None),
            dealer=None,
            seats=(1, 2),
            people=(),
            away=(),
            player_dealer=None,
            banker=None,
            test=False,
            seq=seq,
            round=1,
            round_id=f"{journal}-1",
            round_began=None,
            phase=phase,
            phase_since=None,
            prompt=prompt,
            waits_since=None,
            wants=(),
            at_any_time=AtAnyTime(),
            held=None,
            hands={},
            last=None,
            shoe=None,
            previous_shoe=None,
            packs=PacksDocument(None, None, False),
            boxes=(),
            devices={},
            alarms={},
            clock="free",
            time_zone="UTC",
            shifts={},
            fees_due={},
            jackpots=(),
            jackpot_proposals=(),
            jackpot_fees_aside={},
            stores=(),
            page=None,
        )
    )


def a_device(device: str, state: str) -> bytes:
    """A device's document."""
    return msgspec.json.encode(DeviceDocument(JOURNAL_ID, SITE, TABLE, device, state, {}))
