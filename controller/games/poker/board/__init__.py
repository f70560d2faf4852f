"""Games of hole cards and community cards. It imports `core`.

options  what a Pineapple ruleset may choose
script   Texas Hold'em, Omaha, Pineapple
"""
