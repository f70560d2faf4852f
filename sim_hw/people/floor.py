"""The floor: puts right what went wrong at a table, as a supervisor would at the console.

A held table is resumed, or its stray card is played next, or the round is void; a card that was read as another one is
amended; alarms are acknowledged, a drop that is wrong is explained; a poker table gets its button, blinds and stacks
between hands.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from sim_hw.people.baccarat import TableSaidNo
from sim_hw.people.felt import Laid
from sim_hw.people.jackpots import statements
from sim_hw.people.sight import Floor, Sight

if TYPE_CHECKING:
    from sim_hw.people.crew import Crew

FLOOR = "floor"
GIVES_UP = 0.1
"""How often the floor voids a held round that could go on."""
SHORT_DEAL = 20
"""Cards on the table up to which that is so; the more of a deal is done, the more rarely it is given up."""
NOTICES = 0.8
"""How often somebody sees that a card lies there as another one than the board says."""
DROP_ALARM = "drop:"
"""What the names of alarms about a box and what fell into it begin with."""
CALLED = "floor_called"
"""The alarm of somebody who called; it goes on until somebody at the table ends the call."""
FOUND = {
    "clock": "the clock was compared with a watch",
    "counters:": "the cards were counted, and the draws looked up on video",
    "quarantine:": "looked up on video; the technician knows",
}
"""What the floor states about an alarm that goes on until somebody does, by what its name begins with."""
SEEN_TO = ("acknowledged_before", "no_such_alarm")
"""Why the table does not let the floor acknowledge an alarm: somebody did, or it is long over."""
QUESTIONS = ("stub_exhausted", "no_claim_to_the_pot")
"""Holds in which the floor is asked and nothing has gone wrong; others ask for a seat."""
SAME_TROUBLE = 4
"""Holds of one round after which the floor has had enough of it."""


class FloorSupervisor:
    """One supervisor, who comes when called."""

    def __init__(self, rng: random.Random, jackpots: random.Random | None = None) -> None:
        """`jackpots`: what the floor states about them, apart from everything else that it decides."""
        self._rng = rng
        self._round, self._holds = -1, 0
        self._looked_at: set[tuple[int, Laid]] = set()
        self._seats: list[int] = []
        """Who plays, where players play against each other."""
        self._acknowledged: set[tuple[str, str]] = set()
        """Alarms that were read, by name and text, for as long as they last."""
        self._jackpot_rng = jackpots or random.Random(0)
        self._jackpots_of = 0
        """The hand after which the floor last looked at the jackpots."""
        self.done: dict[str, int] = {}
        """How often the floor did what."""

    async def decide(self, crew: Crew, want: Floor, sight: Sight) -> None:
        """A held table."""
        await crew.pause(3.0, 15.0)
        if not want.choices:
            await self.set_table(crew, sight)
            return
        self._holds = self._holds + 1 if sight.round == self._round else 1
        self._round = sight.round
        do = self._choice(want, sum(len(hand) for hand in sight.hands.values()))
        if do == "resume":
            crew.felt.forget_strays()
        act: dict[str, Any] = {"kind": "floor", "do": do, "reason": f"{want.code}: {want.text}"[:120]}
        if want.seats and do != "void":
            act["seat"] = self._rng.choice(want.seats)
        await self._act(crew, act, do)

    def _choice(self, want: Floor, cards: int) -> str:
        is_question = bool(want.seats) or want.code in QUESTIONS
        gives_up = self._holds > SAME_TROUBLE or (
            not is_question and self._rng.random() < GIVES_UP * SHORT_DEAL / max(SHORT_DEAL, cards)
        )
        if "void" in want.choices and gives_up:
            return "void"
        others = [do for do in want.choices if do != "void"]
        if "use_next" in others and (want.code not in ("overdraw", "card_not_expected") or self._rng.random() < 0.7):
            others.remove("use_next")
        return self._rng.choice(others) if others else self._rng.choice(want.choices)

    async def put_right(self, crew: Crew, card: Laid, sight: Sight) -> None:
        """A card was read as another one: amend the input that brought it, or void what cannot be amended."""
        key = (sight.round, card)
        if key in self._looked_at:
            return
        self._looked_at.add(key)
        if self._rng.random() >= NOTICES:
            return
        await crew.pause(5.0, 20.0)
        fed = await crew.console.round(by=FLOOR)
        draws = [one for one in fed["inputs"] if one["kind"] in ("card_out", "stack_out")]
        if fed["round"] != sight.round or card.draw >= len(draws):
            return
        one, really = draws[card.draw], list(crew.felt.draws[card.draw])
        body: dict[str, Any] = (
            {"kind": "card_out", "card": really[0]}
            if one["kind"] == "card_out"
            else {"kind": "stack_out", "cards": really}
        )
        change = {"index": one["index"], "body": body}
        act = {"kind": "amend", "round": sight.round, "changes": [change], "reason": "a card was misread"}
        try:
            await self._act(crew, act, "amend")
        except TableSaidNo:
            if sight.phase in ("dealing", "held"):
                await self._act(crew, {"kind": "floor", "do": "void", "reason": "a card was misread"}, "void")
            return
        corrected = await crew.look()
        crew.felt.resync(corrected.hands)

    async def see_to_alarms(self, crew: Crew, sight: Sight) -> None:
        """Acknowledge what the floor has not read yet; explain a drop while it differs, and what else waits for that.

        An alarm is known by its text: a box that went with what was missing, and the next box with something else
        missing, have the same name.
        """
        self._acknowledged &= set(sight.alarms.items())
        for alarm, text in sight.alarms.items():
            try:
                if (alarm, text) not in self._acknowledged:
                    await crew.pause(2.0, 10.0)
                    await self._act(crew, {"kind": "acknowledge", "alarm": alarm}, "acknowledge")
                    self._acknowledged.add((alarm, text))
                if alarm == CALLED:
                    await self._act(crew, {"kind": "call_floor", "is_over": True}, "call_over")
                if alarm.startswith(DROP_ALARM):
                    box = alarm.removeprefix(DROP_ALARM)
                    act = {"kind": "explain_drop", "box": box, "reason": "looked up on video"}
                    await self._act(crew, act, "explain_drop")
                reason = next((words for name, words in FOUND.items() if alarm.startswith(name)), None)
                if reason is not None:
                    act = {"kind": "explain_alarm", "alarm": alarm, "reason": reason}
                    await self._act(crew, act, "explain_alarm")
            except TableSaidNo as no:
                if any(f": {why}: " in str(no) for why in SEEN_TO):
                    self._acknowledged.add((alarm, text))

    async def see_to_jackpots(self, crew: Crew, sight: Sight) -> None:
        """Once after each hand: hits, fees of void rounds, adjustments."""
        if not sight.jackpots or sight.round == self._jackpots_of or sight.phase in ("dealing", "held"):
            return
        self._jackpots_of = sight.round
        for act in statements(sight, self._jackpot_rng):
            try:
                await self._act(crew, act, str(act["kind"]))
            except TableSaidNo:
                continue

    async def set_table(self, crew: Crew, sight: Sight) -> None:
        """Seats, button, blinds and stacks of the next hand, where players bet against each other."""
        stakes, among = crew.habits.stakes, list(crew.habits.seats)
        most = min(len(among), stakes.most or len(among))
        is_again = bool(sight.last.get("void"))
        if not self._seats or not (is_again or _with_outcome(sight, "carried")):
            # Else nobody leaves and nobody comes: a void hand is dealt again, or a pot is carried to the next deal.
            self._seats = sorted(self._rng.sample(among, self._rng.randint(min(stakes.fewest, most), most)))
        seats = self._seats
        if not is_again or crew.button not in seats:
            crew.button = next((seat for seat in seats if seat > crew.button), seats[0])
        at = seats.index(crew.button)
        in_order = seats[at:] + seats[:at]
        posting = [*in_order[1:], in_order[0]] if len(seats) > 2 else in_order
        stacks = {str(seat): _bought(self._rng.randrange(20, 120) * stakes.unit // 2, stakes.buy_in) for seat in seats}
        posts = stakes.posts or ("structure", "blinds")
        settings: dict[str, Any] = {"stacks": stacks}
        if "structure" in posts:
            settings["structure"] = None if stakes.structure is None else dict(stakes.structure)
        if "blinds" in posts:
            blinds = zip(posting, stakes.blinds, strict=False)
            settings["blinds"] = {str(seat): cents for seat, cents in blinds}
        if "antes" in posts and stakes.ante:
            settings["antes"] = {str(seat): stakes.ante for seat in seats}
        if "first_player" in posts:
            settings["first_player"] = _winner(sight, seats)
        act = {"kind": "table_set", "seats": seats, "button": crew.button, "settings": settings}
        await self._act(crew, act, "table_set")

    async def _act(self, crew: Crew, act: dict[str, Any], what: str) -> None:
        await crew.say(act, by=FLOOR)
        self.done[what] = self.done.get(what, 0) + 1


def _bought(cents: int, buy_in: tuple[int, int | None]) -> int:
    """No less and no more than the printed buy-in."""
    least, most = buy_in
    return max(least, cents if most is None else min(cents, most))


def _winner(sight: Sight, seats: list[int]) -> int | None:
    """Who won the last round, if he is still there."""
    return next((seat for seat in _with_outcome(sight, "win") if seat in seats), None)


def _with_outcome(sight: Sight, outcome: str) -> list[int]:
    """The seats for which the last round ended so."""
    outcomes = sight.last.get("outcome")
    return [int(seat) for seat, how in outcomes.items() if how == outcome] if isinstance(outcomes, dict) else []
