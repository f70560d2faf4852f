"""What all pot games share. It imports the engine and nothing of the other sub-packages.

options      what a ruleset may choose, and what its sheet fixes
settings     what is posted on a table: structure, blinds, stacks, a kill
script       `Poker`, the script of every pot game; a variant overrides the step that differs
hand         one hand while it is played
facts        what is noted of a hand beside its result
posting      antes and blinds, straddles, blinds made up, kills, before the first card
streets      a street: dealings, then a betting round
discards     cards thrown away face down
rankings     how hands are compared, for each half of the pot
rulings      cards turned too early or too many
showdown     who shows, who wins which pot
kills        killed stakes, and who must kill the next hand
next_hand    button, blinds and stacks from hand to hand
structures   the sheet of California Grand's betting structures, no game
"""
