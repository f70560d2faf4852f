"""Hot Action Blackjack: jokers in the deck, three naturals, and 22 against 22 pushes.

A joker counts 2. The first two cards make a Super Natural 24 of two jokers, a Natural 22 of two aces of one suit and a
Natural 21 of an ace with a ten or face; the player-dealer's two jokers count 4. Sheet: calgrand-hot-action-blackjack.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from controller.engine.bets.wagers import WagerRule
from controller.engine.cards.card import JOKER as JOKER_CODE
from controller.engine.cards.card import Card, Hand, SplitHand, standard_deck
from controller.engine.fees.schedule import Moment
from controller.engine.inputs import Happening
from controller.engine.money.bank import Odds
from controller.engine.round.felt import Script, Table, Unruled
from controller.engine.round.game import Game, HistoryEntry, Ruling
from controller.engine.round.result import Result
from controller.games.blackjack.circle import BetHand
from controller.games.blackjack.counting import ACE, JOKER, VALUES, Chart, Count, add_up
from controller.games.blackjack.options import BACK_LINE_DECISIONS, BlackjackRules, Outcome
from controller.games.blackjack.script import play_round

HOT_VALUES: Mapping[int, int] = {**VALUES, JOKER: 2}
SUPER_24, NATURAL_22, NATURAL_21 = "super_natural_24", "natural_22", "natural_21"
SHOWN = {SUPER_24: 24, NATURAL_22: 22, NATURAL_21: 21}
BUST_PUSH = 22
"""The one total over 21 at which two hands push (1360)."""
FLOOR_DECISION = "floor_decision"
UNRULED = ("misdeal", "card_exposed", "exposed_card", "wrong_card_count", "shoe_failure")

TieGoesTo = Literal["player", "player_dealer", "push", "player wins", "player-dealer wins"]
TIES: Mapping[TieGoesTo, Outcome] = {
    "player": "win",
    "player wins": "win",
    "player_dealer": "lose",
    "player-dealer wins": "lose",
    "push": "push",
}


class HotPays(Struct, frozen=True, forbid_unknown_fields=True):
    win: str
    insurance: str


class TwoCardBonus(Struct, frozen=True, forbid_unknown_fields=True):
    """What the naturals pay (1408): odds, or a multiple; a house may choose others."""

    super_natural_24: str | int | float = "4:1"
    natural_22: str | int | float = "2:1"
    natural_21: str | int | float = "6:5"


class HotRules(BlackjackRules, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Options and rules of Hot Action Blackjack; defaults and their sources are in the ruleset."""

    jokers_per_deck: Annotated[int, Meta(ge=0)]
    hit_stand_values: Chart
    soft_17: Literal["hit", "stand"]
    double: bool
    split: bool
    ties: Literal["push", "all push"] | dict[str | int, TieGoesTo]
    """Who wins at equal hands, by total or by the natural's name, where not as printed; `push`, in the sheet's words
    `all push`: all of them push."""
    two_card_bonus: TwoCardBonus
    pays: HotPays
    wager_off_step: tuple[int, ...] = ()

    @property
    def wagers(self) -> tuple[WagerRule, ...]:
        base, *others = super().wagers
        house = self.schedule.house if self.schedule is not None else None
        base = replace(
            base,
            off_step=self.wager_off_step,
            step_code="not_a_multiple_of_5_dollars",
            position_max=house.position_limit if house is not None else None,
        )
        return (base, *others)

    @property
    def player_chart(self) -> Chart:
        return self.hit_stand_values

    @property
    def player_dealer_chart(self) -> Chart:
        soft = 17 if self.soft_17 == "hit" else 16
        return Chart(stand_hard=17, hit_hard=16, stand_soft=soft + 1, hit_soft=soft)

    def count(self, hand: Hand) -> Count:
        return hot_count(hand)

    def bank_count(self, hand: Hand) -> Count:
        """Two jokers are no natural of the player-dealer: they count 4 (1352)."""
        count = hot_count(hand)
        return replace(count, natural="") if count.natural == SUPER_24 else count

    def shown(self, count: Count) -> int:
        return SHOWN.get(count.natural, count.total)

    def may_split(self, one: Card, other: Card) -> bool:
        """Equal value, a joker with a deuce too (HAB-7), but not two jokers; two suited aces are a natural."""
        if not self.split or (one.is_joker and other.is_joker):
            return False
        return HOT_VALUES[one.rank] == HOT_VALUES[other.rank]

    def may_double(self, hand: BetHand, count: Count) -> bool:
        """On the first two cards as dealt: hard 11 or less, or any soft hand (1418; HAB-8)."""
        return self.double and not hand.is_split and (count.soft or count.total <= 11)

    def is_checked(self, up: Card) -> bool:
        return HOT_VALUES[up.rank] == 10 or up.rank == ACE

    def insures(self, up: Card) -> bool:
        return up.rank == ACE

    def outcome(self, hand: Hand, bank: Hand) -> Outcome:
        """The sheet's comparison, rules 1 to 8."""
        mine, his = self.count(hand), self.bank_count(bank)
        if mine.natural == his.natural and self.shown(mine) == self.shown(his):
            return self._tie(mine)
        if mine.natural in (SUPER_24, NATURAL_22):
            return "win"
        if his.natural == NATURAL_22:
            return "lose"
        if mine.natural or his.natural:
            return "win" if mine.natural else "lose"
        if mine.is_over:
            return "lose"
        return "win" if his.is_over or mine.total > his.total else "lose"

    def _tie(self, count: Count) -> Outcome:
        """Equal hands: by the house's word, else a Natural 22 wins, 22 and less push, and higher busts lose."""
        if isinstance(self.ties, str):
            return "push"
        by_house = {str(at): to for at, to in self.ties.items()}
        chosen = by_house.get(count.natural or str(count.total))
        if chosen is not None:
            return TIES[chosen]
        if count.natural == NATURAL_22:
            return "win"
        return "lose" if count.total > BUST_PUSH else "push"

    def odds(self, outcome: Outcome, count: Count, *, even_money: bool) -> Odds:
        bonus = self.two_card_bonus
        naturals = {SUPER_24: bonus.super_natural_24, NATURAL_22: bonus.natural_22, NATURAL_21: bonus.natural_21}
        return _as_odds(naturals.get(count.natural, self.pays.win))

    @property
    def insurance_odds(self) -> Odds:
        return Odds(self.pays.insurance)

    def flags(self, bank: Hand) -> dict[str, bool]:
        return {"player_dealer_busted": self.bank_count(bank).is_over}

    def button_step(self, card: Card, seats: int) -> int:
        """Ace and eight one, deuce and nine two ... seven and joker seven (1330-1336); beyond the last position, the
        first again (HAB-6)."""
        step = 7 if card.is_joker else ((1 if card.rank == ACE else card.rank) - 1) % 7 + 1
        return step if step <= seats else 1


def hot_count(hand: Hand) -> Count:
    """What a player's hand counts; naturals are made by the first two cards as dealt (HAB-5).

    >>> from controller.engine.cards.card import Slot, card
    >>> def two(one, other):
    ...     hand = Hand("1")
    ...     hand.slots = [Slot(card(one)), Slot(card(other))]
    ...     return hot_count(hand)
    >>> two("Jo", "Jo").natural, two("As", "As").natural, two("As", "Kd").natural, two("As", "Ad").natural
    ('super_natural_24', 'natural_22', 'natural_21', '')
    """
    cards = hand.cards
    count = add_up(cards, HOT_VALUES)
    if len(cards) != 2 or isinstance(hand, SplitHand):
        return count
    one, other = cards
    if one.is_joker and other.is_joker:
        return replace(count, natural=SUPER_24)
    if one.rank == other.rank == ACE and one.suit == other.suit:
        return replace(count, natural=NATURAL_22)
    return replace(count, natural=NATURAL_21) if count.soft and count.total == count.limit else count


def _as_odds(printed: str | int | float) -> Odds:
    """Odds as they are printed, or a multiple of the wager.

    >>> _as_odds("6:5").text, _as_odds(2).text, _as_odds(1.5).text
    ('6:5', '2:1', '3:2')
    """
    if isinstance(printed, str):
        return Odds(printed)
    multiple = Fraction(str(printed))
    return Odds(f"{multiple.numerator}:{multiple.denominator}")


class HotAction(Game[HotRules]):
    """Hot Action Blackjack."""

    slug = "hot-action-blackjack"
    title = "Hot Action Blackjack"
    options_type = HotRules
    uses_shoe: ClassVar[bool] = True
    has_player_dealer: ClassVar[bool] = True
    back_line_decisions: ClassVar[tuple[str, ...]] = BACK_LINE_DECISIONS
    fee_moments: ClassVar[tuple[Moment, ...]] = ("before_settlement",)

    def deck(self, options: HotRules) -> dict[str, int]:
        cards = {card.code: options.decks for card in standard_deck()}
        return cards | {JOKER_CODE: options.decks * options.jokers_per_deck}

    def play(self, t: Table, options: HotRules) -> Script:
        return play_round(t, options)

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        return dict.fromkeys(UNRULED, _floor_decides)

    def count(self, hand: Hand) -> str:
        count = hot_count(hand)
        if count.natural and not (hand.owner == "player_dealer" and count.natural == SUPER_24):
            return count.natural.replace("_", " ").title()
        return str(count) if count.soft else str(count.total)

    def summary(self, result: Mapping[str, Any]) -> str:
        """What the player-dealer ended with."""
        total = result["totals"]["player_dealer"][0]
        if result["flags"]["player_dealer_busted"]:
            return f"Player-dealer is over with {total}"
        natural = total >= 21 and len(result["hands"]["player_dealer"]) == 2
        return f"Player-dealer has a Natural {total}" if natural else f"Player-dealer has {total}"

    def history_entry(self, result: Result) -> HistoryEntry:
        return HistoryEntry("settled", tuple(name for name, on in result.flags.items() if on))


def _floor_decides(t: Table, happening: Happening) -> None:
    raise Unruled(f"{happening.code.replace('_', ' ')}: the rules of the game do not say", FLOOR_DECISION)
