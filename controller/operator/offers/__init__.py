"""What a person may do now, as buttons: made from the expectation, never from the game.

offer        one button: what it is called, what it sends, what it asks for
offers       all of them, in the order of a screen
bank posting jackpots procedures   those of one subject
batches      several inputs of one act, all or none
"""
