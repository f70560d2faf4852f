"""A blackjack table with the Buster bet: another ruleset of the room, dealt as it is, and the side bet beside it.

The base game is an option; its own options apply besides. Nothing of it is repeated here: `BusterRules.base` is the
base ruleset as its file has it, and the bet is laid into its rules. Sheets: bankers-, calgrand- and
village-buster-blackjack.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from controller.engine.bets.wagers import BonusMinimum
from controller.engine.cards.card import Hand
from controller.engine.fees.schedule import Moment, Schedule
from controller.engine.inputs import seat_of
from controller.engine.round.felt import Script, Table
from controller.engine.round.game import Game, HistoryEntry, Ruling
from controller.engine.round.result import Result
from controller.engine.table.state import Rules
from controller.games.blackjack.buster import Buster, Settled, bust_cards
from controller.games.blackjack.century import CenturyBlackjack
from controller.games.blackjack.hot_action import HotAction
from controller.games.blackjack.options import BlackjackRules
from controller.games.blackjack.script import facts_of

WAGER = "buster"
BUSTED = "player_dealer_busted"


class BusterRules(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The bet as the room prints it, and the game that it rides on."""

    base_game: str
    base_games: tuple[str, ...]
    """The rulesets of the room that it may ride on."""
    base: Rules[Any]
    decks: Annotated[int, Meta(ge=6, le=8)]
    pays: dict[str, str]
    settled: Settled
    wager_step: int = 1
    wager_off_step: tuple[int, ...] = ()
    wager_step_code: str = "not_in_chips"
    in_fees: bool = True
    at_most_base: bool = False
    one_per_place: str = ""
    """Code for a second bet of the same player at the same position; empty: a further one is added."""
    bonus_minimum: BonusMinimum = "table"
    schedule: Schedule | None = None
    """The collection schedule posted for game and bet together; none: that of the base game."""

    def __post_init__(self) -> None:
        if not any(game.endswith(self.base_game) for game in self.base_games):
            raise ValueError(f"base_game: {self.base_game} is none of {', '.join(self.base_games)}")
        if not isinstance(self.base.options, BlackjackRules):
            raise ValueError(f"base_game: {self.base_game} is no blackjack game")
        rows = sorted(map(int, self.pays)) if all(row.isdigit() for row in self.pays) else []
        if not rows or rows != list(range(3, rows[-1] + 1)):
            raise ValueError("pays: give a row for 3, 4, 5... cards; the last is for that number or more")

    @property
    def rules(self) -> BlackjackRules:
        """The base game's, with the bet."""
        base: BlackjackRules = self.base.options
        bet = Buster(
            WAGER,
            base.base_wager,
            self.pays,
            step=self.wager_step,
            off_step=self.wager_off_step,
            step_code=self.wager_step_code,
            at_most_base=self.at_most_base,
            once=self.one_per_place or None,
            settled=self.settled,
            in_fees=self.in_fees,
        )
        return replace(base, buster=bet, bonus_minimum=self.bonus_minimum, schedule=self.schedule or base.schedule)


class BusterBlackjack(Game[BusterRules]):
    """Buster Blackjack on another blackjack game; irregularities hold the table."""

    slug = "buster-blackjack"
    title = "Buster Blackjack"
    options_type = BusterRules
    uses_shoe: ClassVar[bool] = True
    has_player_dealer: ClassVar[bool] = True
    fee_moments: ClassVar[tuple[Moment, ...]] = ("before_deal", "after_initial_deal", "before_settlement")

    def deck(self, options: BusterRules) -> dict[str, int] | None:
        return options.base.game.deck(options.base.options)

    def most_seats(self, options: BusterRules) -> int | None:
        return options.base.game.most_seats(options.base.options)

    def hands_after_cut_card(self, options: BusterRules) -> tuple[int, int]:
        return options.base.game.hands_after_cut_card(options.base.options)

    def play(self, t: Table, options: BusterRules) -> Script:
        rules = options.rules
        yield from options.base.game.play(t, rules)
        bank, result = t.hand("player_dealer"), t.result
        busted = bust_cards(bank, rules.bank_count(bank))
        result.flags[BUSTED] = bool(busted)
        facts_of(t).bust_cards = busted
        seats: dict[int, int] = {}
        for place, nets in t.settlement.net.items():
            seats[seat_of(place)] = seats.get(seat_of(place), 0) + sum(nets.values())
        facts_of(t).seat_total = seats

    def counted(self, hand: Hand, options: BusterRules) -> str | None:
        return options.base.game.counted(hand, options.base.options)

    def summary(self, result: Mapping[str, Any]) -> str:
        """What the player-dealer ended with, and with how many cards where it went over."""
        total = result["totals"]["player_dealer"][0]
        if not result["flags"][BUSTED]:
            return f"Player-dealer has {total}"
        return f"Player-dealer is over with {total} in {len(result['hands']['player_dealer'])} cards"

    def history_entry(self, result: Result) -> HistoryEntry:
        return HistoryEntry("settled", tuple(name for name, on in result.flags.items() if on))


class HotActionBuster(BusterBlackjack):
    """On Hot Action Blackjack, whose irregularities the floor decides."""

    slug = "hot-action-buster-blackjack"

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        return HotAction().rulings


class CenturyBuster(BusterBlackjack):
    """On a 21st Century game, under the club's house rules."""

    slug = "21st-century-buster-blackjack"

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        return CenturyBlackjack().rulings
