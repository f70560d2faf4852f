"""Poker for a pot: a game is streets, a betting structure, a deck, rankings and rulings put together.

options      what a ruleset may choose and what its sheet fixes
settings     what is posted on a table: structure, blinds, stacks, a kill
hand         one hand as it goes: seats, chips, board, what the rulings change
game         the script that all share; a variant is a declaration on top of it (docs/poker.md)
posting      antes and blinds, straddles, blinds made up, kills, before the first card
streets      a street: dealings, then a betting round
rankings     how hands are compared, for each half of the pot
rulings      cards turned too early or too many: what the sheets say
discards     cards thrown away face down
showdown     who shows, who wins which pot
next_hand    button, blinds and stacks from hand to hand
kills        killed stakes, and who must kill the next hand
board_games  hold'em, and what else is played with a board
mexican      five-card stud with expose or keep; button_draw: who has the button when a game opens
mexican_salinas  a draw game in which the first bet comes before the first card
stud         seven-card stud, high, low and high-low; stud_hand, stud_seventh, stud_rulings: its hand, last card, events
draw         the draw: discards, late and exposed cards; draw_hand (the stub), draw_game, draw_rulings, draw_kills
draw_openers openers and false openers; draw_poker, draw_jacks, draw_jacks_hand: the games that have them
lowball      one draw, the lowest hand; sevens: the duty to bet a seven
triple_draw  three draws: deuce to seven, Badugi, Baduci
structures   legal choices alone: the sheet of California Grand's betting structures
"""
