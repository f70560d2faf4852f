"""Every kind of alarm: what it means, what people do about it, and what clears it.

This is the one table of them. An alarm has a name, made by its kind (`DEVICE_AWAY.of("shoe")` is `device_away:shoe`),
and only such a name can be raised. The console, the retained documents, the numbers for Prometheus and the table in
docs/operations/operations.md take their words from here.

    >>> DEVICE_AWAY.of("shoe"), DISK_LOW.of()
    ('device_away:shoe', 'disk_low')
    >>> found = kind_of("trust:shoe")
    >>> found is TRUST, advice("trust:shoe").to_do
    (True, 'Call a technician: find out what was done to shoe, then `cutcard firmware enroll shoe` or \
`cutcard firmware accept shoe`.')
    >>> kind_of("volcano") is None
    True
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Literal, NewType

from msgspec import Meta, Struct

AlarmName = NewType("AlarmName", str)
"""The name of an alarm of one of the kinds below."""

Act = Literal["box_keyed", "call_floor", "explain_alarm", "explain_drop", "floor", "shoe_started"]
"""What a person does at the console that clears an alarm, as the kind of its input."""

Severity = Annotated[Literal["stop", "urgent", "warning"], Meta(title="Severity")]
"""stop: no new round begins. urgent: somebody has to look at it at once, the game goes on. warning: see to it."""
SEVERITIES: tuple[Severity, ...] = ("stop", "urgent", "warning")

Explained = Literal["no", "over", "as_it_is"]
"""Whether a statement of the floor clears an alarm. no: only its cause does. over: what happened is accounted for, and
when it happens again that is another alarm. as_it_is: what is wrong goes on, and is accepted as the alarm states it; an
alarm that states something else is raised again."""


class AlarmKind(Struct, frozen=True, omit_defaults=True):
    """One row of the table. `<device>`, `<box>` and `<store>` are put in."""

    pattern: str
    means: str
    to_do: str
    """For the people at the table, in a sentence or two."""
    ends: str
    """It is cleared when ..."""
    acts: tuple[Act, ...] = ()
    """What clears it from the console; none where only a device, the board or a technician does."""
    explained: Explained = "no"
    stops: bool = False
    """No new round begins."""
    is_urgent: bool = False
    """Cards, money or the evidence may not be as they should."""
    page: str = ""
    """Where there is more about it, in docs/."""
    is_recorded: bool = True
    """Whether it is an event. One about the journal itself cannot be written down."""

    @property
    def severity(self) -> Severity:
        return "stop" if self.stops else "urgent" if self.is_urgent else "warning"

    def of(self, *which: str) -> AlarmName:
        """The name of the alarm of this kind about this device or box."""
        names = iter(which)
        return AlarmName(_HOLE.sub(lambda _: next(names), self.pattern))


class Advice(Struct, frozen=True):
    """What to do about one alarm."""

    to_do: str
    ends: str
    stops: bool = False
    severity: Severity = "warning"
    device: str | None = None
    """The device that it is about, where it is about one."""
    box: str | None = None
    """The drop box."""


_HOLE = re.compile(r"<\w+>")
_INSPECTED = "a new shoe is loaded, or the floor states what the inspection found"

DEVICE_AWAY = AlarmKind(
    "device_away:<device>",
    "The device does not answer, or another one does.",
    "Check the power and the cable of <device>. If it stays away, call a technician (`cutcard doctor`). A round that "
    "gets its cards from it is held.",
    "<device> answers again, or is taken out of the configuration",
)
DECK = AlarmKind(
    "deck:<device>",
    "The shuffler counted or read a deck that is not right.",
    "Take the deck out of <device>, count it and put in another. Keep it if cards are missing.",
    "<device> reports a good deck, or the floor states what was found",
    acts=("explain_alarm",),
    explained="over",
    is_urgent=True,
)
COUNTERS = AlarmKind(
    "counters:<device>",
    "The device's own counters do not fit what it reported: a number skipped or repeated, a card past its unlock, "
    "cards missing.",
    "Look for a card on the floor, count the cards in <device>, and look up the last draws on video. Load a new shoe, "
    "or state what was found.",
    "a new shoe is loaded, <device> reports a good deck, or the floor states what was found",
    acts=("shoe_started", "explain_alarm"),
    explained="over",
    page="compliance/integrity.md",
    is_urgent=True,
)
QUARANTINE = AlarmKind(
    "quarantine:<device>",
    "The device sent a message that cannot be read. It is in the journal with its bytes, and nothing was done by it.",
    "Find out what happened at <device> at that time, and state it. Call a technician: its firmware may be newer than "
    "this program, or faulty.",
    "the floor states what was found, or <device> is taken out of the configuration",
    acts=("explain_alarm",),
    explained="over",
    page="protocols/device-link.md",
)
LINK = AlarmKind(
    "link:<device>",
    "Something between the device and the board has altered, inserted or repeated a frame.",
    "Look at the cable of <device> from end to end for equipment that does not belong there, and call surveillance. "
    "State what was found.",
    "the floor states what was found, or <device> is taken out of the configuration",
    acts=("explain_alarm",),
    explained="over",
    page="protocols/device-link.md",
    is_urgent=True,
)
TRUST = AlarmKind(
    "trust:<device>",
    "It is not the device that was enrolled, or it is not as it was.",
    "Call a technician: find out what was done to <device>, then `cutcard firmware enroll <device>` or "
    "`cutcard firmware accept <device>`.",
    "<device> is enrolled or accepted, is as it was again, or is taken out of the configuration",
    page="operations/firmware.md",
    is_urgent=True,
)
SHOE_COMPOSITION = AlarmKind(
    "shoe:composition",
    "More copies of a card have left the shoe than its decks hold.",
    "Do not deal from this shoe. If a card was misread, correct the round. If not, count the shoe, call surveillance "
    "and load a new one. To deal on from it, state what the inspection found.",
    f"a correction shows that a card was misread, {_INSPECTED}",
    acts=("shoe_started", "explain_alarm"),
    explained="as_it_is",
    page="compliance/integrity.md",
    is_urgent=True,
)
SHOE_CARD_COUNT = AlarmKind(
    "shoe:card_count",
    "The shoe gave, or took, another number of cards than were counted.",
    "Look for a card on the floor and in the shoe, count the cards and load a new shoe. To deal on from this one, "
    "state what the count found.",
    _INSPECTED,
    acts=("shoe_started", "explain_alarm"),
    explained="as_it_is",
    page="compliance/integrity.md",
    is_urgent=True,
)
SHOE_DECK_COUNT = AlarmKind(
    "shoe:deck_count",
    "Another number of decks is in the shoe than the rules want.",
    "Load a shoe with the number of decks that the rules want.",
    "a shoe with the right number of decks is loaded, or another game is chosen",
    acts=("shoe_started",),
    stops=True,
    page="compliance/integrity.md",
)
SHOE_UNSHUFFLED = AlarmKind(
    "shoe:unshuffled",
    "The order of the cards does not look shuffled.",
    "Do not deal from this shoe. Keep it as it is, call surveillance and load a new one. To deal on from it, state "
    "what the inspection found.",
    _INSPECTED,
    acts=("shoe_started", "explain_alarm"),
    explained="as_it_is",
    page="compliance/integrity.md",
    is_urgent=True,
)
BOX_OUT = AlarmKind(
    "box:<box>:box",
    "The box is out.",
    "Put the <box> box in. While the drop team exchanges it, there is nothing else to do.",
    "a box is in the slot",
)
BOX_DOOR = AlarmKind(
    "box:<box>:door",
    "The door of the box is open.",
    "Close the door of the <box> box.",
    "the door is closed",
)
BOX_COUNT = AlarmKind(
    "box:<box>:count",
    "The sensor restarted or lost count: what fell meanwhile is not known.",
    "Nothing at once: the count room's figure decides. State what was found if it should not wait for the next drop.",
    "the <box> box is exchanged, or the floor states what was found",
    acts=("explain_alarm",),
    explained="over",
    page="table/reconciliation.md",
)
BOX_SENSOR = AlarmKind(
    "box:<box>:sensor",
    "The sensor of the box reports a fault.",
    "Clean the slot of the <box> box. If the fault stays, call a technician: cable, or another sensor.",
    "the sensor reports no fault",
)
DROP = AlarmKind(
    "drop:<box>",
    "What fell is not what was owed, or nobody has keyed which box is in the slot.",
    "Drop what is missing. If it cannot be dropped, look it up on video and explain the drop. A box without a tag: key "
    "its id and seal.",
    "what was missing has fallen, the floor has explained the drop, the box is keyed, or another box is in",
    acts=("explain_drop", "box_keyed"),
    page="table/reconciliation.md",
    is_urgent=True,
)
DISK_LOW = AlarmKind(
    "disk_low",
    "Less than `warn_below_mb` is free on the journal's disk.",
    "Call a technician: move archives to another disk, and find out what else fills this one.",
    "there is room again; it is looked at every ten seconds",
    page="compliance/journal.md",
)
DISK_FULL = AlarmKind(
    "disk_full",
    "Less than `stop_below_mb` is free on the journal's disk.",
    "Call a technician at once: move archives to another disk, and find out what else fills this one.",
    "there is room again; it is looked at every ten seconds",
    stops=True,
    page="compliance/journal.md",
)
ARCHIVE_MISSING = AlarmKind(
    "archive_missing",
    "An archive is no longer beside the journal.",
    "Call a technician: put the archive back, or a link to where it is. If it is lost, tell the compliance officer and "
    "state what was found.",
    "the archive is there again, or the floor states what was found",
    acts=("explain_alarm",),
    explained="as_it_is",
    page="compliance/journal.md",
)
ARCHIVE_FAILED = AlarmKind(
    "archive_failed",
    "Older entries could not be moved to an archive.",
    "Call a technician: make room on the disk. It is tried again every ten minutes, between rounds.",
    "an archive was made, or none is due any more",
    page="compliance/journal.md",
)
CLOCK = AlarmKind(
    "clock",
    "The board's clock was set: times before and after it cannot be compared.",
    "Compare the board's clock with a right one. If it is wrong, call a technician: battery, time server "
    "(`timedatectl`). Then state what was found.",
    "the floor states what was found",
    acts=("explain_alarm",),
    explained="over",
    page="compliance/journal.md",
)
ROLLED_BACK = AlarmKind(
    "rolled_back",
    "The journal ends before a checkpoint that this table has signed, or has another entry there, or its count is not "
    "that of the board's TPM.",
    "Call surveillance and the compliance officer: an older copy of the journal was put back, its end was cut off, or "
    "another journal is in its place. Find out what happened, then state it.",
    "the floor states what was found",
    acts=("explain_alarm",),
    explained="over",
    stops=True,
    page="compliance/journal.md",
)
STORE_DIFFERS = AlarmKind(
    "store_differs:<store>",
    "The store has an event that this journal does not have, or has otherwise.",
    "Call surveillance and the compliance officer: this journal, or the data of store <store>, was put back from an "
    "older copy or changed. Find out which, then state it.",
    "the floor states what was found",
    acts=("explain_alarm",),
    explained="as_it_is",
    stops=True,
    page="mqtt/receipts.md",
)
STORE_LATE = AlarmKind(
    "store_late:<store>",
    "The store has not confirmed an event that is older than `store_late_minutes`. The table plays on, and deletes "
    "nothing that the store has not.",
    "Call a technician: look whether the store <store> runs, whether it reaches the broker, and what its log reports.",
    "the store has confirmed what is older than that, or is taken out of the configuration",
    page="mqtt/receipts.md",
)
CHECKPOINTS = AlarmKind(
    "checkpoints",
    "A signed checkpoint of the journal could not be kept, or the second folder could not be compared. The table plays "
    "on.",
    "Call a technician: the folder `checkpoints` of the configuration, or its share, does not answer or has no room.",
    "a checkpoint is kept in all places; that is tried every minute while the table is used",
    page="compliance/journal.md",
)
TPM = AlarmKind(
    "tpm",
    "The board's TPM does not answer, or has no counter. The table plays on without its count.",
    "Call a technician: `tpm2-tools` must be installed, the TPM switched on in the board's setup, and its counter made "
    "(`cutcard enroll --tpm`).",
    "the TPM answers, which is tried every minute, or the daemon is started without one in its configuration",
    page="compliance/journal.md",
)
BROKER_CERTIFICATE = AlarmKind(
    "broker_certificate",
    "The table's certificate for the broker expires within `warn_days`, or has expired. With an expired one the broker "
    "takes no new connection, and the events wait in the journal.",
    "Call a technician: `cutcard enroll --renew`, have the request signed, `cutcard enroll --install CERT`.",
    "a certificate that is good for longer is installed; it is looked at every minute",
    page="operations/security.md",
)
PAGE_CERTIFICATE = AlarmKind(
    "page_certificate",
    "The certificate of the page expires within `warn_days`, or has expired. With an expired one screens and consoles "
    "show a warning instead of the page.",
    "Call a technician: `cutcard enroll --page --renew`, have the request signed, "
    "`cutcard enroll --page --install CERT`.",
    "a certificate that is good for longer is installed; it is looked at every minute",
    page="operations/page-certificate.md",
)
CAPTURE = AlarmKind(
    "capture",
    "Somebody records the wires.",
    "Find out who it is, if you do not know. A technician ends it with Ctrl-C, or it ends by itself after its time.",
    "nobody records any more",
    page="operations/technician.md",
    is_urgent=True,
)
FLOOR_CALLED = AlarmKind(
    "floor_called",
    "Somebody at the table calls the floor. The game goes on.",
    "Go to the table. `Seen to` shows the dealer that somebody is on the way, `The floor was here` ends the call.",
    "somebody at the table ends the call",
    acts=("call_floor",),
    is_urgent=True,
    page="table/console.md",
)
SIGN_IN = AlarmKind(
    "sign_in",
    "There were too many wrong PINs or badges: somebody must wait.",
    "Ask who it was, then sign in at the console as floor.",
    "a floor person signs in",
    page="table/console.md",
    is_urgent=True,
)
CONFIG = AlarmKind(
    "config",
    "The changed configuration cannot be used; the old one is in use.",
    "Call a technician: `cutcard config check`, correct the file, `cutcard config apply`.",
    "a good file was read",
    page="operations/configuration.md",
)
WATCHDOG = AlarmKind(
    "watchdog",
    "The last run did not answer and was started again.",
    "Sign in at the console as floor. Send the log to us (`journalctl -u cutcard`).",
    "a floor person signs in, or the daemon is started once more and the last run had answered",
)
REPLAY_DIFFERS = AlarmKind(
    "replay_differs",
    "An entry of the journal does not come out the same.",
    "The table is held. Read what differs, then resume, or void the round that was running, and give the reason.",
    "the floor resumes the table or voids the round",
    acts=("floor",),
    stops=True,
)
JOURNAL = AlarmKind(
    "journal",
    "The journal cannot be written. The table is held, and what happens at it is not taken.",
    "Call a technician: make room on the disk, or replace it. Devices send again what was not taken.",
    "an entry can be written; it is tried every ten seconds",
    stops=True,
    page="compliance/journal.md",
    is_recorded=False,
)

KINDS = (
    DEVICE_AWAY,
    DECK,
    COUNTERS,
    QUARANTINE,
    LINK,
    TRUST,
    SHOE_COMPOSITION,
    SHOE_CARD_COUNT,
    SHOE_DECK_COUNT,
    SHOE_UNSHUFFLED,
    BOX_OUT,
    BOX_DOOR,
    BOX_COUNT,
    BOX_SENSOR,
    DROP,
    DISK_LOW,
    DISK_FULL,
    ARCHIVE_MISSING,
    ARCHIVE_FAILED,
    CLOCK,
    ROLLED_BACK,
    STORE_DIFFERS,
    STORE_LATE,
    CHECKPOINTS,
    TPM,
    BROKER_CERTIFICATE,
    PAGE_CERTIFICATE,
    CAPTURE,
    FLOOR_CALLED,
    SIGN_IN,
    CONFIG,
    WATCHDOG,
    REPLAY_DIFFERS,
    JOURNAL,
)

ShoeDoubt = Literal["composition", "card_count", "deck_count", "unshuffled"]
SHOE_DOUBTS: Mapping[ShoeDoubt, AlarmKind] = {
    "composition": SHOE_COMPOSITION,
    "card_count": SHOE_CARD_COUNT,
    "deck_count": SHOE_DECK_COUNT,
    "unshuffled": SHOE_UNSHUFFLED,
}
"""The alarms about the shoe in play, by what is doubtful about it."""

BOX_ALARMS: Mapping[str, tuple[AlarmKind, str]] = {
    "box_removed": (BOX_OUT, "the box is out"),
    "box_placed": (BOX_OUT, ""),
    "door_opened": (BOX_DOOR, "the door is open"),
    "door_closed": (BOX_DOOR, ""),
    "sensor_reset": (BOX_COUNT, "its sensor restarted; what fell meanwhile is not known"),
    "count_doubtful": (BOX_COUNT, "its counter went where it cannot go"),
    "sensor_fault": (BOX_SENSOR, "its sensor reports a fault"),
    "sensor_well": (BOX_SENSOR, ""),
}
"""What a sensor reports that is an alarm, and its text; an empty text clears it."""

_NAMES = tuple((kind, re.compile(_HOLE.sub("(.+)", kind.pattern))) for kind in KINDS)


def kind_of(name: str) -> AlarmKind | None:
    """The kind of the alarm of this name; None: there is no such alarm."""
    return next((kind for kind, pattern in _NAMES if pattern.fullmatch(name)), None)


def known(name: str) -> AlarmName | None:
    """A name from outside, where an alarm of that name can be raised."""
    kind = kind_of(name)
    return None if kind is None or not kind.is_recorded else AlarmName(name)


def advice(name: str) -> Advice:
    """What to do about this alarm, the device or box named. Nothing where a newer program has raised it."""
    for kind, pattern in _NAMES:
        found = pattern.fullmatch(name)
        if found is not None:
            which = found.group(1) if pattern.groups else ""
            return Advice(
                _about(which, kind.to_do),
                _about(which, kind.ends),
                kind.stops,
                kind.severity,
                device=which if "<device>" in kind.pattern else None,
                box=which if "<box>" in kind.pattern else None,
            )
    return Advice("", "")


def _about(which: str, text: str) -> str:
    return _HOLE.sub(lambda _: which, text)
