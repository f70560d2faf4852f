"""The jackpots of a table: fees added when a round is over, what the floor states, payouts and seeds.

The amounts are in `engine/jackpot`. A fee is counted when its round is over, because until then it may be waived,
replaced or cancelled; what the box really got is compared with what is due elsewhere (`engine/drop`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.amounts import money
from controller.engine.expect.want import Refusal
from controller.engine.fees.round_fees import RoundFees
from controller.engine.fees.schedule import JACKPOT
from controller.engine.inputs import DropExplained, Input, kind_of
from controller.engine.jackpot.meters import (
    Jackpots,
    Meter,
    Proposal,
    PublishedMeter,
    RoundFee,
    divided,
    payout,
    published,
    reseeded,
)
from controller.engine.jackpot.recognise import proposals, shown_hands
from controller.engine.jackpot.rules import UNRULED, Jackpot, Prize, in_force
from controller.engine.jackpot_inputs import JackpotAdjust, JackpotFee, JackpotHit, JackpotNotHit
from controller.engine.round.felt import Table
from controller.engine.table.current_round import Shared
from controller.engine.table.devices.drop import TableDrop

Handler = Callable[[Input], list[ev.Event]]
Why = Literal["fees", "corrected", "cancelled", "void_fee_kept", "by_the_clock"]
NO_REASON = Refusal("no_reason", "state why")


class TableJackpots:
    """Keeps the meters, and answers what the floor states about them."""

    def __init__(self, shared: Shared, drop: TableDrop) -> None:
        self._rules, self._lasting, self._current = shared.rules, shared.lasting, shared.current
        self._drop = drop

    # What there is to know

    @property
    def in_force(self) -> tuple[Jackpot, ...]:
        """The jackpots that this table's fees feed, with their rules."""
        return in_force(self._lasting.state.setup.jackpots, takes_fee=self._rules.takes_jackpot_fee)

    @property
    def published(self) -> tuple[PublishedMeter, ...]:
        """Every meter as screens and broker show it."""
        return published(self._kept, self.in_force)

    @property
    def eligible_rounds(self) -> tuple[RoundFee, ...]:
        """Rounds for which a hit may be stated now, the newest first."""
        return tuple(one for one in reversed(self._kept.rounds) if not one.void)

    @property
    def _kept(self) -> Jackpots:
        return self._lasting.state.jackpots

    def _keep(self, jackpots: Jackpots) -> None:
        self._lasting.change(jackpots=jackpots)

    # Meters begin

    def opening(self, handler: Handler) -> Handler:
        """This handler, after which other jackpots may be in force: their meters begin."""

        def handle(value: Input) -> list[ev.Event]:
            events = handler(value)
            return events + self._open(self.in_force) if not self._current.is_dealing else events

        return handle

    def _open(self, jackpots: Iterable[Jackpot]) -> list[ev.Event]:
        events: list[ev.Event] = []
        for one in jackpots:
            if one.name not in self._kept.meters:
                self._set(one.name, Meter(one.seed, seeded=one.seed))
                events.append(ev.JackpotOpened(one.name, one.called, one.seed, one.source))
        return events

    def _set(self, name: str, meter: Meter) -> None:
        assert meter.is_even
        self._keep(replace(self._kept, meters={**self._kept.meters, name: meter}))

    # Fees

    def round_over(self, table: Table, *, void: bool) -> list[ev.Event]:
        """The round is over: its fee is counted, and a hand that may be a hit is proposed."""
        events = self.count_fees(table.fees, void=void)
        return events if void else events + self._propose(table)

    def count_fees(self, fees: RoundFees, *, void: bool) -> list[ev.Event]:
        """The jackpot fee of a round that is over goes into the meters, or aside."""
        state = self._lasting.state
        carried = sum(paid.cents for paid in state.fees_carried.paid if paid.box == JACKPOT)
        if not (self.in_force or carried):
            return []
        owed = fees.boxes.get(JACKPOT, 0)
        if void:
            # A fee that stays in the box for the next deal counts there.
            stays = fees.schedule is not None and fees.schedule.on_void == "kept"
            record = RoundFee(state.rounds, 0, 0 if stays else owed, void=True)
        else:
            record = RoundFee(state.rounds, owed + (carried if fees.schedule is not None else 0))
        events = self._record(state.rounds, record, "fees")
        if record.aside:
            events.append(ev.JackpotFeeAside(record.round, record.aside))
        return events

    def _record(self, number: int, record: RoundFee | None, why: Why) -> list[ev.Event]:
        """What a round gave, in the place of what it had given; None: it is not over any more."""
        old = self._kept.of_round(number)
        if record is None and old is not None and (old.cancelled or old.hits):
            record = RoundFee(number, void=True)
        return self._replace(number, None if record is None else record.after(old), why)

    def _replace(self, number: int, record: RoundFee | None, why: Why) -> list[ev.Event]:
        old = self._kept.of_round(number)
        events = self._add(number, 0 if old is None else old.cents, 0 if record is None else record.cents, why)
        self._keep(self._kept.with_round(number, record))
        return events

    def _add(self, number: int, before: int, after: int, why: Why) -> list[ev.Event]:
        """A fee of `after` cents in the meters, in the place of one of `before`."""
        if before == after:
            return []
        jackpots = self.in_force or (UNRULED,)
        events = self._open(jackpots)
        less, more = divided(before, jackpots), divided(after, jackpots)
        for name, (main, reserve) in more.items():
            added = (main - less[name][0], reserve - less[name][1])
            if any(added):
                events.append(self._contribute(name, number, *added, why))
        return events

    def _contribute(self, name: str, number: int, main: int, reserve: int, why: Why) -> ev.Event:
        old = self._kept.meters[name]
        new = replace(
            old, main=old.main + main, reserve=old.reserve + reserve, contributed=old.contributed + main + reserve
        )
        self._set(name, new)
        return ev.JackpotContributed(name, number, why, main + reserve, old.main, new.main, old.reserve, new.reserve)

    def round_corrected(self, number: int, rerun: Jackpots) -> list[ev.Event]:
        """A round was run again: what it gives now, in the place of what it gave. `rerun`: as that run left them."""
        old, record = self._kept.of_round(number), rerun.of_round(number)
        if old is None and record is None:
            return []
        events = self._record(number, record, "corrected")
        now = self._kept.of_round(number)
        if now is not None and now.aside and (old is None or old.aside != now.aside):
            events.append(ev.JackpotFeeAside(number, now.aside))
        before = self._kept.proposals
        hits = () if old is None else old.hits
        found = [one for one in rerun.proposals if one.round == number and f"{one.jackpot}/{one.prize}" not in hits]
        kept = [one for one in before if one.round != number]
        self._keep(replace(self._kept, proposals=(*kept, *found)))
        return events + [_proposed(one) for one in found if one not in before]

    def explained(self, handler: Handler) -> Handler:
        """The floor's explanation of a drop: a jackpot fee that is not owed after all leaves the meter."""

        def handle(value: Input) -> list[ev.Event]:
            events, body = handler(value), value.body
            assert type(body) is DropExplained
            less = -sum(one.cents for one in events if type(one) is ev.FeeChanged and one.box == JACKPOT)
            return events + self._cancel(less, body.round) if less else events

        return handle

    def _cancel(self, cents: int, number: int | None) -> list[ev.Event]:
        """Fees that are not owed after all leave the meters: of the round that was named, or the newest first."""
        events: list[ev.Event] = []
        for one in reversed(self._kept.rounds):
            if cents and number in (None, one.round):
                changed = one.less(cents)
                cents -= changed.cancelled - one.cancelled
                events += self._replace(one.round, changed, "cancelled")
        # Of a round so long ago that it is not kept.
        return events + self._add(number or self._lasting.state.rounds, cents, 0, "cancelled")

    def by_the_clock(self, events: list[ev.Event]) -> list[ev.Event]:
        """What fell due by the clock, with what that adds to the meters."""
        cents = sum(one.cents for one in events if type(one) is ev.FeeChanged and one.box == JACKPOT)
        return events + self._add(self._lasting.state.rounds, 0, cents, "by_the_clock") if cents else events

    def fee_decided(self, value: Input) -> list[ev.Event]:
        """The floor states what becomes of the jackpot fee of a void round."""
        body = value.body
        assert type(body) is JackpotFee
        record = self._kept.of_round(body.round)
        if record is None or not record.aside:
            return _refused(value, Refusal("nothing_aside", f"no jackpot fee of round {body.round} is set aside"))
        if not body.reason.strip():
            return _refused(value, NO_REASON)
        cents = record.aside
        events: list[ev.Event] = [ev.JackpotFeeDecided(body.round, cents, body.kept, body.reason, value.by)]
        if body.kept:
            return events + self._replace(body.round, replace(record, cents=cents, aside=0), "void_fee_kept")
        self._keep(self._kept.with_round(body.round, record.less(cents)))
        return events + self._drop.give_back(JACKPOT, body.round, cents)

    # Hits

    def _propose(self, table: Table) -> list[ev.Event]:
        jackpots = self.in_force
        if not any(prize.recognise is not None for one in jackpots for prize in one.prizes):
            return []
        result, number = table.result, self._lasting.state.rounds
        hands = shown_hands(result.event(table).hands, result.ranks, result.outcome, table.player_dealer)
        found = tuple(proposals(jackpots, tuple(hands), number))
        if found:
            self._keep(replace(self._kept, proposals=(*self._kept.proposals, *found)))
        return [_proposed(one) for one in found]

    def hit(self, value: Input) -> list[ev.Event]:
        """The floor states a hit: it is paid from the main meter, which is seeded again."""
        body = value.body
        assert type(body) is JackpotHit
        found = self._prize(body.jackpot, body.prize)
        refusal = found if isinstance(found, Refusal) else self._hit_refusal(body, *found)
        if isinstance(found, Refusal) or refusal is not None:
            assert isinstance(refusal, Refusal)
            return _refused(value, refusal)
        jackpot, prize = found
        events = self._open((jackpot,))
        before = self._kept.meters[jackpot.name]
        shares = payout(jackpot, prize, before.main, body.seats)
        cents = sum(share.cents for share in shares)
        if not cents:
            text = f"nothing can be paid: {money(before.main)} is in the meter"
            return _refused(value, Refusal("nothing_to_pay", text))
        after = replace(before, main=before.main - cents, paid=before.paid + cents)
        self._set(jackpot.name, after)
        record = self._kept.of_round(body.round)
        assert record is not None
        name = f"{jackpot.name}/{prize.name}"
        kept = self._kept.with_round(body.round, replace(record, hits=(*record.hits, name)))
        self._keep(kept)
        self._answer(body.jackpot, body.prize, body.round)
        named = {to: tuple(sorted(seats)) for to, seats in body.seats.items()}
        return [
            *events,
            ev.JackpotWasHit(jackpot.name, prize.name, body.round, body.hand, named, body.reason, value.by),
            ev.JackpotPaid(jackpot.name, prize.name, body.round, cents, shares, before.main, after.main),
            *self._reseed(jackpot, after),
        ]

    def _hit_refusal(self, body: JackpotHit, jackpot: Jackpot, prize: Prize) -> Refusal | None:
        record = self._kept.of_round(body.round)
        if record is None:
            if self._current.is_dealing and body.round == self._lasting.state.rounds:
                return Refusal("round_running", f"round {body.round} is not over yet")
            return Refusal("round_not_kept", f"round {body.round} is not among the last rounds of this table")
        if record.void:
            return Refusal("round_void", f"round {body.round} is void")
        if jackpot.needs_fee and not record.cents:
            return Refusal("no_fee", f"no jackpot fee was taken for round {body.round}: nobody is eligible")
        if f"{jackpot.name}/{prize.name}" in record.hits:
            return Refusal("hit_before", f"this prize was stated for round {body.round} before")
        if not body.hand.strip():
            return Refusal("no_hand", "state the hand that qualifies")
        return NO_REASON if not body.reason.strip() else self._seats_refusal(body, prize)

    def _seats_refusal(self, body: JackpotHit, prize: Prize) -> Refusal | None:
        setup = self._lasting.state.setup
        there = {*setup.seats, *(() if setup.player_dealer is None else (setup.player_dealer,))}
        known = [share.to for share in prize.shares]
        for to, seats in body.seats.items():
            if to not in known:
                return Refusal("no_such_share", f"there is no share {to!r}; there is {', '.join(known)}")
            if len(set(seats)) < len(seats):
                return Refusal("seat_twice", f"a seat is named twice for {to}")
            strange = sorted(set(seats) - there) if setup.seats else []
            if strange:
                return Refusal("no_such_seat", f"seat {strange[0]} is not at this table")
        for share in prize.shares:
            if not body.seats.get(share.to) and not share.may_be_nobody:
                return Refusal("no_seat", f"name the seats that get the share {share.to}")
        return None

    def _reseed(self, jackpot: Jackpot, meter: Meter) -> list[ev.Event]:
        if meter.main >= jackpot.seed:
            return []
        from_reserve, from_house = reseeded(jackpot, meter)
        new = replace(
            meter,
            main=meter.main + from_reserve + from_house,
            reserve=meter.reserve - from_reserve,
            seeded=meter.seeded + from_house,
        )
        self._set(jackpot.name, new)
        short = max(0, jackpot.seed - new.main)
        return [
            ev.JackpotReseeded(
                jackpot.name, from_reserve, from_house, meter.main, new.main, meter.reserve, new.reserve, short
            )
        ]

    def not_hit(self, value: Input) -> list[ev.Event]:
        """The floor states that a proposed hand is no hit."""
        body = value.body
        assert type(body) is JackpotNotHit
        if not body.reason.strip():
            return _refused(value, NO_REASON)
        if not self._answer(body.jackpot, body.prize, body.round):
            text = f"no hand of round {body.round} is proposed for this prize"
            return _refused(value, Refusal("not_proposed", text))
        return [ev.JackpotNoHit(body.jackpot, body.prize, body.round, body.reason, value.by)]

    def _answer(self, jackpot: str, prize: str, number: int) -> bool:
        """The floor has decided about a proposal; returns whether there was one."""
        key, before = (jackpot, prize, number), self._kept.proposals
        left = tuple(one for one in before if (one.jackpot, one.prize, one.round) != key)
        self._keep(replace(self._kept, proposals=left))
        return len(left) < len(before)

    def _prize(self, jackpot: str, prize: str) -> tuple[Jackpot, Prize] | Refusal:
        rules = next((one for one in self.in_force if one.name == jackpot), None)
        if rules is None:
            return Refusal("no_such_jackpot", f"no jackpot {jackpot!r} is in force at this table")
        if not rules.prizes:
            return Refusal("no_rules", f"the house has not entered how {rules.called} is paid: docs/table/jackpots.md")
        found = rules.prize(prize)
        if found is None:
            names = ", ".join(one.name for one in rules.prizes)
            return Refusal("no_such_prize", f"{rules.called} has no prize {prize!r}; it has {names}")
        return rules, found

    # Adjustments

    def adjusted(self, value: Input) -> list[ev.Event]:
        """The floor adds to a meter, or takes from it, and states why."""
        body = value.body
        assert type(body) is JackpotAdjust
        if not body.reason.strip():
            return _refused(value, NO_REASON)
        if bool(body.add) == bool(body.take):
            return _refused(value, Refusal("no_amount", "state one amount, to add or to take"))
        events = self._open(one for one in self.in_force if one.name == body.jackpot)
        old = self._kept.meters.get(body.jackpot)
        if old is None:
            return _refused(value, Refusal("no_such_jackpot", f"this table has no jackpot {body.jackpot!r}"))
        cents, before = body.add - body.take, old.main if body.pool == "main" else old.reserve
        if before + cents < min(0, before):
            text = f"{money(before)} is in it; {money(body.take)} cannot be taken"
            return _refused(value, Refusal("not_enough", text))
        changed = {body.pool: before + cents}
        self._set(body.jackpot, replace(old, adjusted=old.adjusted + cents, **changed))
        return [
            *events,
            ev.JackpotAdjusted(body.jackpot, body.pool, cents, body.reason, value.by, before, before + cents),
        ]


def _proposed(one: Proposal) -> ev.Event:
    return ev.JackpotProposed(one.jackpot, one.prize, one.round, one.seats, one.hand)


def _refused(value: Input, refusal: Refusal) -> list[ev.Event]:
    return [ev.Refused(kind_of(value.body), refusal.why, refusal.text, refusal.bounds)]
