"""Tables of one game for tests to talk to, hands played at random, second opinions."""
