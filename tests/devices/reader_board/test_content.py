"""What the reader board shows for baccarat, and that a sign shows exactly that."""

from __future__ import annotations

import pytest

from controller.engine.inputs import Amended, AnyBody, BetsClosed, CardOut, Change, Input, ShoeStarted
from controller.engine.round.felt import Setup
from controller.engine.table.waiting import Phase
from controller.games.baccarat.roads import Result
from controller.outputs.reader_board import COLOURS, MARK_COLOUR, board_content
from controller.outputs.view import Roads, view
from controller.outputs.view_types import HandView, HeldView, LimitsView, View
from controller.rules import all_rulesets
from devices.drivers.reader_board.content import PANEL_LINES, BoardContent, PanelName, SignLine
from devices.drivers.reader_board.options import ReaderBoardOptions, SignOptions
from protocols.alpha.codes import Colour
from tests.devices.reader_board.test_keeper import Bench
from tests.engine.test_bot import Evening, new_table
from tests.outputs.test_view import CARD, EZ, config
from tests.web.test_feed import a_view, faces, some_results

COLUMNS = 24


def texts(lines: tuple[SignLine, ...]) -> list[str]:
    return [line.text for line in lines]


def banker_won(**changes: object) -> View:
    hands = (
        HandView("player", "Player", faces("2c", "Ah"), "3"),
        HandView("banker", "Banker", faces("9h", "8d"), "7", won=True),
    )
    settled: dict[str, object] = {
        "seq": 9,
        "phase": "settled",
        "hands": hands,
        "outcome": "banker",
        "outcome_text": "Banker wins 7 to 3",
        "results": [Result("P"), Result("T"), Result("B")],
    }
    return a_view(**(settled | changes))  # type: ignore[arg-type]


def test_the_last_result_and_the_history() -> None:
    shown = board_content(banker_won()).results
    assert texts(shown) == ["BANKER WINS 7 TO 3", "PTB"]
    assert {span.colour for span in shown[0].spans} == {Colour.RED}
    assert [span.colour for span in shown[1].spans] == [Colour.GREEN, Colour.AMBER, Colour.RED]


def test_a_dragon_7_and_a_panda_8_have_their_marks() -> None:
    dragon = board_content(
        banker_won(marks=("dragon_7",), results=[Result("P", ("panda_8",)), Result("B", ("dragon_7",))])
    )
    assert texts(dragon.results) == ["BANKER 7-3 DRAGON 7", "8D"]
    assert [span.colour for span in dragon.results[1].spans] == [MARK_COLOUR, MARK_COLOUR]
    assert len(dragon.results[0].text) <= COLUMNS


def test_while_the_next_hand_is_dealt_the_last_one_stays_named() -> None:
    view = a_view(seq=1, phase="dealing", results=[Result("P"), Result("B", ("dragon_7",))])
    assert texts(board_content(view).results) == ["LAST BANKER DRAGON 7", "PD"]
    plain = a_view(seq=1, phase="dealing", results=[Result("P", ("natural",))])
    assert texts(board_content(plain).results) == ["LAST HAND PLAYER", "P"]
    assert texts(board_content(a_view(seq=1, phase="dealing")).results) == ["NEW SHOE", ""]


def test_a_void_round_says_so() -> None:
    void = banker_won(outcome=None, outcome_text="Round void, all wagers back")
    assert board_content(void).results[0].text == "ROUND VOID, BETS BACK"


def test_of_a_long_history_the_newest_hands_stay() -> None:
    history = board_content(a_view(seq=1, hands_in_shoe=80)).results[1]
    assert len(history.text) == 80
    assert history.keep == "end"


@pytest.mark.parametrize(
    ("phase", "left", "status"),
    [
        ("betting", None, "PLACE YOUR BETS"),
        ("betting", 12, "BETS CLOSE IN 12"),
        ("settled", 0, "BETS CLOSE IN 0"),
        ("dealing", None, "NO MORE BETS"),
        ("waiting", None, "SHUFFLE"),
        ("closed", None, "TABLE CLOSED"),
    ],
)
def test_the_table_says_what_may_be_done_and_for_how_long(phase: Phase, left: int | None, status: str) -> None:
    content = board_content(a_view(seq=1, phase=phase, bets_close_in=left))
    assert texts(content.table) == [status, "BETS $10 - $500"]


def test_a_prompt_that_no_sign_has_room_for_is_not_cut_in_two() -> None:
    content = board_content(a_view(seq=1, prompt="Player-dealer, post your wager now"))
    assert content.table[0].text == "PLEASE WAIT"


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (LimitsView(1_000, 50_000), "BETS $10 - $500"),
        (LimitsView(50, 1_234_500), "BETS $0.50 - $12,345"),
    ],
)
def test_the_limits(limits: LimitsView, said: str) -> None:
    assert board_content(a_view(seq=1, limits=limits)).table[1].text == said


def test_a_table_without_limits_shows_none() -> None:
    assert texts(board_content(a_view(seq=1, limits=None)).table) == ["PLACE YOUR BETS"]


def test_the_statistics_are_those_of_the_view() -> None:
    content = board_content(a_view(seq=1, hands_in_shoe=36, previous=[Result("T")]))
    assert texts(content.statistics) == [
        "HANDS 36 NATURAL 2",
        "BANKER    15   41.7%",
        "PLAYER    16   44.4%",
        "TIE        5   13.9%",
        "DRAGON 7   1    2.8%",
        "PANDA 8    1    2.8%",
    ]
    assert [line.spans[0].colour for line in content.statistics[1:4]] == [
        COLOURS[side] for side in ("banker", "player", "tie")
    ]
    assert texts(content.previous)[:2] == ["LAST SHOE 1 NATURAL 0", "BANKER     0    0.0%"]


def test_an_empty_shoe_has_no_percentages() -> None:
    assert board_content(a_view(seq=1)).statistics[1].text.strip() == "BANKER     0"


def test_a_held_table_takes_the_whole_board() -> None:
    held = a_view(seq=1, phase="held", held=HeldView("exposed", "A card was exposed"))
    notice = board_content(held).notice
    assert notice is not None
    assert notice.text == "FLOOR CALLED"
    assert board_content(a_view(seq=1)).notice is None


def test_a_table_in_test_mode_says_so_on_every_panel() -> None:
    content = board_content(banker_won(test=True, previous=[Result("T")], held=HeldView("x", "x")))
    for panel in panels(content):
        assert panel[0].text.startswith("TEST ")
        assert not panel[1].text.startswith("TEST ")
    assert content.notice is not None
    assert content.notice.text == "TEST FLOOR CALLED"


def test_a_game_without_roads_has_its_title_and_its_result() -> None:
    plain = a_view(seq=1, limits=None)
    no_shoe = View(plain.site, plain.table, plain.game, False, 1, 1, "betting", "Place your bets")
    content = board_content(no_shoe)
    assert texts(content.results) == ["EZ BACCARAT PANDA 8"]
    assert content.statistics == content.previous == ()


def test_no_panel_has_more_lines_than_a_signs_memory_is_laid_out_for() -> None:
    content = board_content(banker_won(test=True, previous=some_results(60), results=some_results(80)))
    names: tuple[PanelName, ...] = ("results", "table", "statistics", "previous")
    for name in names:
        whole: tuple[SignLine, ...] = getattr(content, name)
        assert len(whole) == PANEL_LINES[name]
        assert content.panel(name) == whole


@pytest.mark.parametrize("hands", [0, 1, 9, 99, 103])
def test_every_line_but_the_history_fits_into_24_columns(hands: int) -> None:
    for results in (some_results(hands), [Result("B")] * hands, [Result("T")] * hands):
        content = board_content(banker_won(results=results, previous=results, limits=LimitsView(100, 9_999_900)))
        later = board_content(a_view(seq=1, phase="dealing", results=[*results, Result("B", ("dragon_7",))]))
        for line in (content.results[0], later.results[0], *content.table, *content.statistics, *content.previous):
            assert len(line.text) <= COLUMNS, line.text


class Watched(Evening):
    """An evening in front of a reader board."""

    def __init__(self, seed: int) -> None:
        super().__init__(EZ, seed, unread_one_in=8, trouble_one_in=25)
        self.shown: list[BoardContent] = []

    def _step(self) -> None:
        super()._step()
        content = board_content(view(self.engine, config(EZ), 0, Roads(), broker_online=True, bets_close_in=5))
        # The board names no card at all, exposed or not.
        assert not CARD.findall(" ".join(text for panel in panels(content) for text in texts(panel)))
        self.shown.append(content)


def panels(content: BoardContent) -> tuple[tuple[SignLine, ...], ...]:
    return (content.results, content.table, content.statistics, content.previous)


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_evening_of_the_real_engine_comes_out_as_content(seed: int) -> None:
    evening = Watched(seed)
    evening.play(4)
    said = {line.text for content in evening.shown for line in (*content.results, *content.table)}
    assert "NO MORE BETS" in said
    assert any(text.startswith(("BANKER WINS", "PLAYER WINS", "TIE AT", "LAST HAND")) for text in said)


def test_from_the_view_to_the_signs_dots() -> None:
    content = board_content(banker_won(results=some_results(30), previous=some_results(50), bets_close_in=9))
    panels: tuple[PanelName, ...] = ("results", "table", "statistics", "previous")
    bench = Bench(options=ReaderBoardOptions(signs=(SignOptions(address="01", panels=panels),)))
    bench.keeper.show(content)
    bench.run(20)
    (sign,) = bench.signs
    assert sign.pages[0] == ["BANKER WINS 7 TO 3", content.results[1].text[-COLUMNS:]]
    assert sign.pages[1] == ["BETS CLOSE IN 9", "BETS $10 - $500"]
    assert [text for page in sign.pages[2:] for text in page] == texts(content.statistics) + texts(content.previous)
    assert [cell.colour for cell in sign.cells()[1]] == [span.colour for span in content.results[1].spans][-COLUMNS:]


def test_a_corrected_round_corrects_result_history_and_counts() -> None:
    engine = new_table(all_rulesets()[EZ], Setup(seats=(1, 2), player_dealer=8))
    round_1: list[AnyBody] = [ShoeStarted(8), BetsClosed(), *(CardOut(code) for code in ("9h", "Kd", "Tc", "7s"))]
    for body in round_1:
        engine.apply(Input(0, "dealer:sam", body))

    def board() -> BoardContent:
        return board_content(view(engine, config(EZ), 0, Roads(), broker_online=True))

    assert texts(board().results) == ["PLAYER WINS 9 TO 7", "P"]
    engine.apply(Input(0, "floor:ann", Amended(1, (Change(4, {"kind": "card_out", "card": "9s"}),), "misread")))
    assert texts(board().results) == ["TIE AT 9", "T"]
    assert texts(board().statistics)[1:4] == ["BANKER     0    0.0%", "PLAYER     0    0.0%", "TIE        1  100.0%"]
