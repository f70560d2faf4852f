"""`cutcard replay` and `cutcard recall`: rounds for people, and nothing in them that nobody may know."""

from __future__ import annotations

import logging
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller import __version__
from controller.cli.main import main
from controller.engine.inputs import (
    Amended,
    BetsClosed,
    Change,
    DeviceSeen,
    FloorAct,
    StackOut,
    Started,
    WagerPlaced,
    decode_input,
)
from controller.evidence.rounds import RoundRecord, last_rounds
from controller.evidence.words import Words, exposed_cards, sealed_cards
from controller.journal import JournalReader
from controller.rules import load, resolve
from tests.engine.test_bot import evenings
from tests.support.evidence_journals import (
    DRAGON_7,
    PANDA_8,
    PLAYER_WINS,
    TIE,
    Play,
    entries,
    forge,
    play,
    play_at_random,
    play_ez,
    started,
)
from tests.support.journals import change

Printed = pytest.CaptureFixture[str]
UTH = "bankers-ultimate-texas-holdem"
CARD = re.compile(r"(?<![\w$.])(?:10|[2-9JQKA])[♣♦♥♠]\*?|\bJoker\b")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture(autouse=True)
def in_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def tell(printed: Printed, *arguments: object) -> str:
    assert main([str(argument) for argument in arguments]) == 0
    return printed.readouterr().out


def test_a_round_is_printed_as_a_person_reads_it(path: Path, capsys: Printed) -> None:
    play_ez(path, PLAYER_WINS)
    digest = load("bankers-ez-baccarat-panda-8").digest_with({})
    assert (
        tell(capsys, "replay", "1", "--journal", path)
        == f"""\
ROUND 1, settled
  2025-11-15 12:00:03 +0000, bankers-ez-baccarat-panda-8, rules {digest}; journal entries 3 to 11
  12:00:03  The round begins; player-dealer in seat 8, his hand 1
            The player-dealer posts $1,000.00
  12:00:04  Seat 1 wagers $10.00 on player line
  12:00:05  Seat 1 wagers $5.00 on tie
  12:00:06  Seat 2 wagers $20.00 on banker line
  12:00:07  No more bets: $35.00 on the layout
  12:00:08  Player, card 1: 9♥
  12:00:09  Banker, card 1: K♦
  12:00:10  Player, card 2: 10♣
  12:00:11  Banker, card 2: 7♠
            Player wins 9 to 7.
            Settled: player (natural)
              Player: 9♥ 10♣, counts 9
              Banker: K♦ 7♠, counts 7
              Seat 1, player line, $10.00: wins $10.00
              Seat 2, banker line, $20.00: loses $20.00
              Seat 1, tie, $5.00: loses $5.00
              Player-dealer: +$15.00

"""
    )


def test_cards_are_written_without_signs_where_somebody_asks_or_the_terminal_has_none(
    path: Path, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_ez(path, PLAYER_WINS)
    plain = tell(capsys, "replay", "1", "--journal", path, "--ascii")
    assert "Player: 9h Tc, counts 9" in plain
    assert plain.isascii()
    monkeypatch.setattr(type(sys.stdout), "encoding", "ascii", raising=False)
    assert tell(capsys, "replay", "1", "--journal", path) == plain


def test_several_rounds_are_printed_in_order_and_no_other(path: Path, capsys: Printed) -> None:
    play_ez(path, *[PLAYER_WINS, TIE, DRAGON_7, PANDA_8] * 5)
    text = tell(capsys, "replay", "--from", 6, "--to", 8, "--journal", path)
    assert re.findall(r"^ROUND (\d+)", text, re.MULTILINE) == ["6", "7", "8"]
    assert [mark in text for mark in ("(natural)", "(dragon 7)", "(panda 8)")] == [True] * 3
    for number in range(1, 21):
        one = tell(capsys, "replay", number, "--journal", path)
        assert re.findall(r"^ROUND (\d+)", one, re.MULTILINE) == [str(number)]
        assert one.count("Settled:") == 1


def test_money_that_found_no_cover_is_printed(path: Path, capsys: Printed) -> None:
    async def script(table: Play) -> None:
        await table.shoe()
        await table.do(WagerPlaced(1, "player_line", 1000), WagerPlaced(2, "player_line", 1000))
        await table.do(WagerPlaced(3, "player_line", 1000), BetsClosed())
        await table.cards(PLAYER_WINS)

    play(path, script, started(bank=(1500,)))
    text = tell(capsys, "replay", "1", "--journal", path)
    assert "Seat 2, player line, $10.00: wins $5.00; $5.00 had no cover" in text
    assert "Seat 3, player line, $10.00: no action; $10.00 had no cover" in text
    assert "Player-dealer: -$15.00" in text


def test_fees_are_printed(path: Path, capsys: Printed) -> None:
    async def script(table: Play) -> None:
        await table.shoe()
        await table.do(WagerPlaced(1, "player_line", 15_000), WagerPlaced(2, "banker_line", 10_000), BetsClosed())
        await table.cards(PLAYER_WINS)

    play(path, script, started(options={"schedule": "ca-2/ez-baccarat/1"}))
    text = tell(capsys, "replay", "1", "--journal", path)
    assert "Fee: Player-dealer owes $2.00 (ca-2/ez-baccarat/1) to the collection box" in text


def test_irregularities_rulings_and_a_void_round_are_printed(path: Path, capsys: Printed) -> None:
    async def script(table: Play) -> None:
        await table.shoe()
        await table.do(WagerPlaced(1, "tie", 500))
        await table.cards(["9h"])
        await table.do(WagerPlaced(2, "tie", 500))
        await table.do(FloorAct("use_next", "dealt too early"), by="floor:ann")
        await table.do(BetsClosed())
        await table.do(FloorAct("void", "the shoe fell"), by="floor:ann")

    play(path, script)
    text = tell(capsys, "replay", "1", "--journal", path)
    assert text.startswith("ROUND 1, VOID")
    assert "IRREGULARITY card_not_expected: a card left the shoe that nobody expected" in text
    assert "HELD, the floor is called" in text
    assert re.search(r"Refused \(2: tie\): .*floor", text)
    assert "The floor decides: use next, dealt too early" in text
    assert "ROUND VOID (floor void, the shoe fell)" in text
    assert "Seat 1: $5.00 back" in text


def test_a_correction_is_printed_with_what_it_changed(path: Path, capsys: Printed) -> None:
    async def script(table: Play) -> None:
        await table.corrected_round("the second card was a nine")

    play(path, script)
    text = tell(capsys, "replay", "1", "--journal", path)
    assert text[text.index("CORRECTED") :].splitlines() == [
        "CORRECTED by floor ann: the second card was a nine",
        "              outcome: player -> tie",
        "              hands, banker: K♦ 7♠ -> K♦ 9♠",
        "              totals, banker: 7 -> 9",
        "              Seat 1, player line: +$10.00 -> $0.00",
        "              Seat 2, banker line: -$20.00 -> $0.00",
        "              Seat 1, tie: -$5.00 -> +$40.00",
        "              player-dealer: +$15.00 -> -$40.00",
        "",
    ]


def test_a_correction_that_would_leave_nothing_of_a_round_is_refused_and_printed(path: Path, capsys: Printed) -> None:
    async def script(table: Play) -> None:
        await table.shoe()
        await table.ez_round()
        await table.ez_round()
        strike_all = tuple(Change(index, None) for index in range(len(table.engine.last.inputs)))  # type: ignore[union-attr]
        await table.do(Amended(2, strike_all, "nobody was at the table"), by="floor:ann")

    play(path, script)
    text = tell(capsys, "replay", "2", "--journal", path)
    assert text.startswith("ROUND 2, settled")
    assert "void it instead" in text


def test_an_unfinished_round_says_what_the_table_waits_for(path: Path, capsys: Printed) -> None:
    play_ez(path, PLAYER_WINS, PLAYER_WINS[:2])
    text = tell(capsys, "replay", "2", "--journal", path)
    assert text.startswith("ROUND 2, UNFINISHED")
    assert "UNFINISHED: the table waits: Card 2 to Player" in text


def test_a_settled_round_that_a_correction_opened_again_is_unfinished(path: Path, capsys: Printed) -> None:
    async def script(table: Play) -> None:
        await table.shoe()
        await table.ez_round()
        await table.do(Amended(1, (Change(5, {"kind": "card_out", "card": "2h"}),), "misread"), by="floor:ann")

    play(path, script)
    text = tell(capsys, "replay", "1", "--journal", path)
    assert text.startswith("ROUND 1, UNFINISHED")
    assert "the table waits: Player draws" in text


def test_test_mode_is_shown_on_the_rounds_that_were_dealt_in_it(path: Path, capsys: Printed) -> None:
    play_ez(path, PLAYER_WINS, TIE, test=True)
    play_ez(path, TIE)
    text = tell(capsys, "recall", "--journal", path)
    assert "*** TEST MODE" in text
    assert re.findall(r"^ROUND (.*)", text, re.MULTILINE) == [
        "1, settled, TEST MODE",
        "2, settled, TEST MODE",
        "3, settled",
    ]
    assert "TEST MODE" in tell(capsys, "replay", "2", "--journal", path)
    assert "TEST MODE" not in tell(capsys, "replay", "3", "--journal", path)


@pytest.mark.clause("ON-recall")
def test_recall_shows_the_last_ten_rounds_step_by_step_the_unfinished_one_included(path: Path, capsys: Printed) -> None:
    play_ez(path, *[TIE] * 11, PLAYER_WINS[:3])
    lines = tell(capsys, "recall", "--journal", path).splitlines()
    assert lines[0].startswith("=== RECALL === table t7 of bay101")
    heads = [line for line in lines if line.startswith("ROUND ")]
    assert heads == [*(f"ROUND {number}, settled" for number in range(3, 12)), "ROUND 12, UNFINISHED"]
    steps = lines[lines.index("ROUND 12, UNFINISHED") + 2 :]
    assert steps[0].endswith("dealer: the player-dealer's money: $1,000.00")
    assert [line for line in steps if re.match(r"  +\d+\. ", line)][5:] == [
        "    6. 12:01:53.000  shoe: a card left",
        "    7. 12:01:54.000  shoe: a card left",
        "    8. 12:01:55.000  shoe: a card left",
    ]
    assert steps[-3:] == [
        "         Player, card 2: 10♣",
        "  UNFINISHED: the table waits: Card 2 to Banker",
        "=== END OF RECALL ===",
    ]


def test_recall_shows_as_many_rounds_as_somebody_asks_for(path: Path, capsys: Printed) -> None:
    play_ez(path, *[TIE] * 4)
    assert tell(capsys, "recall", "--last", 2, "--journal", path).count("ROUND ") == 2
    assert tell(capsys, "recall", "--last", 50, "--journal", path).count("ROUND ") == 4
    assert main(["recall", "--last", "0", "--journal", str(path)]) == 2


def test_recall_of_a_table_that_has_not_dealt_says_so(path: Path, capsys: Printed) -> None:
    play_ez(path)
    assert "No round has begun." in tell(capsys, "recall", "--journal", path)


def test_what_happened_between_two_rounds_is_recalled_too(path: Path, capsys: Printed) -> None:
    async def script(table: Play) -> None:
        await table.shoe()
        await table.ez_round()
        await table.do(DeviceSeen("shoe", "offline", {"detail": "cable"}), by="device:shoe")
        await table.ez_round()

    play(path, script)
    text = tell(capsys, "recall", "--journal", path)
    first_round = text[: text.index("ROUND 2")]
    assert "shoe: device shoe: offline" in first_round
    assert "ALARM device_away:shoe" in first_round


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["7"], "does not have round 7; it has rounds 1 to 2"),
        (["--from", "2", "--to", "3"], "does not have rounds 2 to 3"),
        (["--from", "2", "--to", "1"], "does not have rounds 2 to 1"),
        (["0"], "does not have round 0"),
        ([], "Which round?"),
        (["--from", "1"], "Which round?"),
        (["1", "--to", "2"], "Which round?"),
    ],
)
def test_a_round_that_is_not_there_is_refused(arguments: list[str], says: str, path: Path, capsys: Printed) -> None:
    play_ez(path, PLAYER_WINS, TIE)
    assert main(["replay", *arguments, "--journal", str(path)]) == 2
    assert says in capsys.readouterr().err


def test_a_stretch_that_was_changed_is_not_printed(path: Path, capsys: Printed) -> None:
    play_ez(path, PLAYER_WINS, TIE)
    change(path, "UPDATE entries SET events = ? WHERE n = 8", entries(path)[7].events.replace(b"9h", b"8h"))
    assert main(["replay", "1", "--journal", str(path)]) == 2
    assert "entry 8 is not what was written" in capsys.readouterr().err
    assert main(["recall", "--journal", str(path)]) == 2


def test_a_journal_that_does_not_re_run_is_printed_all_the_same_and_its_end_is_doubtful(
    path: Path, capsys: Printed
) -> None:
    play_ez(path, PLAYER_WINS, TIE)
    last = entries(path)[-1].n
    forge(path, lambda entry: replace(entry, events=b"[]", count=0) if entry.n == last else entry)
    text = tell(capsys, "recall", "--journal", path)
    assert re.findall(r"^ROUND (.*)", text, re.MULTILINE) == ["1, settled", "2, DOUBTFUL"]
    assert "ask `cutcard verify`" in text


def test_kinds_that_only_a_newer_program_knows_are_printed_without_the_contents_of_the_input(
    path: Path, capsys: Printed
) -> None:
    play_ez(path, PLAYER_WINS[:2])
    last = entries(path)[-1].n
    forge(
        path,
        lambda entry: (
            entry
            if entry.n != last
            else replace(
                entry,
                input=b'{"at":1763208009000,"by":"device:eye","body":{"kind":"card_seen","card":"Qs"}}',
                events=b'[{"kind":"card_glimpsed","how_far":3}]',
            )
        ),
    )
    text = tell(capsys, "recall", "--journal", path)
    assert "eye: card seen (this program does not know it)" in text
    assert "Card glimpsed (how far 3)" in text
    assert "Q♠" not in text
    assert "DOUBTFUL" in text


# The information barrier


def records(path: Path) -> list[RoundRecord]:
    with JournalReader.read(path) as reader:
        return last_rounds(reader, resolve, 99)


def exposed(path: Path) -> set[str]:
    """Every card that the events of the journal show, as a person writes it."""
    events = [event for record in records(path) for step in record.steps for event in step.events]
    return {Words().card(code) for code in exposed_cards(events)}


@evenings(3)
def test_no_telling_of_any_game_shows_a_card_that_no_event_shows(
    slug: str, seed: int, path: Path, capsys: Printed
) -> None:
    play_at_random(path, slug, seed)
    shown = exposed(path)
    last = records(path)[-1].number
    for text in (
        tell(capsys, "recall", "--last", 99, "--journal", path),
        tell(capsys, "replay", "--from", 1, "--to", last, "--journal", path),
    ):
        assert set(CARD.findall(text)) <= shown


def play_hands_face_down(path: Path, *, to_the_end: bool) -> None:
    """One player bets and folds, so that the player-dealer's hand stays face down."""
    packs = [("As", "Ks"), ("7c", "2d"), ("Qh", "Jh", "Th", "4s", "3c")]

    async def script(table: Play) -> None:
        await table.do(WagerPlaced(1, "ante", 500), WagerPlaced(1, "blind", 500), BetsClosed())
        for pack in packs:
            await table.do(StackOut(pack), by="device:shuffler")
        for act in ("check", "check", "fold") if to_the_end else ():
            await table.act(1, act)

    play(path, script, started(UTH))


def test_an_inspector_sees_face_down_cards_of_a_settled_round_under_a_banner(path: Path, capsys: Printed) -> None:
    play_hands_face_down(path, to_the_end=True)
    plain = tell(capsys, "replay", "1", "--journal", path)
    assert plain.startswith("ROUND 1, settled")
    assert not {"A♠", "K♠", "7♣", "2♦"} & set(CARD.findall(plain))
    sealed = tell(capsys, "replay", "1", "--journal", path, "--sealed")
    assert sealed.startswith("*** SEALED CARDS ARE SHOWN: for an inspector only ***")
    assert "[sealed] A♠ K♠" in sealed
    assert "[sealed] 7♣ 2♦" in sealed
    assert "[sealed] As Ks" in tell(capsys, "replay", "1", "--journal", path, "--sealed", "--ascii")


def test_not_even_an_inspector_sees_face_down_cards_of_a_round_that_is_being_dealt(path: Path, capsys: Printed) -> None:
    play_hands_face_down(path, to_the_end=False)
    sealed = tell(capsys, "replay", "1", "--journal", path, "--sealed")
    assert sealed.splitlines()[4].startswith("ROUND 1, UNFINISHED")
    assert CARD.findall(sealed) == []


def test_sealed_cards_of_a_void_round_stay_closed(path: Path, capsys: Printed) -> None:
    play_hands_face_down(path, to_the_end=False)

    async def script(table: Play) -> None:
        await table.do(FloorAct("void", "fire alarm"), by="floor:ann")

    play(path, script, started(UTH))
    assert CARD.findall(tell(capsys, "replay", "1", "--journal", path, "--sealed")) == []


def test_where_nobody_can_say_that_a_round_is_over_its_cards_stay_closed(path: Path, capsys: Printed) -> None:
    """An event was forged, so the journal cannot be re-run; what looks settled may not be."""
    play_hands_face_down(path, to_the_end=True)
    forge(path, lambda entry: replace(entry, events=entry.events.replace(b'"bank_net":1000', b'"bank_net":9000')))
    sealed = tell(capsys, "replay", "1", "--journal", path, "--sealed")
    assert "ROUND 1, DOUBTFUL" in sealed
    assert "A♠" not in sealed


def test_a_card_that_came_after_the_settlement_is_not_shown_to_the_inspector(path: Path, capsys: Printed) -> None:
    async def script(table: Play) -> None:
        await table.shoe()
        await table.do(WagerPlaced(1, "tie", 500), BetsClosed())
        await table.cards(PLAYER_WINS[:1])
        await table.cut_card()
        await table.cards(PLAYER_WINS[1:])
        await table.cards(["Qs"])  # the shoe has ended: nobody expects it, and it lies face down

    play(path, script)
    sealed = tell(capsys, "replay", "1", "--journal", path, "--sealed")
    assert "ROUND 1, settled" in sealed
    assert "Q♠" not in sealed


def test_sealed_cards_leave_no_trace_in_a_log_or_a_file(
    path: Path, capsys: Printed, caplog: pytest.LogCaptureFixture
) -> None:
    play_hands_face_down(path, to_the_end=True)
    before = path.read_bytes()
    with caplog.at_level(logging.DEBUG):
        tell(capsys, "replay", "1", "--journal", path, "--sealed")
    assert caplog.records == []
    assert path.read_bytes() == before
    # SQLite may leave its index and an empty log beside a file that it reads.
    mine = {"journal.db", "journal.db.lock", "journal.db-shm"}
    assert all(file.stat().st_size == 0 for file in path.parent.iterdir() if file.name not in mine)


def test_only_what_was_hidden_is_marked_as_sealed(path: Path, capsys: Printed) -> None:
    play_ez(path, PLAYER_WINS)
    inputs = [decode_input(entry.input).body for entry in entries(path)]
    assert [code for body in inputs for code in sealed_cards(body)] == list(PLAYER_WINS)
    assert "[sealed]" not in tell(capsys, "replay", "1", "--journal", path, "--sealed").split("closed.")[1]


def test_a_start_of_the_daemon_between_rounds_is_part_of_what_is_recalled(path: Path, capsys: Printed) -> None:
    play_ez(path, TIE)
    play_ez(path, TIE)
    text = tell(capsys, "recall", "--journal", path)
    assert f"daemon: start of the daemon, version {__version__}" in text
    assert isinstance(decode_input(entries(path)[0].input).body, Started)
