"""Seven-card stud: high, low (Razz) and high-low. It imports `core`.

options   what a ruleset may choose: the bring-in, open pairs, a short stub
script    `SevenCardStud`: the streets and who opens the betting
seventh   the last card, and what happens when the stub is too short for it
hand      one hand while it is played: cards in sight, who is dealt to
rulings   exposed, missing and surplus cards on each street
showdown  odd chips by the highest or the lowest card
"""
