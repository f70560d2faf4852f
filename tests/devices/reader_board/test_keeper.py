"""The keeper of a reader board's signs, in virtual time and against simulated signs: right, soon, and without a blink.

The line carries bytes at its baud rate, so the seconds here are those of a real one.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from devices.drivers.reader_board.content import BoardContent, PanelName, SignLine, Span, line
from devices.drivers.reader_board.keeper import BoardKeeper
from devices.drivers.reader_board.options import ReaderBoardOptions, SignOptions
from protocols.alpha.codes import Colour, Control, Mode
from protocols.alpha.commands import Command, ReadSpecial, ReadText, WriteString, WriteText
from protocols.alpha.parity import add_parity, strip_parity
from protocols.alpha.special import ClearMemory, ConfigureMemory
from protocols.link.session import LinkStatistics
from sim_hw.devices.reader_board.sign import SimulatedSign
from sim_hw.wire.noise import Noise, NoisyWire

BAUD = 9600


class Bench:
    """A keeper and its signs on one line."""

    def __init__(
        self,
        *signs: SimulatedSign,
        options: ReaderBoardOptions | None = None,
        noise: Noise | None = None,
        seed: int = 0,
        echo: bool = False,
    ) -> None:
        self.signs = signs or (SimulatedSign("01"),)
        self.options = options or ReaderBoardOptions(signs=(SignOptions(address="01"),))
        self.statistics = LinkStatistics.fresh()
        self.now = 100.0
        self.keeper = BoardKeeper(self.options, BAUD, self.statistics, self.now)
        self.sent: list[tuple[float, float]] = []
        """When each packet began and ended."""
        self._echo = echo
        self._there = NoisyWire(noise or Noise(), random.Random(f"{seed}/there"))
        self._back = NoisyWire(noise or Noise(), random.Random(f"{seed}/back"))

    def step(self, until: float) -> None:
        """Send what is due, or let time pass, to `until` at most."""
        wire = self.keeper.outgoing(self.now)
        if not wire:
            due = self.keeper.next_deadline(self.now)
            assert due > self.now, "the keeper wants to be asked again at once, for nothing"
            self.now = min(until, due)
            return
        began = self.now
        self.now += len(wire) * 10 / BAUD
        self.sent.append((began, self.now))
        if self._echo:
            self.keeper.receive(wire, self.now)
        arrived = strip_parity(self._there.carry(wire))
        answers = [answer for sign in self.signs if (answer := sign.receive(arrived, self.now))]
        for answer in answers:
            self.now += len(answer) * 10 / BAUD
            self.keeper.receive(self._back.carry(add_parity(answer)), self.now)

    def run(self, seconds: float) -> None:
        end = self.now + seconds
        while self.now < end:
            self.step(end)

    def until(self, holds: Callable[[], bool], within: float) -> float:
        """How long it takes; fails when it takes longer."""
        began = self.now
        while not holds():
            assert self.now - began <= within, f"not within {within} s: {[sign.pages for sign in self.signs]}"
            self.step(began + within + 1)
        return self.now - began


def content(outcome: str = "BANKER WINS 7 TO 3", history: str = "BPT", timer: str = "PLACE YOUR BETS") -> BoardContent:
    return BoardContent(
        results=(line(outcome, Colour.RED), SignLine((Span(history, Colour.GREEN),), keep="end")),
        table=(line(timer), line("$10 - $500")),
        statistics=tuple(line(f"STATISTIC {n}") for n in range(6)),
    )


def shown(wanted: BoardContent, panels: str = "results table statistics", rows: int = 2) -> list[list[str]]:
    pages: list[list[str]] = []
    for name in panels.split():
        lines = [shown.text for shown in getattr(wanted, name)]
        pages += [lines[at : at + rows] for at in range(0, len(lines), rows)]
    return pages


def written(sign: SimulatedSign, kind: type[Command]) -> list[Command]:
    return [command for command in sign.obeyed if isinstance(command, kind)]


@pytest.fixture
def bench() -> Bench:
    """One sign of two rows that can be asked, and shows the first content."""
    made = Bench()
    made.keeper.show(content())
    made.until(lambda: made.signs[0].pages == shown(content()), within=2)
    made.run(10)
    assert made.signs[0].errors == 0
    return made


def test_the_memory_is_configured_once_and_the_text_ends_up_calling_strings(bench: Bench) -> None:
    (sign,) = bench.signs
    bench.run(120)
    assert len(written(sign, ConfigureMemory)) == 1
    assert len([command for command in sign.obeyed if isinstance(command, WriteText) and command.label == "A"]) == 2
    assert not written(sign, ClearMemory)
    assert bench.keeper.is_right
    assert sign.mode is Mode.HOLD
    text = sign.text("A")
    assert text is not None
    assert Control.FIXED_WIDTH_ON in text[0].items
    assert "BANKER" not in str(text)


def test_a_change_is_on_the_board_within_half_a_second_and_without_a_blink(bench: Bench) -> None:
    (sign,) = bench.signs
    texts = len(written(sign, WriteText))
    for seconds in range(20, 0, -1):
        wanted = content(timer=f"BETS CLOSE IN {seconds}")
        bench.keeper.show(wanted)
        bench.until(lambda wanted=wanted: sign.pages == shown(wanted), within=0.5)  # type: ignore[misc]
        bench.run(0.5)
    assert len(written(sign, WriteText)) == texts
    assert sign.errors == 0


def test_the_newest_content_wins_and_the_ones_between_are_never_sent(bench: Bench) -> None:
    (sign,) = bench.signs
    for hand in range(1000):
        bench.keeper.show(content(outcome=f"HAND {hand}"))
    bench.until(lambda: sign.pages == shown(content(outcome="HAND 999")), within=1)
    assert "HAND 998" not in str(list(sign.obeyed))


@pytest.mark.parametrize("moment", [n / 16 for n in range(16)])
def test_after_a_power_cut_the_board_is_right_within_a_second(bench: Bench, moment: float) -> None:
    """At whatever moment between two questions the power comes back."""
    (sign,) = bench.signs
    sign.power_off()
    assert sign.pages == []
    bench.until(lambda: bench.keeper.signs[0].presence == "silent", within=5)
    bench.keeper.show(content(outcome="PLAYER WINS 9 TO 8"))
    bench.run(20 + moment)
    sign.power_on()
    bench.until(lambda: sign.pages == shown(content(outcome="PLAYER WINS 9 TO 8")), within=1.0)
    bench.run(15)
    assert sign.pages == shown(content(outcome="PLAYER WINS 9 TO 8"))


def test_a_power_cut_between_two_questions_is_seen_by_the_lost_table(bench: Bench) -> None:
    (sign,) = bench.signs
    sign.power_cycle()
    assert sign.pages == []
    took = bench.until(lambda: sign.pages == shown(content()), within=1.0)
    assert bench.keeper.signs[0].presence == "there"
    assert took > 0
    bench.run(15)
    assert len(written(sign, ConfigureMemory)) == 2


def test_once_it_is_right_the_board_stays_right_while_its_strings_are_built(bench: Bench) -> None:
    (sign,) = bench.signs
    sign.power_cycle()
    bench.until(lambda: sign.pages == shown(content()), within=3)
    for _ in range(200):
        bench.run(0.05)
        assert sign.pages == shown(content())
    assert "BANKER" not in str(sign.text("A"))


def test_content_that_changes_every_second_does_not_keep_the_strings_from_being_built() -> None:
    bench = Bench()
    (sign,) = bench.signs
    for seconds in range(40, 0, -1):
        bench.keeper.show(content(timer=f"BETS CLOSE IN {seconds}"))
        bench.run(1)
    assert "CLOSE" not in str(sign.text("A"))
    assert sign.pages == shown(content(timer="BETS CLOSE IN 1"))


def test_a_sign_with_a_battery_is_not_configured_again() -> None:
    sign = SimulatedSign("01", keeps_memory=True)
    bench = Bench(sign)
    bench.keeper.show(content())
    bench.run(15)
    sign.power_off()
    bench.run(15)
    sign.power_on()
    bench.run(15)
    assert sign.pages == shown(content())
    assert len(written(sign, ConfigureMemory)) == 1


def test_a_restarted_daemon_finds_its_memory_and_does_not_configure_it_again() -> None:
    sign = SimulatedSign("01")
    for outcome in ("BANKER WINS 7 TO 3", "TIE AT 6"):
        bench = Bench(sign)
        bench.keeper.show(content(outcome=outcome))
        bench.until(lambda outcome=outcome: sign.pages == shown(content(outcome=outcome)), within=2)  # type: ignore[misc]
        bench.run(10)
    assert len(written(sign, ConfigureMemory)) == 1


@pytest.mark.parametrize("lost", range(1, 9))
def test_lost_packets_are_made_good(lost: int) -> None:
    bench = Bench()
    (sign,) = bench.signs
    bench.keeper.show(content())
    sign.lose(lost)
    bench.run(30)
    assert sign.pages == shown(content())
    for number in range(3):
        sign.lose(lost)
        wanted = content(outcome=f"HAND {number}", timer=f"BETS CLOSE IN {number}")
        bench.keeper.show(wanted)
        bench.run(25)
        assert sign.pages == shown(wanted)


@pytest.mark.parametrize("seed", range(6))
def test_over_a_bad_wire_and_through_power_cuts_the_board_comes_right_again(seed: int) -> None:
    noise = Noise(bit_errors=2e-4, lost_bytes=2e-4, dropped=0.02, cut_short=0.01, garbage=0.02)
    rng = random.Random(seed)
    bench = Bench(noise=noise, seed=seed)
    (sign,) = bench.signs
    wanted = content()
    for number in range(6):
        wanted = content(outcome=f"HAND {number}", history="BP" * number)
        bench.keeper.show(wanted)
        bench.run(rng.uniform(0, 20))
        if rng.random() < 0.5:
            sign.power_off()
            bench.run(rng.uniform(0, 10))
            sign.power_on()
    # A repeat may itself be damaged, so "right for ever" is not to be had on such a wire; "soon right again" is.
    bench.until(lambda: sign.pages == shown(wanted), within=90)


def test_a_sign_that_cannot_be_asked_is_right_within_the_refresh_period_after_a_power_cut() -> None:
    options = ReaderBoardOptions(signs=(SignOptions(address="01", answers=False),), refresh_s=20)
    bench = Bench(SimulatedSign("01", answers=False), options=options)
    (sign,) = bench.signs
    bench.keeper.show(content())
    bench.until(lambda: sign.pages == shown(content()), within=1)
    bench.run(33)
    sign.power_cycle()
    bench.until(lambda: sign.pages == shown(content()), within=20.5)
    assert not [command for command in sign.obeyed if isinstance(command, ReadSpecial | ReadText | WriteString)]
    assert len(written(sign, ConfigureMemory)) == 1
    assert bench.keeper.signs[0].presence == "unknown"

    bench.keeper.show(content(outcome="TIE AT 6"))
    bench.until(lambda: sign.pages == shown(content(outcome="TIE AT 6")), within=1)


def test_a_cable_without_a_way_back_is_reported_and_the_board_right_all_the_same() -> None:
    bench = Bench(SimulatedSign("01", answers=False))
    (sign,) = bench.signs
    bench.keeper.show(content())
    bench.until(lambda: bench.keeper.signs[0].presence == "silent", within=5)
    bench.until(lambda: sign.pages == shown(content()), within=2)
    bench.keeper.show(content(outcome="TIE AT 6"))
    bench.until(lambda: sign.pages == shown(content(outcome="TIE AT 6")), within=4)
    sign.power_cycle()
    bench.until(lambda: sign.pages == shown(content(outcome="TIE AT 6")), within=bench.options.refresh_s + 2)


def test_a_notice_takes_the_board_at_once_and_gives_it_back() -> None:
    bench = Bench()
    (sign,) = bench.signs
    bench.keeper.show(content())
    bench.run(15)
    held = BoardContent(results=content().results, notice=line("FLOOR CALLED", Colour.RED))
    bench.keeper.show(held)
    bench.until(lambda: sign.pages == [["FLOOR CALLED"]], within=0.7)
    bench.run(30)
    assert sign.pages == [["FLOOR CALLED"]]
    bench.keeper.show(content())
    bench.until(lambda: sign.pages == shown(content()), within=2)


def test_a_notice_is_back_after_a_power_cut_before_anything_else(bench: Bench) -> None:
    (sign,) = bench.signs
    bench.keeper.show(BoardContent(results=content().results, notice=line("FLOOR CALLED")))
    bench.run(10)
    sign.power_cycle()
    bench.until(lambda: sign.pages == [["FLOOR CALLED"]], within=2)


def test_several_signs_on_one_line_show_each_their_panels() -> None:
    options = ReaderBoardOptions(
        signs=(
            SignOptions(address="01", panels=("results",)),
            SignOptions(address="02", panels=("table", "statistics"), rows=4),
            SignOptions(address="0A", panels=("table",), rows=1, columns=12),
        )
    )
    first, second, third = SimulatedSign("01"), SimulatedSign("02", rows=4), SimulatedSign("0A", rows=1, columns=12)
    bench = Bench(first, second, third, options=options)
    bench.keeper.show(content())
    bench.until(lambda: bench.keeper.is_right, within=5)
    bench.run(20)
    assert first.pages == shown(content(), "results")
    assert second.pages == shown(content(), "table statistics", rows=4)
    assert third.pages == [["PLACE YOUR B"], ["$10 - $500"]]

    second.power_off()
    bench.until(lambda: bench.keeper.signs[1].presence == "silent", within=5)
    bench.keeper.show(content(outcome="TIE AT 6"))
    bench.until(lambda: first.pages == shown(content(outcome="TIE AT 6"), "results"), within=3)
    second.power_on()
    bench.until(lambda: second.pages == shown(content(), "table statistics", rows=4), within=5)
    bench.until(lambda: all(sign.presence == "there" for sign in bench.keeper.signs), within=3)


def test_between_two_packets_there_is_always_the_gap_that_a_sign_needs(bench: Bench) -> None:
    rng = random.Random(5)
    for number in range(30):
        bench.keeper.show(content(outcome=f"HAND {number}"))
        bench.run(rng.uniform(0, 2))
    answered = 0.05
    gaps = [begin - end for (_, end), (begin, _) in zip(bench.sent, bench.sent[1:], strict=False)]
    assert min(gaps) >= answered - 1e-9
    short = sum(gap < bench.options.gap_ms / 1000 - 1e-9 for gap in gaps)
    assert short <= bench.statistics.messages_taken


def test_an_idle_board_costs_little_of_the_line(bench: Bench) -> None:
    before = len(bench.sent)
    bench.run(60)
    busy = sum(end - begin for begin, end in bench.sent[before:])
    assert len(bench.sent) - before <= (2.5 + 1) * 60 + 2, "two and a half questions and a line sent again a second"
    assert busy < 60 * 0.12


def test_a_clear_goes_first_where_the_sign_wants_it_and_is_waited_for() -> None:
    options = ReaderBoardOptions(signs=(SignOptions(address="01"),), clear_first=True, settle_ms=2000)
    bench = Bench(SimulatedSign("01", restart_s=1.9), options=options)
    (sign,) = bench.signs
    bench.keeper.show(content())
    bench.until(lambda: sign.pages == shown(content()), within=4)
    bench.run(10)
    kinds = [type(command) for command in sign.obeyed if isinstance(command, ClearMemory | ConfigureMemory)]
    assert kinds == [ClearMemory, ConfigureMemory]


def test_somebody_elses_table_is_replaced() -> None:
    sign = SimulatedSign("01")
    bench = Bench(sign)
    bench.keeper.show(content())
    bench.run(15)
    other = Bench(sign, options=ReaderBoardOptions(signs=(SignOptions(address="01", panels=("table",)),)))
    other.keeper.show(content())
    other.until(lambda: sign.pages == shown(content(), "table"), within=2)
    bench.until(lambda: sign.pages == shown(content()), within=3)


def test_a_sign_that_does_not_keep_its_table_gets_plain_texts_and_is_reported() -> None:
    bench = Bench(SimulatedSign("01", memory=0x0400))
    (sign,) = bench.signs
    bench.keeper.show(content())
    bench.run(20)
    assert sign.pages == shown(content())
    assert "memory configuration" in bench.keeper.signs[0].trouble
    bench.keeper.show(content(outcome="TIE AT 6"))
    bench.until(lambda: sign.pages == shown(content(outcome="TIE AT 6")), within=2)
    assert len(written(sign, ConfigureMemory)) == 3


def test_the_echo_of_a_line_is_not_taken_for_an_answer() -> None:
    bench = Bench(SimulatedSign("01", answers=False), echo=True)
    bench.keeper.show(content())
    bench.run(10)
    assert bench.keeper.signs[0].presence == "silent"
    assert not bench.keeper.receives_something_else
    assert bench.statistics.messages_taken == 0


def test_nothing_is_written_before_there_is_something_to_show() -> None:
    bench = Bench()
    bench.run(10)
    assert not written(bench.signs[0], WriteText)
    assert not written(bench.signs[0], ConfigureMemory)
    assert bench.keeper.signs[0].presence == "there"


def test_a_line_that_is_too_long_loses_the_end_that_matters_less() -> None:
    options = ReaderBoardOptions(signs=(SignOptions(address="01", panels=("results",), columns=10),))
    bench = Bench(SimulatedSign("01", columns=10), options=options)
    (sign,) = bench.signs
    bench.keeper.show(content(outcome="BANKER WINS 7 TO 3", history="BBBBBBBBBBPT"))
    bench.run(10)
    assert sign.pages == [["BANKER WIN", "BBBBBBBBPT"]]


def test_characters_that_a_sign_has_not_are_question_marks() -> None:
    bench = Bench(options=ReaderBoardOptions(signs=(SignOptions(address="01", panels=("results",)),)))
    bench.keeper.show(BoardContent(results=(line("ZÜRICH ~\x04"), line(""))))
    bench.run(10)
    assert bench.signs[0].pages == [["Z?RICH ??", " "]]


def test_the_widest_board_in_all_colours_fits_into_a_signs_files() -> None:
    every: tuple[PanelName, ...] = ("results", "table", "statistics", "previous")
    options = ReaderBoardOptions(signs=(SignOptions(address="01", columns=40, panels=every),))
    bench = Bench(SimulatedSign("01", columns=40), options=options)
    wild = SignLine(tuple(Span(letter, colour) for letter in "BPTD8" for colour in list(Colour)[:8]))
    bench.keeper.show(
        BoardContent(results=(wild,) * 2, table=(wild,) * 2, statistics=(wild,) * 6, previous=(wild,) * 6, notice=wild)
    )
    bench.run(60)
    (sign,) = bench.signs
    assert sign.pages == [[wild.text]]
    assert sign.errors == 0
    bench.keeper.show(
        BoardContent(results=(wild,) * 2, table=(wild,) * 2, statistics=(wild,) * 6, previous=(wild,) * 6)
    )
    bench.until(lambda: sign.pages == [[wild.text, wild.text]] * 8, within=5)
    assert sign.errors == 0
