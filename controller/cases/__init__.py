"""Worked rounds: told as the table lives them, run through the kernel, compared with what they say.

runner     one case of any kind
form       whether a case follows the format, key by key
at_table   the table that a case sets, and its result in the case's words
played     one round: answers whatever the engine expects, from a case's cards and acts
with_cards happenings that are told with a card: when it left the deck
notation   how cases write things, where the engine writes them otherwise
fees       fee cases: a schedule and what it charges, without a game
compare    a case's `expect` against the result document
__main__   the command behind `make cases`
"""
