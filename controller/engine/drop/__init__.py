"""What is due to the drop boxes against what fell into them: books, their reconciliation, what pieces are worth."""
