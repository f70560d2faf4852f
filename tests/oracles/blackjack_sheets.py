"""What the blackjack sheets print: values, charts, who may do what, who wins and what it pays."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Hand:
    """One hand of a circle."""

    cards: list[str]
    stake: int
    split: bool = False
    """It came of a split: no natural."""
    doubles: list[int] = field(default_factory=list)
    ended: str = ""
    """Surrendered or rescued."""
    over: bool = False

    @property
    def wager(self) -> int:
        return self.stake + sum(self.doubles)


def worth(card: str) -> int:
    if card == "Jo":
        return 2
    return 1 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0])


def add_up(cards: list[str], limit: int) -> tuple[int, bool]:
    """The total, and whether an ace counts eleven in it."""
    low = sum(worth(card) for card in cards)
    if any(card[0] == "A" for card in cards) and low + 10 <= limit:
        return low + 10, True
    return low, False


def is_ten(card: str) -> bool:
    return card != "Jo" and card[0] in "TJQK"


class Sheet:
    """The common part; each sheet below says what is its own."""

    base = "main"
    limit = 21
    positions = 8
    deals_from_house_dealer = False
    button_from_house_dealer = False
    settles = "action button"
    second_card_last = False
    insurance = False
    insurance_at_check = False
    even_money = False
    double_ends = True
    lines_apart = False
    match_wager = "none"
    joker_counts = 0
    """What a joker counts for the action button; 0: nothing."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options

    # Totals

    def natural(self, cards: list[str]) -> str:
        """The name of the natural that these first two cards are."""
        return ""

    def bank_natural(self, cards: list[str]) -> str:
        return self.natural(cards) if len(cards) == 2 else ""

    def natural_of(self, hand: Hand) -> str:
        return self.natural(hand.cards) if len(hand.cards) == 2 and not hand.split else ""

    def count(self, cards: list[str]) -> tuple[int, bool]:
        return add_up(cards, self.limit)

    def is_over(self, cards: list[str]) -> bool:
        return not self.bank_natural(cards) and self.count(cards)[0] > self.limit

    def bank_draws(self, cards: list[str]) -> bool:
        """Hits hard 16 and soft 17 and less, as most charts have it."""
        total, soft = self.count(cards)
        return total <= (17 if soft else 16)

    # What happens

    def peeks(self, up: str) -> bool:
        return False

    def ends_play(self, up: str) -> bool:
        return False

    def choices(self, hand: Hand, splits: int, up: str) -> list[str]:
        raise NotImplementedError

    def compare(self, hand: Hand, theirs: list[str]) -> str:
        raise NotImplementedError

    def payoff(self, won: str, hand: Hand, stake: int, *, even_money: bool) -> int:
        return stake

    def called(self, won: str) -> str:
        return won


def plain(mine: int, theirs: int) -> str:
    return "win" if mine > theirs else "lose" if mine < theirs else "push"


class Pure(Sheet):
    """Pure 21.5 Blackjack."""

    base = "base"
    bonus_cards = "KQJT"
    natural_wins_pays = (6, 5)

    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__(options)
        to, against = options.get("pure_pays", "6:5").split(":")
        self.natural_pays = int(to), int(against)
        self.insurance = self.insurance_at_check = self.even_money = options.get("insurance", False)

    def natural(self, cards: list[str]) -> str:
        ranks = sorted(card[0] for card in cards)
        return "pure" if "A" in ranks and any(rank in self.bonus_cards for rank in ranks) else ""

    def peeks(self, up: str) -> bool:
        return up[0] == "A" or up[0] in self.bonus_cards

    def is_pair(self, cards: list[str]) -> bool:
        one, other = (card[0] for card in cards)
        return one == other or (one in self.bonus_cards and other in self.bonus_cards)

    def choices(self, hand: Hand, splits: int, up: str) -> list[str]:
        total, soft = self.count(hand.cards)
        if self.natural_of(hand) or total > 21:
            return []
        if hand.split and len(hand.cards) == 2 and hand.cards[0][0] == "A":
            return []
        must_stand, must_hit = not soft and total >= 19, not soft and total <= 11
        found = [] if must_stand else ["hit"]
        found += [] if must_hit else ["stand"]
        if len(hand.cards) == 2:
            if not hand.split and (not must_stand or self.options.get("double_on_must_stand")):
                found.append("double")
            if self.is_pair(hand.cards) and splits < 3:
                found.append("split")
            if not hand.split:
                found.append("surrender")
        return found

    def compare(self, hand: Hand, theirs: list[str]) -> str:
        mine, other = self.natural_of(hand), self.bank_natural(theirs)
        if mine or other:
            return "push" if mine and other else "pure" if mine else "lose"
        total, bank = self.count(hand.cards)[0], self.count(theirs)[0]
        if total > 21 and bank > 21:
            eights = [card[0] for card in theirs] == ["8", "8", "8"]
            return self.options.get("pd_888", "push") if eights else "lose"
        if total > 21 or bank > 21:
            return "lose" if total > 21 else "win"
        return plain(total, bank)

    def payoff(self, won: str, hand: Hand, stake: int, *, even_money: bool) -> int:
        if won != "pure":
            return stake
        to, against = (3, 2) if even_money else self.natural_pays
        return stake * to // against

    def called(self, won: str) -> str:
        return "win_pure" if won == "pure" else won


class TurlockPure(Pure):
    base = "main"
    button_from_house_dealer = True


class Spanish(Pure):
    """Pure Spanish 21.5."""

    bonus_cards = "KQJ"
    double_ends = False
    match_wager = "match_up_card"
    settles = "left of the player-dealer"
    doubles_on_must_stand = False

    def choices(self, hand: Hand, splits: int, up: str) -> list[str]:
        total, soft = self.count(hand.cards)
        if self.natural_of(hand) or total > 21:
            return []
        must_stand = not soft and total >= 17
        may_double = not must_stand or self.options.get("double_on_must_stand", self.doubles_on_must_stand)
        if hand.doubles:
            again = self.options.get("double_double") and len(hand.doubles) < 3 and may_double
            return ["stand", *(["redouble"] if again else []), "rescue"]
        found = ["stand"] if must_stand else ["hit", "stand"]
        if len(hand.cards) == 2:
            found += ["double"] if may_double else []
            found += ["split"] if self.is_pair(hand.cards) and splits < 3 else []
            found += [] if hand.split else ["surrender"]
        return found

    def compare(self, hand: Hand, theirs: list[str]) -> str:
        if self.natural_of(hand):
            return "pure"
        won = super().compare(hand, theirs)
        both_21 = self.count(hand.cards)[0] == self.count(theirs)[0] == 21
        return "win" if won == "push" and both_21 else won


class TurlockSpanish(Spanish):
    match_wager = "match_dealer"
    settles = "action button"
    button_from_house_dealer = True
    doubles_on_must_stand = True


class HotAction(Sheet):
    """Hot Action Blackjack."""

    deals_from_house_dealer = True
    insurance = True
    lines_apart = True
    joker_counts = 7

    def natural(self, cards: list[str]) -> str:
        one, other = cards
        if one == other == "Jo":
            return "super_natural_24"
        if one[0] == other[0] == "A" and one[1] == other[1]:
            return "natural_22"
        if (one[0] == "A" and is_ten(other)) or (other[0] == "A" and is_ten(one)):
            return "natural_21"
        return ""

    def bank_natural(self, cards: list[str]) -> str:
        found = self.natural(cards) if len(cards) == 2 else ""
        return "" if found == "super_natural_24" else found

    def peeks(self, up: str) -> bool:
        return up[0] == "A" or is_ten(up)

    def choices(self, hand: Hand, splits: int, up: str) -> list[str]:
        total, soft = self.count(hand.cards)
        if self.natural_of(hand) or total > 21:
            return []
        first_two = len(hand.cards) == 2
        if hand.split and first_two and hand.cards[0][0] == "A":
            return []
        must_stand, must_hit = total >= (19 if soft else 18), not soft and total <= 11
        found = [] if must_stand else ["hit"]
        found += [] if must_hit else ["stand"]
        if first_two:
            found += ["double"] if not hand.split and (soft or must_hit) else []
            one, other = hand.cards
            suited_aces = one[0] == other[0] == "A" and one[1] == other[1]
            found += (
                ["split"] if worth(one) == worth(other) and not suited_aces and (one, other) != ("Jo", "Jo") else []
            )
        return found

    def compare(self, hand: Hand, theirs: list[str]) -> str:
        mine, other = self.natural_of(hand), self.bank_natural(theirs)
        if mine in ("super_natural_24", "natural_22"):
            return mine
        if other == "natural_22":
            return "lose"
        if mine == "natural_21":
            return "push" if other == "natural_21" else mine
        if other == "natural_21":
            return "lose"
        total, bank = self.count(hand.cards)[0], self.count(theirs)[0]
        if total > 21 and bank > 21:
            return "push" if total == bank == 22 else "lose"
        if total > 21 or bank > 21:
            return "lose" if total > 21 else "win"
        return plain(total, bank)

    def payoff(self, won: str, hand: Hand, stake: int, *, even_money: bool) -> int:
        to, against = {"super_natural_24": (4, 1), "natural_22": (2, 1), "natural_21": (6, 5)}.get(won, (1, 1))
        return stake * to // against

    def called(self, won: str) -> str:
        return won if won in ("lose", "push") else "win"


class NoBust(Sheet):
    """No Bust 21st Century Blackjack 4.0."""

    insurance = True
    resplits_aces = True
    most_splits = 10**9

    def natural(self, cards: list[str]) -> str:
        one, other = cards
        return "natural" if (one[0] == "A" and is_ten(other)) or (other[0] == "A" and is_ten(one)) else ""

    def is_pair(self, cards: list[str]) -> bool:
        return worth(cards[0]) == worth(cards[1])

    def may_surrender(self, hand: Hand) -> bool:
        return True

    def choices(self, hand: Hand, splits: int, up: str) -> list[str]:
        total, soft = self.count(hand.cards)
        if self.natural_of(hand) or total >= 21:
            return []
        first_two = len(hand.cards) == 2
        may_split = first_two and self.is_pair(hand.cards) and splits < self.most_splits
        if hand.split and first_two and hand.cards[0][0] == "A":
            return ["stand", "split"] if may_split and self.resplits_aces else []
        must_hit = not soft and total <= 11
        found = ["hit"] if must_hit else ["hit", "stand"]
        found += ["double"] if first_two else []
        found += ["split"] if may_split else []
        found += ["surrender"] if self.may_surrender(hand) else []
        return found

    def compare(self, hand: Hand, theirs: list[str]) -> str:
        mine, other = self.natural_of(hand), self.bank_natural(theirs)
        if mine or other:
            return "push" if mine and other else "natural" if mine else "lose"
        total, bank = self.count(hand.cards)[0], self.count(theirs)[0]
        if total > self.limit and bank > self.limit:
            return self.both_over(hand, total, theirs, bank)
        if total > self.limit or bank > self.limit:
            return "lose" if total > self.limit else "win"
        return self.both_under(hand, total, theirs, bank)

    def both_over(self, hand: Hand, total: int, theirs: list[str], bank: int) -> str:
        spared = len(hand.cards) == 3 and total <= 25
        return "push" if bank > total and spared else "lose"

    def both_under(self, hand: Hand, total: int, theirs: list[str], bank: int) -> str:
        return plain(total, bank)

    def payoff(self, won: str, hand: Hand, stake: int, *, even_money: bool) -> int:
        return stake * 6 // 5 if won == "natural" else stake

    def called(self, won: str) -> str:
        return "win" if won == "natural" else won


class NoBust6(NoBust):
    """No Bust 6.0."""

    deals_from_house_dealer = True
    settles = "highest seat first"
    resplits_aces = False
    most_splits = 2

    def is_pair(self, cards: list[str]) -> bool:
        return cards[0][0] == cards[1][0]

    def may_surrender(self, hand: Hand) -> bool:
        return False

    def both_over(self, hand: Hand, total: int, theirs: list[str], bank: int) -> str:
        suited = len({card[1] for card in theirs}) == 1
        spared = suited and sorted(card[0] for card in theirs) == ["7", "8", "9"]
        return "push" if bank > total and spared else "lose"


class NoBustJoker(NoBust):
    """No Bust with jokers, of no version."""

    insurance = False
    second_card_last = True
    resplits_aces = False
    most_splits = 3

    def natural(self, cards: list[str]) -> str:
        return "natural" if cards == ["Jo", "Jo"] else ""

    def count(self, cards: list[str]) -> tuple[int, bool]:
        return (21, False) if "Jo" in cards else add_up(cards, 21)

    def choices(self, hand: Hand, splits: int, up: str) -> list[str]:
        total, soft = self.count(hand.cards)
        if self.natural_of(hand) or total > 21:
            return []
        first_two = len(hand.cards) == 2
        may_split = first_two and "Jo" not in hand.cards and worth(hand.cards[0]) == worth(hand.cards[1])
        may_split = may_split and splits < 3 and up != "Jo"
        if hand.split and first_two and hand.cards[0][0] == "A":
            return []
        if total >= 20:
            return ["stand", "split"] if may_split else []
        found = ["hit"] if not soft and total <= 11 else ["hit", "stand"]
        if first_two and not hand.split and up != "Jo":
            found += ["double", "surrender"]
        return [*found, "split"] if may_split else found

    def bank_draws(self, cards: list[str]) -> bool:
        return cards[0] != "Jo" and super().bank_draws(cards)

    def both_over(self, hand: Hand, total: int, theirs: list[str], bank: int) -> str:
        return "push" if bank > total else "lose"

    def both_under(self, hand: Hand, total: int, theirs: list[str], bank: int) -> str:
        mine = (total, not hand.split and "Jo" in hand.cards[:2])
        other = (bank, "Jo" in theirs[:2])
        return "win" if mine > other else "lose" if mine < other else "push"

    def payoff(self, won: str, hand: Hand, stake: int, *, even_money: bool) -> int:
        return 2 * stake if won == "natural" else stake


class TwentyTwo(Sheet):
    """21st Century Blackjack, target 22."""

    limit = 22
    positions = 7
    double_ends = False

    def natural(self, cards: list[str]) -> str:
        return "natural" if all(card == "Jo" or card[0] == "A" for card in cards) else ""

    def count(self, cards: list[str]) -> tuple[int, bool]:
        return (22, False) if "Jo" in cards else add_up(cards, 22)

    def ends_play(self, up: str) -> bool:
        return up == "Jo"

    def bank_draws(self, cards: list[str]) -> bool:
        total, soft = self.count(cards)
        return total <= (18 if soft else 17)

    def choices(self, hand: Hand, splits: int, up: str) -> list[str]:
        total, soft = self.count(hand.cards)
        if self.natural_of(hand) or total >= 22:
            return []
        if hand.doubles:
            return ["hit", "stand"] if len(hand.cards) == 3 else []
        doubles = len(hand.cards) == 2 and not soft and total in (11, 12)
        return ["hit", "stand", "double"] if doubles else ["hit", "stand"]

    def compare(self, hand: Hand, theirs: list[str]) -> str:
        mine, other = self.natural_of(hand), self.bank_natural(theirs)
        if theirs[0] == "Jo":
            return "push" if mine else "lose"
        if mine or other:
            return "push" if mine and other else "win" if mine else "lose"
        total, bank = self.count(hand.cards)[0], self.count(theirs)[0]
        if total > 22 and bank > 22:
            return "push" if bank > total else "lose"
        if total > 22 or bank > 22:
            return "lose" if total > 22 else "win"
        return "win" if total > bank else "lose"


SHEETS: dict[str, type[Sheet]] = {
    "bankers-pure-21-5-blackjack": Pure,
    "turlock-pure-21-5-blackjack": TurlockPure,
    "bankers-pure-spanish-21-5": Spanish,
    "turlock-pure-spanish-21-5": TurlockSpanish,
    "calgrand-hot-action-blackjack": HotAction,
    "village-no-bust-blackjack-4-0": NoBust,
    "village-no-bust-blackjack-6-0": NoBust6,
    "village-no-bust-blackjack-joker": NoBustJoker,
    "village-21st-century-blackjack": TwentyTwo,
}
