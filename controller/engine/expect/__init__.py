"""What a table waits for: the expectation and its judge (expectation.py), the kinds of want (want.py, wants.py,
choices.py, bank.py), what the floor may do at any time (at_any_time.py), and a bot that plays by it (bot.py)."""
