"""Every alarm has a way out: each kind is raised as it is at a table, read on the console, and cleared as it says.

A kind without a story here fails, and so does an act that its row in the table names and that nobody walks.
"""

from __future__ import annotations

import ast
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.engine import events as ev
from controller.engine.alarms import KINDS, AlarmKind, advice, kind_of
from controller.engine.inputs import (
    AlarmExplained,
    AlarmSeenTo,
    BoardSeen,
    CardOut,
    DeviceSeen,
    FloorAct,
    RulesChosen,
    ShoeStarted,
)
from controller.engine.table.state import TableState
from controller.mqtt.device_alarm_documents import DeviceAlarmDocuments
from controller.runtime.health import BoardHealth
from tests.support.project import ROOT
from tests.support.running.alarms.alarmed_tables import (
    FLOOR,
    AlarmedTable,
    alarmed_table,
    shoe_is,
)
from tests.support.running.alarms.stories import (
    DAILY,
    FOUND,
    OTHERWISE,
    ROOMY,
    STORIES,
    Story,
    archive_is_taken_away,
    box_is_taken,
    deck_is_short,
    disk_with,
    door_opens,
    fourth_ace,
    shoe_goes,
    shoe_takes_too_few,
    strange_shoe,
    two_days,
    two_decks,
)


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


async def test_a_device_that_is_away_for_another_reason_now_has_the_same_alarm_as_before(tmp_path: Path) -> None:
    async with alarmed_table(tmp_path) as table:
        await shoe_goes(table)
        await table.do(AlarmSeenTo("device_away:shoe"), by=FLOOR)
        before = table.alarm("device_away:shoe")
        await table.report(shoe_is("offline", "there is no such port"))
        await table.report(shoe_is("offline", "there is no such port"))
        assert table.alarm("device_away:shoe") == {**before, "text": "shoe is offline: there is no such port"}
        assert table.raised["device_away:shoe"] == "shoe is offline: there is no such port"
        assert table.story_of("device_away:shoe") == ["alarm_raised", "alarm_acknowledged", "alarm_changed"]


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
