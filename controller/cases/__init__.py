"""Worked rounds: told as the table lives them, run through the kernel, compared with what they say.

runner     answers whatever the engine expects, from a case's cards and acts
fees       fee cases: a schedule and what it charges, without a game
compare    a case's `expect` against the result document
__main__   the command behind `make cases`
"""
