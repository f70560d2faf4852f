"""Mexican poker games. It imports `core` and, for Salinas, `draw`.

options         what a ruleset may choose
script          Mexican Poker: five-card stud with a choice of which card is down
hand            one hand of it: up and down cards, the joker, who acts first
showdown        what a hand with a joker is worth
salinas_script  Mexican Poker as played in Salinas: a draw game; salinas_hand: one hand of it
button_draw     the draw for the button when a game opens
"""
