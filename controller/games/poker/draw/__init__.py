"""Games with a draw. It imports `core`.

options            what a ruleset may choose
script             what all draw games share; lowball, deuce-to-seven, Badugi, Baduci
jacks_script       jacks or better
draw_poker_script  draw poker, with or without openers
dealing            the deal, the draw and the betting of these games
hand               one hand while it is played: the stub, what was drawn; jacks_hand: who may still open
openers            openers and false openers, a pot that nobody wins
kills              a kill during the deal
sevens             the duty to bet a seven
rulings            exposed cards, wrong numbers of cards, miscalled hands
showdown           who shows, and a hand that is thrown away
"""
