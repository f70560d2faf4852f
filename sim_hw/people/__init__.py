"""People at a simulated table: they see only what the table shows.

crew           dealer and players at any game
sight          what they see
choices        what players choose
felt           where the cards are
dealer         how cards are dealt
floor          what the floor puts right
melds          melds at panguingue
bank           who takes the player-dealer's position
mistakes       what people do wrong
baccarat       dealer and players at baccarat
demo, baccarat_demo, until_stopped    as processes for the demo

May import `protocols` and `sim_hw.devices`, time and wire.
"""
