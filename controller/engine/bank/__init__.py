"""The player-dealer's position: what an approval prints of its rotation (rotation.py), who sits where (people.py), and
how often the same person has had it (banking.py)."""
