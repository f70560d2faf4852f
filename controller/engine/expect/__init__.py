"""What a table waits for: the expectation, which decides what is legal, and a bot that plays by it."""
