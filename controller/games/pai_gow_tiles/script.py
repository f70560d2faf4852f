"""Pai Gow Tiles as a script: four tiles each, counter-clockwise from where the dice point, a low and a high hand.

Two rooms deal it. In rows (bankers-pai-gow-tiles) the dice come first and the rows go to the seats with a wager; in
stacks (calgrand-pai-gow-tiles) eight stacks are made, the player-dealer names the action stack, and every position of
the table gets one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct

from controller.engine import events as ev
from controller.engine.bets.action_button import counted
from controller.engine.bets.wagers import WagerRule
from controller.engine.cards.card import Card, Hand, card, codes
from controller.engine.expect.expectation import Choice, Refusal, WantDecision, WantFloor
from controller.engine.fees import Moment, Schedule
from controller.engine.inputs import Act, Happening, Place, seat_of, spot_of
from controller.engine.round.felt import Move, Script, Table, Unruled, Voided
from controller.engine.round.game import Game, Ruling
from controller.games.ante.shared import give_back, tell_outcomes
from controller.games.pai_gow_tiles.house_way import HouseWay, HouseWayData, NotFixed
from controller.games.pai_gow_tiles.tiles import Arranged, TileNames, TileRanking, tile_set, verdict

TILES, STACKS, LOW = 4, 8, 2
PLAYER_DEALER, TILE = "player_dealer", "tile"
OUTCOMES = ("lose", "push", "win")
SPECIAL_SPOTS = (2, 12)
GEE_JOON_TILES = ("1-2", "2-4")
CUP_OPENED = "dice_cup_opened"
ACCEPT, HAND_DEAD, NEEDS_RULING = "accept", "hand_dead_bets_returned", "needs_ruling"


class TileOptions(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, dict=True):
    gee_joon_semi_wild: bool
    coverage: Literal["single_use"] = "single_use"
    schedule: Schedule | None
    base_wager: str
    step: Annotated[int, Meta(ge=1)] = 1
    deal: Literal["rows", "stacks"]
    wagers_until: Literal["deal", "cup"] = "deal"
    """Until the first tile, or until the dice cup is opened."""
    names: TileNames
    house_way: HouseWayData | None = None
    stack_of_four: bool = False
    """Without a chart a player may leave his tiles in a stack of four: the dealer sets them after the player-dealer."""
    tells_no_action: bool = False
    """A seat whose turn came after the cover was used up has the outcome `no_action`."""
    rulings: dict[str, bool] = {}
    """Happenings that the room rules."""
    unruled: str = ""
    """The room's word for what its text does not rule, where it has one."""

    @property
    def bets_stay_open(self) -> bool:
        """Whether wagers are taken while the tiles are stacked; not where the fees are taken before."""
        return self.wagers_until == "cup" and not self.takes_fees("before_deal")

    def takes_fees(self, at: Moment) -> bool:
        """Whether the posted schedule takes a fee at this moment."""
        return self.schedule is not None and self.schedule.takes_at(at)

    @cached_property
    def ranking(self) -> TileRanking:
        return TileRanking(self.names, semi_wild=self.gee_joon_semi_wild)

    @cached_property
    def main_wager(self) -> WagerRule:
        schedule = self.schedule
        if schedule is None or not schedule.limits_bind:
            return WagerRule(self.base_wager, "Pai Gow Tiles", step=self.step)
        # A schedule whose limits bind posts steps and the limit of a position too (calgrand, 3307, 3312).
        return WagerRule(
            self.base_wager,
            "Pai Gow Tiles",
            step=schedule.wager_step,
            off_step=tuple(schedule.off_step),
            step_code="not_a_multiple_of_5_dollars",
            position_max=schedule.house.position_limit,
        )

    @cached_property
    def setter(self) -> HouseWay | None:
        return None if self.house_way is None else HouseWay(self.house_way, self.ranking)


class PaiGowTiles(Game[TileOptions]):
    slug = "pai-gow-tiles"
    title = "Pai Gow Tiles"
    options_type = TileOptions
    known: ClassVar[tuple[str, ...]] = (CUP_OPENED,)
    turns_as_player_dealer: ClassVar[int | None] = 2
    fee_moments: ClassVar[tuple[Moment, ...]] = (
        "before_deal",
        "before_dice_open",
        "dice_read",
        "after_initial_deal",
        "before_player_dealer_exposed",
    )

    def deck(self, options: TileOptions) -> dict[str, int]:
        return tile_set()

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        return {
            CUP_OPENED: cup_opened,
            "exposed_while_stacking": exposed_while_stacking,
            "exposed_while_distributing": exposed_to_seat,
        }

    def play(self, t: Table, options: TileOptions) -> Script:
        hand = TileHand(t, options)
        t.script_state, t.cards.piece = hand, TILE
        yield from hand.wait_for_player_dealer()
        yield from hand.take_wagers()
        yield from t.collect_fees(options.schedule, "before_deal")
        if options.deal == "rows":
            yield from hand.deal_rows()
        else:
            yield from hand.deal_stacks()
        yield from t.collect_fees(options.schedule, "after_initial_deal")
        yield from hand.set_players()
        yield from t.collect_fees(options.schedule, "before_player_dealer_exposed")
        yield from hand.set_player_dealer()
        yield from hand.open_players()
        hand.settle()

    def tell(self, result: Mapping[str, Any]) -> str:
        return tell_outcomes(result["outcome"])

    def answer(self, kind: str, case: Mapping[str, Any], options: TileOptions) -> dict[str, Any]:
        """`ranking`: the better of two hands; `house_way`: how four tiles are set; `legality`: rulings, one by one."""
        if kind == "ranking":
            return _rank_hands(case["cards"], options.ranking)
        if kind == "house_way" and options.setter is not None:
            return _set_hands(case["cards"], options, options.setter)
        if kind == "legality":
            bank = (case.get("table") or {}).get("player_dealer", PLAYER_DEALER)
            return {"rulings": [_ruling_alone(act, options, bank) for act in case["acts"]]}
        return super().answer(kind, case, options)


def _tiles(codes: list[str]) -> list[Card]:
    return [card(str(code)) for code in codes]


def _rank_hands(told: Mapping[Any, Any], ranking: TileRanking) -> dict[str, Any]:
    """Each hand, of four tiles the low and the high one, or the better of two named a and b."""
    ranks: dict[Any, Any] = {}
    winner: dict[Any, str] = {}
    for name, hands in told.items():
        if isinstance(hands, list):
            set_apart = all(isinstance(part, list) for part in hands)
            ranks[name] = (
                [ranking.document(_tiles(part)) for part in hands] if set_apart else ranking.document(_tiles(hands))
            )
            continue
        pairs = {side: _tiles(tiles) for side, tiles in hands.items()}
        ranks[name] = {side: ranking.document(pair) for side, pair in pairs.items()}
        a, b = ranking.rank(pairs["a"]), ranking.rank(pairs["b"])
        winner[name] = "copy" if a == b else "a" if a > b else "b"
    return {"ranks": ranks, "more": {"winner": winner}}


def _set_hands(told: Mapping[Any, list[str]], options: TileOptions, way: HouseWay) -> dict[str, Any]:
    hands: dict[str, Any] = {}
    ranks: dict[str, Any] = {}
    pair: dict[Any, str] = {}
    explained: dict[Any, str] = {}
    ruling = []
    for name, dealt in told.items():
        try:
            setting = way.set(_tiles(dealt))
        except NotFixed as problem:
            ruling.append(NEEDS_RULING)
            pair[name], explained[name] = NEEDS_RULING, str(problem)
            continue
        hands[str(name)] = [codes(setting.arranged.low), codes(setting.arranged.high)]
        ranks[str(name)] = setting.arranged.documents()
        pair[name], explained[name] = setting.pair, setting.explained
    return {"hands": hands, "ranks": ranks, "ruling": ruling, "more": {"pair": pair, "explained": explained}}


class TileHand:
    """One round: who gets which tiles, how they are set, who wins."""

    def __init__(self, t: Table, options: TileOptions) -> None:
        self.t, self.options = t, options
        self.in_play: set[int] = set()
        self.dead: list[int] = []
        self.action_seat = 0
        self.told: dict[int, Act] = {}
        self.opened: dict[str, Arranged] = {}
        self.exposed_stacking = 0
        self.exposed_to: dict[int, int] = {}
        """How many tiles of a seat were seen as they were given out."""
        self.distributed = False
        t.result.sealed_flags["dead"] = self.dead

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
        t, rules = self.t, (self.options.main_wager,)
        if self.options.schedule is not None:
            t.result.more["collect_at"] = self.options.schedule.collect_at
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
        t.result.more["dice_total"] = sum(dice)
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
        self.t.result.more |= {"first_row_to": first, "row_order": order}
        for seat in order:
            yield from self.t.deal(self.hand(seat), TILES, up=False)
        self.distributed = True

    def deal_stacks(self) -> Move[None]:
        """Eight stacks; the action stack to where the dice point, the next ones counter-clockwise (793-795)."""
        t = self.t
        yield from t.while_betting(self._make_stacks())
        action = yield from t.while_betting(self._choose_stack())
        pointed = yield from self._roll()
        t.result.more["action_stack_to"] = pointed
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
        while waiting := [seat for seat in self.order if seat not in self.told]:
            yield from self._set(waiting)

    def set_player_dealer(self) -> Move[None]:
        """Last; his setting is the signal that play is ready. Against nobody he need not set."""
        if not self.order:
            return
        while self.player_dealer not in self.told:
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
        self.told[int(body.seat)] = body
        self.t.emit(ev.Decided(int(body.seat), body.do))

    def _want(self, seat: int) -> WantDecision:
        least = LOW if self.hand(seat).is_read else 0
        choice = Choice("set", count=(least, LOW), by=("house",))
        return WantDecision(seat, (choice,), asks="two tiles for the low hand, or house way", piece=TILE)

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
        act = self.told[seat]
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
        t, base = self.t, self.options.base_wager
        if t.result.action_seat in self.dead and self.order:
            # A dead hand is not settled: the next one is the first.
            t.result.action_seat = self.order[0]
        comparison = {seat: self._compare(seat) for seat in self.order}
        outcomes = {seat: OUTCOMES[list(told.values()).count("win")] for seat, told in comparison.items()}
        t.result.more["comparison"] = comparison
        t.result.outcome = {**outcomes, **dict.fromkeys(self.dead, "dead")}
        places = self._places()
        for place in places:
            seat, cents = seat_of(place), t.book[place][base]
            if self.options.tells_no_action and spot_of(place) == 1 and t.settlement.cover_left == 0:
                t.result.outcome[seat] = "no_action"
            match outcomes[seat]:
                case "win":
                    t.settlement.win(place, base, cents)
                case "lose":
                    t.settlement.lose(place, base, cents)
                case _:
                    t.settlement.push(place, base)
        t.result.outcome |= {place: t.result.outcome[seat_of(place)] for place in places}

    def _places(self) -> list[Place]:
        """Seat by seat from the action button, inside a seat spot by spot."""
        live = self.order
        places = [place for place in self.t.book if seat_of(place) in live]
        return sorted(places, key=lambda place: (live.index(seat_of(place)), spot_of(place)))

    def _compare(self, seat: int) -> dict[str, str]:
        mine, theirs = self.opened[str(seat)], self.opened[PLAYER_DEALER]
        return {"low": verdict(mine.low_rank, theirs.low_rank), "high": verdict(mine.high_rank, theirs.high_rank)}

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


def cup_opened(t: Table, body: Happening) -> None:
    """The cup is open: no more bets, whatever the dice show."""
    if not isinstance(t.script_state, TileHand):
        raise Unruled("no hand is being dealt")
    t.close_wagers()


# Irregularities of the room that deals stacks (797-810)


def _hand_of(t: Table, body: Happening) -> TileHand:
    hand = t.script_state
    if not isinstance(hand, TileHand) or not hand.options.rulings.get(body.code):
        word = hand.options.unruled if isinstance(hand, TileHand) else ""
        raise Unruled(f"{body.code.replace('_', ' ')}: this room has no rule for it", word)
    return hand


def _exposed(body: Happening) -> list[Card]:
    return [card(code) for code in [*body.cards, *([body.card] if body.card else [])]]


def _while_stacking(tiles: Sequence[Card], count: int) -> str:
    """A 2, 12, low 3 or low 6, or two tiles: shuffled again; one other tile is accepted (799-800, PGT-5)."""
    if count > 1:
        return "reshuffle_all"
    special = any(tile.rank in SPECIAL_SPOTS or tile.code in GEE_JOON_TILES for tile in tiles)
    return "reshuffle" if special else ACCEPT


def _to_seat(tiles: Sequence[Card], count: int, *, player_dealer: bool) -> str:
    """Tiles of one seat turned over as they were given out, one after the other or at once (804-810)."""
    if not player_dealer:
        return HAND_DEAD if count > 1 else ACCEPT
    if count > 1:
        return "reshuffle_and_restack"
    return "reshuffle_all" if any(tile.rank in SPECIAL_SPOTS for tile in tiles) else ACCEPT


def _ruling_alone(act: Mapping[str, Any], options: TileOptions, player_dealer: object) -> str:
    """The ruling on one happening, or one setting, by itself. Tiles play as they are set (816, A6)."""
    if act.get("do") == "set":
        return "none"
    code = str(act.get("event"))
    if not options.rulings.get(code):
        return NEEDS_RULING
    tiles = _tiles([*act.get("cards", ()), *([act["card"]] if "card" in act else ())])
    count = max(1, len(tiles), int(act.get("count", 1)))
    if code == "exposed_while_stacking":
        return _while_stacking(tiles, count)
    return _to_seat(tiles, count, player_dealer=act.get("seat") in (player_dealer, PLAYER_DEALER))


def exposed_while_stacking(t: Table, body: Happening) -> None:
    hand, tiles = _hand_of(t, body), _exposed(body)
    hand.exposed_stacking += max(1, len(tiles))
    word = _while_stacking(tiles, hand.exposed_stacking)
    if word != ACCEPT:
        raise Voided(word, "exposed while stacking")
    t.rule(word)


def exposed_to_seat(t: Table, body: Happening) -> None:
    hand, tiles = _hand_of(t, body), _exposed(body)
    if body.seat is None:
        raise Unruled("say whose tiles they were")
    seat = seat_of(body.seat)
    seen = max(len(tiles), int(body.facts.get("count", 1)))
    hand.exposed_to[seat] = count = hand.exposed_to.get(seat, 0) + seen
    word = _to_seat(tiles, count, player_dealer=seat == t.player_dealer)
    if word not in (ACCEPT, HAND_DEAD):
        raise Voided(word, "tiles of the player-dealer were exposed")
    if word == HAND_DEAD and not hand.plays(seat):
        raise Unruled("that seat has no wager")
    t.rule(word, seat)
    if word == HAND_DEAD and seat not in hand.dead:
        hand.kill(seat)
