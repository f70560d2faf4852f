"""Collections: what the house may charge for a hand, by the schedule posted at the table.

schedule   the posted schedule as values: rows, ladders, a room's readings, what the house adds
open_points  what a house reads otherwise than its schedule is transcribed
banked     games with a player-dealer: what is due from whom when betting closes
pot        pot games: what is taken out of the pot as the hand goes
clock      time fees
limits     what the schedule lets a player bet
posted     what the schedule binds at the table: structure, blinds, antes, buy-in, limits

All of it is pure; `felt.Table` turns charges into events, `controller.rules.schedules` reads the files.
docs/table/fees.md shows how a game declares its wagers and moments.
"""
