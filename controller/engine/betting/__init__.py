"""A betting round of poker: posted rules, whose turn it is, which choices there are, what an act changes."""
