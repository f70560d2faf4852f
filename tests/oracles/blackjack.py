"""The blackjack games, without their back lines: one bettor at each circle.

Sheets: bankers- and turlock-pure-21-5-blackjack, bankers- and turlock-pure-spanish-21-5, calgrand-hot-action-blackjack,
village-21st-century-blackjack, village-no-bust-blackjack-joker, -4-0 and -6-0, and the three Buster side bets on them.
What differs is in `blackjack_sheets`; here is the round that they share.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.oracles.blackjack_sheets import SHEETS, Hand, Sheet
from tests.oracles.played import Acts, Bank, Cards, Played, Settled, clockwise, nothing_left

BUSTER = {
    "bankers": {3: 2, 4: 2, 5: 4, 6: 15, 7: 50, 8: 200},
    "calgrand": {3: 1, 4: 3, 5: 4, 6: 15, 7: 40, 8: 200},
    "village": {3: 2, 4: 2, 5: 4, 6: 18, 7: 50, 8: 200},
}
BUSTER_ON = {
    "bankers": "bankers-pure-21-5-blackjack",
    "calgrand": "calgrand-hot-action-blackjack",
    "village": "village-no-bust-blackjack-4-0",
}


@dataclass
class Circle:
    seat: int
    stake: int
    hands: list[Hand] = field(default_factory=list)
    first_two: list[str] = field(default_factory=list)
    insured: int = 0
    even_money: bool = False


def settle(played: Played) -> Settled:
    room = played.sheet.split("-")[0]
    name = played.sheet
    if "buster" in name:
        chosen = played.options.get("base_game")
        name = f"{room}-{chosen.removeprefix(f'{room}-')}" if chosen else BUSTER_ON[room]
    sheet = SHEETS[name](played.options)
    if name != played.sheet and room == "calgrand":
        sheet.base = "base"
    return Round(played, sheet).play()


class Round:
    def __init__(self, played: Played, sheet: Sheet) -> None:
        self.played, self.sheet = played, sheet
        self.cards, self.acts, self.bank = Cards(played.cards), Acts(played.acts), Bank(played)
        self.wagers = {int(place): of for place, of in played.wagers.items() if sheet.base in of}
        first = 0 if sheet.deals_from_house_dealer else played.player_dealer
        self.circles = [Circle(seat, self.wagers[seat][sheet.base]) for seat in clockwise(self.wagers, first)]
        self.theirs: list[str] = []

    def play(self) -> Settled:
        sheet = self.sheet
        for circle in self.circles:
            circle.hands = [Hand(self.cards.take(), circle.stake)]
        self.theirs += self.cards.take()
        for circle in self.circles:
            circle.hands[0].cards += self.cards.take()
            circle.first_two = list(circle.hands[0].cards)
        if not sheet.second_card_last:
            self.theirs += self.cards.take()
        up = self.theirs[0]
        if sheet.insurance and up[0] == "A":
            self._insure()
        looks = sheet.peeks(up)
        found = looks and sheet.bank_natural(self.theirs)
        if looks and sheet.insurance_at_check:
            for circle in self.circles:
                self._settle_insurance(circle)
        ended = sheet.ends_play(up)
        if not found and not ended:
            for circle in self.circles:
                at = 0
                while at < len(circle.hands):
                    self._play_hand(circle, at)
                    at += 1
        if sheet.second_card_last:
            self.theirs += self.cards.take()
        order = self._order()
        if not ended:
            while not sheet.bank_natural(self.theirs) and sheet.bank_draws(self.theirs):
                self.theirs += self.cards.take()
        nothing_left(self.cards, self.acts)
        self._settle(order)
        return self.bank.said

    # Decisions

    def _insure(self) -> None:
        for circle in self.circles:
            offered = ["insurance", "no_insurance"]
            if self.sheet.even_money and self.sheet.natural(circle.first_two):
                offered.append("even_money")
            act = self.acts.next(str(circle.seat), *offered)
            if act.do != "no_insurance":
                half = circle.stake // 2
                circle.insured = half if act.cents is None else min(act.cents, half)
                circle.even_money = act.do == "even_money"

    def _play_hand(self, circle: Circle, at: int) -> None:
        sheet, up = self.sheet, self.theirs[0]
        hand = circle.hands[at]
        while not hand.over:
            if len(hand.cards) == 1:
                hand.cards += self.cards.take()
            choices = sheet.choices(hand, len(circle.hands) - 1, up)
            if len(choices) < 2:
                if "hit" not in choices:
                    return
                hand.cards += self.cards.take()
                continue
            act = self.acts.next(str(circle.seat), *choices)
            match act.do:
                case "hit":
                    hand.cards += self.cards.take()
                case "stand":
                    return
                case "double":
                    hand.doubles.append(circle.stake if act.cents is None else min(act.cents, circle.stake))
                    hand.cards += self.cards.take()
                    hand.over = sheet.double_ends
                case "redouble":
                    hand.doubles.append(hand.wager)
                    hand.cards += self.cards.take()
                case "split":
                    hand.split = True
                    circle.hands.insert(at + 1, Hand([hand.cards.pop()], circle.stake, split=True))
                case "surrender" | "rescue":
                    hand.ended, hand.over = act.do, True

    # Settlement

    def _order(self) -> list[Circle]:
        sheet, dealer = self.sheet, self.played.player_dealer
        seats = [circle.seat for circle in self.circles]
        positions = max(sheet.positions, dealer, *self.played.seats)
        others = [seat for seat in range(1, positions + 1) if seat != dealer]
        from_left = others if sheet.button_from_house_dealer else clockwise(others, dealer)
        match sheet.settles:
            case "highest seat first":
                order = sorted(seats, reverse=True)
            case "left of the player-dealer":
                order = clockwise(seats, dealer)
            case _:
                pointed = self._pointed(from_left)
                order = clockwise(seats, pointed - 1)
        return [circle for seat in order for circle in self.circles if circle.seat == seat]

    def _pointed(self, others: list[int]) -> int:
        """The seat that the player-dealer's second card counts out; where a joker does not, the floor names it."""
        card = self.theirs[1]
        if card == "Jo" and not self.sheet.joker_counts:
            return self.acts.next(self.acts.place, "action_button").seat
        count = self.sheet.joker_counts if card == "Jo" else "A23456789TJQK".index(card[0]) + 1
        return others[(count - 1) % len(others)]

    def _settle(self, order: list[Circle]) -> None:
        outcome: dict[str, list[str] | str] = {}
        for circle in order:
            outcomes = [self._hand(circle, number, hand) for number, hand in enumerate(circle.hands)]
            outcome[str(circle.seat)] = outcomes if len(outcomes) > 1 else outcomes[0]
            if self.sheet.insurance and not self.sheet.insurance_at_check:
                self._settle_insurance(circle)
            if self.sheet.match_wager in self.wagers[circle.seat]:
                stake = self.wagers[circle.seat][self.sheet.match_wager]
                self.bank.settle(str(circle.seat), self.sheet.match_wager, self._match(circle) * stake)
            if not self.played.sheet.startswith("village"):
                self._buster(circle)
        if self.played.sheet.startswith("village"):
            for circle in order:
                self._buster(circle)
        self.bank.said.outcome = outcome

    def _hand(self, circle: Circle, number: int, hand: Hand) -> str:
        """One hand of the circle: its outcome, after its money has moved."""
        place, sheet = str(circle.seat), self.sheet
        if hand.ended == "surrender":
            self.bank.settle(place, sheet.base, -(hand.wager - hand.wager // 2))
            return "surrender"
        if hand.ended == "rescue":
            self.bank.settle(place, sheet.base, -(hand.wager - hand.doubles[-1]))
            return "rescue"
        won = sheet.compare(hand, self.theirs)

        def due(stake: int) -> int:
            if won in ("lose", "push"):
                return -stake if won == "lose" else 0
            return sheet.payoff(won, hand, stake, even_money=circle.even_money)

        if not sheet.lines_apart:
            self.bank.settle(place, sheet.base, due(hand.wager))
            return sheet.called(won)
        line = sheet.base if not number else "split" if number == 1 else f"split_{number + 1}"
        self.bank.settle(place, line, due(hand.stake))
        if hand.doubles:
            self.bank.settle(place, "double", due(sum(hand.doubles)))
        return sheet.called(won)

    def _settle_insurance(self, circle: Circle) -> None:
        if circle.insured:
            pays = 2 if self.sheet.bank_natural(self.theirs) else -1
            self.bank.settle(str(circle.seat), "insurance", pays * circle.insured)

    def _match(self, circle: Circle) -> int:
        """What the two first cards pay against the up card; suited counts apart."""
        up = self.theirs[0]
        suited = sum(card[:2] == up[:2] for card in circle.first_two)
        plain = sum(card[0] == up[0] for card in circle.first_two) - suited
        return {(2, 0): 16, (1, 1): 12, (1, 0): 8, (0, 2): 8, (0, 1): 4, (0, 0): -1}[suited, plain]

    def _buster(self, circle: Circle) -> None:
        stake = self.wagers[circle.seat].get("buster")
        if stake is None:
            return
        count = len(self.theirs)
        busted = count >= 3 and self.sheet.is_over(self.theirs)
        table = BUSTER[self.played.sheet.split("-")[0]]
        self.bank.settle(str(circle.seat), "buster", table[min(count, 8)] * stake if busted else -stake)
