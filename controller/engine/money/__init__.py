"""Who pays whom: the player-dealer's limited money, and the pots of poker."""
