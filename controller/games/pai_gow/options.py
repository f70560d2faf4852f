"""What a ruleset and a table choose at pai gow poker, with the Fortune bonus or without.

Seven rooms deal it. What differs between them is here by name: how the piles are made, where the dice begin to
count, what a foul hand costs, in which order wagers are settled. The script asks these, never the room.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from controller.engine.bets.back_line import BackLine, behind
from controller.engine.bets.limits import UNLIMITED
from controller.engine.bets.wagers import BonusMinimum, WagerRule
from controller.engine.cards.card import standard_deck
from controller.engine.fees.schedule import Moment, Schedule
from controller.engine.house_way import HouseWay, HouseWayData, Seven
from controller.engine.money.bank import Odds
from controller.engine.ranking import High
from controller.games.pai_gow.bonus import HANDS, NONE, Bonus

Payoff = Annotated[str, Meta(pattern=r"^[1-9]\d*:[1-9]\d*$")]
Cents = Annotated[int, Meta(ge=0)]
HOUSE_ENVY = "five_of_a_kind"
"""The row whose envy the text has lost: the house posts it (bankers-fortune-pai-gow-poker-joker-fully-wild, A2)."""
FORTUNE, ENVY = "fortune", "envy"
KUM_KUM, N_WAY, PROPOSITION = "kum_kum", "n_way", "proposition"
SHARED = (KUM_KUM, N_WAY)
DAI_SU = ("dai_su_1", "dai_su_2", "dai_su_3")
"""Bets beside the first, second and third spot of the player-dealer."""


class PaiGowPays(Struct, frozen=True, forbid_unknown_fields=True):
    """Bonus rows stand best first: the order of the table is the ranking of the bonus."""

    base: Payoff
    fortune: dict[str, Payoff] = {}
    envy: dict[str, Cents] = {}
    """Fixed amounts for the holder of an Envy button, by the other player's hand."""
    envy_from: Cents = 0
    """The Fortune bet that brings an Envy button."""

    def __post_init__(self) -> None:
        for name in self.fortune:
            if name not in HANDS:
                raise ValueError(f"pays.fortune.{name}: seven of 53 cards make no such hand")
        for name in self.envy:
            if name not in self.fortune:
                raise ValueError(f"pays.envy.{name}: the Fortune table has no such row")


class JokerWay(Struct, frozen=True, forbid_unknown_fields=True):
    """How the joker plays under one value of the option `joker`."""

    plays: Literal["none", "bug", "pairs", "wild"]
    five_of_a_kind: Literal["aces", "any"] = "any"
    duplicates: bool = False
    """In a flush it may be a second ace (bankers-pai-gow-poker, 000:367)."""


class ExposedCards(Struct, frozen=True, forbid_unknown_fields=True):
    """What a card costs that was seen while the piles were made: the room's words for the three cases."""

    one: str
    ace_or_joker: str
    several: str
    several_void: bool
    """Two cards or more void the deal; else the floor decides."""


class PaiGowOptions(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, dict=True):
    """Options of pai gow poker; defaults and their sources are in the ruleset."""

    joker: str
    """How the joker plays, one of the ways below."""
    jokers: Annotated[int, Meta(ge=0, le=4)] | None = None
    """How many are in the deck, where a table posts it; absent: one, or none where the joker plays none."""
    deal_device: Literal["shuffler", "hand"] | None = None
    shuffle: Literal["machine", "hand"] | None = None
    coverage: Literal["single_use"] = "single_use"
    envy_trigger: Literal["any_player", "fortune_bettor"] = "fortune_bettor"
    """Whose hand pays the holders of an Envy button."""
    envy_five_of_a_kind: Cents | None = None
    back_line: BackLine = BackLine()
    house_way: HouseWayData | None = None
    """Absent: the room prints none, and the table has none."""
    bonus_minimum: BonusMinimum = "table"
    schedule: Schedule | None = None
    table_min: Cents | None = None
    table_max: Cents | None = None

    base_wager: str
    """What the sheet calls the wager on the two hands."""
    other_wagers: tuple[Literal["kum_kum", "n_way", "dai_su", "proposition"], ...] = ()
    """Further wagers of the room."""
    squares: int | None = None
    """Betting spots of a seat; absent: any number."""
    takes_any_amount: bool = False
    """A wager below the minimum has action, the part above the maximum has none."""
    positions: Annotated[int, Meta(ge=2, le=7)] = 7
    """Places at the table, the player-dealer's included."""
    most_seats: int | None = None
    """The most seats of a table, the player-dealer's among them; absent: the text states no number."""
    larger_table: bool = False
    """Seats may have numbers beyond the positions, as long as no more are active."""
    player_dealer_counts: int = 1
    """The number that the dice count the player-dealer as."""
    joker_ways: dict[str, JokerWay]
    """What the joker may be under each of its names."""
    wagers_until: Literal["deal", "cup"] = "deal"
    """Until the first card, or until the dice cup is opened."""
    hand_deal: Literal["back_and_forth", "left_to_right", "pile_by_pile"]
    """In which order the piles grow when they are dealt by hand."""
    deals_left_over: bool = True
    """By hand: the cards that the piles leave over leave the deck too."""
    action_pile: Literal["chosen", "chosen_after_dice", "chosen_by_hand"] = "chosen"
    """`chosen_by_hand`: only in a hand deal; a shuffler's first pile is the action pile."""
    player_dealer_sets: Literal["house_way", "himself"]
    """Who sets the hand of the player-dealer."""
    house_way_for: Literal["all", "player_dealer", "nobody"] = "all"
    """Whose hands may be set by the house way."""
    dealer_sets: bool = False
    """While there is no chart, the dealer names the setting of a hand that is to be set the house way."""
    foul_set: Literal["refused", "loses"]
    """A back that does not outrank its front is refused, or loses."""
    tells_foul_as: Literal["ruling", "flag"] = "ruling"
    """How the result reports a foul hand."""
    foul_by_count: bool = False
    """Not exactly two cards in front are a foul hand, not a slip of the tongue."""
    settles_by: Literal["seat", "spot", "wager"]
    """Seat by seat with all its spots; all first spots before the second ones; or each kind of wager so."""
    action_seat: Literal["first_wager", "pointed"] = "first_wager"
    """What the result calls the action seat: where settlement begins, or where the dice point, wagered or not."""
    tells_no_action: bool = False
    """A seat whose turn came after the cover was used up has the outcome `no_action`."""
    exposed: ExposedCards | None = None
    """What cards that were seen in the deal cost."""
    rulings: dict[str, str] = {}
    """Happenings that the room rules, with its word for the ruling."""
    pays: PaiGowPays

    def __post_init__(self) -> None:
        if self.joker not in self.joker_ways:
            raise ValueError(f"joker: {self.joker!r} is none of {', '.join(self.joker_ways)}")
        if self.player_dealer_sets == "house_way" and self.house_way is None:
            raise ValueError("house_way: the player-dealer is set by it, so it must be given")

    @property
    def deck(self) -> dict[str, int]:
        deck = {card.code: 1 for card in standard_deck()}
        jokers = self.jokers if self.jokers is not None else int(self._joker.plays != "none")
        return deck | ({"Jo": jokers} if jokers else {})

    @property
    def _joker(self) -> JokerWay:
        return self.joker_ways[self.joker]

    @property
    def by_machine(self) -> bool:
        """A shuffler delivers the piles whole, and keeps what is left."""
        return self.deal_device == "shuffler" or self.shuffle == "machine"

    @property
    def bets_stay_open(self) -> bool:
        """Whether wagers are taken while the piles are made; not where the fees are taken before."""
        return self.wagers_until == "cup" and not self.takes_fees("before_deal")

    def takes_fees(self, at: Moment) -> bool:
        """Whether the posted schedule takes a fee at this moment."""
        return self.schedule is not None and self.schedule.takes_at(at)

    @cached_property
    def ranking(self) -> Seven:
        way = self._joker
        return Seven(High(jokers=way.plays, five_of_a_kind=way.five_of_a_kind, flush_pairs=way.duplicates))

    @cached_property
    def setter(self) -> HouseWay | None:
        return None if self.house_way is None else HouseWay(self.house_way, self.ranking)

    @cached_property
    def bonus(self) -> Bonus:
        return Bonus(tuple(self.pays.fortune), self.ranking.back)

    @cached_property
    def envy(self) -> dict[str, int]:
        house = self.envy_five_of_a_kind
        return self.pays.envy | ({HOUSE_ENVY: house} if HOUSE_ENVY in self.pays.fortune and house is not None else {})

    @property
    def envy_is_known(self) -> bool:
        return HOUSE_ENVY not in self.pays.fortune or HOUSE_ENVY in self.envy

    def wagers(self, seats: tuple[int, ...], player_dealer: int | None) -> tuple[WagerRule, ...]:
        """The wagers of a table where these seats play."""
        return (
            *behind((self._base(seats), *self._fortune(), *self._shared(seats)), self.back_line),
            *self._of_player_dealer(player_dealer),
        )

    def _base(self, seats: tuple[int, ...]) -> WagerRule:
        schedule = self.schedule
        steps = schedule is not None and schedule.limits_bind
        return WagerRule(
            self.base_wager,
            "Pai Gow",
            min=0 if self.takes_any_amount else self.table_min or 0,
            max=UNLIMITED if self.takes_any_amount else self.table_max,
            any_minimum=self.takes_any_amount,
            spots=self.squares,
            spots_code="square_not_allowed",
            seats=seats,
            seats_code="no_such_seat",
            step=schedule.wager_step if schedule is not None and steps else 1,
            off_step=tuple(schedule.off_step) if schedule is not None and steps else (),
            step_code="not_a_multiple_of_5_dollars",
            position_max=schedule.house.position_limit if schedule is not None else None,
        )

    def _fortune(self) -> tuple[WagerRule, ...]:
        if not self.pays.fortune:
            return ()
        rule = WagerRule(
            FORTUNE,
            "Fortune",
            min=0 if self.bonus_minimum == "none" else self.table_min or 0,
            max=self.table_max,
            needs=(self.base_wager,),
            needs_code="needs_base_wager",
            # Without the amount that its text has lost no Envy button can be paid.
            seats=None if self.envy_is_known else (),
            seats_code="envy_not_configured",
            counts_as="bonus",
            any_minimum=self.bonus_minimum == "none",
        )
        return (rule,)

    def _shared(self, seats: tuple[int, ...]) -> tuple[WagerRule, ...]:
        """Wagers of several players together, and those between two of them."""
        rules: list[WagerRule] = []
        for kind in self.other_wagers:
            match kind:
                case "kum_kum":
                    rules.append(WagerRule(KUM_KUM, "Kum-Kum", same_on_seat="not_equal", spots=self.squares))
                case "n_way":
                    rules.append(WagerRule(N_WAY, "3-Way, 4-Way"))
                case "proposition":
                    rules.append(WagerRule(PROPOSITION, "Proposition", counts_as=PROPOSITION))
        posted = {"min": self.table_min or 0, "max": self.table_max, "seats": seats, "seats_code": "no_such_seat"}
        return tuple(replace(rule, **posted) for rule in rules)

    def _of_player_dealer(self, player_dealer: int | None) -> tuple[WagerRule, ...]:
        """Bets beside the player-dealer's own spots."""
        if "dai_su" not in self.other_wagers or player_dealer is None:
            return ()
        beside = WagerRule("dai_su", seats=(player_dealer,), first_spot_only="no_such_spot", counts_as="dai_su")
        return tuple(replace(beside, id=name, title=f"Dai-Su {n}") for n, name in enumerate(DAI_SU, start=1))

    def payoff(self, hand: str, stake: int) -> int | None:
        """What a Fortune bet wins with this hand; None where it loses."""
        return None if hand == NONE else Odds(self.pays.fortune[hand]).payoff(stake)

    @property
    def most(self) -> int | None:
        """The amount above which a wager has no action."""
        if not self.takes_any_amount:
            return None
        return self.table_max or (self.schedule.wager_max if self.schedule is not None else None)
