"""What a ruleset of the blackjack family lays down.

The fields are data from the cardroom's file, each an option or a reading of its sheet, or, where every table of the
room deals alike, part of its `[sheet]`. The properties and methods are the few rules that no table of numbers has:
which cards are a natural, which may be split, who beats whom. A game of the family fills in both.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from controller.engine.bets.back_line import BackLine, behind
from controller.engine.bets.wagers import BonusMinimum, WagerRule, with_bonus_minimum
from controller.engine.cards.card import Card, Hand
from controller.engine.fees.schedule import Schedule
from controller.engine.money.bank import OddCents, Odds, Rounding
from controller.games.blackjack.buster import Buster
from controller.games.blackjack.circle import BetHand, DealFrom, FurtherSpots
from controller.games.blackjack.counting import VALUES, Chart, Count
from controller.games.blackjack.side_bets import SideBet

Outcome = str
"""What became of a hand, in the sheet's word: win, lose, push, surrender, rescue, and what a game adds."""

ActionSource = Literal[
    "second_card",
    "first_card",
    "dice",
    "seat_one",
    "player_dealer_left",
    "none",
    "second card",
    "first card",
    "seat one",
]
"""What points at the seat that is settled first; `none`: no button, settlement goes in the order of the deal. The
words may stand apart, as a sheet prints them."""

BACK_LINE_DECISIONS = ("insurance", "double", "split", "unsplit", "surrender")
"""What bettors behind a hand may decide for themselves, besides the hit and stand of its first bettor."""

DECIDED: frozenset[Outcome] = frozenset({"lose", "push", "surrender", "rescue", "dead"})
"""Outcomes that pay nothing; every other one is a win in some word."""


class Refusals(Struct, frozen=True, forbid_unknown_fields=True):
    """A sheet's codes for what it refuses; where it has none, the kernel's own words."""

    must_hit: str = "must_hit"
    must_stand: str = "must_stand"
    must_stand_bars: tuple[str, ...] = ("hit", "double", "redouble")
    """What is refused so to a hand that must stand."""
    double_above: str = "above_maximum"
    double_below: str = "below_minimum"
    double_not_allowed: str = "not_offered"
    """A double on a hand, or at a moment, that has none."""
    split_not_equal: str = "not_equal"
    not_a_pair: str = "not_offered"
    no_more_splits: str = "not_offered"
    insurance_above: str = "above_maximum"
    insurance_not_offered: str = "not_offered"
    surrender_not_allowed: str = "not_offered"
    up_card_bars: str = "not_offered"
    """Double, split or surrender against an up card that forbids them."""


class BlackjackRules(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The data that every ruleset of the family has."""

    decks: Annotated[int, Meta(ge=1, le=8)]
    base_wager: str
    """What the sheet calls the wager before the deal."""
    wager_step: Annotated[int, Meta(ge=1)]
    """Cents; a wager is a multiple of it."""
    surrender: bool | Literal["late", "early"]
    """True and `late`: in the turn of the hand; `early`: before the check of the down card too."""
    insurance: bool
    """Whether it is offered at all."""
    max_splits: Annotated[int, Meta(ge=0)] | None = None
    """None: as often as pairs come."""
    one_card_on_split_aces: bool = False
    """Each of two split aces gets one card and no more."""
    resplit_aces: bool = False
    """Whether an ace on a split ace may be split again."""
    double_after_split: bool = False
    """Whether a hand that came of a split may double."""
    double_on_must_stand: bool = False
    double_amount: Literal["up_to_wager", "wager"] = "up_to_wager"
    """What a double adds: up to the wager, or exactly it."""
    after_double: Literal["over", "rescue", "one_more"] = "over"
    """`rescue`: a hand that doubled and is not over may take its last doubling back; `one_more`: it may hit again."""
    double_double: bool = False
    """A hand that doubled may double again, twice; there is no doubling for less then."""
    insurance_amount: Literal["up_to_half", "half"] = "up_to_half"
    """Up to half of the wager, or exactly half."""
    insurance_settled: Literal["at_check", "after_base"] = "after_base"
    """When insurance is paid or taken."""
    insured_natural: Literal["pay", "push", "lose"] = "pay"
    """The insurance of a natural against the player-dealer's natural."""
    even_money: bool = False
    """A natural may insure for exactly half, and is then paid so that it nets one wager."""
    coverage: Literal["single_use"] = "single_use"
    deal_from: DealFrom = "player_dealer_left"
    """Who is dealt the first card."""
    further_spots: FurtherSpots = "behind"
    back_line: BackLine = BackLine()
    behind_settled: Literal["with_seat", "last"] = "with_seat"
    """Back-line wagers: right after those of their seat, or after all seated ones."""
    net_lines: Literal["together", "apart"] = "together"
    """`apart`: `double`, `split`, `split_3`... are wagers of their own in the results."""
    most_seats: int | None = None
    """The most seats of a table, the player-dealer's among them; absent: the text states no number."""
    circles: int | None = None
    """Betting circles of a seat; absent: the text states no number."""
    positions: Annotated[int, Meta(ge=2, le=14)] = 8
    """Places at the table, the player-dealer's included, where the table does not say."""
    action_source: ActionSource = "second_card"
    action_from: DealFrom = "player_dealer_left"
    """Whose left neighbour is position one."""
    action_seat: Literal["first_settled", "button"] = "first_settled"
    """What the results call so: the first seat with a wager, or where the button lies."""
    settled: Literal["clockwise", "from_dealers_right"] = "clockwise"
    """`from_dealers_right`: counter-clockwise from the highest seat, whatever a button shows."""
    player_cards: Literal["up", "down"] = "up"
    """`down`: turned up when the hand's turn comes, for the chart decides then."""
    pd_cards: Literal["one_up", "both_down", "one up", "one up one down", "one_up_one_down", "both down"] = "one_up"
    pd_second_card: Literal["initial_down", "after_players"] = "initial_down"
    """When the player-dealer's second card is dealt."""
    no_action: Literal["kept", "free_collection_button"] = "kept"
    """What a player gets whose wager found no cover: nothing, or his next fee."""
    misdealt_hand: Literal["kept", "free_collection_button"] = "kept"
    """What a player gets whose hand is dead for want of cards (village-21st-century-blackjack, 183)."""
    abandoned_hits: int = 12
    """Up to which total the dealer hits for a player who has left (village-21st-century-blackjack, 191)."""
    bonus_minimum: BonusMinimum = "table"
    schedule: Schedule | None = None
    """The collection schedule posted at the table."""
    odd_cents: OddCents = "down"
    """What a payoff or half a wager is that is no whole chip."""
    chip_unit: Annotated[int, Meta(ge=1)] = 1
    """The smallest chip, in cents."""
    buster: Buster | None = None
    """The side bet that rides on the game, where the table has it."""
    refusals: Refusals = Refusals()
    """The sheet's words for what it refuses."""
    asks_every_hand: bool = False
    """Ask a hand even where the rules leave it one choice: to judge what it may not do."""

    def __post_init__(self) -> None:
        if not self.player_dealer_chart.leaves_no_choice:
            raise ValueError(
                "player_dealer_chart must say hit or stand to every hand: give stand_soft and hit_soft too"
            )

    @property
    def wagers(self) -> tuple[WagerRule, ...]:
        """What may be placed before the deal."""
        base = WagerRule(self.base_wager, "Wager", step=self.wager_step, spots=self.circles)
        rules = with_bonus_minimum((base, *(bet.rule for bet in self.bets_beside)), self.bonus_minimum)
        return rules if self.further_spots == "own_hands" else behind(rules, self.back_line)

    @property
    def bets_beside(self) -> tuple[SideBet, ...]:
        """The game's own side bets, and the one that rides on it."""
        return self.side_bets if self.buster is None else (*self.side_bets, self.buster)

    @property
    def side_bets(self) -> tuple[SideBet, ...]:
        """Settled after the hands of their place."""
        return ()

    # Charts and counts

    @property
    def player_chart(self) -> Chart:
        raise NotImplementedError

    @property
    def player_dealer_chart(self) -> Chart:
        raise NotImplementedError

    def count(self, hand: Hand) -> Count:
        """What a player's hand counts, marked where it is a natural."""
        raise NotImplementedError

    def bank_count(self, hand: Hand) -> Count:
        """What the player-dealer's hand counts, where the two differ."""
        return self.count(hand)

    def shown(self, count: Count) -> int | float:
        """The total as the results write it."""
        return count.total

    # What a hand may do besides the chart

    def may_split(self, one: Card, other: Card) -> bool:
        """Two cards of equal value; how often is in the data."""
        return VALUES[one.rank] == VALUES[other.rank]

    def may_double(self, hand: BetHand, count: Count) -> bool:
        """A hand of two cards."""
        if hand.is_split and not self.double_after_split:
            return False
        return self.double_on_must_stand or self.player_chart.says(count) != "stand"

    @property
    def surrenders_first_cards_only(self) -> bool:
        """Whether a hand that has drawn is too late."""
        return True

    def may_surrender(self, hand: BetHand, count: Count) -> bool:
        """A hand in its turn."""
        return bool(self.surrender) and hand.has_first_cards_only and not hand.is_split

    def redoubled(self, hand: BetHand) -> int:
        """What a further doubling adds."""
        return hand.wager

    # The player-dealer's up card

    def is_checked(self, up: Card) -> bool:
        """Whether the dealer looks under this up card for a natural before anybody draws."""
        raise NotImplementedError

    def insures(self, up: Card) -> bool:
        """Whether insurance is offered against this up card."""
        raise NotImplementedError

    def ends_play(self, up: Card) -> bool:
        """Whether nobody draws against this up card, the player-dealer neither."""
        return False

    def leaves_hit_and_stand(self, up: Card) -> bool:
        """Whether nobody doubles, splits or surrenders against this up card."""
        return False

    # Who wins, and what

    def outcome(self, hand: Hand, bank: Hand) -> Outcome:
        """A hand that was played to its end against the player-dealer's."""
        raise NotImplementedError

    def odds(self, outcome: Outcome, count: Count, *, even_money: bool) -> Odds:
        """What a win pays."""
        raise NotImplementedError

    @property
    def rounding(self) -> Rounding:
        return Rounding(self.odd_cents, self.chip_unit)

    @property
    def insurance_odds(self) -> Odds:
        raise NotImplementedError

    def flags(self, bank: Hand) -> dict[str, bool]:
        """Named facts of the player-dealer's complete hand."""
        return {}

    def leaves_button_open(self, card: Card) -> bool:
        """Whether this card points at no seat, so that the floor names one."""
        return False

    def button_step(self, card: Card, seats: int) -> int:
        """Which of the seats the action button goes to, from 1, by this card of the player-dealer: ace 1 to king
        13, counted round (bankers-pure-21-5-blackjack, settlement rule 4)."""
        ace_to_king = 1 if card.rank == 14 else card.rank
        return (ace_to_king - 1) % seats + 1
