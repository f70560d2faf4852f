"""One round: a game's script, driven by the kernel on a table.

game            what a game module provides to the kernel
kernel          drives one game script through one round
middle          what is in the middle of the table: button, pots, bets, stacks
felt            `Table`, a script's view of the table, put together from `cards`, `wagers` and `fee_collection`
script          the types that a script is written in
setup, result   how a round begins, and how it ended
"""
