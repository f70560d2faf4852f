"""Ante games: a seat antes, looks at its cards, stays in or folds against the player-dealer.

caribbean_stud/     five cards, call or fold
three_card_holdem/  best three of five, bet or fold, then bet or check
three_card_poker/   three cards, play or fold
ultimate_holdem/    Ultimate Texas Hold'em

What they share: `bettors` (who takes part), `options`, `script`, `settlement`, `rulings`, `facts`. Each game's folder
has `options` (what a ruleset may choose), `script` (the round), `settlement` (what wagers win or lose), and `rulings`
where its sheet has any. Imports the engine and `games.banked`, no other family.
"""
