"""Every alarm has a way out: each kind is raised as it is at a table, read on the console, and cleared as it says.

A kind without a story here fails, and so does an act that its row in the table names and that nobody walks.
"""

from __future__ import annotations

import ast
import shutil
from collections import namedtuple
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller import config as configuration
from controller.board_key import BoardKey
from controller.clock import SystemClock
from controller.config import JournalConfig
from controller.config.broker import Tls
from controller.config.fields import MqttConfig, RulesConfig, WebConfig
from controller.config.reading import read_source
from controller.engine import alarms
from controller.engine import events as ev
from controller.engine.alarms import KINDS, AlarmKind, advice, kind_of
from controller.engine.cards.card import codes, standard_deck
from controller.engine.inputs import (
    AlarmExplained,
    AlarmSeenTo,
    Amended,
    BoardSeen,
    CardOut,
    Change,
    DeviceSeen,
    DifferenceFound,
    FloorAct,
    PackReported,
    RulesChosen,
    ShoeStarted,
    TimePassed,
    WagerPlaced,
)
from controller.engine.table.state import TableState
from controller.journal import Head, JournalError, JournalFull
from controller.journal.checkpoint import keep, own_file, signed
from controller.journal.writer import Tip
from controller.mqtt.device_alarm_documents import DeviceAlarmDocuments
from controller.recorder.board_alarms import set_alarm
from controller.recorder.checkpoints import Checkpoints
from controller.recorder.tpm_counter import TpmCounter
from controller.runtime.certificates import CertificateWatch
from controller.runtime.health import BoardHealth
from controller.runtime.reload import ConfigReload
from controller.runtime.systemd import Hang
from controller.tpm import Tpm
from devices.drivers.drop_box import reports
from devices.link.authentication import DeviceVetted
from devices.link.quarantine import QuarantinedEvent
from devices.reports import DeviceEvent, DeviceState
from tests.support.authorities import DAY, Authority
from tests.support.project import ROOT
from tests.support.running.alarmed_tables import (
    COLLECTION,
    DAY_MS,
    EZ,
    FLOOR,
    AlarmedTable,
    alarmed_table,
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
        await table.journal.move_cursor(table.journal.head.seq)
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
            mqtt=MqttConfig(tls=Tls(cert=made if what == "broker" else None)),
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


def table_of(story: Story, folder: Path) -> AbstractAsyncContextManager[AlarmedTable]:
    return alarmed_table(folder, **story.table)


def states_the_way_out(table: AlarmedTable, kind: AlarmKind, story: Story) -> None:
    """The console says what is wrong, what to do, and when it is over."""
    alarm = table.alarm(story.name)
    assert alarm["text"] == (table.raised.get(story.name) if kind.is_recorded else table.recorder.trouble)
    assert alarm["to_do"] and alarm["ends"] and "<" not in alarm["to_do"] + alarm["ends"]
    assert (alarm["to_do"], alarm["ends"]) == (advice(story.name).to_do, advice(story.name).ends)


def is_cleared(table: AlarmedTable, kind: AlarmKind, story: Story) -> None:
    assert story.name not in [alarm["name"] for alarm in table.document()["alarms"]]
    if kind.is_recorded:
        story_of = table.story_of(story.name)
        assert (story_of[0], story_of[-1]) == ("alarm_raised", "alarm_cleared")
    else:
        assert table.recorder.trouble is None


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.pattern)
async def test_an_alarm_is_cleared_by_the_thing_that_it_is_about(tmp_path: Path, kind: AlarmKind) -> None:
    story = STORIES[kind]
    assert kind_of(story.name) is kind
    if story.ends is None:
        assert kind.acts, "nothing ends it"
        return
    async with table_of(story, tmp_path) as table:
        await story.begins(table)
        states_the_way_out(table, kind, story)
        await story.ends(table)
        is_cleared(table, kind, story)


@pytest.mark.parametrize(
    ("kind", "act"), [(kind, act) for kind in KINDS for act in kind.acts], ids=lambda one: getattr(one, "pattern", one)
)
async def test_an_alarm_is_cleared_from_the_console(tmp_path: Path, kind: AlarmKind, act: str) -> None:
    story = OTHERWISE.get((kind, act), STORIES[kind])
    async with table_of(story, tmp_path) as table:
        await story.begins(table)
        states_the_way_out(table, kind, story)
        (way,) = (offer for offer in table.ways_out(story.name) if offer["body"]["kind"] == act)
        await table.take(way, **story.keyed)
        is_cleared(table, kind, story)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.pattern)
async def test_no_round_begins_while_an_alarm_that_stops_is_raised(tmp_path: Path, kind: AlarmKind) -> None:
    story = STORIES[kind]
    async with table_of(story, tmp_path) as table:
        await story.begins(table)
        await table.same_player_dealer()
        assert (table.recorder.trouble is not None or table.recorder.engine.round is None) is kind.stops


def test_alarms_are_raised_in_one_place_and_only_by_a_name_of_the_table() -> None:
    """`AlarmName` is made by a kind alone, and the types see to it that nothing else is raised."""
    makers = {"AlarmRaised": "engine/table/lasting.py", "AlarmName": "engine/alarms.py"}
    for file in sorted((ROOT / "controller").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and (called := ast.unparse(node.func).rpartition(".")[2]) in makers:
                assert str(file.relative_to(ROOT / "controller")) == makers[called], f"{file}: {called}"


async def test_an_alarm_that_nobody_knows_cannot_be_raised(tmp_path: Path) -> None:
    async with alarmed_table(tmp_path) as table:
        for name in ("volcano", "journal"):
            outcome = await table.recorder.submit(BoardSeen(name, True, "it is warm"), "board")
            assert outcome.refusal is not None and outcome.refusal.why == "no_such_alarm"
        assert table.raised == {}


# What the floor states


async def test_what_the_floor_states_is_written_down_with_the_name(tmp_path: Path) -> None:
    async with alarmed_table(tmp_path, options={"decks": 3}) as table:
        await fourth_ace(table)
        await table.do(AlarmSeenTo("shoe:composition"), by=FLOOR)
        assert "shoe:composition" in table.raised, "who has seen to it has not ended it"
        await table.do(AlarmExplained("shoe:composition", FOUND), by=FLOOR)
        assert table.events[-2:] == [
            ev.AlarmSettled("shoe:composition", FOUND, FLOOR),
            ev.AlarmCleared("shoe:composition"),
        ]
        life = table.recorder.engine.state.alarm_lives["shoe:composition"]
        assert (life.settled_by, life.reason, life.acknowledged_by) == (FLOOR, FOUND, FLOOR)


@pytest.mark.parametrize(
    ("name", "reason", "why"),
    [
        ("device_away:shoe", FOUND, "not_by_words"),
        ("deck:shuffler", "  ", "no_reason"),
        ("deck:other", FOUND, "no_such_alarm"),
        ("volcano", FOUND, "no_such_alarm"),
    ],
)
async def test_words_do_not_clear_everything(tmp_path: Path, name: str, reason: str, why: str) -> None:
    async with alarmed_table(tmp_path) as table:
        await shoe_goes(table)
        await deck_is_short(table)
        outcome = await table.recorder.submit(AlarmExplained(name, reason), FLOOR)
        assert outcome.refusal is not None and outcome.refusal.why == why
        assert set(table.raised) == {"device_away:shoe", "deck:shuffler"}


async def test_a_doubt_that_was_accepted_comes_back_with_new_evidence_only(tmp_path: Path) -> None:
    async with alarmed_table(tmp_path, options={"decks": 3}) as table:
        await fourth_ace(table)
        await table.do(AlarmExplained("shoe:composition", FOUND), by=FLOOR)
        await table.cards(("2h", "9s", "8h", "Kc"))
        assert table.raised == {}, "a hand with nothing new about it"
        await table.cards(("Ah",))
        await table.do(FloorAct("use_next", "the floor lets it be played"), by=FLOOR)
        await table.cards(("9c", "8d", "Ks"))
        assert table.raised["shoe:composition"].startswith("5 of Ah have left the shoe, the decks hold 3")
        assert table.story_of("shoe:composition")[-1] == "alarm_raised"


async def test_a_doubt_that_was_accepted_is_accepted_after_a_restart_and_not_of_the_next_shoe(tmp_path: Path) -> None:
    async with alarmed_table(tmp_path, options={"decks": 3}) as table:
        await shoe_takes_too_few(table)
        await table.do(AlarmExplained("shoe:card_count", FOUND), by=FLOOR)
        kept = table.recorder.engine.state
        assert msgspec.json.decode(msgspec.json.encode(kept), type=TableState) == kept
        await table.cards(("2h", "9s", "8h", "Kc"))
        assert table.raised == {}
        await shoe_takes_too_few(table)
        assert list(table.raised) == ["shoe:card_count"]


async def test_a_deck_that_is_short_again_is_another_alarm(tmp_path: Path) -> None:
    async with alarmed_table(tmp_path) as table:
        await deck_is_short(table)
        await table.do(AlarmExplained("deck:shuffler", "the jack of clubs was on the floor"), by=FLOOR)
        await deck_is_short(table)
        assert list(table.raised) == ["deck:shuffler"]


async def test_an_archive_that_is_given_up_is_not_missed_again_but_the_next_one_is(tmp_path: Path) -> None:
    async with alarmed_table(tmp_path, **DAILY) as table:
        await archive_is_taken_away(table)
        await table.do(AlarmExplained("archive_missing", "the disk broke"), by=FLOOR)
        await table.archivist.look()
        assert table.raised == {}
        await table.do(ShoeStarted())
        await two_days(table)
        *_, archive = table.journal.archives()
        (table.folder / archive.file).unlink()
        await table.archivist.look()
        assert archive.file in table.raised["archive_missing"]


# An alarm states what is wrong now


async def test_an_alarm_that_states_something_else_is_another_one_that_nobody_has_seen_to(tmp_path: Path) -> None:
    async with alarmed_table(tmp_path) as table:
        await shoe_goes(table)
        await table.do(AlarmSeenTo("device_away:shoe"), by=FLOOR)
        await table.report(shoe_is("wrong_device", "a shuffler answers"))
        assert table.alarm("device_away:shoe")["text"] == "shoe is wrong device: a shuffler answers"
        assert table.alarm("device_away:shoe")["acknowledged_by"] == ""
        assert table.story_of("device_away:shoe")[-2:] == ["alarm_cleared", "alarm_raised"]


async def test_the_alarm_about_the_disk_states_the_free_space_when_it_has_halved(tmp_path: Path) -> None:
    async with alarmed_table(tmp_path, **ROOMY) as table:
        for free, stated in ((400, 400), (300, 400), (200, 200), (101, 200), (100, 100), (150, 100), (480, 480)):
            await disk_with(free)(table)
            assert table.raised["disk_low"] == f"only {stated} MB are free on the journal's disk"
        table.board = BoardHealth(table.recorder, table.folder, lambda: table.limits)
        await disk_with(470)(table)
        assert table.raised["disk_low"].startswith("only 470 MB"), "after a restart it is stated as it is"


async def test_everybody_who_records_is_named_and_nobody_who_has_ended(tmp_path: Path) -> None:
    async with alarmed_table(tmp_path) as table:
        await table.record("bob")
        await table.record("eve")
        assert "technician:bob" in table.raised["capture"] and "technician:eve" in table.raised["capture"]
        await table.recordings.pop().aclose()
        await table.until(lambda: "eve" not in table.raised["capture"])
        assert "technician:bob" in table.raised["capture"]
        await table.recordings.pop().aclose()


class Board:
    """Retained documents, as a broker keeps them."""

    def __init__(self) -> None:
        self.alarms: dict[str, dict[str, Any]] = {}

    def alarm_changed(self, name: str, body: bytes | None) -> None:
        assert body is not None
        self.alarms[name] = msgspec.json.decode(body)

    def device_changed(self, name: str, body: bytes | None) -> None:
        """Not looked at here."""


async def test_the_retained_document_has_what_to_do_and_who_cleared_it(tmp_path: Path) -> None:
    async with alarmed_table(tmp_path) as table:
        board: Any = Board()
        documents = DeviceAlarmDocuments(board, table.recorder.journal)
        await deck_is_short(table)
        documents.renew(table.recorder.engine.state)
        raised = board.alarms["deck:shuffler"]
        assert (raised["to_do"], raised["settled_by"]) == (advice("deck:shuffler").to_do, None)
        await table.do(AlarmExplained("deck:shuffler", FOUND), by=FLOOR)
        documents.renew(table.recorder.engine.state)
        cleared = board.alarms["deck:shuffler"]
        assert (cleared["state"], cleared["settled_by"], cleared["reason"]) == ("cleared", FLOOR, FOUND)


# What leaves the table takes its alarms with it


async def test_a_device_that_is_taken_out_of_the_configuration_leaves_no_alarm(tmp_path: Path) -> None:
    async with alarmed_table(tmp_path) as table:
        await deck_is_short(table)
        await strange_shoe(table)
        await box_is_taken(table)
        await door_opens(table)
        await table.do(DeviceSeen("boxes.collection", "online"), by="device:boxes")
        for device in ("shoe", "shuffler", "boxes.collection"):
            await table.do(DeviceSeen(device, "offline"), DeviceSeen(device, "removed"), by="board")
        assert table.raised == {}


async def test_a_sensor_that_comes_back_still_reports_that_its_box_is_out(tmp_path: Path) -> None:
    async with alarmed_table(tmp_path) as table:
        await box_is_taken(table)
        for state in ("online", "offline", "removed"):
            await table.do(DeviceSeen("boxes.collection", state), by="board")
        assert table.raised == {}
        await table.do(DeviceSeen("boxes.collection", "online"), by="device:boxes")
        assert table.raised == {"box:collection:box": "collection box: the box is out"}


async def test_a_game_without_a_shoe_has_no_doubts_about_one(tmp_path: Path) -> None:
    async with alarmed_table(tmp_path, options={"decks": 3}) as table:
        await two_decks(table)
        await table.do(RulesChosen("bankers-ultimate-texas-holdem"), by=FLOOR)
        assert table.raised == {}


async def test_every_card_too_many_of_one_hand_is_in_the_alarm(tmp_path: Path) -> None:
    async with alarmed_table(tmp_path, options={"decks": 3}) as table:
        for _ in range(3):
            await table.cards(("Ah", "9d", "8c", "Kd"))
        for card in ("Ah", "9d"):
            await table.cards((card,))
            await table.do(FloorAct("use_next", "the floor lets it be played"), by=FLOOR)
        await table.do(CardOut("8d"), CardOut("Ks"), by="device:shoe")
        text = table.raised["shoe:composition"]
        assert "4 of Ah have left the shoe" in text and "4 of 9d have left the shoe" in text
