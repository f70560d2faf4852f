"""Fees taken at a moment of the deal: what the schedule charges then, the wait for the drop, the floor's waiver."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from controller.engine import events as ev
from controller.engine.cards.card import Audience, Hand
from controller.engine.expect.expectation import Expectation
from controller.engine.expect.want import Refusal
from controller.engine.expect.wants import WantDrop
from controller.engine.fees.banked import PLAYER_DEALER_WAGER, Stake, assess
from controller.engine.fees.round_fees import RoundFees
from controller.engine.fees.schedule import Moment, NoRate, Schedule
from controller.engine.inputs import FeesIn, Place
from controller.engine.round.script import Move, call_floor
from controller.engine.round.wagers import Wagers

_BEFORE = {"before_deal": "the first card", "before_dice_open": "the cup is opened"}


class FeeCollection:
    """Collects the fees of one round. `awaits_drop`: the round goes on when they are in their boxes."""

    def __init__(
        self, fees: RoundFees, wagers: Wagers, hands: Mapping[str, Hand], events: list[ev.Event], *, awaits_drop: bool
    ) -> None:
        self._fees, self._wagers, self._hands, self._events = fees, wagers, hands, events
        self._awaits_drop = awaits_drop

    def collect(
        self,
        schedule: Schedule | None,
        at: Moment,
        first_action: Place | None,
        dealt: Iterable[Place],
        button: Place | None,
    ) -> Move[None]:
        if schedule is None or not schedule.takes_at(at):
            return
        bank = self._wagers.bank
        try:
            due = assess(schedule, self._stakes(), bank, dealt=dealt, first_action=first_action, button=button)
        except NoRate as error:
            yield from call_floor(self._events, "no_fee_posted", str(error))
            return
        self._fees.action = due.action
        rows = [row for _, row in schedule.in_force() if schedule.moment_of(row) == at]
        if bank is None and any(row.basis == PLAYER_DEALER_WAGER for row in rows):
            text = "the player-dealer's wager was not posted: his fee is not known"
            self._events.append(ev.Irregularity("player_dealer_wager_not_posted", text))
        charges = [charge for charge in due.owed() if charge.moment == at]
        self._fees.owe(schedule, charges)
        if charges and self._awaits_drop:
            yield from self._await_drop(at)

    def _await_drop(self, at: Moment) -> Move[None]:
        """Until the fees are in their boxes, by the sensors or by the dealer's word."""
        fees = self._fees
        boxes = {box: cents for box, cents in fees.boxes.items() if cents}
        how = "sensor"
        while left := {box: c for box, c in fees.boxes.items() if c and box not in fees.sensed}:
            body = yield Expectation((WantDrop(left, _BEFORE.get(at, "the round goes on")),))
            if type(body) is FeesIn:
                how = "dealer"
                break
        if fees.boxes:
            self._events.append(ev.FeesDropped(boxes, how))

    def _stakes(self) -> list[Stake]:
        """The wagers that are down, each with its class in a collection schedule."""
        classes = self._wagers.classes
        return [
            Stake(place, wager, classes.get(wager, wager), cents)
            for place, placed in self._wagers.book.items()
            for wager, cents in placed.items()
        ]

    def give_free_collections(self) -> None:
        """A base wager that found no action, where the room gives a button for it (village, 209, 374)."""
        schedule = self._fees.schedule
        if schedule is None or schedule.no_action != "free_collection_button":
            return
        classes = self._wagers.classes
        for line in self._wagers.settlement.lines:
            if line.uncovered and not line.net and classes.get(line.wager) == "base":
                self._fees.give_free_collection(line.place)

    def waive(self, reason: str) -> Refusal | None:
        """The floor takes no fees for this hand, while the posted schedule's room allows it."""
        refusal = self.waiver_refusal()
        if refusal is None:
            self._fees.waive(reason)
        return refusal

    def waiver_refusal(self) -> Refusal | None:
        """Why the fees of this hand cannot be waived now."""
        schedule = self._fees.schedule
        if schedule is None or schedule.waiver == "none":
            return Refusal("no_waiver", "no rule is posted by which the fees of a hand may be waived")
        if self._fees.waiver is not None:
            return Refusal("waived_already", "the fees of this hand are waived")
        if schedule.waiver == "before_first_card" and any(hand.slots for hand in self._hands.values()):
            return Refusal("too_late_to_waive", "fees are waived before the first card")
        bank = self._hands.get("player_dealer")
        if bank is not None and any(slot.audience is Audience.ALL for slot in bank.slots):
            return Refusal("too_late_to_waive", "fees are waived before the player-dealer's hand is exposed")
        return None
