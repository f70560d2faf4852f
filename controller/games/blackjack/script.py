"""The round of the family: deal, insurance, check of the down card, players, player-dealer.

A busted hand is not settled when it busts: cards and wager stay until the player-dealer's hand is complete, and it is
always completed. The down card is known to nobody, at the check to the house dealer, and to all when it is turned up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.cards.card import Audience, Card, Slot, codes
from controller.engine.expect.choices import Choice, WantDecision
from controller.engine.expect.expectation import Barred, Expectation
from controller.engine.expect.want import title
from controller.engine.expect.wants import WantCard, WantFloor
from controller.engine.inputs import Act, AnyBody, FloorAct
from controller.engine.round.felt import Move, Script, Table
from controller.games.blackjack.choices import (
    behind_choices,
    chart_bars,
    choices_of,
    finished_bars,
    hand_bars,
    insurance_bars,
    insurance_choices,
    money_choices,
)
from controller.games.blackjack.circle import Bet, BetHand, Circle, circles_of, lay_down
from controller.games.blackjack.facts import BlackjackFacts
from controller.games.blackjack.options import BlackjackRules
from controller.games.blackjack.settlement import Settling

LOOK = "look at the down card, keep it face down"
Join = Callable[[Act], None]
"""What a bettor does who joins in a double or a split."""


def play_round(t: Table, rules: BlackjackRules) -> Script:
    yield from t.with_asked_burn(t.take_wagers(rules.wagers, rules.schedule))
    circles = circles_of(t, rules.base_wager, rules.deal_from, rules.further_spots)
    if not circles:
        yield from _nobody(t)
    _return_orphans(t, rules.base_wager)
    yield from t.collect_fees(rules.schedule, "before_deal")
    t.script_state = deal = Deal(t, rules, circles)
    yield from deal.first_cards()
    yield from t.collect_fees(rules.schedule, "after_initial_deal")
    yield from deal.insurance()
    if deal.is_checked:
        yield from deal.early_surrender()
        yield from deal.check()
    if not (deal.bank_has_natural or deal.nobody_draws):
        yield from deal.players()
    yield from deal.player_dealer()
    yield from t.collect_fees(rules.schedule, "before_settlement")
    deal.settling.walk()


def _nobody(t: Table) -> Move[None]:
    """No wager, no round. A table that records no wagers needs the seats that take part before it can deal."""
    while not t.setup.records_wagers:
        body = yield from t.wait_for(WantFloor("no_seats", "set the seats that take part", choices=("void",)))
        if type(body) is FloorAct:
            break
    t.void("nobody_dealt_in", "no circle has a wager")


def _return_orphans(t: Table, base_wager: str) -> None:
    """A side bet whose base wager was taken back has no part in the round."""
    for place, standing in [(place, wagers) for place, wagers in t.book.items() if base_wager not in wagers]:
        t.result.returned[place] = t.result.returned.get(place, 0) + sum(standing.values())
        for wager in standing:
            t.emit(ev.WagerSet(place, wager, 0))
        del t.book[place]


def facts_of(t: Table) -> BlackjackFacts:
    assert isinstance(t.script_state, Deal)
    return t.script_state.facts


class Deal:
    """One deal, from the first card to the player-dealer's last."""

    def __init__(self, t: Table, rules: BlackjackRules, circles: list[Circle]) -> None:
        self.t, self.rules, self.circles = t, rules, circles
        self.bank = t.hand("player_dealer")
        self.facts = t.result.facts = BlackjackFacts()
        self.settling = Settling(t, rules, circles, self.bank, self.facts)
        self.bank_has_natural = False
        """Found at the check: nobody draws."""
        self.nobody_draws = False
        """The up card, or a ruling, has ended the play: the player-dealer neither draws."""
        self.in_turn: tuple[Circle, BetHand] | None = None
        """Whose decision or card the table waits for."""
        self.exposed: list[Slot] = []
        """Cards that were drawn by mistake: the player-dealer gets them, unless a player wants one before."""
        self.recalled: list[Circle] = []
        """Circles that were passed over and act after the hand that is being played."""

    @property
    def up(self) -> Card | None:
        """The player-dealer's up card; None where both lie face down."""
        slot = self.bank.slots[0]
        return slot.card if slot.audience is Audience.ALL else None

    @property
    def is_checked(self) -> bool:
        """Whether the dealer looks under the up card before anybody draws."""
        return self.up is not None and len(self.bank) > 1 and self.rules.is_checked(self.up)

    def first_cards(self) -> Move[None]:
        """One card to each circle and the player-dealer, twice; his second is face down, or comes later."""
        rules = self.rules
        for first in (True, False):
            for nth, circle in enumerate(self.circles):
                dealing = self._first_card(circle.hands[0])
                yield from self.t.with_asked_burn(dealing) if first and not nth else dealing
            if first:
                yield from self.t.deal(self.bank, up=rules.pd_cards.startswith("one"))
            elif rules.pd_second_card == "initial_down":
                yield from self.t.deal(self.bank, up=False)
        self.nobody_draws = self.up is not None and rules.ends_play(self.up)
        self._note()

    def _first_card(self, hand: BetHand) -> Move[None]:
        """A card to a hand, unless a ruling takes the hand out of the round before it comes."""
        dealing = self.t.deal(hand.cards, up=self.rules.player_cards == "up")
        body: AnyBody | None = None
        while not hand.dead:
            try:
                body = yield dealing.send(body)
            except StopIteration:
                return

    # Before anybody draws

    def insurance(self) -> Move[None]:
        if self.up is None or not self.rules.insures(self.up):
            return
        for circle in self.circles:
            if self.rules.insurance:
                bets = circle.hands[0].bets
                for bet in bets if self.rules.back_line.insurance == "own" else bets[:1]:
                    yield from self._insure(circle, bet)
            elif self.rules.asks_every_hand:
                hand, bars = circle.hands[0], insurance_bars(self.rules)
                if hand.cards.is_exposed:
                    bars = hand_bars(self.rules, circle, hand, self.up)
                yield from self.t.ask(circle.place, (Choice("no_insurance"),), barred=bars)

    def _insure(self, circle: Circle, bet: Bet) -> Move[None]:
        asks = "before the check" if self.is_checked else "before the draws"
        act: AnyBody | None = None
        while type(act) is not Act:  # a ruling may have changed the hand: what it may do is looked up again
            if circle.hands[0].dead:
                return
            act = yield from self.t.wait_for(
                WantDecision(bet.place, insurance_choices(self.rules, circle, bet), asks=asks)
            )
        self.t.emit(ev.Decided(act.seat, act.do, act.cents, act.to))
        if act.do == "no_insurance":
            return
        half = bet.stake // 2
        if act.do == "even_money":
            circle.even_money.add(bet.place)
        circle.insured[bet.place] = half if act.cents is None else min(act.cents, half)
        lay_down(self.t, bet.place, "insurance", circle.insured[bet.place])

    def early_surrender(self) -> Move[None]:
        """Where the house has it, every hand may be given up before the check too: until the down card is exposed."""
        if self.rules.surrender != "early":
            return
        for circle in self.circles:
            hand = circle.hands[0]
            yield from self.t.show(hand.cards)
            if self.rules.count(hand.cards).natural:
                continue
            asks = f"{self._against(hand)}, before the check"
            for bet in hand.bets if self.rules.back_line.surrender == "own" else hand.bets[:1]:
                act = yield from self.t.ask(bet.place, (Choice("surrender"), Choice("no_surrender")), asks=asks)
                if act.do == "surrender":
                    self._surrender(hand, bet)

    def check(self) -> Move[None]:
        """The house dealer looks under the up card; a card that the reader missed is keyed, and stays hidden."""
        down = self.bank.slots[1]
        down.audience = Audience.DEALER
        yield from self.t.name_unread(self.bank, asks=LOOK)
        self.bank_has_natural = bool(self.rules.bank_count(self.bank).natural)
        self.t.emit(ev.StreetDealt("check"))
        if self.rules.insurance_settled == "at_check":
            self.settling.insurance()

    # Players

    def players(self) -> Move[None]:
        for at, circle in enumerate(self.circles):
            yield from self.play_circle(circle, self.circles[:at])
            while self.recalled:
                yield from self.play_circle(self.recalled.pop(0), self.circles[: at + 1])
        self.in_turn = None

    def play_circle(self, circle: Circle, finished: list[Circle]) -> Move[None]:
        """All hands of a circle to their end."""
        nth = 0
        while nth < len(circle.hands):
            yield from self._play(circle, nth, finished)
            nth += 1

    def _play(self, circle: Circle, nth: int, finished: list[Circle]) -> Move[None]:
        """One hand to its end. A split leaves its first half here and the other for the next turn."""
        yield from self.t.show(circle.hands[nth].cards)
        while True:
            hand = circle.hands[nth]
            self.in_turn = circle, hand
            if len(hand.cards) == 1 and not hand.closed:
                yield from self._draw(hand, f"{title(hand.cards.owner)}: second card")
            if circle.abandoned and not hand.closed:
                yield from self._dealer_plays(hand)
            choices = choices_of(self.rules, circle, hand, self.up)
            if self.rules.asks_every_hand and not hand.closed:
                choices = choices or (Choice("stand"),)
            elif len(choices) == 1:
                yield from self._carry_out(circle, hand, choices[0])
                continue
            if not choices:
                return
            done = finished_bars(self.rules, finished)
            bars = (*hand_bars(self.rules, circle, hand, self.up), *done)
            act = yield from self._ask(circle, hand, nth, choices, bars)
            if act is not None:
                yield from self._do(circle, hand, act)

    def _ask(
        self, circle: Circle, hand: BetHand, nth: int, choices: tuple[Choice, ...], barred: tuple[Barred, ...]
    ) -> Move[Act | None]:
        """The first bettor of the hand decides; those behind him may double or split it, or surrender, with their own
        money. None: a ruling came first, and the hand may be another one now."""
        self.facts.legal = [choice.do for choice in choices]
        asked = WantDecision(hand.bet.place, choices, nth + 1, self._against(hand))
        behind = [
            WantDecision(bet.place, tuple(replace(choice, label=f"{choice.do} behind") for choice in also), nth + 1)
            for bet in hand.staying
            if bet is not hand.bet and (also := behind_choices(self.rules, circle, hand, bet))
        ]
        body = yield from self.t.wait_for(asked, *behind, barred=barred)
        if hand.closed or circle.abandoned or type(body) is not Act:
            return None
        self.t.emit(ev.Decided(body.seat, body.do, body.cents, body.to))
        return body

    def _carry_out(self, circle: Circle, hand: BetHand, only: Choice) -> Move[None]:
        """The chart leaves one choice: nobody is asked."""
        self.facts.legal = [only.do]
        if only.do == "stand":
            hand.closed = True
            return
        count = self.rules.count(hand.cards)
        says = f"{title(hand.cards.owner)} has {count} and must hit"
        yield from self._draw(hand, says, circle)

    def _do(self, circle: Circle, hand: BetHand, act: Act) -> Move[None]:
        name, bet = title(hand.cards.owner), hand.bet_of(act.seat)
        joining = self._joining(circle, hand, act)
        match act.do:
            case "hit":
                yield from self._draw(hand, f"{name} hits")
            case "double":
                self._raise(hand, act)
                yield from self._add(hand, f"{name} doubles: one card", joining, partial(self._raise, hand))
            case "redouble":
                self._raise(hand, act)
                yield from self._add(hand, f"{name} redoubles: one card")
            case "split":
                lay_down(self.t, act.seat, f"split_{len(circle.hands)}", bet.stake)
                first, second = circle.split(self.t, hand, act.seat)
                if joining:
                    self._note()
                    self.in_turn = circle, first
                    join = partial(self._bet_on, circle, first, second)
                    yield from self._draw_joined(first, f"{name}: second card", joining, join)
                    self._move_unsplit(circle, first, second)
            case "surrender":
                self._surrender(hand, bet)
            case "rescue":
                bet.rescued = hand.closed = True
            case "stand":
                hand.closed = True
        self._note()

    def _add(
        self, hand: BetHand, says: str, joining: Sequence[WantDecision] = (), join: Join | None = None
    ) -> Move[None]:
        """One card for the money that was added, after which the hand is over, or may be rescued."""
        if joining and join is not None:
            yield from self._draw_joined(hand, says, joining, join)
        else:
            yield from self._draw(hand, says)
        hand.doublings += 1
        hand.closed = self.rules.after_double == "over"

    def _raise(self, hand: BetHand, act: Act) -> None:
        """Money of one bettor, added to his wager on the hand."""
        bet = hand.bet_of(act.seat)
        if act.do == "redouble":
            cents = self.rules.redoubled(hand)
        else:
            cents = bet.stake if act.cents is None else min(act.cents, bet.stake)
        bet.doubles.append(cents)
        lay_down(self.t, act.seat, act.do, cents)

    # Several bettors on a hand

    def _joining(self, circle: Circle, hand: BetHand, act: Act) -> list[WantDecision]:
        """The other bettors of a hand that is doubled or split, who may do likewise: "at least one player" lays down a
        second wager (calgrand-hot-action-blackjack, 1418-1422)."""
        found = []
        for bet in hand.staying if act.do in ("double", "split") else ():
            likewise = [choice for choice in money_choices(self.rules, circle, hand, bet) if choice.do == act.do]
            if bet.place != act.seat and likewise:
                found.append(WantDecision(bet.place, (replace(likewise[0], label=f"{act.do} too"),)))
        return found

    def _draw_joined(self, hand: BetHand, says: str, joining: Sequence[WantDecision], join: Join) -> Move[None]:
        """As `_draw`; until the card comes, these may join."""
        self.burn_exposed()
        dealing, left = self.t.deal(hand.cards, says=says), list(joining)
        body: AnyBody | None = None
        while True:
            try:
                waiting = dealing.send(body)
            except StopIteration:
                break
            while type(waiting) is Expectation and type(waiting.wants[0]) is WantCard:
                body = yield Expectation((*waiting.wants, *left), waiting.barred)
                if type(body) is not Act:
                    break
                self.t.emit(ev.Decided(body.seat, body.do, body.cents, body.to))
                join(body)
                left = [want for want in left if want.seat != body.seat]
            else:
                body = yield waiting
        self._note()

    def _bet_on(self, circle: Circle, first: BetHand, second: BetHand, act: Act) -> None:
        """A further bettor's money on the hand that was split off, equal to his wager on the first."""
        stake = first.bet_of(act.seat).stake
        lay_down(self.t, act.seat, f"split_{circle.splits}", stake)
        second.bets = sorted([*second.bets, Bet(act.seat, stake)], key=circle.rank_of)

    def _move_unsplit(self, circle: Circle, first: BetHand, second: BetHand) -> None:
        """Who did not join a split has his wager on one of the two hands."""
        if self.rules.back_line.unsplit == "first_hand":
            return
        joined = {bet.place for bet in second.bets}
        moving = [bet for bet in first.staying if bet.place not in joined]
        first.bets = [bet for bet in first.bets if bet not in moving]
        second.bets = sorted([*second.bets, *moving], key=circle.rank_of)

    def _surrender(self, hand: BetHand, bet: Bet) -> None:
        """A bettor gives up half of his wager; where the back line follows the seat, so do all."""
        hand.give_up(*((bet,) if self.rules.back_line.surrender == "own" else ()))

    def _dealer_plays(self, hand: BetHand) -> Move[None]:
        """For a player who has left."""
        count = self.rules.count(hand.cards)
        while not count.natural and count.total <= self.rules.abandoned_hits:
            yield from self._draw(hand, f"{title(hand.cards.owner)} has {count} and is left: hit")
            count = self.rules.count(hand.cards)
        hand.closed = True

    def _draw(self, hand: BetHand, says: str, forced: Circle | None = None) -> Move[None]:
        self.burn_exposed()
        barred = () if forced is None else chart_bars(self.rules, forced.place, self.rules.count(hand.cards))
        yield from self.t.deal(hand.cards, says=says, barred=barred)
        self._note()

    def _against(self, hand: BetHand) -> str:
        count = str(self.rules.count(hand.cards))
        return count if self.up is None else f"{count} against {self.bank.slots[0].face}"

    # Player-dealer

    def player_dealer(self) -> Move[None]:
        """The down card turned up or dealt now, the action button placed, the hand completed by the chart."""
        for circle in self.circles:
            yield from self.t.show(circle.hands[0].cards)
        rules, barred = self.rules, finished_bars(self.rules, self.circles)
        yield from self.t.show(self.bank)
        if len(self.bank) == 1:
            yield from self.t.deal(self.bank, barred=barred)
        yield from self.settling.place_button()
        while not self.nobody_draws:
            count = rules.bank_count(self.bank)
            if count.natural or rules.player_dealer_chart.says(count) == "stand":
                break
            if self.exposed:
                self.t.queue.append(self.exposed.pop(0))
            yield from self.t.deal(self.bank, says=f"Player-dealer has {count} and draws", barred=barred)
        self.burn_exposed()
        self._note()

    def burn_exposed(self) -> None:
        for slot in self.exposed:
            self.t.burns.append(slot)
            self.t.emit(ev.CardBurned(slot.face_if_exposed))
        self.exposed.clear()

    def _note(self) -> None:
        """The result as far as it is known: every exposed hand with its total and its money."""
        result, rules = self.t.result, self.rules
        for circle in self.circles:
            hands = circle.hands
            if not hands[0].cards.is_exposed or not all(hand.cards.is_read for hand in hands):
                continue  # a hand may have been killed while its card was not read yet
            if not circle.dealt:
                circle.dealt = tuple(hands[0].cards.cards)
            counts = [rules.count(hand.cards) for hand in hands]
            result.totals[circle.name] = [rules.shown(count) for count in counts]
            self.facts.wager_by_hand[circle.name] = [hand.wager_of(circle.place) for hand in hands]
            if counts[0].natural:
                result.ranks[circle.name] = [counts[0].natural]
            if circle.splits:
                result.arranged[circle.name] = [codes(hand.cards.cards) for hand in hands]
        if self.bank.is_exposed:
            count = rules.bank_count(self.bank)
            result.totals["player_dealer"] = [rules.shown(count)]
            if count.natural:
                result.ranks["player_dealer"] = [count.natural]
        self._note_splits()

    def _note_splits(self) -> None:
        """Splits allowed; splits made and hands after them: of the circle that split, by circle where several did."""
        noted, facts = [circle for circle in self.circles if circle.splits] or self.circles, self.facts
        facts.splits_allowed = self.rules.max_splits
        facts.shown_empty.add("splits_allowed")
        if len(noted) == 1:
            facts.splits_used, facts.hands_in_play = noted[0].splits, len(noted[0].hands)
        else:
            facts.splits_used = {circle.name: circle.splits for circle in noted}
            facts.hands_in_play = {circle.name: len(circle.hands) for circle in noted}
