"""The blackjack family: choices within a chart, splits and doubles, busted hands that stay live.

counting   what cards count, and what a printed chart says to a count
circle     a betting circle: its wager, its hands, and how they split
rules      what a ruleset of the family lays down
asking     what a hand may do, and what is refused with the sheet's code
script     the round: deal, insurance, check of the down card, players, player-dealer
settling   the action button, and comparison turned into money
pure       Pure 21.5 Blackjack
"""

from controller.games.blackjack.pure import PureBlackjack, PureRules

__all__ = ["PureBlackjack", "PureRules"]
