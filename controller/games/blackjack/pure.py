"""Pure 21.5 Blackjack and Pure Spanish 21.5: an ace and a bonus card on the first two cards are 21.5, the best hand.

Tens and pictures, in the Spanish deck the pictures alone, are bonus cards: they count 10, and 10.5 in a 21.5 only.
Busted hands stay live, because a player-dealer who makes exactly three eights pushes them. The four rulesets are one
game with different data: the Spanish ones pay a player who ties with 21 or 21.5, and let a doubled hand be doubled
again or rescued. Sheets: bankers- and turlock-pure-21-5-blackjack, bankers- and turlock-pure-spanish-21-5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from msgspec import Struct
from msgspec.structs import replace

from controller.engine.bets.wagers import WagerRule
from controller.engine.cards.card import SUITS, Card, Hand, SplitHand
from controller.engine.fees.schedule import Moment
from controller.engine.money.bank import Odds
from controller.engine.round.felt import Script, Table
from controller.engine.round.game import Game, HistoryEntry
from controller.engine.round.result import Result
from controller.games.blackjack.circle import BetHand
from controller.games.blackjack.counting import ACE, VALUES, Chart, Count, add_up
from controller.games.blackjack.options import BACK_LINE_DECISIONS, BlackjackRules, Outcome
from controller.games.blackjack.script import play_round
from controller.games.blackjack.side_bets import Match, MatchPays, SideBet

PLAIN = "A23456789"
EIGHT = 8
PURE = 21.5


class PurePays(Struct, frozen=True, forbid_unknown_fields=True):
    win: str
    insurance: str = "2:1"
    match: MatchPays | None = None


class PureRules(BlackjackRules, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Options and rules of the 21.5 games; defaults and their sources are in the rulesets."""

    player_chart: Chart
    player_dealer_chart: Chart
    pure_pays: Literal["6:5", "7:5", "3:2"]
    """What a 21.5 of the first two cards pays."""
    pays: PurePays
    bonus_cards: Literal["TJQK", "JQK"] = "TJQK"
    """The ranks that make a 21.5 with an ace."""
    both_pure: Literal["push", "win"] = "push"
    """A 21.5 of the player against one of the player-dealer."""
    both_21: Literal["push", "win"] = "push"
    """A 21 of the player against one of the player-dealer."""
    even_money_pays: Literal["3:2", "6:5"] = "3:2"
    pd_888: Literal["push", "win"] = "push"
    bonuses: Literal["none"] = "none"
    match_wager: str = ""
    """The sheet's name of the Match bet; empty: the game has none."""
    match_up_card: bool = True
    action_card: Literal["rank", "count"] = "rank"
    table_max: int | None = None
    """The most a wager may be, where no schedule is posted; caps a redouble."""
    least_decks: int = 1
    """The fewest decks that the text allows."""
    redouble_capped: bool = False
    """A further doubling adds no more than the table's maximum."""
    unruled: str = ""
    """What the sheet calls it when a happening is left to the floor; empty: it has no word for it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.decks < self.least_decks:
            raise ValueError(f"decks = {self.decks}: the game is dealt from {self.least_decks} to 8 decks")
        if self.insurance and self.pure_pays != "3:2":
            raise ValueError(f"insurance = true needs pure_pays = '3:2', not {self.pure_pays!r}")
        if self.double_double and self.player_dealer_chart.hit_soft != 17:
            raise ValueError("double_double = true needs a player-dealer who hits soft 17")

    @property
    def wagers(self) -> tuple[WagerRule, ...]:
        rules = super().wagers
        if self.table_max is None or self.schedule is not None:
            return rules
        return tuple(replace(rule, max=self.table_max) for rule in rules)

    @property
    def side_bets(self) -> tuple[SideBet, ...]:
        if not (self.match_wager and self.match_up_card and self.pays.match):
            return ()
        return (Match(self.match_wager, self.base_wager, self.pays.match, self.wager_step),)

    def count(self, hand: Hand) -> Count:
        return pure_count(hand)

    def shown(self, count: Count) -> int | float:
        return PURE if count.natural else count.total

    def redoubled(self, hand: BetHand) -> int:
        most = self.table_max
        if most is None and self.schedule is not None:
            most = self.schedule.wager_max
        return hand.wager if most is None or not self.redouble_capped else min(hand.wager, most)

    def is_checked(self, up: Card) -> bool:
        return up.rank == ACE or up.star

    def insures(self, up: Card) -> bool:
        return up.rank == ACE

    def outcome(self, hand: Hand, bank: Hand) -> Outcome:
        mine, his = self.count(hand), self.count(bank)
        if mine.natural:
            return "push" if his.natural and self.both_pure == "push" else "win_pure"
        if mine.is_over:
            return self.pd_888 if is_three_eights(bank) else "lose"
        if his.natural:
            return "lose"
        if his.is_over or mine.total > his.total:
            return "win"
        if mine.total < his.total:
            return "lose"
        return self.both_21 if mine.total == mine.limit else "push"

    def odds(self, outcome: Outcome, count: Count, *, even_money: bool) -> Odds:
        if outcome == "win_pure":
            return Odds(self.even_money_pays if even_money else self.pure_pays)
        return Odds(self.pays.win)

    @property
    def insurance_odds(self) -> Odds:
        return Odds(self.pays.insurance)

    def flags(self, bank: Hand) -> dict[str, bool]:
        return {
            "player_dealer_pure": bool(self.count(bank).natural),
            "player_dealer_888": is_three_eights(bank),
            "down_card_checked": self.is_checked(bank.cards[0]),
        }

    def button_step(self, card: Card, seats: int) -> int:
        if self.action_card == "rank":
            return super().button_step(card, seats)
        return (VALUES[card.rank] - 1) % seats + 1


def pure_count(hand: Hand) -> Count:
    """What a hand counts; an ace with a bonus card is a Pure 21.5 as dealt, and 21 after a split.

    >>> from controller.engine.cards.card import Slot, card
    >>> dealt, split = Hand("3"), SplitHand("3")
    >>> dealt.slots = split.slots = [Slot(card("As")), Slot(card("Kd*"))]
    >>> pure_count(dealt), pure_count(split)
    (Count(total=21, soft=True, natural='pure'), Count(total=21, soft=True))
    """
    cards = hand.cards
    count = add_up(cards)
    if len(cards) != 2 or isinstance(hand, SplitHand):
        return count
    is_pure = any(card.rank == ACE for card in cards) and any(card.star for card in cards)
    return replace(count, natural="pure") if is_pure else count


def is_three_eights(hand: Hand) -> bool:
    return len(hand) == 3 and all(slot.card.rank == EIGHT for slot in hand)


class PureBlackjack(Game[PureRules]):
    """Pure 21.5 Blackjack, and Pure Spanish 21.5."""

    slug = "pure-21-5-blackjack"
    title = "Pure 21.5 Blackjack"
    options_type = PureRules
    uses_shoe: ClassVar[bool] = True
    has_player_dealer: ClassVar[bool] = True
    back_line_decisions: ClassVar[tuple[str, ...]] = BACK_LINE_DECISIONS
    fee_moments: ClassVar[tuple[Moment, ...]] = ("before_deal", "after_initial_deal")

    def deck(self, options: PureRules) -> dict[str, int]:
        """A to 9 in four suits, and the bonus cards, one of each name in each suit."""
        plain = {rank + suit: options.decks for suit in SUITS for rank in PLAIN}
        return plain | {f"{rank}{suit}*": options.decks for suit in SUITS for rank in options.bonus_cards}

    def play(self, t: Table, options: PureRules) -> Script:
        return play_round(t, options)

    def count(self, hand: Hand) -> str:
        count = pure_count(hand)
        if count.natural:
            return str(PURE)
        return str(count) if count.soft else str(count.total)

    def summary(self, result: Mapping[str, Any]) -> str:
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
