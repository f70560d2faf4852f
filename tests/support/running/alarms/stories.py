"""How each kind of alarm comes at a table and how it goes, step by step: `STORIES`."""

from __future__ import annotations

import shutil
from collections import namedtuple
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiomqtt
import msgspec
import pytest
from msgspec.structs import replace

from controller import config as configuration
from controller.board_key import BoardKey
from controller.clock import SystemClock
from controller.config import JournalConfig
from controller.config.broker import Tls
from controller.config.fields import BrokerConfig, MqttConfig, RulesConfig, WebConfig
from controller.config.reading import read_source
from controller.contract.messages import ReceiptDocument
from controller.contract.topics import Topics
from controller.engine import alarms
from controller.engine.alarms import AlarmKind
from controller.engine.cards.card import codes, standard_deck
from controller.engine.inputs import (
    Amended,
    Change,
    DeviceSeen,
    DifferenceFound,
    FloorAct,
    FloorCalled,
    PackReported,
    ShoeStarted,
    TimePassed,
    WagerPlaced,
)
from controller.journal import Head, JournalError, JournalFull
from controller.journal.checkpoint import keep, own_file, signed
from controller.journal.writer import Tip
from controller.mqtt.receipts import Receipts
from controller.recorder.board_alarms import set_alarm
from controller.recorder.checkpoints import Checkpoints
from controller.recorder.tpm_counter import TpmCounter
from controller.runtime.certificates import CertificateWatch
from controller.runtime.reload import ConfigReload
from controller.runtime.systemd import Hang
from controller.tpm import Tpm
from devices.drivers.drop_box import reports
from devices.link.authentication import DeviceVetted
from devices.link.quarantine import QuarantinedEvent
from devices.reports import DeviceEvent, DeviceState
from tests.support.authorities import DAY, Authority
from tests.support.running.alarms.alarmed_tables import (
    COLLECTION,
    DAY_MS,
    EZ,
    FLOOR,
    AlarmedTable,
    deck,
    mark,
    shoe_is,
)

FOUND = "counted by two, 52 of each deck; surveillance has the tape"
SCHEDULE = "ca-2/ez-baccarat/1"
Step = Callable[[AlarmedTable], Awaitable[None]]


@dataclass(frozen=True)
class Story:
    """How one kind of alarm comes, and how else than from the console it goes."""

    name: str
    begins: Step
    ends: Step | None = None
    """At the thing itself; None: only an act at the console ends it."""
    keyed: dict[str, Any] = field(default_factory=lambda: {"reason": FOUND})
    """What the floor keys where the console asks."""
    table: dict[str, Any] = field(default_factory=dict)
    """How the table is laid."""


# Devices


async def shoe_goes(table: AlarmedTable) -> None:
    await table.report(shoe_is("offline", "the port was unplugged or closed"))


async def shoe_comes_back(table: AlarmedTable) -> None:
    await table.report(shoe_is("online"))


async def floor_is_called(table: AlarmedTable) -> None:
    await table.do(FloorCalled())


async def floor_was_there(table: AlarmedTable) -> None:
    await table.do(FloorCalled(is_over=True))


async def deck_is_short(table: AlarmedTable) -> None:
    await table.report(deck(count=51))


async def next_deck_is_whole(table: AlarmedTable) -> None:
    await table.report(deck(count=156, expected=156, no=2))


SHOE_STATUS = DeviceState(device="shoe", state="online", boot=1, draws=0, cards_left=156)


async def shoe_misses_cards(table: AlarmedTable) -> None:
    """A full shoe is met; after a while without a report three cards are missing, and the floor plays on."""
    await table.report(SHOE_STATUS)
    await table.report(replace(SHOE_STATUS, cards_left=153))
    await table.do(FloorAct("void", "the shoe is counted"), by=FLOOR)


async def newer_shoe(table: AlarmedTable) -> None:
    data = bytes.fromhex("5f" + "00000001" * 4 + "00")
    found = QuarantinedEvent(boot=1, event_no=1, uptime_ms=1, data=data, is_known=False)
    await table.report(DeviceEvent(device="shoe", body=found))


async def shoe_is_removed(table: AlarmedTable) -> None:
    await table.do(DeviceSeen("shoe", "removed"), by="board")


async def frame_is_altered(table: AlarmedTable) -> None:
    await set_alarm(table.recorder, alarms.LINK.of("shoe"), "shoe: a frame was altered on its way")


def vetted(detail: str) -> DeviceVetted:
    return DeviceVetted(
        device="shoe",
        model="SIM-SHOE",
        serial="SIM-0001",
        firmware="1.0.0",
        bootloader=None,
        hardware=None,
        image=None,
        security=None,
        proved=False,
        findings=(),
        detail=detail,
        refused=False,
    )


async def strange_shoe(table: AlarmedTable) -> None:
    await table.firmware.vetted(vetted("nobody has enrolled SIM-SHOE SIM-0001 as shoe"))


async def shoe_is_enrolled(table: AlarmedTable) -> None:
    """`cutcard firmware enroll` lets the shoe be looked over again."""
    await table.firmware.vetted(vetted(""))


# The shoe


async def fourth_ace(table: AlarmedTable) -> None:
    """Three decks have three aces of hearts."""
    for suit in "hcd":
        await table.cards(("Ah", f"9{suit}", f"8{suit}", f"K{suit}"))
    await table.cards(("Ah",))
    await table.do(FloorAct("use_next", "the floor lets it be played"), by=FLOOR)
    await table.cards(("9s", "7d", "Ts"))


async def it_was_an_ace_of_spades(table: AlarmedTable) -> None:
    changes = (Change(0, {"kind": "card_out", "card": "As"}), Change(1, None))
    await table.do(Amended(4, changes, "misread"), by=FLOOR)


async def shoe_takes_too_few(table: AlarmedTable) -> None:
    await table.do(ShoeStarted(3, 150), by="device:shoe")
    await table.do(PackReported("red", 156, "shuffler"), by="device:shuffler")


async def other_shoe(table: AlarmedTable) -> None:
    await table.do(ShoeStarted(3, 156), by="device:shoe")


async def two_decks(table: AlarmedTable) -> None:
    await table.do(ShoeStarted(2), by="device:shoe")


async def new_decks_in_order(table: AlarmedTable) -> None:
    await table.cards(codes(standard_deck()))
    if table.recorder.engine.is_dealing:
        await table.do(FloorAct("void", "the end of the test"), by=FLOOR)


# Drop boxes


async def met(table: AlarmedTable) -> None:
    await table.report(reports.SensorMet(sensor=COLLECTION, uptime_ms=1, mark=mark()))


def box_is(present: bool, id_: str | None) -> reports.BoxMoved:
    seen = mark(box_present=present, box_id=id_)
    return reports.BoxMoved(sensor=COLLECTION, uptime_ms=2, mark=seen, is_present=present, box_id=id_, times_removed=0)


async def box_is_taken(table: AlarmedTable) -> None:
    await met(table)
    await table.report(box_is(present=False, id_=None))


async def next_box(table: AlarmedTable) -> None:
    await table.report(box_is(present=True, id_="BOX-2"))


def door(is_open: bool) -> reports.DoorMoved:
    seen = mark(door_open=is_open)
    return reports.DoorMoved(sensor=COLLECTION, uptime_ms=3, mark=seen, is_open=is_open, times_opened=1)


async def door_opens(table: AlarmedTable) -> None:
    await met(table)
    await table.report(door(is_open=True))


async def door_closes(table: AlarmedTable) -> None:
    await table.report(door(is_open=False))


async def sensor_restarts(table: AlarmedTable) -> None:
    await met(table)
    await table.report(reports.SensorReset(sensor=COLLECTION, uptime_ms=4, mark=mark(), resets=1, last_drops=3))


async def box_goes_to_be_counted(table: AlarmedTable) -> None:
    await table.report(box_is(present=False, id_=None))
    await next_box(table)


def slot(*faults: str) -> reports.SensorFault:
    return reports.SensorFault(sensor=COLLECTION, uptime_ms=5, mark=mark(faults=faults), faults=faults)


async def slot_is_blind(table: AlarmedTable) -> None:
    await met(table)
    await table.report(slot("slot blocked"))


async def slot_is_cleaned(table: AlarmedTable) -> None:
    await table.report(slot())


async def fee_is_forgotten(table: AlarmedTable) -> None:
    await met(table)
    await table.do(WagerPlaced(1, "player_line", 20_100))
    await table.hand("9h", "Kd", "Tc", "7s")
    await table.wait(60_000)


async def fee_falls_late(table: AlarmedTable) -> None:
    seen = mark(drops=2, total=2)
    await table.report(reports.Dropped(sensor=COLLECTION, uptime_ms=6, mark=seen, count=2, total=2, into="BOX-1"))


async def box_without_a_tag(table: AlarmedTable) -> None:
    await box_is_taken(table)
    await table.report(box_is(present=True, id_=None))


# The board


Usage = namedtuple("Usage", "total used free")


def disk_with(free_mb: int) -> Step:
    async def happens(table: AlarmedTable) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(shutil, "disk_usage", lambda _: Usage(0, 0, free_mb * 1_000_000))
            await table.board.look()

    return happens


async def two_days(table: AlarmedTable) -> None:
    """The first day's rounds are due to be archived on the second."""
    for _ in range(2):
        await table.do(ShoeStarted())
        for _ in range(4):
            await table.hand("9h", "Kd", "Tc", "7s")
        await table.journal.move_cursor("main", table.journal.head.seq)
        await table.archivist.look()
        table.clock.now += DAY_MS


async def archive_is_taken_away(table: AlarmedTable) -> None:
    await two_days(table)
    (archive,) = table.journal.archives()
    (table.folder / archive.file).rename(table.folder / "elsewhere")
    await table.archivist.look()


async def archive_is_back(table: AlarmedTable) -> None:
    (archive,) = table.journal.archives()
    (table.folder / "elsewhere").rename(table.folder / archive.file)
    await table.archivist.look()


async def archive_cannot_be_made(table: AlarmedTable) -> None:
    (table.folder / "journal.db.archiving").mkdir()
    await two_days(table)


async def no_archive_is_due(table: AlarmedTable) -> None:
    (table.folder / "journal.db.archiving").rmdir()
    table.archivist.limits = JournalConfig(rotate_after_days=0)
    await table.archivist.look()


async def clock_is_set_back(table: AlarmedTable) -> None:
    table.clock.set_by(-3_600_000)
    await table.recorder.look_at_clock()


async def wires_are_recorded(table: AlarmedTable) -> None:
    await table.record("bob")


async def recording_ends(table: AlarmedTable) -> None:
    await table.recordings.pop().aclose()
    await table.until(lambda: "capture" not in table.raised)


async def somebody_guesses_pins(table: AlarmedTable) -> None:
    for _ in range(5):
        assert not await table.sign_in("dealer", "1357")


async def floor_signs_in(table: AlarmedTable) -> None:
    assert await table.sign_in("floor")


def file_says(text: str) -> Step:
    async def happens(table: AlarmedTable) -> None:
        file = table.folder / "cutcard.toml"
        good = f'site = "test"\ntable = "t-1"\ntest = true\n[rules]\nruleset = "{EZ}"\n'
        file.write_text(good)
        running, _ = read_source(file)
        file.write_text(good + text)
        await ConfigReload(file, table.recorder, lambda: running, _take, lambda _: None).apply(
            "board", is_answered=False
        )

    return happens


async def _take(config: configuration.Config) -> None:
    """Nothing here goes by it."""


async def last_run_hung(table: AlarmedTable) -> None:
    await table.board.report_last_hang(Hang("in never_comes_back, devices/stuck.py line 10", "the stacks"))


async def journal_differs(table: AlarmedTable) -> None:
    state = msgspec.to_builtins(table.recorder.engine.state)
    await table.do(DifferenceFound(7, "an event differs", False, state), by="board")


async def older_journal_is_put_back(table: AlarmedTable) -> None:
    head = table.journal.tip.head
    later = Tip(Head(head.n + 10, head.seq + 10, bytes(32)), table.journal.public_head)
    key = BoardKey.load_or_create(table.folder)
    keep(own_file(table.journal.path), signed(table.journal, later, 1, key))
    await Checkpoints(table.recorder, key, lambda: "", lambda _: None).compare_files()


def second_folder(table: AlarmedTable) -> Path:
    return table.folder / "second"


async def second_folder_is_away(table: AlarmedTable) -> None:
    key = BoardKey.load_or_create(table.folder)
    await Checkpoints(table.recorder, key, lambda: str(second_folder(table)), lambda _: None, 60).make()


async def second_folder_is_back(table: AlarmedTable) -> None:
    second_folder(table).mkdir()
    await second_folder_is_away(table)


STORE = "books"


def receipts(table: AlarmedTable) -> Receipts:
    return Receipts(table.recorder, lambda: JournalConfig(stores=(STORE,), store_late_minutes=60))


async def store_confirms(table: AlarmedTable, **changed: Any) -> None:
    """A receipt for the newest event."""
    journal, taken = table.journal, receipts(table)
    (event,) = journal.events_from(journal.head.seq, 1)
    receipt = ReceiptDocument(journal.id, event.seq, event.link.hex(), table.clock.now)
    topic = Topics(journal.site, journal.table).receipt(STORE)
    payload = msgspec.json.encode(replace(receipt, **changed))
    taken.take(aiomqtt.Message(topic, payload, 1, True, 1, None))
    await taken.look()


async def store_has_another_event(table: AlarmedTable) -> None:
    await store_confirms(table, link="00" * 32)


async def store_confirms_nothing(table: AlarmedTable) -> None:
    table.clock.now += 61 * 60_000
    await receipts(table).look()


async def tpm_is_away(table: AlarmedTable) -> None:
    assert not await TpmCounter(table.recorder, Tpm("device:/dev/null/tpm")).count()


async def tpm_is_taken_out_of_the_configuration(table: AlarmedTable) -> None:
    assert await TpmCounter(table.recorder, None).count()


async def journal_cannot_be_written(table: AlarmedTable) -> None:
    await table.journal.set_max_bytes(1)
    with pytest.raises(JournalFull):
        for n in range(500):
            await table.do(DeviceSeen("shoe", "online", {"n": str(n)}))
    with pytest.raises(JournalFull):  # what is smaller may have fitted
        for _ in range(50):
            await table.do(TimePassed(), by="board")


async def disk_has_room_again(table: AlarmedTable) -> None:
    with pytest.raises(JournalError):
        await table.board.look()
    assert table.recorder.trouble is not None
    await table.journal.set_max_bytes(None)
    await table.board.look()


def certificate_of(what: str, days: int) -> Step:
    """The table has a certificate, for the broker or for its page, that is good for this time."""

    async def look(table: AlarmedTable) -> None:
        made = str(Authority(table.folder, "ca").issue("bay101/t7", lasts=days * DAY).certificate)
        config = configuration.Config(
            site="bay101",
            table="t7",
            rules=RulesConfig(ruleset=EZ),
            mqtt=MqttConfig(broker=(BrokerConfig(tls=Tls(cert=made if what == "broker" else None)),)),
            web=WebConfig(certificate=made if what == "page" else None),
        )
        await CertificateWatch(table.recorder, SystemClock(), lambda: config).look()

    return look


THREE_DECKS: dict[str, Any] = {"options": {"decks": 3}}
SENSED: dict[str, Any] = {"options": {"schedule": SCHEDULE}, "records_wagers": True, "bank": [10_000_000]}
SEALED: dict[str, Any] = {**SENSED, "drop": {"seals": True}}
ROOMY: dict[str, Any] = {"limits": JournalConfig(warn_below_mb=512, stop_below_mb=64)}
DAILY: dict[str, Any] = {"limits": JournalConfig(warn_below_mb=0, stop_below_mb=0, rotate_after_days=1)}

STORIES: dict[AlarmKind, Story] = {
    alarms.DEVICE_AWAY: Story("device_away:shoe", shoe_goes, shoe_comes_back),
    alarms.FLOOR_CALLED: Story("floor_called", floor_is_called, floor_was_there),
    alarms.DECK: Story("deck:shuffler", deck_is_short, next_deck_is_whole, table=THREE_DECKS),
    alarms.COUNTERS: Story("counters:shoe", shoe_misses_cards, other_shoe, table=THREE_DECKS),
    alarms.QUARANTINE: Story("quarantine:shoe", newer_shoe, shoe_is_removed),
    alarms.LINK: Story("link:shoe", frame_is_altered, shoe_is_removed),
    alarms.TRUST: Story("trust:shoe", strange_shoe, shoe_is_enrolled),
    alarms.SHOE_COMPOSITION: Story("shoe:composition", fourth_ace, it_was_an_ace_of_spades, table=THREE_DECKS),
    alarms.SHOE_CARD_COUNT: Story("shoe:card_count", shoe_takes_too_few, other_shoe, table=THREE_DECKS),
    alarms.SHOE_DECK_COUNT: Story("shoe:deck_count", two_decks, other_shoe, table=THREE_DECKS),
    alarms.SHOE_UNSHUFFLED: Story("shoe:unshuffled", new_decks_in_order, other_shoe, table=THREE_DECKS),
    alarms.BOX_OUT: Story("box:collection:box", box_is_taken, next_box),
    alarms.BOX_DOOR: Story("box:collection:door", door_opens, door_closes),
    alarms.BOX_COUNT: Story("box:collection:count", sensor_restarts, box_goes_to_be_counted),
    alarms.BOX_SENSOR: Story("box:collection:sensor", slot_is_blind, slot_is_cleaned),
    alarms.DROP: Story("drop:collection", fee_is_forgotten, fee_falls_late, table=SENSED),
    alarms.DISK_LOW: Story("disk_low", disk_with(400), disk_with(4000), table=ROOMY),
    alarms.DISK_FULL: Story("disk_full", disk_with(40), disk_with(4000), table=ROOMY),
    alarms.ARCHIVE_MISSING: Story("archive_missing", archive_is_taken_away, archive_is_back, table=DAILY),
    alarms.ARCHIVE_FAILED: Story("archive_failed", archive_cannot_be_made, no_archive_is_due, table=DAILY),
    alarms.CLOCK: Story("clock", clock_is_set_back),
    alarms.ROLLED_BACK: Story("rolled_back", older_journal_is_put_back),
    alarms.STORE_DIFFERS: Story("store_differs:books", store_has_another_event),
    alarms.STORE_LATE: Story("store_late:books", store_confirms_nothing, store_confirms),
    alarms.CHECKPOINTS: Story("checkpoints", second_folder_is_away, second_folder_is_back),
    alarms.TPM: Story("tpm", tpm_is_away, tpm_is_taken_out_of_the_configuration),
    alarms.BROKER_CERTIFICATE: Story(
        "broker_certificate", certificate_of("broker", days=29), certificate_of("broker", days=365)
    ),
    alarms.PAGE_CERTIFICATE: Story("page_certificate", certificate_of("page", -1), certificate_of("page", days=365)),
    alarms.CAPTURE: Story("capture", wires_are_recorded, recording_ends),
    alarms.SIGN_IN: Story("sign_in", somebody_guesses_pins, floor_signs_in),
    alarms.CONFIG: Story("config", file_says("colour = 3\n"), file_says("")),
    alarms.WATCHDOG: Story("watchdog", last_run_hung, floor_signs_in),
    alarms.REPLAY_DIFFERS: Story("replay_differs", journal_differs),
    alarms.JOURNAL: Story("journal", journal_cannot_be_written, disk_has_room_again),
}

OTHERWISE = {
    (alarms.DROP, "box_keyed"): Story(
        "drop:collection", box_without_a_tag, keyed={"id": "BOX-7", "seal": "S-4411"}, table=SEALED
    )
}
"""Stories of acts that end a kind which comes about in another way too."""
