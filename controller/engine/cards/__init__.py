"""Cards, hands and who may know them; melds of rummy."""
