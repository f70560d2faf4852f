"""The 21st Century blackjack games of the Village Club: one game, four data files.

Target 22 with jokers; No Bust with jokers, 4.0 and 6.0. A *natural* is a hand of the first two cards that beats all
others; which one differs. A joker makes a hand the highest ordinary total. Hands over that total stay live: against a
player-dealer who is over too, some of them push. Nobody looks under the up card: players act first, and lose doubles
and splits to a natural. Sheets: village-21st-century-blackjack, village-no-bust-blackjack-joker, -4-0 and -6-0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from msgspec import Struct

from controller.engine.cards.card import JOKER, RANKS, SUITS, Card, Hand, SplitHand
from controller.engine.money.bank import Odds
from controller.engine.round.felt import Script, Table
from controller.engine.round.game import Game, HistoryEntry, Ruling
from controller.engine.round.result import Result
from controller.games.blackjack.circle import BetHand
from controller.games.blackjack.counting import ACE, VALUES, Chart, Count, add_up
from controller.games.blackjack.options import BACK_LINE_DECISIONS, BlackjackRules, Outcome
from controller.games.blackjack.rulings import HOUSE_RULES, give_buttons
from controller.games.blackjack.script import play_round

TEN, SEVEN_EIGHT_NINE = 10, {7, 8, 9}
NATURAL = "natural"

Natural = Literal["ace_ten", "aces_or_ace_joker", "two_jokers"]
BothOver = Literal["three_cards_push", "suited_789_push", "farther_push", "lose"]
"""What spares a player who is over, when the player-dealer is farther over: a hand of three cards up to 25, the
player-dealer's three cards 7-8-9 of one suit, nothing else needed, or nothing at all."""
MOST_SPARED = 25


class CenturyPays(Struct, frozen=True, forbid_unknown_fields=True):
    win: str
    natural: str = ""
    """Empty: none is printed, and the option `natural_pays` decides."""
    insurance: str = "2:1"


class CenturyRules(BlackjackRules, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Options and rules of the 21st Century games; defaults and their sources are in the rulesets."""

    player_chart: Chart
    """From which totals a player must stand, up to which he must hit."""
    player_dealer_chart: Chart
    """The same for the player-dealer."""
    pays: CenturyPays
    limit: Literal[21, 22]
    """The highest total that is not over; a joker makes a hand so much."""
    natural: Natural
    """Which first two cards are a natural."""
    natural_shown: float
    """What a natural counts in the results."""
    natural_pays: str = "1:1"
    """Where the pay table prints none."""
    both_over: BothOver
    """What becomes of a player's hand that is over when the player-dealer's is farther over."""
    jokers_per_deck: Literal[0, 1] = 0
    """Jokers in each deck."""
    bonus_aces: bool = False
    """The aces are marked, and written so: Ah*."""
    two_jokers: Literal["natural", "ordinary"] = "ordinary"
    """Whether two jokers are a natural besides."""
    joker_hand: Literal["second_best", "ordinary"] = "ordinary"
    """Whether a joker among the first two cards beats every other hand of its total."""
    joker_up: Literal["ends_play", "no_double_split_surrender", "plays"] = "plays"
    """What a joker as the player-dealer's up card means."""
    natural_against_joker: Literal["push", "win"] = "push"
    """Where a joker up ends the play: a player's natural against it."""
    ties: Literal["push", "player_dealer"] = "push"
    pairs: Literal["value", "rank"] = "value"
    """Split cards are of one value, or of one rank."""
    double_on: tuple[int, ...] = ()
    """The only hard totals of two cards that may be doubled; empty: all that the chart lets draw."""
    surrender_until: Literal["first_two_cards", "must_stand"] = "first_two_cards"
    """`must_stand`: with any number of cards, after a split too."""
    cut_card_in_hand: Literal["this_hand", "next_hand"] = "this_hand"
    cut_card_between_hands: Literal["shoe_ends", "next_hand"] = "next_hand"

    # Counts

    def count(self, hand: Hand) -> Count:
        cards = hand.cards
        if self._is_natural(hand):
            return Count(self.limit, natural=NATURAL, limit=self.limit)
        if any(card.is_joker for card in cards):
            return Count(self.limit, limit=self.limit)
        return add_up(cards, limit=self.limit)

    def shown(self, count: Count) -> int | float:
        shown = self.natural_shown if count.natural else count.total
        return int(shown) if shown == int(shown) else shown

    def _is_natural(self, hand: Hand) -> bool:
        if len(hand) != 2 or isinstance(hand, SplitHand):
            return False
        one, other = hand.cards
        aces, jokers = sum(card.rank == ACE for card in (one, other)), one.is_joker + other.is_joker
        match self.natural:
            case "ace_ten":
                return aces == 1 and any(VALUES.get(card.rank) == TEN for card in (one, other))
            case "two_jokers":
                return jokers == 2
            case "aces_or_ace_joker":
                return aces + jokers == 2 and (aces > 0 or self.two_jokers == "natural")

    def _strength(self, hand: Hand, count: Count) -> tuple[int, bool]:
        dealt = () if isinstance(hand, SplitHand) else hand.cards[:2]
        return count.total, self.joker_hand == "second_best" and any(card.is_joker for card in dealt)

    # What a hand may do besides the chart

    def may_split(self, one: Card, other: Card) -> bool:
        if one.is_joker or other.is_joker:
            return False
        return one.rank == other.rank if self.pairs == "rank" else VALUES[one.rank] == VALUES[other.rank]

    def may_double(self, hand: BetHand, count: Count) -> bool:
        if self.double_on and (count.soft or count.total not in self.double_on):
            return False
        return super().may_double(hand, count)

    @property
    def surrenders_first_cards_only(self) -> bool:
        return self.surrender_until == "first_two_cards"

    def may_surrender(self, hand: BetHand, count: Count) -> bool:
        if self.player_chart.says(count) == "stand":
            return False
        if self.surrender_until == "must_stand":
            return bool(self.surrender)
        return super().may_surrender(hand, count)

    # The player-dealer's up card

    def is_checked(self, up: Card) -> bool:
        return False

    def insures(self, up: Card) -> bool:
        return up.rank == ACE

    def ends_play(self, up: Card) -> bool:
        return up.is_joker and self.joker_up == "ends_play"

    def leaves_hit_and_stand(self, up: Card) -> bool:
        return up.is_joker and self.joker_up == "no_double_split_surrender"

    def leaves_button_open(self, card: Card) -> bool:
        return card.is_joker

    # Who wins, and what

    def outcome(self, hand: Hand, bank: Hand) -> Outcome:
        mine, his = self.count(hand), self.count(bank)
        if mine.natural and his.natural:
            return "push"
        if self.ends_play(bank.cards[0]):
            return self.natural_against_joker if mine.natural else "lose"
        if mine.natural or his.natural:
            return "win" if mine.natural else "lose"
        if mine.is_over:
            farther = his.is_over and his.total > mine.total
            return "push" if farther and self._is_spared(hand, mine, bank) else "lose"
        if his.is_over:
            return "win"
        own, other = self._strength(hand, mine), self._strength(bank, his)
        if own == other:
            return "push" if self.ties == "push" else "lose"
        return "win" if own > other else "lose"

    def _is_spared(self, hand: Hand, mine: Count, bank: Hand) -> bool:
        match self.both_over:
            case "three_cards_push":
                return len(hand) == 3 and mine.total <= MOST_SPARED
            case "suited_789_push":
                return is_suited_789(bank)
            case "farther_push":
                return True
            case "lose":
                return False

    def odds(self, outcome: Outcome, count: Count, *, even_money: bool) -> Odds:
        return Odds((self.pays.natural or self.natural_pays) if count.natural else self.pays.win)

    @property
    def insurance_odds(self) -> Odds:
        return Odds(self.pays.insurance)

    def flags(self, bank: Hand) -> dict[str, bool]:
        count = self.count(bank)
        return {
            "player_dealer_natural": bool(count.natural),
            "player_dealer_busted": count.is_over,
            "joker_up": bank.cards[0].is_joker,
        }


def is_suited_789(hand: Hand) -> bool:
    cards = hand.cards
    return len(cards) == 3 and {card.rank for card in cards} == SEVEN_EIGHT_NINE and len({c.suit for c in cards}) == 1


class CenturyBlackjack(Game[CenturyRules]):
    """21st Century Blackjack and No Bust 21st Century Blackjack."""

    slug = "21st-century-blackjack"
    title = "21st Century Blackjack"
    options_type = CenturyRules
    uses_shoe: ClassVar[bool] = True
    has_player_dealer: ClassVar[bool] = True
    back_line_decisions: ClassVar[tuple[str, ...]] = BACK_LINE_DECISIONS

    def deck(self, options: CenturyRules) -> dict[str, int]:
        """The usual 52, aces marked where they are bonus aces, and a joker for each deck where there are jokers."""
        star = {"A": "*"} if options.bonus_aces else {}
        deck = {rank + suit + star.get(rank, ""): options.decks for suit in SUITS for rank in RANKS}
        jokers = options.decks * options.jokers_per_deck
        return {**deck, JOKER: jokers} if jokers else deck

    def hands_after_cut_card(self, options: CenturyRules) -> tuple[int, int]:
        return int(options.cut_card_in_hand == "next_hand"), int(options.cut_card_between_hands == "next_hand")

    def play(self, t: Table, options: CenturyRules) -> Script:
        yield from play_round(t, options)
        give_buttons(t, options)

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        return HOUSE_RULES

    def counted(self, hand: Hand, options: CenturyRules) -> str:
        count = options.count(hand)
        if count.natural:
            return str(options.shown(count))
        return str(count) if count.soft else str(count.total)

    def summary(self, result: Mapping[str, Any]) -> str:
        """What the player-dealer ended with."""
        total, flags = result["totals"]["player_dealer"][0], result["flags"]
        if flags["player_dealer_natural"]:
            return f"Player-dealer has a natural {total}"
        return f"Player-dealer {'is over with' if flags['player_dealer_busted'] else 'has'} {total}"

    def history_entry(self, result: Result) -> HistoryEntry:
        return HistoryEntry("settled", tuple(name for name, on in result.flags.items() if on))
