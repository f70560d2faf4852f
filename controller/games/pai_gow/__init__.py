"""Pai gow poker: seven cards set in two hands, both against the player-dealer's.

options     what a ruleset may choose: seven rooms, one script
script      the game: the order of its steps, plain and with Fortune
hand        the steps of one round: who plays, who is asked, what is noted
rulings     exposed cards, foul hands and what else a room rules
settlement  two comparisons, the bonus, envy, bets beside the bank, from the action button
facts       what is noted of a round beside its result
piles       seven piles of seven, and who gets which
setting     players set their hands, or ask for the house way; hands are opened
bonus       the best paid hand among seven cards

The house way itself is data of the ruleset, set by `controller.engine.house_way`. Imports the engine and
`games.banked`, no other family.
"""
