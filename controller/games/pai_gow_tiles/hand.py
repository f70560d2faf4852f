"""One round of Pai Gow Tiles: who gets which tiles, how they are set, who wins."""

from __future__ import annotations

from controller.engine import events as ev
from controller.engine.bets.action_button import counted
from controller.engine.cards.card import Card, Hand, codes
from controller.engine.expect.choices import Choice, WantDecision
from controller.engine.expect.want import Refusal, title
from controller.engine.expect.wants import WantFloor
from controller.engine.inputs import Act, Place, seat_of
from controller.engine.round.felt import Move, Table
from controller.games.banked import give_back
from controller.games.pai_gow_tiles.facts import TileFacts
from controller.games.pai_gow_tiles.house_way import NotFixed
from controller.games.pai_gow_tiles.options import TileOptions
from controller.games.pai_gow_tiles.settlement import compare, pay
from controller.games.pai_gow_tiles.tiles import Arranged

TILES, STACKS, LOW = 4, 8, 2
PLAYER_DEALER, TILE = "player_dealer", "tile"
NEEDS_RULING = "needs_ruling"


class TileHand:
    def __init__(self, t: Table, options: TileOptions) -> None:
        self.t, self.options = t, options
        self.in_play: set[int] = set()
        self.dead: list[int] = []
        self.action_seat = 0
        self.acts: dict[int, Act] = {}
        self.opened: dict[str, Arranged] = {}
        self.exposed_stacking = 0
        self.exposed_to: dict[int, int] = {}
        """How many tiles of a seat were seen as they were given out."""
        self.distributed = False
        t.result.sealed_flags["dead"] = self.dead
        self.facts = t.result.facts = TileFacts()

    def wait_for_player_dealer(self) -> Move[None]:
        here = {*self.t.seats, self.t.player_dealer}
        while not here <= set(range(1, STACKS + 1)):
            text = f"set the player-dealer and the seats, 1 to {STACKS}"
            yield from self.t.wait_for(WantFloor("no_player_dealer", text, ()))

    @property
    def player_dealer(self) -> int:
        assert self.t.player_dealer is not None
        return self.t.player_dealer

    def take_wagers(self) -> Move[None]:
        """Until the deal, or beside it until the cup is opened."""
        t, rules = self.t, self.options.wagers
        if self.options.schedule is not None:
            self.facts.collect_at = self.options.schedule.collect_at
        if self.options.bets_stay_open:
            t.open_wagers(rules, self.options.schedule)
            return
        yield from t.take_wagers(rules, self.options.schedule)
        self.close_wagers()

    def close_wagers(self) -> None:
        """Who plays is known."""
        t, base = self.t, self.options.base_wager
        t.close_wagers()
        if self.in_play:
            return
        if not t.setup.records_wagers:
            self.in_play = {seat for seat in t.seats if seat != t.player_dealer}
            return
        for place in [place for place, wagers in t.book.items() if base not in wagers]:
            give_back(t, place)
        if not t.book:
            t.void("nobody_dealt_in", "no seat has a wager")
        self.in_play = {seat_of(place) for place in t.book}

    def counter_clockwise(self, first: int, seats: set[int]) -> list[int]:
        """These seats by falling numbers, beginning with `first` or the next one after it."""
        return sorted(seats, key=lambda seat: (seat > first, -seat))

    # The deal

    def _roll(self) -> Move[int]:
        """The position that the dice count out: the player-dealer is one, counter-clockwise."""
        t = self.t
        while self.options.takes_fees("before_dice_open") and t.bets_open:
            yield from t.wait_for_wagers()
        if not t.bets_open:
            self.close_wagers()
        yield from t.collect_fees(self.options.schedule, "before_dice_open")
        dice = yield from t.while_betting(t.roll(3))
        self.close_wagers()
        self.facts.dice_total = sum(dice)
        return counted(self.player_dealer, 1 - sum(dice), STACKS)

    def _begin_action(self, pointed: int) -> Move[None]:
        """The button lies at that seat, or at the next one counter-clockwise with a wager."""
        self.action_seat = self.counter_clockwise(pointed, self.in_play)[0]
        self.t.result.action_seat = self.action_seat
        self.t.emit(ev.ActionButton(self.action_seat))
        yield from self.t.collect_fees(self.options.schedule, "dice_read", first_action=self.action_seat)

    def deal_rows(self) -> Move[None]:
        """Rows of four in order, to the seats with a wager and to the player-dealer (000:375-377, A2)."""
        pointed = yield from self._roll()
        yield from self._begin_action(pointed)
        first = self.player_dealer if pointed == self.player_dealer else self.action_seat
        order = self.counter_clockwise(first, self.in_play | {self.player_dealer})
        self.facts.first_row_to, self.facts.row_order = first, order
        for seat in order:
            yield from self.t.deal(self.hand(seat), TILES, up=False)
        self.distributed = True

    def deal_stacks(self) -> Move[None]:
        """Eight stacks; the action stack to where the dice point, the next ones counter-clockwise (793-795)."""
        t = self.t
        yield from t.while_betting(self._make_stacks())
        action = yield from t.while_betting(self._choose_stack())
        pointed = yield from self._roll()
        self.facts.action_stack_to = pointed
        for step in range(STACKS):
            number, seat = counted(action, step, STACKS), counted(pointed, -step, STACKS)
            stack = t.hands.pop(f"stack_{number}")
            if seat in self.in_play or seat == self.player_dealer:
                self.hand(seat).slots.extend(stack.slots)
                t.emit(ev.PileGiven(number, self.hand(seat).owner))
            else:
                t.burns += stack.slots
        self.distributed = True
        yield from self._begin_action(pointed)

    def _make_stacks(self) -> Move[None]:
        stacks = [self.t.hand(f"stack_{number}") for number in range(1, STACKS + 1)]
        for stack in stacks:
            yield from self.t.deal(stack, TILES, up=False)

    def _choose_stack(self) -> Move[int]:
        choice = Choice("choose_stack", piles=STACKS)
        act = yield from self.t.ask(self.player_dealer, [choice], asks=f"the action stack, 1 to {STACKS}")
        assert act.pile is not None
        return act.pile

    def hand(self, seat: int) -> Hand:
        return self.t.hand(PLAYER_DEALER if seat == self.player_dealer else str(seat))

    # Setting

    @property
    def order(self) -> list[int]:
        """Seats with a live hand, from the action button."""
        return [seat for seat in self.counter_clockwise(self.action_seat, self.in_play) if seat not in self.dead]

    def set_players(self) -> Move[None]:
        while waiting := [seat for seat in self.order if seat not in self.acts]:
            yield from self._set(waiting)

    def set_player_dealer(self) -> Move[None]:
        """Last; his setting is the signal that play is ready. Against nobody he need not set."""
        if not self.order:
            return
        while self.player_dealer not in self.acts:
            yield from self._set([self.player_dealer])
        self.opened[PLAYER_DEALER] = yield from self._open(self.player_dealer)

    def open_players(self) -> Move[None]:
        for seat in self.order:
            self.opened[str(seat)] = yield from self._open(seat)

    def _set(self, seats: list[int]) -> Move[None]:
        body = yield from self.t.wait_for(*(self._want(seat) for seat in seats))
        if type(body) is not Act:
            return
        refusal = self._refusal(body)
        if refusal is not None:
            self.t.refuse(body, refusal)
            return
        self.acts[int(body.seat)] = body
        self.t.emit(ev.Decided(int(body.seat), body.do))

    def _want(self, seat: int) -> WantDecision:
        least = LOW if self.hand(seat).is_read else 0
        choice = Choice("set", count=(least, LOW), by=("house",))
        asks = "two tiles for the low hand, or house way"
        if seat in self.in_play and (place := self._controls(seat)) != seat:
            asks += f"; {title(str(place))} decides"
        return WantDecision(seat, (choice,), asks=asks, piece=TILE)

    def _controls(self, seat: int) -> Place:
        """Who sets the tiles of a position: its first circle, or who has the most chips there (calgrand, 815)."""
        places = self.t.places(seat)
        if not places or self.options.back_line.sets == "seat":
            return places[0] if places else seat
        return max(places, key=lambda place: self.t.book[place].get(self.options.base_wager, 0))

    def _refusal(self, act: Act) -> Refusal | None:
        seat = int(act.seat)
        hand = self.hand(seat)
        if not hand.is_read:
            return None
        tiles = hand.cards
        if act.by == "house" and not act.front:
            if self.options.setter is None and self.options.stack_of_four and seat != self.player_dealer:
                return None
            if self.options.setter is None:
                return Refusal("no_house_way", "this room prints no house way; the dealer names the low hand he sets")
            try:
                self.options.setter.set(tiles)
            except NotFixed as problem:
                return Refusal(NEEDS_RULING, str(problem))
            return None
        return (
            None if _taken(tiles, act.front or act.cards or ()) else Refusal("not_your_card", "two tiles of this hand")
        )

    def _open(self, seat: int) -> Move[Arranged]:
        """Turn four tiles up as they were set; what nobody read is set now, with the tiles on the table."""
        t, hand = self.t, self.hand(seat)
        yield from t.show(hand)
        act = self.acts[seat]
        while (arranged := self._arranged(hand, act)) is None:
            faces = tuple(hand.faces)
            choice = Choice("set", count=(LOW, LOW), cards=faces, by=("house",) if self._sets_by_house(act) else ())
            body = yield from t.wait_for(WantDecision(seat, (choice,), asks="two tiles for the low hand", piece=TILE))
            act = body if type(body) is Act else act
        faces_of = {slot.card: slot.face for slot in hand}
        low, high = (tuple(faces_of[tile] for tile in part) for part in (arranged.low, arranged.high))
        t.emit(ev.HandSet(hand.owner, "house" if act.by else "own", "", low, high))
        t.result.arranged[hand.owner] = [codes(arranged.low), codes(arranged.high)]
        t.result.ranks[hand.owner] = arranged.documents()
        return arranged

    def _sets_by_house(self, act: Act) -> bool:
        """Whether a hand that lies open is set the house way: by the chart, or by the dealer out of a stack of four."""
        return self.options.setter is not None or (self.options.stack_of_four and act.by == "house")

    def _arranged(self, hand: Hand, act: Act) -> Arranged | None:
        low = _taken(hand.cards, act.front or act.cards or ())
        if low is not None:
            return Arranged(self.options.ranking, low, _without(hand.cards, low))
        if act.by == "house" and self.options.setter is not None:
            try:
                return self.options.setter.set(hand.cards).arranged
            except NotFixed:
                return None
        return None

    # Money

    def settle(self) -> None:
        result = self.t.result
        if result.action_seat in self.dead and self.order:
            # A dead hand is not settled: the next one is the first.
            result.action_seat = self.order[0]
        theirs = self.opened.get(PLAYER_DEALER)
        comparison = {seat: compare(self.opened[str(seat)], theirs) for seat in self.order if theirs is not None}
        self.facts.comparison = comparison
        result.outcome = dict.fromkeys(self.dead, "dead")
        pay(self.t, self.options, comparison)

    def plays(self, seat: int) -> bool:
        """Whether the seat has a wager; while the betting is open, whether it has one by now."""
        return seat in self.in_play or any(seat_of(place) == seat for place in self.t.book)

    def kill(self, seat: int) -> None:
        """That hand is dead, its wagers go back, the round goes on (805, PGT-6)."""
        self.dead.append(seat)
        for place in [place for place in self.t.book if seat_of(place) == seat]:
            cents = sum(self.t.book[place].values())
            self.t.result.returned[place] = self.t.result.returned.get(place, 0) + cents


def _taken(tiles: list[Card], low: tuple[str, ...]) -> list[Card] | None:
    """The tiles with these codes, if the hand has them."""
    left, taken = list(tiles), []
    for code in low:
        found = next((tile for tile in left if tile.code == code), None)
        if found is None:
            return None
        left.remove(found)
        taken.append(found)
    return taken if len(taken) == LOW else None


def _without(tiles: list[Card], taken: list[Card]) -> list[Card]:
    left = list(tiles)
    for tile in taken:
        left.remove(tile)
    return left
