"""Money before the deal: wagers within their limits, the bank, the fees that gate the cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.bets.wagers import Book, WagerRule, plain_limits, within_limits
from controller.engine.cards.card import Audience
from controller.engine.expect.expectation import Expectation, Refusal, WantDrop, WantWagers
from controller.engine.expect.lazy import Deferred
from controller.engine.fees import PLAYER_DEALER_WAGER, Moment, NoRate, Schedule, Stake, assess
from controller.engine.inputs import AnyBody, BankPosted, BetsClosed, FeesIn, Place, WagerPlaced, place_of
from controller.engine.money.bank import Settlement
from controller.engine.round.felt_laid import Laid, Move, T

DROP_BEFORE = {"before_deal": "the first card", "before_dice_open": "the cup is opened"}


class FeltMoney(Laid):
    """Wagers and fees."""

    def take_wagers(
        self, rules: Sequence[WagerRule], schedule: Schedule | None = None, *, noted: Callable[[], None] | None = None
    ) -> Move[Book]:
        """Wagers and the bank until the dealer or the timer closes them. A table that records none goes on at once.

        The table limits are those of the posted schedule, where there is one; `noted` is called after each change.
        """
        self.open_wagers(rules, schedule, noted=noted)
        if self.bets_open:
            waiting = self.only_wagers = Expectation((self._wagers_wanted,))
            while self.bets_open:
                self.bet((yield waiting))
        return self.book

    def wait_for_wagers(self) -> Move[None]:
        """One more wager, the bank, or the word that closes the betting."""
        self.bet((yield Expectation((self._wagers_wanted,))))

    def open_wagers(
        self,
        rules: Sequence[WagerRule],
        schedule: Schedule | None = None,
        *,
        noted: Callable[[], None] | None = None,
        seats: Iterable[int] | None = None,
    ) -> None:
        """From here on wagers may be placed, while `take_wagers` or `while_betting` waits for them.

        `seats`: who may bet, where the player-dealer's own seat is among them.
        """
        self.fees.schedule = schedule
        if not self.setup.records_wagers:
            return
        self._wagers, self._noted = self._limited(tuple(rules), schedule), noted
        self._plain_wagers = plain_limits(self._wagers)
        among = [s for s in self.seats if s != self.player_dealer] if seats is None else seats
        self._betting_seats = tuple(among)
        self._wagers_wanted = WantWagers(self._wagers, self._betting_seats, self.book)
        self.bets_open = True

    def while_betting(self, move: Move[T]) -> Move[T]:
        """A move of the deal, wagers being placed beside it as long as they are open. Nothing else is waited for before
        the first wager stands."""
        try:
            waiting = next(move)
            while True:
                beside = waiting
                if self.bets_open:
                    told = waiting.told() if isinstance(waiting, Deferred) else waiting
                    wants = told.wants if self.left or any(self.book.values()) else ()
                    beside = replace(told, wants=(self._wagers_wanted, *wants))
                body = yield beside
                if isinstance(body, WagerPlaced | BankPosted | BetsClosed):
                    self.bet(body)
                else:
                    waiting = move.send(body)
        except StopIteration as done:
            value: T = done.value
            return value

    def take_plain(self, body: WagerPlaced) -> bool:
        """Takes one of the many wagers that are legal by their amount alone; False: `judge` has to look closer."""
        place, wager, cents = body.place, body.wager, body.cents
        limits = self._plain_wagers.get(wager)
        if limits is None or not limits[0] <= cents <= limits[1] or place not in self._betting_seats:
            return False
        standing = self.book.get(place)
        if standing is None:
            self.book[place] = {wager: cents}
        else:
            standing[wager] = cents
        self.events.append(ev.WagerSet(place, wager, cents))
        if self._noted is not None:
            self._noted()
        return True

    def take_bank(self, body: BankPosted) -> bool:
        """The player-dealer's money, likewise."""
        for cents in body.spots:
            if cents < 0:
                return False
        self.bet(body)
        return True

    def bet(self, body: AnyBody | None) -> None:
        """A wager, the bank or the word that closes the betting, once it was judged to be legal."""
        if type(body) is WagerPlaced:
            place, wager, cents = place_of(body.place), body.wager, body.cents
            standing = self.book.get(place)
            if standing is None:
                standing = self.book[place] = {}
            if cents:
                standing[wager] = cents
            else:
                standing.pop(wager, None)
            self.events.append(ev.WagerSet(place, wager, cents))
        elif type(body) is BankPosted:
            self.bank = body.spots
            self.settlement = Settlement(body.spots)
            self.emit(ev.BankSet(body.spots))
        elif type(body) is BetsClosed:
            self.close_wagers()
            return
        if self._noted is not None:
            self._noted()

    def close_wagers(self) -> None:
        """No more bets."""
        if not self.bets_open:
            return
        self.bets_open = False
        book, placed = self.book, 0
        taken_back: list[Place] = []
        for place, wagers in book.items():
            if not wagers:
                taken_back.append(place)
            for cents in wagers.values():
                placed += cents
        for place in taken_back:
            del book[place]
        self.emit(ev.BettingClosed(placed))

    def _limited(self, rules: tuple[WagerRule, ...], schedule: Schedule | None) -> tuple[WagerRule, ...]:
        if schedule is None:
            return within_limits(rules, self.setup.min_wager, self.setup.min_wager, self.setup.max_wager)
        # Schedules post what a base wager may be; a bonus bet only has to stay below the top, or has limits of its own.
        limited = within_limits(rules, schedule.table_min, 0, schedule.wager_max)
        if not schedule.bonus:
            return limited
        return tuple(_as_posted(rule, schedule) if rule.counts_as == "bonus" else rule for rule in limited)

    def collect_fees(
        self,
        schedule: Schedule | None,
        at: Moment,
        *,
        first_action: Place | None = None,
        dealt: Iterable[Place] = (),
        button: Place | None = None,
    ) -> Move[None]:
        """The fees of the posted schedule that are taken at this moment, if any; docs/fees.md has the moments.

        `first_action`: whose wager is acted on first, once that is known. `dealt`: who pays for a hand without a wager.
        Where the table waits for the drop, the round goes on when the fees are in their boxes.
        """
        if schedule is None or not schedule.takes_at(at):
            return
        stakes = self._fee_stakes()
        try:
            due = assess(schedule, stakes, self.bank, dealt=dealt, first_action=first_action, button=button)
        except NoRate as error:
            yield from self.call_floor("no_fee_posted", str(error))
            return
        self.fees.action = due.action
        rows = [row for _, row in schedule.in_force() if schedule.moment_of(row) == at]
        if self.bank is None and any(row.basis == PLAYER_DEALER_WAGER for row in rows):
            text = "the player-dealer's wager was not posted: his fee is not known"
            self.emit(ev.Irregularity("player_dealer_wager_not_posted", text))
        charges = [charge for charge in due.owed() if charge.moment == at]
        self.fees.owe(schedule, charges)
        if charges and self.setup.awaits_drop:
            yield from self._await_drop(at)

    def _await_drop(self, at: Moment) -> Move[None]:
        """Until the fees are in their boxes, by the sensors or by the dealer's word."""
        boxes = {box: cents for box, cents in self.fees.boxes.items() if cents}
        how = "sensor"
        while left := {box: c for box, c in self.fees.boxes.items() if c and box not in self.fees.sensed}:
            body = yield Expectation((WantDrop(left, DROP_BEFORE.get(at, "the round goes on")),))
            if type(body) is FeesIn:
                how = "dealer"
                break
        if self.fees.boxes:
            self.emit(ev.FeesDropped(boxes, how))

    def _fee_stakes(self) -> list[Stake]:
        """The wagers that are down, each with its class in a collection schedule."""
        classes = {rule.id: rule.counts_as for rule in self._wagers}
        return [
            Stake(place, wager, classes.get(wager, wager), cents)
            for place, wagers in self.book.items()
            for wager, cents in wagers.items()
        ]

    def give_free_collections(self) -> None:
        """A base wager that found no action, where the room gives a button for it (village, 209, 374)."""
        schedule = self.fees.schedule
        if schedule is None or schedule.no_action != "free_collection_button":
            return
        classes = {rule.id: rule.counts_as for rule in self._wagers}
        for line in self.settlement.lines:
            if line.uncovered and not line.net and classes.get(line.wager) == "base":
                self.fees.give_free_collection(line.place)

    def waive_fees(self, reason: str) -> Refusal | None:
        """The floor takes no fees for this hand, while the posted schedule's room lets it."""
        refusal = self.waiver_refusal()
        if refusal is None:
            self.fees.waive(reason)
        return refusal

    def waiver_refusal(self) -> Refusal | None:
        """Why the fees of this hand cannot be waived now."""
        schedule = self.fees.schedule
        if schedule is None or schedule.waiver == "none":
            return Refusal("no_waiver", "no rule is posted by which the fees of a hand may be waived")
        if self.fees.waiver is not None:
            return Refusal("waived_already", "the fees of this hand are waived")
        if schedule.waiver == "before_first_card" and any(hand.slots for hand in self.hands.values()):
            return Refusal("too_late_to_waive", "fees are waived before the first card")
        bank = self.hands.get("player_dealer")
        if bank is not None and any(slot.audience is Audience.ALL for slot in bank.slots):
            return Refusal("too_late_to_waive", "fees are waived before the player-dealer's hand is exposed")
        return None


def _as_posted(rule: WagerRule, schedule: Schedule) -> WagerRule:
    """A bonus wager within the limits that the schedule posts for it."""
    if schedule.bonus not in (rule.id, "bonus"):
        return rule
    return replace(
        rule,
        min=schedule.bonus_min or 0,
        max=schedule.bonus_max,
        min_code="below_bonus_min",
        max_code="above_bonus_max",
    )
