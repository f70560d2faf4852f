"""The jackpots in the time of a report: what was added, paid, put back and adjusted, and what is in the meter."""

from __future__ import annotations

from controller.engine import events as ev
from controller.report.lines import JackpotLine


class Meters:
    """Adds one event after the other."""

    def __init__(self) -> None:
        self._lines: dict[str, JackpotLine] = {}

    def take(self, event: ev.Event) -> None:
        match event:
            case ev.JackpotOpened():
                line = self._line(event.jackpot, 0, 0)
                line.seeded += event.seed
                line.main += event.seed
            case ev.JackpotContributed():
                line = self._line(event.jackpot, event.before, event.reserve_before)
                line.contributed += event.cents
                line.main, line.reserve = event.after, event.reserve_after
            case ev.JackpotPaid():
                line = self._line(event.jackpot, event.before, None)
                line.paid += event.cents
                line.main = event.after
            case ev.JackpotReseeded():
                line = self._line(event.jackpot, event.before, event.reserve_before)
                line.seeded += event.from_house
                line.main, line.reserve = event.after, event.reserve_after
            case ev.JackpotAdjusted(pool="main"):
                line = self._line(event.jackpot, event.before, None)
                line.adjusted += event.cents
                line.main = event.after
            case ev.JackpotAdjusted():
                line = self._line(event.jackpot, None, event.before)
                line.adjusted += event.cents
                line.reserve = event.after

    @property
    def lines(self) -> list[JackpotLine]:
        return list(self._lines.values())

    def _line(self, name: str, main: int | None, reserve: int | None) -> JackpotLine:
        """What is in a meter is known from the first event that states it."""
        line = self._lines.setdefault(name, JackpotLine(name))
        if line.main_before is None and main is not None:
            line.main_before = line.main = main
        if line.reserve_before is None and reserve is not None:
            line.reserve_before = line.reserve = reserve
        return line
