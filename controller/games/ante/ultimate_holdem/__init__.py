"""Ultimate Texas Hold'em: two cards each, five in the middle, one raise that shrinks the longer a player waits."""
