"""The blackjack family: choices within a chart, splits and doubles, busted hands that stay live.

counting   what cards count, and what a printed chart says to a count
circle     a betting circle: its wager, its hands, who bets behind it, and how they split
side_bets  bets on the first two cards or on the player-dealer's hand; Match the Dealer
buster     the bet that the player-dealer's hand goes over
rules      what a ruleset of the family lays down
asking     what a hand may do, and what is refused with the sheet's code
script     the round: deal, insurance, check of the down card, players, player-dealer
settling   the action button, and comparison turned into money
pure       Pure 21.5 Blackjack and Pure Spanish 21.5
hot_action Hot Action Blackjack
century    21st Century Blackjack, No Bust with jokers, 4.0 and 6.0
house_rules  the Village Club's rulings on stray cards, skipped and absent players
imagined   a hand that is told of and not dealt
buster_game  the Buster bet on another ruleset of its room
"""

from controller.games.blackjack.buster_game import BusterBlackjack, BusterRules, CenturyBuster, HotActionBuster
from controller.games.blackjack.century import CenturyBlackjack, CenturyRules
from controller.games.blackjack.hot_action import HotAction, HotRules
from controller.games.blackjack.pure import PureBlackjack, PureRules

__all__ = [
    "BusterBlackjack",
    "BusterRules",
    "CenturyBlackjack",
    "CenturyBuster",
    "CenturyRules",
    "HotAction",
    "HotActionBuster",
    "HotRules",
    "PureBlackjack",
    "PureRules",
]
