"""The engine: inputs go in, events come out. Pure: no clock, no I/O, no randomness.

inputs      everything that can happen at a table, as values
bounds      how large anything from outside may be; `reading`: read into a type, or a sentence that says what is wrong
facts       what a person's act or an irregularity may name besides
events/     everything the engine publishes about it, as values
expect/     what is legal now, and why something is not; a bot that plays any game from that alone
table/      one table: every input comes in at `table/engine.py`; seats, shoe, drop, rounds, corrections
round/      one round: the kernel drives a game's script, `felt.Table` is what the script works on
bets/       wagers offered, their limits; how much may be bet in poker; the action button
betting/    a betting round of poker: whose turn, which choices, what an act changes
money/      the player-dealer's limited money; pots, side pots, shares
fees/       what the house may charge for a hand, by the posted schedule
drop/       what is due to the boxes against what fell into them
shoe/       shoes and packs from loading to the last hand, and the watch for an unshuffled one
cards/      a card, a hand, who may know it: the information barrier
ranking/    poker hands of every kind
house_way/  seven cards set in two hands by a room's own table
alarms      every kind of alarm: what it means, what to do, what clears it
"""
