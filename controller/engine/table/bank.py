"""The player-dealer's position at one table: hands counted, the position offered and taken, persons named."""

from __future__ import annotations

from typing import Any, Literal

from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.bank.banking import Banker, Banking, bettors_of
from controller.engine.bank.people import Person
from controller.engine.expect.bank import WantBank
from controller.engine.expect.want import Refusal
from controller.engine.inputs import BankAnswered, FloorAct, Input, PersonNamed, Place, kind_of, place_of, seat_of
from controller.engine.round.felt import Setup, Table
from controller.engine.table.current_round import Shared, bank_offer

NOT_HERE = Refusal("no_player_dealer", "this game has no player-dealer's position that rotates")


class TableBank:
    """Counts the hands of each player-dealer, and answers what is said about the position."""

    def __init__(self, shared: Shared) -> None:
        self._rules, self._lasting, self._current = shared.rules, shared.lasting, shared.current

    @property
    def _banking(self) -> Banking | None:
        return self._rules.banking(self._lasting.state)

    @property
    def banker(self) -> Banker | None:
        """Who has the position, and his which hand the running or the next one is."""
        banking = self._banking
        if banking is None or banking.place is None or banking.banker is None:
            return None
        hand = min(banking.hands + 1, banking.rotation.hands)
        return Banker(banking.place, hand, banking.banker.called, banking.banker.firm)

    @property
    def offer(self) -> WantBank | None:
        """The offer of the position, due or not; None while a hand is running."""
        banking = self._banking
        return None if banking is None or self._current.is_dealing else bank_offer(banking)

    # Hands

    def hand_over(self, table: Table, *, void: bool) -> tuple[dict[str, Any], list[ev.Event]]:
        """One more hand of this player-dealer: what changes, and the offer where it is due."""
        banking = self._banking
        if banking is None:
            return {}, []
        book = ((place, wagers.values()) for place, wagers in table.book.items())
        bettors = bettors_of(book) if self._lasting.state.setup.records_wagers else None
        turns = banking.after_hand(bettors, void=void)
        after = banking.with_turns(turns)
        if turns is banking.turns or not after.is_due or banking.place is None:
            return {"turns": turns}, []
        seat = seat_of(banking.place)
        return {"turns": turns}, [ev.BankOfferDue(seat, turns.hands, banking.rotation.kind, after.offered)]

    # The offer

    def answered(self, value: Input) -> list[ev.Event]:
        body, banking = value.body, self._banking
        assert type(body) is BankAnswered
        if banking is None:
            return self._refused(value, NOT_HERE)
        if self._current.is_dealing:
            return self._refused(value, Refusal("round_running", "the position moves between hands only"))
        takes = None if body.takes is None else place_of(body.takes)
        body = BankAnswered(takes, tuple(map(place_of, body.declined)))
        want = bank_offer(banking)
        refusal = want.judge(body)
        if isinstance(refusal, Refusal):
            return self._refused(value, refusal)
        if body.takes is None and not body.declined:
            body = BankAnswered(declined=want.unasked)
        events = self._decline(banking, body.declined)
        if want.any_seat and body.takes is None:
            events = [ev.BankDeclined(())]
        if body.takes is not None:
            events += self._take(body.takes, value.by)
        elif not bank_offer(self._now).unasked:
            events += self._nobody_takes(want)
        self._current.prepare()
        return events

    @property
    def _now(self) -> Banking:
        banking = self._banking
        assert banking is not None
        return banking

    def _decline(self, banking: Banking, places: tuple[Place, ...]) -> list[ev.Event]:
        new = tuple(place for place in dict.fromkeys(places) if place not in banking.turns.declined)
        if not new:
            return []
        self._lasting.change(turns=replace(banking.turns, declined=(*banking.turns.declined, *new)))
        return [ev.BankDeclined(new)]

    def _nobody_takes(self, want: WantBank) -> list[ev.Event]:
        """Everybody has declined: the same goes on, another must bank, or the game is broken."""
        turns = self._lasting.state.turns
        if want.holder is None or turns.holder is None:
            # A table that has not begun: it is offered from the first seat again.
            self._lasting.change(turns=replace(turns, declined=()))
            return []
        holder = self._now.people.person(want.holder)
        if want.rotation == "offer":
            self._lasting.change(turns=replace(turns, hands=0, declined=()))
            return [ev.BankKept(want.holder, holder.called, holder.firm)] if self._now.place is not None else []
        if want.rotation == "stop" and not want.is_broken:
            self._lasting.change(turns=replace(turns, broken_at=self._lasting.now))
            return [ev.GameBroken(want.holder, want.hands, holder.called, holder.firm)]
        return []

    def _take(self, place: Place, by: str) -> list[ev.Event]:
        """The position is this place's; who had it goes back to his seat as a player."""
        setup = self.with_player_dealer(self._lasting.state.setup, seat_of(place))
        self._lasting.change(setup=setup)
        set_to = ev.TableSetTo(setup.seats, setup.player_dealer, setup.button)
        return [*self._taken(place, "offered", by), set_to]

    def with_player_dealer(self, setup: Setup, seat: int | None) -> Setup:
        """The table with another player-dealer, or none. Who had the position is a player again."""
        if self._banking is None or not setup.seats or seat == setup.player_dealer:
            return replace(setup, player_dealer=seat)
        before = () if setup.player_dealer is None else (setup.player_dealer,)
        return replace(setup, seats=tuple(sorted({*setup.seats, *before} - {seat})), player_dealer=seat)

    def _taken(self, place: Place, how: Literal["offered", "set"], by: str) -> list[ev.Event]:
        state = self._lasting.state
        turns, person = state.turns, state.people.person(place)
        self._lasting.change(turns=replace(turns, taken=place, declined=(), broken_at=None))
        events: list[ev.Event] = [ev.BankTaken(place, how, person.called, person.firm)]
        if turns.broken_at is not None:
            events.append(ev.GameResumed("another_player_dealer", by))
        return events

    def resumed(self, value: Input) -> list[ev.Event]:
        """The floor resumes a broken game after a reasonable time: the count begins again."""
        body = value.body
        assert type(body) is FloorAct
        refusal = bank_offer(self._now).judge(body)
        if isinstance(refusal, Refusal):
            return self._refused(value, refusal)
        if refusal is not None:
            return self._refused(value, bank_offer(self._now).no_hand())
        turns = self._lasting.state.turns
        self._lasting.change(turns=replace(turns, hands=0, declined=(), broken_at=None))
        self._current.prepare()
        return [ev.GameResumed("after_a_reasonable_time", value.by, body.reason)]

    # What the house sets

    def refusal_to_set(self, seat: int) -> Refusal | None:
        """Why a seat may not be set as player-dealer; None where it may."""
        banking = self._banking
        if banking is None or banking.rotation.kind == "offer" or not banking.is_spent(seat):
            return None
        text = f"seat {seat} had {banking.turns.hands} hands in a row: somebody else must bank first"
        return Refusal("third_hand", text)

    def set_to(self, seat: int | None, by: str) -> list[ev.Event]:
        """The house has set another player-dealer, or none."""
        if self._banking is None:
            return []
        if seat is not None:
            return self._taken(seat, "set", by)
        self._lasting.change(turns=replace(self._lasting.state.turns, taken=None))
        return []

    def kept(self, given: Setup) -> Setup:
        """A table's configured seats with the player-dealer whom it has: a restart does not move the position."""
        banking = self._banking
        if banking is None or banking.player_dealer is None or banking.turns.holder is None:
            return given
        seats = {*given.seats, *(() if given.player_dealer is None else (given.player_dealer,))}
        if banking.player_dealer not in seats:
            return given
        kept = tuple(sorted(seats - {banking.player_dealer})) if given.seats else ()
        return replace(given, seats=kept, player_dealer=banking.player_dealer)

    def begin_game(self) -> None:
        """A table is opened: nobody's wager of an earlier game decides who may bank its first hand."""
        self._lasting.change(turns=replace(self._lasting.state.turns, bettors=None))

    # Persons

    def person_named(self, value: Input) -> list[ev.Event]:
        body, state = value.body, self._lasting.state
        assert type(body) is PersonNamed
        place = place_of(body.place)
        given = Person("", body.name.strip(), body.badge.strip(), body.firm.strip())
        before = state.people.person(place)
        people = state.people.named(place, given, is_another=body.another)
        another = people.person(place).id != before.id
        self._lasting.change(people=people)
        if another and isinstance(place, int):
            self._lasting.forget_players({place})
        events: list[ev.Event] = [ev.PersonSeated(place, given.name, given.badge, given.firm, another)]
        if not self._current.is_dealing:
            events += self._end_offer(value.by)
            self._current.prepare()
        return events

    def _end_offer(self, by: str) -> list[ev.Event]:
        """Another person at the player-dealer's own seat is another player-dealer: what was declined is over."""
        banking, turns = self._banking, self._lasting.state.turns
        if banking is None or banking.is_due or not (turns.declined or turns.broken_at is not None):
            return []
        self._lasting.change(turns=replace(turns, declined=(), broken_at=None))
        return [ev.GameResumed("another_player_dealer", by)] if turns.broken_at is not None else []

    def _refused(self, value: Input, refusal: Refusal) -> list[ev.Event]:
        return [ev.Refused(kind_of(value.body), refusal.why, refusal.text, refusal.bounds)]
