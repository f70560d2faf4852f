"""Who had the player-dealer's position in the time of a report, and for how many hands in a row."""

from __future__ import annotations

from controller.engine import events as ev
from controller.engine.inputs import Place
from controller.report.lines import BankLine


class Banks:
    """Adds one event after the other."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, str], BankLine] = {}
        self._dealing: BankLine | None = None
        self._last: BankLine | None = None
        self._run = 0

    def take(self, event: ev.Event) -> None:
        match event:
            case ev.RoundStarted(player_dealer=int()) if event.bank_hand:
                self._dealing = self._line(event.player_dealer, event.banker, event.firm)
            case ev.RoundStarted():
                self._dealing = None
            case ev.RoundSettled() if self._dealing is not None:
                line = self._dealing
                self._run = self._run + 1 if line is self._last else 1
                self._last = line
                line.hands += 1
                line.longest = max(line.longest, self._run)
            case ev.BankKept():
                self._line(event.place, event.name, event.firm).kept += 1

    @property
    def lines(self) -> list[BankLine]:
        return sorted((line for line in self._lines.values() if line.hands), key=lambda line: (line.firm, line.name))

    def _line(self, place: Place | None, name: str, firm: str) -> BankLine:
        called = name or f"seat {place}"
        return self._lines.setdefault((called, firm), BankLine(called, firm))
