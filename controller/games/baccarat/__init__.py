"""Baccarat: two community hands and the third-card rule, which leaves almost no choice; what each room adds to them.

third_card           the third-card rule: points, naturals, who draws, who wins
options              what a ruleset may choose
facts                what is noted of a round beside its result
script               what the scripts of all baccarat games share
ez_script            EZ Baccarat Panda 8, and EZ Baccarat with an action button
century_script       21st Century Baccarat 9.0: a choice on five, the Royale Bonus of the first four cards
dragon_bonus_script  Commission-Free Baccarat with the Dragon Bonus
settlement           verdicts on wagers become the player-dealer's money
roads                bead plate, big road and the derived roads of a shoe

It imports the engine, and nothing of other games.
"""
