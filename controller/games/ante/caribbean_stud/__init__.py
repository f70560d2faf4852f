"""Caribbean Stud Poker: five cards each, call with twice the ante or fold."""
