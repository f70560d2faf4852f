"""The steps of one round of pai gow poker: wagers, piles, dice, two hands each, settlement.

The order of the steps is the game's; what differs between rooms is in the options. A ruling finds the round here
(`t.script_state`) and changes it: a hand is dead, a setting is made again, a card of a pile is replaced.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.engine import events as ev
from controller.engine.bets.action_button import clockwise_from, moves_on
from controller.engine.cards.card import Slot, codes
from controller.engine.expect.choices import Choice
from controller.engine.expect.wants import WantFloor
from controller.engine.inputs import Place, seat_of, spot_of
from controller.engine.round.felt import Move, Table
from controller.games.pai_gow.facts import PaiGowFacts
from controller.games.pai_gow.options import PROPOSITION, SHARED, PaiGowOptions
from controller.games.pai_gow.piles import DISCARDS, PLAYER_DEALER, Piles, Positions
from controller.games.pai_gow.setting import Opened, Setter
from controller.games.pai_gow.settlement import Outcome, Walk, compare, envy_buttons, outcome

DICE = 3


class PaiGowHand:
    """The state of one round, from the first wager to the last."""

    def __init__(self, t: Table, options: PaiGowOptions) -> None:
        self.t, self.options = t, options
        self.facts = t.result.facts = PaiGowFacts()
        self.piles = Piles(t, options, self.facts)
        self.controls: dict[int, Place] = {}
        self.setter = Setter(t, options, self.controls)
        self.in_play: set[int] = set()
        self.dead: list[int] = []
        self.forfeited: list[int] = []
        self.fouled: list[int] = []
        self.paid_minimum: set[int] = set()
        self.exposed: list[Slot] = []
        """Cards that were seen while the piles were made."""
        self.piles_made = self.distributed = False
        self.pointed = self.action_seat = 0
        self.opened: dict[int, Opened] = {}
        self.player_dealers: Opened | None = None
        t.result.sealed_flags |= {"fouled": self.fouled, "dead": self.dead}

    @property
    def player_dealer(self) -> int:
        assert self.t.player_dealer is not None
        return self.t.player_dealer

    @property
    def positions(self) -> Positions:
        taken = {*self.t.seats, *([] if self.t.player_dealer is None else [self.t.player_dealer])}
        return Positions(self.options.positions, taken, larger=self.options.larger_table)

    def wait_for_player_dealer(self) -> Move[None]:
        """The dice count from the player-dealer: without him there is no hand. Only the table's setting changes it."""
        text = f"set the player-dealer and the seats, 1 to {self.options.positions}"
        while self.t.player_dealer is None or not self.positions.fits:
            yield from self.t.wait_for(WantFloor("no_player_dealer", text, ()))

    # Wagers

    def open_wagers(self) -> None:
        t = self.t
        seats = tuple(seat for seat in t.seats if seat != t.player_dealer)

        def noted() -> None:
            self.facts.envy_buttons = envy_buttons(t, self.options)

        noted()
        both = (*seats, self.player_dealer) if "dai_su" in self.options.other_wagers else seats
        t.open_wagers(self.options.wagers(seats, t.player_dealer), self.options.schedule, noted=noted, seats=both)

    def take_wagers(self) -> Move[None]:
        """Until the deal, or beside it until the cup is opened."""
        self.open_wagers()
        if self.options.bets_stay_open:
            return
        while self.t.bets_open:
            yield from self.t.wait_for_wagers()
        self.close_wagers()

    def take_last_wagers(self) -> Move[None]:
        """Where fees are due before the dice are seen, the dealer closes the betting first."""
        while self.options.takes_fees("before_dice_open") and self.t.bets_open:
            yield from self.t.wait_for_wagers()
        if not self.t.bets_open:
            self.close_wagers()

    def close_wagers(self) -> None:
        """Who plays is known: what has no part in the round returns before a hand is given out."""
        t = self.t
        t.close_wagers()
        if self.in_play:
            return
        if not t.setup.records_wagers:
            self.in_play = {seat for seat in t.seats if seat not in (t.player_dealer, *self.dead)}
            return
        self._return_propositions()
        played = {self.options.base_wager, *SHARED}
        for place in [place for place in t.book if seat_of(place) != t.player_dealer]:
            if played.isdisjoint(t.book[place]) or seat_of(place) in self.dead:
                self.hand_back(place)
        self.in_play = {seat_of(place) for place in t.book if seat_of(place) != t.player_dealer}
        if not self.in_play and not self.dead:
            t.void("nobody_dealt_in", "no seat has a Pai Gow wager")
        self._return_excess()
        self._note_control()
        self.facts.envy_buttons = envy_buttons(t, self.options)

    def _return_propositions(self) -> None:
        """Only while all other players have action; then recorded, and the players' own affair (000:360)."""
        t = self.t
        proposed = {place: wagers[PROPOSITION] for place, wagers in t.book.items() if PROPOSITION in wagers}
        if not proposed:
            return
        betting = {seat_of(place) for place, wagers in t.book.items() if self.options.base_wager in wagers}
        for place, cents in proposed.items():
            del t.book[place][PROPOSITION]
            if not {seat for seat in t.seats if seat not in (t.player_dealer, seat_of(place))} <= betting:
                self._returned(place, cents)
                t.emit(ev.WagerSet(place, PROPOSITION, 0))
        self.facts.proposition = proposed

    def _return_excess(self) -> None:
        """What is above the table's maximum has no action (village-pai-gow-poker, L402)."""
        most = self.options.most or (self.t.setup.max_wager if self.options.takes_any_amount else None)
        for place, wagers in self.t.book.items() if most else ():
            excess = wagers.get(self.options.base_wager, 0) - (most or 0)
            if excess > 0:
                wagers[self.options.base_wager] -= excess
                self._returned(place, excess)
                self.t.emit(ev.WagerSet(place, self.options.base_wager, wagers[self.options.base_wager]))

    def _note_control(self) -> None:
        """Who sets the hand of a position: its first square, or its largest bet, of equal ones the first square."""
        largest = self.options.back_line.sets == "largest_wager"
        for seat in sorted(self.in_play):
            places = sorted((p for p in self.t.book if seat_of(p) == seat), key=spot_of)
            bets = [self.t.book[place].get(self.options.base_wager, 0) for place in places]
            self.controls[seat] = places[bets.index(max(bets)) if largest else 0]
        self.facts.controls_setting = dict(self.controls)

    def hand_back(self, place: Place) -> None:
        """Wagers that have no part in the round return."""
        for wager, cents in self.t.book.pop(place).items():
            self._returned(place, cents)
            self.t.emit(ev.WagerSet(place, wager, 0))

    def _returned(self, place: Place, cents: int) -> None:
        self.t.result.returned[place] = self.t.result.returned.get(place, 0) + cents

    # Piles and dice

    def make_piles(self) -> Move[None]:
        yield from self.piles.make()
        self.piles_made = True
        if self.exposed:
            # A second one is the floor's: it resumes, and that card lies as it lies.
            self.replace(self.exposed[0])

    def choose_pile(self, *, may_pass: bool = False) -> Move[int]:
        """The player-dealer names the action pile; where he makes no choice it is the first."""
        if self.options.action_pile == "chosen_by_hand" and self.options.by_machine:
            return 1
        choices = [Choice("choose_pile", piles=self.options.positions)]
        if may_pass:
            choices.append(Choice("no_choice"))
        asks = f"the action pile, 1 to {self.options.positions}"
        act = yield from self.t.ask(self.player_dealer, choices, asks=asks)
        return act.pile or 1

    def roll(self) -> Move[None]:
        """The dice count out the seat of the action pile; the cup that is opened closes the betting."""
        dice = yield from self.t.while_betting(self.t.roll(DICE))
        self.close_wagers()
        steps = sum(dice) - self.options.player_dealer_counts
        self.pointed = self.positions.counted(self.player_dealer, steps)
        counted = self.positions.steps(self.player_dealer, self.pointed)
        facts = self.facts
        facts.action_number, facts.action_player, facts.first_pile_to = sum(dice), counted, self.pointed

    def give_out(self, action_pile: int) -> None:
        self.piles.give_out(action_pile, self.pointed, self.positions, self.in_play)
        self.distributed = True
        self.action_seat = moves_on(self.pointed, self.in_play) if self.in_play else self.pointed
        button = self.pointed if self.options.action_seat == "pointed" else self.action_seat
        self.t.emit(ev.ActionButton(button))
        self.t.result.action_seat = button

    @property
    def first_action(self) -> Place | None:
        """Whose wager is settled first."""
        places = [place for place in self.t.book if seat_of(place) == self.action_seat]
        return min(places, key=spot_of, default=None)

    def replace(self, slot: Slot) -> None:
        """A card that was seen is laid aside; the first of the cards left over takes its place."""
        left = self.t.hand(DISCARDS).slots
        for hand, nth, lying in self.piles.slots:
            if lying is slot and left:
                slot.expose()
                hand.slots[nth] = left.pop(0)
                self.t.burns.append(slot)
                self.t.emit(ev.CardsTakenBack(hand.owner, "aside", (slot.face,)))
                card = hand.slots[nth].card.code if hand.slots[nth].is_read else None
                facts = self.facts
                facts.set_aside, facts.replacement, facts.replacement_in_first = slot.card.code, card, card
                return

    # Setting

    def order(self) -> list[int]:
        """Seats with a live hand, from the action button."""
        out = (*self.dead, *self.forfeited)
        return [seat for seat in clockwise_from(self.action_seat, self.in_play) if seat not in out]

    def set_players(self) -> Move[None]:
        yield from self.setter.ask_players(self.order)

    def open_hands(self) -> Move[None]:
        """The player-dealer's hand, then each player's in turn. A ruling may send us back to the player-dealer's."""
        while self.player_dealers is None and (self.order() or self.forfeited):
            self.player_dealers = yield from self.setter.ask_player_dealer(self.order)
            for seat in self.order():
                if seat not in self.opened:
                    self.opened[seat] = yield from self.setter.open(seat)
                if self.player_dealers is None:
                    break

    def reset_player_dealer(self) -> None:
        """His hand is set once more."""
        self.setter.chosen.pop(self.player_dealer, None)
        self.setter.by_house.add(self.player_dealer)
        self.player_dealers = None

    def reset(self, seat: int) -> None:
        """A player's hand is set once more, by the dealer."""
        self.setter.chosen.pop(seat, None)
        self.setter.by_house.add(seat)

    # The result

    def settle(self) -> None:
        t, options = self.t, self.options
        if t.result.action_seat in self.dead and (live := self.order()):
            # A dead hand is not settled: the next one is the first.
            t.result.action_seat = live[0]
        self._note_hands()
        outcomes = self._outcomes()
        bonuses = self._bonuses()
        least = {seat: cents for seat in self.paid_minimum if (cents := self._table_min) is not None}
        walk = Walk(t, options, outcomes, bonuses, least)
        walk.go(self.action_seat)
        shown: dict[Any, str] = dict(outcomes)
        if options.tells_no_action:
            first = {seat: min((p for p in t.book if seat_of(p) == seat), key=spot_of, default=seat) for seat in shown}
            shown |= {seat: "no_action" for seat in shown if first[seat] in walk.without_action}
        shown |= {place: shown[seat_of(place)] for place in t.book if seat_of(place) in shown}
        t.result.outcome = shown | dict.fromkeys(self.dead, "dead")
        self.facts.free_collection = walk.without_action
        schedule = options.schedule
        if schedule is not None and schedule.no_action == "free_collection_button":
            for place in walk.without_action:
                t.fees.give_free_collection(place)

    @property
    def _table_min(self) -> int | None:
        posted = self.options.schedule.table_min if self.options.schedule is not None else 0
        return self.options.table_min or posted or self.t.setup.min_wager or None

    def _hands(self) -> dict[str, Opened]:
        own = {} if self.player_dealers is None else {PLAYER_DEALER: self.player_dealers}
        return own | {str(seat): opened for seat, opened in self.opened.items()}

    def _note_hands(self) -> None:
        for owner, opened in self._hands().items():
            self.t.result.arranged[owner] = [codes(opened.front), codes(opened.back)]
            if opened.arranged is not None:
                ranks = opened.arranged.front_rank, opened.arranged.back_rank
                self.t.result.ranks[owner] = [rank.document() for rank in ranks]
        self.facts.house_way_row = self.player_dealers.row if self.player_dealers is not None else None
        self.facts.shown_empty.add("house_way_row")

    def _outcomes(self) -> dict[int, Outcome]:
        theirs = self.player_dealers.arranged if self.player_dealers is not None else None
        comparison = {
            seat: compare(opened.arranged, theirs)
            for seat, opened in self.opened.items()
            if opened.arranged is not None and theirs is not None
        }
        foul_seats = [seat for seat in self.order() if seat in self.opened and self.opened[seat].is_foul]
        for seat in foul_seats:
            self._publish_foul(seat)
        self.fouled += [*foul_seats, *self.forfeited]
        self.facts.comparison, self.facts.foul_seats = comparison, foul_seats
        won: dict[int, Outcome] = {seat: outcome(hands) for seat, hands in comparison.items()}
        lost: dict[int, Outcome] = dict.fromkeys(self.fouled, "lose")
        came = won | lost
        return {seat: came[seat] for seat in clockwise_from(self.action_seat, self.in_play) if seat in came}

    def _publish_foul(self, seat: int) -> None:
        if self.options.tells_foul_as == "ruling":
            # One ruling, whatever number of hands it hits.
            if "foul_set" not in self.t.result.rulings:
                self.t.result.rulings.append("foul_set")
            self.t.emit(ev.Ruled("foul_set", seat))
        else:
            text = f"seat {seat}: the two cards in front are not lower than the five behind; the hand is foul"
            self.t.emit(ev.Irregularity("foul_set", text, {"seat": seat}))

    def _bonuses(self) -> Mapping[int, str]:
        """The bonus rows of the hands that lie open."""
        rows = {seat: self.options.bonus.hand(self.t.hand(str(seat)).cards) for seat in self.opened}
        if self.options.pays.fortune:
            # Of those without a Fortune bet too: their hands may bring others envy (turlock-fortune-pai-gow-poker, A9).
            self.facts.fortune_hand = dict(rows)
        return rows
