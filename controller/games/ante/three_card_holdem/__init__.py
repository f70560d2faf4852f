"""3 Card Hold'em: two cards each, three in the middle, bet or fold, then bet or check."""
