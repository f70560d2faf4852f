"""What leaves the table after a commit.

view              the view of the screens and the retained state, made from the engine; view_types: their types
documents         keeps these documents current and hands them to screens and broker
device_commands   unlocks the shoe, lets the shuffler dispense, blinks lamps
celebration       the big hands that a house celebrates
reader_board      the LED sign's text

It may import `recorder`, `mqtt`, `operator`, `web` and what is below them.
"""
