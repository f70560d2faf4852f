"""The round engine: pure, no clock, no I/O, no randomness.

cards          a card, a hand, who may know it: the information barrier
inputs         everything that can happen at a table, as values
events/        everything the engine says about it, as values
expect         what is legal now, and why something is not
wagers         wagers offered, their limits and dependencies
money          the player-dealer's limited money, each cent used once
limits         how much may be bet: fixed, straight, spread, pot and no limit
betting        a betting round: whose turn, which choices, what an act changes
pots           chips of a hand, uncalled money, side pots, shares
collections    what the house may charge for a hand, by the posted schedule
result         the result of a round
felt           a script's view of the table: the moves every game shares (felt_laid, felt_money, felt_cards)
game           what a game module gives to the kernel
kernel         drives one game script through one round
alarms         every kind of alarm: what it means, what to do, what clears it
standing       a table as it stands: rules, lasting state, the round that is ready
drop_room      its boxes: due against dropped, fees by the clock
shoe_room      its shoes and packs, and the alarms about them
house_room     what the house says about it: rules, limits, seats, open or closed
table          the rounds of one table: every input comes in here, and corrections
packs          which pack may be dealt, and the ledger of cards in and out
setup          who sits where, and the table's own settings
shoe           a shoe as a value
shoe_life      a shoe from loading to its last hand, and what is doubtful about it
shuffle_watch  the exposed cards of a shoe, watched for a pack that was never shuffled
action_button  the seat that dice or a card count out
ranking/       poker hands of every kind
house_way/     seven cards set in two hands by a room's own table
bot            plays any game from its expectation alone
"""
