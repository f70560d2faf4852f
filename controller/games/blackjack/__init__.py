"""Blackjack games: choices within a chart, splits and doubles, busted hands that are settled last.

pure         Pure 21.5 Blackjack and Pure Spanish 21.5
hot_action   Hot Action Blackjack
century      21st Century Blackjack, No Bust with jokers, 4.0 and 6.0
buster_game  the Buster bet on another ruleset of its room

options      what a ruleset of the family may choose
script       the round: deal, insurance, check of the down card, players, player-dealer
rulings      the Village Club's house rules: stray cards, skipped and absent players
settlement   the action button, and hands compared and paid
facts        what is noted of a round beside its result
counting     what cards count, and what a printed chart says to a count
circle       a betting circle: its wager, its hands, who bets behind it, and how they split
choices      what a hand may do, and what is refused with the sheet's code
side_bets    bets on the first two cards or on the player-dealer's hand; Match the Dealer
buster       the bet that the player-dealer's hand goes over

Imports the engine, no other family.
"""
