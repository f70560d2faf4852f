"""Worked rounds: written as a table plays them, run through the kernel, compared with what they expect.

runner         one case of any kind
form           whether a case follows the format, key by key
spelling       other spellings of cards and seats, as the format has them
notation       how cases write things, where the engine writes them otherwise
at_table       the table that a case sets, and its result in the case's words
played         one round: answers whatever the engine expects, from a case's cards and acts
acts           which words of an act mean what, and when they come
case_deck      the cards of a case, as they leave the deck
surplus_cards  events that are written with a card: when it left the deck
rotation       who may bank the next hand
posted         what a table takes with a schedule posted
procedures     what a table does beside its rounds
jackpots       meters of the jackpots after some hands and statements of the floor
answers/       cases about one rule in isolation, by family
fees           fee cases: a schedule and what it charges, without a game
compare        a case's `expect` against the result document
__main__       the command behind `make cases`

May import the engine, games and rules.
"""
