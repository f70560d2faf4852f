"""Commands from afar: each does what it says, once, for those who may, and is answered."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.clock import SystemClock
from controller.contract.requests import REQUESTS
from controller.engine.actor import Actor
from controller.engine.inputs import BetsClosed, BoardSeen, CardOut, FloorAct, ShoeStarted, WagerPlaced
from controller.evidence.rerun import rerun
from controller.journal import Journal, JournalError, JournalReader
from controller.operator.roles import COMMANDS, PEOPLE, Role, may_command
from controller.recorder.recorder import Recorder
from controller.rules import resolve
from tests.support import contract_checks
from tests.support.journals import SITE, TABLE
from tests.support.running.askers import BASE, NOW, TOPICS, AskedTable, asked_table

A_ROUND = (ShoeStarted(8), WagerPlaced(1, "player_line", 1000), BetsClosed())


def test_every_command_has_a_request_and_a_right() -> None:
    assert list(REQUESTS) == list(COMMANDS)


async def test_a_ping_is_answered_with_the_tables_clock_and_last_event(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        topic, (said,), correlation = await table.send_raw(
            TOPICS.command("monitor", "wall", "ping"),
            table.request(),
            response_topic=TOPICS.reply("monitor", "wall") + "/pings/1",
            correlation=b"\x00\x01",
        )
        assert topic == TOPICS.reply("monitor", "wall") + "/pings/1"
        assert correlation == b"\x00\x01"
        assert (said["ok"], said["seq"], said["session"]) == (True, table.journal.head.seq, "run-1")
        assert said["journal"] == table.journal.id


async def test_a_closed_table_plays_its_round_to_the_end_and_begins_no_other(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        await table.happens(*A_ROUND)
        assert await table.ask("floor", "close", reason="end of shift") == {"id": "r1", "ok": True}
        assert table.recorder.engine.is_dealing
        await table.happens(*map(CardOut, ("9h", "2d", "Kd", "5c")))
        assert not table.recorder.engine.is_dealing
        refused = await table.recorder.submit(WagerPlaced(1, "player_line", 1000), "dealer")
        assert refused.refusal is not None
        assert "closed" in refused.refusal.text
        assert (await table.ask("floor", "close"))["why"] == "closed_already"

        assert (await table.ask("floor", "open"))["ok"]
        assert (await table.recorder.submit(WagerPlaced(1, "player_line", 1000), "dealer")).refusal is None
        published = [event for event in table.events() if event["kind"] in ("table_closed", "table_opened")]
        assert published == [
            {"kind": "table_closed", "by": "floor:pit-desk", "reason": "end of shift"},
            {"kind": "table_opened", "by": "floor:pit-desk"},
        ]


async def test_the_table_is_as_closed_as_it_was_after_a_restart(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        await table.happens(ShoeStarted(8))
        await table.ask("floor", "close")
    async with asked_table(tmp_path) as table:
        assert table.recorder.engine.state.closed
        assert table.recorder.engine.round is None


async def test_rules_and_limits_are_chosen_between_rounds_and_outlive_a_restart(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        await table.happens(*A_ROUND)
        assert (await table.ask("floor", "rules", min_wager=2500))["why"] == "round_running"
        await table.ask("floor", "void", round=1, reason="misdeal")
        assert (await table.ask("floor", "rules", min_wager=2500, max_wager=None))["ok"]
        assert table.recorder.engine.state.setup.min_wager == 2500
        assert table.recorder.engine.state.shoe is not None
        assert not table.recorder.engine.state.shoe.cut_card, "the same game goes on with the same shoe"

        assert (await table.ask("floor", "rules", ruleset="bankers-ultimate-texas-holdem"))["ok"]
        assert table.events()[-3:-1] == [
            {"kind": "shoe_ended", "number": 1, "hands": 0},
            {
                "kind": "rules_set",
                "ruleset": "bankers-ultimate-texas-holdem",
                "digest": table.recorder.engine.state.digest,
                "min_wager": 2500,
            },
        ]
    async with asked_table(tmp_path) as table:
        assert table.recorder.engine.ruleset == "bankers-ultimate-texas-holdem"
        assert table.recorder.engine.state.setup.min_wager == 2500
        assert table.kinds()[-2:] == ["table_started", "rules_set"]


async def test_a_changed_configuration_takes_the_place_of_what_was_chosen(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        await table.ask("floor", "rules", min_wager=2500)
    async with asked_table(tmp_path, setup={"seats": [1], "player_dealer": 8, "min_wager": 1000}) as table:
        assert table.recorder.engine.state.setup.min_wager == 1000
        assert table.recorder.engine.state.chosen is None


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"ruleset": "no-such-game"}, "bad_rules"),
        ({"options": {"no_such_option": 1}}, "bad_rules"),
        ({"min_wager": 500, "max_wager": 100}, "limits_crossed"),
        ({"min_wager": -1}, "malformed"),
        ({"minimum": 500}, "malformed"),
        ({"currency": "EUR"}, "malformed"),
    ],
)
async def test_rules_that_cannot_be_are_refused(tmp_path: Path, fields: dict[str, Any], why: str) -> None:
    async with asked_table(tmp_path) as table:
        before = table.recorder.engine.state.setup
        assert (await table.ask("floor", "rules", **fields))["why"] == why
        assert table.recorder.engine.state.setup == before


async def test_a_shoe_and_the_seats_are_set(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        assert (await table.ask("dealer", "shoe", decks=8))["ok"]
        assert (await table.ask("dealer", "seats", seats=[2, 4], player_dealer=None))["ok"]
        setup = table.recorder.engine.state.setup
        assert (setup.seats, setup.player_dealer) == ((2, 4), None)
        assert table.kinds()[-4:] == ["shoe_started", "command", "table_set", "command"]


async def test_the_bank_is_answered_and_a_person_named(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        named = await table.ask("dealer", "person", place=8, name="Ann", firm="Blue Bank")
        assert named["ok"] and table.kinds()[-2:] == ["person_named", "command"]
        assert (await table.ask("dealer", "bank", takes=8))["why"] == "offer_due"
        seat = table.recorder.engine.state.setup.seats[0]
        assert (await table.ask("dealer", "bank", takes=seat))["ok"]
        assert table.recorder.engine.state.setup.player_dealer == seat
        assert table.kinds()[-3:] == ["bank_taken", "table_set", "command"]


async def test_what_happens_beside_the_rounds_is_reported_from_afar(tmp_path: Path) -> None:
    c21 = {"ruleset": "village-21st-century-blackjack"}
    async with asked_table(tmp_path) as table:
        assert (await table.ask("floor", "rules", **c21))["ok"]
        assert (await table.ask("dealer", "seats", seats=[2, 3], player_dealer=1))["ok"]
        await table.happens(ShoeStarted(8))
        assert (await table.ask("dealer", "burn", seat=1))["ok"]
        await table.happens(CardOut("5s"))
        assert (await table.ask("dealer", "burn", seat=1))["why"] == "burn_used"
        assert (await table.ask("floor", "player", do="approve_hands", seat=2, reason="asked"))["ok"]
        refused = await table.ask("dealer", "report", code="player_away", seat=2)
        assert (refused["ok"], refused["why"]) == (False, "not_offered")
        assert "dead_spread" in refused["text"]
        await table.happens(FloorAct("void", "the game breaks down"))
        assert (await table.ask("dealer", "report", code="dead_spread"))["ok"]
        assert {"card_burned", "hands_allowed", "dead_spread"} <= set(table.kinds())


async def test_chips_are_put_in_front_of_a_player_from_afar(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        assert (await table.ask("floor", "rules", ruleset="village-chinese-poker"))["ok"]
        assert (await table.ask("dealer", "seats", seats=[1, 2], player_dealer=None, button=1))["ok"]
        assert (await table.ask("dealer", "buy_in", seat=1, cents=9_900))["why"] == "below_buy_in"
        assert (await table.ask("dealer", "buy_in", seat=1, cents=10_000))["ok"]
        bought = [event for event in table.events() if event["kind"] == "bought_in"]
        assert [(event["seat"], event["cents"]) for event in bought] == [(1, 10_000)]


async def test_a_void_is_for_the_round_that_it_names_and_no_other(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        assert (await table.ask("floor", "void", round=0, reason="misdeal"))["why"] == "other_round"
        await table.happens(*A_ROUND)
        assert (await table.ask("floor", "void", round=2, reason="misdeal"))["why"] == "other_round"
        assert table.recorder.engine.is_dealing
        assert (await table.ask("floor", "void", round=1, reason="misdeal"))["ok"]
        assert not table.recorder.engine.is_dealing
        assert table.kinds()[-2:] == ["round_voided", "command"]


async def test_an_amendment_is_looked_at_first_and_then_made(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        await table.happens(*A_ROUND, *map(CardOut, ("9h", "2d", "Kd", "5c")))
        change = {
            "round": 1,
            "changes": [{"index": 2, "body": {"kind": "card_out", "card": "8h"}}],
            "reason": "misread",
        }
        shown = await table.ask("floor", "amend", preview=True, **change)
        assert shown["ok"]
        assert shown["changes"]["totals"] != []
        assert "corrected" not in table.kinds()
        assert table.events()[-1] | {"by": "floor:pit-desk", "inputs": [2]} == table.events()[-1]
        assert (await table.ask("floor", "amend", **change))["ok"]
        assert table.kinds()[-2:] == ["corrected", "command"]
        assert table.events()[-2]["by"] == "floor:pit-desk"


async def test_a_round_is_corrected_from_the_messages_alone(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        await table.happens(*A_ROUND, *map(CardOut, ("9h", "2d", "Kd", "5c")))
        before = table.journal.head
        listed = await table.ask("floor", "inputs")
        assert table.journal.head == before
        (wrong,) = [each for each in listed["inputs"] if each["body"].get("card") == "9h"]
        change = {"index": wrong["index"], "body": {**wrong["body"], "card": "8h"}}
        fields = {"round": listed["round"], "changes": [change], "reason": "misread"}
        assert (await table.ask("floor", "amend", preview=True, **fields))["ok"]
        assert (await table.ask("floor", "amend", **fields))["ok"]
        refused = await table.ask("floor", "amend", **{**fields, "round": 7})
        assert (refused["why"], refused["code"]) == ("round_not_amendable", "round_not_amendable")
        untyped = {**fields, "changes": [{"index": 2, "body": {"kind": "card_out", "crad": "8h"}}]}
        assert (await table.ask("floor", "amend", **untyped))["why"] == "malformed"


async def test_an_alarm_is_acknowledged_once_by_somebody_who_is_named(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        assert (await table.ask("technician", "acknowledge", alarm="disk_low"))["why"] == "no_such_alarm"
        await table.happens(BoardSeen("disk_low", True, "only 5 MB are free"))
        assert (await table.ask("technician", "acknowledge", alarm="disk_low"))["ok"]
        assert (await table.ask("floor", "acknowledge", alarm="disk_low"))["why"] == "acknowledged_before"
        alarm = table.recorder.engine.state.alarm_lives["disk_low"]
        assert (alarm.acknowledged_by, alarm.cleared_at) == ("technician:pit-desk", 0)
        assert {"kind": "alarm_acknowledged", "alarm": "disk_low", "by": "technician:pit-desk"} in table.events()
        await table.happens(BoardSeen("disk_low", False), BoardSeen("disk_low", True, "only 4 MB are free"))
        again = table.recorder.engine.state.alarm_lives["disk_low"]
        assert (again.acknowledged_by, again.text) == ("", "only 4 MB are free")


async def test_a_device_that_somebody_looks_for_blinks_once(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        request = table.request(device="shoe", seconds=20)
        assert (await table.send("technician", "blink", request))["ok"]
        assert (await table.send("technician", "blink", request))["ok"]
        assert table.blinked == [("shoe", 20)]
        assert (await table.ask("technician", "blink", device="teapot"))["why"] == "no_such_device"
        assert table.inputs()[-1].by == "technician:pit-desk"


async def test_events_are_sent_again_marked_as_history(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        await table.happens(*A_ROUND)
        last = table.journal.head.seq
        _, said, _ = await table.send_raw(
            TOPICS.command("monitor", "wall", "replay"), table.request(first=2, last=last), correlation=b"hole"
        )
        *events, end = said
        assert [event["seq"] for event in events] == list(range(2, last + 1))
        assert all(event["historical"] for event in events)
        assert [event["body"] for event in events] == table.events()[1:]
        assert end == {"id": "r1", "ok": True, "first": 2, "last": last}
        for first, to in ((3, 2), (1, last + 1), (1, 20_000)):
            assert (await table.ask("monitor", "replay", first=first, last=to))["why"] == "bad_range"


async def test_the_floor_clears_an_alarm_from_afar_by_stating_what_was_found(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        await table.happens(BoardSeen("deck:shuffler", True, "51 cards were counted"), BoardSeen("disk_low", True, "x"))
        why = (await table.ask("floor", "explain_alarm", alarm="disk_low", reason="never mind"))["why"]
        assert why == "not_by_words"
        found = {"alarm": "deck:shuffler", "reason": "the jack of clubs was on the floor"}
        assert (await table.ask("floor", "explain_alarm", **found))["ok"]
        assert {"kind": "alarm_settled", **found, "by": "floor:pit-desk"} in table.events()
        assert list(table.recorder.engine.state.alarms) == ["disk_low"]


async def test_what_only_reads_leaves_no_trace_in_the_journal(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        before = table.journal.head
        await table.ask("monitor", "ping")
        await table.ask("monitor", "replay", first=1, last=1)
        assert table.journal.head == before


@pytest.mark.parametrize("role", PEOPLE)
@pytest.mark.parametrize("command", list(COMMANDS))
async def test_a_role_gives_its_own_commands_only(tmp_path: Path, role: Role, command: str) -> None:
    fields: dict[str, dict[str, Any]] = {
        "void": {"round": 1, "reason": "x"},
        "amend": {"round": 1, "changes": [{"index": 0, "body": None}], "reason": "x"},
        "acknowledge": {"alarm": "x"},
        "explain_alarm": {"alarm": "x", "reason": "x"},
        "blink": {"device": "shoe"},
        "replay": {"first": 1, "last": 1},
    }
    async with asked_table(tmp_path) as table:
        before = table.journal.head
        answer = await table.ask(role, command, **fields.get(command, {}))
        if may_command(role, command):
            assert answer.get("why") != "not_allowed"
        else:
            assert answer["why"] == "not_allowed"
            assert table.journal.head == before


async def test_who_asked_and_what_stands_in_the_journal_with_what_it_did(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        request = table.request(reason="end of shift")
        await table.send("floor", "close", request)
        (value,) = [value for value in table.inputs() if value.asked is not None]
        assert value.asked is not None
        assert value.by == "floor:pit-desk"
        assert (value.asked.id, value.asked.client, value.asked.command) == (request["id"], "floor:pit-desk", "close")
        assert table.events()[-1] == {
            "kind": "command",
            "command": "close",
            "by": "floor:pit-desk",
            "request": request["id"],
            "ok": True,
        }


# A program, and the person for whom it vouches

ANN = {"name": "ann", "role": "floor"}


async def test_the_journal_names_the_person_and_the_program_that_vouches_for_him(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        assert (await table.ask("program", "close", by=ANN, reason="break"))["ok"]
        (value,) = [value for value in table.inputs() if value.asked is not None]
        assert value.person == Actor("floor", "ann", "program", "pit-desk")
        assert value.asked is not None and value.asked.client == "program:pit-desk"
        assert table.events()[-2] == {"kind": "table_closed", "by": "floor:ann", "reason": "break"}


@pytest.mark.parametrize(
    ("role", "command", "by", "why"),
    [
        ("floor", "open", ANN, "not_vouched"),
        ("dealer", "shoe", ANN, "not_vouched"),
        ("monitor", "ping", ANN, "not_vouched"),
        ("program", "open", None, "no_person"),
        ("program", "inputs", None, "no_person"),
        ("program", "open", {"name": "sam", "role": "dealer"}, "not_allowed"),
        ("program", "open", {"name": "sam", "role": "program"}, "malformed"),
        ("program", "open", "ann", "malformed"),
    ],
)
async def test_nobody_else_speaks_for_a_person(
    tmp_path: Path, role: str, command: str, by: dict[str, str] | str | None, why: str
) -> None:
    async with asked_table(tmp_path) as table:
        before = table.journal.head
        answer = await table.ask(role, command, **({} if by is None else {"by": by}))
        assert answer["why"] == why
        assert table.journal.head == before


async def test_a_program_reads_in_its_own_name(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        assert (await table.ask("program", "ping"))["ok"]


# Out of use


async def test_a_table_is_retired_when_it_is_closed_and_nothing_is_open(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        await table.happens(*A_ROUND)
        assert (await table.ask("floor", "retire", reason="sold"))["why"] == "round_running"
        await table.happens(*map(CardOut, ("9h", "2d", "Kd", "5c")))
        assert (await table.ask("floor", "retire", reason="sold"))["why"] == "table_open"
        assert (await table.ask("floor", "close"))["ok"]
        assert (await table.ask("floor", "retire", reason="sold"))["ok"]
        assert [event["kind"] for event in table.events()[-2:]] == ["table_retired", "command"]
        head = table.journal.head
        with pytest.raises(JournalError, match="its journal has ended"):
            await table.recorder.submit(ShoeStarted(8), "dealer")
        assert (await table.ask("floor", "open"))["why"] == "journal"
        assert table.journal.head == head


# Repeats


async def test_a_request_that_comes_again_is_answered_again_and_not_done_again(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        done, refused = table.request(decks=8), table.request(round=7, reason="misdeal")
        first = await table.send("floor", "shoe", done)
        no = await table.send("floor", "void", refused)
        assert (first["ok"], no["ok"]) == (True, False)
        head = table.journal.head
        assert await table.send("floor", "shoe", done) == first
        assert await table.send("floor", "void", refused) == no
        assert table.journal.head == head
    async with asked_table(tmp_path) as table:
        head = table.journal.head
        assert await table.send("floor", "shoe", done) == first
        assert await table.send("floor", "void", refused) == no
        assert table.journal.head == head, "nothing was done twice, by the next run of the daemon either"


async def test_another_request_cannot_hide_behind_a_used_id(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        request = table.request(decks=8)
        await table.send("floor", "shoe", request)
        assert (await table.send("floor", "shoe", {**request, "decks": 6}))["why"] == "id_used"
        close = {"id": request["id"], "expires": request["expires"]}
        assert (await table.send("floor", "close", close))["why"] == "id_used"
        other = await table.send_raw(TOPICS.command("floor", "office", "shoe"), request)
        assert other[1][0]["ok"], "another client numbers its requests as it likes"


async def test_answers_are_forgotten_when_their_requests_have_expired(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        for _ in range(5):
            await table.ask("floor", "shoe")
        table.now += 120_000
        await table.ask("floor", "shoe")
        assert len(table.recorder.engine.state.answers) == 1


# What is rejected


async def nothing_happens(table: AskedTable, why: str, topic: str, request: Any, **how: Any) -> None:
    before = (table.journal.head, table.recorder.engine.state)
    _, (answer,), _ = await table.send_raw(topic, request, **how)
    assert (answer["ok"], answer["why"]) == (False, why)
    assert answer["text"]
    assert (table.journal.head, table.recorder.engine.state) == before


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"null",
        b"[]",
        b"{",
        b'{"id":"x"}',
        b'{"id":"","expires":1763260060000}',
        b'{"id":"a b","expires":1763260060000}',
        b'{"id":7,"expires":1763260060000}',
        b'{"id":"x","expires":"soon"}',
        b'{"id":"x","expires":1763260060000,"role":"floor"}',
        b'{"id":"x","expires":1763260060000,"by":"ann\\nroot"}',
        b"\xff\xfe\x00",
        b"[" * 5000,
    ],
)
async def test_a_malformed_request_changes_nothing(tmp_path: Path, payload: bytes) -> None:
    async with asked_table(tmp_path) as table:
        await nothing_happens(table, "malformed", TOPICS.command("floor", "pit-desk", "close"), payload)


@pytest.mark.parametrize("size", [16_385, 100_000, 1_000_000])
async def test_a_request_that_is_too_large_is_refused_in_words(tmp_path: Path, size: int) -> None:
    async with asked_table(tmp_path) as table:
        payload = b'{"id":"x","reason":"' + b"x" * size
        await nothing_happens(table, "too_large", TOPICS.command("floor", "pit-desk", "close"), payload)


async def test_every_request_of_a_burst_is_answered(tmp_path: Path) -> None:
    """More of them than may wait, and than a client may send at once."""
    async with asked_table(tmp_path) as table:
        for n in range(300):
            table.drop(TOPICS.command("monitor", "wall", "ping"), table.request() | {"id": f"p{n}"})
        async with asyncio.timeout(20):
            answers = [(await table.answers.get())[1][0] for _ in range(300)]
        assert {answer["id"] for answer in answers} == {f"p{n}" for n in range(300)}
        assert {answer.get("why") for answer in answers} == {None, "too_many"}
        assert table.answers.empty()


async def test_a_request_that_breaks_the_gate_is_answered_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with asked_table(tmp_path) as table:
        monkeypatch.setattr(table.recorder, "submit", lambda *_, **__: 1 / 0)
        assert (await table.ask("floor", "close"))["why"] == "failed"
        assert (await table.ask("monitor", "ping"))["ok"], "the next in line is served"


async def test_an_expired_request_changes_nothing(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        topic = TOPICS.command("floor", "pit-desk", "close")
        await nothing_happens(table, "expired", topic, {"id": "x", "expires": NOW})
        await nothing_happens(table, "expires_too_late", topic, {"id": "x", "expires": NOW + 3_600_000})
        await nothing_happens(table, "retained", topic, {"id": "x", "expires": NOW + 1000}, retain=True)


@pytest.mark.parametrize(
    "response_topic",
    [
        f"{BASE}/event/round_settled",
        f"{BASE}/state",
        TOPICS.reply("floor", "office"),
        TOPICS.reply("floor", "pit-desk-2"),
        TOPICS.reply("floor", "pit-desk") + "/#",
        TOPICS.reply("floor", "pit-desk") + "/+",
        TOPICS.reply("floor", "pit-desk") + "//",
        TOPICS.reply("floor", "pit-desk") + "/../x",
        TOPICS.reply("floor", "pit-desk") + "/" + "x" * 65_000,
        f"cutcard/v2/reply/pit-desk/floor/{SITE}/another-table",
        f"cutcard/v2/{SITE}/another-table/state",
        "$SYS/broker/log",
        "elsewhere",
        "",
    ],
)
async def test_no_request_makes_a_table_speak_on_another_topic(tmp_path: Path, response_topic: str) -> None:
    async with asked_table(tmp_path) as table:
        request = table.request()
        topic, (answer,), _ = await table.send_raw(
            TOPICS.command("floor", "pit-desk", "close"), request, response_topic=response_topic
        )
        if response_topic.endswith("/../x"):
            assert answer["ok"], "dots are nothing special in a topic"
        else:
            assert answer["why"] == "bad_response_topic"
            assert topic == TOPICS.reply("floor", "pit-desk")
            assert not table.recorder.engine.state.closed


async def test_nobody_in_particular_is_not_even_answered(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with asked_table(tmp_path) as table:
        head = table.journal.head
        own = f"{SITE}/{TABLE}"
        for topic in (
            f"ann/god/{own}/void",
            f"a b/floor/{own}/void",
            f"/floor/{own}/void",
            f"floor/{own}/void",
            f"ann/floor/{own}/y/z",
            f"ann/floor/elsewhere/{TABLE}/void",
            f"ann/floor/{SITE}/other/void",
        ):
            table.drop(f"cutcard/v2/command/{topic}", table.request())
        assert (await table.ask("monitor", "ping"))["ok"], "the next in line is served"
        assert table.answers.empty()
        assert table.journal.head == head
        assert caplog.text.count("was rejected") == 7


async def test_a_command_that_there_is_not_is_answered_with_those_that_there_are(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        answer = await table.ask("floor", "explode")
        assert answer["why"] == "no_such_command"
        assert "acknowledge" in answer["text"]


async def test_a_flood_fills_neither_the_journal_nor_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with asked_table(tmp_path) as table:
        answers = [await table.ask("floor", "open") for _ in range(40)]
        assert answers[0]["why"] == "open_already"
        assert answers[-1]["why"] == "too_many"
        assert len([value for value in table.inputs() if value.asked]) < 30
        for _ in range(30):
            table.drop(TOPICS.command("god", "ann", "void"), b"\n" * 100)
        await table.ask("monitor", "ping")
        assert len([record for record in caplog.records if "rejected" in record.message]) <= 10


async def test_schema_and_gate_agree_on_what_is_well_formed(tmp_path: Path) -> None:
    tries: list[tuple[str, dict[str, Any]]] = [
        ("void", {"round": 1, "reason": "x"}),
        ("void", {"round": 1}),
        ("void", {"round": 1, "reason": ""}),
        ("blink", {"device": "shoe", "seconds": 0}),
        ("blink", {"device": "shoe", "seconds": 600}),
        ("seats", {"seats": [0]}),
        ("seats", {"seats": [1], "player_dealer": None}),
        ("replay", {"first": 0, "last": 1}),
        ("rules", {"max_wager": None}),
        ("rules", {"max_wager": "none"}),
        ("amend", {"round": 1, "changes": [], "reason": "x"}),
    ]
    async with asked_table(tmp_path) as table:
        for command, fields in tries:
            request = table.request(**fields)
            taken = (await table.send("floor", command, request)).get("why") != "malformed"
            assert contract_checks.accepts_request(command, request) == taken, (command, fields)


async def test_no_mangled_request_gets_through_or_breaks_the_gate(tmp_path: Path) -> None:
    rng = random.Random(6)
    async with asked_table(tmp_path) as table:
        for _ in range(400):
            table.now += 1000
            request = msgspec.json.encode(table.request(reason="end of shift"))
            at = rng.randrange(len(request))
            mangled = request[:at] + rng.randbytes(rng.randint(0, 3)) + request[at + rng.randint(0, 3) :]
            role = rng.choice(("monitor", "dealer", "technician"))
            command = rng.choice(("close", "rules", "void", "amend", "\U0001f525"))
            if rng.random() < 0.7:
                role, command = "floor", "void"  # it names no round
            answer = await table.send(role, command, mangled)
            assert not answer["ok"]
        assert table.inputs()[1:] == []
        assert not table.recorder.engine.state.closed


async def test_a_journal_with_commands_in_it_replays_to_the_same_events(tmp_path: Path) -> None:
    async with asked_table(tmp_path) as table:
        await table.ask("floor", "rules", min_wager=1000)
        await table.happens(*A_ROUND)
        await table.ask("floor", "close")
        await table.happens(*map(CardOut, ("9h", "2d", "Kd", "5c")))
        await table.ask("floor", "open")
        await table.ask("floor", "rules", ruleset="bankers-ultimate-texas-holdem")
        await table.ask("dealer", "seats", seats=[1, 2])
        await table.ask("floor", "acknowledge", alarm="none")
        state_before = msgspec.json.encode(table.recorder.engine.state)
    with JournalReader.read(tmp_path / "journal.db") as reader:
        assert rerun(reader, reader.head, resolve).entries == reader.head.n
    journal = Journal.open(tmp_path / "journal.db", site=SITE, table=TABLE)
    try:
        again = Recorder(journal, resolve, SystemClock(), table.started)
        assert msgspec.json.encode(again.engine.state) == state_before
    finally:
        journal.close()
