"""A link over the last ten minutes."""

from __future__ import annotations

from controller.technician.status import Link
from devices.link.recent import RecentLink
from protocols.link.session import LinkStatistics


def counted(frames: int, damaged: int) -> LinkStatistics:
    statistics = LinkStatistics.fresh()
    statistics.framing.frames, statistics.framing.crc_errors = frames, damaged
    return statistics


def test_what_was_fixed_an_hour_ago_is_no_trouble() -> None:
    statistics = LinkStatistics.fresh()
    recent = RecentLink(statistics, 0.0)
    statistics.framing.frames, statistics.framing.crc_errors = 500, 400
    assert "came damaged in the last ten minutes" in Link.of(statistics, recent, 30.0).trouble
    for minute in range(60):
        recent.came(60.0 * minute)
    assert Link.of(statistics, recent, 3600.0).trouble == ""
    assert Link.of(statistics).trouble == "400 of 900 frames came damaged"


def test_what_began_now_is_seen_however_long_all_was_well() -> None:
    statistics = counted(1_000_000, 0)
    recent = RecentLink(statistics, 0.0)
    for minute in range(60):
        recent.came(60.0 * minute)
    statistics.framing.frames += 150
    statistics.framing.crc_errors += 50
    found = Link.of(statistics, recent, 3590.0)
    assert found.trouble == "50 of 200 frames came damaged in the last ten minutes"
    assert Link.of(statistics).trouble == ""


def test_a_slow_answer_is_seen_for_ten_minutes() -> None:
    statistics = LinkStatistics.fresh()
    recent = RecentLink(statistics, 0.0)
    recent.answered(1.5, 61.0)
    recent.answered(0.004, 62.0)
    assert Link.of(statistics, recent, 70.0).trouble == "an answer took 1500 ms"
    assert "slowest answer 1500 ms" in Link.of(statistics, recent, 70.0).rows[1]
    for minute in range(2, 14):
        recent.came(60.0 * minute + 1)
    assert Link.of(statistics, recent, 60.0 * 13 + 2).trouble == ""


def test_a_silent_device_has_no_recent_trouble() -> None:
    statistics = counted(500, 400)
    recent = RecentLink(statistics, 0.0)
    assert recent.counts(10_000.0).crc_errors == 0
    assert recent.slowest_answer(10_000.0) is None
