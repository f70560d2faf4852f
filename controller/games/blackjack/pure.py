"""Pure 21.5 Blackjack: an ace and a bonus card on the first two cards are 21.5, the best hand.

The deck's tens and pictures are bonus cards: they count 10, and 10.5 in a Pure 21.5 only. Busted hands stay live,
because a player-dealer who makes exactly three eights pushes them. Sheet: bankers-pure-21-5-blackjack.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from msgspec import Struct
from msgspec.structs import replace

from controller.engine.cards import SUITS, Card, Hand
from controller.engine.felt import Script, Table
from controller.engine.game import Game, HistoryEntry
from controller.engine.money import Odds
from controller.engine.result import Result
from controller.games.blackjack.circle import SplitHand
from controller.games.blackjack.counting import ACE, Count, add_up
from controller.games.blackjack.rules import BlackjackRules, Outcome
from controller.games.blackjack.script import play_round

PLAIN, BONUS = "A23456789", "TJQK"
EIGHT = 8
PURE = 21.5


class PurePays(Struct, frozen=True, forbid_unknown_fields=True):
    win: str
    insurance: str


class PureRules(BlackjackRules, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Options and rules of Pure 21.5 Blackjack; defaults and their sources are in the rulesets."""

    pure_pays: Literal["6:5", "7:5", "3:2"]
    even_money_pays: Literal["3:2", "6:5"]
    pd_888: Literal["push", "win"]
    bonuses: Literal["none"]
    pays: PurePays

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.insurance and self.pure_pays != "3:2":
            raise ValueError(f"insurance = true needs pure_pays = '3:2', not {self.pure_pays!r}")

    def count(self, hand: Hand) -> Count:
        return pure_count(hand)

    def shown(self, count: Count) -> int | float:
        return PURE if count.natural else count.total

    def may_split(self, one: Card, other: Card) -> bool:
        return one.rank == other.rank or (one.star and other.star)

    def is_checked(self, up: Card) -> bool:
        return up.rank == ACE or up.star

    def insures(self, up: Card) -> bool:
        return up.rank == ACE

    def outcome(self, count: Count, bank: Count, bank_hand: Hand) -> Outcome:
        if count.natural:
            return "push" if bank.natural else "win_pure"
        if count.is_over:
            return self.pd_888 if is_three_eights(bank_hand) else "lose"
        if bank.natural:
            return "lose"
        if bank.is_over or count.total > bank.total:
            return "win"
        return "push" if count.total == bank.total else "lose"

    def odds(self, outcome: Outcome, *, even_money: bool) -> Odds | None:
        match outcome:
            case "win":
                return Odds(self.pays.win)
            case "win_pure":
                return Odds(self.even_money_pays if even_money else self.pure_pays)
            case _:
                return None

    @property
    def insurance_odds(self) -> Odds:
        return Odds(self.pays.insurance)

    def flags(self, bank_hand: Hand) -> dict[str, bool]:
        return {
            "player_dealer_pure": self.count(bank_hand).natural,
            "player_dealer_888": is_three_eights(bank_hand),
            "down_card_checked": self.is_checked(bank_hand.cards[0]),
        }


def pure_count(hand: Hand) -> Count:
    """What a hand counts; an ace with a bonus card is a Pure 21.5 as dealt, and 21 after a split.

    >>> from controller.engine.cards import Slot, card
    >>> dealt, split = Hand("3"), SplitHand("3")
    >>> dealt.slots = split.slots = [Slot(card("As")), Slot(card("Kd*"))]
    >>> pure_count(dealt), pure_count(split)
    (Count(total=21, soft=True, natural=True), Count(total=21, soft=True))
    """
    cards = hand.cards
    count = add_up(cards)
    if len(cards) != 2 or isinstance(hand, SplitHand):
        return count
    is_pure = any(card.rank == ACE for card in cards) and any(card.star for card in cards)
    return replace(count, natural=True) if is_pure else count


def is_three_eights(hand: Hand) -> bool:
    return len(hand) == 3 and all(slot.card.rank == EIGHT for slot in hand)


class PureBlackjack(Game[PureRules]):
    """Pure 21.5 Blackjack."""

    slug = "pure-21-5-blackjack"
    title = "Pure 21.5 Blackjack"
    options_type = PureRules
    uses_shoe: ClassVar[bool] = True
    turns_as_player_dealer: ClassVar[int | None] = 2

    def deck(self, options: PureRules) -> Mapping[str, int]:
        """A to 9 in four suits, and sixteen bonus cards, one of each name in each suit."""
        plain = {rank + suit: options.decks for suit in SUITS for rank in PLAIN}
        return plain | {f"{rank}{suit}*": options.decks for suit in SUITS for rank in BONUS}

    def play(self, t: Table, options: PureRules) -> Script:
        return play_round(t, options)

    def count(self, hand: Hand) -> str:
        count = pure_count(hand)
        if count.natural:
            return str(PURE)
        return str(count) if count.soft else str(count.total)

    def tell(self, result: Mapping[str, Any]) -> str:
        """What the player-dealer ended with."""
        total = result["totals"]["player_dealer"][0]
        if result["flags"]["player_dealer_888"]:
            return "Player-dealer has three eights"
        if total == PURE:
            return "Player-dealer has a Pure 21.5"
        return f"Player-dealer has {total}" if total < PURE else f"Player-dealer is over with {total}"

    def history_entry(self, result: Result) -> HistoryEntry:
        flags = tuple(name for name, on in result.flags.items() if on)
        return HistoryEntry("settled", flags)
