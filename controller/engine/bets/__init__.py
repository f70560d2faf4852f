"""What may be bet: wagers and their rules, the limits of poker, the action button."""
