"""A baccarat table whose hands pay a jackpot fee: $1, or $2 where the wager is above $200.

table = JackpotTable(BAD_BEAT)
table.play()                    # round 1 adds $2
table.hit()
assert table.meter.paid
"""

from __future__ import annotations

from typing import Any

from controller.engine import events as ev
from controller.engine.fees.schedule import FeeRow
from controller.engine.inputs import AnyBody
from controller.engine.jackpot.meters import Jackpots, Meter
from controller.engine.jackpot.rules import Jackpot, Prize, Recognised, Share
from controller.engine.jackpot_inputs import JackpotHit
from tests.support.running.drops import DropTable

FLOOR = "floor:ann"
FEES = (
    FeeRow("player", "player_wager", 100, per="player", lowest=100, highest=20_000, drop="jackpot"),
    FeeRow("player", "player_wager", 200, per="player", lowest=20_100, drop="jackpot"),
)
BAD_BEAT = Jackpot(
    "bad-beat",
    "Bad Beat",
    main=80,
    reserve=20,
    seed=100_000,
    round_to=100,
    prizes=(
        Prize(
            "natural",
            "Player's natural nine against a seven",
            (Share("winner", 3), Share("table", 1, may_be_nobody=True)),
            recognise=Recognised(cards="9T"),
        ),
        Prize("small", "A fixed prize", (Share("winner"),), cents=5_000),
    ),
)


class JackpotTable(DropTable):
    """One table with a jackpot fee; without jackpots the house has entered no rules."""

    def __init__(self, *jackpots: Jackpot, **readings: Any) -> None:
        super().__init__(jackpots=jackpots, **{"fee": FEES, "on_void": "floor_decides", **readings})

    @property
    def kept(self) -> Jackpots:
        return self.engine.state.jackpots

    @property
    def meter(self) -> Meter:
        (meter,) = self.kept.meters.values()
        return meter

    def bet(self, cents: int = 20_100) -> None:
        super().bet(cents)

    def hit(self, round_number: int | None = None, **given: Any) -> list[ev.Event]:
        number = self.engine.round_number if round_number is None else round_number
        fields: dict[str, Any] = {
            "jackpot": "bad-beat",
            "prize": "natural",
            "round": number,
            "hand": "9h Tc",
            "seats": {"winner": (1,), "table": (2, 8)},
            "reason": "seen on video",
        }
        return self.do(JackpotHit(**{**fields, **given}), by=FLOOR)

    def refusal(self, body: AnyBody) -> str:
        """Why the table refuses this; empty where it does not."""
        (first, *_) = self.do(body, by=FLOOR)
        return first.why if isinstance(first, ev.Refused) else ""

    def contributed(self) -> list[tuple[int, str, int]]:
        """Each change by fees: round, why, cents."""
        return [(one.round, one.why, one.cents) for one in self.all(ev.JackpotContributed)]

    def problems(self) -> list[str]:
        """What does not add up now."""
        state = self.engine.state
        carried = sum(paid.cents for paid in state.fees_carried.paid if paid.box == "jackpot")
        due = state.all_fees_due.get("jackpot", 0)
        found = [f"{name} is not even" for name, meter in self.kept.meters.items() if not meter.is_even]
        if self.kept.contributed != due - self.kept.aside - carried:
            found.append(f"{self.kept.contributed} in, {due} due, {self.kept.aside} aside, {carried} carried")
        return found
